-- sliding_log_wait.lua: the time of the entry whose expiry makes a claim of sliding_log.lua fit that
-- does not: a search by rank for the first one that leaves at most leave behind it.
local low = redis.call('ZCOUNT', log, '-inf', until_horizon)
local high = redis.call('ZCARD', log) - 1
while low < high and not failure do
  local middle = floor((low + high) / 2)
  local member = redis.call('ZRANGE', log, middle, middle)[1]
  if #member ~= 20 then
    failure = FOREIGN
  elseif total - unpack_(MEMBER, member) <= leave then
    high = middle
  else
    low = middle + 1
  end
end
frees = tonumber(redis.call('ZRANGE', log, low, low, 'WITHSCORES')[2])
if time < frees then frees = time end -- all is one entry of now, for a reader of a log ahead
