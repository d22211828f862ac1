-- diagnose.lua: tries every command that the other scripts use, for RedisDiagnosis.
--
-- keys     1 a string, 2 a sorted set: of this diagnosis alone; both are gone at the end
-- returns  for each command that is refused: its name, then the error
-- expires  after a minute, if DEL is what is refused
local refused = {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then
    refused[#refused + 1] = command
    refused[#refused + 1] = reply.err
  end
end

try('TIME')
try('SET', KEYS[1], '1', 'PX', 60000)
try('GET', KEYS[1])
try('ZADD', KEYS[2], 1, 'a', 2, 'b')
try('PEXPIRE', KEYS[2], 60000)
try('ZCARD', KEYS[2])
try('ZCOUNT', KEYS[2], 1, 2)
try('ZRANGE', KEYS[2], 0, -1)
try('ZREVRANGE', KEYS[2], 0, -1)
try('ZRANGEBYSCORE', KEYS[2], 1, 2)
try('ZREM', KEYS[2], 'a')
try('ZREMRANGEBYSCORE', KEYS[2], 1, 2)
try('DEL', KEYS[1], KEYS[2])
return refused
