"""All parties on one machine, or each on its own: folders, keys, settings, processes.

- plan: which processes there are, how each is set, and which secrets it has; pure
- files: how files of an installation are written
- make: a folder with keys and settings for one machine
- hosts: a folder for each party, for machines of their own
- processes: started, looked after, stopped
- operating: what operator and approver do
"""
