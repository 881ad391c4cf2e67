-- Pairs of similar shapes, to be joined to groups.
SELECT one, other, common / united AS similarity FROM near ORDER BY one, other
