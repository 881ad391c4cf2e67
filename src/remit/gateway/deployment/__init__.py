"""All parties on one machine, or each on its own: folders, keys, settings, processes.

- plan: which processes there are, and how each is set; pure
- make: a folder with keys and settings
- processes: started, looked after, stopped
"""
