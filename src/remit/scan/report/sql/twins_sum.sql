-- How many groups of twins there are, and how many skills are in them.
SELECT
    count(*) FILTER (len(traits) >= $least) AS groups,
    coalesce(sum(skills) FILTER (len(traits) >= $least), 0)::BIGINT AS skills,
    count(*) FILTER (len(traits) < $least) AS small_groups
FROM shape
WHERE contents > 1
