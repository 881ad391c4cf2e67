-- Where outliers begin: three times the distance between the quartiles above the upper one (Tukey's far fence).
SELECT
    quantile_cont(score, 0.5) AS median,
    quantile_cont(score, 0.75) AS upper,
    quantile_cont(score, 0.75) + 3 * (quantile_cont(score, 0.75) - quantile_cont(score, 0.25)) AS fence
FROM content JOIN risk USING (combination)
