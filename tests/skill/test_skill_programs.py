import json

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.effect import Origin
from remit.skill.load import load_skill
from remit.skill.makefile import recipes
from remit.skill.notebook import cells, split_magics
from remit.skill.program import programs


def build(tmp_path, **files):
    root = tmp_path / "demo"
    root.mkdir(exist_ok=True)
    files.setdefault("SKILL.md", "---\nname: demo\n---\n")
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return programs(load_skill(root))


def shown(program):
    text = program.source.decode()
    for char, placeholder in program.holes.items():
        text = text.replace(char, placeholder)
    return text


def test_files_and_polyglots(tmp_path):
    found = build(tmp_path, **{"a.py": "x", "b.sh": "#!/usr/bin/python3\n", "c.rb": "x", "d.json": "{}"})
    assert [(program.file, program.language, program.form) for program in found] == [
        ("a.py", "python", "file"),
        ("b.sh", "python", "file"),
        ("b.sh", "shell", "file"),
    ]
    assert all(program.origin is Origin.SCRIPT and program.line(3) == 3 for program in found)


def test_fences_of_one_document_form_one_program(tmp_path):
    text = "---\nname: x\n---\n```bash\na=1\nrm <file>\n```\ntext\n```sh\nls\n```\n```python\nimport os\n```\n"
    shell, python = build(tmp_path, **{"SKILL.md": text})
    assert shown(shell) == "a=1\nrm <file>\nls"
    assert [shell.line(number) for number in (1, 2, 3)] == [5, 6, 10]
    assert (shell.origin, python.language, python.line(1)) == (Origin.INSTRUCTED, "python", 13)


def test_a_fence_that_would_swallow_the_others_stands_alone(tmp_path):
    text = "```bash\necho don't\n```\n```bash\nrm x\n```\n```python\ndef f(\n```\n```python\nx = 1\n```\n"
    found = build(tmp_path, **{"SKILL.md": text})
    assert sorted(shown(program) for program in found) == ["def f(", "echo don't", "rm x", "x = 1"]


@each_row(
    ("fence", "expected"),
    [
        ("```console\n$ rm x\nremoved\n```", [("shell", "rm x")]),
        ("```\nrm -rf x\n```", [("shell", "rm -rf x")]),
        ("```text\nrm -rf x\n```", [("shell", "rm -rf x")]),
        ("```\nsome words\nrm -rf x\nmore words here\nand more\n```", [("shell", "rm -rf x")]),
        ("```\n├── a\n└── b\n```", []),
        ("```json\n{}\n```", []),
        ("```rust\nfn main() {}\n```", []),
        ("```\n>>> import os\n>>> os.remove('x')\n```", [("python", "import os\nos.remove('x')")]),
        ("```python\n!rm x\nimport os\n```", [("python", "pass\nimport os"), ("shell", "rm x")]),
        ("```python\n    import os\n```", [("python", "import os")]),
        ("```python\npip install x\n```", [("shell", "pip install x")]),
        ("```typescript\nx\n```", [("ts", "x")]),
        ("```jsx\nx\n```", [("js", "x")]),
        ("    rm -rf x\n", [("shell", "rm -rf x")]),
        ("```bash\n\n```", []),
        ("```scripts\nrun.py\n```", []),
    ],
)
def test_what_a_fence_runs(tmp_path, fence, expected):
    found = build(tmp_path, **{"SKILL.md": f"Do:\n\n{fence}\n"})
    assert [(program.language, shown(program)) for program in found] == expected


@each_row(
    ("code", "expected"),
    [
        ("f(a=1, ...)", ["f(a=1)"]),
        ("f(\n    a=1,\n    ...\n)", ["f(\n    a=1\n    \n)"]),
        ("if x:\n    # nothing\ny = 1", ["if x: pass\n    # nothing\ny = 1"]),
        ("class A:  # note\nx = 1", ["class A: pass  # note\nx = 1"]),
        ("import os\n\nthis is some prose\n\nos.remove('x')", ["import os\n\nos.remove('x')", "this is some prose\n"]),
    ],
)
def test_sketches_are_filled_in(tmp_path, code, expected):
    found = build(tmp_path, **{"SKILL.md": f"```python\n{code}\n```\n"})
    assert [shown(program) for program in found] == expected
    assert all(len(program.lines) == shown(program).count("\n") + 1 for program in found)


def test_languages_that_are_not_analysed_are_named(tmp_path):
    (program,) = build(tmp_path, **{"SKILL.md": "```ruby\nFile.delete 'x'\n```\n"})
    assert program.language == "ruby"
    assert "ruby" in program.opaque


@each_row(
    ("text", "spans"),
    [
        ("Run `rm -rf build` now.", "rm -rf build"),
        ("Run `scripts/x.py in`.", "scripts/x.py in"),
        ("Never run `rm -rf build`.", None),
        ("The `rm` command.", None),
        ("See `some words`.", None),
        ("| `git push` | pushes |", "git push"),
        ("## The `git push` step", None),
    ],
)
def test_inline_commands(tmp_path, text, spans):
    found = [program for program in build(tmp_path, **{"SKILL.md": text, "scripts/x.py": ""}) if program.form == "span"]
    assert [shown(program) for program in found] == ([spans] if spans else [])


def test_what_the_host_runs_is_a_hook(tmp_path):
    text = "---\nname: x\nhooks:\n  Stop:\n    - command: ${CLAUDE_PLUGIN_ROOT}/x.sh <y>\n---\nNow: !`git status $ARGUMENTS`\n"
    bang, hook = build(tmp_path, **{"SKILL.md": text})
    assert (bang.origin, bang.form, bang.line(1)) == (Origin.HOOK, "bang", 7)
    assert list(bang.holes.values()) == ["$ARGUMENTS"]
    assert (hook.origin, hook.line(1), list(hook.anchors.values())) == (Origin.HOOK, 5, ["skill"])
    assert hook.source.decode().endswith("/x.sh <y>")


def test_texts_for_people_are_marked(tmp_path):
    (program,) = build(tmp_path, **{"README.md": "```sh\nnpm install\n```\n"})
    assert program.note == "a text for people"


def test_placeholders_of_the_folder(tmp_path):
    (program,) = build(
        tmp_path, **{"SKILL.md": "---\nname: demo\n---\n```sh\npython ~/.claude/skills/demo/x.py <in>\n```\n"}
    )
    assert list(program.anchors.values()) == ["skill"]
    assert list(program.holes.values()) == ["<in>"]


def test_life_cycle_scripts_are_hooks(tmp_path):
    found = build(tmp_path, **{"package.json": '{"scripts": {"postinstall": "curl x | sh",\n "build": "tsc"}}'})
    assert [(shown(program), program.origin, program.line(1)) for program in found] == [
        ("curl x | sh", Origin.HOOK, 1),
        ("tsc", Origin.SCRIPT, 2),
    ]


def test_autoloaded_programs_are_hooks(tmp_path):
    found = build(tmp_path, **{"conftest.py": "x = 1\n", ".husky/pre-commit": "npm test\n"})
    assert [(program.file, program.language, program.origin) for program in found] == [
        (".husky/pre-commit", "shell", Origin.HOOK),
        ("conftest.py", "python", Origin.HOOK),
    ]


def test_plugins_hooks_are_followed(tmp_path):
    found = build(
        tmp_path,
        **{
            ".claude-plugin/plugin.json": '{"hooks": "./config/h.json"}',
            "config/h.json": '{"hooks": {"Stop": [{"command": "rm x"}]}}',
        },
    )
    assert [(program.file, shown(program)) for program in found] == [("config/h.json", "rm x")]


def test_plugins_hooks_that_are_missing_are_opaque(tmp_path):
    (missing,) = build(tmp_path, **{"plugin.json": '{"hooks": "./none.json"}'})
    assert "none.json" in missing.opaque


def test_a_link_says_nothing_new(tmp_path):
    root = tmp_path / "demo"
    root.mkdir()
    (root / "SKILL.md").write_text("x")
    (root / "a.py").write_text("x")
    (root / "b.py").symlink_to("a.py")
    (root / "c.sh").symlink_to("a.py")
    assert [(program.file, program.language) for program in programs(load_skill(root))] == [
        ("a.py", "python"),
        ("c.sh", "shell"),
    ]


def book(*sources, **metadata):
    return json.dumps(
        {
            "cells": [{"cell_type": "code", "source": source} for source in sources]
            + [{"cell_type": "markdown", "source": "x"}],
            "metadata": metadata,
        },
        indent=1,
    ).encode()


def test_notebook():
    data = book(
        ["import os\n", "!rm {name}\n", "os.remove('x')"], "%%bash\nls\n", "%matplotlib inline\ny = 1", "%time f()"
    )
    python, *shell = cells(data)
    assert python.text == "import os\npass\nos.remove('x')\npass\ny = 1\nf()\n"
    rows = data.decode().split("\n")
    assert "os.remove" in rows[python.lines[2] - 1]
    assert sorted(held.text for held in shell) == ["ls\n", "rm $name"]


@each_row("data", [b"{", b"[]", b"{}", b'{"cells": 1}', book("%%perl\nx"), book("x", kernelspec={"language": "R"})])
def test_notebooks_that_are_not_read_are_opaque(data):
    assert any(held.opaque for held in cells(data))


def test_magics_that_are_unknown_stay_unreadable():
    assert split_magics("%run other.py\nx % y\nx = 5 % 3\nif a != b: pass") == (
        "%run other.py\nx % y\nx = 5 % 3\nif a != b: pass",
        [],
    )
    assert split_magics("files = !ls\nx") == ("pass\nx", [(0, "ls")])


MAKE = """DIR := build
FILES = $(DIR)/a.o
HASH := $(shell git rev-parse HEAD)

.PHONY: clean
clean: deps
\t@rm -rf $(DIR) $$HOME
\t-rm $(FILES) \\
\t  $@

one: ; echo $(UNKNOWN)
"""


def test_makefile():
    found = recipes(MAKE.encode())
    assert [(held.text if not held.holes else None, held.line) for held in found if not held.asked] == [
        ("git rev-parse HEAD", 3)
    ]
    clean, one = [held for held in found if held.asked]
    assert clean.text.split("\n")[0] == "rm -rf build $HOME"
    assert clean.text.split("\n")[1] == "rm build/a.o \\"
    assert clean.lines[:2] == (7, 8)
    assert list(clean.holes.values()) == ["$@"]
    assert list(one.holes.values()) == ["$(UNKNOWN)"]


def test_makefile_keeps_every_value_that_a_variable_can_have():
    (held,) = recipes(b"ifdef X\nD = a\nelse\nD = b\nendif\nall:\n\trm $(D)\n")
    assert held.text == "rm a\nrm b"
    assert held.lines == (7, 7)


@each_row(
    "text",
    [
        "include x.mk\n",
        "define f\nx\nendef\n",
        "$(eval $(x))\n",
        "SHELL = /usr/bin/python3\nall:\n\tx\n",
        "-include x\n",
    ],
)
def test_makefile_parts_that_are_not_read(text):
    assert any(held.opaque for held in recipes(text.encode()))


@each_row(
    "text",
    [
        "A = $(A)\nall:\n\t$(A)\n",
        "A = $(B)\nB = $(A)\nall:\n\t$(A)\n",
        "all:\n\t$(\n",
        "\tx\n",
        "a: b\n\t$(A" + "$(A" * 50,
    ],
)
def test_makefile_loops_end(text):
    assert all(held.opaque or held.text.strip() for held in recipes(text.encode()))


@given(st.text(alphabet="ab:=$(){}\t\n\\#+@ ", max_size=80))
def test_any_makefile(text):
    for held in recipes(text.encode()):
        assert held.opaque or not held.lines or len(held.lines) == held.text.count("\n") + 1


@given(st.text(alphabet="!%=ab \n", max_size=60))
def test_magics_keep_the_lines(text):
    python, shell = split_magics(text)
    assert python.count("\n") == text.count("\n")
    assert all(0 <= index <= text.count("\n") for index, _ in shell)
