-- plain_bucket.lua: a token bucket as one would write it by hand: GET, a little arithmetic, SET PX.
--
-- KEYS[1]  the bucket: used permits and the time of the last admission, two doubles
-- ARGV     now (microseconds, the client's), capacity, microseconds per permit, permits asked for
-- reply    allowed, permits left, microseconds until it would fit, microseconds until full
-- It keeps fractions as doubles and trusts the client's clock: a yardstick of cost, not of exactness.
local now, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local gap, cost = tonumber(ARGV[3]), tonumber(ARGV[4])
local floor, ceil = math.floor, math.ceil

local used, at = 0, now
local value = redis.call('GET', KEYS[1])
if value then
  used, at = struct.unpack('<dd', value)
  if now > at then
    used, at = math.max(0, used - (now - at) / gap), now
  end
end

local left = capacity - used
if left < cost then
  return { 0, floor(left), ceil((cost - left) * gap), ceil(used * gap) }
end
used = used + cost
redis.call('SET', KEYS[1], struct.pack('<dd', used, at), 'PX', ceil(used * gap / 1000) + 1000)
return { 1, floor(capacity - used), 0, ceil(used * gap) }
