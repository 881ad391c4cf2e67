"""Words by their places: what a program is seen to write is what it writes with this command line, and never less."""

from __future__ import annotations

import random
import shlex
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import pytest
from generated_parsers import program, words_for
from really import Run, written

from by_day import but_by_night
from each_row import each_row
from remit.guard.call_analysis.commands import CallPlace, understand

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.call_analysis.commands import Understanding

PARSER = "import argparse, sys, os\np = argparse.ArgumentParser()\n"
END = "a = p.parse_args()\nopen(a.out, 'w')\n"


def _asked(folder: Path, command: str) -> Understanding:
    place = CallPlace(cwd=folder, workspace=folder, home=folder / "home", tmp=folder / "tmp", skills=())
    return understand(command, place, seconds=30.0)


def _writes(found: Understanding, folder: Path) -> set[str]:
    """The files that the call is said to write, as seen from the folder."""
    shown = {part.scope.render() for part in found.parts if part.capability == "file.write"}
    return {path.removeprefix(f"{folder}/") for path in shown}


def _said(folder: Path, command: str, files: dict[str, str]) -> set[str]:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return _writes(_asked(folder, command), folder)


PRECISE = [
    ("import sys\nopen(sys.argv[2], 'w')\n", "a b c", {"b"}),
    ("import sys\nopen(sys.argv[-1], 'w')\n", "a b c", {"c"}),
    ("import sys\nopen(sys.argv[1:][1], 'w')\n", "a b c", {"b"}),
    ("import sys\nopen(sys.argv[7], 'w')\n", "a b c", set()),
    ("import sys\n_, one, two, *rest = sys.argv\nopen(two, 'w')\n", "a b c", {"b"}),
    ("import sys\none, *rest = sys.argv[1:]\nfor x in rest: open(x, 'w')\n", "a b c", {"b", "c"}),
    ("import sys\nx = sys.argv[2] if len(sys.argv) > 2 else 'd'\nopen(x, 'w')\n", "a", {"d"}),
    ("import sys\nx = sys.argv[2] if len(sys.argv) > 2 else None\nif x:\n    open(x, 'w')\n", "a", set()),
    ("import sys\nopen(sys.argv[sys.argv.index('-o') + 1], 'w')\n", "-o b", {"-o", "b"}),
    ("import sys\nfor i, x in enumerate(sys.argv):\n    if x == '-o':\n        open(sys.argv[i + 1], 'w')\n", "-o b", {"-o", "b"}),
    ("import sys\ndef main(argv):\n    open(argv[0] + '.out', 'w')\nmain(sys.argv[1:])\n", "a b", {"a.out"}),
    ("import os\nopen(os.sys.argv[2], 'w')\n", "a b c", {"b"}),
    ("from sys import argv as given\nopen(given[2], 'w')\n", "a b c", {"b"}),
    (PARSER + "p.add_argument('inp')\np.add_argument('--out', default='d')\n" + END, "a --out b", {"b"}),
    (PARSER + "p.add_argument('inp')\np.add_argument('--out', default='d')\n" + END, "a --ou=b", {"b"}),
    (PARSER + "p.add_argument('inp')\np.add_argument('--out', default='d')\n" + END, "a", {"d"}),
    (PARSER + "p.add_argument('-n', type=int)\np.add_argument('-o', dest='out')\n" + END, "-n3 -ob", {"b"}),
    (PARSER + "p.add_argument('-o', '--out')\na = p.parse_args()\nif a.out:\n    open(a.out, 'w')\n", "", set()),
    (
        ("import argparse\nfrom pathlib import Path\ndef main(argv=None):\n    p = argparse.ArgumentParser()\n"
        "    p.add_argument('name')\n    p.add_argument('--out', type=Path, default=Path('d'))\n"
        "    a = p.parse_args(argv)\n    (a.out / a.name).write_text('')\nif __name__ == '__main__':\n    main()\n"),
        "x --out y",
        {"y/x"},
    ),
    (
        ("import argparse, sys\ndef build():\n    p = argparse.ArgumentParser()\n    s = p.add_subparsers(dest='c')\n"
        "    m = s.add_parser('make')\n    m.add_argument('out')\n    m.set_defaults(run=make)\n"
        "    k = s.add_parser('keep')\n    k.add_argument('--other')\n    k.set_defaults(run=keep)\n    return p\n"
        "def make(a):\n    open(a.out, 'w')\ndef keep(a):\n    open(a.other, 'w')\n"
        "a = build().parse_args(sys.argv[1:])\na.run(a)\n"),
        "make b",
        {"b"},
    ),
]  # fmt: skip


@each_row(("source", "words", "expected"), PRECISE)
def test_a_word_is_used_where_it_stands(tmp_path: Path, source: str, words: str, expected: set[str]) -> None:
    """Other words are not written, and neither are defaults that are not used."""
    assert _said(tmp_path / "w", f"python3 s.py {words}", {"s.py": source}) == expected


@each_row(
    ("source", "command", "expected"),
    [
        ("require('fs').writeFileSync(process.argv[3], '')", "node s.js a b c", {"b"}),
        ("const [x, y] = process.argv.slice(2);\nrequire('fs').writeFileSync(y, '')", "node s.js a b c", {"b"}),
        ("const [, , x] = process.argv;\nrequire('fs').writeFileSync(x, '')", "node s.js a b c", {"a"}),
        ("if (process.argv[5]) require('fs').writeFileSync(process.argv[5], '')", "node s.js a b", set()),
        ("", "node -e \"require('fs').writeFileSync(process.argv[1], '')\" a", {"a"}),
        ("process.argv.splice(2, 1);\nrequire('fs').writeFileSync(process.argv[2], '')", "node s.js a b", {"a", "b"}),
        ("process.argv.shift();\nrequire('fs').writeFileSync(process.argv[2], '')", "node s.js a b", {"a", "b"}),
        ("require('fs').writeFileSync(require('minimist')(process.argv.slice(2)).out, '')", "node s.js --out=b", {"b"}),
    ],
)
def test_words_of_javascript(tmp_path: Path, source: str, command: str, expected: set[str]) -> None:
    """The same for Node: what is said holds what is written."""
    said = _said(tmp_path / "w", command, {"s.js": source})
    assert expected <= said
    if "splice" not in source and "shift" not in source and "minimist" not in source:
        assert said == expected


# What makes a place uncertain. `b` is the word, `z` what the program adds, `d` a default: whatever is written has to be said.
TRICKS = [
    *(
        f"import sys\n{change}\nopen(sys.argv[1], 'w')\n"
        for change in (
            "sys.argv.append('z')", "sys.argv.insert(1, 'z')", "sys.argv.pop(1)", "sys.argv.remove('a')", "del sys.argv[1]",
            "sys.argv[1] = 'z'", "sys.argv[1:] = ['z']", "sys.argv = ['s', 'z']", "sys.argv.reverse()", "sys.argv += ['z']",
            "sys.argv = sys.argv[2:]", "sys.argv.sort(reverse=True)", "setattr(sys, 'argv', ['s', 'z'])", "sys.argv *= 2",
            "import random; random.shuffle(sys.argv)", "list.pop(sys.argv, 1)", "sys.argv.__delitem__(1)",
            "sys.argv.__init__(['s', 'z'])", "list.__init__(sys.argv, ['s', 'z'])", "import operator; operator.delitem(sys.argv, 1)",
            "x = sys.argv; x[1] = 'z'", "(lambda v: v.pop(1))(sys.argv)", "import helper; helper.change()",
            "from unittest import mock; mock.patch('sys.argv', ['s', 'z']).start()",
            "from unittest import mock; mock.patch.object(sys, 'argv', ['s', 'z']).start()",
            "from unittest import mock; mock.patch.multiple(sys, argv=['s', 'z']).start()",
        )
    ),
    "import sys\nopen(sys.argv[int('2')], 'w')\n",
    "import sys\nopen(sys.argv[1:3][-1], 'w')\n",
    "import sys\nopen(max(sys.argv[1:]), 'w')\n",
    "import sys\nwords = iter(sys.argv)\nnext(words)\nnext(words)\nopen(next(words), 'w')\n",
    "import sys\nopen(dict(zip(sys.argv[1::2], sys.argv[2::2]))['a'], 'w')\n",
    "import sys\nopen(''.join(sys.argv[9] for _ in ()) + 'z', 'w')\n",
    "import sys\nopen(','.join(sys.argv[9:]) + 'z', 'w')\n",
    "import sys\nopen(getattr(sys, 'argv')[2], 'w')\n",
    "import sys\nopen(vars(sys)['argv'][2], 'w')\n",
    "import sys\nopen(sys.orig_argv[-1], 'w')\n",
    "import __main__, sys\nopen(__main__.sys.argv[2], 'w')\n",
    "import helper\nopen(helper.last(), 'w')\n",
    "exec(\"import sys\\nopen(sys.argv[2], 'w')\")\n",
    "import runpy\nrunpy.run_path('inner.py')\n",
    "import subprocess, sys\nsubprocess.run([sys.executable, 'inner.py', *sys.argv[1:]])\n",
    "import subprocess, sys\nsubprocess.run([sys.executable, 'inner.py', 'q', 'z'])\n",
    "import os, sys\nos.execv(sys.executable, [sys.executable, 'inner.py'] + sys.argv)\n",
    "import sys\ntry:\n    open(sys.argv[8], 'w')\nexcept IndexError:\n    open('z', 'w')\n",
]  # fmt: skip
HELPER = "import sys\ndef change():\n    sys.argv = ['s', 'z']\ndef last():\n    return sys.argv[-1]\n"
INNER = "import sys\nopen(sys.argv[2], 'w')\n"

ONE = "p.add_argument('--out', default='d')\n"
DEFAULTED = "p.add_argument('inp', nargs='?', default='e')\n" + ONE
PARSERS = [
    # what is typed, what the program does with it
    ("--out b", "sys.argv.clear()\n" + PARSER + ONE + "sys.argv.append('s')\n" + END),
    ("--out b", PARSER + ONE + "sys.argv[1:] = []\n" + END),
    ("--out b", PARSER + ONE + "a = p.parse_args([])\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + ONE + "a = p.parse_args(['--out', 'z'])\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + ONE + "a = p.parse_args(['--out=z'])\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + "p.add_argument('-o', dest='out')\na = p.parse_args(['-oz'])\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + ONE + "a = p.parse_args(sys.argv[2:] and [])\nopen(a.out, 'w')\n"),
    ("x --out b", PARSER + ONE + "a, rest = p.parse_known_args()\nopen(rest[0], 'w')\n"),
    ("--out b --more z", PARSER + ONE + "a, rest = p.parse_known_args()\np.add_argument('--more')\na = p.parse_args()\nopen(a.more, 'w')\n"),
    ("--out b", PARSER + ONE + "p.set_defaults(out='z')\nsys.argv = ['s']\n" + END),
    ("", PARSER + ONE + "p.set_defaults(out='z')\n" + END),
    ("", PARSER + "p.set_defaults(out='z')\n" + ONE + END),
    ("x", PARSER + "p.add_argument('inp', nargs='?')\np.add_argument('--o', dest='out', default='d')\n" + END),
    ("b", PARSER + "p.add_argument('out')\np.add_argument('-x', dest='out', default='d')\n" + END),
    ("-x b", PARSER + "p.add_argument('-x', dest='out')\np.add_argument('-y', dest='out', default='d')\n" + END),
    ("@f", "import argparse, sys\np = argparse.ArgumentParser(fromfile_prefix_chars='@')\n" + ONE + END),
    ("@f", PARSER + "p.fromfile_prefix_chars = '@'\n" + ONE + END),
    ("+out b", "import argparse, sys\np = argparse.ArgumentParser(prefix_chars='+')\np.add_argument('+out')\n" + END),
    ("--out x --out b", PARSER + ONE + END),
    ("--out x b", PARSER + "p.add_argument('--out', nargs='*')\na = p.parse_args()\nfor x in a.out: open(x, 'w')\n"),
    ("run --out b", PARSER + "p.add_argument('all', nargs=argparse.REMAINDER)\na = p.parse_args()\nopen(a.all[2], 'w')\n"),
    ("-- --out", PARSER + DEFAULTED + "a = p.parse_args()\nopen(a.inp, 'w')\n"),
    ("-5", PARSER + DEFAULTED + "a = p.parse_args()\nopen(a.inp, 'w')\n"),
    ("--o b", PARSER + "p.add_argument('--out')\np.add_argument('--over', action='store_true')\n" + END),
    ("--o b", "import argparse\np = argparse.ArgumentParser(allow_abbrev=False)\np.add_argument('--out')\n" + END),
    ("x b", PARSER + "if len(sys.argv) > 2: p.add_argument('inp')\np.add_argument('out')\n" + END),
    ("x b", PARSER + "for n in ('inp', 'out'): p.add_argument(n)\n" + END),
    ("x b", PARSER + "[p.add_argument(n) for n in ('inp', 'out')]\n" + END),
    ("x b", PARSER + "names = ['inp', 'out']\np.add_argument(names[0])\np.add_argument(names[1])\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\nq = p\nq.add_argument('out')\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\ndef more():\n    p.add_argument('out')\nmore()\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\nglobals()['p'].add_argument('out')\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\nexec(\"p.add_argument('out')\")\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\nadd = p.add_argument\nadd('out')\n" + END),
    ("x b", PARSER + "p.add_argument('inp')\ngetattr(p, 'add_argument')('out')\n" + END),
    ("x b", PARSER + "def more(q, n):\n    if n: return\n    q.add_argument('inp')\nmore(p, 1)\nmore(p, 0)\np.add_argument('out')\n" + END),
    ("x b", PARSER + "def more(q):\n    q.add_argument('inp')\nmore(p)\np.add_argument('out')\n" + END),
    ("x b", "import argparse\ncommon = argparse.ArgumentParser(add_help=False)\ncommon.add_argument('inp')\np = argparse.ArgumentParser(parents=[common])\np.add_argument('out')\n" + END),
    ("x b", "import argparse\nclass P(argparse.ArgumentParser):\n    def parse_args(self, *a, **k):\n        n = super().parse_args(*a, **k)\n        n.out = 'z'\n        return n\np = P()\np.add_argument('inp')\np.add_argument('out')\n" + END),
    ("--out b", "import argparse\nclass A(argparse.Action):\n    def __call__(self, parser, space, values, option=None):\n        space.out = 'z'\np = argparse.ArgumentParser()\np.add_argument('--out', action=A)\n" + END),
    ("--out b", PARSER + "p.register('action', None, argparse._AppendAction)\np.add_argument('--out')\na = p.parse_args()\nopen(a.out[0], 'w')\n"),
    ("--out b", PARSER + "p.add_argument('--out', type=lambda w: w + '.z')\n" + END),
    ("--out b", PARSER + "p.add_argument('--out', type=argparse.FileType('w'))\np.parse_args()\n"),
    ("--out b", PARSER + "p.add_argument('--out', action='append', default=['d'])\na = p.parse_args()\nfor x in a.out: open(x, 'w')\n"),
    ("--out", PARSER + "p.add_argument('--out', nargs='?', const='z')\n" + END),
    ("", PARSER + ONE + "a = p.parse_args(namespace=argparse.Namespace(out='z'))\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + ONE + "a = p.parse_args()\na.out = 'z'\nopen(a.out, 'w')\n"),
    ("--out b", PARSER + ONE + "a = vars(p.parse_args())\nopen(a['out'], 'w')\n"),
    ("--out b", PARSER + ONE + "a = p.parse_args()\nopen(getattr(a, 'none', None) or a.out, 'w')\n"),
    ("b", PARSER + "s = p.add_subparsers(dest='c')\nq = s.add_parser('x', aliases=['b'])\nq.add_argument('--out', default='d')\na = p.parse_args()\nopen(a.c, 'w')\nopen(a.out, 'w')\n"),
    ("--out x q --out b", PARSER + "p.add_argument('--out')\ns = p.add_subparsers()\nq = s.add_parser('q')\nq.add_argument('--out')\n" + END),
    ("--out b q", PARSER + "p.add_argument('--out')\ns = p.add_subparsers()\nq = s.add_parser('q')\nq.add_argument('--out', default='z')\n" + END),
    ("q", PARSER + "s = p.add_subparsers(dest='c')\nq = s.add_parser('q')\nr = s.add_parser('r')\nr.add_argument('out')\na = p.parse_args()\nopen(vars(a).get('out') or 'z', 'w')\n"),
    ("q", PARSER + "s = p.add_subparsers(dest='c')\nq = s.add_parser('q')\nr = s.add_parser('r')\nr.add_argument('out')\na = p.parse_args()\nopen(getattr(a, 'out', 'z'), 'w')\n"),
    ("--no-x b", PARSER + "p.add_argument('--x', action=argparse.BooleanOptionalAction)\np.add_argument('out')\n" + END),
    ("-vb", PARSER + "p.add_argument('-v', action='store_true')\np.add_argument('-b', dest='out')\na = p.parse_args()\n"),
    ("-vob", PARSER + "p.add_argument('-v', action='store_true')\np.add_argument('-o', dest='out')\n" + END),
    ("", PARSER + "p.add_argument('--dir')\na = p.parse_args()\nopen(os.listdir(a.dir)[0] + '.z', 'w')\n"),
    ("", PARSER + "p.add_argument('rest', nargs='*')\na = p.parse_args()\nopen(','.join(a.rest) + 'z', 'w')\n"),
    ("", PARSER + "p.add_argument('rest', nargs='*')\na = p.parse_args()\nfrom pathlib import Path\n(Path(*a.rest) / 'z').write_text('')\n"),
    ("--out b", "import argparse as ap, sys\nargparse = 1\np = ap.ArgumentParser()\n" + ONE + END),
    ("--out b", "from argparse import ArgumentParser\np = ArgumentParser()\n" + ONE + END),
    ("x", "import argparse\ndef p1():\n    p = argparse.ArgumentParser()\n    p.add_argument('out')\n    return p\ndef p2():\n    p = p1()\n    p.add_argument('--more', default='z')\n    return p\na = p2().parse_args()\nopen(a.out, 'w')\nopen(a.more, 'w')\n"),
    ("--out b", "import argparse\ntry:\n    p = argparse.ArgumentParser()\n    p.add_argument('--out', default='d')\n    1 / 0\n    p.add_argument('--no')\nexcept ZeroDivisionError:\n    a = p.parse_args()\n    open(a.out, 'w')\n"),
]  # fmt: skip


REST = PARSER + "p.add_argument('rest', nargs='*')\na = p.parse_args()\n"
PARSERS += [
    ("", f"{REST}{end}\n")
    for end in (
        "import functools\nopen(functools.reduce(lambda x, y: y, a.rest, 'z'), 'w')",
        "import itertools\nfor x in itertools.chain(a.rest, ['z']): open(x, 'w')", "open(max(a.rest, default='z'), 'w')",
        "open(next(iter(a.rest), 'z'), 'w')", "open(os.path.join('z', *a.rest), 'w')", "open(' '.join(map(str, a.rest)) + 'z', 'w')",
        "open((sorted(a.rest) or ['z'])[0], 'w')", "def f(x='z'):\n    open(x, 'w')\nf(*a.rest)", "open((a.rest or ['z'])[0], 'w')",
        "open((a.rest + ['z'])[0], 'w')", "open([*a.rest, 'z'][0], 'w')", "open(list(set(a.rest) | {'z'})[0], 'w')",
        "n = 'z'\nfor x in a.rest: n = x\nopen(n, 'w')", "open('z' + ''.join(x + '.' for x in a.rest), 'w')",
        "import subprocess\nsubprocess.run(['touch', 'z', *a.rest])", "import subprocess\nsubprocess.run(['touch', 'z'] + a.rest)",
        "b = ['z']\nb.extend(a.rest)\nopen(b[0], 'w')", "open(str(a.rest), 'w')", "open(f'z{a.rest}', 'w')", "open('z%s' % a.rest, 'w')",
        "def f(*x):\n    open('z', 'w')\nf(*a.rest)", "def f(x):\n    open('z', 'w')\nf(a.rest)", "open(repr(a.rest) + 'z', 'w')",
    )
]  # fmt: skip
NONE = PARSER + "p.add_argument('--no')\na = p.parse_args()\n"
PARSERS += [
    ("", f"{NONE}{end}\n")
    for end in (
        "def f(x):\n    open('z', 'w')\nf(a.no)", "open(f'z{a.no}', 'w')", "open('z' + str(a.no), 'w')", "open('z%s' % a.no, 'w')",
        "open(a.no or 'z', 'w')", "import tempfile\ntempfile.mkstemp(dir=a.no or '.')", "x = [a.no, 'z']\nopen(x[-1], 'w')",
        "import subprocess\nsubprocess.run(['touch', 'z'], cwd=a.no)", "os.makedirs('d', exist_ok=True)\nopen({None: 'z'}[a.no], 'w')",
        "import json\njson.dump(a.no, open('z', 'w'))", "def f(x, y='z'):\n    open(y if x is None else x, 'w')\nf(a.no)",
        "open('.'.join(['z', str(a.no)]), 'w')", "class C:\n    def __init__(self, x):\n        open('z', 'w')\nC(a.no)",
        "import glob\nopen(sorted(glob.glob('*', root_dir=a.no))[0] + '.z', 'w')",
    )
]  # fmt: skip


def _covers(found: Understanding, folder: Path, really: set[str]) -> bool:
    """Whether what is said holds what was done: by name, as anything, or as a place that is not understood."""
    said = _writes(found, folder)
    return bool(found.doubts) or "any" in said or all(any(fnmatch(path, shape) for shape in said) for path in really)


def _prepared(folder: Path, source: str) -> None:
    folder.mkdir()
    files = {"s.py": source, "helper.py": HELPER, "inner.py": INNER, "f": "--out\nb\n"}
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("part", [pytest.param(2, id="half"), pytest.param(1, id="all_nightly")])
def test_no_trick_hides_a_write(tmp_path: Path, part: int) -> None:
    """Each program is run for real as well: what it wrote was said before."""
    cases = ([(source, "a b") for source in TRICKS] + [(source, words) for words, source in PARSERS])[::part]
    runs, found = [], []
    for number, (source, words) in enumerate(cases):
        folder = tmp_path / f"t{number}"
        _prepared(folder, source)
        found.append(_asked(folder, f"python3 s.py {words}"))
        runs.append(Run(folder, "s.py", tuple(shlex.split(words))))
    missed = []
    wrote = 0
    for (source, words), run, asked, really in zip(cases, runs, found, written(runs), strict=True):
        wrote += bool(really)
        if not _covers(asked, run.folder, really):
            missed.append((words, source, really, _writes(asked, run.folder)))
    assert not missed, "\n".join(map(repr, missed))
    assert wrote > 0.8 * len(cases)  # most of them do write


@pytest.mark.parametrize("seed", but_by_night(range(4), {"1", "2", "3"}))
def test_generated_parsers_write_what_is_said(tmp_path: Path, seed: int) -> None:
    """Programs with random parsers and random words, run for real."""
    chosen = random.Random(seed)
    runs, found = [], []
    for number in range(60):
        folder = tmp_path / f"g{number}"
        made = program(chosen)
        _prepared(folder, made.source)
        words = words_for(made, chosen)
        found.append(_asked(folder, f"python3 s.py {shlex.join(words)}"))
        runs.append(Run(folder, "s.py", words))
    exact = 0
    for run, asked, really in zip(runs, found, written(runs), strict=True):
        assert _covers(asked, run.folder, really), ((run.folder / "s.py").read_text(), run.words, really)
        exact += bool(really) and _writes(asked, run.folder) == really
    assert exact > 10  # it is not all said for safety's sake
