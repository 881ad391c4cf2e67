"""A machine made of parts: each part is handed the parts that it names, and only those."""

from types import SimpleNamespace

import pytest

from remit.analysis.engine import engine
from remit.analysis.flows import Flows
from remit.analysis.parts import connect
from remit.analysis.shell import run as shell
from remit.analysis.shell.data_flow import Streams


class Left:
    right: "Right"


class Right:
    left: "Left"
    missing: "Nobody"  # noqa: F821


class Deeper(Left):
    pass


def test_parts_that_name_each_other_are_handed_over():
    left, right = Left(), Right()
    connect((left, right))
    assert left.right is right
    assert right.left is left
    assert not hasattr(right, "missing")


def test_a_part_of_a_more_special_class_stands_for_the_named_one():
    deeper, right = Deeper(), Right()
    connect((deeper, right))
    assert right.left is deeper


def unconnected(parts):
    """What parts name and did not get."""
    names = {type(part).__name__ for part in parts}
    return [
        (type(part).__name__, name)
        for part in parts
        for kind in type(part).__mro__
        for name, said in getattr(kind, "__annotations__", {}).items()
        if str(said).rpartition(".")[2] in names and not hasattr(part, name)
    ]


@pytest.mark.parametrize("module", [engine, shell], ids=["engine", "shell"])
def test_every_part_is_there(module):
    flows = Flows()
    linker, world = SimpleNamespace(files=frozenset()), SimpleNamespace(flows=flows)
    run = SimpleNamespace(linker=linker, script=frozenset(), flows=flows, world=world, streams=Streams())
    parts = [kind(run) for kind in module._PARTS]
    connect(parts)
    assert unconnected(parts) == []
    assert len({type(part).__name__ for part in parts}) == len(parts)


def test_the_engine_knows_every_part_by_its_name():
    assert {kind.__name__ for kind in engine._PARTS} | {"Engine", "Host"} == set(engine.__all__)
