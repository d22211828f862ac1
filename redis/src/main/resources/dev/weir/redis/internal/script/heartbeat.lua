-- heartbeat.lua: tells that an instance is alive, and how many are.
--
-- KEYS[1]  sorted set of instances by the time of their last heartbeat, in milliseconds
-- ARGV     id of the instance, how long a heartbeat counts in milliseconds
-- reply    how many instances have been heard within that time, this one included
-- expires  with the last heartbeat that counts
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
