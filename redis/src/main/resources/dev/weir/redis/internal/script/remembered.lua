-- remembered.lua: the head of a question of decide.lua that has a holder, or an answer to repeat.
--
-- head     operation + 16: the holder's id of 16 bytes follows; + 32: then I2 index of the key of the
--          answer, I4 how long it is kept in milliseconds
-- answer   string: I7 until when it is repeated, then 'D' of a question that was denied, or cmsgpack
--          of the holder, now, the answer, sliding_log.lua's numbers, and the states
-- reply    {'=', holder, now, answer, numbers} and the states, as they were then; a question that was
--          denied is decided again, and its reply is {'~', answer, numbers}
local has_answer = op >= 32
op = op % 16
holder, first_claim = sub(blob, first_claim, first_claim + 15), first_claim + 16
if has_answer then
  answers = answers or {}
  answer_key, keeps, first_claim = unpack_('<I2I4', blob, first_claim)
  known = answers[answer_key]
  if not known then
    known = redis.pcall('GET', KEYS[answer_key])
    if type(known) == 'table' then
      failure, known = known.err, false
    end
  end
  if known and (#known < 8 or unpack_('<I7', known) <= now) then
    known = false
  end
  if known and #known > 8 then
    local earlier = cmsgpack.unpack(sub(known, 8))
    replies[question] = { '=', earlier[1], earlier[2], earlier[3], earlier[4] }
    for i = 5, #earlier do
      replies[next_value] = earlier[i]
      next_value = next_value + 1
    end
    repeated, first_claim = true, #blob + 1
  end
end
