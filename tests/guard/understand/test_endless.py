"""Loops without a way out, and ordinary ones beside them."""

import pytest

from remit.guard.understand.endless import is_endless

ENDLESS = [
    ("shell", "while true; do :; done"),
    ("shell", "while :\ndo\n  curl x\n  sleep 1\ndone"),
    ("shell", "until false; do echo x; done"),
    ("shell", "for ((;;)); do echo x; done"),
    ("shell", ":(){ :|:& };:"),
    ("bash", "again() { again | again & }; again"),
    ("python", "while True: pass"),
    ("python", "while 1:\n    for x in y:\n        break\n"),
    ("python", "import os\nwhile True:\n    os.fork()\n"),
    ("python", "import itertools\nfor n in itertools.count():\n    x.append(n)\n"),
    ("python", "while True:\n    def f():\n        return 1\n    f()\n"),
    ("python", "from itertools import repeat\nfor _ in repeat(1):\n    pass\n"),
    ("js", "for (;;) { x.push(1) }"),
    ("typescript", "while (true) {}"),
]
ORDINARY = [
    ("shell", "while true; do if test -f x; then break; fi; sleep 1; done"),
    ("shell", "while read -r line; do echo $line; done"),
    ("shell", "f() { g | h & }; f"),
    ("python", "while True:\n    if x():\n        break\n"),
    ("python", "def f():\n    while True:\n        yield 1\n"),
    ("python", "def f():\n    while True:\n        return 1\n"),
    ("python", "while True:\n    c, _ = s.accept()\n"),
    ("python", "import time\nwhile True:\n    time.sleep(1)\n"),
    ("python", "while x: pass"),
    ("python", "for n in range(3): pass"),
    ("python", "from itertools import repeat\nfor _ in repeat(1, 3):\n    pass\n"),
    ("python", "while True:\n    raise SystemExit\n"),
    ("python", "this is no Python ("),
    ("js", "while (true) { if (x()) break; }"),
    ("js", "for (let i = 0; i < 3; i++) {}"),
    ("perl", "while (1) {}"),  # a language that is not read is a doubt already
]


@pytest.mark.parametrize(("language", "text"), ENDLESS)
def test_it_never_ends(language, text):
    assert is_endless(language, text)


@pytest.mark.parametrize(("language", "text"), ORDINARY)
def test_it_may_end(language, text):
    assert not is_endless(language, text)


@pytest.mark.parametrize(
    ("language", "piece"),
    [
        ("bash", "x"), ("bash", "while true"), ("bash", "while true\n"), ("bash", "f(){ "), ("bash", "a()"), ("bash", "while true;do "),
        ("js", "while(true){}break;"), ("js", "for("), ("js", "for(; "), ("python", "while 1: pass\n"),
    ],
)  # fmt: skip
def test_a_long_text_takes_no_longer_than_it_is(language, piece):
    is_endless(language, (piece * 200_000)[:200_000])
    is_endless(language, piece + "\n" * 190_000)
