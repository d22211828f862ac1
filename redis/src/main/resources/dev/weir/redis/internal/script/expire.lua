-- expire.lua: writes a state of decide.lua with a new expiry, without the records that have ended.
--
-- given    need, slack: until when the state is needed, and how much longer it may stay, in
--          milliseconds with fractions
--
-- The state lives as long as the longest of its records, whichever limits this call has asked for.
-- Slack, between 5 s and an hour, lets the writes that follow keep this TTL. A passed time cannot
-- move the server's own clock, so such a state stays for ten minutes more.
local remembered = 7
while #value > RECORD_SIZE + 6 and remembered < #value do
  local tag, time, amount, extra, param = unpack_(RECORD, value, remembered)
  local kind = tag % 4
  local ends = kind == 1 and extra or kind == 2 and time - time % param + 2 * param
    or time + amount + 1
  if ends <= now then
    value = sub(value, 1, remembered - 1) .. sub(value, remembered + RECORD_SIZE)
  else
    remembered = remembered + RECORD_SIZE
    local ends_millis = floor(ends / 1000) + 1
    if ends_millis > need and ends < LARGEST then need = ends_millis end
  end
end
need, slack = floor(need), floor(slack)
slack = not server_time and 600000 or slack < 5000 and 5000 or slack > 3600000 and 3600000 or slack
local now_millis = floor(now / 1000)
if need < now_millis then need = now_millis end -- a refund may write what has ended already
value = pack('<I6', server_time and need + slack or 0) .. sub(value, 7)
written = redis.pcall('SET', KEYS[key], value, 'PX', need + slack - now_millis + 1000)
