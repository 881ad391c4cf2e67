"""What a run takes over from an earlier one is what it would have made itself; what is not ours is not taken."""

import gc
import importlib
import os
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import remit
from remit.analysis.commands import catalog
from remit.checker import table_file
from remit.core import patterns, table_store
from remit.core.table import DATA, read_toml
from remit.core.table_store import STORE, plain
from remit.findings import clauses, commandtable, harms, order_score
from remit.skill.prose import lexicon, mentions, orders

TABLES = (
    clauses.lexicon,
    catalog._own,
    commandtable._sections,
    harms._needs,
    harms.table,
    order_score._gains,
    order_score.weights,
    lexicon.lexicon,
    importlib.import_module("remit.core.sensitive").places,
    orders._data,
    mentions._words,
)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The path of a file, and an empty store."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for name, value in vars(table_store.TableStore()).items():
        monkeypatch.setattr(STORE, name, value)
    yield str(tmp_path / "file.tables")
    for one in TABLES:
        one.cache_clear()


def reopen(path):
    """As the next process begins."""
    table_file.save_tables(path)
    for name, value in vars(table_store.TableStore()).items():
        setattr(STORE, name, value)
    table_file.open_tables(path)
    for one in TABLES:
        one.cache_clear()


def test_tables_come_back_as_they_were_made(store):
    table_file.open_tables(store)
    for one in TABLES:
        one.cache_clear()
    made = [one() for one in TABLES]
    settings = read_toml(DATA / "credentials.toml")
    reopen(store)
    assert len(STORE.tables) >= len(TABLES)
    kept = [one() for one in TABLES]
    assert [repr(type(one)) for one in kept] == [repr(type(one)) for one in made]
    assert kept == made
    assert {type(entry) for entries in kept[0].values() for entry in entries} == {clauses.Entry}
    assert read_toml(DATA / "credentials.toml") == settings
    assert not STORE.new_tables


def test_every_pattern_is_what_python_compiles(store):
    for module in pkgutil.walk_packages(remit.__path__, "remit."):
        own = module.name.startswith(("remit.core", "remit.skill", "remit.findings", "remit.analysis."))
        if own and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.unfreeze()  # a command that ran in this process may have set objects aside
    every = {(one._text, one._flags) for one in gc.get_objects() if type(one) is patterns._Lazy}
    assert len(every) > 400
    table_file.open_tables(store)
    for text, flags in every:
        patterns.compile_pattern(text, flags)
    reopen(store)
    assert STORE.patterns.keys() >= every
    for text, flags in every:
        found, wanted = patterns.compile_pattern(text, flags), re.compile(text, flags)
        assert found == wanted
        assert (found.groups, found.groupindex, found.pattern) == (wanted.groups, wanted.groupindex, wanted.pattern)
    assert not STORE.new_patterns


def test_runs_add_to_what_others_have_kept(store):
    table_file.open_tables(store)
    patterns.compile_pattern("a+")
    table_file.save_tables(store)
    patterns.compile_pattern("b+")
    reopen(store)
    assert {text for text, _ in STORE.patterns} == {"a+", "b+"}


@pytest.mark.parametrize("spoil", ["damage", "cut", "empty", "state", "group", "others", "folder"])
def test_a_file_that_is_not_ours_is_not_there(store, monkeypatch, spoil):
    table_file.open_tables(store)
    patterns.compile_pattern("a+")
    table_file.save_tables(store)
    data = Path(store).read_bytes()
    if spoil == "damage":
        Path(store).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif spoil == "cut":
        Path(store).write_bytes(data[:-4])
    elif spoil == "empty":
        Path(store).write_bytes(b"")
    elif spoil == "state":
        monkeypatch.setattr(table_file, "installed_state", lambda: "another")
    elif spoil == "folder":
        os.unlink(store)
        os.mkdir(store)
    else:
        os.chmod(store, 0o664 if spoil == "group" else 0o646)
    reopen(store)
    assert not STORE.patterns
    assert patterns.compile_pattern("a+") == re.compile("a+")


def test_what_others_own_is_not_taken(store, monkeypatch):
    table_file.open_tables(store)
    patterns.compile_pattern("a+")
    table_file.save_tables(store)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    seen = os.stat(store)
    assert table_file._is_ours(seen) == (seen.st_uid == os.stat(table_file.__file__).st_uid)
    assert not table_file._is_ours(os.stat_result((*seen[:4], 4712, *seen[5:])))


def test_where_nothing_can_be_written_nothing_is_kept(store, monkeypatch):
    table_file.open_tables(store)
    patterns.compile_pattern("a+")
    table_file.save_tables("/proc/no/such/folder/file.tables")
    patterns.compile_pattern("b+")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    table_file.save_tables(store)
    assert not os.path.exists(store)


def test_a_store_that_nobody_opened_notes_nothing(store):
    patterns.compile_pattern("a+")
    order_score.weights.cache_clear()
    order_score.weights()
    assert not STORE.new_patterns
    assert not STORE.new_tables


def test_what_is_shared_stays_shared():
    one = clauses.Entry(("a",), "noun", "b")
    found = plain({"x": (one, one), "y": [one]})
    assert found == {"x": (tuple(one), tuple(one)), "y": [tuple(one)]}
    assert type(found["y"][0]) is tuple
    assert found["x"][0] is found["y"][0]
