-- sliding_log.lua: one sliding log inside decide.lua.
--
-- claim    limit, permits, window length
-- log      sorted set: score = time of an admission, member = 16 digits of running total + cost.
--          What is used is last total - first live total + its cost, whatever the costs
-- fits     used + permits <= limit; an entry counts until it is exactly one window old
-- reply    used, time of the newest entry, and of the entry with whose end the permits would fit,
--          before what this question takes and after what it refunds
-- cost     O(log n) in the entries; a refund of a known grant also rewrites the entries after it
-- clock    now earlier than the newest entry counts as its time; a log whose newest entry is more
--          than a window ahead of the server's clock becomes one entry of now
-- twin of  SlidingLogMeter.java, LogEntries.java
local log = KEYS[key]
local newest = redis.pcall('ZREVRANGE', log, 0, 0, 'WITHSCORES')
local used, time, total, frees = 0, 0, 0, 0
fits = true
if newest.err then
  failure = newest.err
elseif newest[1] then
  time, total = tonumber(newest[2]), tonumber(sub(newest[1], 1, 16))
  if not total or sub(newest[1], 17, 17) ~= '+' then
    failure, time, total = FOREIGN, 0, 0
  end
end
local has_entries = newest[1] and not failure -- by its time alone, an entry of 1970 would be none
local horizon = string.format('%.0f', (now > time and now or time) - p3)
if has_entries then
  local first = redis.call('ZRANGEBYSCORE', log, '(' .. horizon, '+inf', 'LIMIT', 0, 1)[1]
  if first then used = total - tonumber(sub(first, 1, 16)) + tonumber(sub(first, 18)) end
  if server_time and time - now > p3 then
    time, total = now, used
    horizon = string.format('%.0f', now - p3)
    if not only_reads then
      --include sliding_log_collapse.lua
    end
  end
end

if op <= PEEK then
  fits = used <= p1 - p2
  if fits and not reads then record = { p2, p3, time, total, used, horizon } end
  if not fits and p2 <= p1 and not failure then
    --include sliding_log_wait.lua
  end
elseif op == CHARGE then
  local most = p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most > used and most - used or 0
  local taken = p2 < room and p2 or room
  if taken > 0 and not reads then record = { taken, p3, time, total, used, horizon } end
elseif has_entries and not reads then
  --include sliding_log_refund.lua
end
logs = (logs or '') .. pack('<I7I7I7', used, time, frees)
