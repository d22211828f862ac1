-- sliding_window.lua: one sliding window of two counters inside decide.lua.
--
-- claim    limit, permits, window length
-- record   time: start of the current window, amount: its count, extra: the previous window's count
-- fits     current + ceil(previous x overlap / window) + permits <= limit
-- expires  two windows after the start of the current one
-- clock    a passed now earlier than the start counts as the start; a window that starts ahead of
--          the server's clock hands its counts, both in full, to the one that holds now: there the
--          previous one might weigh less, and where it was it would end three windows from now
-- twin of  SlidingWindowMeter.java
if server_time and time > now then
  local both = amount + extra
  if both > p1 then both = amount > p1 and amount or p1 end
  time, amount, extra, changed = now - now % p3, both, 0, true
end
need = floor((time + 2 * p3) / 1000) + 1
slack = floor(p3 / 1000)
if changed then
  kept = pack(RECORD, id + 2, time, amount, extra, p3, 0)
end

local since = now - time
if since >= p3 then
  if since < p3 + p3 then
    time, amount, extra = time + p3, 0, amount
  else
    time, amount, extra = now - now % p3, 0, 0
  end
  need = floor((time + 2 * p3) / 1000) + 1
end
local used = amount
if extra > 0 then
  local overlap = now > time and p3 - (now - time) or p3
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
  fits = used <= p1 - p2
  amount = amount + p2
elseif op == CHARGE then
  local most = p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most > used and most - used or 0
  amount = amount + (p2 < room and p2 or room)
elseif op == REFUND_UNDATED or granted - granted % p3 == time then
  amount = amount > p2 and amount - p2 or 0
elseif granted - granted % p3 == time - p3 then
  extra = extra > p2 and extra - p2 or 0
else
  reads = true -- its window has passed
end
if fits and not reads then
  record = pack(RECORD, id + 2, time, amount, extra, p3, 0)
end
