-- Shapes as sorted lists of the ranks of their effects.
CREATE TABLE ranked AS
SELECT shape, list(rank ORDER BY rank) AS ranks, count(*) AS size
FROM (SELECT shape, unnest(traits, recursive := true) FROM shape WHERE len(traits) >= $least) JOIN trait USING (capability, scope)
GROUP BY shape
