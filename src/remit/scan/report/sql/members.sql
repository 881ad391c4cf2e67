-- The skills of some groups of shapes: how many, how they are called, and what only some of them can do.
WITH member AS (
    SELECT unnest($groups, recursive := true)
),
capability AS (
    SELECT "group", capability, count(*) AS shapes
    FROM (SELECT "group", unnest(capabilities) AS capability FROM member JOIN shape USING (shape))
    GROUP BY ALL
),
sized AS (SELECT "group", count(*) AS shapes, sum(skills)::BIGINT AS skills FROM member JOIN shape USING (shape) GROUP BY ALL),
every AS (
    SELECT
        "group",
        coalesce(list_sort(list(capability) FILTER (capability.shapes = sized.shapes)), []) AS shared,
        coalesce(list_sort(list(capability) FILTER (capability.shapes < sized.shapes)), []) AS differing
    FROM capability JOIN sized USING ("group")
    GROUP BY ALL
)
SELECT
    "group",
    any_value(sized.shapes) AS shapes,
    any_value(sized.skills) AS skills,
    count(DISTINCT digest) AS contents,
    any_value(every.shared) AS shared,
    any_value(every.differing) AS differing,
    list_sort(list(DISTINCT name))[:3] AS some_names,
    count(DISTINCT name) AS names,
    list_sort(list(location))[:3] AS examples
FROM member JOIN shape USING (shape) JOIN skill USING (fingerprint) JOIN sized USING ("group") JOIN every USING ("group")
WHERE skill.analysed
GROUP BY "group"
ORDER BY "group"
