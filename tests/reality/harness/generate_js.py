"""Random JavaScript for Node."""

from __future__ import annotations

import json

from harness.check import Program
from harness.javascript_detours import Detours


class JavaScript(Detours):
    """Writes statements into `lines`; `text` gives an expression for a text."""

    def program(self) -> Program:
        """A whole program."""
        for _ in range(self.rng.randint(1, 4)):
            self.wrapped(self.effect())
        head = "const fs = require('fs'); const path = require('node:path'); const cp = require('child_process');\n"
        return Program({"main.js": head + "\n".join(self.lines) + "\n", **self.files}, ("arg-out.txt", "data.txt"))

    # ── texts ──

    def quote(self, text: str) -> str:
        """A literal."""
        return json.dumps(text)

    def t_concat(self, want, depth):
        left, right = self.cut(want)
        return f"({self.text(left, depth)} + {self.text(right, depth)})"

    def t_variable(self, want, depth):
        name = self.fresh()
        self.lines.append(f"{self.pick('const', 'let', 'var')} {name} = {self.text(want, depth)};")
        return name

    def t_template(self, want, depth):
        left, right = self.cut(want)
        shown = left.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")
        return f"`{shown}${{{self.text(right, depth)}}}`"

    def t_join(self, want, depth):
        left, right = self.cut(want)
        return self.pick(
            f"[{self.text(left, depth)}, {self.text(right, depth)}].join('')",
            f"{self.text(left, depth)}.concat({self.text(right, depth)})",
        )

    def t_reverse(self, want, depth):
        return f"[...{self.text(want[::-1], depth)}].reverse().join('')"

    def t_function(self, want, depth):
        name = self.fresh("f")
        left, right = self.cut(want)
        self.lines.append(f"function {name}(a, b = {self.text(right, 1)}) {{ return a + b; }}")
        return f"{name}({self.text(left, depth)})"

    def t_arrow(self, want, depth):
        left, right = self.cut(want)
        return f"(a => b => a + b)({self.text(left, depth)})({self.text(right, depth)})"

    def t_rest(self, want, depth):
        left, right = self.cut(want)
        return f"((...p) => p.join(''))({self.text(left, depth)}, ...[{self.text(right, depth)}])"

    def t_object(self, want, depth):
        name = self.fresh("o")
        self.lines.append(f"const {name} = {{ k: {self.text(want, depth)}, ['o' + 'ther']: 'unused' }};")
        return self.pick(
            f"{name}.k",
            f"{name}['k']",
            f"(({{ k: q }}) => q)({name})",
            f"Object.values({name})[0]",
            f"({{ ...{name} }}).k",
            f"Object.entries({name}).find(e => e[0] === 'k')[1]",
        )

    def t_destructure(self, want, depth):
        a, b = self.fresh(), self.fresh()
        left, right = self.cut(want)
        self.lines.append(
            self.pick(
                f"const [{a}, {{ z: {b} = 'never' }}] = [{self.text(left, depth)}, {{ z: {self.text(right, depth)} }}];",
                f"const {{ p: {{ q: {a} }}, ...{b}r }} = {{ p: {{ q: {self.text(left, depth)} }}, s: {self.text(right, depth)} }}; const {b} = {b}r.s;",
            )
        )
        return f"({a} + {b})"

    def t_class(self, want, depth):
        name = self.fresh("C")
        left, right = self.cut(want)
        self.lines.append(
            f"class {name} {{ static base = {self.text(left, 1)}; #end; constructor(e) {{ this.#end = e; }} get name() {{ return {name}.base + this.#end; }} toString() {{ return this.name; }} }}"
        )
        return self.pick(
            f"new {name}({self.text(right, depth)}).name",
            f"`${{new {name}({self.text(right, depth)})}}`",
            f"('' + new {name}({self.text(right, depth)}))",
        )

    def t_map(self, want, depth):
        name = self.fresh("m")
        self.lines.append(f"const {name} = new Map([['k', {self.text(want, depth)}]]);")
        return self.pick(f"{name}.get('k')", f"[...{name}.values()][0]")

    def t_list(self, want, depth):
        name = self.fresh("l")
        self.lines.append(f"const {name} = ['unused', {self.text(want, depth)}];")
        return self.pick(
            f"{name}[1]",
            f"{name}.pop()",
            f"{name}.at(-1)",
            f"{name}.filter(x => x !== 'unused')[0]",
            f"{name}.slice(1).map(x => x)[0]",
            f"{name}.find(x => x !== 'unused')",
        )

    def t_reduce(self, want, depth):
        left, right = self.cut(want)
        return f"[{self.text(left, depth)}, {self.text(right, depth)}].reduce((a, b) => a + b, '')"

    def t_replace(self, want, depth):
        if not want or want[0] == "$":
            return json.dumps(want)
        return self.pick(
            f"{self.text('@@' + want[1:], depth)}.replace('@@', {json.dumps(want[0])})",
            f"{self.text('@@' + want, depth)}.replace(/^@@/, '')",
            f"{self.text('zz' + want, depth)}.slice(2)",
            f"{self.text('zz' + want, depth)}.substring(2)",
        )

    def t_case(self, want, depth):
        return (
            f"{self.text(want.upper(), depth)}.toLowerCase()"
            if want.isascii() and want == want.lower()
            else json.dumps(want)
        )

    def t_codes(self, want, _depth):
        return (
            self.pick(
                f"String.fromCharCode({', '.join(str(ord(c)) for c in want)})",
                f"Buffer.from('{want.encode().hex()}', 'hex').toString()",
            )
            if want
            else "''"
        )

    def t_json(self, want, _depth):
        return f"JSON.parse({json.dumps(json.dumps({'k': want}))}).k"

    def t_condition(self, want, depth):
        return (
            self.pick(
                f"(process.argv.length ? {self.text(want, depth)} : 'never')",
                f"(null ?? {self.text(want, depth)})",
                f"({self.text(want, depth)} || 'never')",
            )
            if want
            else "''"
        )

    def t_generator(self, want, depth):
        name = self.fresh("g")
        self.lines.append(f"function* {name}() {{ yield {self.text(want, 1)}; }}")
        return self.pick(f"{name}().next().value", f"[...{name}()][0]", f"Array.from({name}())[0]")

    def t_error(self, want, depth):
        name = self.fresh()
        self.lines.append(
            f"let {name}; try {{ throw new Error({self.text(want, 1)}); }} catch (e) {{ {name} = e.message; }}"
        )
        return name

    def t_path(self, want, depth):
        if "/" in want:
            left, _, right = want.rpartition("/")
            return self.pick(
                f"path.join({self.text(left, depth)}, {self.text(right, depth)})",
                f"path.relative('', path.resolve({self.text(left, depth)}, {self.text(right, depth)}))",
            )
        return f"path.basename({self.text('p/' + want, depth)})" if want else "''"

    def t_env(self, want, depth):
        name = f"REMIT_{self.fresh('E')}"
        self.lines.append(f"process.env.{name} = {self.text(want, depth)};")
        return self.pick(f"process.env.{name}", f"process.env['{name}']", f"(({{ {name}: z }}) => z)(process.env)")

    def t_module(self, want, _depth):
        name = self.fresh("mod")
        self.files[f"{name}.js"] = self.pick(
            f"exports.NAME = {json.dumps(want)};",
            f"module.exports = {{ NAME: {json.dumps(want)} }};",
            f"const x = {json.dumps(want)};\nObject.assign(exports, {{ NAME: x }});",
        )
        return self.pick(f"require('./{name}').NAME", f"require('./' + '{name}.js')['NAME']")

    def t_this(self, want, depth):
        return self.pick(
            f"(function () {{ return this.x; }}).call({{ x: {self.text(want, depth)} }})",
            f"(function () {{ return arguments[0]; }})({self.text(want, depth)})",
            f"((a, b) => b).bind(null, 1)({self.text(want, depth)})",
            f"Reflect.apply((a) => a, null, [{self.text(want, depth)}])",
        )

    def t_assign(self, want, depth):
        name = self.fresh("o")
        self.lines.append(f"const {name} = {{}}; {name}['x' + 1] = {self.text(want, depth)};")
        return self.pick(f"{name}.x1", f"Object.assign({{}}, {name}).x1", f"{name}?.['x1']")

    # ── effects ──

    def e_write(self):
        return f"{self.function('fs', self.pick('writeFileSync', 'appendFileSync'))}({self.text(self.new())}, 'x');"

    def e_open(self):
        write = self.rng.random() < 0.5
        return f"fs.closeSync(fs.openSync({self.text(self.new() if write else self.existing())}, {self.text(self.pick('w', 'a', 'wx+') if write else self.pick('r', 'r+'), 1)}));"

    def e_read(self):
        return f"{self.function('fs', 'readFileSync')}({self.text(self.existing())}, {self.pick(chr(39) + 'utf8' + chr(39), '{}')});"

    def e_delete(self):
        return f"{self.function('fs', self.pick('unlinkSync', 'rmSync'))}({self.text(self.existing())});"

    def e_rename(self):
        return f"{self.function('fs', self.pick('renameSync', 'copyFileSync'))}({self.text(self.existing())}, {self.text(self.new())});"

    def e_folder(self):
        path = self.text(self.new())
        return self.pick(
            f"fs.mkdirSync({path}, {{ recursive: true }});",
            f"fs.mkdirSync({path}); fs.rmdirSync({path});",
            "fs.rmSync('dir', { recursive: true });",
            f"fs.readdirSync({self.text('dir')}).forEach(n => fs.unlinkSync(path.join('dir', n)));",
        )

    def e_promise(self):
        path, old = self.text(self.new()), self.text(self.existing())
        return self.pick(
            f"fs.promises.writeFile({path}, 'x').then(() => fs.promises.unlink({old}));",
            f"(async () => {{ await fs.promises.rm({old}); for (const n of [{path}]) await fs.promises.writeFile(n, ''); }})();",
            f"require('fs/promises').readFile({old}, 'utf8').then(s => fs.writeFileSync({path}, s));",
            f"new Promise(r => r({path})).then(n => fs.writeFileSync(n, ''));",
            f"fs.readFile({old}, (err, data) => fs.writeFileSync({path}, 'x'));",
            f"Promise.all([{path}].map(async n => fs.writeFileSync(n, ''))).catch(() => 0);",
            f"setTimeout(p => fs.unlinkSync(p), 1, {old});",
        )

    def e_child(self):
        path, program = self.text(self.existing()), self.text(self.pick("rm", "cat", "touch", "wc"), 1)
        return self.pick(
            f"cp.spawnSync({program}, [{path}]);",
            f"cp.execFileSync({program}, ['--', {path}]);",
            f"cp.execSync({program} + ' ' + {path});",
            f"cp.execSync(`${{{program}}} '${{{path}}}'`);",
            f"cp.spawn({program}, [{path}], {{ stdio: 'inherit' }});",
            f"cp.exec([{program}, {path}].join(' '), () => {{}});",
        )

    def e_argument(self):
        return self.pick(
            "fs.writeFileSync(process.argv[2], '');",
            "fs.readFileSync(process.argv.slice(2)[1]);",
            "const [, , outArg] = process.argv; fs.mkdirSync(path.join(outArg, 'sub'), { recursive: true });",
            "fs.writeFileSync(`${process.argv[2]}.bak`, '');",
        ).replace("outArg", self.fresh("q"))

    def e_dispatch(self):
        table = self.fresh("t")
        return f"const {table} = {{ rm: fs.unlinkSync, rd: p => fs.readFileSync(p), wr(p) {{ fs.appendFileSync(p, ''); }} }}; {table}[{self.text(self.pick('rm', 'rd', 'wr'), 2)}]({self.text(self.existing())});"

    def e_class(self):
        name = self.fresh("K")
        return f"class A{name} {{ go(p) {{ return this.act(p); }} }} class {name} extends A{name} {{ act(p) {{ fs.unlinkSync(p); }} }} new {name}().go({self.text(self.existing())});"

    def e_eval(self):
        code = f"require('fs').writeFileSync({json.dumps(self.new())}, '')"
        return self.pick(
            f"eval({self.text(code, 2)});",
            f"new Function('require', {json.dumps(code)})(require);",
            f"fs.writeFileSync?.({self.text(self.new())}, '');",
        )

    def e_chdir(self):
        return f"process.chdir('dir'); fs.writeFileSync({self.text('moved.txt')}, ''); process.chdir('..');"

    def e_stream(self):
        return self.pick(
            f"fs.createWriteStream({self.text(self.new())}).end('x');",
            f"fs.createReadStream({self.text(self.existing())}).pipe(fs.createWriteStream({self.text(self.new())}));",
        )

    def function(self, module, name):
        """A library function, by one of the ways to it."""
        alias = self.fresh("a")
        way = self.rng.randrange(7)
        if way == 0:
            self.lines.append(f"const {{ {name}: {alias} }} = {module};")
            return alias
        if way == 1:
            return f"{module}[{self.text(name, 2)}]"
        if way == 2:
            return f"require({self.text(module, 1)}).{name}"
        if way == 3:
            self.lines.append(f"const {alias} = {module}.{name}.bind({module});")
            return alias
        if way == 4:
            self.lines.append(f"const {alias} = {{ ...{module} }};")
            return f"{alias}.{name}"
        return f"{module}.{name}"

    def wrapped(self, statement: str) -> None:
        """Put a statement into the program, perhaps inside something."""
        name = self.fresh("w")
        way = self.rng.randrange(6)
        shapes = {
            0: f"function {name}() {{ {statement} }} {name}();",
            1: f"try {{ {statement} }} catch (e) {{}}",
            2: f"for (const _ of [1]) {{ {statement} }}",
            3: f"if (process.argv.length > 1) {{ {statement} }}",
            4: f"(async () => {{ {statement} }})();",
        }
        self.lines.append(shapes.get(way, statement))
