-- The skills with the worst findings, copies counted once: by level, by the worst finding, by how many there are of each severity.
WITH counted AS (
    SELECT
        number, min(rank) AS worst, count(*) AS found, [count(*) FILTER (rank = 1), count(*) FILTER (rank = 2), count(*) FILTER (rank = 3)] AS many,
        list({'rule': rule, 'severity': severity, 'message': message, 'file': file, 'line': line} ORDER BY rank, file, line, rule)[:$shown] AS findings
    FROM finding
    GROUP BY number
),
copied AS (
    SELECT coalesce(digest, location) AS content, arg_min(number, location) AS number, count(*) AS skills
    FROM skill
    WHERE level IS NOT NULL
    GROUP BY content
)
SELECT level, copied.skills, name, location AS example, counted.findings, found
FROM copied JOIN skill USING (number) JOIN counted USING (number)
WHERE level != 'clear'
ORDER BY list_position($levels, level) NULLS LAST, worst, many DESC, found DESC, location
LIMIT $top
