"""A Python that Remit starts takes modules from where Remit is installed, never from the folder in which it happens to stand."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import remit

SOURCE = Path(remit.__file__).parent
ROOT = Path(__file__).parents[2]
ISOLATED = {"-I", "-P"}


def commands(tree):
    """Every list, tuple or call in which `sys.executable` is followed by constant words."""
    for node in ast.walk(tree):
        words = node.elts if isinstance(node, ast.List | ast.Tuple) else node.args if isinstance(node, ast.Call) else []
        for number, word in enumerate(words):
            if isinstance(word, ast.Attribute) and ast.unparse(word) == "sys.executable" and len(words) > number + 1:
                yield node.lineno, [one.value for one in words[number + 1 :] if isinstance(one, ast.Constant)]


def test_every_python_that_is_started_is_isolated_from_its_folder():
    texts = {path: path.read_text("utf-8") for path in sorted([*SOURCE.rglob("*.py"), *ROOT.glob("tools/*.py")])}
    found = {
        f"{path}:{line}": words
        for path, text in texts.items()
        if "executable" in text
        for line, words in commands(ast.parse(text))
    }
    assert len(found) >= 12
    assert {where: words for where, words in found.items() if not ISOLATED & set(words)} == {}


def test_a_folder_of_skills_has_no_say_in_the_process_that_looks_at_it(tmp_path):
    trap = tmp_path / "remit"
    trap.mkdir()
    (trap / "__init__.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    (tmp_path / "SKILL.md").write_text("---\nname: a\ndescription: b\n---\nread\n")
    program = (
        "import asyncio, json, pathlib; from remit.cli.arguments import parser; from remit.cli.console_work import OwnProcesses\n"
        "async def go():\n"
        "    work = OwnProcesses(parser().parse_args(['console', '--no-cache']))\n"
        "    print(json.dumps([one.row.answer async for one in work.look((pathlib.Path.cwd(),))]))\n"
        "asyncio.run(go())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300
    )
    assert json.loads(done.stdout) == ["clear"]
    assert not (tmp_path / "sprung").exists()
