-- Locations of one kind of change, in their order.
SELECT location, name FROM change WHERE kind = $kind ORDER BY location LIMIT $top
