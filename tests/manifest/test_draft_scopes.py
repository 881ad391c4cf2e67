"""Scopes of a drafted entry: nothing is lost, and nothing occurs twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core.scope import ANY_SCOPE, ScopeKind, covers, parse_scope
from remit.manifest.draft.scopes import compact

PATHS = [
    "./a",
    "./a/b",
    "./a/*",
    "./a/**",
    "./**",
    "./*",
    "~/a",
    "/etc/a",
    "<arg>",
    "<arg>/a",
    "<arg>/**",
    "any",
    "$TMP/*",
    ".",
]
HOSTS = ["a.example", "a.example:443", "*.example", "b.a.example", "*", "any"]
NAMES = ["git", "gi*", "*", "npm"]
SETS = st.one_of(
    *(
        st.lists(st.sampled_from([parse_scope(kind, text) for text in texts]), max_size=8)
        for kind, texts in ((ScopeKind.PATH, PATHS), (ScopeKind.HOST, HOSTS), (ScopeKind.NAME, NAMES))
    )
)


@given(SETS)
def test_everything_is_still_held_and_nothing_holds_another(scopes):
    kept = compact(scopes)
    assert all(any(covers(one, scope) for one in kept) for scope in scopes)
    narrow = [one for one in kept if one != ANY_SCOPE]  # `any` stands beside the others: what is known is decided apart
    assert not any(covers(one, other) for one in narrow for other in narrow if one != other)
    assert set(kept) <= set(scopes)


@pytest.mark.parametrize("count", [2000])
def test_many_plain_scopes_are_quick(count):
    scopes = [parse_scope(ScopeKind.PATH, f"./data/file-{number}.csv") for number in range(count)]
    assert len(compact(scopes)) == count
