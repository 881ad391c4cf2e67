"""A gateway with a fault: `remit` with a function spoiled as a red of a model has it.

spoiled_gateway.py MODEL RED ARGUMENT…
"""

import sys

import remit.web.serving  # noqa: F401  what imports the function by its name has the real one, as when a red is explored
from remit.cli import main
from remit.models.explore.patching import spoiled
from remit.models.explore.registry import models

if __name__ == "__main__":
    name, wanted, *args = sys.argv[1:]
    (model,) = models([name])
    with spoiled(next(red.patch for red in model.reds if red.name == wanted)):
        sys.exit(main(args))
