-- The combination of each skill.
CREATE TABLE combined AS
SELECT number, combination FROM skill JOIN combination USING (capabilities) WHERE analysed
