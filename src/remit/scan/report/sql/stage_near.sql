-- Pairs of shapes that are similar. Candidates share one of their rarest effects; each is then compared in full.
CREATE TABLE near AS
WITH candidate AS (
    SELECT DISTINCT small.shape AS one, large.shape AS other
    FROM prefix AS small
    JOIN shared ON shared.rank = small.rank AND shared.compared
    JOIN prefix AS large ON large.rank = small.rank
    WHERE small.first
        AND (small.size, small.shape) < (large.size, large.shape)
        AND small.size >= $similar * large.size - 1e-9
        -- what both can still have in common after this effect, and before it
        AND least(small.size - small.position, large.size - large.position) + least(small.position, large.position)
            >= $similar / (1 + $similar) * (small.size + large.size) - 1e-9
),
compared AS (
    SELECT one, other, len(list_intersect(a.ranks, b.ranks)) AS common, a.size + b.size AS sizes
    FROM candidate JOIN ranked AS a ON a.shape = one JOIN ranked AS b ON b.shape = other
)
SELECT one, other, common, sizes - common AS united FROM compared WHERE common >= $similar * (sizes - common) - 1e-9
