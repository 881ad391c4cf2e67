-- How many skills have each shape.
SELECT shape, skills FROM shape WHERE shape IN (SELECT one FROM near UNION SELECT other FROM near)
