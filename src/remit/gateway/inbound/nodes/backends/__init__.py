"""Implementations of device commands: each takes its arguments and returns a status and a text.

- shell: programs, started without a shell
- browser: pages in a headless browser
"""
