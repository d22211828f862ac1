-- gateway.lua: a token bucket of the shape that Spring Cloud Gateway uses, in our own words.
--
-- KEYS     the tokens, and the second they were last counted in; both expire after two fills
-- ARGV     tokens per second, capacity, tokens asked for
-- reply    allowed, tokens left
-- Like the original it counts in whole seconds of the server's clock, and writes on denial too.
local rate, capacity, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local second = tonumber(redis.call('TIME')[1])
local lifetime = math.floor(2 * capacity / rate)

local tokens = tonumber(redis.call('GET', KEYS[1]) or capacity)
local counted = tonumber(redis.call('GET', KEYS[2]) or 0)
tokens = math.min(capacity, tokens + math.max(0, second - counted) * rate)

local allowed = 0
if tokens >= cost then
  allowed, tokens = 1, tokens - cost
end
if lifetime > 0 then
  redis.call('SETEX', KEYS[1], lifetime, tokens)
  redis.call('SETEX', KEYS[2], lifetime, second)
end
return { allowed, tokens }
