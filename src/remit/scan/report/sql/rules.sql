-- In how many skills each rule finds something, the worst severity first.
SELECT
    rule, arg_min(severity, rank) AS severity, count(DISTINCT number) AS skills,
    count(DISTINCT coalesce(digest, location)) AS contents, min(location) AS example
FROM finding
GROUP BY rule
ORDER BY min(rank), skills DESC, rule
