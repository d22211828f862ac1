-- convert.lua: reads a record of another limit as this claim's limit sees it.
--
-- rule     what was in use at the last write counts as if it had been taken under this limit then,
--          and ends when it ends under the limit that wrote it. Reading writes nothing
-- rounding between two buckets the fraction of a permit is kept, rounded up in the new bucket's
--          smallest part; otherwise whole permits are carried over, rounded up
-- bucket   its own fragment counts a deficit for two fill times at most
-- twin of  Meter.view, Meter.convert and its overrides
--include muldiv.lua
local LONGEST = 7000000000000000 -- microseconds: more than two fills of any bucket
local from = tag % 4
local used, fraction, fraction_of, ends = 0, 0, 1, 0
if from == 3 or param < 1 or param > LONGEST_PERIOD
    or from == 0 and (extra >= param2 or param2 > LARGEST) then
  failure = FOREIGN
elseif from == 0 then
  used, fraction = muldiv(amount, param2, param)
  used = used + floor(extra / param)
  fraction = fraction + extra % param
  if fraction >= param then fraction, used = fraction - param, used + 1 end
  fraction_of, ends = param, time + amount + (extra > 0 and 1 or 0)
  if kind ~= 0 and fraction > 0 then used = used + 1 end
elseif from == 1 then
  used, ends = amount, extra
else
  local opened = time - time % param
  local whole, rest = muldiv(extra, param - (time - opened), param)
  used = amount + whole + (rest > 0 and 1 or 0)
  ends = opened + (amount > 0 and 2 * param or param)
end

tag = id
if ends <= now or used == 0 and fraction == 0 or failure then
  time, amount, extra, param = 0, 0, 0, 0
else
  if used > LARGEST then used = LARGEST end
  if kind == 0 then
    local most = muldiv(LONGEST, p6, p5)
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
  elseif kind == 1 then
    amount, extra, param = used, LARGEST, LARGEST - time -- fixed_window.lua finds its window
  else
    amount, extra = used, 0
  end
end
