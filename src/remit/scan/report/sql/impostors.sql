-- Skills with a name that others have (but for case, blanks and separators) and with capabilities that most of those have not.
-- A group has one most common combination of capabilities; what others have beyond it is weighed by level.
WITH spelled AS (
    SELECT name, regexp_replace(lower(nfc_normalize(name)), '[\s_.-]+', '', 'g') AS key
    FROM (SELECT DISTINCT name FROM skill WHERE analysed AND name != '')
),
named AS (
    SELECT key, number, location, source, name, digest, described, combination
    FROM skill JOIN spelled USING (name) JOIN combined USING (number)
),
several AS (SELECT key FROM named WHERE key != '' GROUP BY key HAVING min(combination) != max(combination)),
variant AS (
    SELECT
        key, combination, count(*) AS skills, count(DISTINCT digest) AS contents, count(DISTINCT source) AS sources,
        list(DISTINCT described) AS descriptions, min(location) AS example, arg_min(number, location) AS number,
        arg_min(name, location) AS name
    FROM named JOIN several USING (key)
    GROUP BY key, combination
),
usual AS (
    SELECT key, arg_max(variant, (sources, contents, skills, -number)) AS usual, sum(skills)::BIGINT AS skills
    FROM variant
    GROUP BY key
),
odd AS MATERIALIZED (
    SELECT
        variant.*, usual.skills AS named_so, usual.usual.skills AS usual_skills, usual.usual.example AS usual_example,
        list_has_any(variant.descriptions, usual.usual.descriptions) AS same_description,
        [one FOR one IN own.capabilities IF NOT list_contains(its.capabilities, one)] AS beyond
    FROM variant JOIN usual USING (key)
    JOIN combination AS own ON own.combination = variant.combination
    JOIN combination AS its ON its.combination = usual.usual.combination
    WHERE variant.number != usual.usual.number
),
weighed AS (
    SELECT odd.number, sum(weight)::BIGINT AS weight
    FROM (SELECT number, unnest(beyond) AS capability FROM odd) AS odd
    JOIN (SELECT unnest($weights, recursive := true)) USING (capability)
    GROUP BY odd.number
    HAVING sum(weight) > 0
),
sums AS (
    SELECT count(*) AS all_odd, count(*) FILTER (same_description) AS all_alike
    FROM odd JOIN weighed USING (number)
)
SELECT
    name, skills, usual_skills, named_so, beyond, weight, same_description, example, usual_example, number,
    all_odd, all_alike
FROM odd JOIN weighed USING (number), sums
ORDER BY same_description DESC, weight DESC, named_so DESC, example
LIMIT $top
