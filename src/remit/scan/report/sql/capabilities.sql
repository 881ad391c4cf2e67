-- In how many skills each capability was found. Of a skill with opaque places this is the least that it can do.
SELECT capability, count(*) AS skills, count(DISTINCT digest) AS contents
FROM (SELECT digest, unnest(capabilities) AS capability FROM skill WHERE analysed)
GROUP BY capability
ORDER BY skills DESC, capability
