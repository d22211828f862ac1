-- clock.lua: the server's clock as scripts see it: seconds, microseconds. Reads no key.
return redis.call('TIME')
