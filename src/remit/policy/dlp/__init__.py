"""Detection of secrets and other sensitive data in outgoing text, for guard, gateway and executor.

- rows: the table of patterns, compiled
- scan: the values in a text, and the text without them; the patterns are data (policy/data/dlp.table)
- classes: keys, cards and markings, as policies name them
- checks: what the characters of a value must satisfy besides its pattern
- patterns: patterns of tables, compiled
- severity: how grave a finding is
- classes: keys, cards and markings, as policies name them
"""
