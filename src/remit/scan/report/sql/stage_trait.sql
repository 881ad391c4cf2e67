-- Every effect of any shape, the rarest first: the order in which shapes are compared.
CREATE TABLE trait AS
SELECT row_number() OVER (ORDER BY count(*), capability, scope) AS rank, capability, scope
FROM (SELECT unnest(traits, recursive := true) FROM shape WHERE len(traits) >= $least)
GROUP BY capability, scope
