-- A location that stands in the results more than once: no report can say which row counts.
SELECT location FROM skill GROUP BY location HAVING count(*) > 1 ORDER BY location LIMIT 1
