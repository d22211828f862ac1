-- write_failed.lua: a server that refuses one write of a script (out of memory, read only) refuses
-- all of them, so every question of decide.lua that took something has failed.
for question = 2, questions do
  local answer = replies[question]
  local code = type(answer) == 'table' and answer[1] or answer
  if type(code) == 'number' and code % 2 == 1 and string.byte(ARGV[question]) ~= PEEK then
    replies[question] = written.err
  end
end
