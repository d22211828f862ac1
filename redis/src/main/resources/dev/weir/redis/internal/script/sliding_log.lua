-- sliding_log.lua: one sliding log inside decide.lua.
--
-- claim    limit, permits, window length
-- log      sorted set: score = time of an admission, member = big endian I7 running total, I7 cost,
--          I6 window of the limit that wrote it. What is used is last total - first live total +
--          its cost, whatever the costs
-- fits     used + permits <= limit; an entry counts until it is exactly one window old, and none
--          once the newest is as old as the window it was written with
-- foreign  the two newest and the two oldest live members must follow each other without a gap
-- reply    used, time of the newest entry, of the entry whose expiry makes the permits fit, and of
--          when the limit that wrote the log forgets it: before what this question takes and after
--          what it refunds; the third after what a charge takes; but merged questions are denied
--          after what others of them have taken
-- cost     O(log n) in the entries; a refund of a known grant also rewrites the entries after it
-- clock    now earlier than the newest entry counts as its time; a log whose newest entry is more
--          than a window ahead of the server's clock becomes one entry of now
-- twin of  SlidingLogMeter.java, LogEntries.java
local log = KEYS[key]
local newest = redis.pcall('ZREVRANGE', log, 0, 1, 'WITHSCORES')
local used, time, total, frees, writer = 0, 0, 0, 0, 0
local has_entries = false -- by its time alone, an entry of 1970 would be none
fits = true
if newest.err then
  failure = newest.err
elseif newest[1] then
  local cost = 0
  time = tonumber(newest[2])
  if #newest[1] == 20 then total, cost, writer = unpack_(MEMBER, newest[1]) end
  local before = newest[3] and #newest[3] == 20 and unpack_(MEMBER, newest[3])
  has_entries = cost > 0 and cost <= total and total <= LARGEST and writer > 0
    and time % 1 == 0 and time >= 0 and time <= LARGEST
    and (not newest[3] or before == total - cost)
  if not has_entries then
    failure, time, total, writer = FOREIGN, 0, 0, 0
  end
end
local horizon = (now > time and now or time) - p3
if has_entries and now >= time + writer then
  has_entries = false -- forgotten by the limit that wrote it; the next write takes it away
  if time > horizon then horizon = time end
end
local until_horizon = string.format('%.0f', horizon)
if has_entries then
  local first =
    redis.call('ZRANGEBYSCORE', log, '(' .. until_horizon, '+inf', 'LIMIT', 0, 2)
  if first[1] then
    local oldest, cost, second, second_cost = 0, 0
    if #first[1] == 20 then oldest, cost = unpack_(MEMBER, first[1]) end
    if first[2] and #first[2] == 20 then second, second_cost = unpack_(MEMBER, first[2]) end
    used = total - oldest + cost
    if cost < 1 or cost > oldest or used < cost or used > LARGEST
        or first[2] and (not second or second - second_cost ~= oldest) then
      failure, used = FOREIGN, 0
    end
  end
  if server_time and time - now > p3 and not failure then
    time, total, horizon = now, used, now - p3
    until_horizon = string.format('%.0f', horizon)
    if not only_reads then
      --include sliding_log_collapse.lua
    end
  end
end

if failure then
  reads = true
elseif op <= PEEK then
  local one, taken = p2, 0
  if merged then
    local in_use = used
    --include merged_window.lua
    taken = p2
  end
  fits = used <= p1 - p2
  if fits and not reads then record = { p2, p3, time, total, used, until_horizon } end
  local denies = used + taken > p1 - one and (not merged or second or flags % 8 >= 4)
  if denies and taken > p1 - one then
    frees = now > time and now or time -- what the merged questions take now
  elseif denies and one <= p1 then
    local leave = p1 - one - taken
    --include sliding_log_wait.lua
  end
elseif op == CHARGE then
  local most = flags >= 128 and p1 or p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most > used and most - used or 0
  local taken = p2 < room and p2 or room
  if taken > 0 and not reads then
    record = { taken, p3, time, total, used, until_horizon }
  end
  if used + taken > p1 and p2 <= p1 then -- in debt: when the same would fit again
    local leave = p1 - p2 - taken
    if leave < 0 then
      frees = now > time and now or time -- only when what this charge takes has expired
    else
      --include sliding_log_wait.lua
    end
  end
elseif used > 0 and not reads then
  --include sliding_log_refund.lua
end
logs = (logs or '') .. pack('<I7I7I7I7', used, time, frees, time + writer)
