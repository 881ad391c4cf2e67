-- How many skills certainly never do something, by the name of the guarantee.
SELECT name, count(*) AS skills
FROM (SELECT unnest(guarantees) AS name FROM skill WHERE analysed)
GROUP BY name
ORDER BY skills DESC, name
