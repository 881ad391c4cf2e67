"""Entry point: `python -m remit.guard.daemon [STATE]`, or this file by its path, which is how a client starts it.

Started by path, the daemon has the same version as its client, and no folder that an agent can write to is searched for
modules.
"""

import sys
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from remit.guard.daemon.run import main

sys.exit(main(sys.argv))
