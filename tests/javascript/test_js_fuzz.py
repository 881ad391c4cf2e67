"""Whatever the bytes are, lowering ends with a program."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from js_show import show

from by_day import many
from remit.analysis.domain import MODEL, hole
from remit.analysis.javascript import DIALECTS, lower_javascript

SEEDS = [
    b"class A extends B { #x = 1; static { this.y } get z(){ return super.z } constructor(private a, {b} = {}) { super(a) } }",
    b"import a, {b as c} from 'm'; export default async function* f(x = 1, [y, ...z]) { yield* a(...z); await (0, b)(`${x}`) }",
    b"enum E { A = 1, B } namespace N.M { export const x = <any>y as T } @d class Q<T> { @e() f!: T; [k: string]: any }",
    b"for (const [k, {v = 1}] of Object.entries(o)) { switch (k) { case /re/g: let q = k?.[v]?.(); default: delete o[k] } }",
    b"module.exports = { ...x, get a() { return arguments[0] }, [b]: c => ({d}), 'e': eval('f(1)'), __proto__: g }; var \\u0061 = 0x1fn;",
    b"const C = ({a, ...r}) => <A.B on={() => a} {...r}>x &amp; {y} <></></A.B>; label: try { throw {a} } catch { with (o) p } finally {}",
]
TOKENS = [
    b"{", b"}", b"(", b")", b"[", b"]", b"`", b"${", b"'", b"/", b"*", b"=>", b"...", b"=", b";", b"\n", b"<", b">", b"await ",
    b"yield ", b"async ", b"class ", b"function ", b"import ", b"export ", b"#", b"@", b"?.", b"\\u", b"\xff", b"\x00", b"<!--",
    b"enum ", b"namespace ", b"super", b"new ", b"let ", b"case ", b"eval(", b"require(", b"module", b"\xf3\xb0\x80\x80", b":",
]  # fmt: skip


@st.composite
def mutants(draw):
    text = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 2)):
            case 0:
                text[at:at] = draw(st.sampled_from(TOKENS))
            case 1:
                del text[at : at + draw(st.integers(1, 12))]
            case _:
                text[at:at] = draw(st.sampled_from(SEEDS))[: draw(st.integers(1, 60))]
    return bytes(text)


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS.values())))
@settings(max_examples=many(250), deadline=None)
@given(source=mutants())
def test_mutants_never_raise(dialect, source):
    show(source, dialect, holes={"\U000f0000": hole(MODEL)})


@settings(max_examples=many(200), deadline=None)
@given(source=st.binary(max_size=200))
def test_bytes_never_raise(source):
    lower_javascript(source, "", "tsx", script=True)
