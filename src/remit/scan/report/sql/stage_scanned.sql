-- Every row of the scan. Capabilities are those of the effects, so that each has a place.
CREATE TABLE scanned AS
SELECT
    location, source, name, digest, level, verdict, fingerprint, error, toolchain, files, bytes, seconds, cached,
    error IS NULL AS analysed,
    hash(lower(trim(description))) AS described,
    list_sort(list_distinct([e.capability FOR e IN coalesce(effects, [])])) AS capabilities,
    coalesce(findings, []) AS findings,
    coalesce(guarantees, []) AS guarantees,
    coalesce(effects, []) AS effects,
    coalesce(opaque, []) AS opaque
FROM rows
