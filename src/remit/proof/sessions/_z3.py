"""Runs an SMT-LIB text from standard input through Z3; a program of its own, so that it can be bounded and ended."""

import sys

import z3

# the instance is small and asked often: what Z3 does between two questions costs more than it saves
for option in ("probing", "scc", "elim_vars", "subsumption", "asymm_branch"):
    z3.set_param(f"sat.{option}", False)
z3.set_param("sat.simplify.delay", 10_000_000)

z3.set_param("rlimit", int(sys.argv[1]))  # steps for each question
text = sys.stdin.read()
# Z3's own name for formulas over truth values: it picks the solver for clauses that can be asked again and again
text = text.replace("(set-logic QF_BV)", "(set-logic QF_FD)", 1)
print(z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), text))  # noqa: T201
