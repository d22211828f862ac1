-- record.lua: finds the record of a claim in a state, and hands it to the fragment of its algorithm.
--
-- given    value, and place, where the record probably is
-- result   of the fragment: fits, the record to be written if it takes, need and slack (expire.lua),
--          kept if the record must be written anyway, fitting if questions are merged
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
if at >= length then
  at, tag, time, amount, extra, param = 0, id, 0, 0, 0, 0
elseif tag % 4 ~= kind or kind == 0 and (param ~= p5 or param2 ~= p6)
    or kind == 2 and param ~= p3 then
  --include convert.lua
end

if kind == 0 then
  --include token_bucket.lua
elseif kind == 1 then
  --include fixed_window.lua
else
  --include sliding_window.lua
end
