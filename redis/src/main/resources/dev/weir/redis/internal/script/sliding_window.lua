-- sliding_window.lua: one sliding window of two counters inside decide.lua.
--
-- claim    limit, permits, window length
-- record   time: of the last write, whose window is the current one, amount: its count, extra: the
--          previous window's count
-- fits     current + ceil(previous x overlap / window) + permits <= limit
-- expires  two windows after the start of the current one
-- clock    a passed now earlier than the start counts as the start; a window that starts ahead of
--          the server's clock hands its counts, both in full, to the one that holds now: there the
--          previous one might weigh less, and where it was it would end three windows from now
-- twin of  SlidingWindowMeter.java
local start = time - time % p3
if server_time and start > now then
  local both = amount + extra
  if both > p1 then both = amount > p1 and amount or p1 end
  time, start, amount, extra = now, now - now % p3, both, 0
  kept = pack(RECORD, id + 2, time, amount, extra, p3, 0)
end

local since = now - start
if since >= p3 then
  if since < p3 + p3 then
    amount, extra = 0, amount
  else
    amount, extra = 0, 0
  end
  start = now - now % p3
end
if now > time then time = now end
need, slack = (start + 2 * p3) / 1000 + 1, p3 / 1000
local used = amount
if extra > 0 then
  local overlap = now > start and p3 - (now - start) or p3
  local product = extra * overlap
  if product <= LARGEST then
    local rest = product % p3
    used = amount + (product - rest) / p3 + (rest > 0 and 1 or 0)
  else
    --include muldiv.lua
    local whole, rest = muldiv(extra, overlap, p3)
    used = amount + whole + (rest > 0 and 1 or 0)
  end
end

fits = true
if op <= PEEK then
  if merged then
    local in_use = used
    --include merged_window.lua
  end
  fits = used <= p1 - p2
  amount = amount + p2
elseif op == CHARGE then
  local most = flags >= 128 and p1 or p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most - used
  if room <= 0 then
    reads = true -- as deep in debt as it can be
  end
  amount = amount + (p2 < room and p2 or room)
else
  local windows_ago = 0
  if op == REFUND then
    local age = time - granted
    windows_ago = age < 0 and 2 or age > 2 * p3 and 2 or (start - (granted - granted % p3)) / p3
  end
  if windows_ago == 0 and amount > 0 then
    amount = amount > p2 and amount - p2 or 0
  elseif windows_ago == 1 and extra > 0 then
    extra = extra > p2 and extra - p2 or 0
  else
    reads = true -- its window has passed
  end
end
if fits and not reads then
  record = pack(RECORD, id + 2, time, amount, extra, p3, 0)
end
