"""From a manifest to a contract: nothing is bound that no entry covers, and what is not given is said."""

import os
import re
import subprocess

import pytest
from capsules import asked, contract_of, entry, manifest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from each_row import each_row
from remit.capsule.confinement import Limits
from remit.capsule.contract import Access, BoundPath, Contract, EgressRule, Hiding, Mask, Program
from remit.capsule.contract_places import Ground
from remit.capsule.landlock import Files, Ports, Scopes, handled, orders, rights_of
from remit.capsule.seatbelt import seatbelt_profile
from remit.core.errors import CapsuleError, UsageError
from remit.core.scope import DEEP, covers, parse_scope
from remit.core.scope.forms import ScopeKind
from remit.manifest.model import Decision, RateLimit


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "work"
    for name in ("data/a.json", "data/b.txt", "data/deep/c.json", "src/x.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


def places(workspace, *rows, **more):
    found = contract_of(asked(workspace, manifest(*rows), **more))
    return {os.path.relpath(place.path, workspace): place.access.words for place in found.places}, found


def test_an_empty_manifest_binds_nothing(workspace):
    found, contract = places(workspace)
    assert found == {}
    assert contract.egress == ()
    assert not contract.listens
    assert {program.why for program in contract.programs} == {
        "the command itself",
        "what the kernel opens to start a program",
    }


def test_rights_of_one_place_add_up(workspace):
    found, _ = places(
        workspace, ("file.read", "./data/**"), ("file.write", "./data/**"), ("file.delete", "./data/deep/**")
    )
    assert found == {"data": ["read", "write"], "data/deep": ["delete"]}


def test_a_place_in_a_wider_one_is_not_bound_twice(workspace):
    found, _ = places(workspace, ("file.read", "./**"), ("file.read", "./data/**"), ("source.read", "./src/x.py"))
    assert found == {".": ["read"]}


def test_of_a_pattern_the_files_that_exist_are_bound(workspace):
    found, contract = places(workspace, ("file.read", "./data/*.json"))
    assert found == {"data/a.json": ["read"]}
    assert "files that exist" in contract.narrowed[0].why
    found, _ = places(workspace, ("file.read", "./**/*.json"))
    assert found == {"data/a.json": ["read"], "data/deep/c.json": ["read"]}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("file.read", "./data"), "it is a folder"),
        (("file.read", "./none.txt"), "it is not there"),
        (("file.write", "./none.txt"), "cannot be granted; grant its folder"),
        (("file.read", "any"), "of everything the capsule gives the workspace"),
        (("file.read", "<arg>"), "its value was not given"),
        (("file.read", "$SKILL/x"), "there is no folder of a skill"),
        (("file.read", "/**"), "name narrower ones"),
        (("file.read", "/proc/**"), "name narrower ones"),
        (("file.write", "/dev/null"), "name narrower ones"),
        (("file.read", "/run/**"), "name narrower ones"),
        (("process.create", "no-such-program"), "there is no such program"),
        (("process.create", "g*"), "a pattern grants none"),
        (entry("file.read", "./**", rate_limit=RateLimit(1, 1)), "depends on a rate"),
        (entry("secret.read", "./**", redact=True), "a value that is handed out masked"),
        (entry("file.read", "./**", denied_command_patterns=("x",)), "patterns of command lines"),
        (entry("file.read", "/srv/**", workspace_only=True), "for the workspace"),
        (entry("file.read", "./**", Decision.CONFIRM), "asks a person first"),
    ],
)
def test_what_is_not_given_is_said(workspace, row, why):
    contract = contract_of(asked(workspace, manifest(row)))
    assert any(why in item.why for item in contract.narrowed), contract.narrowed


DENY = Decision.DENY


def test_programs_that_are_denied_are_not_there(workspace):
    some = manifest(("process.create", "cat"), ("process.create", "ls"), entry("process.create", "ls", DENY))
    found = {os.path.basename(program.path) for program in contract_of(asked(workspace, some)).programs}
    assert "cat" in found
    assert "ls" not in found
    every = manifest(
        ("process.create", "any"), entry("process.create", "ls", DENY), entry("process.create", "mk*", DENY)
    )
    contract = contract_of(asked(workspace, every))
    hidden = {os.path.basename(mask.path) for mask in contract.masked}
    assert contract.programs is None
    assert {"ls", "mkdir"} <= hidden
    assert "cat" not in hidden
    shells = manifest(("process.create", "any"), entry("shell.execute", "any", DENY))
    assert os.path.basename(os.path.realpath("/bin/sh")) in {
        os.path.basename(mask.path) for mask in contract_of(asked(workspace, shells)).masked
    }
    nothing = manifest(("process.create", "cat"), entry("process.create", "any", DENY))
    assert {program.why for program in contract_of(asked(workspace, nothing)).programs} == {
        "the command itself", "what the kernel opens to start a program"
    }  # fmt: skip


def test_variables_and_listening_that_are_denied_are_not_given(workspace):
    rows = (("env.read", "any"), entry("env.read", "B*", DENY), ("net.listen", "any"), entry("net.listen", "any", DENY))
    contract = contract_of(asked(workspace, manifest(*rows), caller={"A": "1", "B1": "2"}))
    names = {name for name, _ in contract.environment}
    assert "A" in names
    assert "B1" not in names
    assert not contract.listens
    assert contract_of(asked(workspace, manifest(("net.listen", "any")))).listens


def test_hosts_that_are_denied_are_in_the_rules(workspace):
    made = manifest(("web.fetch", "*.example.com"), entry("web.fetch", "x.example.com", DENY))
    assert contract_of(asked(workspace, made)).egress == (
        EgressRule("*.example.com", None, "fetch"), EgressRule("x.example.com", None, "fetch", True)
    )  # fmt: skip
    assert contract_of(asked(workspace, manifest(entry("web.fetch", "any", DENY)))).egress == ()


def test_a_link_that_leads_elsewhere_is_not_followed(workspace, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_text("x")
    (workspace / "away").symlink_to(tmp_path / "outside")
    (workspace / "file").symlink_to(tmp_path / "outside/x")
    (workspace / "near").symlink_to("data")
    found, contract = places(workspace, ("file.read", "./away/**"), ("file.read", "./file"), ("file.read", "./near/**"))
    assert found == {}
    assert len(contract.narrowed) == 3
    found, _ = places(workspace, ("file.read", "./away/**"), ("file.read", f"{tmp_path}/outside/**"))
    assert found == {"../outside": ["read"]}


def test_the_skill_is_readable_and_its_credentials_are_not(workspace, tmp_path):
    skill = tmp_path / "skill"
    skill.mkdir()
    (skill / ".env").write_text("x")
    _, contract = places(workspace, skill=str(skill))
    assert [(place.path, place.access) for place in contract.places] == [(str(skill), Access.READ)]
    assert [mask.path for mask in contract.masked if mask.path.startswith(str(skill))] == [str(skill / ".env")]


def test_a_link_to_a_credential_hides_what_it_leads_to(workspace):
    (workspace / "data/plain.txt").write_text("the key")
    (workspace / ".env").symlink_to("data/plain.txt")
    contract = contract_of(asked(workspace, manifest(("file.read", "./**"))))
    assert [mask.path for mask in contract.masked if "work" in mask.path] == [str(workspace / "data/plain.txt")]


def test_spellings_do_not_escape_masks(workspace):
    names = (".ENV", ".Env.local", "ID_RSA", "a.P12", ".env ", "Credentials.json")
    for name in names:
        (workspace / name).write_text("x")
    contract = contract_of(asked(workspace, manifest(("file.read", "./**"))))
    assert {str(workspace / name) for name in names} <= {mask.path for mask in contract.masked}


def test_the_home_of_the_capsule_is_its_own(tmp_path):
    home = tmp_path / "home"
    (home / ".config/tool").mkdir(parents=True)
    (home / "project").mkdir()
    made = manifest(("file.read", "~/.config/tool/**"), ("file.read", "./**"))
    contract = contract_of(asked(home / "project", made, home=str(home)))
    assert contract.home == "/home/skill"
    assert ("/home/skill/.config/tool", str(home / ".config/tool")) in contract.links
    assert dict(contract.environment)["HOME"] == "/home/skill"
    # rights on a folder hold for all below it, so that nothing granted may lie in a folder of the capsule's own
    for place in contract.places:
        assert not place.path.startswith((contract.home + "/", contract.temp + "/"))


@each_row("folder", ["/", "/usr", "/etc", "/proc", "/nonexistent"])
def test_no_folder_of_the_system_is_a_workspace(folder):
    with pytest.raises(UsageError, match="cannot be a workspace"):
        contract_of(asked(folder, manifest()))


def test_sockets_and_pipes_in_a_granted_folder_are_hidden(workspace):
    os.mkfifo(workspace / "pipe")
    contract = contract_of(asked(workspace, manifest(("file.read", "./**"))))
    assert [mask.path for mask in contract.masked if "work" in mask.path] == [str(workspace / "pipe")]


def test_too_many_files_to_look_through_are_refused(workspace, monkeypatch):
    from remit.capsule import masks

    monkeypatch.setattr(masks, "MOST", 3)
    with pytest.raises(CapsuleError, match="sensitive ones cannot be looked for"):
        contract_of(asked(workspace, manifest(("file.read", "./**"))))


SCOPES = ["./**", "./data/**", "./data/*.json", "./*/deep/**", "./src/x.py", "./none", "./**/c.json", "./data/*", "./*"]
ROWS = st.lists(
    st.tuples(st.sampled_from(["file.read", "file.write", "file.delete", "source.read"]), st.sampled_from(SCOPES)),
    max_size=4,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_whatever_is_bound_is_covered_by_entries(workspace, rows):
    contract = contract_of(asked(workspace, manifest(*rows)))
    ground = Ground(str(workspace), "")
    for place in contract.places:
        names = ground.names_of(place.path)
        if place.folder:
            names = tuple(name._replace(parts=(*name.parts, DEEP)) for name in names)
        for word in place.access.words:
            scopes = [
                parse_scope(ScopeKind.PATH, scope) for capability, scope in rows if capability.endswith(f".{word}")
            ]
            assert any(covers(scope, name) for scope in scopes for name in names), (place, rows)


def test_rights_of_landlock_are_no_more_than_the_access():
    folder = BoundPath("/x", Access.READ, True, "")
    assert not rights_of(folder) & (Files.WRITE_FILE | Files.MAKE_REG | Files.REMOVE_FILE | Files.EXECUTE)
    written = rights_of(folder._replace(access=Access.WRITE))
    assert not written & (
        Files.READ_FILE
        | Files.READ_DIR
        | Files.REMOVE_FILE
        | Files.REMOVE_DIR
        | Files.EXECUTE
        | Files.MAKE_CHAR
        | Files.MAKE_BLOCK
    )
    removed = rights_of(folder._replace(access=Access.DELETE))
    assert not removed & (Files.READ_FILE | Files.WRITE_FILE | Files.MAKE_REG | Files.EXECUTE)
    assert not rights_of(BoundPath("/x", Access.READ | Access.WRITE | Access.DELETE, False, "")) & (
        Files.READ_DIR | Files.REMOVE_FILE
    )


def test_a_kernel_handles_what_its_version_knows():
    assert handled(1) == (Files((1 << 13) - 1), Ports(0), Scopes(0))
    assert handled(7) == (Files((1 << 16) - 1), Ports.BIND | Ports.CONNECT, Scopes.ABSTRACT_UNIX_SOCKET | Scopes.SIGNAL)
    assert Files.TRUNCATE not in handled(2)[0]
    assert handled(99) == handled(7)


SAMPLE = Contract(
    skill="demo",
    manifest="sha256:0",
    command=("python3", "report.py"),
    workspace="/srv/project",
    home="/home/skill",
    temp="/tmp",
    links=(),
    user=501,
    places=(
        BoundPath("/srv/project/data", Access.READ, True, "file.read ./data/**"),
        BoundPath("/srv/project/out", Access.WRITE | Access.DELETE, True, "file.write ./out/**"),
        BoundPath('/srv/project/a "b".txt', Access.READ, False, "file.read"),
    ),
    system=("/usr",),
    masked=(
        Mask("/srv/project/data/.env", Hiding.HIDDEN, False, "secret.read is not granted"),
        Mask("/srv/project/out/.git/hooks", Hiding.READ_ONLY, True, "hook.install is not granted"),
    ),
    programs=(Program("/usr/bin/python3.11", "the command itself", (("/usr/bin/python3", "python3.11"),)),),
    environment=(("PATH", "/usr/bin"),),
    egress=(EgressRule("api.example.com", 443, "all"),),
    listens=False,
    sockets=(("gateway", "/srv/run/gateway.sock"),),
    limits=Limits(seconds=30),
    landlock=6,
)


def test_the_orders_for_the_helper(snapshot):
    words = orders(SAMPLE, ("/tmp", "/home/skill"), ("/usr/bin/python3.11",), 9).decode().split("\0")
    assert words == snapshot


def test_the_profile_of_macos(snapshot):
    assert seatbelt_profile(SAMPLE) == snapshot


def test_the_profile_denies_first_and_masks_last():
    text = seatbelt_profile(SAMPLE)
    assert text.index("(deny default)") < text.index("(allow")
    hidden = text.index('(deny file-read* file-write* (literal "/srv/project/data/.env"))')
    assert hidden > text.index('(allow file-read* (subpath "/srv/project/data"))')
    assert "network" not in seatbelt_profile(SAMPLE._replace(egress=(), sockets=())).replace(";; the network", "")
    assert '(literal "/srv/project/a \\"b\\".txt")' in text
    assert text.count("(") == text.count(")")


def test_numbers_of_calls_are_those_of_the_headers():
    found = subprocess.run(
        ["cc", "-E", "-dM", "-include", "sys/syscall.h", "-xc", "/dev/null"],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        pytest.skip("there is no compiler with headers")
    known = dict(re.findall(r"#define __NR_(\w+) (\d+)", found.stdout))
    from remit.capsule.probes import _numbers

    wrong = {name: number for name, number in _numbers().items() if name in known and int(known[name]) != number}
    assert wrong == {}
