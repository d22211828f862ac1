-- text.lua: reads or replaces one text that a fleet shares.
--
-- KEYS[1]  the text; it does not expire, because it is no state of a limit
-- ARGV[1]  the new text; absent to read only
-- returns  the text as it is now, or nil

if ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1])
end
return redis.call('GET', KEYS[1])
