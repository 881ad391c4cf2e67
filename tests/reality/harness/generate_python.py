"""Random Python."""

from __future__ import annotations

from harness.check import Program
from harness.python_detours import Detours


class Python(Detours):
    """Writes statements into `lines`; `text` gives an expression for a text."""

    def program(self) -> Program:
        """A whole program."""
        for _ in range(self.rng.randint(1, 4)):
            self.wrapped(self.effect())
        head = "import os, sys, shutil, pathlib, subprocess, json, functools, operator, itertools, base64\nfrom pathlib import Path\n"
        return Program({"main.py": head + "\n".join(self.lines) + "\n", **self.files}, ("arg-out.txt", "data.txt"))

    # ── texts ──

    def quote(self, text: str) -> str:
        """A literal."""
        return repr(text)

    def t_concat(self, want, depth):
        left, right = self.cut(want)
        return f"({self.text(left, depth)} + {self.text(right, depth)})"

    def t_variable(self, want, depth):
        name = self.fresh()
        self.lines.append(f"{name} = {self.text(want, depth)}")
        return name

    def t_reassigned(self, want, depth):
        name = self.fresh()
        left, right = self.cut(want)
        self.lines += [f"{name} = {self.text(left, depth)}", f"{name} += {self.text(right, depth)}"]
        return name

    def t_fstring(self, want, depth):
        left, right = self.cut(want)
        name = self.fresh()
        self.lines.append(f"{name} = {self.text(right, depth)}")
        shown = left.replace("{", "{{").replace("}", "}}").replace("'", "\\'")
        return f"f'{shown}{{{name}}}'"

    def t_format(self, want, depth):
        left, right = self.cut(want)
        return self.pick(
            f"'{{}}{{}}'.format({self.text(left, depth)}, {self.text(right, depth)})",
            f"'%s%s' % ({self.text(left, depth)}, {self.text(right, depth)})",
            f"'{{b}}{{a}}'.format(a={self.text(right, depth)}, b={self.text(left, depth)})",
        )

    def t_join(self, want, depth):
        left, right = self.cut(want)
        return f"''.join([{self.text(left, depth)}, {self.text(right, depth)}])"

    def t_reverse(self, want, depth):
        return f"{self.text(want[::-1], depth)}[::-1]"

    def t_function(self, want, depth):
        name, left_right = self.fresh("f"), self.cut(want)
        left, right = left_right
        default = self.text(right, 1)
        self.lines += [f"def {name}(a, b={default}):", "    return a + b"]
        return f"{name}({self.text(left, depth)})"

    def t_closure(self, want, depth):
        name = self.fresh("f")
        left, right = self.cut(want)
        self.lines += [f"def {name}(a):", "    def inner(b):", "        return a + b", "    return inner"]
        return f"{name}({self.text(left, depth)})({self.text(right, depth)})"

    def t_lambda(self, want, depth):
        left, right = self.cut(want)
        return f"(lambda *p, **k: p[0] + k['z'])({self.text(left, depth)}, z={self.text(right, depth)})"

    def t_class(self, want, depth):
        name = self.fresh("C")
        left, right = self.cut(want)
        self.lines += [
            f"class {name}:",
            f"    base = {self.text(left, 1)}",
            "    def __init__(self, end):",
            "        self.end = end",
            self.pick("    @property\n    def name(self):", "    def __getattr__(self, _name):"),
            "        return self.base + self.end",
        ]
        return f"{name}({self.text(right, depth)}).name"

    def t_dict(self, want, depth):
        key = self.pick("'k'", "0", "('a', 1)")
        name = self.fresh("d")
        self.lines.append(f"{name} = {{{key}: {self.text(want, depth)}, 'other': 'unused'}}")
        return self.pick(
            f"{name}[{key}]",
            f"{name}.get({key})",
            f"[v for k, v in {name}.items() if k == {key}][0]",
            f"{name}.pop({key})",
        )

    def t_list(self, want, depth):
        name = self.fresh("l")
        self.lines.append(f"{name} = ['unused', {self.text(want, depth)}]")
        return self.pick(
            f"{name}[1]",
            f"{name}[-1]",
            f"next(x for x in {name} if x != 'unused')",
            f"{name}.pop()",
            f"max({name}[1:])",
        )

    def t_unpack(self, want, depth):
        first, rest = self.fresh(), self.fresh()
        left, right = self.cut(want)
        self.lines.append(f"{first}, *{rest} = {self.text(left, depth)}, {self.text(right, depth)}")
        return f"({first} + {rest}[0])"

    def t_replace(self, want, depth):
        if not want:
            return repr(want)
        mark = "@@"
        at = self.rng.randrange(len(want))
        return f"{self.text(want[:at] + mark + want[at + 1 :], depth)}.replace({mark!r}, {want[at]!r})"

    def t_case(self, want, depth):
        return (
            f"{self.text(want.upper(), depth)}.lower()" if want.upper().lower() == want == want.lower() else repr(want)
        )

    def t_strip(self, want, depth):
        return f"{self.text(f' {want} ', depth)}.strip()" if want == want.strip() else repr(want)

    def t_codes(self, want, _depth):
        return self.pick(f"''.join(map(chr, {[ord(c) for c in want]}))", f"bytes({list(want.encode())}).decode()")

    def t_json(self, want, _depth):
        import json

        return f"json.loads({json.dumps({'k': want})!r})['k']"

    def t_env(self, want, depth):
        name = f"'REMIT_{self.fresh('E')}'"
        self.lines.append(f"os.environ[{name}] = {self.text(want, depth)}")
        return self.pick(f"os.environ[{name}]", f"os.getenv({name})", f"os.environ.get({name}, 'x')")

    def t_condition(self, want, depth):
        return f"({self.text(want, depth)} if len(sys.argv) > 0 else 'never')"

    def t_generator(self, want, depth):
        name = self.fresh("g")
        self.lines += [f"def {name}():", f"    yield {self.text(want, 1)}"]
        return self.pick(f"next({name}())", f"list({name}())[0]", f"''.join({name}())")

    def t_exception(self, want, depth):
        name = self.fresh()
        self.lines += [
            "try:",
            f"    raise ValueError({self.text(want, 1)})",
            "except ValueError as e:",
            f"    {name} = e.args[0]",
        ]
        return name

    def t_walrus(self, want, depth):
        name = self.fresh()
        return f"({name} := {self.text(want, depth)})"

    def t_path(self, want, depth):
        if "/" in want and not want.startswith("/"):
            left, _, right = want.rpartition("/")
            return self.pick(
                f"os.path.join({self.text(left, depth)}, {self.text(right, depth)})",
                f"str(Path({self.text(left, depth)}) / {self.text(right, depth)})",
                f"str(Path({self.text(left, depth)}, 'zz').with_name({self.text(right, depth)}))",
            )
        if want and "/" not in want and want not in (".", ".."):
            return self.pick(
                f"os.path.basename({self.text('p/' + want, depth)})", f"Path({self.text('p/' + want, depth)}).name"
            )
        return repr(want)

    def t_partial(self, want, depth):
        left, right = self.cut(want)
        return f"functools.partial(operator.add, {self.text(left, depth)})({self.text(right, depth)})"

    def t_reduce(self, want, depth):
        left, right = self.cut(want)
        return f"functools.reduce(lambda a, b: a + b, [{self.text(left, depth)}, {self.text(right, depth)}])"

    def t_loop(self, want, depth):
        name, item = self.fresh(), self.fresh()
        pieces = [want[i : i + 3] for i in range(0, len(want), 3)]
        self.lines += [f"{name} = ''", f"for {item} in {pieces}:", f"    {name} = {name} + {item}"]
        return name

    def t_zip(self, want, depth):
        left, right = self.cut(want)
        return f"''.join(a + b for a, b in zip([{self.text(left, depth)}], [{self.text(right, depth)}]))"

    def t_module(self, want, _depth):
        name = self.fresh("mod")
        self.files[f"{name}.py"] = f"NAME = {want!r}\ndef get(): return NAME\n"
        self.lines.append(f"import {name}")
        return self.pick(f"{name}.NAME", f"{name}.get()", f"getattr({name}, 'NAME')", f"vars({name})['NAME']")

    def t_global(self, want, depth):
        name, function = self.fresh("G"), self.fresh("f")
        self.lines += [
            f"{name} = ''",
            f"def {function}():",
            f"    global {name}",
            f"    {name} = {self.text(want, 1)}",
            f"{function}()",
        ]
        return self.pick(name, f"globals()[{name!r}]")

    def t_base64(self, want, _depth):
        import base64

        return f"base64.b64decode({base64.b64encode(want.encode()).decode()!r}).decode()"

    def t_setattr(self, want, depth):
        name = self.fresh("C")
        self.lines += [f"class {name}: pass", f"setattr({name}, 'x' + 'y', {self.text(want, depth)})"]
        return f"{name}.xy"

    def t_default_dict(self, want, depth):
        name = self.fresh("d")
        self.lines += [f"{name} = {{}}", f"{name}.setdefault('a', []).append({self.text(want, depth)})"]
        return f"{name}['a'][0]"

    def t_sorted(self, want, depth):
        return f"sorted([{self.text(want, depth)}, ''], key=len)[-1]"

    # ── effects ──

    def e_open(self):
        write = self.rng.random() < 0.5
        path = self.text(self.new() if write else self.existing())
        mode = self.text(self.pick("w", "a", "x+", "wb") if write else self.pick("r", "rb", "r+"), 1)
        how = self.pick(
            f"open({path}, {mode})",
            f"open(mode={mode}, file={path})",
            f"Path({path}).open({mode})",
            f"os.fdopen(os.open({path}, os.O_RDWR | os.O_CREAT))",
        )
        return self.pick([f"{how}.close()"], [f"with {how} as h:", "    pass"])

    def e_delete(self):
        path = self.text(self.existing())
        function = self.function("os", self.pick("remove", "unlink"))
        return self.pick(
            [f"{function}({path})"],
            [f"Path({path}).unlink()"],
            [f"for f in map({function}, [{path}]): pass"],
            [f"list(map(lambda q: {function}(q), ({path},)))"],
        )

    def e_rename(self):
        old, new = self.text(self.existing()), self.text(self.new())
        return self.pick(
            [f"{self.function('os', 'rename')}({old}, {new})"],
            [f"shutil.move({old}, {new})"],
            [f"Path({old}).rename({new})"],
            [f"os.replace({old}, {new})"],
        )

    def e_copy(self):
        old, new = self.text(self.existing()), self.text(self.new())
        return [f"{self.function('shutil', self.pick('copy', 'copyfile', 'copy2'))}({old}, {new})"]

    def e_folder(self):
        path = self.text(self.new())
        return self.pick(
            [f"os.mkdir({path})"],
            [f"Path({path}).mkdir(parents=True)"],
            [f"os.makedirs({path}, exist_ok=True)", f"os.rmdir({path})"],
        )

    def e_tree(self):
        return [
            self.pick(
                f"shutil.rmtree({self.text('dir')})",
                f"print(os.listdir({self.text('dir')}))",
                f"[p.unlink() for p in Path({self.text('dir')}).iterdir() if p.is_file()]",
                "[os.remove(p) for p in Path('.').glob('*.tmp')]",
            )
        ]

    def e_chmod(self):
        return [
            self.pick(
                f"os.chmod({self.text(self.existing())}, 0o600)", f"Path({self.text(self.existing())}).chmod(0o644)"
            )
        ]

    def e_write_text(self):
        path = self.text(self.new())
        return self.pick(
            [f"Path({path}).write_text('x')"],
            [f"Path({path}).touch()"],
            [f"print('x', file=open({path}, 'w'))"],
            [f"json.dump({{}}, open({path}, 'w'))"],
        )

    def e_child(self):
        path = self.text(self.existing())
        program = self.text(self.pick("rm", "cat", "touch", "wc"), 1)
        return self.pick(
            [f"subprocess.run([{program}, {path}])"],
            [f"subprocess.check_output([{program}] + [{path}])"],
            [f"cmd = [{program}]", f"cmd.append({path})", "subprocess.call(cmd)"],
            [f"subprocess.Popen(({program}, {path})).wait()"],
            [f"os.system({program} + ' ' + \"'\" + {path} + \"'\")"],
            [f"subprocess.run(' '.join([{program}, {path}]), shell=True)"],
            [f"os.spawnlp(os.P_WAIT, {program}, {program}, {path})"],
        )

    def e_argument(self):
        return self.pick(
            ["open(sys.argv[1], 'w').close()"],
            ["print(open(sys.argv[2]).read())"],
            ["out = Path(sys.argv[1]) / 'sub'", "out.mkdir(parents=True)"],
            ["with open(sys.argv[1] + '.bak', 'w') as h: pass"],
        )

    def e_exec(self):
        code = f"open({self.new()!r}, 'w').close()"
        return self.pick(
            [f"exec({self.text(code, 2)})"], [f"eval({code!r})"], [f"exec(compile({code!r}, 'x', 'exec'), {{}})"]
        )

    def e_dispatch(self):
        path = self.text(self.existing())
        table = self.fresh("t")
        return [
            f"{table} = {{'rm': os.remove, 'rd': lambda p: open(p).close(), 'ch': functools.partial(os.chmod, mode=0o600)}}",
            f"{table}[{self.text(self.pick('rm', 'rd', 'ch'), 2)}]({path})",
        ]

    def e_method(self):
        path, name = self.text(self.new()), self.fresh("C")
        return [
            f"class {name}(object):",
            "    def __init__(self, p): self.p = p",
            "    def __enter__(self): open(self.p, 'w').close(); return self",
            "    def __exit__(self, *a): os.remove(self.p)",
            f"with {name}({path}) as m:",
            "    pass",
        ]

    def e_decorated(self):
        path, name = self.text(self.new()), self.fresh("f")
        return [
            f"def deco{name}(fn):",
            "    @functools.wraps(fn)",
            "    def inner(*a, **k):",
            "        return fn(*a, **k)",
            "    return inner",
            f"@deco{name}",
            f"def {name}(p, mode='w'):",
            "    return open(p, mode)",
            f"{name}({path}).close()",
        ]

    def e_chdir(self):
        return ["os.chdir('dir')", f"open({self.text('moved.txt')}, 'w').close()", "os.chdir('..')"]

    def e_inherit(self):
        path, name = self.text(self.existing()), self.fresh("C")
        return [
            f"class A{name}:",
            "    def go(self, p): return self.act(p)",
            f"class {name}(A{name}):",
            "    def act(self, p): return os.remove(p)",
            f"{name}().go({path})",
        ]

    def function(self, module, name):
        """A library function, by one of the ways to it."""
        alias = self.fresh("a")
        way = self.rng.randrange(7)
        if way == 0:
            self.lines.append(f"from {module} import {name} as {alias}")
            return alias
        if way == 1:
            return f"getattr({module}, {self.text(name, 2)})"
        if way == 2:
            return f"__import__({self.text(module, 1)}).{name}"
        if way == 3:
            self.lines.append(f"{alias} = {module}")
            return f"{alias}.{name}"
        if way == 4:
            self.lines.append(f"{alias} = [{module}.{name}]")
            return f"{alias}[0]"
        if way == 5:
            return f"vars({module})[{self.text(name, 1)}]"
        return f"{module}.{name}"

    def wrapped(self, statements: list[str]) -> None:
        """Put statements into the program, perhaps inside something."""
        body = [line for statement in statements for line in statement.split("\n")]
        name = self.fresh("w")
        way = self.rng.randrange(6)
        head: list[str] = []
        if way == 0:
            head, tail = [f"def {name}():"], [f"{name}()"]
        elif way == 1:
            head, tail = ["try:"], ["except OSError:", "    pass"]
        elif way == 2:
            head, tail = ["for _ in range(1):"], []
        elif way == 3:
            head, tail = ["if len(sys.argv) > 1:"], []
        elif way == 4:
            head, tail = [f"async def {name}():"], ["import asyncio", f"asyncio.run({name}())"]
        if not head:
            self.lines += body
            return
        self.lines += [*head, *("    " + line for line in body), *tail]
