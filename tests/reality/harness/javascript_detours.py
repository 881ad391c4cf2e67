"""Random JavaScript: detours that a text takes through objects, classes, promises and the standard library."""

from __future__ import annotations

import json

from harness.names import Builder


class Detours(Builder):
    """Each method is an expression for a text, as in `generate_js`; statements before it go to `lines`."""

    def t_accessor(self, want, depth):
        name = self.fresh("o")
        self.lines.append(
            f"const {name} = {{ get p() {{ return this.q; }}, set p(v) {{ this.q = v; }} }}; {name}.p = {self.text(want, depth)};"
        )
        return self.pick(f"{name}.p", f"{name}['p']", f"Reflect.get({name}, 'p')", f"(({{ p }}) => p)({name})")

    def t_defined(self, want, depth):
        name = self.fresh("o")
        self.lines.append(
            f"const {name} = {{}}; Object.defineProperty({name}, 'p', {self.pick('{ value: ', '{ get: () => ')}{self.text(want, depth)} }});"
        )
        return f"{name}.p"

    def t_proxy(self, want, depth):
        return self.pick(
            f"new Proxy({{}}, {{ get: (t, k) => {self.text(want, depth)} }}).anything",
            f"new Proxy({{ p: {self.text(want, depth)} }}, {{}}).p",
            f"new Proxy(() => {self.text(want, depth)}, {{}})()",
        )

    def t_prototype(self, want, depth):
        name = self.fresh("F")
        left, right = self.cut(want)
        self.lines += [
            f"function {name}(p) {{ this.p = p; }}",
            f"{name}.prototype.whole = function (q) {{ return this.p + q; }};",
        ]
        return self.pick(
            f"new {name}({self.text(left, depth)}).whole({self.text(right, depth)})",
            f"{name}.prototype.whole.call({{ p: {self.text(left, depth)} }}, {self.text(right, depth)})",
            f"Object.assign(Object.create({name}.prototype), {{ p: {self.text(left, depth)} }}).whole({self.text(right, depth)})",
        )

    def t_inherited(self, want, depth):
        name = self.fresh("K")
        left, right = self.cut(want)
        self.lines.append(
            f"class A{name} {{ #s; constructor(p) {{ this.#s = p; }} whole() {{ return this.#s; }} static make(...a) {{ return new this(...a); }} }} "
            f"class {name} extends A{name} {{ constructor(p, q) {{ super(p); this.q = q; }} whole() {{ return super.whole() + this.q; }} }}"
        )
        arguments = f"{self.text(left, depth)}, {self.text(right, depth)}"
        return self.pick(f"new {name}({arguments}).whole()", f"{name}.make({arguments}).whole()")

    def t_static(self, want, depth):
        name = self.fresh("K")
        self.lines.append(
            f"class {name} {{ static p = {self.text(want, depth)}; static {{ this.q = this.p; }} r = {name}.q; }}"
        )
        return self.pick(f"{name}.p", f"{name}.q", f"new {name}().r")

    def t_symbol(self, want, depth):
        name = self.fresh("o")
        self.lines.append(
            f"const {name} = {{ v: {self.text(want, depth)}, [Symbol.toPrimitive]() {{ return this.v; }}, *[Symbol.iterator]() {{ yield this.v; }}, toString() {{ return this.v; }} }};"
        )
        return self.pick(
            f"`${{{name}}}`", f"('' + {name})", f"[...{name}][0]", f"Array.from({name})[0]", f"String({name})"
        )

    def t_tagged(self, want, depth):
        left, right = self.cut(want)
        if "\\" in left or "`" in left or "${" in left:
            return json.dumps(want)
        return f"((s, ...v) => s[0] + v.join(''))`{left}${{{self.text(right, depth)}}}`"

    def t_spread(self, want, depth):
        left, right = self.cut(want)
        return self.pick(
            f"((...a) => a[0] + a.at(-1))(...[{self.text(left, depth)}, {self.text(right, depth)}])",
            f"Math.max.apply.call((a, b) => a + b, null, [{self.text(left, depth)}, {self.text(right, depth)}])",
            f"Reflect.apply((a, b) => a + b, null, [{self.text(left, depth)}, {self.text(right, depth)}])",
            f"((a, b) => a + b).bind(null, {self.text(left, depth)})({self.text(right, depth)})",
        )

    def t_default(self, want, depth):
        return self.pick(
            f"(({{ p = {self.text(want, depth)} }} = {{}}) => p)()",
            f"(([p, q = p] = [{self.text(want, depth)}]) => q)()",
            f"(undefined ?? {self.text(want, depth)})",
            f"(null || {self.text(want, depth)})",
            f"({{ a: {{ b: {self.text(want, depth)} }} }}?.a?.b)",
        )

    def t_entries(self, want, depth):
        return self.pick(
            f"Object.values({{ a: {self.text(want, depth)} }})[0]",
            f"Object.entries({{ a: {self.text(want, depth)} }})[0][1]",
            f"Object.fromEntries([['a', {self.text(want, depth)}]]).a",
            f"new Map([['a', {self.text(want, depth)}]]).get('a')",
            f"[...new Set([{self.text(want, depth)}])][0]",
            f"structuredClone({{ a: {self.text(want, depth)} }}).a",
            f"JSON.parse(JSON.stringify({{ a: {self.text(want, depth)} }})).a",
        )

    def t_array(self, want, depth):
        return self.pick(
            f"[[{self.text(want, depth)}]].flat()[0]",
            f"[{self.text(want, depth)}].flatMap(x => [x])[0]",
            f"['zz', {self.text(want, depth)}].slice(1)[0]",
            f"['zz', {self.text(want, depth)}].splice(1, 1)[0]",
            f"[{self.text(want, depth)}].shift()",
            f"[{self.text(want, depth)}].find(x => x !== undefined)",
            f"Array.from([{self.text(want, depth)}], x => x)[0]",
            f"Array.of({self.text(want, depth)})[0]",
            f"[1].fill({self.text(want, depth)})[0]",
            f"['zz'].with(0, {self.text(want, depth)})[0]",
            f"[{self.text(want, depth)}].filter(Boolean).concat('zz')[0]" if want else '""',
        )

    def t_pieces(self, want, depth):
        return self.pick(
            f"{self.text('xy' + want, depth)}.slice(2)",
            f"{self.text('xy' + want, depth)}.substring(2)",
            f"{self.text('~' + want, depth)}.split('~')[1]" if "~" not in want else json.dumps(want),
            f"{self.text(want + '~', depth)}.match(/^(.*)~$/)[1]",
            f"{self.text('~' + want, depth)}.replace(/~/g, () => '')" if "~" not in want else json.dumps(want),
            f"{self.text(want, depth)}.padEnd(1).trimEnd()" if want and want == want.strip() else json.dumps(want),
            f"[...{self.text(want, depth)}].map(c => c).join('')",
        )

    def t_encoded(self, want, depth):
        data = want.encode()
        return self.pick(
            f"Buffer.from('{data.hex()}', 'hex').toString()",
            f"decodeURIComponent('{''.join(f'%{b:02x}' for b in data)}')",
            f"String.fromCodePoint(...{[ord(c) for c in want]})",
            f"new TextDecoder().decode(new Uint8Array({list(data)}))",
            f"new TextDecoder().decode(new TextEncoder().encode({self.text(want, depth)}))",
        )

    def t_url(self, want, depth):
        if not want or not want.isascii() or not want.isalnum():
            return json.dumps(want)
        return self.pick(
            f"new URL('http://h.example/?p=' + {self.text(want, depth)}).searchParams.get('p')",
            f"path.parse('/a/' + {self.text(want, depth)} + '.txt').name",
            f"require('querystring').parse('p=' + {self.text(want, depth)}).p",
        )

    def t_closure(self, want, depth):
        name = self.fresh("f")
        self.lines.append(
            f"const {name} = (() => {{ let held; return {{ set(v) {{ held = v; return this; }}, get: () => held }}; }})();"
        )
        return f"{name}.set({self.text(want, depth)}).get()"

    def t_event(self, want, depth):
        name, out = self.fresh("e"), self.fresh("o")
        self.lines.append(
            f"let {out}; const {name} = new (require('events'))(); {name}.on('x', v => {{ {out} = v; }}); {name}.emit('x', {self.text(want, depth)});"
        )
        return out

    def t_switch(self, want, depth):
        name = self.fresh("f")
        self.lines.append(
            f"function {name}(k) {{ switch (k) {{ case 'a': return 'never'; case 'b': default: return {self.text(want, 1)}; }} }}"
        )
        return f"{name}('b')"

    def t_labelled(self, want, depth):
        name = self.fresh("v")
        left, right = self.cut(want)
        self.lines.append(
            f"let {name} = ''; outer: for (const a of [{self.text(left, depth)}]) {{ for (const b in {{ x: 1 }}) {{ {name} += a; continue outer; }} }} {name} += {self.text(right, depth)};"
        )
        return name

    def t_finally(self, want, depth):
        name = self.fresh("f")
        self.lines.append(
            f"function {name}(p) {{ try {{ throw Object.assign(new Error('x'), {{ extra: p }}); }} catch (e) {{ return e.extra; }} finally {{ p = null; }} }}"
        )
        return f"{name}({self.text(want, depth)})"

    def t_weak(self, want, depth):
        name = self.fresh("k")
        self.lines.append(
            f"const {name} = {{}}; const W{name} = new WeakMap(); W{name}.set({name}, {self.text(want, depth)});"
        )
        return f"W{name}.get({name})"

    def t_global(self, want, depth):
        name = self.fresh("G")
        self.lines.append(f"{self.pick('globalThis', 'global')}.{name} = {self.text(want, depth)};")
        return self.pick(name, f"globalThis['{name}']")

    def t_util(self, want, depth):
        left, right = self.cut(want)
        return self.pick(
            f"require('util').format('%s%s', {self.text(left, depth)}, {self.text(right, depth)})",
            f"require('util').inspect({self.text(want, depth)}).slice(1, -1)"
            if want.isalnum()
            else f"path.normalize({json.dumps(want)})"
            if want and "/" not in want
            else json.dumps(want),
        )
