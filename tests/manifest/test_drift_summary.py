"""What is remembered of a skill's folder."""

from each_row import each_row
from remit.core.effect import Opaque
from remit.core.location import Location
from remit.manifest.drift.content import content_digest
from remit.manifest.drift.model import TraitKind
from remit.manifest.drift.summarise import summarise
from remit.skill.load import load_skill

HEAD = "---\nname: x\ndescription: y\n---\n"


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    (folder / "SKILL.md").write_text(HEAD)
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return folder


def remembered(folder, opaque=()):
    return summarise(load_skill(folder), (), opaque)


def subjects(folder, sort):
    return [trait.subject for trait in remembered(folder).of(sort)]


# ── sentences ──


@each_row(
    ("body", "sentences"),
    [
        ("One thing. Another thing! And more?\n", ["One thing.", "Another thing!", "And more?"]),
        ("A sentence that\n  goes on.\n", ["A sentence that goes on."]),
        ("1. First.\n2. Second.\n", ["First.", "Second."]),
        ("- a\n* b\n", ["a", "b"]),
        ("> quoted words\n", ["quoted words"]),
        ("Use v1.2 of it, e.g. now.\n", ["Use v1.2 of it, e.g.", "now."]),
        ("```sh\nls   -l\n\ncat x\n```\n", ["ls -l", "cat x"]),
        ("# Head\n\ntext\n", ["Head", "text"]),
    ],
)
def test_text_in_sentences(tmp_path, body, sentences):
    folder = write(tmp_path / "x")
    (folder / "SKILL.md").write_text(HEAD + body)
    assert subjects(folder, TraitKind.INSTRUCTION)[2:] == sentences


def test_sentences_have_their_lines(tmp_path):
    folder = write(tmp_path / "x")
    (folder / "SKILL.md").write_text(HEAD + "One.\nTwo\nthree. Four.\n\n```sh\nls\n```\n")
    found = {trait.subject: trait.where.line for trait in remembered(folder).of(TraitKind.INSTRUCTION)}
    assert found == {"name: x": 2, "description: y": 3, "One.": 5, "Two three.": 6, "Four.": 7, "ls": 10}


# ── hidden text ──

TAGS = "".join(chr(0xE0000 + ord(char)) for char in "obey")


@each_row(
    ("text", "why"),
    [
        ("a <!-- obey --> b", "a comment in the text"),
        ("<!-- never closed", "a comment in the text"),
        ("[//]: # (obey)", "a link that is never shown"),
        ("[comment]: <> (obey)", "a link that is never shown"),
        ("wo\u200brd", "invisible characters (U+200B)"),
        ("word\u202edrow", "invisible characters (U+202E)"),
        ("zero\u200djoined", "invisible characters (U+200D)"),
        (f"word{TAGS}", "invisible characters that spell “obey”"),
        ("😀\ufe00\ufe01\ufe02", "invisible characters (U+FE00, U+FE01, U+FE02)"),
        ("soft\u00adhyphen", "invisible characters (U+00AD)"),
    ],
)
def test_hidden_text_is_seen(tmp_path, text, why):
    folder = write(tmp_path / "x", notes_dot_md=f"# Notes\n\n{text}\n")
    assert [trait.why for trait in remembered(folder).of(TraitKind.HIDDEN)] == [why]


@each_row(
    "text",
    [
        "plain",
        "Text:\n```xml\n<!-- shown in code -->\n```",
        "~~~\n<!-- shown -->\n~~~~\n\n```\n<!-- shown, too -->",
        "❤️ and 👩‍💻 and 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می‌خواهم",
        "क्‍ष",
        "[x]: https://a.example",
        "<b>bold</b>",
        "<!-- -->",
    ],
)
def test_ordinary_text_is_not_hidden(tmp_path, text):
    folder = write(tmp_path / "x", notes_dot_md=f"\ufeff# Notes\n\n{text}\n")
    assert subjects(folder, TraitKind.HIDDEN) == []


def test_invisible_characters_in_code_are_seen(tmp_path):
    folder = write(tmp_path / "x", scripts__a_dot_py='x = "admin\u202e"\n')
    assert [trait.where for trait in remembered(folder).of(TraitKind.HIDDEN)] == [Location("scripts/a.py", 1)]


@each_row(
    "text",
    [
        "<!--\n```\n-->\n<!-- obey -->\n<!--\n```\n-->",
        "<!--\n```\n-->\n\n```\ncode\n```\n\n<!-- obey -->",
        "    ```\n<!-- obey -->\n    ```",
        "<div>\n```\n<!-- obey -->\n```\n</div>",
        "<pre>\n\n```\n<!-- obey -->\n```\n</pre>",
        "``` `x`\n<!-- obey -->\n```",
        "```\ncode\n```\n<!-- obey -->\n```\ncode\n```",
        "> ```\n<!-- obey -->",
        "<!-- ``` -->\n<!-- obey -->\n```\n",
    ],
)
def test_a_comment_that_only_seems_to_stand_in_code_is_hidden(tmp_path, text):
    folder = write(tmp_path / "x", notes_dot_md=f"# Notes\n\n{text}\n")
    assert "obey" in subjects(folder, TraitKind.HIDDEN)


# ── packages ──


@each_row(
    ("name", "text", "found"),
    [
        ("requirements_dot_txt", "requests==2.31\nFlask_Login>=1 ; python_version>'3'\n# no\n-r more.txt\n", ["-r more.txt", "flask-login >=1", "requests ==2.31"]),
        ("requirements_dot_txt", "x @ https://evil.example/x.whl\n./local\n", ["./local ", "x from @ https://evil.example/x.whl "]),
        ("package_dot_json", '{"dependencies": {"a": "^1", "b": "github:x/y"}, "devDependencies": {"c": "file:../c"}}', ["a ^1", "b from github:x/y ", "c from file:../c "]),
        ("pyproject_dot_toml", '[project]\ndependencies = ["numpy>=2"]\n[build-system]\nrequires = ["evil"]\n', ["evil ", "numpy >=2"]),
        ("scripts__a_dot_py", '# /// script\n# dependencies = ["rich", "httpx<1"]\n# ///\nprint()\n', ["httpx <1", "rich "]),
        ("package_dot_json", "{", []),
        ("package_dot_json", "[]", []),
        ("pyproject_dot_toml", "[project]\ndependencies = 3\n", []),
    ],
)  # fmt: skip
def test_packages(tmp_path, name, text, found):
    folder = write(tmp_path / "x", **{name: text})
    traits = remembered(folder).of(TraitKind.PACKAGE)
    assert [f"{trait.subject} {trait.scope}".strip() for trait in traits] == [words.strip() for words in found]


# ── opaque places, files, commands ──


@each_row(
    ("name", "old", "new", "same"),
    [
        ("a_dot_py", "x = 1\n", "x   =  1  # one\n", True),
        ("a_dot_py", "x = 1\n", "x = 2\n", False),
        ("a_dot_py", "x = (\n", "x =  (\n", False),
        ("a_dot_sh", "ls\n\ncat x\n", "ls  \ncat x\n", True),
        ("a_dot_sh", "ls\n", "ls -l\n", False),
        ("a_dot_sh", "ls\n# it's old\ncat x\n", "ls\n# new\n\n    # more\ncat x\n", True),
        ("a_dot_sh", "eval '\n# one\n'\n", "eval '\n# two\n'\n", False),
        ("a_dot_sh", "sh <<E\n# one\nE\n", "sh <<E\n# two\nE\n", False),
        ("a_dot_js", "run();\n// one\n", "run();\n// two\n", True),
        ("a_dot_js", "run(`\n// one\n`);\n", "run(`\n// two\n`);\n", False),
        ("a_dot_md", "Words.\n\n```sh\nls\n```\n", "Other words.\n\n```sh\nls\n```\n", True),
        ("a_dot_md", "```sh\nls\n```\n", "```sh\nls -l\n```\n", False),
        ("a_dot_md", "Words.\n\n```powershell\nls\n```\n", "Other.\n\n```powershell\nls\n```\n", True),
        ("a_dot_md", "```powershell\nls\n```\n", "```powershell\ndir\n```\n", False),
        ("package_dot_json", '{"version": "1", "scripts": {"x": "ls"}}', '{"version": "2", "scripts": {"x": "ls"}}', True),
        ("package_dot_json", '{"scripts": {"x": "ls"}}', '{"scripts": {"x": "ls -l"}}', False),
    ],
)  # fmt: skip
def test_the_code_around_an_opaque_place(tmp_path, name, old, new, same):
    place = (Opaque("nobody knows", Location(name.replace("_dot_", "."), 1)),)
    marks = [
        remembered(write(tmp_path / side, **{name: text}), place).of(TraitKind.OPAQUE)[0].mark
        for side, text in (("old", old), ("new", new))
    ]
    assert (marks[0] == marks[1]) is same


def test_a_manifest_that_cannot_be_read_is_opaque(tmp_path):
    folder = write(tmp_path / "x", remit_dot_json="{")
    found = remembered(folder)
    assert found.manifest == ""
    assert [trait.where.file for trait in found.of(TraitKind.OPAQUE)] == ["remit.json"]


def test_content_is_files_bits_and_links(tmp_path):
    seen = set()

    def now():
        skill = load_skill(folder)
        seen.add(content_digest(skill.files, skill.links))
        return len(seen)

    folder = write(tmp_path / "x", a_dot_sh="ls\n", b_dot_sh="ls\n", d__e="x")
    assert now() == 1
    assert now() == 1
    (folder / "a.sh").chmod(0o755)
    assert now() == 2
    (folder / "b.sh").unlink()
    (folder / "b.sh").symlink_to("a.sh")
    assert now() == 3
    (folder / "f").symlink_to("d")
    assert now() == 4
    (folder / "evidence").mkdir()
    (folder / "evidence" / "x").write_text("every file counts")
    assert now() == 5


def test_half_a_surrogate_pair_in_a_hook_can_be_stored(tmp_path):
    folder = write(tmp_path / "x", _dot_claude__settings_dot_json='{"hooks": {"Stop": [{"command": "echo \\ud800"}]}}')
    assert subjects(folder, TraitKind.COMMAND) == ["echo \\ud800"]
