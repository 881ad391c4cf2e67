"""No manifest and skill make a comparison endless; ordinary ones are far from the limit."""

import pytest

from counted import calls
from each_row import each_row
from remit.core import Effect, Location, parse_scope
from remit.core.errors import ManifestError
from remit.core.via import recorded
from remit.manifest import Decision, Manifest, Permission
from remit.proof import Verdict, contain


def given(asked, held):
    effects = [Effect("file.read", parse_scope("path", path), Location("a.py", 1), recorded("why")) for path in asked]
    entries = tuple(Permission("file.read", (parse_scope("path", path),), Decision.ALLOW) for path in held)
    return effects, (), (), Manifest("remit.json", entries)


def judged(asked, held):
    return contain(*given(asked, held))


def refused(*words):
    with pytest.raises(ManifestError, match=r"^remit\.json: .* to be compared") as error:
        contain(*words)
    assert error.value.remedy


@each_row(
    ("asked", "held"),
    [
        ([f"./{n}*a?b*a?b*" for n in range(50)], [f"./*b?a*{n}*b" for n in range(200)]),
        (["./" + "*a?b" * 60 for _ in range(1)], [f"./*b*a*b*{n}" for n in range(500)]),
        ([f"./d/{n}" for n in range(10_000)], [f"./e/{n}" for n in range(2_000)]),
    ],
)
def test_what_would_be_endless_is_refused_at_once(asked, held):
    assert calls(refused, *given(asked, held)) < 20 * (len(asked) + len(held))  # each is looked at, and none compared


def test_ordinary_ones_are_compared():
    found = judged([f"./src/part{n}/**/*.py" for n in range(300)], [f"./lib{n}/**" for n in range(20)] + ["./src/**"])
    assert found.verdict is Verdict.CONTAINED


def test_the_same_scope_in_many_places_counts_once():
    assert judged(["./a/*b*c*"] * 20_000, ["./a/*", "./**/*c*"]).verdict is Verdict.CONTAINED
