-- in_flight_clamp.lua: the server's clock was set back, so slots of in_flight.lua would be kept for
-- longer than a hold after their holders are gone. They are lost one hold from now.
last_end = now + p3
local ahead = redis.call('ZRANGEBYSCORE', slots, '(' .. string.format('%.0f', last_end), '+inf')
for n = 1, #ahead do
  redis.pcall('ZADD', slots, string.format('%.0f', last_end), ahead[n])
end
