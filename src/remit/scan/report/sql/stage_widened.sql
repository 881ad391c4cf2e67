-- What skills that changed do with a capability that they had, on something that they did not have before. What was on `any`
-- before has nothing to widen. Scopes are compared as texts: one that lies inside of an older one counts too.
CREATE TABLE widened AS
WITH trait AS (
    SELECT
        change.location, change.new_number AS number,
        [{'capability': e.capability, 'scope': e.scope} FOR e IN old.effects] AS old_traits,
        unnest(new.effects) AS effect
    FROM change
    JOIN before.skill AS old ON old.number = change.old_number
    JOIN main.skill AS new ON new.number = change.new_number
    WHERE kind = 'effects'
)
SELECT
    location, number, effect.capability AS capability, effect.scope AS scope,
    arg_min(
        {'file': effect.file, 'line': effect.line, 'why': effect.why},
        (effect.origin != 'script', effect.file, effect.line, effect.why)
    ) AS place
FROM trait
WHERE list_contains([t.capability FOR t IN old_traits], effect.capability)
    AND NOT list_contains(old_traits, {'capability': effect.capability, 'scope': effect.scope})
    AND NOT list_contains(old_traits, {'capability': effect.capability, 'scope': 'any'})
GROUP BY location, number, effect.capability, effect.scope
