"""Programs that end too late or take all the room there is, and ordinary ones beside them."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.guard.understand.endless import is_endless
from remit.guard.understand.outsized import number

OUTSIZED = [
    ("python", "for i in range(10**12):\n    pass"),
    ("python", "for i in range(int(1e10)): total += i"),
    ("python", "for i in range(100_000):\n    for j in range(100_000):\n        total += i"),
    ("python", "i = 0\nwhile i < 10**10:\n    i += 1"),
    ("python", "[n for n in range(10**11)]"),
    ("python", "sum(a * b for a in range(10**6) for b in range(10**6))"),
    ("python", "total = sum(range(10**13))"),
    ("python", "while 1 < 2:\n    burn()"),
    ("python", "while not False:\n    burn()"),
    ("python", "while 3 == 3:\n    burn()"),
    ("python", "text = 'a' * 10**11"),
    ("python", "table = (1 << 40) * [0]"),
    ("python", "import numpy as np\nnp.ones((10**6, 10**6))"),
    ("python", "import os\nos.urandom(50 * 1024**3)"),
    ("python", "x = [bytearray(10**8) for _ in range(1000)]"),
    ("python", "import time\ntime.sleep(10**9)"),
    ("python", "print(9 ** 9 ** 9)"),
    ("python", "x = 9**9**9**9\nfor i in range(3): pass"),
    ("python", "import math\nmath.factorial(10**9)"),
    ("python", "def f():\n    f()\nf()"),
    ("python", "def f(n):\n    print(n)\n    return f(n + 1)"),
    ("python", "x = " + "-" * 5000 + "1"),  # deeper than anybody writes
    ("python", "for i in range(10**6):\n    open(f'{i}.txt', 'w').write('x')"),
    ("python", "import os\nfor a in range(1000):\n    for b in range(1000):\n        os.system('true')"),
    ("python", "with ThreadPoolExecutor(200) as pool:\n    pool.map(ask, range(10**6))"),
    ("shell", "for i in $(seq 1 100000000); do echo $i | sha256sum; done"),
    ("shell", "for i in {1..99999999}; do :; done"),
    ("shell", "for ((i=0; i<100000000; i++)); do :; done"),
    ("shell", "while [ $i -lt 100000000 ]; do i=$((i+1)); done"),
    ("shell", "head -c 50G /dev/urandom > big"),
    ("shell", "fallocate -l 100G big"),
    ("shell", "truncate --size=500g big"),
    ("shell", "for i in $(seq 1 5000); do cp a.csv copy_$i; done"),
    ("shell", "seq 2000 | xargs -I{} cp a.csv {}.csv"),
    ("shell", "for i in {1..700}; do git commit --allow-empty -m $i; done"),
    ("shell", "for i in $(seq 1000)\ndo\n  curl -s localhost > /dev/null &\ndone"),
    ("shell", "touch f{1..90000}"),
    ("shell", "mkdir -p d/{1..300}/{1..300}"),
    ("shell", "sleep 1000; sleep 1000; sleep 30m"),
    ("shell", "sleep 900"),
    ("python", "import time\ntime.sleep(15 * 60)"),
    ("python", "import shutil\nfor i in range(5000):\n    shutil.copy('a', f'{i}')"),
    ("shell", "for i in $(seq 200); do date; sleep 1m; done"),
    ("python", "import shutil\nfor i in range(5000):\n    shutil.copyfile('a', f'{i}')"),
    ("python", "import time\nfor i in range(100):\n    time.sleep(60)"),
    ("js", "for (let i = 0; i < 1e12; i++) {}"),
    ("js", "let i = 0; while (i < 10**11) { i++ }"),
    ("js", "const big = 'a'.repeat(1e10)"),
    ("js", "Buffer.alloc(8_000_000_000)"),
]
ORDINARY = [
    ("python", "for i in range(10**5):\n    for j in range(100): pass"),
    ("python", "for i in range(10**12):\n    if found(i):\n        break"),
    ("python", "for i in range(len(rows)): pass"),
    ("python", "next(n for n in range(10**12) if found(n))"),
    ("python", "sum(range(10**4))"),
    ("python", "import time\ntime.sleep(30)\ntime.sleep(0.5)\ntime.sleep(wait)"),
    ("python", "pages = [bytearray(4096) for _ in range(100)]"),
    ("python", "import math\nprint(2**64, 1**10**9, 10**-3, math.factorial(20))"),
    ("python", "for i in range(10**4):\n    open(f'{i}.txt', 'w').write('x')"),
    ("python", "for i in range(10**6):\n    total += draw.copy().sum()"),
    ("python", "with Pool() as pool:\n    pool.map(simulate, range(10_000))"),
    ("python", "while i < n: i += 1"),
    ("python", "while i < len(x): i += 1"),
    ("python", "while 1 > 2: pass"),
    ("python", "print('-' * 80)"),
    ("python", "buffer = bytearray(1024 * 1024)"),
    ("python", "def f(n):\n    if n < 2:\n        return 1\n    return n * f(n - 1)"),
    ("python", "def f(n):\n    return 1 if n < 2 else f(n - 1)"),
    ("python", "class A:\n    def run(self):\n        super().run()"),
    ("python", "def f():\n    def f():\n        return 1\n    return f()"),
    ("shell", "for i in $(seq 1 100); do echo $i; done"),
    ("shell", "head -c 10M /dev/urandom > small; head -n 20 x; seq 5"),
    ("shell", "for f in {01..12}; do echo $f; done"),
    ("shell", "for i in $(seq 1 5000); do echo $i; done > numbers.txt"),
    ("shell", "mkdir -p d/{1..12}/{1..31} && touch part{1..50}.txt"),
    ("shell", "sleep 20; curl -s localhost; sleep 60"),
    ("shell", "sleep 300"),
    ("python", "for i in range(5000):\n    x = draw.copy()"),
    ("shell", "for i in $(seq 1 12); do cp template.md month_$i.md; done"),
    ("shell", "for i in $(seq 600); do curl -s localhost && break; sleep 10; done"),
    ("python", "import time\nfor i in range(30):\n    time.sleep(2)\n    print(i)"),
    ("python", "import time\nfor i in range(1000):\n    if ready():\n        break\n    time.sleep(10)"),
    ("python", "import shutil\nfor i in range(12):\n    shutil.copyfile('a', f'{i}')"),
    ("js", "for (let i = 0; i < 1000; i++) {}"),
    ("js", "for (let i = 0; i < 1e12; i++) { if (x(i)) break; }"),
    ("js", "'='.repeat(60)"),
]


@pytest.mark.parametrize(("language", "text"), OUTSIZED)
def test_it_takes_more_than_there_is(language, text):
    assert is_endless(language, text)


@pytest.mark.parametrize(("language", "text"), ORDINARY)
def test_it_takes_what_work_takes(language, text):
    assert not is_endless(language, text)


_NUMBERS = st.recursive(
    st.integers(0, 10**6).map(str),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(
        lambda one: f"({one[0]} {one[1]} {one[2]})"
    ),
    max_leaves=4,
)


@given(_NUMBERS)
def test_numbers_are_computed_as_python_does(text):
    found = number(ast.parse(text, mode="eval").body)
    assert found == eval(text)


@pytest.mark.parametrize("text", ["n", "10**10**10", "1 << 10**9", "'a'", "1 / 2", "f(3)"])
def test_what_is_no_number_or_too_large_is_not_computed(text):
    assert number(ast.parse(text, mode="eval").body) is None
