-- What skills do, each once: all with one fingerprint are one shape. Skills that do nothing have none. What a shape does is read off the
-- first skill that has it: lists of effects are not carried through the counting.
CREATE TABLE shape AS
WITH counted AS (
    SELECT fingerprint, count(*) AS skills, count(DISTINCT digest) AS contents, arg_min(number, location) AS example
    FROM skill
    WHERE analysed AND len(effects) > 0
    GROUP BY fingerprint
)
SELECT
    row_number() OVER (ORDER BY counted.fingerprint) AS shape,
    counted.*,
    skill.capabilities,
    list_distinct([{'capability': e.capability, 'scope': e.scope} FOR e IN skill.effects]) AS traits
FROM counted JOIN skill ON skill.number = counted.example
