"""From one trust root to the next."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trust_values import BEFORE, NOW, key, trusted

from each_row import each_row
from remit.bundle import dsse
from remit.bundle import rotation as r
from remit.bundle.refusal import Refusal
from remit.bundle.store import transact
from remit.bundle.trust import Revocation, TrustRoot
from remit.bundle.trust_read import read_trust_root
from remit.bundle.trust_write import render_root
from remit.core.errors import BundleError, TrustError

KEYS = tuple(trusted(seed) for seed in (1, 2, 3))
IDS = [one.keyid for one in KEYS]
FIRST = TrustRoot(1, KEYS, roots=tuple(sorted(IDS[:2])))
SECOND = FIRST._replace(version=2, require_bundle=True)
THIRD = SECOND._replace(version=3, keys=(*KEYS, trusted(4)))


def code(found) -> str:
    return found.code if isinstance(found, Refusal) else ""


def signed(root, *seeds):
    return r.sign_root(root, [key(seed) for seed in seeds])


def opened(path, state):
    """The trust root in a file, and how it is accepted; or why it is not."""
    root = read_trust_root(path)
    found = r.pin(state, root, r.read_signatures(path), NOW)
    return found if isinstance(found, Refusal) else (root, found)


def test_a_signed_successor_is_accepted():
    assert r.successor(FIRST, signed(SECOND, 1), NOW) == SECOND


@each_row(
    ("old", "new", "seeds", "wanted"),
    [
        (FIRST, SECOND, [3], "root-unsigned"),  # a key, but not one for trust roots
        (FIRST, SECOND, [9], "root-unsigned"),
        (FIRST._replace(root_threshold=2), SECOND, [1], "root-unsigned"),
        (FIRST._replace(root_threshold=2), SECOND, [1, 3], "root-unsigned"),
        (FIRST._replace(root_threshold=2), SECOND, [1, 2], ""),
        (FIRST._replace(roots=()), SECOND, [1], "root-unsigned"),  # nobody may
        (FIRST, THIRD, [1], "root-version"),
        (FIRST, FIRST, [1], "root-version"),
        (SECOND, FIRST, [1], "root-version"),
        (FIRST._replace(keys=(trusted(1, not_after=NOW), *KEYS[1:])), SECOND, [1], "root-unsigned"),
        (FIRST._replace(keys=(trusted(1, revoked=Revocation(BEFORE, "x")), *KEYS[1:])), SECOND, [1], "root-unsigned"),
    ],
)
def test_who_may_sign_the_next_trust_root(old, new, seeds, wanted):
    assert code(r.successor(old, signed(new, *seeds), NOW)) == wanted


def test_the_new_root_has_no_say_about_itself():
    own = SECOND._replace(keys=(trusted(9),), roots=(key(9).public.keyid,))
    assert code(r.successor(FIRST, signed(own, 9), NOW)) == "root-unsigned"


def test_one_key_is_not_two_signatures():
    envelope = signed(SECOND, 1)
    twice = envelope._replace(signatures=envelope.signatures * 2)
    assert code(r.successor(FIRST._replace(root_threshold=2), twice, NOW)) == "root-unsigned"


def test_a_signature_on_something_else_does_not_count():
    changed = signed(SECOND, 1)._replace(payload=signed(SECOND._replace(threshold=2), 1).payload)
    assert code(r.successor(FIRST, changed, NOW)) == "root-unsigned"
    attestation = dsse.sign(dsse.IN_TOTO, signed(SECOND, 1).payload, [key(1)])
    assert code(r.successor(FIRST, attestation, NOW)) == "root-unsigned"
    assert code(r.successor(FIRST, attestation._replace(payload_type=dsse.TRUST_ROOT), NOW)) == "root-unsigned"


@each_row(
    ("given", "chain", "wanted"),
    [
        (FIRST, [], r.How.SAME),
        (SECOND, [signed(SECOND, 1)], r.How.ROTATED),
        (THIRD, [signed(SECOND, 1), signed(THIRD, 2)], r.How.ROTATED),
        (SECOND, [signed(SECOND, 1), signed(THIRD, 2)], r.How.ROTATED),
        (SECOND, [], "root-changed"),
        (THIRD, [signed(SECOND, 1)], "root-changed"),
        (THIRD, [signed(THIRD, 1)], "root-version"),
        (THIRD, [signed(THIRD, 1), signed(SECOND, 1)], "root-version"),
        (THIRD, [signed(SECOND, 3), signed(THIRD, 1)], "root-unsigned"),
        (FIRST._replace(threshold=2), [], "root-changed"),
        (FIRST._replace(threshold=2), [signed(FIRST._replace(threshold=2), 1)], "root-changed"),
    ],
)
def test_what_follows_the_first(given, chain, wanted):
    found = r.follow(FIRST, given, chain, NOW)
    assert (code(found) or found) == wanted


def test_an_older_root_is_refused_even_if_it_was_signed():
    assert code(r.follow(THIRD, SECOND, [signed(SECOND, 1)], NOW)) == "root-rolled-back"


@st.composite
def chains(draw):
    """Trust roots in a row, each with its signers; now and then a number is left out, or a key is too old."""
    made, version = [], 1
    for _ in range(draw(st.integers(1, 4))):
        seeds = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4, unique=True))
        old = draw(st.sets(st.sampled_from(seeds)))
        keys = tuple(trusted(seed, **({"not_after": BEFORE} if seed in old else {})) for seed in seeds)
        named = tuple(sorted(one.keyid for one in keys if draw(st.booleans())))
        threshold = draw(st.integers(1, max(1, len(named))))
        root = TrustRoot(version, keys, roots=named, root_threshold=threshold)
        made.append((root, draw(st.lists(st.integers(1, 4), min_size=1, unique=True))))
        version += draw(st.sampled_from([1, 1, 1, 2]))
    return made


@given(chains())
def test_any_chain_is_followed_as_the_plainest_reading_does(made):
    first, last = made[0][0], made[-1][0]
    good = True
    for (old, _), (new, seeds) in pairwise(made):
        valid = {one.keyid for one in old.keys if one.not_after is None} & set(old.roots)
        signers = {key(seed).public.keyid for seed in seeds}
        good = good and new.version == old.version + 1 and len(valid & signers) >= old.root_threshold
    envelopes = [signed(root, *seeds) for root, seeds in made[1:]]
    found = r.follow(first, last, envelopes, NOW)
    assert (code(found) == "") == good


# ── the lock ──


def test_the_first_is_remembered(tmp_path):
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.FIRST
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.SAME
    why = r.pin(tmp_path, SECOND, [], NOW)
    assert code(why) == "root-changed"
    assert "--accept" in why.remedy
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.SAME
    assert r.pin(tmp_path, SECOND, [signed(SECOND, 2)], NOW).how is r.How.ROTATED
    assert code(r.pin(tmp_path, FIRST, [], NOW)) == "root-rolled-back"
    assert r.accept(tmp_path, FIRST).how is r.How.ACCEPTED
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.SAME


def test_asking_about_another_time_remembers_nothing(tmp_path):
    assert r.pin(tmp_path, SECOND, [], NOW, remember=False).how is r.How.FIRST
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.FIRST
    assert r.pin(tmp_path, SECOND, [signed(SECOND, 1)], NOW, remember=False).how is r.How.ROTATED
    assert r.pin(tmp_path, FIRST, [], NOW).how is r.How.SAME


@each_row("change", ["UPDATE pin SET digest = 'x'", "UPDATE pin SET version = 7", "UPDATE pin SET root = x'7b7d'"])
def test_a_changed_memory_refuses(tmp_path, change):
    r.pin(tmp_path, FIRST, [], NOW)
    transact(tmp_path, lambda store: store.execute(change) and None)
    assert code(r.pin(tmp_path, FIRST, [], NOW)) == "store-unusable"


def test_the_files(tmp_path):
    path, state = tmp_path / "trust.json", tmp_path / "state"
    path.write_text(render_root(FIRST))
    assert opened(path, state)[0] == FIRST
    path.write_text(render_root(THIRD))
    assert code(opened(path, state)) == "root-changed"
    chain = [signed(SECOND, 1), signed(THIRD, 1)]
    path.with_name("trust.json.sigs").write_text(r.render_chain(chain))
    assert r.read_signatures(path) == tuple(chain)
    assert opened(path, state)[1].how is r.How.ROTATED


def test_a_broken_file_of_signatures_is_an_error(tmp_path):
    path = tmp_path / "trust.json"
    path.write_text(render_root(FIRST))
    for text in ("{}\n", "\n", "x", r.render_chain([signed(SECOND, 1)]) * 1001):
        path.with_name("trust.json.sigs").write_text(text)
        with pytest.raises(BundleError):
            opened(path, tmp_path / "state")
    broken = dsse.sign(dsse.TRUST_ROOT, b"{}", [key(1)])
    with pytest.raises(TrustError):
        r.successor(FIRST, broken, NOW)
