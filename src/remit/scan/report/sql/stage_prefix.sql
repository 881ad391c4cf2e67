-- The rarest effects of each shape: two shapes whose similarity (common effects by all effects of both) is at least $similar have
-- one of them in common. `first` are those that suffice for the smaller of two shapes.
CREATE TABLE prefix AS
WITH rarest AS (
    SELECT
        shape, size,
        unnest(ranks[: (size - ceil($similar * size - 1e-9) + 1)::BIGINT]) AS rank,
        unnest(range(1, (size - ceil($similar * size - 1e-9) + 2)::BIGINT)) AS position
    FROM ranked
)
SELECT *, position <= size - ceil(2 * $similar / (1 + $similar) * size - 1e-9) + 1 AS first FROM rarest
