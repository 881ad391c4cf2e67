"""Every operation of the gateway that changes the store is stepped through by a model, or is listed with the reason why it is not."""

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

import remit.gateway.inbound
from each_row import each_row
from remit.models.explore.registry import models
from remit.models.explore.search import explore

ROOT = Path(remit.gateway.inbound.__file__).parent
EXPLORED = {
    "delivery": ("delivery.kept",),
    "hearing": ("intake._paired",),
    "ingress": ("intake.keep", "intake.once", "stores.operations.join", "stores.operations.leave", "turns._ended", "turns._taken"),
    "node-runs": ("nodes.runs.change",),
    "pairing-store": ("pairing.apply",),
    "pipeline": ("service.Inbound._finish", "turns.suspend", "turns.wake"),
    "turns": ("turns.go_on",),
}  # fmt: skip
UNEXPLORED = {
    "channels.connections._moved": "one value of one channel, written by its only connection",
    "operator_commands._forget": "one value is deleted; tests/gateway/inbound/test_suspended_turns.py has what follows from it",
    "chat_history.add": "what a visitor is shown: nothing is decided by it (tests/web/test_chat_history.py)",
    "chat_history.come_back": "the same",
    "chat_history.missed": "the same",
    "turns._given_back": "makes of a gateway that ended what `turns` and `delivery` do for a lease (tests/gateway/inbound/test_recovery.py)",
    "turns.bury": "the same",
    "turns.renew": "a sign of life; without it a lease ends, which models explore",
    "event_text.forget": "words for the next turn, which is tainted by them (tests/gateway/inbound/channels/test_channel_sessions.py)",
    "event_text.remember": "the same",
    "limits._write": "an event that is heard later, and as any other then (tests/gateway/inbound/channels/test_telegram_polling.py)",
}


def changing():
    """The functions that make a `Write`."""
    found = set()
    for path in ROOT.rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found |= {f"{module}.{name}" for name in _writers(ast.parse(path.read_bytes()), "")}
    return found


def _writers(node, around):
    for child in ast.iter_child_nodes(node):
        name = f"{around}{getattr(child, 'name', '')}"
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if any(isinstance(one, ast.Call) and ast.unparse(one.func) == "Write" for one in ast.walk(child)):
                yield name
        elif isinstance(child, ast.ClassDef):
            yield from _writers(child, f"{name}.")


def code_of(name):
    """The code of a function by its name below gateway/inbound."""
    parts = name.split(".")
    count = max(count for count in range(len(parts)) if (ROOT / Path(*parts[:count])).with_suffix(".py").is_file())
    found = import_module(".".join(["remit.gateway.inbound", *parts[:count]]))
    for part in parts[count:]:
        found = getattr(found, part)
    return found.__code__


def test_each_change_of_the_store_is_listed():
    assert changing() == {name for names in EXPLORED.values() for name in names} | set(UNEXPLORED)


class EnoughError(Exception):
    """All were entered."""


@each_row("name", sorted(EXPLORED))
def test_a_model_steps_through_what_it_is_said_to_explore(name):
    (model,) = models([name])
    missing = set(map(code_of, EXPLORED[name]))

    def look(frame, event, _):
        if event == "call" and frame.f_code in missing:
            missing.remove(frame.f_code)
            if not missing:
                raise EnoughError

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        with pytest.raises(EnoughError):
            explore(model)
    finally:
        sys.setprofile(before)
