-- What became of every location since the scan before. A skill that either scan could not analyse has lost and gained nothing that
-- anybody knows of: it is `unknown`. Where the content is the same and the effects are not, the analysis changed and not the skill.
CREATE TABLE change AS
WITH pair AS (
    SELECT
        coalesce(old.location, new.location) AS location,
        coalesce(new.name, old.name) AS name,
        old.number AS old_number, new.number AS new_number,
        old.verdict AS old_verdict, new.verdict AS new_verdict, old.level AS old_level, new.level AS new_level,
        old.digest AS old_digest, new.digest AS new_digest,
        coalesce(old.capabilities, []) AS had, coalesce(new.capabilities, []) AS has,
        len(new.opaque) > 0 AND len(old.opaque) = 0 AS obscured,
        CASE
            WHEN old.location IS NULL THEN 'new'
            WHEN new.location IS NULL THEN 'gone'
            WHEN NOT new.analysed AND NOT old.analysed THEN 'same'
            WHEN NOT new.analysed OR NOT old.analysed THEN 'unknown'
            WHEN old.digest = new.digest AND old.fingerprint = new.fingerprint THEN 'same'
            WHEN old.digest = new.digest THEN 'analysis'
            WHEN old.fingerprint = new.fingerprint THEN 'content'
            ELSE 'effects'
        END AS kind
    FROM before.skill AS old FULL JOIN main.skill AS new ON old.location = new.location
)
SELECT
    *,
    CASE WHEN kind IN ('effects', 'analysis') THEN [one FOR one IN has IF NOT list_contains(had, one)] ELSE [] END AS gained,
    kind IN ('content', 'effects') AND coalesce(list_position($levels, new_level) < list_position($levels, old_level), false) AS worse,
    CASE WHEN kind IN ('effects', 'analysis') THEN [one FOR one IN had IF NOT list_contains(has, one)] ELSE [] END AS lost
FROM pair
