-- forget.lua: forgets an answer that would be repeated (remembered.lua).
--
-- KEYS[1]  the key of the answer
return redis.call('DEL', KEYS[1])
