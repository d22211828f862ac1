-- remember.lua: keeps the answer to a question of decide.lua, to be repeated; see remembered.lua.
--
-- writes   nothing yet: decide.lua writes answers last, because what could not be written must not be
--          repeated as taken
local earlier = 'D'
if allowed then
  local parts = { holder, string.format('%.0f', now), answer, logs or '' }
  for i = 1, keys do
    parts[i + 4] = states[asked[i]] or ''
  end
  earlier = cmsgpack.pack(parts)
end
answers[answer_key] = pack('<I7', now + keeps * 1000) .. earlier
kept_for = kept_for or {}
kept_for[answer_key] = keeps
if known then
  replies[question] = { '~', answer, logs or '' }
end
