-- Every finding that is not accepted, with the rank of its severity: 1 is the worst.
CREATE TABLE finding AS
SELECT number, location, digest, found.*, coalesce(list_position($severities, found.severity), 99) AS rank
FROM (SELECT number, location, digest, unnest(findings) AS found FROM skill)
WHERE NOT found.accepted
