-- Whether to install: how many skills have each level; an empty name where nothing is known.
SELECT coalesce(level, '') AS name, count(*) AS skills
FROM skill
GROUP BY level
ORDER BY list_position($levels, level) NULLS LAST, level
