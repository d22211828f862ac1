-- limit.lua: hands the record of a claim to the fragment of its algorithm.
--
-- given    value, length, and the record at `at`; from length on, there is none
-- result   of the fragment: fits, the record to be written if it takes, need and slack (expire.lua),
--          kept if the record must be written anyway, fitting if questions are merged
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
