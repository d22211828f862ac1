-- token_bucket.lua: one token bucket inside decide.lua.
--
-- claim    full (whole, rest), cost (whole, rest), numerator p, denominator r of one permit's time
-- record   time, amount: whole microseconds until full as of time, extra: r-ths of one beyond them
-- fits     deficit + cost <= full, asked as deficit <= full - cost
-- debt     a charge may take the deficit to twice full; the record's kind is then 3. Without that
--          mark a deficit above full is what a lowered capacity left, and counts as full
-- refund   what was refilled since the grant is not given twice
-- expires  when the deficit is refilled
-- clock    time never moves back; now earlier than time counts as time; a record more than one fill
--          ahead of the server's clock is brought back to now
-- twin of  TokenBucketMeter.java
local in_debt = tag % 4 == 3 and not changed
if server_time and time - now > p1 then
  time, changed = now, true
end
if changed then
  kept = pack(RECORD, in_debt and id + 3 or id, time, amount, extra, p5, p6)
  need = floor((time + amount) / 1000) + 2
end

local deepest, deepest_rest = p1 + p1, p2 + p2
if p2 >= p6 - p2 then deepest, deepest_rest = deepest + 1, p2 - (p6 - p2) end
local bound, bound_rest = p1, p2
if in_debt then bound, bound_rest = deepest, deepest_rest end
if amount > bound or amount == bound and extra > bound_rest then
  amount, extra = bound, bound_rest
end
if now > time then
  amount, time = amount - (now - time), now
  if amount < 0 then amount, extra = 0, 0 end
end

local above_full = false
if op <= CHARGE then
  local room, room_rest = p1 - p3, p2 - p4
  if room_rest < 0 then room, room_rest = room - 1, room_rest + p6 end
  fits = op == CHARGE or amount < room or amount == room and extra <= room_rest
  if extra >= p6 - p4 then
    amount, extra = amount + p3 + 1, extra - (p6 - p4)
  else
    amount, extra = amount + p3, extra + p4
  end
  if op == CHARGE then
    if amount > deepest or amount == deepest and extra > deepest_rest then
      amount, extra = deepest, deepest_rest
    end
    above_full = amount > p1 or amount == p1 and extra > p2
  end
else
  fits = true
  local credit = p3
  if op == REFUND and time > granted then credit = credit - (time - granted) end
  if credit < 0 then
    reads = true -- it has all come back by itself
  else
    amount, extra = amount - credit, extra - p4
    if extra < 0 then amount, extra = amount - 1, extra + p6 end
    if amount < 0 then amount, extra = 0, 0 end
    above_full = in_debt and (amount > p1 or amount == p1 and extra > p2)
  end
end

slack = floor(p1 / 1000)
if fits and not reads then
  record = pack(RECORD, above_full and id + 3 or id, time, amount, extra, p5, p6)
  local end_of_need = floor((time + amount) / 1000) + 2
  if not need or end_of_need > need then need = end_of_need end
end
