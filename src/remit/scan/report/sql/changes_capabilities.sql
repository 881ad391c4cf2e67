-- By capability: how many skills gained it, and how many lost it, by a change of their own.
SELECT capability, count(*) FILTER (up) AS gained, count(*) FILTER (NOT up) AS lost
FROM (
    SELECT unnest(gained) AS capability, true AS up FROM change WHERE kind = 'effects'
    UNION ALL
    SELECT unnest(lost), false FROM change WHERE kind = 'effects'
)
GROUP BY capability
ORDER BY gained DESC, lost DESC, capability
