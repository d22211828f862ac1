-- sliding_log_refund.lua: gives permits back to a log, inside decide.lua.
--
-- A known grant is taken off the entries of its instant, and off the running totals after them.
-- Without one, the oldest entries are credited first. What stays of an entry is added before the
-- entry goes: a log that was empty in between would be another key, without a TTL. The newest entry
-- then carries the window of this limit, as if it had written it.
local left = p2
if op == REFUND_UNDATED then
  redis.pcall('ZREMRANGEBYSCORE', log, '-inf', until_horizon)
  local oldest = redis.call('ZRANGE', log, 0, 0, 'WITHSCORES')
  while left > 0 and oldest[1] and not failure do
    if #oldest[1] ~= 20 then
      failure = FOREIGN
    else
      local running, cost, window = unpack_(MEMBER, oldest[1])
      if cost > left then
        redis.call('ZADD', log, oldest[2], pack(MEMBER, running, cost - left, window))
        cost = left
      end
      redis.call('ZREM', log, oldest[1])
      left = left - cost
      oldest = redis.call('ZRANGE', log, 0, 0, 'WITHSCORES')
    end
  end
elseif granted > horizon then
  local members = redis.call('ZRANGEBYSCORE', log, string.format('%.0f', granted), '+inf',
    'WITHSCORES')
  for m = 1, #members, 2 do
    if #members[m] ~= 20 then failure = FOREIGN end
  end
  for m = 1, failure and 0 or #members, 2 do
    local member, score = members[m], members[m + 1]
    local running, cost, window = unpack_(MEMBER, member)
    local spared = 0
    if tonumber(score) == granted then
      spared = cost < left and cost or left
      left = left - spared
    end
    if left < p2 then
      if cost > spared then
        redis.call('ZADD', log, score, pack(MEMBER, running - (p2 - left), cost - spared, window))
      end
      redis.call('ZREM', log, member)
    end
  end
end
if left < p2 then
  used = used - (p2 - left)
  newest = redis.call('ZREVRANGE', log, 0, 0, 'WITHSCORES')
  time = newest[1] and tonumber(newest[2]) or 0
  if newest[1] and #newest[1] == 20 then
    local running, cost, window = unpack_(MEMBER, newest[1])
    if window ~= p3 then
      redis.call('ZADD', log, newest[2], pack(MEMBER, running, cost, p3))
      redis.call('ZREM', log, newest[1])
    end
    if window ~= p3 or writer ~= p3 then
      local margin = server_time and 1001 or 600001
      redis.call('PEXPIRE', log, floor((time - now + p3) / 1000) + margin)
    end
  end
  writer = p3
end
