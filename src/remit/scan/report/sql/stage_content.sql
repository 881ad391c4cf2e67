-- What was scanned, copies counted once, with the combination of capabilities that it has.
CREATE TABLE content AS
WITH counted AS (
    SELECT digest, arg_min(number, location) AS example, count(*) AS skills FROM skill WHERE analysed GROUP BY digest
)
SELECT counted.*, combined.combination FROM counted JOIN combined ON combined.number = counted.example
