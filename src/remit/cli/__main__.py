"""Entry point: `python -m remit.cli` is `remit`."""

import sys

from remit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
