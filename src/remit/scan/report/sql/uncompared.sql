-- How many shapes were not compared with all others, because too many share even their rarest effects.
SELECT count(DISTINCT shape) AS shapes FROM prefix JOIN shared USING (rank) WHERE NOT compared
