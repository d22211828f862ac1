-- decide_each.lua: decide.lua for questions of one claim each, none of them on a log.
--
-- Most calls are of this kind. Each question is read, decided and written before the next one, also
-- if that is about the same key: nothing is pending, and few tables are made.
--
-- keys, arguments: as of decide.lua
-- reply    now, then one answer per question
-- answer   the state after it if the claim fits; else '1' (allowed) or '0', '\1\0' and the state; of
--          a merged question: '1' or '0', I4 how many are allowed, I4 how many fit, and the state
--          before it; {error}, or {error, state} if its write failed. The length of a state is 6
--          more than a multiple of 38, which tells these apart

local ACQUIRE, PEEK, CHARGE, REFUND, REFUND_UNDATED = 0, 1, 2, 3, 4
local RECORD, RECORD_SIZE = '<I4I7I7I7I6I7', 38
local ONE_RECORD, ONE_RECORD_SIZE = '<I6I4I7I7I7I6I7', 44
local EMPTY = '\0\0\0\0\0\0'
local FOREIGN = 'FOREIGN data under a key of ours'
local LARGEST, LONGEST_PERIOD = 9007199254740991, 34560000000000
local floor, pack, unpack_, sub, run =
  math.floor, struct.pack, struct.unpack, string.sub, redis.pcall

--include now.lua

local replies = { now, false }
for question = 2, #ARGV do
  local op, granted, key, flags, id, p1, p2, p3, p4, p5, p6 =
    unpack_('<BdI2BI4dddddd', ARGV[question])
  local kind, only_reads = flags % 4, op == PEEK or flags % 64 >= 32
  local merged = op == ACQUIRE and granted > 1 and granted
  local reads, most = only_reads, merged
  local fits, record, kept, need, slack, fitting, failure

  local value = run('GET', KEYS[key])
  local length, at = value and #value, 7 -- 0 of an error
  local expires, tag, time, amount, extra, param, param2 = 0
  if length == ONE_RECORD_SIZE then
    expires, tag, time, amount, extra, param, param2 = unpack_(ONE_RECORD, value)
    if tag - tag % 4 ~= id then at = length end
  elseif not length then
    value, length = EMPTY, 6
  elseif length < ONE_RECORD_SIZE or (length - 6) % RECORD_SIZE ~= 0 then
    failure, value, length = value.err or FOREIGN, EMPTY, 6
  else
    expires = unpack_('<I6', value)
    while at < length do
      tag, time, amount, extra, param, param2 = unpack_(RECORD, value, at)
      if tag - tag % 4 == id then break end
      at = at + RECORD_SIZE
    end
  end
  if expires >= 35184372088832 then
    failure, at = FOREIGN, length -- no text stays below 2^45 ms, no expiry before 3084 reaches it
  end
  --include limit.lua

  if failure then
    replies[question] = { failure }
  else
    local reported, code = value, ''
    local shadow = flags % 8 >= 4
    if merged then
      local count = shadow and merged or fitting
      fits = fitting > 0
      code = (count > 0 and '1' or '0') .. pack('<I4I4', count, fitting)
    elseif not fits then
      code = shadow and '1\1\0' or '0\1\0'
    end
    record = fits and record or not only_reads and kept
    if record then
      if at == 0 then
        value = value .. record
      elseif length == ONE_RECORD_SIZE then
        value = sub(value, 1, 6) .. record
      else
        value = sub(value, 1, at - 1) .. record .. sub(value, at + RECORD_SIZE)
      end
      if not merged then reported = value end
      local written
      if server_time and expires >= need then
        written = run('SET', KEYS[key], value, 'KEEPTTL')
      else
        --include expire.lua
      end
      if written.err and (fits or shadow) then
        failure = written.err
      end
    end
    if failure then
      replies[question] = { failure, reported }
    elseif code == '' then
      replies[question] = reported
    else
      replies[question] = code .. reported
    end
  end
end
return replies
