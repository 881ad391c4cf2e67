"""Installing all parties on one machine, or each on its own: folders, keys, settings, processes.

- plan: processes, their settings and the secrets of each; pure
- files: writing the files of an installation
- make: a folder with keys and settings for one machine
- hosts: a folder for each party on its own machine
- processes: starting, supervising and stopping
- operating: actions of the operator and the approver
- questions: requests that wait for an approver
- watching: health checks of remote parties
"""
