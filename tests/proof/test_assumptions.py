"""The list of assumptions: closed, complete, and each with its layer."""

import re
from pathlib import Path

import pytest

import remit.analysis
from each_row import each_row
from remit.core import Effect, Location, parse_scope
from remit.core.assumption import assumptions, load
from remit.core.errors import DataError
from remit.core.via import recorded
from remit.proof import rests_on

ANALYSIS = Path(remit.analysis.__file__).parent


def named_in_data() -> set[str]:
    found: set[str] = set()
    for path in (ANALYSIS / "data").rglob("*.sum"):
        found.update(re.findall(r"\bassumes ([a-z-]+)", path.read_text("utf-8")))
    for path in (ANALYSIS / "data").rglob("*.cmd"):
        found.update(re.findall(r"\bassume\('([a-z-]+)'\)", path.read_text("utf-8")))
    for path in ANALYSIS.rglob("*.py"):
        found.update(re.findall(r"""\bassume\(\s*["']([a-z-]+)["']""", path.read_text("utf-8")))
    return found


def test_everything_that_is_noted_is_in_the_list():
    names = named_in_data()
    assert len(names) > 5
    assert names <= set(assumptions())


def test_what_every_result_rests_on_is_printed_for_code_only():
    always = {found.ident for found in rests_on((), (), code=True)}
    assert {"environment", "library-versions", "symlinks"} <= always
    assert rests_on((), (), code=False) == ()


def test_the_network_brings_its_own():
    found = Effect("web.fetch", parse_scope("host", "example.com"), Location("a"), recorded(""))
    assert [item.ident for item in rests_on((), (found,), code=False)] == ["dns"]


def test_an_unknown_id_is_kept_and_left_to_a_person():
    (found,) = rests_on(("mine",), (), code=False)
    assert found.ident == "mine"
    assert "person" in found.layer


@each_row(
    "text",
    ['[a]\ntext = "x"\n', '[a]\ntext = "x"\nlayer = "y"\nmore = 1\n', '[a]\ntext = "x"\nlayer = "y"\nwhen = "z"\n'],
)
def test_a_malformed_list_is_refused(tmp_path, text):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(DataError, match="`a` has not"):
        load(path)
