"""The compose file's services, started by podman with the very options that stand there: files and commands happen in a capsule.

No image is built: a copy of this machine takes its place, with the program where the image has it. That the image has what a capsule is made of
is read in the Dockerfile.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import office_day
import pytest
import unit_calls
import yaml
from test_deployed_apart import free_port
from test_systemd_units_needs_nspawn import bound_words, machine, program

import remit
from remit.gateway.deployment.folders import PartyFolders, make_folders
from remit.gateway.deployment.plan import ORDER, Network

DEPLOY = unit_calls.DEPLOY
USER = 10_001
needs_podman = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("podman") is None, reason="podman is not installed, or this is not root"
)
# crun knows no machine with both versions of control groups: it is shown the first one alone
ALONE = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman --cgroup-manager=cgroupfs "$@"'
PODMAN = ("unshare", "--mount", "sh", "-c", ALONE, "sh")
PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
# how podman says what the compose file says to docker
OPTIONS = {"systempaths=unconfined": "unmask=ALL", "no-new-privileges:true": "no-new-privileges"}


def services():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]


def options_of(service):
    """The options of a service that say what it may do."""
    words = [f"--security-opt={_option(one)}" for one in service["security_opt"]]
    words += [f"--cap-drop={one}" for one in service["cap_drop"]] + [
        f"--tmpfs={one}:notmpcopyup" for one in service["tmpfs"]
    ]
    return [*words, "--read-only"] if service["read_only"] else words


def _option(text):
    if text.startswith("seccomp:"):
        return f"seccomp={DEPLOY / text.removeprefix('seccomp:')}"
    return OPTIONS.get(text, text)


def volumes_of(service, parties, state):
    """Where folders and volumes of a service lie here."""
    for one in service["volumes"]:
        source, _, rest = one.rpartition("}/")[2].partition(":") if one.startswith("$") else one.partition(":")
        yield f"--volume={(parties if one.startswith('$') else state) / source}:{rest}"


@contextlib.contextmanager
def started(root, parties, state):
    """All services."""
    names = {}
    try:
        for role in (role for role in ORDER if role in services()):
            service = services()[role]
            names[role] = f"remit-{role}-{uuid.uuid4().hex[:8]}"
            command = [
                *PODMAN, "run", "--detach", "--rm", "--workdir=/", f"--name={names[role]}", "--network=host", "--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=2000:2000",
                f"--user={USER}", *options_of(service), *volumes_of(service, parties, state), *bound_words("--volume"),
                "--env=LD_LIBRARY_PATH=/opt/trial/python/lib", "--rootfs", f"{root}:O", "/opt/remit/.venv/bin/python", "-I", "-m", "remit.cli", *service["command"],
            ]  # fmt: skip
            subprocess.run(command, check=True, capture_output=True, text=True, cwd="/", env=PLAIN)
        yield names
    finally:
        for name in names.values():
            subprocess.run([*PODMAN, "rm", "--force", "--time=2", name], check=False, capture_output=True, env=PLAIN)


def owned(*folders):
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, USER, USER)


@needs_podman
def test_files_and_commands_happen_in_containers(tmp_path):
    parties, state, policy = tmp_path / "parties", tmp_path / "state", tmp_path / "deployed.policy"
    policy.write_text(office_day.POLICY)
    make_folders(parties, PartyFolders(Network(dict.fromkeys(ORDER, "127.0.0.1"), free_port(), "127.0.0.1")), policy)
    office_day.set_up(parties / "executor", "/var/lib/remit/executor/workspace")
    for name in ("executor-state/workspace", "gateway-state"):
        (state / name).mkdir(parents=True, mode=0o700)
    owned(*(parties / role for role in ORDER), state)
    tmp_path.chmod(0o755)
    with machine(tmp_path) as root:
        program(root)
        (root / "etc/remit").mkdir()
        for role in ("executor", "gateway"):
            (root / "var/lib/remit" / role).mkdir(parents=True)
        with started(root, parties, state) as names:
            source = {**os.environ, "PYTHONPATH": str(Path(remit.__file__).parents[1])}
            day = subprocess.run(
                [sys.executable, office_day.__file__, parties], env=source, capture_output=True, text=True, check=True
            )
            told = json.loads(day.stdout)
            logs = {
                role: subprocess.run(
                    [*PODMAN, "logs", name], capture_output=True, text=True, check=False, env=PLAIN
                ).stderr[-500:]
                for role, name in names.items()
            }
    assert [one["status"] for one in told] == ["OK", "OK"], (told, logs)
    assert told[1]["data"]["output"].strip() == "by both 42"
    assert (state / "executor-state/workspace/note.txt").read_text() == "by both"


@pytest.mark.skipif(
    not unit_calls.systemd_version().startswith(unit_calls.VERSION), reason=f"this is not {unit_calls.VERSION}"
)
def test_the_profile_for_containers_allows_what_the_unit_allows_with_systemd_252():
    if os.environ.get("REMIT_UPDATE_DOCS"):
        unit_calls.PROFILE.write_text(unit_calls.profile(), "utf-8")
    assert unit_calls.PROFILE.read_text("utf-8") == unit_calls.profile(), "REMIT_UPDATE_DOCS=1 writes it anew"


def test_only_the_executor_may_more_than_the_others_and_the_image_has_what_it_needs():
    for role, service in services().items():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"][0] == "no-new-privileges:true"
        assert len(service["security_opt"]) == (4 if role == "executor" else 1)
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert all(f" {name} " in image for name in ("bubblewrap", "gcc", "libc6-dev", "python3-minimal"))
    assert Path(DEPLOY / "executor.seccomp.json").is_file()
