-- Why skills could not be analysed; what stands in backticks and numbers are left out, so that one cause is one line.
SELECT regexp_replace(error, '`[^`]*`|[0-9]+', '…', 'g') AS error, count(*) AS skills, min(location) AS example
FROM skill
WHERE NOT analysed
GROUP BY ALL
ORDER BY skills DESC, error
LIMIT $top
