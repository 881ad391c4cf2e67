"""The shell front end: an abstract interpreter for bash, sh and dash."""

from remit.analysis.shell.run import run_shell

__all__ = ["run_shell"]
