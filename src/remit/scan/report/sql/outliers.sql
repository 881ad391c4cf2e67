-- The most unusual combinations of capabilities, each with one skill that has it.
SELECT
    risk.score, risk.contents, sum(content.skills)::BIGINT AS skills, risk.capabilities, risk.causes,
    min(skill.location) AS example, arg_min(skill.number, skill.location) AS number,
    arg_min(skill.name, skill.location) AS name, arg_min(len(skill.opaque), skill.location) > 0 AS opaque
FROM risk JOIN content USING (capabilities) JOIN skill ON skill.number = content.example
WHERE risk.score > 0
GROUP BY ALL
ORDER BY score DESC, example
LIMIT $top
