-- The skills that changed most: those with a worse level first, then by what they gained, weighed by level, then what they use on more, then what they lost.
WITH weighed AS (
    SELECT location, sum(weight)::BIGINT AS weight
    FROM (SELECT location, unnest(gained) AS capability FROM change WHERE kind = 'effects')
    JOIN (SELECT unnest($weights, recursive := true)) USING (capability)
    GROUP BY location
),
wider AS (SELECT location, count(*) AS widened FROM widened GROUP BY location)
SELECT
    location, name, gained, lost, old_level, new_level, old_verdict, new_verdict, obscured, new_number AS number,
    coalesce(weight, 0) AS weight
FROM change LEFT JOIN weighed USING (location) LEFT JOIN wider USING (location)
WHERE kind = 'effects' OR worse
ORDER BY NOT worse, CASE WHEN worse THEN list_position($levels, new_level) END, weight DESC, len(gained) DESC, coalesce(widened, 0) DESC, len(lost) DESC, location
LIMIT $top
