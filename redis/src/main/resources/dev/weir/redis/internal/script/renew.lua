-- renew.lua: keeps slots of requests in flight for another hold.
--
-- keys     sorted sets of in_flight.lua, one per grant, in their order; some may be the same
-- ARGV[1]  now in microseconds since 1970, or empty for the server's clock
-- ARGV[i]  one grant each: the holder's id of 16 bytes, I4 how many slots, d hold in microseconds
-- reply    per grant 1 if its holder still had all its slots and they were renewed, else 0: nothing
--          that was lost is revived, and nothing is renewed in part
-- writes   after all checks of a grant
-- twin of  InFlightMeter.renew
local pack, unpack_, floor = struct.pack, struct.unpack, math.floor
local now, margin = tonumber(ARGV[1]), 600001
if not now then
  local clock = redis.call('TIME')
  now, margin = clock[1] * 1000000 + clock[2], 1001
end

local replies = {}
for grant = 1, #KEYS do
  local holder = string.sub(ARGV[grant + 1], 1, 16)
  local count, hold = unpack_('<I4d', ARGV[grant + 1], 17)
  local held = not redis.call('ZSCORE', KEYS[grant], holder .. pack('>I4', count))
  for n = 0, count - 1 do
    if not held then break end
    local score = redis.call('ZSCORE', KEYS[grant], holder .. pack('>I4', n))
    held = score and tonumber(score) > now
  end
  if held then
    local ends = string.format('%.0f', now + hold)
    for n = 0, count - 1 do
      redis.call('ZADD', KEYS[grant], 'XX', ends, holder .. pack('>I4', n))
    end
    local last_end = tonumber(redis.call('ZREVRANGE', KEYS[grant], 0, 0, 'WITHSCORES')[2])
    redis.call('PEXPIRE', KEYS[grant], floor((last_end - now) / 1000) + margin)
  end
  replies[grant] = held and 1 or 0
end
return replies
