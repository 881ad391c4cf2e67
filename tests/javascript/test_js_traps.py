"""Source that the parser misreads, or that could hide code from it."""

from js_show import facts, lower, show

from each_row import each_row
from remit.analysis.javascript.lower import lower_javascript


@each_row(
    "source",
    [
        "x = a <!--b()\nc()",
        "<!-- f()\ng()",
        "f()\n--> g()\nh()",
        "/* a\n*/ --> g()",
        "#!x\rf()",
        "#!x\u2028f()",
        "{ a: f() }\n[1].map(g)",
        "a => {}\n[1].map(g)",
        "x = a => {}\n(g())",
        "export default function(){}\n(g())",
        "export default class{}\n(g())",
        "let\nw = s()",
        "f(",
        "const = 1",
        "with (o) p()",
        "eval(code)",
        "eval('var x = 1'); x",
        "module.parent.require('fs')",
        "/* \x00 */ f()",
    ],
)
def test_opaque(source):
    assert "opaque" in show(source) or "unknown(" in show(source)


@each_row(
    "source",
    [
        "while (n --> 0) f()",
        "// <!-- a\nf()",
        "x = '<!--' + `-->`",
        "/<!--/.test(a)",
        "#!/usr/bin/env node\nf()",
        "#!/usr/bin/env node\r\nf()",
        "(a => {})(b)",
        "a = { b: 1 }\n;[1].map(g)",
        "if (!module.parent) f()",
        "require.main === module && f()",
        "eval('f(1)')",
        "a?.b?.[c]?.(d)",
    ],
)
def test_not_opaque(source):
    program = lower(source)
    assert program.opaque == []
    assert "unknown(" not in show(source)


@each_row(
    ("source", "last"),
    [
        ("await (0, m.f)(x).y", "await($m.f($x).y)"),
        ("await [p()][0]", "await([$p()][0])"),
        ("await `a${f()}`", "await(cat('a', $f()))"),
        ("(0, eval)('x')", "$eval('x')"),
        ("(a, b)(c)", "$b($c)"),
        ("a\n(b)", "$a($b)"),
        ("a = b\n/c/g.d(e)", "$globalThis.a := (($b / $c) / $g.d($e))"),
        ("// c\u2028f()", "$f()"),
        ("// c\rf()", "$f()"),
        ("yield(f())", "$yield($f())"),
    ],
)
def test_read_as_an_engine_reads_it(source, last):
    assert facts(source)[-1] == last


def test_a_constant_eval_sees_the_variables_around_it():
    assert show("function f(a){ eval('a = g') ; return a }").splitlines() == [
        "0.f = fn1", "1 f(this, a)", "  1.a = $g", "  return 1.a",
    ]  # fmt: skip


def test_deep_nesting_is_opaque_not_a_crash():
    for source in ("(" * 5000 + ")" * 5000, "[" * 3000, "-" * 2000 + "1", "{" * 3000 + "}" * 3000, "a=>" * 2000 + "1"):
        lower(source)
    assert lower("f(" * 1000 + ")" * 1000).opaque == [("the code is nested too deeply", 1)]


def test_long_flat_code_is_not_opaque():
    for source in (
        "x = " + " + ".join(["a"] * 3000),
        "x" + ".f()" * 3000,
        "x = " + "a ? b : " * 2000 + "c",
        "if (a) b(); " + "else if (a) b(); " * 2000,
    ):
        assert lower(source).opaque == []


def test_errors_far_down_have_lines():
    source = "\n" * 1000 + "f(;\n" * 10
    for _ in range(50):
        assert lower(source).opaque[0] == ("JavaScript does not parse here", 1001)


def test_broken_code_with_a_long_expression_is_not_parsed_to_the_end():
    source = (
        "interface X { a?: T. [k: string]: unknown }\nimport type { T } from 't'; export = C;\n< el = f(argv[2]!);\n"
    )
    program = lower_javascript((source + "a+" * 100_000).encode(), "x.ts", "ts")
    assert [reason for reason, _ in program.opaque] == ["the code takes too long to parse"]


def test_a_short_text_for_which_the_parser_has_no_end_is_opaque_and_the_next_is_read():
    source = (
        b"const C = ({a, ...r})<!-- => <A.B on={() => a} {...r}>x &amp; {y} <></abel: try { throawait w {a}modconst C = ({a, ...r}) => "
        b"<A.B on={(ule.exports = { ...x, get a() { return arguments[0] }, [ } catch (o) p } finally {}"
    )
    assert [reason for reason, _ in lower_javascript(source, "x.tsx", "tsx").opaque] == [
        "the code takes too long to parse"
    ]
    assert lower_javascript(b"f(1);", "x.tsx", "tsx").opaque == []


def test_long_code_that_parses_is_read():
    source = "f(" + "a+" * 5_000 + "a);" + "g([" + "1," * 5_000 + "1]);"
    assert not any("parse" in reason for reason, _ in lower_javascript(source.encode(), "x.ts", "ts").opaque)
