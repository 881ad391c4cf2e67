"""Installing all parties on one machine, or each on its own: folders, keys, settings, processes.

- plan: processes, their settings and the secrets of each; pure
- files: writing the files of an installation
- folders: a folder with keys and settings for one machine, or one for each party
- processes: starting, supervising and stopping, and health checks
- operator_actions: actions of the operator and the approver
- waiting_requests: requests that wait for an approver
"""
