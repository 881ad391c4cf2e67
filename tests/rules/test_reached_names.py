"""Of a package whose users are known, only what they reach is live: so every way to reach a private name must be followed.

In each case `door` is the one name that is used, and leads to `os.remove("made")` in a private function or class.
"""

from each_row import each_row
from remit.analysis.session import analyse
from self_analysis.source import as_skill

OTHERS = {
    "other/__init__.py": "",
    "other/b.py": "HOOK = None\n_R = []\ndef run(): HOOK()\ndef register(f): _R.append(f)\ndef run2():\n    for f in _R: f()\ndef call(f): f()\n",
    "other/c.py": "import os\ndef pub(): _priv()\ndef _priv(): os.remove('made')\n",
    "other/lazy.py": "def __getattr__(n):\n    import other.c\n    return other.c._priv\n",
    "pk/__init__.py": "",
    "use.py": "import pk.a as a\n\n\ndef anyone(unknown):\n    unknown(a.door)\n",
}
FUNCTION = "def _f(*a, **k):\n    os.remove('made')\n    return a\n"
CASES = {
    "contextmanager": "from contextlib import contextmanager\n@contextmanager\ndef _c():\n    os.remove('made')\n    yield 1\ndef door():\n    with _c(): pass\n",
    "contextmanager exit": "from contextlib import contextmanager\n@contextmanager\ndef _c():\n    try:\n        yield 1\n    finally:\n        os.remove('made')\ndef door():\n    with _c(): pass\n",
    "asynccontextmanager": "from contextlib import asynccontextmanager\n@asynccontextmanager\nasync def _c():\n    os.remove('made')\n    yield 1\nasync def door():\n    async with _c(): pass\n",
    "async": "async def _c():\n    os.remove('made')\nasync def door():\n    await _c()\n",
    "asyncio.run": "import asyncio\nasync def _c():\n    os.remove('made')\ndef door():\n    asyncio.run(_c())\n",
    "gather": "import asyncio\nasync def _c():\n    os.remove('made')\nasync def door():\n    await asyncio.gather(*[_c() for _ in range(3)])\n",
    "generator": "def _g():\n    os.remove('made')\n    yield 1\ndef door():\n    for x in _g(): pass\n",
    "yield from": "def _g():\n    os.remove('made')\n    yield 1\ndef door():\n    yield from _g()\n",
    "cache": "from functools import cache\n@cache\ndef _g():\n    os.remove('made')\ndef door(): _g()\n",
    "lru_cache": "from functools import lru_cache\n@lru_cache(3)\ndef _g(x):\n    os.remove('made')\ndef door(): _g(1)\n",
    "cached_property": "from functools import cached_property\nclass _A:\n    @cached_property\n    def x(self): os.remove('made')\ndef door(): return _A().x + 1\n",
    "wraps": "from functools import wraps\ndef _w(f):\n    @wraps(f)\n    def inner(*a):\n        os.remove('made')\n        return f(*a)\n    return inner\n@_w\ndef _g(): pass\ndef door(): _g()\n",
    "decorator class": "class _D:\n    def __init__(self, f): self.f = f\n    def __call__(self, *a): os.remove('made')\n@_D\ndef _g(): pass\ndef door(): _g()\n",
    "property()": FUNCTION + "class _A:\n    x = property(_f)\ndef door(): return _A().x\n",
    "private property": "class _A:\n    @property\n    def _x(self): os.remove('made')\n    def y(self): return self._x\ndef door(): return _A().y()\n",
    "dataclass post_init": "from dataclasses import dataclass\n@dataclass\nclass _A:\n    x: int\n    def __post_init__(self): os.remove('made')\ndef door(): _A(1)\n",
    "default_factory": FUNCTION + "from dataclasses import dataclass, field\n@dataclass\nclass _A:\n    x: object = field(default_factory=_f)\ndef door(): _A()\n",
    "enum missing": "from enum import Enum\nclass _A(Enum):\n    X = 1\n    @classmethod\n    def _missing_(cls, v): os.remove('made')\ndef door(v): _A(v)\n",
    "enum method": "from enum import Enum\nclass _A(Enum):\n    X = 1\n    def go(self): os.remove('made')\ndef door(v): _A(v).go()\n",
    "namedtuple method": "from typing import NamedTuple\nclass _A(NamedTuple):\n    x: int\n    def go(self): os.remove('made')\ndef door(v): _A(v).go()\n",
    "namedtuple replace method": "from typing import NamedTuple\nclass _A(NamedTuple):\n    x: int\n    def go(self): os.remove('made')\ndef door(v): _A(v)._replace(x=2).go()\n",
    "namedtuple make": "from typing import NamedTuple\nclass _A(NamedTuple):\n    x: int\n    def go(self): os.remove('made')\ndef door(v): _A._make([v]).go()\n",
    "dataclasses.replace": "from dataclasses import dataclass, replace\n@dataclass\nclass _A:\n    x: int\n    def go(self): os.remove('made')\ndef door(v): replace(_A(1), x=2).go()\n",
    "copy": "import copy\nclass _A:\n    def go(self): os.remove('made')\ndef door(v): copy.copy(_A()).go()\n",
    "deepcopy": "import copy\nclass _A:\n    def go(self): os.remove('made')\ndef door(v): copy.deepcopy(_A()).go()\n",
    "object new": "class _A:\n    def go(self): os.remove('made')\ndef door(v): object.__new__(_A).go()\n",
    "class getattr": "class _A:\n    def __getattr__(self, n): os.remove('made')\ndef door(): return _A().anything\n",
    "operator": "class _A:\n    def __add__(self, n): os.remove('made')\ndef door(): return _A() + 1\n",
    "subclass override": "class Base:\n    def go(self): self._do()\n    def _do(self): pass\nclass _Sub(Base):\n    def _do(self): os.remove('made')\ndef door(): _Sub().go()\n",
    "super": "class _B:\n    def _do(self): os.remove('made')\nclass _Sub(_B):\n    def _do(self): super()._do()\ndef door(): _Sub()._do()\n",
    "type(self)": "class _B:\n    @classmethod\n    def _do(cls): os.remove('made')\n    def go(self): type(self)._do()\ndef door(): _B().go()\n",
    "self.__class__": "class _B:\n    @classmethod\n    def _do(cls): os.remove('made')\n    def go(self): self.__class__._do()\ndef door(): _B().go()\n",
    "unknown receiver": "class _B:\n    def strange(self): os.remove('made')\ndef door(x): x.strange()\n",
    "unknown list": "class _B:\n    def strange(self): os.remove('made')\n_ALL = [_B()]\ndef door(x):\n    for y in _ALL: y.strange()\n",
    "singledispatch": "from functools import singledispatch\n@singledispatch\ndef _g(x): pass\n@_g.register\ndef _h(x: int): os.remove('made')\ndef door(x): _g(x)\n",
    "registry": "_R = []\ndef _reg(f):\n    _R.append(f)\n    return f\n@_reg\ndef _g(): os.remove('made')\ndef door():\n    for f in _R: f()\n",
    "registry dict": "_R = {}\ndef _reg(name):\n    def inner(f):\n        _R[name] = f\n        return f\n    return inner\n@_reg('a')\ndef _g(): os.remove('made')\ndef door(x):\n    return _R[x]()\n",
    "ExitStack": FUNCTION + "from contextlib import ExitStack\ndef door():\n    with ExitStack() as s: s.callback(_f, 1)\n",
    "ExitStack enter": "from contextlib import ExitStack\nclass _A:\n    def __enter__(self): os.remove('made')\n    def __exit__(self, *a): pass\ndef door():\n    with ExitStack() as s: s.enter_context(_A())\n",
    "with exit": "class _A:\n    def __enter__(self): return self\n    def __exit__(self, *a): os.remove('made')\ndef door():\n    with _A(): pass\n",
    "closing": "from contextlib import closing\nclass _A:\n    def close(self): os.remove('made')\ndef door():\n    with closing(_A()): pass\n",
    "finalize": FUNCTION + "import weakref\ndef door(x): weakref.finalize(x, _f)\n",
    "submit": FUNCTION + "from concurrent.futures import ThreadPoolExecutor\ndef door(x):\n    with ThreadPoolExecutor() as p: p.submit(_f, 1)\n",
    "pool map": FUNCTION + "from concurrent.futures import ThreadPoolExecutor\ndef door(x):\n    with ThreadPoolExecutor() as p: list(p.map(_f, [1]))\n",
    "iter": FUNCTION + "def door(): list(iter(_f, None))\n",
    "map": FUNCTION + "def door(): list(map(_f, [1]))\n",
    "filter": FUNCTION + "def door(): list(filter(_f, [1]))\n",
    "sorted": FUNCTION + "def door(): sorted([1], key=_f)\n",
    "reduce": FUNCTION + "from functools import reduce\ndef door(): reduce(_f, [1,2])\n",
    "partial": FUNCTION + "from functools import partial\ndef door(): partial(_f, 1)()\n",
    "partialmethod": "from functools import partialmethod\nclass _A:\n    def _go(self, x): os.remove('made')\n    go = partialmethod(_go, 1)\ndef door(): _A().go()\n",
    "defaultdict": FUNCTION + "from collections import defaultdict\ndef door(): defaultdict(_f)['x']\n",
    "argparse": FUNCTION + "import argparse\ndef door():\n    p = argparse.ArgumentParser()\n    p.add_argument('x', type=_f)\n    p.parse_args()\n",
    "re.sub": FUNCTION + "import re\ndef door(t): re.sub('a', _f, t)\n",
    "signal": FUNCTION + "import signal\ndef door(t): signal.signal(signal.SIGTERM, _f)\n",
    "atexit": FUNCTION + "import atexit\ndef door(t): atexit.register(_f)\n",
    "NodeVisitor": "import ast\nclass _V(ast.NodeVisitor):\n    def visit_Name(self, n): os.remove('made')\ndef door(t): _V().visit(ast.parse(t))\n",
    "logging handler": "import logging\nclass _V(logging.Handler):\n    def emit(self, n): os.remove('made')\ndef door(t): logging.getLogger().addHandler(_V())\n",
    "json encoder": "import json\nclass _V(json.JSONEncoder):\n    def default(self, n): os.remove('made')\ndef door(t): json.dumps(t, cls=_V)\n",
    "thread sub": "import threading\nclass _V(threading.Thread):\n    def run(self): os.remove('made')\ndef door(t): _V().start()\n",
    "timer": FUNCTION + "import threading\ndef door(t): threading.Timer(1, _f).start()\n",
    "selectors": FUNCTION + "import selectors\ndef door(t):\n    s = selectors.DefaultSelector()\n    s.register(t, 1, _f)\n    for k, _ in s.select(): k.data(1)\n",
    "itemgetter": FUNCTION + "from operator import itemgetter, methodcaller\n_T={'a': _f}\ndef door(): itemgetter('a')(_T)()\n",
    "methodcaller": "from operator import methodcaller\nclass _A:\n    def go(self): os.remove('made')\ndef door(): methodcaller('go')(_A())\n",
    "attrgetter": "from operator import attrgetter\nclass _A:\n    def go(self): os.remove('made')\ndef door(): attrgetter('go')(_A())()\n",
    "nonlocal": FUNCTION + "def door():\n    x = None\n    def s():\n        nonlocal x\n        x = _f\n    s()\n    x()\n",
    "attr store": FUNCTION + "class _S: pass\ndef door():\n    s = _S()\n    s.a = _f\n    s.a()\n",
    "setattr": FUNCTION + "class _S: pass\ndef door():\n    s = _S()\n    setattr(s, 'a', _f)\n    s.a()\n",
    "getattr self": "class _S:\n    def _on_x(self): os.remove('made')\n    def go(self, n): getattr(self, '_on_' + n)()\ndef door(n): _S().go(n)\n",
    "class var": FUNCTION + "class _S:\n    h = {'a': _f}\n    def go(self, n): self.h[n]()\ndef door(n): _S().go(n)\n",
    "star args": FUNCTION + "def _ap(f, *a): return f(*a)\ndef door(n): _ap(_f, *n)\n",
    "kwargs": FUNCTION + "def _ap(**k): return k['f']()\ndef door(n): _ap(f=_f)\n",
    "exception carried": FUNCTION + "class _E(Exception):\n    def __init__(self, f): self.f = f\ndef _r(): raise _E(_f)\ndef door(n):\n    try: _r()\n    except _E as e: e.f()\n",
    "generator send": FUNCTION + "def _g():\n    f = yield\n    f()\ndef door(n):\n    g = _g(); next(g); g.send(_f)\n",
    "lambda": FUNCTION + "_L = lambda: _f()\ndef door(n): _L()\n",
    "comprehension": FUNCTION + "def door(n): return [f() for f in (_f,)]\n",
    "zip": FUNCTION + "def door(n):\n    for f, x in zip([_f], [1]): f(x)\n",
    "dict items": FUNCTION + "def door(n):\n    for k, f in {'a': _f}.items(): f(k)\n",
    "match": FUNCTION + "def door(n):\n    match (1, _f):\n        case (1, f): f()\n",
    "walrus": FUNCTION + "def door(n):\n    if (f := _f): f()\n",
    "ternary": FUNCTION + "def door(n):\n    (_f if n else len)(n)\n",
    "or": FUNCTION + "def door(n, f=None):\n    (f or _f)(n)\n",
    "global rebind": FUNCTION + "_h = None\ndef _init():\n    global _h\n    _h = _f\ndef door(n):\n    _init()\n    _h()\n",
    "other module attr": FUNCTION + "import other.b as b\ndef door(n):\n    b.HOOK = _f\n    b.run()\n",
    "other module reg": FUNCTION + "import other.b as b\nb.register(_f)\ndef door(n): b.run2()\n",
    "from package": FUNCTION + "from other import b\ndef door(n): b.call(_f)\n",
    "star import": "from other.c import *\ndef door(n): pub()\n",
    "lazy import": "def door(n):\n    from other.c import _priv\n    _priv()\n",
    "module getattr lazy": "import other.lazy as lz\ndef door(n): lz.thing()\n",
    "init_subclass registry": "class _B:\n    subs = []\n    def __init_subclass__(cls): _B.subs.append(cls)\n    def go(self): pass\nclass _C(_B):\n    def go(self): os.remove('made')\ndef door(n):\n    for c in _B.subs: c().go()\n",
    "subclasses()": "class _B:\n    def go(self): pass\nclass _C(_B):\n    def go(self): os.remove('made')\ndef door(n):\n    for c in _B.__subclasses__(): c().go()\n",
    "metaclass new": "class _M(type):\n    def __new__(m, *a): os.remove('made')\nclass _C(metaclass=_M): pass\ndef door(n): pass\n",
    "descriptor": "class _D:\n    def __get__(self, *a): os.remove('made')\nclass _C:\n    x = _D()\ndef door(n): return _C().x\n",
    "descriptor set": "class _D:\n    def __set__(self, *a): os.remove('made')\nclass _C:\n    x = _D()\ndef door(n): _C().x = 1\n",
    "iter class": "class _D:\n    def __iter__(self): os.remove('made')\ndef door(n): list(_D())\n",
    "format": "class _D:\n    def __format__(self, s): os.remove('made')\ndef door(n): return f'{_D()}'\n",
    "str": "class _D:\n    def __str__(self): os.remove('made')\ndef door(n): return str(_D())\n",
    "eq": "class _D:\n    def __eq__(self, o): os.remove('made')\ndef door(n): return n == _D()\n",
    "hash": "class _D:\n    def __hash__(self): os.remove('made')\ndef door(n): return {_D(): 1}\n",
    "await class": "class _D:\n    def __await__(self): os.remove('made')\nasync def door(n): await _D()\n",
    "nested class": "class _A:\n    class _In:\n        def go(self): os.remove('made')\n    def far(self): return _A._In().go()\ndef door(n): _A().far()\n",
    "instance cached module": "class _S:\n    def go(self): os.remove('made')\n_I = _S()\ndef door(n): _I.go()\n",
    "bound method var": "class _S:\n    def go(self): os.remove('made')\n_go = _S().go\ndef door(n): _go()\n",
    "unbound method": "class _S:\n    def go(self): os.remove('made')\ndef door(n): _S.go(_S())\n",
    "typing protocol": "class _S:\n    def go(self): os.remove('made')\ndef _use(s): s.go()\ndef door(n): _use(_S())\n",
    "newtype": FUNCTION + "from typing import NewType, cast\ndef door(n): cast('object', _f)()\n",
    "types.MethodType": "import types\nclass _S: pass\n" + FUNCTION + "def door(n): types.MethodType(_f, _S())()\n",
    "MappingProxy": FUNCTION + "from types import MappingProxyType\n_M = MappingProxyType({'a': _f})\ndef door(n): _M[n]()\n",
    "ChainMap": FUNCTION + "from collections import ChainMap\n_M = ChainMap({'a': _f})\ndef door(n): _M[n]()\n",
    "deque": FUNCTION + "from collections import deque\n_M = deque([_f])\ndef door(n): _M.popleft()()\n",
    "queue": FUNCTION + "import queue\n_M = queue.Queue()\ndef door(n):\n    _M.put(_f)\n    _M.get()()\n",
    "contextvar": FUNCTION + "import contextvars\n_M = contextvars.ContextVar('x')\ndef door(n):\n    _M.set(_f)\n    _M.get()()\n",
    "cycle": FUNCTION + "import itertools\ndef door(n):\n    for f in itertools.chain([_f], []): f()\n",
    "SimpleNamespace": FUNCTION + "from types import SimpleNamespace\n_M = SimpleNamespace(a=_f)\ndef door(n): _M.a()\n",
    "globals": FUNCTION + "def door(n): globals()['_f']()\n",
    "import self": FUNCTION + "def door(n):\n    import pk.a\n    pk.a._f()\n",
    "from . import": FUNCTION + "def door(n):\n    from . import a\n    a._f()\n",
    "importlib self": FUNCTION + "def door(n):\n    import importlib\n    importlib.import_module('pk.a')._f()\n",
    "__dict__": FUNCTION + "def door(n):\n    import pk.a as me\n    me.__dict__['_f']()\n",
    "inspect": FUNCTION + "def door(n):\n    import inspect, pk.a as me\n    dict(inspect.getmembers(me))['_f']()\n",
    "class __dict__": "class _S:\n    def go(self): os.remove('made')\ndef door(n): _S.__dict__['go'](1)\n",
    "locals": FUNCTION + "def door(n):\n    g = _f\n    locals()['g']()\n",
}  # fmt: skip


def found(text):
    result = analyse(as_skill({**OTHERS, "pk/a.py": "import os, sys\n" + text}), entries=frozenset({"use.py"}))
    return [(effect.capability, effect.scope.render()) for effect in result.effects], [
        item.reason for item in result.opaque
    ]


@each_row("name", CASES)
def test_a_private_name_is_reached(name):
    assert ("file.delete", "./made") in found(CASES[name])[0]


def test_what_is_handed_out_with_every_module_is_opaque():
    assert found(FUNCTION + "def door(n): sys.modules[__name__]._f()\n")[1] == [
        "`sys.modules`: hands out every loaded module"
    ]


def test_a_private_name_that_nobody_reaches_is_not_live():
    assert found(FUNCTION + "def door(n): pass\n") == ([], [])
