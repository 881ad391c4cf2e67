"""Write down what the models have now, in the record and in docs/models.md; for who has changed a model or the code, and means it.

python tests/models/explore/record.py [NAME …]
changes the two files and prints nothing: look at the difference before it is committed. With names only these models are explored, and
the others stay as they are recorded.
"""

import sys

from model_page import write_page

from remit.models.explore.gates import FILE, Expected, check_model, read_expected
from remit.models.explore.registry import models


def found_in(checked):
    """The numbers of what was found."""
    checked = tuple(checked)
    counts = {one.model.name: (one.explored.states, one.explored.transitions) for one in checked}
    return Expected(
        counts, {(one.model.name, mutant.mutant): mutant.steps for one in checked for mutant in one.mutants}
    )


def recorded(expected, names):
    """The lines of data/expected.table, in the order of these models."""
    place = {name: number for number, name in enumerate(names)}
    counts = sorted(expected.models, key=place.__getitem__)
    mutants = sorted(expected.mutants, key=lambda at: place[at[0]])
    lines = [f"{name} | {' | '.join(map(str, expected.models[name]))}" for name in counts]
    stories = [f"{name} | {mutant} | {expected.mutants[name, mutant]}" for name, mutant in mutants]
    return "\n".join(["[model]", *lines, "", "[mutant]", *stories]) + "\n"


def main() -> None:
    every = models()
    head = [line for line in FILE.read_text("utf-8").splitlines(keepends=True) if line.startswith("#")]
    wanted = models(sys.argv[1:])
    found = found_in(check_model(one, Expected({}, {})) for one in wanted)
    names, known = {one.name for one in wanted}, read_expected()
    kept = Expected(
        {name: known.models[name] for name in known.models if name not in names} | found.models,
        {at: known.mutants[at] for at in known.mutants if at[0] not in names} | found.mutants,
    )
    FILE.write_text("".join(head) + recorded(kept, [one.name for one in every]), "utf-8")
    write_page()


if __name__ == "__main__":
    main()
