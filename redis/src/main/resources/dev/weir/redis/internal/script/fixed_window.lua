-- fixed_window.lua: one fixed window inside decide.lua.
--
-- claim    limit, permits, window length; for a calendar window its start and end instead; at the end
--          from how much use on there is a warning, or 0
-- record   time: of the last write, amount: the count, extra: the window's end; parameter: its
--          length; its warning: 0 none, 2 if the last write was the first to reach it in this window,
--          1 if an earlier one was. It stays when permits are given back
-- fits     count + permits <= limit; from the end on, the count is 0
-- changed  the count belongs to this limit's own window of the last write, and ends with that or
--          with the window it was written in, whichever ends first
-- expires  at the end of the window
-- clock    now earlier than the last write counts as that; a window that starts more than its own
--          length ahead of the server's clock is moved to the one that holds now
-- twin of  FixedWindowMeter.java, WindowEdges.java
local type_of_window = floor(flags / 8) % 4
local window, closes = p3, 0
if type_of_window == 2 then
  window = p5 - p4
  if now < p4 or now >= p5 then
    failure = 'EDGE'
  end
end
local warned = tag % 4 == 1 and param2 or 0
if tag % 4 == 1 and (param < 1 or param > LONGEST_PERIOD or warned > 2) then
  failure = FOREIGN
end

if (amount > 0 or warned > 0) and now < extra then
  if type_of_window == 0 then
    closes = time - time % p3 + p3
  elseif type_of_window == 1 then
    local opened = extra - param
    closes = (time < opened + p3 and opened or time) + p3
  elseif time < p5 then
    closes = time < p4 and 0 or p5
  elseif extra < LARGEST then
    closes, window = extra, param -- ahead of now; only the client knows calendars
  else
    closes = p5
  end
end
local behind = server_time and closes - now > 2 * window
if now >= closes or behind then
  if behind then
    time = now
  else
    amount, warned = 0, 0
  end
  if type_of_window == 0 then
    closes = now - now % p3 + p3
  else
    window = type_of_window == 1 and p3 or p5 - p4
    closes = type_of_window == 1 and now + p3 or p5
  end
  if behind then
    kept = pack(RECORD, id + 1, time, amount, closes, window, warned > 0 and 1 or 0)
  end
end
if now > time then time = now end
need, slack = closes / 1000 + 1, window / 1000

fits = true
if op <= PEEK then
  if merged then
    local in_use = amount
    --include merged_window.lua
  end
  fits = amount <= p1 - p2
  amount = amount + p2
elseif op == CHARGE then
  local most = flags >= 128 and p1 or p1 + p1 > LARGEST and LARGEST or p1 + p1
  local room = most > amount and most - amount or 0
  if room == 0 then
    if warned == 2 and not reads then -- noted, so that this charge is not taken for the first one
      record, need = sub(value, at, at + RECORD_SIZE - 8) .. pack('<I7', 1), extra / 1000 + 1
    end
    reads = true -- as deep in debt as it can be
  end
  amount = amount + (p2 < room and p2 or room)
elseif amount > 0
    and (op == REFUND_UNDATED or granted >= closes - window and granted <= time) then
  amount = amount > p2 and amount - p2 or 0
else
  reads = true -- its window has passed
end
if fits and not reads then
  if warned > 0 then
    warned = 1
  elseif p6 > 0 and op <= CHARGE and amount >= p6 then
    warned = 2
  end
  record = pack(RECORD, id + 1, time, amount, closes, window, warned)
end
