"""Programs that test or clean a name before they use it: the scope is as narrow as that allows, and `any` where it allows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casefile import SKILL_MD

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

    from remit.core.effect import Effect

HEAD = """
import json, os, re, sys
from pathlib import Path

x = json.load(sys.stdin)["name"]
ALLOWED = ["a", "b"]
"""

NARROW = {
    "in a list": ("def f(n):\n    if n in ALLOWED: open(n)\nf(x)", {"./a", "./b"}),
    "in the keys of a table": (
        "T = {'a': 1}\ndef f(n):\n    if n not in T: raise KeyError(n)\n    open(n)\nf(x)",
        {"./a"},
    ),
    "the program ends otherwise": ("def f(n):\n    if n != 'a': sys.exit(1)\n    open(n)\nf(x)", {"./a"}),
    "one or the other": ("def f(n):\n    if n == 'a' or n == 'b': open(n)\nf(x)", {"./a", "./b"}),
    "one or a default": ("def f(n):\n    open('d/' + (n if n in ('a',) else 'b'))\nf(x)", {"./d/a", "./d/b"}),
    "in a comprehension": ("for n in [n for n in x if n in ALLOWED]: open(n)", {"./a", "./b"}),
    "letters only": ("def f(n):\n    if not n.isalnum(): return\n    open('d/' + n)\nf(x)", {"./d/*"}),
    "matches": (
        "def f(n):\n    if not re.fullmatch(r'[a-z][a-z0-9_-]*', n): return\n    open('d/' + n)\nf(x)",
        {"./d/*"},
    ),
    "matches to the end": ("def f(n):\n    if re.match(r'^[\\w.-]+$', n): open('d/' + n)\nf(x)", {"./d/*"}),
    "below a folder": (
        "R = Path('d').resolve()\ndef f(n):\n    p = (R / n).resolve()\n    if p.is_relative_to(R): open(p)\nf(x)",
        {"./d/**"},
    ),
    "cleaned": ("open('d/' + re.sub(r'[^a-z0-9]+', '-', x.lower()).strip('-') + '.md')", {"./d/*.md"}),
    "without slashes": ("open('d/' + x.replace('/', '_').replace(' ', '-').lower()[:40] + '.md')", {"./d/*.md"}),
    "character by character": (
        "open('d/' + ''.join(c if c.isalnum() or c in '-_' else '_' for c in x) + '.md')",
        {"./d/*.md"},
    ),
    "a number with zeros": ("open(f'd/{len(x):04d}.md')", {"./d/*.md"}),
}

# Each of them can be led anywhere by a name that is not what it seems.
WIDE = {
    "the list grows": "def f(n):\n    ALLOWED.append(n)\n    if n in ALLOWED: open(n)\nf(x)",
    "a table of its own": "def f(n):\n    t = {'a': 1}; t[n] = 2\n    if n in t: open(n)\nf(x)",
    "a list that says yes": "class C(list):\n    def __contains__(self, o): return True\nc = C(['a'])\ndef f(n):\n    if n in c: open(n)\nf(x)",
    "equal to everything": (
        "class S(str):\n    def __eq__(self, o): return True\n    def __hash__(self): return hash('a')\n"
        "def f(n):\n    n = S(n)\n    if n in ('a',): open(n)\nf(x)"
    ),
    "assigned in the test": "def f(n):\n    if n in ALLOWED and (n := sys.stdin.read()): open(n)\nf(x)",
    "assigned after the test": "def f(n):\n    if n in ALLOWED:\n        n = n + sys.stdin.read()\n        open(n)\nf(x)",
    "assigned by an inner function": (
        "def f(n):\n    def g():\n        nonlocal n\n        n = sys.stdin.read()\n        return True\n"
        "    if n in ALLOWED and g(): open(n)\nf(x)"
    ),
    "assigned in the loop": "def f(n):\n    for _ in x:\n        if n not in ALLOWED: continue\n        n = sys.stdin.read()\n    open(n)\nf(x)",
    "the error is caught": (
        "def f(n):\n    try:\n        if n not in ALLOWED: raise ValueError\n    except ValueError: pass\n    open(n)\nf(x)"
    ),
    "the end is caught": (
        "def f(n):\n    try:\n        if n not in ALLOWED: sys.exit(1)\n    except SystemExit: pass\n    open(n)\nf(x)"
    ),
    "the end is another function": (
        "class sys:\n    exit = print\ndef f(n):\n    if n not in ALLOWED: sys.exit(1)\n    open(n)\nf(x)"
    ),
    "the end is a parameter": "def f(n, sys):\n    if n not in ALLOWED: sys.exit(1)\n    open(n)\nf(x, os)",
    "the end is another module": "from os import path as sys\ndef f(n):\n    if n not in ALLOWED: sys.exit(1)\n    open(n)\nf(x)",
    "the end is hidden in the names": (
        "globals()['sys'] = os\ndef f(n):\n    if n not in ALLOWED: sys.exit(1)\n    open(n)\nf(x)"
    ),
    "tested in vain": "def f(n):\n    if n in ALLOWED: print(n)\n    open(n)\nf(x)",
    "tested the wrong way": "def f(n):\n    if n not in ALLOWED: open(n)\nf(x)",
    "or long": "def f(n):\n    if n in ALLOWED or len(n) > 3: open(n)\nf(x)",
    "a function that runs later": (
        "def f(n):\n    for g in [(lambda: open(c)) for c in n if c in ALLOWED]: g()\nf(x)"
    ),
    "a generator that runs later": (
        "def f(n):\n    for g in [(open(c) for _ in c) for c in n if c in ALLOWED]: list(g)\nf(x)"
    ),
    "part of a text with a slash": "def f(n):\n    if n in 'a/../../b': open('d/' + n)\nf(x)",
    "matches at its beginning": "def f(n):\n    if re.match(r'[a-z]+', n): open('d/' + n)\nf(x)",
    "matches one of two": "def f(n):\n    if re.match(r'^/.*|^[a-z]+$', n): open('d/' + n)\nf(x)",
    "matches slashes": "def f(n):\n    if re.fullmatch(r'[a-z./]+', n): open('d/' + n)\nf(x)",
    "matches by a function of its own": (
        "class re:\n    def fullmatch(p, n): return True\ndef f(n):\n    if re.fullmatch(r'[a-z]+', n): open('d/' + n)\nf(x)"
    ),
    "below a folder as written": "def f(n):\n    p = Path('d') / n\n    if p.is_relative_to('d'): open(p)\nf(x)",
    "below a folder without a consequence": (
        "R = Path('d').resolve()\ndef f(n):\n    p = (R / n).resolve()\n    if not p.is_relative_to(R): print(n)\n    open(p)\nf(x)"
    ),
    "resolved by a function of its own": (
        "class P:\n    def __init__(self, v): self.v = v\n    def resolve(self): return Path(self.v)\n"
        "def f(n):\n    p = P('d/' + n).resolve()\n    if p.is_relative_to('d'): open(p)\nf(x)"
    ),
    "cleaned but for slashes": "open('d/' + re.sub(r'[^a-z/]+', '-', x))",
    "cleaned once": "open('d/' + re.sub(r'[^a-z]', '-', x, count=1))",
    "cleaned into slashes": "open('d/' + re.sub(r'[^a-z]', '/', x))",
    "cleaned into an escaped slash": "open('d/' + re.sub(r'[^a-z]', r'\\057', x))",
    "cleaned by a function": "open('d/' + re.sub(r'[^a-z]', lambda m: '/..', x))",
    "one slash replaced": "open('d/' + x.replace('/', '-', 1))",
    "slashes come back": "open('d/' + x.replace('/', '-').replace('-', '/'))",
    "filled with slashes": "open(f'd/{len(x):/>4}/x')",
    "a number as a character": "open(f'd/{len(x):c}/x')",
}  # fmt: skip


def effects_of(tmp_path: Path, program: str) -> tuple[Effect, ...]:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "SKILL.md").write_text(SKILL_MD.format(id=tmp_path.name))
    (tmp_path / "scripts" / "main.py").write_text(HEAD + program + "\n")
    return tuple(analyse(load_skill(tmp_path)).effects)


def read_scopes(tmp_path: Path, program: str) -> set[str]:
    return {effect.scope.render() for effect in effects_of(tmp_path, program) if effect.capability == "file.read"}


@each_row("name", NARROW)
def test_narrow(name: str, tmp_path: Path) -> None:
    program, scopes = NARROW[name]
    assert read_scopes(tmp_path, program) == scopes


@each_row("name", WIDE)
def test_wide(name: str, tmp_path: Path) -> None:
    given = "<stdin>" if "stdin" in WIDE[name] else "<file>"
    assert read_scopes(tmp_path, WIDE[name]) & {"any", given}


def hosts(tmp_path: Path, expression: str) -> set[str]:
    program = f"import requests\nbase = os.environ['B']\nrequests.get({expression})"
    return {effect.scope.render() for effect in effects_of(tmp_path, program) if effect.capability == "web.fetch"}


@each_row("expression", ["base.rstrip('/') + '/v1'", "base.strip() + '/v1'", "base.removesuffix('/')"])
def test_a_url_that_loses_its_last_slash_keeps_its_host(expression: str, tmp_path: Path) -> None:
    assert hosts(tmp_path, expression) == {"<env:B>"}


@each_row(
    "expression",
    [
        "base.rstrip('/') + '.example/v1'",
        "base.rstrip('/') + '//evil.example/v1'",
        "base.strip('/') + '/v1'",
        "base.rstrip('e') + '/v1'",
        "base.rstrip('/')[3:] + '/v1'",
    ],
)
def test_a_url_that_is_cut_otherwise_may_name_any_host(expression: str, tmp_path: Path) -> None:
    assert "any" in hosts(tmp_path, expression)


def test_what_a_skill_puts_for_a_slash_may_begin_an_option(tmp_path: Path) -> None:
    program = "import subprocess\nsubprocess.run(['tar', 'cf', 'a.tar', sys.argv[1].replace('/', '-I')])"
    assert any("dash" in effect.why for effect in effects_of(tmp_path, program))
