"""Where the helpers of these tests are found, and the real stores of others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "executor"))
