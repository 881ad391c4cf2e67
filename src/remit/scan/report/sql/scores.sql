-- How scores are spread, in steps of so many bits, copies counted once.
SELECT floor(score / $step)::BIGINT * $step AS score, count(*) AS contents
FROM content JOIN risk USING (combination)
GROUP BY ALL
ORDER BY score
