"""The files under a pattern: every one that the pattern covers, without a look into folders to which it cannot lead."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core.scope import ScopeKind, covers, parse_scope
from remit.guard.call_analysis.path_patterns import files_under
from remit.guard.paths import file_scope, fixed_start

NAMES = ("a", "ab", "B", "[x]", "tmp1")
PARTS = st.sampled_from((*NAMES[:3], "\\[x]", "*", "a*", "?b", "tmp*", "**"))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    for one in NAMES:
        for two in NAMES:
            (root / one / two).mkdir(parents=True)
            (root / one / two / "a").touch()
            (root / one / two / "tmp1").touch()
    return root


@given(st.lists(PARTS, min_size=1, max_size=4))
def test_every_file_that_a_pattern_covers_is_found(tree, parts):
    scope = parse_scope(ScopeKind.PATH, f"{tree}/{'/'.join(parts)}")
    found = {path for path, _ in files_under(scope)}
    every = {os.path.join(folder, name) for folder, inner, files in os.walk(tree) for name in (*inner, *files)}
    inside = {
        path for path in every if path.startswith(f"{fixed_start(scope)}/")
    }  # the folder itself is looked at by its name
    assert {path for path in inside if covers(scope, file_scope(path))} <= found


def test_folders_to_which_a_pattern_does_not_lead_are_not_read(tree, monkeypatch):
    read = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: (read.append(folder), scan(folder))[1])
    found = [path for path, _ in files_under(parse_scope(ScopeKind.PATH, f"{tree}/tmp*/**"))]
    assert len(found) == 1 + len(NAMES) * 3
    assert all(folder == str(tree) or folder.startswith(f"{tree}/tmp1") for folder in read)


def test_capitals_make_no_difference(tree):
    found = [path for path, _ in files_under(parse_scope(ScopeKind.PATH, f"{tree}/?/?B/*"))]
    assert f"{tree}/B/ab/a" in found
