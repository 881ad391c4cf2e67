"""A gateway with a fault: `remit` with a function spoiled as a mutant of a model has it.

spoiled_gateway.py MODEL RED ARGUMENT…
"""

import sys

import remit.web.server  # noqa: F401  what imports the function by its name has the real one, as when a mutant is explored
from remit.cli import main
from remit.models.explore.model import spoiled
from remit.models.explore.registry import models

if __name__ == "__main__":
    name, wanted, *args = sys.argv[1:]
    (model,) = models([name])
    with spoiled(next(mutant.patch for mutant in model.mutants if mutant.name == wanted)):
        sys.exit(main(args))
