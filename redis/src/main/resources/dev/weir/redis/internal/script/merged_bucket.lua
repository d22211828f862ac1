-- merged_bucket.lua: how many merged questions fit a token bucket of decide.lua, at most `most`.
--
-- The cost of 1, 2, 4 ... questions is made by doubling, and taken from what is left, the largest
-- first: additions alone, so that fractions stay exact.
-- result   fitting, and in p3, p4 the cost of that many questions
local left, left_rest = p1 - amount, p2 - extra
if left_rest < 0 then left, left_rest = left - 1, left_rest + p6 end
local costs, rests, steps = { p3 }, { p4 }, 1
while 2 ^ steps <= most and costs[steps] <= left do
  local whole, rest = 2 * costs[steps], rests[steps]
  if rest >= p6 - rest then
    whole, rest = whole + 1, rest - (p6 - rest)
  else
    rest = rest + rest
  end
  steps = steps + 1
  costs[steps], rests[steps] = whole, rest
end

fitting, p3, p4 = 0, 0, 0
for step = steps, 1, -1 do
  local whole, rest, questions = costs[step], rests[step], 2 ^ (step - 1)
  if fitting + questions <= most
      and (whole < left or whole == left and rest <= left_rest) then
    fitting = fitting + questions
    left, left_rest = left - whole, left_rest - rest
    if left_rest < 0 then left, left_rest = left - 1, left_rest + p6 end
    p3 = p3 + whole
    if p4 >= p6 - rest then
      p3, p4 = p3 + 1, p4 - (p6 - rest)
    else
      p4 = p4 + rest
    end
  end
end
