"""The shell front end: an abstract interpreter for bash, sh and dash."""

from remit.analysis.shell.library import functions_of
from remit.analysis.shell.run import run_shell

__all__ = ["functions_of", "run_shell"]
