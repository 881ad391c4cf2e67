"""Random Python: detours that a text takes through objects, containers and the standard library."""

from __future__ import annotations

from harness.names import Builder


class Detours(Builder):
    """Each method is an expression for a text, as in `generate_python`; statements before it go to `lines`."""

    def t_dataclass(self, want, depth):
        name = self.fresh("D")
        left, right = self.cut(want)
        self.lines += [
            "import dataclasses",
            "@dataclasses.dataclass",
            f"class {name}:",
            "    start: str",
            f"    end: str = dataclasses.field(default_factory=lambda: {right!r})",
            "    def whole(self): return self.start + self.end",
        ]
        made = f"{name}({self.text(left, depth)})"
        return self.pick(
            f"{made}.whole()",
            f"''.join(dataclasses.astuple({made}))",
            f"''.join(dataclasses.asdict({made}).values())",
            f"dataclasses.replace({made}, start={self.text(left, 1)}).whole()",
        )

    def t_namedtuple(self, want, depth):
        name = self.fresh("N")
        self.lines += ["import collections", f"{name} = collections.namedtuple({name!r}, 'one two')"]
        made = f"{name}({self.text(want, depth)}, 2)"
        return self.pick(
            f"{made}.one",
            f"{made}[0]",
            f"{made}._asdict()['one']",
            f"{name}._make([{self.text(want, 1)}, 1]).one",
            f"{made}._replace(two=3).one",
        )

    def t_enum(self, want, depth):
        name = self.fresh("E")
        self.lines += ["import enum", f"class {name}(enum.Enum):", f"    A = {self.text(want, 1)}", "    B = 2"]
        return self.pick(
            f"{name}.A.value", f"{name}['A'].value", f"list({name})[0].value", f"[e for e in {name}][0].value"
        )

    def t_slots(self, want, depth):
        name = self.fresh("C")
        self.lines += [f"class {name}:", "    __slots__ = ('p',)", "    def set(self, p): self.p = p; return self"]
        return f"{name}().set({self.text(want, depth)}).p"

    def t_operator(self, want, depth):
        name = self.fresh("C")
        left, right = self.cut(want)
        dunder, sign = self.pick(
            ("__truediv__", "/"), ("__add__", "+"), ("__or__", "|"), ("__mod__", "%"), ("__matmul__", "@")
        )
        self.lines += [
            f"class {name}:",
            "    def __init__(self, p): self.p = p",
            f"    def {dunder}(self, other): return {name}(self.p + other)",
            "    def __str__(self): return self.p",
            "    def __fspath__(self): return self.p",
        ]
        whole = f"({name}({self.text(left, depth)}) {sign} {self.text(right, depth)})"
        return self.pick(f"str({whole})", f"f'{{{whole}}}'", f"os.fspath({whole})", f"{whole}.p", f"'%s' % ({whole},)")

    def t_container(self, want, depth):
        name = self.fresh("C")
        self.lines += [
            f"class {name}:",
            f"    def __getitem__(self, key): return {self.text(want, 1)} if key == 0 else [][0]",
            "    def __len__(self): return 1",
            "    def __iter__(self): return iter([self[0]])",
            "    def __call__(self, *a): return self[0]",
            "    def __enter__(self): return self[0]",
            "    def __exit__(self, *a): return None",
        ]
        held = self.fresh()
        self.lines += [f"with {name}() as {held}:", "    pass"]
        return self.pick(
            f"{name}()[0]", f"next(iter({name}()))", f"{name}()()", held, f"''.join({name}())", f"list({name}())[0]"
        )

    def t_descriptor(self, want, depth):
        name = self.fresh("C")
        self.lines += [
            f"class X{name}:",
            "    def __set_name__(self, owner, name): self.name = name",
            f"    def __get__(self, obj, owner=None): return {self.text(want, 1)}",
            f"class {name}:",
            f"    prop = X{name}()",
        ]
        return self.pick(f"{name}().prop", f"{name}.prop", f"getattr({name}(), 'prop')")

    def t_classmethod(self, want, depth):
        name = self.fresh("C")
        left, right = self.cut(want)
        self.lines += [
            f"class {name}:",
            f"    start = {left!r}",
            "    @classmethod",
            "    def make(cls, end): return cls.start + end",
            "    @staticmethod",
            "    def join(a, b): return a + b",
            f"class S{name}({name}):",
            "    @classmethod",
            "    def make(cls, end): return super().make(end)",
        ]
        end = self.text(right, depth)
        return self.pick(
            f"{name}.make({end})",
            f"S{name}.make({end})",
            f"{name}.join({self.text(left, 1)}, {end})",
            f"S{name}().make({end})",
        )

    def t_inherited(self, want, depth):
        name = self.fresh("C")
        left, right = self.cut(want)
        self.lines += [
            f"class A{name}:",
            "    def __init__(self, p): self.p = p",
            f"class {name}(A{name}):",
            "    def __init__(self, p, q):",
            f"        {self.pick('super().__init__(p)', f'A{name}.__init__(self, p)', f'super({name}, self).__init__(p)')}",
            "        self.p += q",
        ]
        return f"{name}({self.text(left, depth)}, {self.text(right, depth)}).p"

    def t_subscripted(self, want, depth):
        name = self.fresh("d")
        self.lines += [f"{name} = {{'a': {{'b': [None]}}}}", f"{name}['a']['b'][0] = {self.text(want, depth)}"]
        return self.pick(
            f"{name}['a']['b'][0]",
            f"{{**{name}}}['a']['b'][-1]",
            f"({name} | {{'c': 1}})['a'].get('b')[0]",
            f"dict({name}).copy()['a']['b'].pop()",
            f"operator.itemgetter('a')({name})['b'][0]",
            f"list({name}.values())[0]['b'][0]",
        )

    def t_merged(self, want, depth):
        name = self.fresh("d")
        self.lines += [f"{name} = {{'z': 1}}", f"{name}.update({self.pick('k=', '**dict(k=')}{self.text(want, depth)}"]
        self.lines[-1] += "))" if "dict" in self.lines[-1] else ")"
        return f"{name}['k']"

    def t_split(self, want, depth):
        if not want or "," in want or want != want.strip():
            return repr(want)
        return self.pick(
            f"{self.text('x,' + want, depth)}.split(',')[1]",
            f"{self.text(want + ',y', depth)}.partition(',')[0]",
            f"{self.text('x,' + want, depth)}.rsplit(',', 1)[-1]",
            f"({self.text('x ' + want if ' ' not in want else want, depth)}).split(' ', 1)[-1]"
            if " " not in want
            else repr(want),
        )

    def t_sliced(self, want, depth):
        return self.pick(
            f"{self.text('xy' + want, depth)}[2:]",
            f"{self.text(want + 'xy', depth)}[:-2]",
            f"{self.text('xy' + want, depth)}.removeprefix('xy')",
            f"{self.text(want + 'xy', depth)}.removesuffix('xy')",
        )

    def t_translated(self, want, depth):
        if "~" in want or not want:
            return repr(want)
        return self.pick(
            f"{self.text(want.replace(want[0], '~'), depth)}.translate(str.maketrans('~', {want[0]!r}))",
            f"__import__('re').sub('~', {want[0]!r}, {self.text(want.replace(want[0], '~'), depth)})"
            if want[0] != "\\"
            else repr(want),
            f"__import__('re').match('(.*)~', {self.text(want + '~', depth)}).group(1)",
            f"__import__('re').findall('[^~]+', {self.text('~' + want, depth)})[0]",
        )

    def t_encoded(self, want, depth):
        import codecs
        import zlib

        return self.pick(
            f"bytes.fromhex({want.encode().hex()!r}).decode()",
            f"__import__('codecs').decode({codecs.encode(want, 'rot13')!r}, 'rot13')",
            f"__import__('zlib').decompress({zlib.compress(want.encode())!r}).decode()",
            f"__import__('urllib.parse').parse.unquote({''.join(f'%{b:02x}' for b in want.encode())!r})",
            f"__import__('ast').literal_eval({repr([want])!r})[0]",
            f"__import__('html').unescape({''.join(f'&#{ord(c)};' for c in want)!r})",
            f"{want.encode()!r}.decode()",
        )

    def t_comprehension(self, want, depth):
        return self.pick(
            f"[y for x in [[{self.text(want, depth)}]] for y in x][0]",
            f"{{k: v for k, v in [('a', {self.text(want, depth)})]}}['a']",
            f"list({{{self.text(want, depth)}}})[0]",
            f"''.join(c for c in {self.text(want, depth)})",
            f"[*map(str, [{self.text(want, depth)}])][0]",
            f"list(filter(None, ['', {self.text(want, depth)}, '']))[0]" if want else repr(want),
        )

    def t_itertools(self, want, depth):
        left, right = self.cut(want)
        return self.pick(
            f"''.join(itertools.chain([{self.text(left, depth)}], [{self.text(right, depth)}]))",
            f"''.join(next(itertools.product([{self.text(left, depth)}], [{self.text(right, depth)}])))",
            f"list(itertools.starmap(operator.add, [({self.text(left, depth)}, {self.text(right, depth)})]))[0]",
            f"list(itertools.accumulate([{self.text(left, depth)}, {self.text(right, depth)}]))[-1]",
            f"dict(enumerate([{self.text(want, depth)}]))[0]",
        )

    def t_match(self, want, depth):
        name = self.fresh()
        self.lines += [
            f"match {{'kind': 'a', 'p': {self.text(want, depth)}}}:",
            f"    case {{'kind': 'a', 'p': {name}}}:",
            "        pass",
            "    case _:",
            f"        {name} = 'never'",
        ]
        return name

    def t_while(self, want, depth):
        name, queue = self.fresh(), self.fresh("q")
        left, right = self.cut(want)
        self.lines += [
            f"{queue} = [{self.text(right, depth)}, {self.text(left, depth)}]",
            f"{name} = ''",
            f"while {queue}:",
            f"    {name} += {queue}.pop()",
        ]
        return name

    def t_finally(self, want, depth):
        name = self.fresh("f")
        self.lines += [
            f"def {name}(p):",
            "    try:",
            "        return [][0]",
            "    except IndexError as problem:",
            "        problem.extra = p",
            "        saved = problem",
            "    finally:",
            "        p = None",
            "    return saved.extra",
        ]
        return f"{name}({self.text(want, depth)})"

    def t_cached(self, want, depth):
        name = self.fresh("f")
        self.lines += [
            self.pick(
                "@functools.lru_cache(None)", "@functools.cache", "@functools.singledispatch", "@(lambda fn: fn)"
            ),
            f"def {name}(p):",
            "    return p",
        ]
        return f"{name}({self.text(want, depth)})"

    def t_stringio(self, want, depth):
        name = self.fresh("s")
        self.lines += ["import io", f"{name} = io.StringIO()", f"{name}.write({self.text(want, depth)})"]
        return f"{name}.getvalue()"

    def t_nonlocal(self, want, depth):
        name = self.fresh("f")
        self.lines += [
            f"def {name}(p):",
            "    held = ''",
            "    def keep():",
            "        nonlocal held",
            "        held = p",
            "    keep()",
            "    return held",
        ]
        return f"{name}({self.text(want, depth)})"

    def t_send(self, want, depth):
        name, made = self.fresh("g"), self.fresh()
        self.lines += [f"def {name}():", "    got = yield", "    yield got", f"{made} = {name}()", f"next({made})"]
        return f"{made}.send({self.text(want, depth)})"

    def t_thread(self, want, depth):
        name, out = self.fresh("t"), self.fresh("o")
        self.lines += [
            "import threading, queue",
            f"{out} = queue.Queue()",
            f"{name} = threading.Thread(target={out}.put, args=({self.text(want, depth)},))",
            f"{name}.start(); {name}.join()",
        ]
        return f"{out}.get()"

    def t_pool(self, want, depth):
        return (
            "(lambda ex: list(ex.map(lambda p: p, ["
            + self.text(want, depth)
            + "]))[0])(__import__('concurrent.futures').futures.ThreadPoolExecutor(1))"
        )

    def t_type(self, want, depth):
        name = self.fresh("C")
        self.lines.append(f"{name} = type({name!r}, (), {{'p': {self.text(want, depth)}, 'get': lambda self: self.p}})")
        return self.pick(f"{name}().get()", f"{name}.p", f"vars({name})['p']", f"operator.attrgetter('p')({name}())")

    def t_config(self, want, depth):
        if not want or want != want.strip() or "%" in want or "\n" in want:
            return repr(want)
        name = self.fresh("c")
        self.lines += [
            "import configparser",
            f"{name} = configparser.ConfigParser()",
            f"{name}.read_dict({{'s': {{'k': {self.text(want, depth)}}}}})",
        ]
        return self.pick(f"{name}['s']['k']", f"{name}.get('s', 'k')")

    def t_argparse(self, want, depth):
        name = self.fresh("p")
        self.lines += [
            "import argparse",
            f"{name} = argparse.ArgumentParser()",
            f"{name}.add_argument('--out', default={self.text(want, depth)})",
        ]
        return self.pick(
            f"{name}.parse_args([]).out", f"vars({name}.parse_args([]))['out']", f"{name}.parse_known_args([])[0].out"
        )
