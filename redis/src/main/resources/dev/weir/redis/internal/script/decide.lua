-- decide.lua: answers questions about limits, each as one atomic step.
--
-- keys     state keys (strings, below) and log keys (sorted sets, sliding_log.lua), in any order
-- ARGV[1]  now in microseconds since 1970, or empty for the server's clock
-- ARGV[i]  one question each: operation, time of the grant to refund (or 0), then its claims
-- claim    I2 index into KEYS, B flags, I4 identity of the limit x 4, six doubles by kind
-- flags    kind (0 token bucket, 1 fixed window, 2 sliding window, 3 sliding log)
--          + 4 x shadow + 8 x window (0 aligned, 1 from first use, 2 calendar) + 32 x reads only
-- state    I6 expiry in milliseconds, then one record of 38 bytes per limit:
--          I4 identity x 4 + kind, I7 time of the last write, I7 amount, I7 extra, I6, I7: the
--          parameters it was written with (bucket: numerator, denominator; else window length, 0)
-- reply    now, one answer per question, then, for each question that did not fail, its states as
--          they were after it: one per claim, left out where the key is that of the claim before,
--          '' for a log
-- answer   1 if all claims fit; else '1' (allowed) or '0', and an I2 per claim that does not fit;
--          {that, sliding_log.lua's numbers} if there are logs; 'EDGE' if a calendar window passed
--          in does not hold now, or an error; {error} if its write failed, which has states, too
-- writes   all or nothing per question, strings once at the end; a denial writes nothing, except a
--          record that lies ahead of a clock set back
-- versions a record of another limit is read as convert.lua says, and rewritten only by what is
--          taken or given back
-- expires  when every record equals fresh, rounded up, plus slack: most writes then keep the TTL
-- twin of  the meters in dev.weir.internal.arithmetic: change both or neither
-- numbers  are doubles, exact below 2^53; larger products go through muldiv.lua.
--          Never tostring() a time: Lua prints 14 digits.

local PEEK, CHARGE, REFUND, REFUND_UNDATED = 1, 2, 3, 4 -- and 0 to acquire
local CLAIM, RECORD, RECORD_SIZE = '<I2BI4dddddd', '<I4I7I7I7I6I7', 38
local MEMBER = '>I7I7I6' -- of a log
local EMPTY = '\0\0\0\0\0\0'
local FIRST = '\1\0' -- the index of the first claim
local FOREIGN = 'FOREIGN data under a key of ours'
local LARGEST, LONGEST_PERIOD = 9007199254740991, 34560000000000
local floor, pack, unpack_, sub, byte =
  math.floor, struct.pack, struct.unpack, string.sub, string.byte

local now, server_time = tonumber(ARGV[1]), false
if not now then
  local clock = redis.call('TIME')
  now, server_time = clock[1] * 1000000 + clock[2], true
end

local values, needs, slacks = {}, {}, {} -- by key: its state, when it may expire, how much later
local replies, pending = { now }, {}     -- pending: five slots per claim, written when allowed
local asked, next_value = {}, #ARGV + 1  -- the keys of a question, and where its states go

for question = 2, #ARGV do
  local blob = ARGV[question]
  local op, granted, pos = unpack_('<Bd', blob)
  local size, count, claims, allowed = #blob, 0, 0, true
  local place = 7 -- where the next record may be: claims mostly stand in the order of records
  local keys, last_key = 0, 0
  local failure, logs, misfits

  while pos <= size and not failure do
    local key, flags, id, p1, p2, p3, p4, p5, p6
    key, flags, id, p1, p2, p3, p4, p5, p6, pos = unpack_(CLAIM, blob, pos)
    local kind, only_reads = flags % 4, op == PEEK or flags >= 32
    local reads = only_reads
    local fits, record, kept, at, need, slack
    claims = claims + 1
    if key ~= last_key then
      keys, last_key = keys + 1, key
      asked[keys] = key
    end

    if kind == 3 then
      --include sliding_log.lua
    else
      local value = values[key]
      if not value then
        value = redis.pcall('GET', KEYS[key])
        if not value then
          value = EMPTY
        elseif type(value) == 'string'
            and (#value < 44 or (#value - 6) % RECORD_SIZE ~= 0 or byte(value, 6) > 31) then
          -- no expiry of ours reaches 2^45 ms (the year 3084), and no text stays below
          value = { err = FOREIGN }
        end
        values[key] = value
      end
      if type(value) == 'table' then -- also for the next question that names this key
        failure, value = value.err, EMPTY
      end

      local length, tag, time, amount, extra, param, param2 = #value
      at = place < length and place or 7
      while at < length do
        tag, time, amount, extra, param, param2 = unpack_(RECORD, value, at)
        if tag - tag % 4 == id then break end
        if at == place and place > 7 then
          at, place = 7, 7
        else
          at = at + RECORD_SIZE
        end
      end
      place = at + RECORD_SIZE
      if at >= length then
        at, tag, time, amount, extra, param = 0, id, 0, 0, 0, 0
      elseif tag % 4 ~= kind or kind == 0 and (param ~= p5 or param2 ~= p6)
          or kind == 2 and param ~= p3 then
        --include convert.lua
      end

      if kind == 0 then
        --include token_bucket.lua
      elseif kind == 1 then
        --include fixed_window.lua
      else
        --include sliding_window.lua
      end

      -- kept also when the question is denied, what it takes goes on top; but not by wrong edges
      if kept and not only_reads and not failure then
        values[key] = sub(value, 1, at - 1) .. kept .. sub(value, at + RECORD_SIZE)
        if need > (needs[key] or 0) then needs[key] = need end
        if slack > (slacks[key] or 0) then slacks[key] = slack end
      end
    end

    if not fits then
      misfits = (misfits or '') .. (claims == 1 and FIRST or pack('<I2', claims))
      if flags % 8 < 4 then allowed = false end
    elseif record then
      pending[count + 1], pending[count + 2], pending[count + 3] = key, at, record
      pending[count + 4], pending[count + 5] = need, slack
      count = count + 5
    end
  end

  if allowed and not failure then
    local i = 1
    while i <= count do
      local key, at, record = pending[i], pending[i + 1], pending[i + 2]
      if type(record) == 'table' then
        --include sliding_log_write.lua
        i = i + 5
      else
        local value, need, slack = values[key], needs[key] or 0, slacks[key] or 0
        local after = at + RECORD_SIZE
        if pending[i + 3] > need then need = pending[i + 3] end
        if pending[i + 4] > slack then slack = pending[i + 4] end
        i = i + 5
        while i <= count and pending[i] == key and pending[i + 1] == (at == 0 and 0 or after) do
          record, after = record .. pending[i + 2], after + RECORD_SIZE -- neighbours at one go
          if pending[i + 3] > need then need = pending[i + 3] end
          if pending[i + 4] > slack then slack = pending[i + 4] end
          i = i + 5
        end
        if at == 0 then
          values[key] = value .. record
        elseif after > #value then
          values[key] = sub(value, 1, at - 1) .. record
        else
          values[key] = sub(value, 1, at - 1) .. record .. sub(value, after)
        end
        needs[key], slacks[key] = need, slack
      end
    end
  end
  if failure then
    replies[question] = failure
  else
    local answer = misfits and (allowed and '1' or '0') .. misfits or 1
    replies[question] = logs and { answer, logs } or answer
    for i = 1, keys do
      replies[next_value] = values[asked[i]] or ''
      next_value = next_value + 1
    end
  end
end

for key = 1, #KEYS do
  local value, need = values[key], needs[key]
  if need then
    local written
    if server_time and unpack_('<I6', value) >= need then
      written = redis.pcall('SET', KEYS[key], value, 'KEEPTTL')
    else
      --include expire.lua
    end
    if written.err then
      --include write_failed.lua
    end
  end
end
return replies
