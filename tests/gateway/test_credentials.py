"""Who asks is who the operator says, and a delegate has at most what its delegator has."""

import base64
import json
from itertools import pairwise

import pytest
from gatekeys import ALICE_KEY, ALL, BOB_KEY, HOUR, NOW, OPERATOR_KEY, OPERATORS, credential_of, granted, named
from hypothesis import given, settings
from hypothesis import strategies as st

from each_row import each_row
from remit.authority.codes import codes
from remit.authority.intents import intents
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.executor.credentials.issuer import credential, delegate, scope, workload
from remit.executor.credentials.tokens import LONGEST_CHAIN, MOST_BYTES, Credential, SignedDelegation, read_credential
from remit.executor.credentials.verifier import Caller, NotBelieved, Revoked, verify
from remit.gateway.revocations import Revocations

ALICE = ALICE_KEY.public.raw.hex()
NONE = Revoked()
MAIL = scope(["SendMessage"], ["example.org"])


def checked(shown, revoked=NONE, peer=None, now=NOW):
    found = verify(shown, OPERATORS, revoked, peer, now)
    assert isinstance(found, Caller | NotBelieved)
    return found if isinstance(found, Caller) else found.code


def test_a_caller_is_what_its_tokens_say():
    found = checked(credential_of("alice", MAIL))
    assert found[:4] == ("alice", "s1", MAIL, "alice s1")


def test_a_credential_has_one_spelling():
    shown = credential_of("alice", MAIL)
    assert read_credential(shown.text()) == shown
    spaced = base64.urlsafe_b64encode(json.dumps(shown.to_json()).encode()).decode()
    for text in (spaced, shown.text() + "\n", shown.text()[:-2], "", "é", "e30=", "[" * 3000):
        with pytest.raises(AuthorityError):
            read_credential(text)


@pytest.mark.parametrize("at", ["workload", "delegations"])
def test_every_field_of_a_token_is_signed(at):
    plain = credential_of("alice", MAIL).to_json()
    token = plain[at]["token"] if at == "workload" else plain[at][0]["token"]
    other = {"sub": "mallory", "session": "s2", "exp": NOW + 9 * HOUR, "jti": "0" * 32, "uid": 7, "iss": "mallory",
             "key": "ab" * 32, "parent": "1" * 32, "kid": "op-2",
             "scope": {"intents": ["*"], "sinks": ["*"]}}  # fmt: skip
    for name in set(token) & set(other):
        changed = json.loads(json.dumps(plain))
        (changed[at]["token"] if at == "workload" else changed[at][0]["token"])[name] = other[name]
        text = base64.urlsafe_b64encode(canonical(changed)).decode()
        assert checked(read_credential(text)) in ("TOKEN_SIGNATURE", "TOKEN_CHAIN"), name


def test_tokens_of_another_key_another_kind_or_time_are_refused():
    forged = workload("op-1", BOB_KEY, "alice", exp=NOW + HOUR)
    assert checked(credential(forged, (granted("alice"),))) == "TOKEN_SIGNATURE"
    assert checked(credential(named("alice"), (granted("alice"),)), now=NOW + HOUR) == "TOKEN_EXPIRED"
    assert checked(credential(named("alice"), (granted("alice", exp=NOW),))) == "TOKEN_EXPIRED"
    assert checked(credential(named("alice"), (granted("bob"),))) == "TOKEN_CHAIN"
    assert checked(Credential(named("alice"), ())) == "TOKEN_CHAIN"
    # a signature of one kind of token is none of the other: the domains differ
    swapped = granted("alice")._replace(signature=named("alice").signature)
    assert checked(Credential(named("alice"), (swapped,))) == "TOKEN_SIGNATURE"


def test_a_token_of_one_user_is_not_shown_by_another():
    mine = credential(named("alice", uid=1000), (granted("alice"),))
    assert isinstance(checked(mine, peer=1000), Caller)
    assert checked(mine, peer=1001) == "PEER_DIFFERS"
    assert checked(mine, peer=None) == "PEER_DIFFERS"


def test_nobody_is_the_operator():
    with pytest.raises(AuthorityError):
        workload("op-1", OPERATOR_KEY, "operator", exp=NOW + HOUR)
    chain = (granted("operator", key=ALICE),)
    assert checked(credential(named("alice"), delegate(chain, ALICE_KEY, "alice", ALL, exp=NOW + 5))) == "TOKEN_CHAIN"


def test_a_delegation_is_followed_to_the_operator():
    chain = delegate((granted("alice", key=ALICE),), ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    found = checked(credential(named("bob"), chain))
    assert found[:4] == ("bob", "s1", MAIL, "alice s1")  # what is shown to a delegate counts for its delegator
    assert checked(credential(named("alice"), chain)) == "TOKEN_CHAIN"


def test_delegations_that_do_not_follow_are_refused():
    first = granted("alice", MAIL, key=ALICE)
    more = delegate((first,), ALICE_KEY, "bob", ALL, exp=NOW + 60)
    later = delegate((first,), ALICE_KEY, "bob", MAIL, exp=NOW + 2 * HOUR)
    by_bob = delegate((first,), BOB_KEY, "bob", MAIL, exp=NOW + 60)
    keyless = delegate((granted("alice", MAIL),), ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    chain = delegate((first,), ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    moved = (granted("alice", MAIL, "s2", key=ALICE), chain[1])
    other_parent = (granted("alice", MAIL, key=ALICE), chain[1])
    alone = (chain[1],)
    for wrong in (more, later, keyless, moved, other_parent, alone, (chain[0], chain[0]), (chain[1], chain[0])):
        assert checked(credential(named("bob"), wrong)) == "TOKEN_CHAIN"
    assert checked(credential(named("bob"), by_bob)) == "TOKEN_SIGNATURE"


def test_a_chain_is_bounded():
    chain = (granted("alice", key=ALICE),)
    while len(chain) < LONGEST_CHAIN:
        chain = delegate(chain, ALICE_KEY, "alice", ALL, exp=NOW + 60, key=ALICE)
    assert isinstance(checked(credential(named("alice"), chain)), Caller)
    with pytest.raises(AuthorityError):
        delegate(chain, ALICE_KEY, "alice", ALL, exp=NOW + 60)
    with pytest.raises(AuthorityError):
        credential(named("alice"), (*chain, chain[-1]))
    assert checked(Credential(named("alice"), (*chain, chain[-1]))) == "TOKEN_CHAIN"


def test_what_was_revoked_is_refused_also_after_a_restart(tmp_path):
    chain = delegate((granted("alice", key=ALICE),), ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    shown = credential(named("bob"), chain)
    store = Revocations(tmp_path / "revoked.db")
    store.revoke("mallory", chain[1].token.jti, NOW)  # what mallory did not issue, mallory does not take back
    assert isinstance(checked(shown, store.concerning(shown)), Caller)
    store.revoke("alice", chain[1].token.jti, NOW)
    store.close()
    store = Revocations(tmp_path / "revoked.db")
    assert checked(shown, store.concerning(shown)) == "TOKEN_REVOKED"
    other = credential_of("alice")
    assert isinstance(checked(other, store.concerning(other)), Caller)
    store.end_session("s1", NOW)
    assert checked(other, store.concerning(other)) == "SESSION_REVOKED"
    third = credential_of("alice", session="s2")
    store.revoke("operator", third.workload.token.jti, NOW)
    assert checked(third, store.concerning(third)) == "TOKEN_REVOKED"
    store.close()


NAMES = st.sampled_from(["*", *sorted(intents())[:4]])
SINKS = st.sampled_from(["*", "example.org", "example.com", "runtime"])
SCOPES = st.builds(scope, st.sets(NAMES, max_size=3), st.sets(SINKS, max_size=3))


def rights(found):
    intent_names = set(intents()) if "*" in found.intents else set(found.intents)
    sinks = {"*", "example.org", "example.com", "runtime", "elsewhere"} if "*" in found.sinks else set(found.sinks)
    return intent_names, sinks


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(SCOPES, st.integers(NOW - 5, NOW + 2 * HOUR)), min_size=1, max_size=LONGEST_CHAIN),
    st.sets(st.integers(0, 3)),
)
def test_a_delegate_never_has_more_than_its_delegators(steps, revoked):
    """However scopes and times are written: a caller that is believed has rights that every one before it has."""
    chain = (granted("alice", steps[0][0], exp=steps[0][1], key=ALICE),)
    for told, exp in steps[1:]:
        chain = delegate(chain, ALICE_KEY, "alice", told, exp=exp, key=ALICE)
    gone = Revoked(frozenset((one.token.iss, one.token.jti) for at, one in enumerate(chain) if at in revoked))
    found = verify(credential(named("alice"), chain), OPERATORS, gone, None, NOW)
    fits = all(
        rights(after[0])[0] <= rights(before[0])[0]
        and rights(after[0])[1] <= rights(before[0])[1]
        and after[1] <= before[1]
        for before, after in pairwise(steps)
    )
    stands = all(exp > NOW for _, exp in steps) and not gone.tokens
    # `*` is more than any list of names, also of all of them: what is refused beyond need is refused
    assert isinstance(found, NotBelieved) or (fits and stands)
    if isinstance(found, Caller):
        assert all(
            rights(found.scope)[0] <= rights(one)[0] and rights(found.scope)[1] <= rights(one)[1] for one, _ in steps
        )
        assert found.until <= min(exp for _, exp in steps)
    elif all(after[0].within(before[0]) and after[1] <= before[1] for before, after in pairwise(steps)):
        assert not stands


@settings(max_examples=60, deadline=None)
@given(SCOPES, SCOPES, SCOPES)
def test_within_is_an_order(first, second, third):
    assert first.within(first)
    if first.within(second) and second.within(third):
        assert first.within(third)
    if first.within(second):
        assert rights(first)[0] <= rights(second)[0]
        assert rights(first)[1] <= rights(second)[1]


def test_codes_are_known():
    assert {"TOKEN_FORM", "TOKEN_CHAIN", "TX_USED", "HANDLE_HIGH"} <= set(codes("gateway"))
    assert isinstance(granted("alice"), SignedDelegation)


@each_row("what", ["workload", "first", "last"])
def test_each_token_counts_until_its_own_end(what):
    """Not a second longer, however long the others last."""
    ends = {name: NOW + (60 if name == what else HOUR) for name in ("workload", "first", "last")}
    chain = (granted("alice", MAIL, key=ALICE, exp=ends["first"]),)
    if what == "first":
        ends["last"] = NOW + 60
    chain = delegate(chain, ALICE_KEY, "bob", MAIL, exp=ends["last"])
    shown = credential(named("bob", exp=ends["workload"]), chain)
    found = checked(shown, now=NOW + 59)
    assert isinstance(found, Caller)
    assert found.until == NOW + 60
    assert checked(shown, now=NOW + 60) == "TOKEN_EXPIRED"


def test_a_credential_is_bounded_before_it_is_read():
    shown = credential_of("alice", MAIL).text()
    assert read_credential(shown)
    for text in (shown + "A" * MOST_BYTES, "A" * (MOST_BYTES + 1)):
        with pytest.raises(AuthorityError, match="too long"):
            read_credential(text)
    with pytest.raises(AuthorityError, match="cannot be read"):
        read_credential("A" * MOST_BYTES)


def test_a_token_for_one_user_of_the_machine_is_no_other_s():
    chain = (granted("alice", MAIL),)
    bound = credential(named("alice", uid=1000), chain)
    assert isinstance(checked(bound, peer=1000), Caller)
    assert checked(bound, peer=1001) == checked(bound, peer=0) == checked(bound) == "PEER_DIFFERS"
    root = credential(named("alice", uid=0), chain)
    assert isinstance(checked(root, peer=0), Caller)
    assert checked(root, peer=1) == "PEER_DIFFERS"
    assert isinstance(checked(credential(named("alice"), chain), peer=7), Caller)


def test_nobody_delegates_to_the_operator():
    first = granted("alice", MAIL, key=ALICE)
    through = delegate((first,), ALICE_KEY, "operator", MAIL, exp=NOW + 60, key=ALICE)
    chain = delegate(through, ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    assert checked(Credential(named("bob"), chain)) == "TOKEN_CHAIN"
    direct = delegate((first,), ALICE_KEY, "bob", MAIL, exp=NOW + 60)
    assert isinstance(checked(Credential(named("bob"), direct)), Caller)
