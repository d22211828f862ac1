-- reset.lua: forgets one limit of one key.
--
-- KEYS[1]  a state key of decide.lua, or a log key
-- ARGV[1]  identity of the limit x 4, or 0 to forget all that is under the key
-- writes   the state without that record; nothing is left of a key with no other
local id = tonumber(ARGV[1])
if id == 0 then
  return redis.call('DEL', KEYS[1])
end
local value = redis.call('GET', KEYS[1])
if not value or (#value - 6) % 38 ~= 0 then
  return 0
end
for at = 7, #value, 38 do
  local tag = struct.unpack('<I4', value, at)
  if tag - tag % 4 == id then
    if #value == 44 then
      return redis.call('DEL', KEYS[1])
    end
    redis.call('SET', KEYS[1], string.sub(value, 1, at - 1) .. string.sub(value, at + 38),
      'KEEPTTL')
    return 1
  end
end
return 0
