"""`make quick` runs the tests that name what was changed."""

import sys
from pathlib import Path

from each_row import each_row

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from touched import touched

TEXTS = {
    "tests/cli/test_far.py": "from remit.audit.log import Log",
    "tests/audit/test_near.py": "import remit.audit.log\nfrom logs import made",
    "tests/audit/test_other.py": "from remit.audit import signing",
    "tests/commands/test_data.py": "",
}


NEAR, OTHER, FAR = "tests/audit/test_near.py", "tests/audit/test_other.py", "tests/cli/test_far.py"
EXPECTED = {
    "src/remit/audit/log.py": [NEAR, FAR],
    "src/remit/audit/signing.py": [OTHER],
    "src/remit/audit/unnamed.py": [NEAR, OTHER, FAR],
    "src/remit/analysis/data/commands/dev.cmd": ["tests/commands/test_data.py"],
    "tests/audit/logs.py": [NEAR],
    "tests/audit/test_other.py": [OTHER],
    "docs/audit.md": ["tests/docs/test_docs.py"],
}


@each_row("file", EXPECTED)
def test_what_names_it_is_run_and_the_nearest_first(file):
    assert touched([file], TEXTS) == EXPECTED[file]
