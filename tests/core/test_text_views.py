"""The views of a text: whatever encodes a value, a view shows it, and a text that is cleaned shows it in none."""

import base64
import html
import random
import urllib.parse

from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.core import text_views
from remit.core.text_views import cleaned, folded, forms, holds, runs, views, visible

SECRET = "Tr0ub4dor-and-3"


def tags(text):
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


ENCODERS = {
    "plain": lambda text: text,
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "percent-some": lambda text: text.replace("d", "%64").replace("-", "%2d"),
    "percent-double": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe="")).replace("d", "%2564"),
    "entities": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "entities-hex": lambda text: "".join(f"&#x{ord(char):x};" for char in text),
    "entity-of-percent": lambda text: "".join(f"&#37;{byte:02x}" for byte in text.encode()),
    "percent-of-entity": lambda text: urllib.parse.quote(html.escape(text).replace("d", "&#100;")),
    "tags": tags,
    "zero-width": "\u200b".join,
    "bidi": "\u202d".join,
    "soft-hyphens": "\u00ad".join,
    "selectors": "\ufe0f".join,
    "struck": "\u0336".join,
    "wide": lambda text: "".join(chr(ord(char) + 0xFEE0) for char in text),
    "base64": base64_of,
    "base64-urlsafe": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64-unpadded": lambda text: base64_of(text).rstrip("="),
    "base64-shifted": lambda text: base64_of("x" + text),
    "base64-wrapped": lambda text: "\n".join(base64_of(text)[at : at + 5] for at in range(0, 40, 5)),
    "base64-glued": lambda text: "path/" + base64_of(text),
    "base64-utf16": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "base64-twice": lambda text: base64_of(base64_of(text)),
    "base64-thrice": lambda text: base64_of(base64_of(base64_of(text))),
    "hex": lambda text: text.encode().hex(),
    "hex-upper": lambda text: text.encode().hex().upper(),
    "hex-colons": lambda text: text.encode().hex(":"),
    "hex-escapes": lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    "hex-glued": lambda text: "a" + text.encode().hex(),
    "hex-of-base64": lambda text: base64_of(text).encode().hex(),
    "percent-of-base64": lambda text: urllib.parse.quote(base64_of("Bearer " + text), safe=""),
    "entities-in-base64": lambda text: base64_of(text.replace("d", "&#100;")),
    "base64-in-wide": lambda text: "".join(chr(ord(char) + 0xFEE0) for char in base64_of(text)),
}  # fmt: skip


@each_row("around", ["{}", "see {} now", "a=1&b={}&c=2", '{{"echo": "{}"}}', "ä{}\n"])
@each_row("encoder", ENCODERS)
def test_a_value_is_seen_however_it_is_encoded(encoder, around):
    text = around.format(ENCODERS[encoder](SECRET))
    assert any(SECRET in view for view in views(text).texts)


@each_row("encoder", ENCODERS)
def test_a_value_is_taken_out_however_it_is_encoded(encoder):
    def clean(view):
        return view.replace(SECRET, "[-]")

    out = cleaned(f"see: {ENCODERS[encoder](SECRET)}; now", clean, "[-]")
    assert not holds(out, lambda view: SECRET in view)
    assert out.startswith("see:")
    assert out.endswith("; now")


def test_a_plus_is_a_blank():
    assert holds("q=top+secret+thing", lambda view: "top secret thing" in view)
    assert holds("a+b", lambda view: "a+b" in view)


@given(st.text(max_size=60), st.sampled_from(sorted(ENCODERS)), st.sampled_from(sorted(ENCODERS)), st.text(max_size=60))
@settings(max_examples=many(300))
def test_what_is_cleaned_shows_nothing_in_any_view(before, one, other, after):
    def clean(view):
        return view.replace(SECRET, "[-]")

    inner = ENCODERS[one](SECRET)
    text = before + (ENCODERS[other](inner) if "wide" not in (one, other) and inner.isascii() else inner) + after
    assert not holds(cleaned(text, clean, "[-]"), lambda view: SECRET in view)


@given(st.text(max_size=200))
@settings(max_examples=many(300))
def test_a_text_is_its_own_first_view_and_stays_as_it_is_if_it_is_clean(text):
    every = views(text)
    assert every.texts[0] == text
    assert len(set(every.texts)) == len(every.texts)
    assert cleaned(text, lambda view: view, "[-]") == text


@given(st.text(max_size=100))
def test_forms_of_forms_are_known(text):
    assert visible(visible(text)) == visible(text)
    assert set(map(visible, forms(text))) <= {*forms(text), visible(text)}


def test_a_plain_text_has_one_view():
    assert views("Please read the notes of Monday.").texts == ("Please read the notes of Monday.",)


def test_a_run_says_where_it_stands():
    text = f"see {base64_of(SECRET)[:7]} {base64_of(SECRET)[7:]}!"
    (run,) = [run for run in runs(text) if SECRET in run.text]
    assert text[run.start : run.end].replace(" ", "").endswith(base64_of(SECRET).rstrip("="))


def test_views_have_a_limit_and_nothing_beyond_it_counts_as_clean(monkeypatch):
    monkeypatch.setattr(text_views, "MOST", 1000)
    assert not views("x" * 1001).complete
    assert holds("x" * 1001, lambda _: False)
    assert cleaned("x" * 1001, lambda view: view, "[-]") == "[-]"
    assert views("x" * 1000).complete


def test_views_of_what_decodes_to_itself_end():
    text = "A" * 5000 + "%25" * 500 + "&amp;" * 500 + "+" * 100
    every = views(text)
    assert sum(map(len, every.texts)) < 12 * len(text)


@each_row("seed", range(3))
def test_chance_makes_few_views(seed):
    data = random.Random(seed).randbytes(12_000)
    every = views(base64.b64encode(data).decode())
    assert sum(map(len, every.texts)) < 40_000


def test_folded_texts_are_alike_without_case_marks_and_width_of_blanks():
    assert folded("  PROJÉCT\u00a0 Night\u200bingale\x00 ") == "project nightingale"
    assert folded("A\t B\x07") == "a b"
