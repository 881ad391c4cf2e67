"""A permit comes from the projector or not at all."""

import copy
import dataclasses
import gc
import importlib
import pickle
import re
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
from policy_values import envelope, projector

import remit
from each_row import each_row
from remit.policy import Permit
from remit.policy import permit as sealed
from remit.policy.permit import Grant, claim_issuing

SOURCE = Path(remit.__file__).parent
READ = ("file.read", "./**", "allow")


@pytest.fixture
def permit():
    found = projector(READ).project(envelope("file.read", "./a.txt"))
    assert isinstance(found, Permit)
    return found


def grant(permit):
    return Grant("demo", 0, permit.request, permit.digest, (0,), redact=False)


def test_what_it_holds(permit):
    assert (permit.skill, permit.member, permit.uses, permit.redact) == ("demo", 0, (0,), False)
    assert permit.request.scope.render() == "./a.txt"
    assert permit.digest == permit.request.digest("demo")
    assert repr(permit) == "<permit 0: file.read ./a.txt>"


FORGERIES = {
    "call": lambda _: Permit(),
    "call with values": lambda permit: Permit(*grant(permit)),
    "call with names": lambda permit: Permit(**grant(permit)._asdict()),
    "new of the class": lambda _: Permit.__new__(Permit),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "deepcopy inside": lambda permit: copy.deepcopy([permit]),
    "replace of dataclasses": lambda permit: dataclasses.replace(permit, member=1),
    "_replace": lambda permit: permit._replace(member=1),
    "_make": lambda permit: Permit._make(grant(permit)),
    "subclass": lambda _: type("Mine", (Permit,), {}),
    "subclass by its metaclass": lambda _: type(Permit)("Mine", (Permit,), {"request": None}),
    "set": lambda permit: setattr(permit, "member", 1),
    "set anew": lambda permit: setattr(permit, "other", 1),
    "set by object": lambda permit: object.__setattr__(permit, "member", 1),
    "set anew by object": lambda permit: object.__setattr__(permit, "other", 1),
    "delete": lambda permit: delattr(permit, "member"),
    "its dict": vars,
    "set state": lambda permit: permit.__setstate__({}),
    "reduce": lambda permit: permit.__reduce__(),
    "class attribute": lambda _: setattr(Permit, "member", 1),
    "class attribute away": lambda _: delattr(Permit, "member"),
    **{
        f"pickle {number}": lambda permit, n=number: pickle.dumps(permit, n)
        for number in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_fails(permit, name):
    with pytest.raises((TypeError, AttributeError)):
        FORGERIES[name](permit)
    assert permit.member == 0


class Double:
    __slots__ = ("__weakref__",)


def by_class():
    made = Double()
    made.__class__ = Permit
    return made


@each_row("make", [lambda: object.__new__(Permit), by_class])
@each_row("name", ["skill", "member", "request", "digest", "uses", "redact"])
def test_an_object_that_was_not_issued_holds_nothing(make, name):
    made = make()
    assert isinstance(made, Permit)
    with pytest.raises(TypeError, match="was not issued"):
        getattr(made, name, None)  # no default hides it
    with pytest.raises(TypeError):
        repr(made)


def test_a_forgery_is_not_its_model(permit):
    made = object.__new__(Permit)
    assert made != permit
    assert hash(made) != hash(permit)


def test_the_right_to_issue_is_gone():
    with pytest.raises(TypeError, match="second maker"):
        claim_issuing()
    script = "import importlib, remit.policy.projector as projector; importlib.reload(projector)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "second maker" in done.stderr


def test_only_the_projector_claims_it():
    claims = [
        path.name
        for path in SOURCE.rglob("*.py")
        if "models" not in path.parts
        and path.name != "probes.py"  # there it stands in the text of a program that is judged
        if re.search(r"policy\.permit import [^\n]*claim_issuing|permit\.claim_issuing", path.read_text("utf-8"))
    ]
    assert claims == ["projector.py"]


def test_nothing_in_the_room_issues_without_judging():
    """No name of the two modules is the function that issues."""
    projecting = importlib.import_module("remit.policy.projector")
    for module in (sealed, projecting):
        for name, value in vars(module).items():
            assert getattr(value, "__name__", "") != "issue", name


def test_permits_are_not_kept(permit):
    watched = weakref.ref(projector(READ).project(envelope("file.read", "./b.txt")))
    gc.collect()
    assert watched() is None
