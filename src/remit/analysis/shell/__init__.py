"""The shell front end: an abstract interpreter for bash, sh and dash."""

from remit.analysis.shell.run import functions_of, run_shell

__all__ = ["functions_of", "run_shell"]
