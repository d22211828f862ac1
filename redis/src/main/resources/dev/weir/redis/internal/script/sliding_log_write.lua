-- sliding_log_write.lua: adds one admission to a log, inside decide.lua once a question is allowed.
--
-- record   permits, window, time and total of the newest entry, used, horizon
-- order    the entry first: after any other write, a server without memory would let it pass
local log, permits, time, total = KEYS[key], record[1], record[3], record[4]
if now > time then time = now end
if total + permits > LARGEST then
  -- The running total leaves what a double counts exactly: start it again from what is in use.
  redis.pcall('ZREMRANGEBYSCORE', log, '-inf', record[6])
  local members = redis.call('ZRANGE', log, 0, -1, 'WITHSCORES')
  redis.call('DEL', log)
  for m = 1, #members, 2 do
    if #members[m] == 20 then
      local old, cost, window = unpack_(MEMBER, members[m])
      redis.call('ZADD', log, members[m + 1], pack(MEMBER, old - total + record[5], cost, window))
    end
  end
  total = record[5]
end
local added = redis.pcall('ZADD', log, time, pack(MEMBER, total + permits, permits, record[2]))
if type(added) == 'table' then
  failure = added.err
else
  redis.call('ZREMRANGEBYSCORE', log, '-inf', record[6])
  local margin = server_time and 1001 or 600001
  redis.call('PEXPIRE', log, floor((time - now + record[2]) / 1000) + margin)
end
