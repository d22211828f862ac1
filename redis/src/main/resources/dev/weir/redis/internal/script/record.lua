-- record.lua: finds the record of a claim of decide.lua in a state, and does what limit.lua says.
--
-- given    value, and place, where the record probably is
local length, tag, time, amount, extra, param, param2 = #value
at = place < length and place or 7
while at < length do
  tag, time, amount, extra, param, param2 = unpack_(RECORD, value, at)
  if tag - tag % 4 == id then break end
  if at == place and place > 7 then
    at, place = 7, 7
  else
    at = at + RECORD_SIZE
  end
end
place = at + RECORD_SIZE
--include limit.lua
