-- in_flight.lua: slots of requests in flight inside decide.lua.
--
-- claim    slots there are, slots asked for, hold
-- slots    sorted set: score = when a slot is lost, member = the holder's id of 16 bytes, then the
--          number of the slot, big endian I4, from 0. What is in use is how many are not lost yet
-- fits     used + slots <= limit; a slot counts until exactly its score
-- takes    an acquisition alone; a charge, which nobody could release, takes none
-- refund   releases the first slots of the holder, lost ones included; without a holder nothing
-- reply    used, the last score, the score of the slot whose loss makes the claim fit, 0: before what
--          this question takes and after what it releases
-- clock    with the server's, a slot that would be kept for more than one hold from now on, because
--          the clock was set back, is lost one hold from now
-- cost     O(log n) in the slots held, and O(1) commands for each slot taken
-- twin of  InFlightMeter.java, HeldSlots.java
local slots = KEYS[key]
local used, last_end, frees = 0, 0, 0
fits = true
if op == REFUND and holder and not reads then
  for n = 0, p2 - 1 do
    local released = redis.pcall('ZREM', slots, holder .. pack('>I4', n))
    if type(released) == 'table' then
      failure = released.err
      break
    end
  end
end
local held = op == REFUND or redis.pcall('ZCARD', slots) -- none: nothing more to read
local newest = held ~= 0 and redis.pcall('ZREVRANGE', slots, 0, 0, 'WITHSCORES') or {}
if newest.err then
  failure = newest.err
elseif newest[1] then
  last_end = tonumber(newest[2])
  if #newest[1] ~= 20 or last_end % 1 ~= 0 or last_end < 0 or last_end > LARGEST then
    failure, last_end = FOREIGN, 0
  else
    if server_time and last_end > now + p3 and not only_reads then
      --include in_flight_clamp.lua
    end
    if last_end > now then used = redis.call('ZCOUNT', slots, now + 1, '+inf') end
  end
end

if failure then
  reads = true
elseif op <= CHARGE then
  local denies = used > p1 - (op == CHARGE and 0 or p2)
  fits = op == CHARGE or not denies
  if op == ACQUIRE and fits and not reads then
    record = { p2, p3, holder, last_end, held > used }
  end
  if denies and p2 <= p1 then
    local nth = used - (p1 - p2) - 1
    frees = tonumber(redis.call('ZRANGEBYSCORE', slots, now + 1, '+inf', 'WITHSCORES', 'LIMIT',
      nth, 1)[2])
  end
end
logs = (logs or '') .. pack('<I7I7I7I7', used, last_end, frees, 0)
