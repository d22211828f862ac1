-- muldiv.lua: a x b / m exactly, as quotient and rest, where the product leaves 2^53.
--
-- Horner's scheme over the digits of a. With m below 2^45 a digit has 7 bits: rest x 128 and
-- digit x b stay below 2^52 each. A larger m goes bit by bit, and sums are compared before they are
-- made. Included where it is needed, so that a question that does not need it pays nothing.
-- twin of  MulDiv.java
local function muldiv(a, b, m)
  local b_rest = b % m
  local b_whole = (b - b_rest) / m
  local base = m < 35184372088832 and 128 or 2
  local digits = {}
  while a > 0 do
    local digit = a % base
    digits[#digits + 1] = digit
    a = (a - digit) / base
  end
  local whole, rest = 0, 0
  for i = #digits, 1, -1 do
    local digit = digits[i]
    if base == 128 then
      local sum = rest * 128 + digit * b_rest
      rest = sum % m
      whole = whole * 128 + digit * b_whole + (sum - rest) / m
    else
      whole = whole + whole
      if rest >= m - rest then
        rest, whole = rest - (m - rest), whole + 1
      else
        rest = rest + rest
      end
      if digit == 1 then
        whole = whole + b_whole
        if rest >= m - b_rest then
          rest, whole = rest - (m - b_rest), whole + 1
        else
          rest = rest + b_rest
        end
      end
    end
  end
  return whole, rest
end
