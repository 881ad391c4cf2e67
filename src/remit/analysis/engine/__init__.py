"""The engine of Method A: one work list over Python and JavaScript, made of parts.

`engine` puts the parts together, `run` is what they share. `programs`, `objects`, `cells` and `worklist` hold the state; `terms` and
`evaluate` carry out programs; `members`, `elements`, `stores`, `calls` say what values do; `apply` and `effects` read summaries;
`python_*` and `javascript_*` are what only one language has; `leaks` is what happens to values that are lost. A part names the parts
that it uses as annotations.
"""
