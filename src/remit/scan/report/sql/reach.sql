-- What skills reach through some capabilities, without ports. `named` sets apart what is one host or program from what is only
-- known when the skill runs, or not bounded at all.
WITH reached AS (
    SELECT DISTINCT number, location, digest, regexp_replace(effect.scope, ':[0-9]+$', '') AS what, effect.capability AS capability
    FROM (SELECT number, location, digest, unnest(effects) AS effect FROM skill WHERE analysed)
    WHERE list_contains($capabilities, effect.capability)
)
SELECT
    what,
    count(DISTINCT number) AS skills,
    count(DISTINCT digest) AS contents,
    list_sort(list(DISTINCT capability)) AS capabilities,
    min(location) AS example
FROM reached
WHERE $named = NOT (what = 'any' OR starts_with(what, '<') OR starts_with(what, '$') OR contains(what, '*'))
GROUP BY what
ORDER BY skills DESC, what
LIMIT $top
