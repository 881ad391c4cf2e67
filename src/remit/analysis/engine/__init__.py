"""The engine of Method A: one work list over Python and JavaScript, made of parts.

`engine` puts the parts together, `run` is what they share, `state` what they keep. `evaluate` carries out programs; `members`, `elements`,
`stores`, `calls`, `collections`, `classes` say what values do; `apply`, `expressions` and `effects` read summaries; `python_*` and
`javascript_*` are what only one language has; `leaks` is what happens to values that are lost. A part names the parts that it uses as
annotations, but for those that most use (`run.EnginePart`).
"""
