-- reset.lua: forgets one limit of one key.
--
-- KEYS[1]  a state key of decide.lua, or a log key
-- ARGV[1]  identity of the limit x 4, or 0 to forget all that is under the key
-- writes   the state without that record; nothing is left of a key with no other
-- fails    if the key holds data that is not ours; decide.lua says what is
local id = tonumber(ARGV[1])
local FOREIGN = 'FOREIGN data under a key of ours'
if id == 0 then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if first and #first ~= 20 then
    return redis.error_reply(FOREIGN)
  end
  return redis.call('DEL', KEYS[1])
end
local value = redis.call('GET', KEYS[1])
if not value then
  return 0
end
if #value < 44 or (#value - 6) % 38 ~= 0 or string.byte(value, 6) > 31 then
  return redis.error_reply(FOREIGN)
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
