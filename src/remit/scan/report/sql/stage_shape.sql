-- What skills do, each once: all with one fingerprint are one shape. Skills that do nothing have none.
CREATE TABLE shape AS
SELECT
    row_number() OVER (ORDER BY fingerprint) AS shape,
    fingerprint,
    count(*) AS skills,
    count(DISTINCT digest) AS contents,
    arg_min(number, location) AS example,
    arg_min(capabilities, location) AS capabilities,
    list_distinct([{'capability': e.capability, 'scope': e.scope} FOR e IN arg_min(effects, location)]) AS traits
FROM skill
WHERE analysed AND len(effects) > 0
GROUP BY fingerprint
