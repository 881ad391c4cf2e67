"""Where a call of a skill puts things: hidden places, folders that are handed out, archives of everything, facts about the machine."""

import tempfile
import time
from unittest import mock

import pytest
from engine_world import Agent

from remit.core.errors import DataError
from remit.guard.event import Kind, Outcome
from remit.guard.stashing import load

READ = {"capability": "file.read", "scope": "./**", "effect": "allow"}
WRITE = {"capability": "file.write", "scope": "./**", "effect": "allow"}
LOOK = {"capability": "process.query", "effect": "allow"}


def opened(folder, prompt):
    """A session of a skill on some files."""
    temporary = folder / "temporary"
    temporary.mkdir()
    with mock.patch.object(tempfile, "tempdir", str(temporary)):
        agent = Agent(folder, asks=True)
    for name in ("budget.xlsx", "data/a.csv", "users.db", "static/site.css"):
        (agent.root / name).parent.mkdir(parents=True, exist_ok=True)
        (agent.root / name).write_text("x\n")
    agent.time[0] = time.time()
    agent.skill("tables", permissions=[READ, WRITE, LOOK])
    agent.tell(Kind.SESSION)
    agent.says(prompt)
    agent.loads("tables")
    return agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("stashing"), "Please sum up the budget.")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("mkdir -p .keepsake && cp budget.xlsx .keepsake/", "`.keepsake` is a hidden place"),
        ("cp -r data .old/", "is a hidden place"),
        ("cp budget.xlsx TMP/.budget.xlsx", "/.budget.xlsx` is a hidden place"),
        ("sqlite3 users.db 'select 1' > .out", "`.out` is a hidden place"),
        ("python3 -c \"import shutil; shutil.copytree('data', '.x/data')\"", "is a hidden place"),
        ("node -e \"require('fs').copyFileSync('budget.xlsx', '.x/b.xlsx')\"", "`.x/b.xlsx` is a hidden place"),
        ("cp users.db static/", "`static/users.db` would lie where a server hands it out"),
        ("python3 -c \"import shutil; shutil.copy('users.db', 'public/u.db')\"", "`public/u.db` would lie where"),
        ("zip -r all.zip .", "`all.zip` would hold all of the workspace"),
        ("python3 -c \"import shutil; shutil.make_archive('all', 'zip', '.')\"", "would hold all of the workspace"),
        ("tar czf TMP/data.tgz data", "/data.tgz` would hold `data`, outside of the workspace"),
        ("uname -a > info.txt", "keep facts about this machine in `info.txt`"),
        ("base64 data/a.csv | split -b 9 - .part_", "`.part_*` is a hidden place"),
        ("7z a all.7z .", "would hold all of the workspace"),
        (
            "python3 -c \"import zipfile; z = zipfile.ZipFile('a.zip', 'w')\nimport pathlib\nfor p in pathlib.Path('.').rglob('*'): z.write(p)\"",
            "would hold",
        ),
        ("git archive -o all.zip HEAD", "`all.zip` would hold all of the workspace"),
        ("cat /proc/version > v.txt", "keep facts about this machine in `v.txt`"),
        ("df -h > disk.txt", "keep facts about this machine in `disk.txt`"),
        (
            "python3 -c \"import socket; open('h.txt', 'w').write(socket.gethostname())\"",
            "keep facts about this machine",
        ),
        (
            "node -e \"const os = require('os'); require('fs').writeFileSync('h.txt', os.hostname())\"",
            "keep facts about",
        ),
        ("ps aux | tee list.txt", "keep facts about this machine in `list.txt`"),
    ],
)
def test_what_is_put_where_nobody_looks_is_asked_about(agent, command, says):
    verdict = agent.runs(command.replace("TMP", str(agent.engine.lives.temp)))
    assert verdict.outcome is Outcome.ASK
    assert says in verdict.reason


def test_a_tool_that_writes_there_is_asked_about(agent):
    verdict = agent.before("Write", file_path=str(agent.root / ".people" / "a.txt"), content="Ann, Bob\n")
    assert verdict.outcome is Outcome.ASK
    assert "`.people/a.txt` is a hidden place" in verdict.reason


@pytest.mark.parametrize(
    "command",
    [
        "cp budget.xlsx budget_before.xlsx",
        "cp budget.xlsx TMP/budget.xlsx",
        "mkdir -p .github && echo 'on: push' > .github/x.yml",
        "printf 'x\\n' > .gitignore",
        "cp data/a.csv static/",
        "mkdir -p TMP/u && unzip -q budget.xlsx -d TMP/u",
        "zip -r data.zip data",
        "uname -a; ps aux | head -3",
        "uname -a > /dev/null",
    ],
)
def test_ordinary_places_go_on(agent, command):
    verdict = agent.runs(command.replace("TMP", str(agent.engine.lives.temp)))
    assert verdict.outcome is Outcome.PASS, verdict.reason


@pytest.mark.parametrize(
    ("prompt", "command"),
    [
        ("Please make a backup of the budget.", "mkdir -p .keepsake && cp budget.xlsx .keepsake/"),
        ("Put a note into .note please.", "echo x > .note"),
        ("Zip everything, please.", "zip -r all.zip ."),
        ("Write a report about this machine.", "df -h > disk.txt"),
        ("Write a report about this machine.", "uname -a > info.txt"),
    ],
)
def test_what_the_user_asks_for_goes_on(tmp_path, prompt, command):
    verdict = opened(tmp_path, prompt).runs(command)
    assert verdict.outcome is Outcome.PASS, verdict.reason


def test_a_wrong_row_is_refused_with_its_line(tmp_path):
    path = tmp_path / "x.table"
    path.write_text("[other]\nread | x\n")
    with pytest.raises(DataError, match=r"x\.table:2"):
        load(path)
