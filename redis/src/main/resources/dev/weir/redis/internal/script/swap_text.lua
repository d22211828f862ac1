-- swap_text.lua: changes one shared text, unless it has changed since the caller read it.
--
-- KEYS[1]  the text, as in text.lua
-- ARGV[1]  '1' if the caller read a text, '0' if there was none
-- ARGV[2]  the text that the caller read
-- ARGV[3]  the new text; absent removes the text
-- returns  1 if it was changed, 0 if it is not what the caller read

local now = redis.call('GET', KEYS[1])
if ARGV[1] == '1' and now ~= ARGV[2] or ARGV[1] == '0' and now then
  return 0
end
if ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[3])
else
  redis.call('DEL', KEYS[1])
end
return 1
