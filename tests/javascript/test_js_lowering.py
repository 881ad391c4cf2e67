"""What each construct of the language becomes."""

from js_show import facts, show

from each_row import each_row

SAME_FACTS = [
    # modules
    ('const fs = require("fs")', ["0.fs = import(fs)"]),
    ('const { a: b, ...c } = require("m")', ["0.b = import(m).a", "0.c = import(m)@0.."]),
    ('require("a" + "b")', ["import(ab)"]),
    ("require(x)", ["import-dynamic($x)"]),
    ("const r = require; r('fs')", ["0.r = $require", "0.r('fs')"]),
    ('const require = m.createRequire(u); require("fs").a', ["0.require = $m.createRequire($u)", "import(fs).a"]),
    ('import a, { b as c, default as d } from "m"', ["0.a = import(m:default)", "0.c = import(m:b)", "0.d = import(m:default)"]),
    ('import * as n from "m"; import "s"', ["0.n = import(m)", "import(s)"]),
    ('import { "a-b" as c } from "m"', ["0.c = import(m:a-b)"]),
    ('export * from "m"; export * as n from "k"', ["export (all) = import(m)", "export n = import(k)"]),
    ('export { a as b } from "m"', ["export b = import(m:a)"]),
    ("export const a = 1, [b] = c", ["0.a = 1", "0.b = $c@0", "export a = 0.a", "export b = 0.b"]),
    ("export default f()", ["export default = $f()"]),
    ("let a; export { a as default }", ["0.a = undefined", "export default = 0.a"]),
    ('await import("m")', ["import(m)"]),
    ('import("m").then(f)', ["either($f(import(m)))"]),
    ("exports.a = 1", ["0.exports = {}", "export (all) = 0.exports", "0.exports.a := 1"]),
    ("module.exports = a", ["0.exports = {}", "export (all) = 0.exports", "0.exports = $a"]),
    ("exports = module.exports = a", ["0.exports = {}", "export (all) = 0.exports", "0.exports = $a", "0.exports = $a"]),
    # paths
    ("f(__dirname, __filename)", ["$f('<skill>/scripts', '<skill>/scripts/x.js')"]),
    ("f(import.meta.url, import.meta.dirname)", ["$f('file://<skill>/scripts/x.js', '<skill>/scripts')"]),
    # operators
    ("x = a || b || c", ["$globalThis.x := either($a, $b, $c)"]),
    ("let x = a && b", ["0.x = either(''|false|undefined, $b)"]),
    ("let x = !a && b", ["0.x = either(''|false|undefined, $b)"]),
    ("let x = a === b && c", ["($a cmp $b)", "0.x = either(false, $c)"]),
    ("let x = a + 'b' + c + 1", ["0.x = cat($a, 'b', $c, 1)"]),
    ("let x = a + b + 'c'", ["0.x = cat(($a + $b), 'c')"]),
    ("let x = 'a' + `b${1}`", ["0.x = cat('ab', 1)"]),
    ("let x = -5, y = -z", ["0.x = -5", "0.y = num"]),
    ("o.p += 1; o[k] ||= f()", ["0.% = ($o.p + 1)", "$o.p := 0.%", "0.%%2 = either($o[$k], $f())", "$o[$k] := 0.%%2"]),
    ("let i = 0; i++", ["0.i = 0", "0.i = num"]),
    ("typeof eval; typeof f()", ["$f()"]),
    ("delete o.a; delete o[k]", ["delete $o['a']", "delete $o[$k]"]),
    ("a.b = c.d = f()", ["0.% = $f()", "$c.d := 0.%", "$a.b := 0.%"]),
    ("f(void 0, null, true)", ["$f(undefined, none, true)"]),
    ("f(/a\\/b/gi)", ["$f(new $RegExp('a\\/b', 'gi'))"]),
    ("t`a${b}c`", ["0.% = ['a', 'c']", "0.%.raw := ['a', 'c']", "$t(0.%, $b)"]),
    ("f(String.raw`\\n${a}`)", ["$f(cat('\\n', $a))"]),
    ("f(...a, b)", ["$f(*$a, $b)"]),
    ("new A.B(c)", ["new $A.B($c)"]),
    ("new A", ["new $A()"]),
    ("o['a'](o[1], o['2'], o[k])", ["$o.a($o[1], $o['2'], $o[$k])"]),
    # patterns
    ("const [a, , b = 1, ...c] = d", ["0.a = $d@0", "0.b = either($d@2, 1)", "0.c = $d@3.."]),
    ("const { a = 1, 'b-c': e, [k]: g } = d()", ["0.% = $d()", "0.a = either(0.%.a, 1)", "0.e = 0.%.b-c", "0.g = 0.%[$k]"]),
    ("[a.b, c[0]] = d", ["$a.b := $d@0", "$c[0] := $d@1"]),
    ("for (const [k, v] of e) f(k)", ["0.% = iterate($e)", "0.k = 0.%@0", "0.v = 0.%@1", "$f(0.k)"]),
    ("for (var k in o) f(k)", ["0.k = missing", "0.k = keys($o)", "$f(0.k)"]),
    ("for await (const x of y) f(x)", ["0.x = await(iterate($y))", "$f(0.x)"]),
    ("try {} catch ({ a }) { f(a) }", ["0.% = either(any, caught, 0.%thrown)", "0.a = 0.%.a", "$f(0.a)"]),
    ("throw new TypeError('x')", ["0.%thrown = throw(new $TypeError('x'))"]),
    ("throw f", ["0.%thrown = $f"]),
    # scopes
    ("let x = 1; { let x = 2; f(x) } f(x)", ["0.x = 1", "0.x%2 = 2", "$f(0.x%2)", "$f(0.x)"]),
    ("f(x); { var x = 1 }", ["0.x = missing", "$f(0.x)", "0.x = 1"]),
    ("switch (a) { case f(): let b = 1; default: g(b) }", ["$f()", "0.b = 1", "$g(0.b)"]),
    ("x = 1", ["$globalThis.x := 1"]),
    ("({ a, 'b': 1, [c]: 2, ...d, 3: e })", ["{'a': $a, 'b': 1, $c: 2, ...: $d, 3: $e}"]),
    ("f([a, , ...b])", ["$f([$a, undefined, *$b])"]),
    ("a, f(), b", ["$f()"]),
    ("x ? f() : g() ? 1 : 2", ["$g()", "either($f(), 1, 2)"]),
    ("lbl: { f(); break lbl }", ["$f()"]),
    ("this.a = 1", ["0.exports = {}", "export (all) = 0.exports", "0.exports.a := 1"]),
]  # fmt: skip


@each_row(("source", "expected"), SAME_FACTS, ids=[source for source, _ in SAME_FACTS])
def test_facts(source, expected):
    assert facts(source) == expected


PROGRAMS = [
    ("function f(a, b = 1, { c } = {}, ...d) { return this.x }",
     ["0.f = fn1", "1 f(this, a, b=1, %={}, *d)", "  1.c = 1.%.c", "  return 1.this.x"]),
    ("function f(a, b = a, c = () => a) {}",
     ["0.f = fn1", "1 f(this, a, b, c)", "  1.b = 1.a", "  1.c = fn2", "2 <arrow>() in 1", "  return 1.a"]),
    ("var x; function f(a = x) { var x = 1 }", ["0.x = undefined", "0.f = fn1", "1 f(this, a=0.x)", "  1.x = 1"]),
    ("const f = async a => await a", ["0.f = fn1", "1 f(a) is_async", "  return await(1.a)"]),
    ("function* g() { const x = yield 1; yield* h() }",
     ["0.g = fn1", "1 g(this) generator", "  yield 1", "  1.x = any", "  yield iterate($h())"]),
    ("function f(a) { g(arguments) }",
     ["0.f = fn1", "1 f(this, a, *%arguments)", "  1.arguments = [1.a, *1.%arguments]", "  1.a = 1.arguments@0", "  $g(1.arguments)"]),
    ("x(function fact(n) { return fact(n) })",
     ["0.fact = fn1", "$x(0.fact)", "1 fact(this, n)", "  return 0.fact(1.n)"]),
    ("function f() { return () => this }", ["0.f = fn1", "1 f(this)", "  return fn2", "2 <arrow>() in 1", "  return 1.this"]),
    ("{ function f() {} } f()", ["0.f = fn1", "0.f%2 = fn1", "0.f()", "1 f(this)"]),
    ("'use strict'; { function f() {} } f()", ["0.f = fn1", "$f()", "1 f(this)"]),
    ("({ get a() { return 1 }, set a(v) {}, toString() {} })",
     ["{'a': fn1(), setter: fn2, 'toString': fn3}", "1 a(this) decorated", "  return 1", "2 a(this, v) decorated", "3 toString(this) decorated"]),
    ("class A extends B { #x = 1; static s = this.t; constructor(a) { super(a); this.#x } get g() { return super.g } }",
     ["0.A = class0", "1 A() is_class_body", "  1.<fields> = fn2", "  1.s = 0.A.t", "  1.constructor = fn3", "  1.g = fn4",
      "2 <fields>(this) class=0/instance in 1", "  2.this.#x := 1",
      "3 constructor(this, a) class=0/instance in 1", "  super0(3.a)", "  3.this.#x",
      "4 g(this) decorated class=0/property in 1", "  return super0.g", "class A body=1 bases=[$B]"]),
    ("class A { f = () => this; static { const a = this; a.x() } static async m() {} }",
     ["0.A = class0", "1 A() is_class_body", "  1.<fields> = fn2", "  fn4()", "  1.m = fn5",
      "2 <fields>(this) class=0/instance in 1", "  2.this.f := fn3", "3 f() in 2", "  return 2.this",
      "4 <static>() class=0/static in 1", "  4.a = 0.A", "  4.a.x()", "5 m(this) is_async class=0/class in 1",
      "class A body=1 bases=[]"]),
    ("const A = class B { m() { return B } }",
     ["0.B = class0", "0.A = 0.B", "1 B() is_class_body", "  1.m = fn2", "2 m(this) class=0/instance in 1", "  return 0.B",
      "class B body=1 bases=[]"]),
    ("class A { [k]() {} *[Symbol.iterator]() { yield 1 } }",
     ["0.A = class0", "1 A() is_class_body", "  0.A.prototype[$k] := fn2", "  1.__iter__ = fn3",
      "2 <method>(this) decorated class=0/instance in 1", "3 __iter__(this) generator decorated class=0/instance in 1",
      "  yield 1", "class A body=1 bases=[]"]),
]  # fmt: skip


@each_row(("source", "expected"), PROGRAMS, ids=[source for source, _ in PROGRAMS])
def test_programs(source, expected):
    assert show(source).splitlines() == expected


TYPESCRIPT = [
    ("enum E { A, B = 5, C, D = 'x' }",
     ["0.E = {}", "0.E.A := 0", "0.A = 0", "0.E['0'] := 'A'", "0.E.B := 5", "0.B = 5", "0.E['5'] := 'B'", "0.E.C := 6",
      "0.C = 6", "0.E['6'] := 'C'", "0.E.D := 'x'", "0.D = 'x'"]),
    ("namespace N { export const x = 1; const y = x } N.x",
     ["0.N = {}", "0.x = 1", "0.N.x := 0.x", "0.y = 0.x", "0.N.x"]),
    ("namespace N { export const x = 1 } namespace N { export const y = x }",
     ["0.N = {}", "0.x = 1", "0.N.x := 0.x", "0.N = {}", "0.y = 0.x", "0.N.y := 0.y"]),
    ("let a = b as string; let c = <any>d; let e = f!.g satisfies H; k<T>(1)",
     ["0.a = $b", "0.c = $d", "0.e = $f.g", "$k(1)"]),
    ("import type A from 'a'; import { type B, c } from 'b'; import d = require('e'); export = c",
     ["0.c = import(b:c)", "0.d = import(e)", "export (all) = 0.c"]),
    ("declare const a: string; declare function f(): void; interface I {} type T = 1; function g(): void; f(a)", ["$f($a)"]),
    ("export type { A } from 'b'; export { type C, d }; export interface I {}", ["export d = $d"]),
    ("(eval as any)('f()')", ["0.% = $f()"]),
]  # fmt: skip


@each_row(("source", "expected"), TYPESCRIPT, ids=[source for source, _ in TYPESCRIPT])
def test_typescript(source, expected):
    assert facts(source, "ts") == expected


def test_parameter_properties_and_decorators():
    source = "@d class A { constructor(private a: string, @p() b?: X) {} @m n() {} abstract o(): void; declare q: 1 }"
    assert show(source, "ts").splitlines() == [
        "0.A = class0", "0.A = $d(0.A, any)", "1 A() is_class_body", "  1.constructor = fn2", "  1.n = fn3",
        "  $m(0.A, 'n', {'value': fn3}, fn3)", "2 constructor(this, a, b) class=0/instance in 1", "  2.this.a := 2.a",
        "  $p()(any, any, any)", "3 n(this) decorated class=0/instance in 1", "class A body=1 bases=[]",
    ]  # fmt: skip


def test_a_typed_this_is_no_parameter():
    assert show("function f(this: Foo, a?: number, ...r: any[]) {}", "ts").splitlines() == [
        "0.f = fn1",
        "1 f(this, a, *r)",
    ]


def test_jsx():
    assert show("const C = ({ a }) => <div on={a}>{b()}</div>; <C a={f} {...g}>hi</C>", "jsx").splitlines() == [
        "0.C = fn1", "0.C({'a': $f, ...: $g})", "1 C(%)", "  1.a = 1.%.a", "  any.props := 1.a", "  any.props := [$b()]",
        "  return data",
    ]  # fmt: skip
