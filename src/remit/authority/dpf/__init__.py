"""Distributed point functions: two keys that together select a point, while each alone reveals nothing about it.

The tree construction of Boyle, Gilboa and Ishai over a domain of 2**n points, with leaves of 128 points each. Key 0 and key 1
expand to two strings of 2**n bits that differ in exactly one place.

- blocks: the generator: fixed-key AES on many blocks at once
- keys: a batch of keys: made from one seed, written and read
- expand: a batch of keys to its bit strings
"""

SMALLEST, LARGEST = 7, 24  # bits of a domain: one leaf, and what a table may have at most
