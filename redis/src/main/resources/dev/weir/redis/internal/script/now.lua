-- now.lua: the time that a script decides at, in microseconds since 1970.
--
-- given    ARGV[1]: that time, or empty for the server's clock
-- result   now; server_time, whether it is that of the server
local now, server_time = tonumber(ARGV[1]), false
if not now then
  local clock = redis.call('TIME')
  now, server_time = clock[1] * 1000000 + clock[2], true
end
