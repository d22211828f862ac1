-- load_state.lua: the state under a key of decide.lua, from what GET gave; {err} if it is not ours.
if not value then
  value = EMPTY
elseif type(value) == 'string'
    and (#value < 44 or (#value - 6) % RECORD_SIZE ~= 0 or byte(value, 6) > 31) then
  -- no expiry of ours reaches 2^45 ms (the year 3084), and no text stays below
  value = { err = FOREIGN }
end
