-- merged_window.lua: how many merged questions fit a window or log of decide.lua, at most `most`.
--
-- given    in_use, the permits in use now
-- result   fitting, and in p2 the permits of that many questions
fitting = p1 < in_use and 0 or p2 == 0 and most or floor((p1 - in_use) / p2)
if fitting > most then fitting = most end
p2 = p2 * fitting
