-- Effects by which shapes are compared. Those that would lead to most pairs are left out once all together exceed $pairs.
CREATE TABLE shared AS
SELECT rank, shapes, sum(shapes * firsts) OVER (ORDER BY shapes * firsts, rank) <= $pairs AS compared
FROM (SELECT rank, count(*) AS shapes, count(*) FILTER (first) AS firsts FROM prefix GROUP BY rank)
WHERE shapes > 1
