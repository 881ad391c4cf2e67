"""Agent hosts: how each tells what happens and is answered (one module a host), and what its tools do (one table a host)."""
