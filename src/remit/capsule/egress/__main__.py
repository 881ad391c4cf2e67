"""The entry point of the proxy, started by path so that no folder writable by a program is searched for modules."""

import sys
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from remit.capsule.egress.proxy import main

sys.exit(main(sys.argv))
