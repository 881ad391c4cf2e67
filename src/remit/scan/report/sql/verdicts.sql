-- How skills stand to their manifests, by what the scan said.
SELECT verdict AS name, count(*) AS skills FROM skill GROUP BY verdict ORDER BY skills DESC, name
