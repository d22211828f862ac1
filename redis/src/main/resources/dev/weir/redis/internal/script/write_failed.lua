-- write_failed.lua: a server that refuses one write of a script (out of memory, read only) refuses
-- all of them, so every question of decide.lua that took something has failed.
for question = 2, #ARGV do
  local answer = replies[question]
  local code = type(answer) == 'table' and answer[1] or answer
  if (code == 1 or sub(code, 1, 1) == '1') and byte(ARGV[question]) ~= PEEK then
    replies[question] = { written.err }
  end
end
