-- decide_across_slots.lua: decide_each.lua for keys in different hash slots of one server.
--
-- A Cluster refuses a call whose KEYS are in different hash slots. It lets a script use other keys of
-- the same server, and checks that for every command: a key that lives elsewhere, or is being moved,
-- is an error of the first command for it, so the question has taken nothing and can be asked again.
--
-- keys     the key of the first question
-- ARGV     as of decide.lua, the first question about key 1, the second about key 2 and so on; then
--          the keys of all questions but the first
-- reply    as of decide_each.lua
local questions = #ARGV / 2
local names, arguments = { KEYS[1] }, { ARGV[1] }
for question = 1, questions do
  arguments[question + 1] = ARGV[question + 1]
  if question > 1 then names[question] = ARGV[questions + question] end
end
local KEYS, ARGV = names, arguments
--include decide_each.lua
