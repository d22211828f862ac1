-- token_bucket.lua: one token bucket inside decide.lua.
--
-- claim    full (whole, rest), cost (whole, rest), numerator p, denominator r of one permit's time
-- record   time, amount: whole microseconds until full as of time, extra: r-ths of one beyond them
-- fits     deficit + cost <= full, asked as deficit <= full - cost
-- debt     a charge may take the deficit to twice full, and no deficit counts for more; without debt to
--          full
-- refund   what was refilled since the grant is not given twice; a grant of a time to come is none
-- expires  when the deficit is refilled
-- clock    time never moves back; now earlier than time counts as time; a record more than one fill
--          ahead of the server's clock is brought back to now
-- twin of  TokenBucketMeter.java
if extra >= p6 then
  failure = FOREIGN
end
if server_time and time - now > p1 then
  time = now
  kept = pack(RECORD, id, time, amount, extra, p5, p6)
  need = (time + amount) / 1000 + 2
end

local deepest, deepest_rest = p1 + p1, p2 + p2
if p2 >= p6 - p2 then deepest, deepest_rest = deepest + 1, p2 - (p6 - p2) end
if amount > deepest or amount == deepest and extra > deepest_rest then
  amount, extra = deepest, deepest_rest
end
if now > time then
  amount, time = amount - (now - time), now
  if amount < 0 then amount, extra = 0, 0 end
end

if op <= CHARGE then
  if merged then
    --include merged_bucket.lua
  end
  local room, room_rest = p1 - p3, p2 - p4
  if room_rest < 0 then room, room_rest = room - 1, room_rest + p6 end
  fits = op == CHARGE or amount < room or amount == room and extra <= room_rest
  if op == CHARGE and flags >= 128 then deepest, deepest_rest = p1, p2 end
  if op == CHARGE and (amount > deepest or amount == deepest and extra >= deepest_rest) then
    reads = true -- as deep in debt as it can be
  end
  if extra >= p6 - p4 then
    amount, extra = amount + p3 + 1, extra - (p6 - p4)
  else
    amount, extra = amount + p3, extra + p4
  end
  if op == CHARGE and (amount > deepest or amount == deepest and extra > deepest_rest) then
    amount, extra = deepest, deepest_rest
  end
else
  fits = true
  local refilled = op == REFUND and time - granted or 0
  if refilled < 0 or refilled > p3 or amount == 0 and extra == 0 then
    reads = true -- it has all come back by itself
  else
    amount, extra = amount - (p3 - refilled), extra - p4
    if extra < 0 then amount, extra = amount - 1, extra + p6 end
    if amount < 0 then amount, extra = 0, 0 end
  end
end

slack = p1 / 1000
if fits and not reads then
  record = pack(RECORD, id, time, amount, extra, p5, p6)
  local end_of_need = (time + amount) / 1000 + 2
  if not need or end_of_need > need then need = end_of_need end
end
