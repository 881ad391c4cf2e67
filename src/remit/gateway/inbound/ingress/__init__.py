"""Which events are heard, and each of them once.

- event: what came in
- gate: whether it is heard
- once: under which name it is remembered, and whether it was there before
- about: what is said about an earlier message belongs where that was said
"""
