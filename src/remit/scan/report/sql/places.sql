-- The first place of each capability in some skills, with its scope and reason.
WITH effect AS (
    SELECT number, unnest(effects, recursive := true) FROM skill WHERE number IN (SELECT unnest($numbers))
)
SELECT
    number, capability,
    arg_min({'scope': scope, 'file': file, 'line': line, 'why': why}, (origin != 'script', file, line, scope)) AS place
FROM effect
GROUP BY ALL
