"""Installing all parties on one machine, or each on its own: folders, keys, settings, processes.

- plan: processes, their settings and the secrets of each; pure
- files: writing the files of an installation
- single_machine: a folder with keys and settings for one machine
- separate_machines: a folder for each party on its own machine
- processes: starting, supervising and stopping
- operator_actions: actions of the operator and the approver
- waiting_requests: requests that wait for an approver
- remote_health: health checks of remote parties
"""
