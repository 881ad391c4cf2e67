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
),
told AS (
    SELECT
        "group",
        count(DISTINCT digest) AS contents,
        list_sort(list(DISTINCT name))[:3] AS some_names,
        count(DISTINCT name) AS names,
        min(location, 3) AS examples
    FROM member JOIN shape USING (shape) JOIN skill USING (fingerprint)
    WHERE skill.analysed
    GROUP BY "group"
)
SELECT "group", sized.shapes, sized.skills, contents, every.shared, every.differing, some_names, names, examples
FROM told JOIN sized USING ("group") JOIN every USING ("group")
ORDER BY "group"
