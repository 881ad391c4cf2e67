"""A folder to be careless in: a workspace, something outside of it, a home."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from remit.guard.call_analysis.commands import CallPlace

if TYPE_CHECKING:
    from pathlib import Path

CANARIES = {"outside/secret.txt": "canary-of-the-outside", "home/.ssh/id_rsa": "canary-of-the-key"}
_FILES = {
    "ws/victim": "v\n",
    "ws/a.txt": "a\n",
    "ws/b.txt": "b\n",
    "ws/sp ace.txt": "s\n",
    "ws/new\nline": "n\n",
    "ws/hard": "h\n",
    "ws/sub/c.txt": "c\n",
    "ws/sub/deep/d.txt": "d\n",
    "ws/rm.sh": '#!/bin/bash\nrm -f "$1"\n',
    "ws/rm.py": "import os, sys\nos.remove(sys.argv[1])\n",
    "ws/imports.py": "import sys\nimport helper\nhelper.gone(sys.argv[1])\n",
    "ws/helper.py": "import os\n\ndef gone(name):\n    os.remove(name)\n",
    "ws/sub/shadow.py": "import json\n",
    "ws/sub/json.py": "import os\nos.remove('victim')\n",
    "ws/Makefile": "gone:\n\t@rm -f victim\n",
    "ws/sub/Makefile": "gone:\n\t@rm -f c.txt\n",
    "ws/bin/tool": "#!/bin/sh\nrm victim\n",
    "outside/other.txt": "o\n",
    **CANARIES,
}


def build(root: Path) -> CallPlace:
    """Fill a folder."""
    for name, text in _FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("ws/rm.sh", "ws/bin/tool"):
        (root / name).chmod(0o755)
    (root / "tmp").mkdir()
    (root / "repo").mkdir()
    (root / "ws/link").symlink_to("../outside")
    (root / "ws/flink").symlink_to("../outside/secret.txt")
    (root / "ws/sub/uplink").symlink_to("../link")
    os.link(root / "ws/hard", root / "outside/hard")
    ws = root / "ws"
    return CallPlace(ws, ws, root / "home", root / "tmp")


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file and link below a folder."""
    out: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        for name in (*names, *folders):
            path = os.path.join(folder, name)
            if "__pycache__" in path:
                continue  # ambient: the byte code of interpreters
            if os.path.islink(path):
                out[os.path.relpath(path, root)] = os.readlink(path).encode()
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    out[os.path.relpath(path, root)] = file.read()
    return out


def run(command: str, place: CallPlace) -> str:
    """Run it for real."""
    env = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(place.home),
        "TMPDIR": str(place.tmp),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=place.cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")
