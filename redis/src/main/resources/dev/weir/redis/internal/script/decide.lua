-- decide.lua: answers questions about limits, each as one atomic step.
--
-- keys     state keys (strings, below), log keys (sorted sets, sliding_log.lua), keys of slots (sorted
--          sets, in_flight.lua) and of answers (strings, remembered.lua), in any order
-- ARGV[1]  now in microseconds since 1970, or empty for the server's clock
-- ARGV[i]  one question each: operation, a number, then its claims; the number is the time of the
--          grant to refund or, to acquire, how many equal questions are merged into this one;
--          remembered.lua says what may stand before the claims
-- claim    I2 index into KEYS, B flags, I4 identity of the limit x 4, six doubles by kind
-- flags    kind (0 token bucket, 1 fixed window, 2 sliding window, 3 sliding log)
--          + 4 x shadow + 8 x window (0 aligned, 1 from first use, 2 calendar; of kind 3: 1 for
--          slots of requests in flight) + 32 x reads only + 64 x charged, in a refund that settles
--          + 128 x no debt: a charge takes at most what is there
-- state    I6 expiry in milliseconds, then one record of 38 bytes per limit:
--          I4 identity x 4 + kind, I7 time of the last write, I7 amount, I7 extra, I6, I7: the
--          parameters it was written with (bucket: numerator, denominator; else window length, 0,
--          or for a fixed window its warning)
-- reply    now, one answer per question, then, for each question that did not fail, its states as
--          they were after it, or before it if it is merged: one per claim, left out where the key
--          is that of the claim before, '' for a log
-- answer   1 if all claims fit; else '1' (allowed) or '0', and an I2 per claim that does not fit;
--          {that, sliding_log.lua's numbers} if there are logs; 'EDGE' if a calendar window passed
--          in does not hold now, or an error; {error} if its write failed, which has states, too;
--          of a merged question: '1' or '0', I4 how many are allowed, I4 per claim how many it fits
-- merged   equal questions, as if they came one after the other: all of them are allowed until one
--          is denied, and then none. A shadow claim takes as often as it fits, of those allowed
-- writes   all or nothing per question, strings once at the end; a denial writes nothing, except a
--          record that lies ahead of a clock set back
-- versions a record of another limit is read as convert.lua says, and rewritten only by what is
--          taken or given back
-- expires  when every record equals fresh, rounded up, plus slack: most writes then keep the TTL
-- twin of  the meters in dev.weir.internal.arithmetic: change both or neither
-- numbers  are doubles, exact below 2^53; larger products go through muldiv.lua.
--          Never tostring() a time: Lua prints 14 digits.

local ACQUIRE, PEEK, CHARGE, REFUND, REFUND_UNDATED = 0, 1, 2, 3, 4
local CLAIM, RECORD, RECORD_SIZE = '<I2BI4dddddd', '<I4I7I7I7I6I7', 38
local MEMBER = '>I7I7I6' -- of a log
local EMPTY = '\0\0\0\0\0\0'
local FIRST = '\1\0' -- the index of the first claim
local FOREIGN = 'FOREIGN data under a key of ours'
local LARGEST, LONGEST_PERIOD = 9007199254740991, 34560000000000
local floor, pack, unpack_, sub, byte =
  math.floor, struct.pack, struct.unpack, string.sub, string.byte

--include now.lua

local values, needs, slacks = {}, {}, {} -- by key: its state, when it may expire, how much later
local replies, pending = { now }, {}     -- pending: five slots per claim, written when allowed
local asked, next_value = {}, #ARGV + 1  -- the keys of a question, and where its states go
local answers, kept_for                  -- by key: answers to be repeated (remembered.lua)

for question = 2, #ARGV do
  local blob = ARGV[question]
  local op, granted, first_claim = unpack_('<Bd', blob)
  local holder, answer_key, keeps, known, repeated, failure
  if op >= 16 then
    --include remembered.lua
  end
  local merged = op == ACQUIRE and granted > 1 and granted
  local most, fewest, counts = merged, merged, merged and {}
  local size, count, claims, keys, allowed = #blob
  local logs, misfits, second

  repeat -- twice for merged questions that do not all fit: to count, and to take that many
    local pos, last_key = first_claim, 0
    local place = 7 -- where the next record may be: claims mostly stand in the order of records
    count, claims, keys, allowed, logs, misfits = 0, 0, 0, true, nil, nil
    while pos <= size and not failure do
      --include claim.lua
    end
    second = merged and not second and not failure and fewest < most
    most = fewest
  until not second

  local states = values
  if merged then
    states = {}
    for i = 1, keys do
      states[asked[i]] = values[asked[i]]
    end
  end
  if allowed and not failure then
    local i = 1
    while i <= count do
      local key, at, record = pending[i], pending[i + 1], pending[i + 2]
      if type(record) == 'table' then
        if #record == 5 then
          --include in_flight_write.lua
        else
          --include sliding_log_write.lua
        end
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
  elseif not repeated then
    local answer = misfits and (allowed and '1' or '0') .. misfits or 1
    if merged then
      answer = (most > 0 and '1' or '0') .. pack('<I4', most)
      for i = 1, claims do
        answer = answer .. pack('<I4', counts[i])
      end
    end
    replies[question] = logs and { answer, logs } or answer
    for i = 1, keys do
      replies[next_value] = states[asked[i]] or ''
      next_value = next_value + 1
    end
    if answer_key then
      --include remember.lua
    end
  end
end

for key = 1, #KEYS do
  local value, need, slack = values[key], needs[key], slacks[key]
  if need then
    local written
    if server_time and unpack_('<I6', value) >= need then
      written = redis.pcall('SET', KEYS[key], value, 'KEEPTTL')
    else
      --include expire.lua
    end
    if written.err then
      kept_for = nil
      --include write_failed.lua
    end
  end
end
for key, keeps in pairs(kept_for or {}) do
  redis.pcall('SET', KEYS[key], answers[key], 'PX', keeps + (server_time and 0 or 600000))
end
return replies
