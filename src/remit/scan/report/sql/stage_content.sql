-- What was scanned, copies counted once, with the combination of capabilities that it has.
CREATE TABLE content AS
SELECT digest, arg_min(number, location) AS example, arg_min(capabilities, location) AS capabilities, count(*) AS skills
FROM skill
WHERE analysed
GROUP BY digest
