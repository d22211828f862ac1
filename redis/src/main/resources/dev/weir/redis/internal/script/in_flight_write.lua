-- in_flight_write.lua: takes slots, inside decide.lua once a question is allowed.
--
-- record   slots, hold, holder, when the last slot so far is lost, whether some are lost already
-- order    the first slot first: after any other write, a server without memory would let it pass
-- expires  when the last slot is lost, rounded up, plus a margin
local slots, ends = KEYS[key], now + record[2]
local added = redis.pcall('ZADD', slots, ends, record[3] .. pack('>I4', 0))
if type(added) == 'table' then
  failure = added.err
else
  for n = 1, record[1] - 1 do
    redis.call('ZADD', slots, ends, record[3] .. pack('>I4', n))
  end
  if record[5] then redis.call('ZREMRANGEBYSCORE', slots, '-inf', now) end
  if record[4] > ends then ends = record[4] end
  local margin = server_time and 1001 or 600001
  redis.call('PEXPIRE', slots, floor((ends - now) / 1000) + margin)
end
