"""An agent's session under a guard that runs: its daemon is a process, and its hook is the one that hosts start."""

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

GUARD = Path(__file__).parents[1] / "guard"
sys.path.insert(0, str(GUARD))

from attended import Session  # noqa: E402
from guarding import kill_daemon, trust_defaults  # noqa: E402
from watched import SOURCE  # noqa: E402

from remit.guard.client.build import SCRIPT  # noqa: E402

DAEMON = "import sys\nfrom remit.guard.daemon.run import main\nsys.exit(main(['', sys.argv[1]]))\n"


class Hook:
    """A hook that was started, and waits in a thread."""

    def __init__(self, session, command, name="s1"):
        payload = {
            "hook_event_name": "PreToolUse", "session_id": name, "cwd": str(session.workspace),
            "permission_mode": "dontAsk", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
        }  # fmt: skip
        words = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code", "PreToolUse", "20", str(session.places.folder)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._said = []
        self._thread = threading.Thread(
            target=lambda: self._said.append(self._process.communicate(json.dumps(payload).encode(), timeout=300))
        )
        self._thread.start()

    @property
    def waits(self):
        return self._process.poll() is None

    def allowed(self):
        """Whether the call may run, when the hook has ended."""
        self._thread.join()
        out, err = self._said[0]
        assert self._process.returncode == 0, err
        return json.loads(out).get("hookSpecificOutput", {}).get("permissionDecision") != "deny"


@contextmanager
def guarded(folder, now):
    """A session whose daemon runs."""
    session = Session(folder, now=now)
    session.workspace = session.home / "project"
    (session.workspace / ".git").mkdir(parents=True)
    (session.workspace / "old.txt").write_text("x")
    trust_defaults(session.places, session.workspace)
    session.engine.close()
    process = subprocess.Popen(
        [sys.executable, "-c", DAEMON, str(session.places.folder)],
        stdout=subprocess.PIPE, env={"PYTHONPATH": SOURCE, "HOME": str(session.home)},
    )  # fmt: skip
    try:
        assert process.stdout.read(1) == b"+"
        yield session
    finally:
        kill_daemon(session.places)
        process.communicate()
        session.person.close()
