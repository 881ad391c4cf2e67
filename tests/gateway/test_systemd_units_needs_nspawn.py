"""The systemd units as they are, under a real systemd in a container: files and commands happen in a capsule, as each party's own user."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from contextlib import contextmanager
from pathlib import Path

import office_day
import pytest
from test_deployed_apart import free_port

import remit
from remit.gateway.deployment.folders import PartyFolders, make_folders
from remit.gateway.deployment.plan import ORDER, Network

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240
CALLS = "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp @mount @keyring"
PYTHON = "Environment=LD_LIBRARY_PATH=/opt/trial/python/lib"  # the one of the tests lies elsewhere than where it was built for
pytestmark = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("systemd-nspawn") is None,
    reason="systemd-nspawn is not installed, or this is not root",
)
TARGET = "[Unit]\nRequires=trial.service\nAfter=trial.service\n"
TRIAL = """
[Unit]
SuccessAction=exit-force
FailureAction=exit-force
Wants={units}
[Service]
Type=oneshot
{python}
ExecStart=/opt/remit/.venv/bin/python -I /opt/trial/office_day.py /opt/parties
StandardOutput=file:/var/told.json
StandardError=file:/var/errors.txt
ExecStopPost=-/bin/sh -c 'journalctl --no-pager -o cat > /var/journal.txt'
"""


@contextmanager
def machine(folder):
    """A copy of this machine that keeps what is written in it to itself."""
    place = folder / "machine"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
    try:
        for name in ("upper", "work", "root"):
            (place / name).mkdir()
        options = f"lowerdir=/,upperdir={place}/upper,workdir={place}/work"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, place / "root"], check=True)
        try:
            yield place / "root"
        finally:
            subprocess.run(["umount", "-l", place / "root"], check=True)
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def program(root):
    """The program in its place, as it is here."""
    venv = root / "opt/remit/.venv"
    site = venv / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    site.mkdir(parents=True)
    (site / "remit.pth").write_text("/opt/trial/src\n/opt/trial/site\n")
    (venv / "bin").mkdir()
    (venv / "bin" / "python").symlink_to(f"/opt/trial/python/bin/{Path(os.path.realpath(sys.executable)).name}")
    (venv / "pyvenv.cfg").write_text("home = /opt/trial/python/bin\n")
    for name in ("src", "site", "python"):
        (root / "opt/trial" / name).mkdir(parents=True)


def bound_words(option):
    """The options that bring source, packages and Python there."""
    bound = {
        Path(remit.__file__).parents[1]: "src",
        Path(sysconfig.get_paths()["purelib"]): "site",
        Path(sys.base_prefix): "python",
    }
    end = ":ro" if option == "--volume" else ""
    return [f"{option}={here}:/opt/trial/{there}{end}" for here, there in bound.items()]


def install(root, parties):
    """As docs/authority.md says it: the program, a user and a folder for each party, the units."""
    program(root)
    shutil.copytree(ROOT / "deploy/systemd", root / "etc/systemd/system", dirs_exist_ok=True)
    (root / "etc/systemd/system/remit@.service.d").mkdir()
    (root / "etc/systemd/system/remit@.service.d/trial.conf").write_text(f"[Service]\n{PYTHON}\n")
    shutil.copytree(parties, root / "opt/parties")
    shutil.copy(office_day.__file__, root / "opt/trial")
    for number, role in enumerate(ORDER):
        user = f"remit-{role}"
        with (root / "etc/passwd").open("a") as file:
            file.write(f"{user}:x:{61_000 + number}:{61_000 + number}::/nonexistent:/usr/sbin/nologin\n")
        with (root / "etc/group").open("a") as file:
            file.write(f"{user}:x:{61_000 + number}:\n")
        shutil.copytree(parties / role, root / "etc/remit" / role)
        for path in (root / "etc/remit" / role, *(root / "etc/remit" / role).rglob("*")):
            os.chown(path, 61_000 + number, 61_000 + number)
    units = " ".join(f"remit@{role}.service" for role in ORDER)
    (root / "etc/systemd/system/trial.service").write_text(TRIAL.format(units=units, python=PYTHON))
    (root / "etc/systemd/system/trial.target").write_text(TARGET)


def booted(root):
    """Run the machine until the trial ends; what it said."""
    command = [
        "systemd-nspawn",
        "-q",
        "-D",
        root,
        *bound_words("--bind-ro"),
        "--register=no",
        "--keep-unit",
        "--private-network",
        CALLS,
        "--boot",
    ]
    subprocess.run(
        [*command, "systemd.unit=trial.target"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    said = {name: (root / "var" / name) for name in ("told.json", "errors.txt", "journal.txt")}
    return {name: path.read_text("utf-8", "replace") if path.exists() else "" for name, path in said.items()}


def placed(folder):
    parties = folder / "parties"
    policy = folder / "deployed.policy"
    policy.write_text(office_day.POLICY)
    make_folders(parties, PartyFolders(Network(dict.fromkeys(ORDER, "127.0.0.1"), free_port(), "127.0.0.1")), policy)
    office_day.set_up(parties / "executor", "/var/lib/remit/executor/workspace")
    return parties


def test_files_and_commands_happen_under_the_units_filter(tmp_path):
    with machine(tmp_path) as root:
        install(root, placed(tmp_path))
        said = booted(root)
        assert said["told.json"], said
        file, command = json.loads(said["told.json"])
        assert (file["status"], command["status"]) == ("OK", "OK"), (file, command, said["journal.txt"][-3000:])
        assert command["data"]["output"].strip() == "by both 42"
        note = root / "var/lib/remit/executor/workspace/note.txt"
        assert (note.read_text(), note.stat().st_uid) == ("by both", 61_000 + ORDER.index("executor"))


def test_without_what_the_capsule_needs_nothing_happens(tmp_path):
    """The filter of the other parties is enough to keep a command from being run at all, and the answer says so."""
    with machine(tmp_path) as root:
        install(root, placed(tmp_path))
        only = "[Service]\nStateDirectory=remit/executor remit/executor/workspace\n"
        (root / "etc/systemd/system/remit@executor.service.d/capsule.conf").write_text(only)
        said = booted(root)
        file, command = json.loads(said["told.json"])
        assert "DENY" in (file["status"], command["status"])
        assert not (root / "var/lib/remit/executor/workspace/note.txt").exists()
