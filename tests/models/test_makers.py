"""Nobody but the projector makes a Permit, nobody but the acceptance predicate an Accepted, and a second maker that is planted is found."""

import pytest

from each_row import each_row
from self_analysis.makers import ACCEPTED, MAKERS, PERMITS, _may_be_near, _near, check_makers, issued, names
from self_analysis.source import own_source, parsed

PROJECTOR = "remit/policy/projector.py"
SEAL = "remit/core/seal.py"

# What is planted into a module of its own, and what a search for names finds.
BY_NAME = {
    "a call": "from remit.policy.permit import Permit\n\ngo = Permit()\n",
    "object.__new__": "from remit.policy.permit import Permit\n\ndef go() -> Permit:\n    return object.__new__(Permit)\n",
    "__new__ of the class": "from remit.policy import Permit\n\ndef go() -> Permit:\n    return Permit.__new__(Permit)\n",
    "by the module": "from remit.policy import permit\n\ndef go() -> object:\n    return object.__new__(permit.Permit)\n",
    "by the whole name": "import remit.policy.permit\n\ngo = object.__new__(remit.policy.permit.Permit)\n",
    "another name": "from remit.policy.permit import Permit as P\n\ngo = object.__new__(P)\n",
    "a subclass": "from remit.policy.permit import Permit\n\nclass Go(Permit):\n    pass\n",
    "a class that is exchanged": "from remit.policy.permit import Permit\n\ndef go(it: object) -> None:\n    it.__class__ = Permit\n",
    "a value that is handed on": "from remit.policy.permit import Permit\n\nTYPES = [Permit]\n",
    "a copy by its registry": "import copyreg\nfrom remit.policy.permit import Permit\n\ngo = copyreg.__newobj__(Permit)\n",
    "the right to issue": "from remit.policy.permit import claim_issuing\n\n_issue = claim_issuing()\n",
    "the right to issue by the module": "from remit.policy import permit\n\n_issue = permit.claim_issuing()\n",
    "a second registry": "from remit.core.seal import registry\nfrom remit.policy.permit import Grant, Permit\n\n_held, _claim = registry(Permit, Grant)\n",
    "everything": "from remit.policy.permit import *\n\n_issue = claim_issuing()\n",
}  # fmt: skip

# What the names do not show: these reach the place where permits are issued.
BY_ANALYSIS = {
    "getattr": "import remit.policy.permit as permit\n\ndef go() -> object:\n    return getattr(permit, 'claim_' + 'issuing')()\n",
    "a computed name": "import remit.policy.permit as permit\n\ndef go(name: str) -> object:\n    return getattr(permit, name)\n",
    "vars": "import remit.policy.permit as permit\n\ndef go(name: str) -> object:\n    return vars(permit)[name]()(1)\n",
    "importlib": "import importlib\n\ngo = getattr(importlib.import_module('remit.policy.permit'), 'claim_' + 'issuing')()\n",
}  # fmt: skip
PLANTED = "remit/cli/planted.py"


def of_kind(text, maker):
    """What is planted for permits, for another kind."""
    home, room = maker.homes[-1], maker.homes[0]
    text = text.replace("remit.policy.permit", home).replace("remit.policy", room)
    text = text.replace("import permit", f"import {home.rpartition('.')[2]}").replace(
        "(permit.", f"({home.rpartition('.')[2]}."
    )
    text = text.replace("= permit.", f"= {home.rpartition('.')[2]}.")
    return text.replace("Permit", maker.name)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.name)
def test_only_the_maker_makes_what_is_sealed(maker):
    assert list(check_makers(own_source(), maker)) == []


@each_row("maker", MAKERS, ids=lambda maker: maker.name)
@each_row("name", BY_NAME)
def test_a_maker_is_found_by_the_names_that_it_uses(name, maker):
    assert list(names({PLANTED: of_kind(BY_NAME[name], maker)}, maker)) != []


@each_row("maker", MAKERS, ids=lambda maker: maker.name)
@each_row("name", BY_ANALYSIS)
def test_a_maker_is_found_by_what_it_reaches(name, maker):
    text = of_kind(BY_ANALYSIS[name], maker)
    assert list(names({PLANTED: text}, maker)) == []
    assert list(issued({**own_source(), PLANTED: text}, [PLANTED], maker)) != []


def test_a_predicate_that_hands_the_right_on_is_found():
    source = own_source()
    leaking = source[ACCEPTED.maker] + "\n\ndef leak() -> object:\n    return _RIGHT\n"
    leaking = leaking.replace("_accept = _maker(claim_issuing())", "_RIGHT = claim_issuing()\n_accept = _maker(_RIGHT)")
    assert list(issued({**source, ACCEPTED.maker: leaking}, [ACCEPTED.maker], ACCEPTED)) != []


@each_row(
    "text",
    [
        "from remit.policy.permit import Permit\n\ndef go(it: object) -> bool:\n    return isinstance(it, Permit)\n",
        "from remit.policy.permit import Permit\n\n__all__ = ['Permit']\n",
        "from remit.policy.permit import Permit\n\ndef go(it: Permit | None) -> list[Permit]:\n    match it:\n        case Permit():\n            return [it]\n    return []\n",
    ],
)
def test_whoever_only_asks_makes_nothing(text):
    assert list(names({PLANTED: text})) == []
    assert list(issued({**own_source(), PLANTED: text}, [PLANTED])) == []


def test_a_projector_that_hands_the_right_on_is_found():
    source = own_source()
    leaking = {
        **source,
        PROJECTOR: source[PROJECTOR]
        + "\n\nGO = [_maker]\n\n\ndef leak() -> object:\n    return _RIGHT\n\n\n_RIGHT = _claimed()\n",
    }
    leaking[PROJECTOR] = leaking[PROJECTOR].replace(
        "_project = _maker(claim_issuing())", "_project = _maker(_claimed())"
    )
    leaking[PROJECTOR] += "\n\ndef _claimed() -> object:\n    return claim_issuing()\n"
    assert list(issued(leaking, [PROJECTOR])) != []


def test_a_room_whose_projector_does_not_claim_first_is_found():
    source = own_source()
    first = "remit/policy/__init__.py"
    late = "\n".join(line for line in source[first].splitlines() if "policy.projector" not in line)
    assert any("imported with the room" in text for _, _, text in check_makers({**source, first: late}))


def test_a_search_that_would_find_nothing_is_told_apart():
    source = own_source()
    blind = {**source, SEAL: source[SEAL].replace("def claim(", "def other(").replace("held, claim", "held, other")}
    claimed = {PLANTED: "import remit.policy.permit as p\n\nclaimed = p.claim_issuing()\n"}
    assert list(issued({**source, **claimed}, [PLANTED])) != []
    assert list(issued({**blind, **claimed}, [PLANTED])) == []  # `check_makers` then says that nothing is shown


@each_row(
    "text",
    [
        "import remit.policy.permit\n",
        "import remit . policy . permit\n",
        "from remit import policy\n",
        "from remit.policy import Permit\n",
        "from ..policy.permit import Permit\n",
        "from \\\n    .permit import Permit\n",
        "from remit.ｐolicy.permit import Permit\n",  # noqa: RUF001  Python reads it as `policy`
    ],
)
def test_whoever_is_near_is_parsed(text):
    """A file of which the text says that it is not near is not looked at."""
    assert _near(parsed({PLANTED: text}, PLANTED), PERMITS)
    assert _may_be_near(text, PERMITS)


def test_no_file_that_is_near_is_left_out_nightly():
    source = own_source()
    for maker in MAKERS:
        assert not [
            path for path in source if not _may_be_near(source[path], maker) and _near(parsed(source, path), maker)
        ]
