-- Every combination of capabilities that a skill has, with a number: numbers are counted and joined faster than lists.
CREATE TABLE combination AS
SELECT row_number() OVER (ORDER BY capabilities) AS combination, capabilities
FROM (SELECT DISTINCT capabilities FROM skill WHERE analysed)
