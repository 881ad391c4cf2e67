"""Write down what the models have now, in the record and in docs/models.md; for who has changed a model or the code, and means it.

python tests/models/explore/record.py [NAME …]
changes the two files and prints nothing: look at the difference before it is committed. With names only these models are explored, and
the others stay as they are recorded.
"""

import sys

from model_page import write_page

from remit.models.explore.checking import check_all
from remit.models.explore.expected import FILE, Expected, read_expected
from remit.models.explore.registry import models
from remit.models.explore.report import found_in, recorded


def main() -> None:
    every = models()
    head = [line for line in FILE.read_text("utf-8").splitlines(keepends=True) if line.startswith("#")]
    wanted = models(sys.argv[1:])
    found = found_in(check_all(wanted, Expected({}, {}), lambda _: None))
    names, known = {one.name for one in wanted}, read_expected()
    kept = Expected(
        {name: known.models[name] for name in known.models if name not in names} | found.models,
        {at: known.mutants[at] for at in known.mutants if at[0] not in names} | found.mutants,
    )
    FILE.write_text("".join(head) + recorded(kept, [one.name for one in every]), "utf-8")
    write_page()


if __name__ == "__main__":
    main()
