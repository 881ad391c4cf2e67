"""Method C with every capability declared: the search up to K turns and the induction, beside what an enumerator would do.

Everything is measured in one run. `ratio` is the time as a multiple of starting Python with the solver and doing nothing.
"""

from __future__ import annotations

import subprocess
import sys
import time

from remit.core.capability import vocabulary
from remit.core.effect import Effect
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE
from remit.manifest.model import Decision, Manifest, Permission
from remit.proof.sessions.cnf import inductive
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.prove import INDUCTION, SEARCH, pose
from remit.proof.sessions.refutation import refute
from remit.proof.sessions.solvers import Holds, SolverRun

MANIFEST = Manifest("remit.json", tuple(Permission(word.name, effect=Decision.ALLOW) for word in vocabulary()))
EFFECTS = [Effect(word.name, ANY_SCOPE, Location("scripts/all.py", 1), "it can") for word in vocabulary()]


def timed(work):
    begun = time.perf_counter()
    assert work()
    return time.perf_counter() - begun


def asked(name, file, queries):
    return timed(lambda: SolverRun(name, file, queries).answer() == Holds())


def main() -> None:
    found = alphabet(MANIFEST, EFFECTS, ())
    members = len(MANIFEST.permissions)
    start = min(
        timed(lambda: not subprocess.run([sys.executable, "-c", "import z3"], check=True).returncode) for _ in range(3)
    )
    print(f"|D| = {members}, {len(found.kinds)} kinds of effects; starting Python with Z3: {start:.2f} s\n")
    print("turns   z3        cvc5      ratio (z3)   sessions an enumerator would try, (|D|+1)^K")
    for bound in (1, 10, 25, 50, 100):
        file = pose(found, bound).file
        z3, cvc5 = (asked(name, file, [SEARCH]) for name in ("z3", "cvc5"))
        digits = len(str((members + 1) ** bound))
        print(f"{bound:5}   {z3:5.2f} s   {cvc5:5.2f} s   {z3 / start:6.1f}x      10^{digits - 1}")
    question = pose(found, 100)
    print("\ninduction, for every length")
    for name in ("z3", "cvc5"):
        took = asked(name, question.file, INDUCTION)
        print(f"{name:10} {took:5.2f} s   {took / start:6.1f}x")
    took = timed(lambda: all(refute(clauses) for clauses in inductive(question.encoding).values()))
    print(f"{'refuted and checked':10} {took:5.2f} s")


if __name__ == "__main__":
    main()
