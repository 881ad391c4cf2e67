-- Skills with a name that others have (but for case, blanks and separators) and with capabilities that most of those have not.
-- A group has one most common combination of capabilities; what others have beyond it is weighed by level.
WITH named AS (
    SELECT
        regexp_replace(lower(nfc_normalize(name)), '[\s_.-]+', '', 'g') AS key,
        number, location, source, name, digest, described, capabilities
    FROM skill
    WHERE analysed AND name != ''
),
variant AS (
    SELECT
        key, capabilities, count(*) AS skills, count(DISTINCT digest) AS contents, count(DISTINCT source) AS sources,
        list(DISTINCT described) AS descriptions, min(location) AS example, arg_min(number, location) AS number,
        arg_min(name, location) AS name
    FROM named
    WHERE key != ''
    GROUP BY key, capabilities
),
usual AS (
    SELECT key, arg_max(variant, (sources, contents, skills, -number)) AS usual, sum(skills)::BIGINT AS skills
    FROM variant
    GROUP BY key
    HAVING count(*) > 1
),
odd AS (
    SELECT
        variant.*, usual.skills AS named_so, usual.usual.skills AS usual_skills, usual.usual.example AS usual_example,
        list_has_any(variant.descriptions, usual.usual.descriptions) AS same_description,
        [one FOR one IN variant.capabilities IF NOT list_contains(usual.usual.capabilities, one)] AS beyond
    FROM variant JOIN usual USING (key)
    WHERE variant.number != usual.usual.number
),
weighed AS (
    SELECT odd.number, sum(weight)::BIGINT AS weight
    FROM (SELECT number, unnest(beyond) AS capability FROM odd) AS odd
    JOIN (SELECT unnest($weights, recursive := true)) USING (capability)
    GROUP BY odd.number
)
SELECT
    name, skills, usual_skills, named_so, beyond, weight, same_description, example, usual_example, number,
    count(*) OVER () AS all_odd,
    count(*) FILTER (same_description) OVER () AS all_alike
FROM odd JOIN weighed USING (number)
WHERE weight > 0
ORDER BY same_description DESC, weight DESC, named_so DESC, example
LIMIT $top
