"""Edges of single checks of the gateway's own stores and readers: what is just inside, and what is just outside."""

import sys
from types import SimpleNamespace

import pytest
from gateworld import CARD

from each_row import each_row
from remit.authority.codes import codes
from remit.core.errors import AuthorityError, InputError, LimitError, PackageError
from remit.gateway import acts, workspace
from remit.gateway import local as noting
from remit.gateway.acts import ActAnswer, RefusedError, Status, holds_any, parse_act, read_act, texts_of, without
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.fronts.http import status_of
from remit.gateway.handles import Handle, Sensitivity
from remit.gateway.local import SERVED, Local, Message, Notes, SkillFolder, _told, serve
from remit.gateway.workspace import Workspace


def refused(work, *arguments):
    with pytest.raises(RefusedError) as raised:
        work(*arguments)
    return raised.value.refused.code


def test_what_has_no_line_is_not_served():
    local, caller = Local(None, None, None), SimpleNamespace(own=("a", "0" * 32), name="a")
    assert refused(serve, local, caller, "NoSuchIntent", {}, 0) == "INTENT_NOT_SERVED"
    for intent in ("ListWorkspaceFiles", "ReadWorkspaceFile", "ImportSkill", "DescribeSkill", "ListEnabledSkills"):
        assert intent in SERVED
        assert refused(serve, local, caller, intent, {"path": "a", "skill": "a"}, 0) == "INTENT_NOT_SERVED"
    assert refused(serve, local, caller, "RevokeDelegation", {"delegation": "0" * 31}, 0) == "NOT_FOUND"


def test_the_state_of_a_handle_is_told():
    handle = Handle("s", "c", Sensitivity.LOW, frozenset({"b", "a"}), 100)
    assert _told(handle, 99) == {"sensitivity": "low", "sinks": ["a", "b"], "state": "live", "seconds": 1}
    assert _told(handle, 100)["state"] == "expired"
    assert _told(handle, 101)["seconds"] == 0
    assert _told(handle._replace(revoked=True), 99)["state"] == "revoked"


def test_skills_that_are_too_many_are_not_told_as_none(tmp_path, monkeypatch):
    folder = SkillFolder(tmp_path, tmp_path, Workspace(tmp_path))
    assert folder.listed() == []

    def fails(error):
        def find(_):
            raise error

        return find

    monkeypatch.setattr("remit.skill.find.find_skills", fails(LimitError("too many", "fewer")))
    with pytest.raises(LimitError):
        folder.listed()
    monkeypatch.setattr("remit.skill.find.find_skills", fails(InputError("none", "")))
    assert folder.listed() == []
    assert folder.described("x") is None
    assert folder.imported("../x") is None


@pytest.fixture
def notes(tmp_path, vault):
    made = Notes(tmp_path / "notes.db", vault)
    yield made
    made.close()


def test_a_caller_remembers_so_much_and_no_more(notes, monkeypatch):
    monkeypatch.setattr(noting, "MOST_NOTES", 2)
    notes.write("a", "one", "1")
    notes.write("a", "two", "2")
    notes.write("a", "two", "3")
    assert refused(notes.write, "a", "three", "3") == "NOT_DONE"
    notes.write("b", "one", "4")
    assert (notes.keys("a"), notes.read("a", "two"), notes.read("b", "one")) == (["one", "two"], "3", "4")
    assert refused(notes.read, "b", "two") == "NOT_FOUND"
    assert notes.delete("a", "one")
    assert not notes.delete("a", "one")


def test_a_box_takes_so_many_and_no_more(notes, monkeypatch):
    monkeypatch.setattr(noting, "MOST_MESSAGES", 2)
    for text in ("1", "2"):
        notes.send("s", Message("a", text), "b")
    assert refused(notes.send, "s", Message("a", "3"), "b") == "NOT_DONE"
    notes.send("s", Message("a", "4"), "c")
    notes.send("t", Message("a", "5"), "b")
    assert notes.receive("s", "b") == [Message("a", "1"), Message("a", "2")]
    assert notes.receive("s", "b") == []
    assert notes.receive("t", "b") == [Message("a", "5")]


def test_paths_and_folders_have_an_end(tmp_path, monkeypatch):
    place = Workspace(tmp_path)
    deep = "/".join(["a"] * 64)
    (tmp_path / deep).mkdir(parents=True)
    assert place.names(deep) == []
    assert refused(place.names, f"{deep}/a") == "PATH_OUTSIDE"
    for path in ("/a", "a/..", "a\0", ".."):
        assert refused(place.names, path) == "PATH_OUTSIDE"
        assert not place.exists_inside(path)
    assert place.exists_inside("a")
    assert refused(place.read, ".") == "NOT_TEXT"
    (tmp_path / "b").write_bytes(b"x" * 4)
    monkeypatch.setattr(workspace, "MOST_BYTES", 4)
    assert place.read("b") == "xxxx"
    (tmp_path / "b").write_bytes(b"x" * 5)
    assert refused(place.read, "b") == "NOT_TEXT"
    monkeypatch.setattr(workspace, "MOST_NAMES", 2)
    assert place.names(".") == ["a/", "b"]
    (tmp_path / "c").touch()
    (tmp_path / "d\n").touch()
    assert refused(place.names, ".") == "NOT_TEXT"
    (tmp_path / "c").unlink()
    assert place.names(".") == ["a/", "b"]


@pytest.mark.parametrize(
    ("module", "make"),
    [
        ("psycopg", lambda: __import__("remit.executor.replay.sql", fromlist=["x"]).PostgresMemory("x")),
        ("redis", lambda: __import__("remit.executor.replay.redis", fromlist=["x"]).RedisMemory("redis://x")),
    ],
)
def test_a_package_that_is_not_there_is_named(module, make, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PackageError, match=module):
        make()


def test_an_answer_that_can_not_be_written_down_counts_as_holding_everything():
    fine = ActAnswer(Status.OK, "a text", {"inner": ["deep"]})
    assert holds_any(fine, ["deep"])
    assert not holds_any(fine, ["other", ""])
    assert not holds_any(fine, [])
    assert holds_any(fine._replace(data={"x": float("nan")}), [])
    assert holds_any(fine._replace(data={"x": "\ud800"}), [])


def test_long_texts_of_a_proof_are_those():
    assert texts_of({"a": ["x" * 32, "y" * 31], "b": ("z" * 33,), "c": 7}) == ["x" * 32, "z" * 33]


def test_values_of_handles_are_taken_out_wherever_they_stand():
    answer = ActAnswer(Status.OK, "it is s3cret", {"s3cret": ["a s3cret", ("s3cret", 7)], "x": "y"})
    shown = without(answer, ["s3cret", ""])
    assert "s3cret" not in str(shown)
    assert shown.data["x"] == "y"
    assert without(answer, [""]) is answer


def test_nothing_is_committed_that_has_no_preview(world):
    found = world.act("MemoryList", {}, "0" * 32)
    assert (found.status, found.reason_code) == ("DENY", "TX_UNKNOWN")


def test_an_end_that_can_not_be_recorded_is_told_as_such(world, monkeypatch):
    from remit.core.errors import AuditError

    mail = {"to": "boss@example.org", "text": "hello"}
    name = world.act("SendMessage", mail).tx_id
    record = world.gateway._record

    def only_requests(entry):
        if entry.kind == "decision":
            raise AuditError("full", "make room")
        record(entry)

    monkeypatch.setattr(world.gateway, "_record", only_requests)
    assert world.act("SendMessage", mail, name).reason_code == "OUTCOME_UNKNOWN"
    assert world.act("MemoryList").reason_code == "AUDIT_FAILED"
    assert world.act("MemoryList", who="nobody").status == "DENY"


@each_row(
    "value", [[], "x", {1: 2, "intent_id": "MemoryList", "inputs": {}}, {"intent_id": "MemoryList"}, {"intent_id": "MemoryList", "inputs": {}, "more": 1}]
)  # fmt: skip
def test_what_is_asked_has_the_form(value):
    assert refused(read_act, value) == "BAD_FORM"


def test_what_is_asked_is_bounded():
    plain = b'{"intent_id": "MemoryList", "inputs": {}}'
    assert read_act(parse_act(plain + b" " * (acts.MOST_BYTES - len(plain)))).intent == "MemoryList"
    assert refused(parse_act, plain + b" " * (acts.MOST_BYTES + 1 - len(plain))) == "TOO_LARGE"
    assert refused(read_act, {"intent_id": 7, "inputs": {}}) == "INTENT_UNKNOWN"
    assert refused(read_act, {"intent_id": "MemoryList", "inputs": {"x": 1}}) == "INPUTS_FORM"
    assert refused(read_act, {"intent_id": "MemoryWrite", "inputs": {"key": "a", "text": "x" * acts.MOST_BYTES}}) == "TOO_LARGE"  # fmt: skip


def test_a_credential_goes_into_one_header(monkeypatch):
    for text in ("a\r\nx: y", "a\n", "\x7f"):
        with pytest.raises(AuthorityError, match="characters that none has"):
            GatewayClient("socket", text)
    monkeypatch.setitem(sys.modules, "remit.authority.wire.client", None)
    with pytest.raises(PackageError, match="httptools"):
        GatewayClient("socket", "a")


def test_what_the_policy_changed_is_told(world):
    mail = {"to": "boss@example.org", "text": "hello"}
    assert world.act("SendMessage", mail).data["changed"] == []
    assert world.act("SendMessage", {**mail, "text": f"pay with {CARD}"}).data["changed"] == ["text"]


def test_what_can_not_be_changed_as_the_policy_wants_is_denied(world, monkeypatch):
    def fails(*_):
        raise AuthorityError("it cannot be", "")

    monkeypatch.setattr("remit.gateway.effects.patched", fails)
    assert world.act("SendMessage", {"to": "boss@example.org", "text": "hello"}).reason_code == "POLICY_DENY"


def test_a_code_that_is_not_known_is_a_refusal(snapshot):
    refusal = ActAnswer(Status.DENY, "no", reason_code="NO_SUCH_CODE")
    assert status_of(refusal) == 403
    assert {code: status_of(refusal._replace(reason_code=code)) for code in sorted(codes("gateway"))} == snapshot
