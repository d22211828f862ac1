-- sliding_log_collapse.lua: the server's clock was set back by more than a window, so no entry of
-- this log would ever end in time: all that is used becomes one entry of now.
local cleared = redis.pcall('DEL', log)
if type(cleared) == 'table' then
  failure = cleared.err
elseif used > 0 then
  redis.pcall('ZADD', log, now, string.format('%016.0f+%.0f', used, used))
  redis.pcall('PEXPIRE', log, floor(p3 / 1000) + 1001)
end
