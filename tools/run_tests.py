"""Run every test on several workers; what fails beside others runs once more, alone: a test of daemons and agents can starve on a busy machine.

What fails again fails. A run that broke off is a failure, whatever else it says: the tests that it did not reach are in no list.
"""

import subprocess
import sys

import pytest

# whole stretches of tests to each worker, so that what a module needs is made once, and no worker is idle at the end
BESIDE_OTHERS = ("--dist", "worksteal")
ALONE = ("-v", "--last-failed", "--last-failed-no-failures", "none", "--maxfail", "3")


class Ending:
    """How a run ended for pytest itself: the process may still fail after that, with the same exit code as tests that fail."""

    status = pytest.ExitCode.INTERNAL_ERROR

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep it."""
        self.status = pytest.ExitCode(exitstatus)


def main(words: list[str]) -> int:
    """Exit code of `pytest` with these words, for example `-n 3`."""
    ending = Ending()
    code = pytest.main([*BESIDE_OTHERS, *words], plugins=[ending])
    if (code, ending.status) != (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.TESTS_FAILED):
        return code or ending.status
    print("failed beside others; once more, alone:", flush=True)
    return subprocess.run([sys.executable, "-P", "-m", "pytest", *ALONE], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
