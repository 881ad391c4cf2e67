"""Agent hosts: the hook formats (one module per host) and what their tools do (one table per host)."""
