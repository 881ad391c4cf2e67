-- How much was scanned, and how much of it was understood.
SELECT
    count(*) AS skills,
    count(*) FILTER (analysed) AS analysed,
    count(*) FILTER (analysed AND len(opaque) = 0) AS understood,
    count(DISTINCT digest) FILTER (analysed) AS contents,
    count(DISTINCT source) AS sources,
    coalesce(sum(files), 0)::BIGINT AS files,
    coalesce(sum(bytes), 0)::BIGINT AS bytes,
    coalesce(sum(len(effects)), 0)::BIGINT AS effects,
    count(*) FILTER (cached) AS cached,
    round(coalesce(fsum(seconds), 0), 1) AS seconds,
    coalesce(list_sort(list(DISTINCT toolchain)), []) AS toolchains
FROM skill
