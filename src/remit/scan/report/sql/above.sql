-- How many contents lie above the fence.
SELECT count(*) AS contents FROM content JOIN risk USING (combination) WHERE score > $fence
