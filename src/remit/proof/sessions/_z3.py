"""Runs Z3 on an SMT-LIB text from standard input, as a separate program so that it can be limited and killed.

It calls the library itself: Z3's module for Python takes longer to import than the answer takes.
"""

import ctypes
import sys
from importlib.util import find_spec
from pathlib import Path

spec = find_spec("z3")
assert spec is not None
assert spec.origin is not None
z3 = ctypes.CDLL(str(next(Path(spec.origin).parent.glob("lib/libz3.*"))))
z3.Z3_mk_config.restype = z3.Z3_mk_context.restype = ctypes.c_void_p
z3.Z3_eval_smtlib2_string.restype = ctypes.c_char_p


def set_parameter(name: str, value: str) -> None:
    """Set a global parameter."""
    z3.Z3_global_param_set(name.encode("ascii"), value.encode("ascii"))


# the instance is small and asked often: what Z3 does between two questions costs more than it saves
for option in ("probing", "scc", "elim_vars", "subsumption", "asymm_branch"):
    set_parameter(f"sat.{option}", "false")
set_parameter("sat.simplify.delay", "10000000")

set_parameter("rlimit", sys.argv[1])  # steps for each question
text = sys.stdin.read()
# Z3's own name for formulas over truth values: it picks the solver for clauses that can be asked again and again
text = text.replace("(set-logic QF_BV)", "(set-logic QF_FD)", 1)
context = ctypes.c_void_p(z3.Z3_mk_context(ctypes.c_void_p(z3.Z3_mk_config())))
print(z3.Z3_eval_smtlib2_string(context, ctypes.c_char_p(text.encode("ascii"))).decode("utf-8", "replace"))  # noqa: T201
