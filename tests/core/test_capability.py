"""The vocabulary: complete, consistent with its foreign names both ways, and refused when it is not."""

import re

import pytest

from counted import calls
from each_row import each_row
from remit.core import Change, DataError, Level, ScopeKind, matches, vocabulary
from remit.core.capability import load

GOOD = "[storage]\nfile.read | dangerous | none | path | a.read | fs.read | reads\n"
FOREIGN = "[Storage]\na.read | READ_A | catalogue | dangerous\n"


@pytest.fixture
def tables(tmp_path):
    def write(ours=GOOD, theirs=FOREIGN):
        (tmp_path / "ours.table").write_text(ours, "utf-8")
        (tmp_path / "theirs.table").write_text(theirs, "utf-8")
        return load(tmp_path / "ours.table", tmp_path / "theirs.table")

    return write


def test_a_word_says_all_about_itself():
    word = vocabulary()["file.write"]
    assert word.level is Level.DANGEROUS
    assert word.change is Change.REVERSIBLE
    assert word.scope_kind is ScopeKind.PATH
    assert word.skillguard == ("filesystem.write",)
    assert word.enclawed == ("fs.write.rev", "fs.write.irrev")
    assert word.meaning


def test_every_word_is_well_formed():
    for word in vocabulary():
        assert re.fullmatch(r"[a-z]+\.[a-z]+|pay|publish", word.name)
        assert not word.meaning.endswith(".")
        assert word.change is Change.NONE or word.name.split(".")[-1] not in ("read", "query")
    assert len(vocabulary()) == 63
    assert "file.read" in vocabulary()
    assert "file.fly" not in vocabulary()
    assert vocabulary().get("file.fly") is None
    with pytest.raises(KeyError):
        vocabulary()["file.fly"]


def test_all_permissions_of_skillguard_are_known_in_both_spellings():
    catalogue = {name.name: name for name in vocabulary().skillguard.values() if name.kind == "catalogue"}
    assert len(catalogue) == 47
    assert len({name.group for name in catalogue.values()}) == 8
    for name in catalogue.values():
        assert vocabulary().expand_skillguard(name.constant) == vocabulary().expand_skillguard(name.name) != ()
        assert name.level in tuple(Level)


def test_levels_agree_with_skillguard_where_a_name_means_one_word():
    for name in vocabulary().skillguard.values():
        if name.level and len(name.expands) == 1:
            assert vocabulary()[name.expands[0]].level == name.level, name.name


def test_a_name_that_both_use_means_the_same():
    for word in vocabulary():
        if word.name in vocabulary().skillguard:
            assert vocabulary().expand_skillguard(word.name) == (word.name,)


@each_row(
    ("name", "expected"),
    [
        ("READ_FILE", ("file.read",)),
        ("network.client", ("api.call", "net.connect")),
        ("AGENT_MEMORY", ("memory.read", "memory.write")),
        ("filesystem.*", ("file.read", "file.write", "file.delete")),
        ("tool.*", ("tool.invoke", "context.load")),
        ("nonsense", ()),
        ("READ_*", ()),
    ],
)
def test_skillguard_names_expand(name, expected):
    assert vocabulary().expand_skillguard(name) == expected


def test_enclawed_tokens_expand_and_every_token_is_known():
    assert vocabulary().expand_enclawed("pay") == ("pay",)
    assert vocabulary().expand_enclawed("publish") == ("commit.push", "message.send", "publish")
    assert vocabulary().expand_enclawed("fs.fly") == ()
    tokens = "net.egress fs.read fs.write.rev fs.write.irrev tool.invoke spawn.proc publish pay mutate.schema"
    assert sorted(vocabulary().enclawed) == sorted(tokens.split())


@each_row(
    ("pattern", "name", "expected"),
    [
        ("file.read", "file.read", True),
        ("file.*", "file.read", True),
        ("*", "pay", True),
        ("file.read", "source.read", True),
        ("file.*", "source.delete", True),
        ("file.*", "source.execute", False),
        ("file.write", "source.read", False),
        ("source.read", "file.read", False),
        ("source.*", "file.read", False),
        ("file.*", "filex.read", False),
        ("file.read", "file.write", False),
        ("pay.*", "pay", False),
        ("file", "file.read", False),
        ("", "pay", False),
    ],
)
def test_patterns(pattern, name, expected):
    assert matches(pattern, name) is expected


def test_patterns_expand_to_words():
    assert vocabulary().expand("clipboard.*") == ("clipboard.read", "clipboard.write")
    assert len(vocabulary().expand("*")) == len(vocabulary())
    assert vocabulary().expand("fly.*") == ()


def test_a_good_table_loads(tables):
    words = tables()
    assert [word.name for word in words] == ["file.read"]
    assert words["file.read"].group == "storage"


@pytest.mark.parametrize(
    ("ours", "theirs", "where"),
    [
        (GOOD + GOOD.split("\n")[1], FOREIGN, "ours.table:3: `file.read` is defined twice"),
        (GOOD.replace("dangerous", "awful"), FOREIGN, "ours.table:2: `awful`"),
        (GOOD.replace("| none |", "| some |"), FOREIGN, "ours.table:2: `some`"),
        (GOOD.replace("| path |", "| place |"), FOREIGN, "ours.table:2: `place`"),
        (GOOD.replace(" | reads", ""), FOREIGN, "ours.table:2: a row has 7 cells"),
        (GOOD.replace(" | reads", " | "), FOREIGN, "ours.table:2: a row has 7 cells"),
        (GOOD.replace(" | reads", " | -"), FOREIGN, "ours.table:2: a capability has a name"),
        (GOOD.replace("[storage]\n", ""), FOREIGN, "ours.table:1: a row precedes"),
        (GOOD.replace("a.read", "b.read"), FOREIGN, "no capability is called `a.read`"),
        (GOOD.replace("a.read", "a.read b.read"), FOREIGN, "ours.table:2: `b.read` is not a SkillGuard name"),
        (GOOD, FOREIGN + FOREIGN, "theirs.table:4: `a.read` is defined twice"),
        (GOOD, FOREIGN.replace("catalogue", "rumour"), "theirs.table:2: `rumour`"),
        (GOOD, FOREIGN.replace("dangerous", "awful"), "theirs.table:2: `awful`"),
        (GOOD, FOREIGN.replace("dangerous", "-"), "theirs.table:2: `` is not a level"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tables, ours, theirs, where):
    with pytest.raises(DataError) as caught:
        tables(ours, theirs)
    assert where in caught.value.message
    assert caught.value.remedy


def test_reading_the_vocabulary_is_quick():
    vocabulary.cache_clear()
    assert calls(vocabulary) < 200 * len(list(vocabulary()))  # about a millisecond
