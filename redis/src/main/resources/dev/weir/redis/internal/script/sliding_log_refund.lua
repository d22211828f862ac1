-- sliding_log_refund.lua: gives permits back to a log, inside decide.lua.
--
-- A known grant is taken off the entries of its instant, and off the running totals after them.
-- Without one, the oldest entries are credited first. What stays of an entry is added before the
-- entry goes: a log that was empty in between would be another key, without a TTL.
local left = p2
if op == REFUND_UNDATED then
  redis.pcall('ZREMRANGEBYSCORE', log, '-inf', horizon)
  local oldest = redis.call('ZRANGE', log, 0, 0, 'WITHSCORES')
  while left > 0 and oldest[1] do
    local cost = tonumber(sub(oldest[1], 18))
    if cost > left then
      redis.call('ZADD', log, oldest[2],
        string.format('%s+%.0f', sub(oldest[1], 1, 16), cost - left))
      cost = left
    end
    redis.call('ZREM', log, oldest[1])
    left = left - cost
    oldest = redis.call('ZRANGE', log, 0, 0, 'WITHSCORES')
  end
elseif granted > tonumber(horizon) then
  local members = redis.call('ZRANGEBYSCORE', log, string.format('%.0f', granted), '+inf',
    'WITHSCORES')
  for m = 1, #members, 2 do
    local member, score = members[m], members[m + 1]
    local cost, spared = tonumber(sub(member, 18)), 0
    if tonumber(score) == granted then
      spared = cost < left and cost or left
      left = left - spared
    end
    if left < p2 then
      if cost > spared then
        redis.call('ZADD', log, score, string.format('%016.0f+%.0f',
          tonumber(sub(member, 1, 16)) - (p2 - left), cost - spared))
      end
      redis.call('ZREM', log, member)
    end
  end
end
used = used - (p2 - left)
newest = redis.call('ZREVRANGE', log, 0, 0, 'WITHSCORES')
time = newest[1] and tonumber(newest[2]) or 0
