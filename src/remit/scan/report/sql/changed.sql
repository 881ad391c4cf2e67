-- The skills that changed most: what they gained, weighed by level, then what they use on more, then what they lost.
WITH weighed AS (
    SELECT location, sum(weight)::BIGINT AS weight
    FROM (SELECT location, unnest(gained) AS capability FROM change WHERE kind = 'effects')
    JOIN (SELECT unnest($weights, recursive := true)) USING (capability)
    GROUP BY location
),
wider AS (SELECT location, count(*) AS widened FROM widened GROUP BY location)
SELECT
    location, name, gained, lost, old_verdict, new_verdict, obscured, new_number AS number,
    coalesce(weight, 0) AS weight
FROM change LEFT JOIN weighed USING (location) LEFT JOIN wider USING (location)
WHERE kind = 'effects'
ORDER BY weight DESC, len(gained) DESC, coalesce(widened, 0) DESC, len(lost) DESC, location
LIMIT $top
