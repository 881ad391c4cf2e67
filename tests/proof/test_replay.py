"""Replaying a session: it stands as long as every link holds, and each link alone can end it."""

from skill_sessions import (
    BY_HOOK,
    COMMANDS,
    DIGESTS,
    EFFECTS,
    FETCHES,
    FOUND,
    INNER,
    LONE,
    START,
    TOLD,
    WRITES,
    effect,
    manifest,
    place,
    session,
    sessions,
)

from each_row import each_row
from remit.core import Location, Opaque
from remit.policy.request import Envelope
from remit.proof import Evidence
from remit.proof.replay import ReplayResult, replay


def gone(item, found=FOUND, given=None, opaque=()):
    """The links that no longer hold."""
    done = replay(item, found, opaque, given or manifest())
    assert (done.standing is ReplayResult.STANDS) == all(link.holds for link in done.links)
    assert done.standing is not ReplayResult.UNKNOWN
    return [link.name for link in done.links if not link.holds]


def without(*effects, commands=COMMANDS, digests=DIGESTS):
    return Evidence(tuple(item for item in EFFECTS if item not in effects), commands, digests)


@each_row("item", sessions(), ids=lambda item: item.effect.capability)
def test_a_session_stands_in_the_skill_that_it_comes_from(item):
    done = replay(item, FOUND, (), manifest())
    assert done.standing is ReplayResult.STANDS
    assert [link.name for link in done.links if link.name != "script"] == [
        "begins", "envelope", "effect", "manifest", "projector",
    ]  # fmt: skip


def test_without_a_manifest_nothing_is_granted():
    assert replay(session(WRITES), FOUND, (), None).standing is ReplayResult.STANDS


def test_the_line_tells_another_command():
    other = (COMMANDS[0]._replace(text="python3 b.py"), *COMMANDS[1:])
    assert gone(session(WRITES), without(commands=other)) == ["begins"]
    moved = (COMMANDS[0]._replace(where=Location("SKILL.md", 10)), *COMMANDS[1:])
    assert gone(session(WRITES), without(commands=moved)) == ["begins"]
    assert gone(session(BY_HOOK), without(commands=COMMANDS[:2])) == ["begins"]


def test_the_line_no_longer_starts_the_script():
    assert gone(session(WRITES), without(START)) == ["begins", "script"]


def test_the_script_is_another_one():
    assert gone(session(WRITES), without(digests=DIGESTS | {"a.py": "sha256:" + "f" * 64})) == ["script"]
    left = {name: digest for name, digest in DIGESTS.items() if name != "a.py"}
    assert gone(session(WRITES), without(digests=left)) == ["script"]


def test_the_inner_script_is_no_longer_started():
    assert gone(session(FETCHES), without(INNER)) == ["script"]


def test_the_script_that_nothing_names_is_removed():
    left = {name: digest for name, digest in DIGESTS.items() if name != "lone.sh"}
    assert gone(session(LONE), without(LONE, digests=left)) == ["begins", "script", "effect"]


def test_the_effect_is_no_longer_there():
    assert gone(session(WRITES), without(WRITES)) == ["effect"]


@each_row(
    "other",
    [
        WRITES._replace(where=place("helper.py:3")),
        WRITES._replace(path=(place("a.py:9"),)),
        effect("file.write ./out/y.txt", "helper.py:2", path="a.py:9 a.py:6"),
        effect("file.read ./out/x.txt", "helper.py:2", path="a.py:9 a.py:6"),
    ],
)
def test_another_effect_is_not_the_effect(other):
    found = Evidence((*(item for item in EFFECTS if item != WRITES), other), COMMANDS, DIGESTS)
    assert gone(session(WRITES), found) == ["effect"]


@each_row(
    "entry",
    [
        '{"capability": "file.write", "scope": "./out/**"}',
        '{"capability": "file.write", "effect": "confirm"}',
        '{"capability": "file.*", "scope": "./**", "effect": "deny"}',
    ],
)
def test_an_entry_holds_it_now(entry):
    ended = ["manifest"] if "deny" in entry else ["manifest", "projector"]  # what is denied is refused all the more
    assert gone(session(WRITES), given=manifest(entry)) == ended


def test_an_entry_for_the_one_thing_that_was_asked_for_ends_the_session():
    narrow = manifest('{"capability": "file.delete", "scope": "./old/unforeseen"}')
    assert gone(session(TOLD), given=narrow) == ["projector"]


def test_without_one_thing_that_is_refused_the_whole_scope_is_judged():
    assert gone(session(WRITES)._replace(instance=None)) == []
    assert "envelope" in gone(session(TOLD)._replace(instance=None))


def test_an_entry_that_holds_a_part_does_not_end_it():
    narrow = manifest('{"capability": "file.delete", "scope": "./old/tmp/**"}')
    assert gone(session(TOLD), given=narrow) == []


@each_row(
    "envelope",
    [
        None,
        Envelope("file.read", {"target": "./old/unforeseen"}, "SKILL.md:12 tells me to"),
        Envelope("file.delete", {"target": "./old/other"}, "SKILL.md:12 tells me to"),
        Envelope("file.delete", {}, "SKILL.md:12 tells me to"),
    ],
)
def test_an_envelope_that_does_not_lead_there(envelope):
    assert gone(session(TOLD)._replace(envelope=envelope)) == ["envelope"]


def test_a_hook_with_an_envelope_is_none():
    assert gone(session(BY_HOOK)._replace(envelope=Envelope("pay", {}, "r"))) == ["envelope"]


def test_a_script_effect_without_a_script_leads_nowhere():
    bare = session(WRITES)._replace(scripts=())
    assert "script" in gone(bare)


def test_a_script_without_a_digest_is_not_known():
    item = session(WRITES)
    blank = item._replace(scripts=(item.scripts[0]._replace(digest=""),))
    assert "script" in gone(blank, without(digests=DIGESTS | {"a.py": ""}))


@each_row("where", [Location("helper.py", 1), Location("a.py", 4), Location("SKILL.md"), Location(".")])
def test_what_is_not_understood_is_not_gone(where):
    done = replay(session(WRITES), without(WRITES), [Opaque("nobody knows", where)], manifest())
    assert done.standing is ReplayResult.UNKNOWN


def test_what_is_not_understood_elsewhere_says_nothing_of_it():
    elsewhere = [Opaque("nobody knows", Location("other.py", 1))]
    assert gone(session(WRITES), without(WRITES), opaque=elsewhere) == ["effect"]


def test_an_entry_ends_a_session_whatever_is_not_understood():
    opaque = [Opaque("nobody knows", Location("a.py", 4))]
    entry = '{"capability": "file.write", "scope": "./out/**"}'
    assert replay(session(WRITES), FOUND, opaque, manifest(entry)).standing is ReplayResult.GONE
