-- The highest level of what analysed skills can do; nothing at all is an empty name.
SELECT coalesce(level, '') AS name, count(*) AS skills FROM skill WHERE analysed GROUP BY ALL ORDER BY skills DESC, name
