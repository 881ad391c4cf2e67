-- Reasons why places are not understood: in how many skills, and in how many of them it is the only one. `held` counts skills of
-- those whose verdict is `opaque`: this reason alone keeps them from being contained.
WITH reason AS (
    SELECT DISTINCT
        number, location, verdict,
        CASE WHEN $kinds THEN regexp_replace(place.reason, '`[^`]*`|[0-9]+', '…', 'g') ELSE place.reason END AS reason
    FROM (SELECT number, location, verdict, unnest(opaque) AS place FROM skill WHERE analysed)
),
alone AS (SELECT number FROM reason GROUP BY number HAVING count(*) = 1)
SELECT
    reason,
    count(*) AS skills,
    count(alone.number) AS alone,
    count(alone.number) FILTER (verdict = 'opaque') AS held,
    min(location) AS example
FROM reason LEFT JOIN alone USING (number)
GROUP BY reason
ORDER BY alone DESC, skills DESC, reason
LIMIT $top
