-- What some skills do on more than before.
SELECT location, capability, scope, place FROM widened WHERE location IN (SELECT unnest($locations)) ORDER BY location, capability, scope
