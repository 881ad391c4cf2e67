"""A capsule starts its proxy by the path of this file: no folder that a program can write to is searched for modules."""

import sys
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from remit.capsule.egress.serve import main

sys.exit(main(sys.argv))
