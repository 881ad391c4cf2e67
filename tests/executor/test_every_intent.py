"""Every intent ends somewhere: in an effect that effects.json sets up, with the gateway, or in words that say why not."""

import json

import pytest

from remit.authority.intents import intents
from remit.core.errors import UsageError
from remit.executor.effects.settings import FORM, read_effects, with_the_gateway
from remit.gateway.deployment.folders import make_folder
from remit.gateway.local import SERVED

FULL = {
    "v": 1,
    "smtp": {"host": "127.0.0.1", "port": 25, "from": "agent@example.org", "tls": "none"},
    "web": {},
    "files": {"workspace": "workspace", "read": ["workspace"], "write": ["workspace"]},
    "process": {"manifest": "process.json", "workspace": "workspace"},
    "skills": {"offered": "workspace", "place": "skills", "trust-root": "trust.json"},
}
ALWAYS = {"FinalizeOutput", *with_the_gateway()}


@pytest.fixture
def folder(tmp_path):
    for name in ("workspace", "skills"):
        (tmp_path / name).mkdir()
    (tmp_path / "process.json").write_text('{"permissions": []}')
    return tmp_path


def effects(folder, told):
    path = folder / "effects.json"
    path.write_text(json.dumps(told))
    return set(read_effects(path, folder / "state"))


def test_every_intent_ends_somewhere(folder):
    outside = {name for name, one in intents().items() if one.effect != "none"}
    assert effects(folder, FULL) == outside
    assert set(intents()) - outside == SERVED


def test_what_is_not_set_up_is_not_there(folder):
    assert effects(folder, {"v": 1}) == ALWAYS
    for name in set(FULL) - {"v"}:
        assert effects(folder, {"v": 1, name: FULL[name]}) > ALWAYS


def test_an_installation_begins_with_nothing_granted(tmp_path):
    make_folder(tmp_path / "up", None)
    assert set(read_effects(tmp_path / "up" / "effects.json", tmp_path / "state")) == ALWAYS


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"workspace": "workspace", "write": ["nowhere"]}},
        {"files": {"workspace": ".", "read": []}},
        {"files": {"workspace": "workspace", "more": 1}},
        {"process": {"manifest": "nothing.json", "workspace": "workspace"}},
        {"process": {"manifest": "process.json", "workspace": "workspace", "seconds": 0}},
        {"skills": {"offered": "workspace", "place": "nowhere", "trust-root": "trust.json"}},
        {"skills": {"offered": "workspace", "place": "skills", "trust-root": "trust.json", "level": "unverified"}},
        {"other": {}},
    ],
)
def test_a_wrong_line_is_refused_at_the_start(folder, change):
    with pytest.raises(UsageError):
        effects(folder, FULL | change)


def test_the_form_is_closed():
    assert FORM.fault(FULL, "effects.json") == ""
    assert FORM.fault(FULL | {"insecure": True}, "effects.json")
