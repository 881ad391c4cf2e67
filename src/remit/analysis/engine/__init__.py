"""The evaluator of Method A: one work list over Python and JavaScript, in parts.

`base` holds the state. Each part adds one concern to those before it, and `Engine` is the sum: `leaks`, `class_members`,
`library_members`, `members`, `elements`, `order`, `stores`, `collections`, `methods`, `expressions`, `effects`, `apply`,
`python_objects`, `python_options`, `python_reflection`, `intrinsics_python`, `javascript_*`, `intrinsics_js`, `intrinsics`,
`calls`, `operators`, `definitions`, `evaluate`, `modules`.
"""
