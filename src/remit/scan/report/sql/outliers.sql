-- The most unusual combinations of capabilities, each with one skill that has it.
WITH most AS (
    SELECT
        risk.combination, risk.score, risk.contents, risk.causes, sum(content.skills)::BIGINT AS skills,
        min(skill.location) AS example, arg_min(skill.number, skill.location) AS number
    FROM risk JOIN content USING (combination) JOIN skill ON skill.number = content.example
    WHERE risk.score > 0
    GROUP BY ALL
    ORDER BY score DESC, example
    LIMIT $top
)
SELECT
    most.score, most.contents, most.skills, combination.capabilities, most.causes, most.example, most.number,
    skill.name, len(skill.opaque) > 0 AS opaque
FROM most JOIN combination USING (combination) JOIN skill ON skill.number = most.number
ORDER BY score DESC, example
