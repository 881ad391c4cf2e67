"""Measure models in our explorer, and twins in TLC, and write what came of it into measured.table beside it and docs/models.md.

python tests/models/explore/measure.py [--engine python|tlc] [NAME …]
With names only these are measured, and the others stay as they are. What does not pass is told, and not written.
"""

import argparse
import sys

from measured import FILE, measured, read_measured, written
from model_page import write_page

from remit.cli.models import explore_all
from remit.models.explore.registry import MODELS, models
from remit.models.outcomes import PYTHON, TLC, table_lines
from remit.models.tla.gates import check
from remit.models.tla.registry import MODELS as TWINS


def main():
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--engine", choices=(PYTHON, TLC))
    said.add_argument("names", nargs="*")
    args = said.parse_args()
    names = args.names or list(MODELS)
    outcomes = []
    if args.engine != TLC:
        outcomes += [one.outcome for one in explore_all(models(names), 0, tests=False, done=print)]
    if args.engine != PYTHON:
        outcomes += check([name for name in names if name in TWINS], print)
    found = {**read_measured(), **measured(outcomes)}
    kept = [(engine, name) for engine, known in ((PYTHON, MODELS), (TLC, TWINS)) for name in known]
    head = [line for line in FILE.read_text("utf-8").splitlines(keepends=True) if line.startswith("#")]
    FILE.write_text("".join(head) + written({at: found[at] for at in kept if at in found}), "utf-8")
    write_page()
    failed = [one for one in outcomes if one.faults]
    print("\n".join(table_lines(failed) if failed else ["all pass"]))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
