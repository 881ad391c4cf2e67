"""What a device can do: each command is a function of its arguments, and answers with a status and a text.

- shell: programs, without a shell in between
- browser: pages, by a browser without a window
"""
