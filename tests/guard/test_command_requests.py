"""What is judged of a command, and what of it meets nothing because it is not there."""

from pathlib import Path

import pytest

from each_row import each_row
from remit.core.scope import ANY_SCOPE, NameScope, ScopeKind, parse_scope
from remit.core.via import recorded
from remit.guard.call_analysis.command_requests import command_requests
from remit.guard.call_analysis.commands import Part, Understanding
from remit.guard.call_analysis.path_patterns import present
from remit.guard.call_analysis.requests import CallRequests, possible_requests
from remit.guard.paths import file_scope, folder_scope
from remit.policy.request import Request


def part(capability, scope, *, scripted=False, skill=""):
    return Part(capability, scope, "", "why", scripted, recorded("why"), skill)


def understood(*parts):
    return Understanding(parts, (), (), (), ())


def test_a_file_that_nobody_can_name_is_a_doubt():
    found = command_requests(understood(part("file.read", ANY_SCOPE), part("file.delete", ANY_SCOPE)))
    assert [one.capability for one in found.parts] == ["file.delete"]
    assert "on files that cannot be determined" in str(found.doubts[0])


def test_what_only_an_unknown_option_would_cause_is_possible():
    netrc, notes, out = map(file_scope, ("/home/me/.netrc", "/home/me/notes", "/home/me/out"))
    maybe, sure = recorded("`curl -n`")._replace(possible=True), recorded("`curl`")
    parts = [
        Part(capability, scope, "", "why", False, via)
        for capability, scope, via in (
            ("secret.read", netrc, maybe),
            ("file.read", notes, maybe),
            ("file.read", notes, sure),
            ("file.write", out, maybe),
        )
    ]
    requests = (Request("secret.read", netrc), Request("file.read", notes), Request("file.write", out))
    assert possible_requests(CallRequests(requests, understood=(understood(*parts),))) == {requests[0], requests[2]}


@each_row(("pattern", "named"), [("/**", False), ("/*", False), ("/*/x", False), ("/srv/*", True)])
def test_a_path_that_is_not_known_from_its_beginning_is_not_named(pattern, named):
    found = command_requests(understood(part("file.write", parse_scope(ScopeKind.PATH, pattern))))
    assert bool(found.parts) is named
    assert bool(found.doubts) is not named


@each_row(
    ("text", "commands", "own"),
    [
        ("KEY=/tmp/a prog x", (("prog", "x"),), True),
        ("A=1 KEY=b prog", (("prog",),), True),
        ("KEY=b prog; other", (("prog",), ("other",)), False),  # the other one has the KEY of the session
        ("echo KEY=b; prog", (("echo",), ("prog",)), False),
        ("prog KEY=b", (("prog", "KEY=b"),), False),
        ("KEY=$OTHER prog", (("prog",),), False),
    ],
)
def test_a_variable_that_a_command_sets_for_itself(text, commands, own):
    known = Understanding((part("env.read", NameScope("KEY")),), (), (), commands, ())
    assert bool(command_requests(known, text).parts) is not own


def test_a_package_has_a_name_and_no_version():
    for text in ("requests>=2.32", "requests", "requests\\[socks]==1", "requests ~= 2"):
        found = command_requests(understood(part("package.install", NameScope(text))))
        assert found.parts[0].scope == NameScope("requests")
    for odd in map(NameScope, ("git+https://example.com/x", "requests @ https://example.com/x", "requests@npm:other")):
        assert command_requests(understood(part("package.install", odd))).parts[0].scope == odd


def test_a_credential_that_a_script_of_the_skill_reads_is_judged_as_its_variable():
    key = NameScope("env:HF_TOKEN")
    variable = part("env.read", NameScope("HF_TOKEN"), scripted=True, skill="hub")
    found = command_requests(understood(variable, part("secret.read", key, scripted=True, skill="hub")))
    assert [one.capability for one in found.parts] == ["env.read"]
    assert found.credentials == ("HF_TOKEN",)


@pytest.mark.parametrize("scripted", [True, False])
def test_a_credential_that_nobody_s_skill_reads_stays_a_secret(scripted):
    key = NameScope("env:HF_TOKEN")
    found = command_requests(
        understood(part("env.read", NameScope("HF_TOKEN")), part("secret.read", key, scripted=scripted))
    )
    assert [one.capability for one in found.parts] == ["env.read", "secret.read"]
    requests = tuple(Request(one.capability, one.scope) for one in found.parts)
    assert ground(*requests) == requests  # no file has that name, and it is there all the same


def ground(*requests):
    return present(requests)


def test_what_is_not_there_is_not_read(tmp_path):
    path = file_scope(str(tmp_path / ".env"))
    read = Request("file.read", path)
    assert ground(Request("secret.read", path), read) == (read._replace(spared=True),)
    assert ground(read) == (read._replace(spared=True),)
    # a keychain or a token in the keeping of a program is named like a file, and no file is read
    assert ground(Request("secret.read", path)) == (Request("secret.read", path),)
    Path(tmp_path / ".env").write_text("A=1")
    assert ground(Request("secret.read", path)) == (Request("secret.read", path),)
    assert ground(Request("file.read", path)) == (Request("file.read", path),)


def test_what_the_call_itself_may_make_is_read(tmp_path):
    path = file_scope(str(tmp_path / ".env"))
    for other in (file_scope(str(tmp_path / ".env")), folder_scope(str(tmp_path))):
        assert Request("secret.read", path) in ground(Request("secret.read", path), Request("file.write", other))


def test_a_broken_link_is_there(tmp_path):
    (tmp_path / ".env").symlink_to("nowhere")
    path = file_scope(str(tmp_path / ".env"))
    assert ground(Request("secret.read", path)) == (Request("secret.read", path),)


def test_a_skill_that_is_not_there_is_not_loaded(tmp_path):
    path = file_scope(str(tmp_path / "SKILL.md"))
    assert command_requests(understood(part("file.read", path))).loads == ()
    found = command_requests(understood(part("file.read", path), part("file.write", folder_scope(str(tmp_path)))))
    assert "the call itself may write it" in str(found.doubts[0])
    (tmp_path / "SKILL.md").write_text("x")
    assert command_requests(understood(part("file.read", path))).loads == (str(tmp_path / "SKILL.md"),)
