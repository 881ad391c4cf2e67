"""What must not leave unseen, for whoever lets something out: the guard, the gateway and the executor.

- rows: the table of patterns
- scan: the values in a text, and the text without them; the patterns are data (policy/data/dlp.table)
- classes: the kinds of values as policies of the two authorities speak of them
- checks: what the characters of a value must satisfy besides its pattern
- patterns: patterns of tables, compiled
- severity: how grave a finding is
- classes: keys, cards and markings, as policies name them
"""
