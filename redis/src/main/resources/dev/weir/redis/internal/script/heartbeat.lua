-- heartbeat.lua: registers an instance as alive, or signs it off, and reports the others.
--
-- KEYS[1]  sorted set of instances by the time of their last heartbeat
-- KEYS[2]  sorted set of instances that have left, as "joined:id", by the time they left
-- ARGV[1]  id of the instance
-- ARGV[2]  its time of joining, from an earlier reply; 0 for the first heartbeat
-- ARGV[3]  1 if the instance leaves, else 0
-- ARGV[4]  the time of the last reply: departures after it are listed; 0 lists none
-- ARGV[5]  how long a heartbeat counts, in milliseconds
-- ARGV[6]  how long a departure is kept, in milliseconds
-- reply    now, the number of instances alive, then for each departure: joined, left
-- expires  each key when nothing in it counts any more
-- clock    the server's, in microseconds: two calls in one millisecond must be told apart, or a
--          departure would be counted for the wrong side of a heartbeat
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
if ARGV[3] == '1' then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZADD', KEYS[2], now, ARGV[2] .. ':' .. ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[6] * 1000)
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
else
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[5] * 1000)
local reply = {now, redis.call('ZCARD', KEYS[1])}
if ARGV[4] ~= '0' then
  local departures = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[4], '+inf', 'WITHSCORES')
  for i = 1, #departures, 2 do
    reply[#reply + 1] = tonumber(string.match(departures[i], '^%d+'))
    reply[#reply + 1] = tonumber(departures[i + 1])
  end
end
return reply
