-- fixed_window.lua: one fixed window inside decide.lua.
--
-- claim    limit, permits, window length; for a calendar window its start and end instead
-- record   time: start of the window, amount: its count, extra: its end
-- fits     count + permits <= limit; from the end on, the count is 0
-- changed  a window that is not one of this limit's hands its count to the one that holds now
-- expires  at the end of the window
-- clock    now earlier than the start counts as the start; a window that starts more than its own
--          length ahead of the server's clock is moved to the one that holds now
-- twin of  FixedWindowMeter.java, WindowEdges.java
local type_of_window = floor(flags / 8) % 4
local opens, closes = p4, p5
if type_of_window == 2 and (now < p4 or now >= p5) then
  failure = 'EDGE'
end

local running = now < extra and amount > 0
local ahead = time > now
if ahead and server_time and time - now > extra - time then
  ahead, changed = false, true
  time = -1 -- belongs to no window: moved below
end
local instant = ahead and time or now
if type_of_window == 0 then
  opens = instant - instant % p3
  closes = opens + p3
elseif type_of_window == 1 then
  opens, closes = instant, instant + p3
  if running and extra - time == p3 then
    opens, closes = time, extra
  elseif running and time >= 0 and instant < time + p3 then
    opens, closes = time, time + p3
  end
elseif ahead and extra < LARGEST then
  opens, closes = time, extra
end
if not running then
  time, amount, extra = opens, 0, closes
elseif time ~= opens or extra ~= closes then
  time, extra, changed = opens, closes, true
end
need = floor(extra / 1000) + 1
slack = floor((extra - time) / 1000)
if changed and amount > 0 then
  kept = pack(RECORD, id + 1, time, amount, extra, 0, 0)
end

fits = true
if op <= PEEK then
  fits = amount <= p1 - p2
  amount = amount + p2
elseif op == CHARGE then
  local most = p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most > amount and most - amount or 0
  amount = amount + (p2 < room and p2 or room)
elseif op == REFUND_UNDATED or granted >= time and granted < extra then
  amount = amount > p2 and amount - p2 or 0
else
  reads = true -- its window has passed
end
if fits and not reads then
  record = pack(RECORD, id + 1, time, amount, extra, 0, 0)
end
