-- claim.lua: reads one claim of a question inside decide.lua and prepares what it would take.
--
-- result   pending gets the record to be written if the question is allowed; a claim that does not
--          fit is noted in misfits, and denies the question unless it is a shadow claim
-- merged   prepares as many takes as fit, at most `most`; counts has how many fit on the first pass
local key, flags, id, p1, p2, p3, p4, p5, p6
key, flags, id, p1, p2, p3, p4, p5, p6, pos = unpack_(CLAIM, blob, pos)
local op = flags % 128 < 64 and op or CHARGE
local kind, only_reads = flags % 4, op == PEEK or flags % 64 >= 32
local reads = only_reads
local fits, record, kept, at, need, slack, fitting
claims = claims + 1
if key ~= last_key then
  keys, last_key = keys + 1, key
  asked[keys] = key
end

if kind == 3 and flags % 16 >= 8 then
  --include in_flight.lua
elseif kind == 3 then
  --include sliding_log.lua
else
  local value = values[key]
  if not value then
    value = redis.pcall('GET', KEYS[key])
    --include load_state.lua
    values[key] = value
  end
  if type(value) == 'table' then -- also for the next question that names this key
    failure, value = value.err, EMPTY
  end

  --include record.lua

  -- kept also when the question is denied, what it takes goes on top; but not by wrong edges
  if kept and not only_reads and not failure then
    values[key] = sub(value, 1, at - 1) .. kept .. sub(value, at + RECORD_SIZE)
    if need > (needs[key] or 0) then needs[key] = need end
    if slack > (slacks[key] or 0) then slacks[key] = slack end
  end
end

if merged and not failure then
  if not second then
    counts[claims] = fitting
    if fitting < fewest and flags % 8 < 4 then fewest = fitting end
  end
  fits = fitting > 0
end
if not fits then
  misfits = (misfits or '') .. (claims == 1 and FIRST or pack('<I2', claims))
  if flags % 8 < 4 then allowed = false end
elseif record then
  pending[count + 1], pending[count + 2], pending[count + 3] = key, at, record
  pending[count + 4], pending[count + 5] = need, slack
  count = count + 5
end
