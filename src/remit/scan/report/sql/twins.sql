-- Skills that do exactly the same and are not copies of each other. Shapes of few effects are left out: many share them by chance.
SELECT
    any_value(shape.skills) AS skills,
    any_value(shape.contents) AS contents,
    any_value(len(shape.traits)) AS effects,
    any_value(shape.capabilities) AS capabilities,
    count(DISTINCT skill.name) AS names,
    list_sort(list(DISTINCT skill.name))[:3] AS some_names,
    min(skill.location, 3) AS examples
FROM shape JOIN skill USING (fingerprint)
WHERE skill.analysed AND shape.contents > 1 AND len(shape.traits) >= $least
GROUP BY shape.shape
ORDER BY skills DESC, effects DESC, examples
LIMIT $top
