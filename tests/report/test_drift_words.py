"""What differences are called, and that nothing a skill's author wrote can format or hide in a comment."""

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.location import Location
from remit.manifest.drift.compare import compare
from remit.manifest.drift.model import NOTHING, Summary, Trait, TraitKind, in_order
from remit.report.drift_md import drift_md
from remit.report.drift_words import Compared, changed_files, changed_sentences, verdict_line, word_diff
from remit.report.markdown import cell, code


def side(content, *traits, name="x"):
    return Summary(name, content, "", in_order(traits))


def can(capability, scope):
    return Trait(TraitKind.CAPABILITY, capability, Location("a.py", 1), (scope,), "script", "why")


def file(path, mark):
    return Trait(TraitKind.FILE, path, Location(path), mark=mark)


def says(old, new):
    return verdict_line(Compared(compare(old, new), "old", "new"))


@each_row(
    ("old", "new", "line"),
    [
        (side("1"), side("1"), "gains nothing; not a byte changed"),
        (side("1", file("a", "1")), side("2", file("a", "2")), "gains nothing; 1 file changed"),
        (side("1"), side("2", can("web.post", "evil.example")), "gains: web.post(evil.example)"),
        (
            side("1"),
            side("2", *(can("file.read", f"./{n}") for n in range(5))),
            "gains: file.read(./0, ./1, +3)",
        ),
        (
            side("1"),
            side("2", *(can(f"{name}.read", "any") for name in ("file", "memory", "profile", "schedule", "secret", "source", "db", "clipboard"))),
            "gains: secret.read(any), clipboard.read(any), file.read(any), db.read(any), memory.read(any), profile.read(any), and 2 more",
        ),
    ],
)  # fmt: skip
def test_the_verdict_is_one_line(old, new, line):
    assert says(old, new) == line


def test_a_skill_on_one_side_only():
    only = side("1", can("file.read", "./a"))
    assert verdict_line(Compared(compare(NOTHING, only), None, "new")) == "is new: file.read(./a)"
    assert verdict_line(Compared(compare(only, NOTHING), "old", None)) == "is missing"


def test_what_is_opaque_is_part_of_the_verdict():
    opaque = Trait(TraitKind.OPAQUE, "nobody knows", Location("a.py", 1), origin="script", mark="1")
    old, new = side("1", opaque, file("b", "1")), side("2", opaque, file("b", "2"))
    assert says(old, new) == "gains nothing that can be determined (1 location opaque before and after); 1 file changed"


@each_row(
    ("before", "after", "words"),
    [
        ("sha256:1", "sha256:2", "changed"),
        ("sha256:1", "sha256:1 executable", "is now executable"),
        ("sha256:1 executable", "sha256:2", "changed, is no longer executable"),
        ("sha256:1", "sha256:1 link to b.py", "is now a link to b.py"),
        ("sha256:1 link to b.py", "sha256:1", "is no longer a link"),
        ("sha256:1", "folder link to d", "changed, is now a folder link to d"),
    ],
)
def test_how_a_file_changed(before, after, words):
    assert changed_files(compare(side("1", file("a", before)), side("2", file("a", after)))) == {"a": words}


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_word_diff_holds_both_sides(old, new):
    pieces = list(word_diff(old, new))
    assert "".join(text for sign, text in pieces if sign in " -") == old
    assert "".join(text for sign, text in pieces if sign in " +") == new


def test_alike_sentences_are_one_change():
    def say(text, mark):
        return Trait(TraitKind.INSTRUCTION, text, Location("SKILL.md", 4), mark=mark)

    old = side("1", say("Show the total to the user.", "1"), say("Nothing alike.", "2"))
    new = side("2", say("Show the sum to the user.", "3"), say("Something else entirely here", "4"))
    found = [(one.old, one.new) for one in changed_sentences(compare(old, new))]
    assert found == [
        ("Show the total to the user.", "Show the sum to the user."),
        ("", "Something else entirely here"),
        ("Nothing alike.", ""),
    ]


@given(st.text(alphabet=st.sampled_from("`|\\<>@#*_\n a\u202e\x1b"), max_size=30))
def test_code_in_markdown_cannot_be_left(text):
    shown = code(text)
    if not shown:
        return
    fence = len(shown) - len(shown.lstrip("`"))
    assert "`" * fence not in shown[fence:-fence].replace("`" * (fence + 1), "")
    assert "\n" not in shown
    assert "\x1b" not in shown
    bare = cell(text).replace("\\\\", "")  # a pair is a backslash; what is left before a bar escapes it
    assert not any(char == "|" and bare[at - 1 : at] != "\\" for at, char in enumerate(bare))


def test_a_name_cannot_format_a_comment():
    evil = "x`\n# <img src=x> @everyone | `"
    new = side("2", Trait(TraitKind.COMMAND, evil, Location(evil, 1), why=evil), name=evil)
    text = "\n".join(drift_md([Compared(compare(side("1"), new), "old", "new")]))
    assert "\n# <img" not in text
    assert [line for line in text.split("\n") if "@everyone" in line and "`" not in line] == []
