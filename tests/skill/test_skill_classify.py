import io
import tomllib
import zipfile
from importlib.resources import files

from each_row import each_row
from remit.skill.classify import classify, read_shebang
from remit.skill.config_commands import READERS
from remit.skill.model import Limits, Stance
from remit.skill.walk import RawFile

ANALYSED, INERT, OPAQUE = Stance.ANALYSED, Stance.INERT, Stance.OPAQUE


def judge(path, data=b"x\n", *, executable=False):
    return classify(RawFile(path, len(data), "0" * 64, data, data, executable), Limits())


@each_row(
    ("path", "languages"),
    [
        ("a.py", ("python",)), ("a.sh", ("shell",)), ("a.bash", ("shell",)), ("a.js", ("js",)), ("a.cjs", ("js",)), ("a.jsx", ("js",)),
        ("a.ts", ("ts",)), ("a.mts", ("ts",)), ("a.tsx", ("tsx",)), ("A.PY", ("python",)), ("x/y.z.py", ("python",)),
    ],
)  # fmt: skip
def test_programs_by_ending(path, languages):
    file = judge(path)
    assert (file.languages, file.stance) == (languages, ANALYSED)


@each_row(
    "path",
    [
        "a.d.ts",
        "a.json",
        "a.csv",
        "LICENSE",
        "a.png",
        "a.woff2",
        "a.html",
        "a.sql",
        "a.zip",
        "plain",
        "a.unknown",
        ".gitignore",
    ],
)
def test_inert(path):
    assert judge(path).stance is INERT


@each_row(
    "path",
    [
        "a.rb",
        "a.pl",
        "a.php",
        "a.lua",
        "a.go",
        "a.rs",
        "a.java",
        "a.swift",
        "a.ps1",
        "a.bat",
        "a.scpt",
        "a.R",
        "a.pyc",
        "a.so",
        "a.jar",
        "a.pyz",
        "a.zsh",
        "a.fish",
        "a.pkl",
        "a.docm",
        "a.exe",
    ],
)
def test_opaque_by_name(path):
    file = judge(path)
    assert file.stance is OPAQUE
    assert file.reason


@each_row(
    ("line", "program"),
    [
        ("#!/bin/bash", "bash"), ("#!/usr/bin/env python3", "python3"), ("#!/usr/bin/env -S uv run --script", "uv"), ("#! /usr/bin/python3 -u", "python3"),
        ("#!/usr/bin/env -S FOO=1 node --x", "node"), ("#!/bin/sh\r", "sh"), ("# !/bin/sh", ""), ("#!", ""), ("\ufeff#!/bin/sh", "sh"),
    ],
)  # fmt: skip
def test_shebangs(line, program):
    assert read_shebang(f"{line}\nx\n".encode()).program == program


@each_row(
    ("path", "head", "languages", "stance"),
    [
        ("tool", b"#!/usr/bin/env python3\n", ("python",), ANALYSED),
        ("tool.txt", b"#!/bin/sh\n", ("shell",), ANALYSED),
        ("a.ts", b"#!/usr/bin/env node\n", ("ts",), ANALYSED),
        ("tool", b"#!/usr/bin/env ruby\n", (), OPAQUE),
        ("a.sh", b"#!/usr/bin/env zsh\n", (), OPAQUE),
        ("tool", b"#!/opt/unheard-of\n", (), OPAQUE),
        ("a.png", b"#!/bin/sh\nrm x\n", ("shell",), ANALYSED),
        ("a.sh", b"#!/usr/bin/python3\n", ("python", "shell"), ANALYSED),
        ("a.py", b"#!/bin/sh\n''':'\nexec python3 \"$0\" \"$@\"\n'''\n", ("shell", "python"), ANALYSED),
        ("tool", b'#!/bin/sh\nexec perl -x "$0"\n', (), OPAQUE),
    ],
)
def test_the_shebang_decides_first(path, head, languages, stance):
    file = judge(path, head)
    assert (file.languages, file.stance) == (languages, stance)


@each_row(
    "head", [b"\x7fELF\x02\x01", b"\xcf\xfa\xed\xfe\x07", b"MZ\x90\x00\x03", b"\x00asm\x01", b"\xca\xfe\xba\xbe\x00"]
)
@each_row("path", ["tool", "logo.png", "a.py", "data.json"])
def test_native_code_under_any_name(path, head):
    assert judge(path, head + b"\0" * 20).stance is OPAQUE


def test_text_that_begins_with_two_letters_is_not_a_program():
    assert judge("notes.txt", b"MZ is a prefix\n").stance is INERT


def test_executable_text_without_shebang_is_run_by_a_shell():
    assert judge("run", b"rm x\n", executable=True).languages == ("shell",)
    assert judge("run", b"rm x\n").stance is INERT
    assert judge("run", bytes(range(256)), executable=True).stance is OPAQUE


def archive(*names, prefix=b""):
    out = io.BytesIO()
    out.write(prefix)
    with zipfile.ZipFile(out, "a") as target:
        for name in names:
            target.writestr(name, "x")
    return out.getvalue()


@each_row(
    ("path", "data", "stance"),
    [
        ("a.zip", archive("x.txt"), INERT),
        ("a.zip", archive("__main__.py"), OPAQUE),
        ("a.docx", archive("word/document.xml"), INERT),
        ("a.docx", archive("word/document.xml", "__main__.py"), OPAQUE),
        ("tool", archive("x.py", prefix=b"#!/usr/bin/python3\n"), OPAQUE),
        ("a.dat", archive("__main__.py", prefix=b"junk"), OPAQUE),
        ("a.zip", b"PK\x05\x06" + b"\0" * 6 + b"\xff\xff" + b"\xff" * 4 + b"\0" * 10, OPAQUE),
        ("a.whl", archive("pkg/__main__.py"), OPAQUE),
        ("a.zip", archive("json.py"), OPAQUE),  # `sys.path.insert(0, "a.zip")`
        ("a.zip", archive("json/__init__.pyc"), OPAQUE),
        ("a.png", archive("json.py", prefix=b"\x89PNG\r\n\x1a\n"), OPAQUE),
        ("a.dat", archive("json.py")[:-14] + b"\0" * 4 + archive("json.py")[-10:], OPAQUE),  # it says: no entries
        ("a.dat", archive("json.py")[:-18] + b"PK\x05\x06" + archive("json.py")[-14:], OPAQUE),  # two end records
    ],
)
def test_archives_are_looked_at_not_unpacked(path, data, stance):
    assert judge(path, data).stance is stance


@each_row(
    ("path", "data", "extract"),
    [
        ("conftest.py", b"", "program"), ("tests/conftest.py", b"", "program"), ("sitecustomize.py", b"", "program"), ("x/y.pth", b"", "pth"),
        (".husky/pre-commit", b"npm test\n", "program"), (".claude/settings.json", b"{}", "hooks"), ("hooks/hooks.json", b"{}", "hooks"),
        (".mcp.json", b"{}", "hooks"), ("package.json", b"{}", "package"), ("Dockerfile", b"", "dockerfile"), ("docker-compose.yml", b"", "compose"),
        (".github/workflows/ci.yml", b"", "yaml-run"), ("pyproject.toml", b"", "pyproject"), ("tox.ini", b"", "tox"), (".envrc", b"", "program"),
        (".vscode/tasks.json", b"{}", "vscode-tasks"), (".gemini/commands/x/y.toml", b"", "toml-commands"), ("justfile", b"", "opaque"),
        (".git/config", b"[core]\n\tfsmonitor = x\n", "opaque"), (".gitattributes", b"*.x filter=evil\n", "opaque"), (".npmrc", b"script-shell=x\n", "opaque"),
        ("setup.cfg", b"[x]\ncmdclass = y\n", "opaque"),
    ],
)  # fmt: skip
def test_files_that_run_by_their_place(path, data, extract):
    file = judge(path, data)
    assert file.autoload
    assert file.extract == extract
    assert file.stance is (OPAQUE if extract == "opaque" else ANALYSED)


@each_row(
    ("path", "data"),
    [
        ("myconftest.py", b""), ("docs/settings.json", b"{}"), (".git/config", b"[core]\n\tbare = false\n"), (".npmrc", b"registry=https://x\n"),
        (".gitattributes", b"*.bin filter=lfs\n* text=auto\n"), ("setup.cfg", b"[metadata]\nname = x\n"), ("git/hooks/x.txt", b""), (".husky/.gitignore", b"_\n"),
    ],
)  # fmt: skip
def test_files_that_do_not(path, data):
    assert judge(path, data).autoload == ""


def test_every_rule_names_a_reader_that_exists():
    rules = tomllib.loads(files("remit.skill").joinpath("data/autoload.toml").read_text())["rule"]
    known = {*READERS, "program", "opaque", "inert-unless"}
    assert {rule["extract"] for rule in rules} <= known
    assert set(READERS) <= {rule["extract"] for rule in rules}
    assert all(("keys" in rule) == (rule["extract"] == "inert-unless") for rule in rules)


def test_no_ending_is_given_to_two_kinds():
    raw = tomllib.loads(files("remit.skill").joinpath("data/kinds.toml").read_text())
    raw["package.json"] = raw.pop("package")["json"]
    raw.pop("interpreters")
    for part in ("endings", "names"):
        seen = {}
        for kind, line in raw.items():
            for ending in line.get(part, ()):
                assert seen.setdefault(ending, kind) == kind, ending
