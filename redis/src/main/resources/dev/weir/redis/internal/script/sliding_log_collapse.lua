-- sliding_log_collapse.lua: the server's clock was set back by more than a window, so no entry of
-- this log would ever end in time: all that is used becomes one entry of now.
local cleared = redis.pcall('DEL', log)
if type(cleared) == 'table' then
  failure = cleared.err
elseif used > 0 then
  redis.pcall('ZADD', log, now, pack(MEMBER, used, used, p3))
  redis.pcall('PEXPIRE', log, floor(p3 / 1000) + 1001)
  writer = p3
end
