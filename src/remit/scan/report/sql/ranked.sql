-- Shapes as sorted lists of the ranks of their effects, those of most skills first.
SELECT shape, any_value(skills) AS skills, list(rank ORDER BY rank) AS ranks
FROM (SELECT shape, skills, unnest(traits, recursive := true) FROM shape WHERE len(traits) >= $least) JOIN trait USING (capability, scope)
GROUP BY shape
ORDER BY skills DESC, shape
