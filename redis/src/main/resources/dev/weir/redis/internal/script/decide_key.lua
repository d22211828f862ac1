-- decide_key.lua: decide.lua for questions about one key each, however many limits it has; none of
-- them is merged, and none is about a log or slots.
--
-- Each question is read, decided and written before the next one, so nothing is pending. It has the
-- same keys, arguments and reply.

local ACQUIRE, PEEK, CHARGE, REFUND, REFUND_UNDATED = 0, 1, 2, 3, 4
local CLAIM, RECORD, RECORD_SIZE = '<I2BI4dddddd', '<I4I7I7I7I6I7', 38
local EMPTY = '\0\0\0\0\0\0'
local FOREIGN = 'FOREIGN data under a key of ours'
local LARGEST, LONGEST_PERIOD = 9007199254740991, 34560000000000
local floor, pack, unpack_, sub, byte, run =
  math.floor, struct.pack, struct.unpack, string.sub, string.byte, redis.pcall

--include now.lua

local replies, next_value = { now }, #ARGV + 1
for question = 2, #ARGV do
  local blob = ARGV[question]
  local op, granted, pos = unpack_('<Bd', blob)
  local size, key = #blob, unpack_('<I2', blob, pos)
  local merged, most, failure = false
  local value = run('GET', KEYS[key])
  --include load_state.lua
  if type(value) == 'table' then
    failure, value = value.err, EMPTY
  end

  local after = value                 -- with what the question takes
  local kept_need, kept_slack = 0, 0  -- of records that are written even if it is denied
  local all_needs, all_slack = 0, 0
  local claims, allowed, misfits = 0, true
  local place, tail = 7, #value + 1   -- where the next record may be, where a new one goes
  local row, row_start, row_end       -- neighbouring records, put into `after` at one go
  while pos <= size and not failure do
    local _, flags, id, p1, p2, p3, p4, p5, p6
    _, flags, id, p1, p2, p3, p4, p5, p6, pos = unpack_(CLAIM, blob, pos)
    local op = flags % 128 < 64 and op or CHARGE
    local kind, only_reads = flags % 4, op == PEEK or flags % 64 >= 32
    local reads = only_reads
    local fits, record, kept, at, need, slack, fitting
    claims = claims + 1
    --include record.lua

    if kept and not only_reads and not failure then
      value = sub(value, 1, at - 1) .. kept .. sub(value, at + RECORD_SIZE)
      after = sub(after, 1, at - 1) .. kept .. sub(after, at + RECORD_SIZE)
      if need > kept_need then kept_need = need end
      if slack > kept_slack then kept_slack = slack end
    end
    if not fits then
      misfits = (misfits or '') .. pack('<I2', claims)
      if flags % 8 < 4 then allowed = false end
    elseif record then
      if at == 0 then
        at, tail = tail, tail + RECORD_SIZE
      end
      if at == row_end then
        row = row .. record
      else
        if row then after = sub(after, 1, row_start - 1) .. row .. sub(after, row_end) end
        row, row_start = record, at
      end
      row_end = at + RECORD_SIZE
      if need > all_needs then all_needs = need end
      if slack > all_slack then all_slack = slack end
    end
  end

  if failure then
    replies[question] = failure
  else
    local need, slack = kept_need, kept_slack
    if allowed then
      value = row and sub(after, 1, row_start - 1) .. row .. sub(after, row_end) or after
      if all_needs > need then need = all_needs end
      if all_slack > slack then slack = all_slack end
    end
    replies[question] = misfits and (allowed and '1' or '0') .. misfits or 1
    replies[next_value] = value
    next_value = next_value + 1
    if need > 0 then
      local written
      if server_time and unpack_('<I6', value) >= need then
        written = run('SET', KEYS[key], value, 'KEEPTTL')
      else
        --include expire.lua
      end
      if written.err and allowed then
        replies[question] = { written.err }
      end
    end
  end
end
return replies
