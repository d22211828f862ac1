-- convert.lua: rewrites a record of another limit for this claim's; what was used stays used.
--
-- Between two buckets the fraction of a permit is kept, rounded up in the new bucket's smallest
-- part; otherwise whole permits are carried over, rounded up. Nothing is cut to the new capacity:
-- two versions of a rule that take turns would forgive some at every turn.
-- twin of  Meter.convert and its overrides
changed = true
--include muldiv.lua
local LONGEST = 3155760000000000 -- microseconds in 36525 days: more is never carried over
local from = tag % 4 % 3
local instant = now > time and now or time
local used, fraction, fraction_of = 0, 0, 1
if from == 0 then
  local whole = amount - (instant - time)
  if whole >= 0 then
    local parts
    used, parts = muldiv(whole, param2, param)
    used = used + floor(extra / param)
    parts = parts + extra % param
    if parts >= param then parts, used = parts - param, used + 1 end
    fraction, fraction_of = parts, param
    if kind ~= 0 and parts > 0 then used = used + 1 end
  end
elseif from == 1 then
  used = now < extra and amount or 0
else
  local since = now - time
  local opened, current, previous = time, amount, extra
  if since >= param + param then
    current, previous = 0, 0
  elseif since >= param then
    opened, current, previous = time + param, 0, amount
  end
  local whole, rest = muldiv(previous, now > opened and param - (now - opened) or param, param)
  used = current + whole + (rest > 0 and 1 or 0)
end

tag, time, amount, extra = id + kind, 0, 0, 0
if used > 0 or fraction > 0 then
  if kind == 0 then
    local most = muldiv(LONGEST, p6, p5)
    if most > LARGEST then most = LARGEST end
    amount, extra = muldiv(used < most and used or most, p5, p6)
    local whole, rest = muldiv(fraction, p5, fraction_of)
    if rest > 0 then whole = whole + 1 end
    amount = amount + floor(whole / p6)
    whole = whole % p6
    if extra >= p6 - whole then
      amount, extra = amount + 1, extra - (p6 - whole)
    else
      extra = extra + whole
    end
    time = instant
  elseif kind == 1 then
    time, amount, extra = instant, used, LARGEST -- fixed_window.lua finds its window
  else
    time, amount, extra = instant - instant % p3, used, 0
  end
end
