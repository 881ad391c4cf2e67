-- How many locations changed in which way; `moved` are gone, and something new has their content.
SELECT
    count(*) FILTER (kind = 'new') AS new,
    count(*) FILTER (kind = 'gone') AS gone,
    count(*) FILTER (kind = 'gone' AND old_digest IN (SELECT new_digest FROM change WHERE kind = 'new' AND new_digest IS NOT NULL)) AS moved,
    count(*) FILTER (kind = 'same') AS same,
    count(*) FILTER (kind = 'content') AS content,
    count(*) FILTER (kind = 'effects') AS effects,
    count(*) FILTER (kind = 'analysis') AS analysis,
    count(*) FILTER (kind = 'unknown') AS unknown,
    count(*) FILTER (worse) AS worse,
    count(*) FILTER (kind = 'unknown' AND new_verdict = 'unknown') AS lost_sight,
    count(*) FILTER (obscured AND kind IN ('content', 'effects')) AS obscured,
    count(*) FILTER (kind = 'effects' AND len(gained) > 0) AS gained,
    (SELECT count(DISTINCT location) FROM widened) AS widened,
    count(*) FILTER (kind = 'effects' AND len(lost) > 0) AS lost
FROM change
