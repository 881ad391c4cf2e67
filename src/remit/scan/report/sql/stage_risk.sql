-- How unusual each combination of capabilities is (docs/scan-report.md). A capability counts as many bits as it is surprising beside
-- the other one of the same skill that makes it most so, or by itself, times the weight of its level.
CREATE TABLE risk AS
WITH held AS (SELECT combination, count(*) AS contents FROM content GROUP BY combination),
has AS (SELECT combination, contents, unnest(capabilities) AS capability FROM held JOIN combination USING (combination)),
single AS (SELECT capability, sum(contents)::DOUBLE AS contents FROM has GROUP BY capability),
pair AS (
    SELECT has.capability, other.capability AS beside, sum(has.contents)::DOUBLE AS contents
    FROM has JOIN has AS other USING (combination)
    WHERE has.capability != other.capability
    GROUP BY ALL
),
surprise AS (
    -- by itself: of all contents so many have it
    SELECT capability, '' AS beside, contents AS having_both, (SELECT count(*) FROM content)::DOUBLE AS having_other
    FROM single
    UNION ALL
    -- beside another: of all that have the other so many have it too
    SELECT pair.capability, pair.beside, pair.contents, single.contents
    FROM pair JOIN single ON single.capability = pair.beside
),
cause AS (
    SELECT
        has.combination, has.capability, weight.weight,
        arg_max(
            {'beside': beside, 'having_both': having_both::BIGINT, 'having_other': having_other::BIGINT},
            (having_other / having_both, having_other, beside = '', beside)
        ) AS most,
        log2(max(having_other / having_both)) AS bits
    FROM has
    JOIN (SELECT unnest($weights, recursive := true)) AS weight USING (capability)
    JOIN surprise ON surprise.capability = has.capability AND (beside = '' OR EXISTS (
        SELECT 1 FROM has AS other WHERE other.combination = has.combination AND other.capability = surprise.beside
    ))
    WHERE weight.weight > 0
    GROUP BY ALL
)
SELECT
    held.combination,
    any_value(held.contents) AS contents,
    round(coalesce(fsum(weight * bits), 0), 2) AS score,
    coalesce(
        list(
            {'capability': cause.capability, 'weight': weight, 'bits': round(bits, 2), 'beside': most.beside,
             'having_both': most.having_both, 'having_other': most.having_other}
            ORDER BY weight * bits DESC, cause.capability
        ) FILTER (cause.capability IS NOT NULL),
        []
    ) AS causes
FROM held LEFT JOIN cause USING (combination)
GROUP BY held.combination
