"""Keys and trust roots for tests. Keys are made from fixed seeds: what is printed is the same each time."""

from datetime import UTC, datetime
from functools import cache

from hypothesis import strategies as st

from remit.bundle.keys import PrivateKey, ed25519
from remit.bundle.trust import Anchor, Authority, Clearance, Identity, Revocation, TrustedKey, TrustRoot
from remit.core import vocabulary
from remit.core.errors import RemitError
from remit.manifest.model import Classification, Verification

NOW = datetime(2027, 6, 1, tzinfo=UTC)
BEFORE, AFTER = NOW.replace(year=2026), NOW.replace(year=2028)
PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"


@cache
def key(seed: int) -> PrivateKey:
    return PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


def trusted(seed: int, level=Verification.FORMAL, rank=0, compartments=(), releasability=(), **more) -> TrustedKey:
    granted = Authority(f"signer {seed}", level, rank, tuple(compartments), tuple(releasability))
    return TrustedKey(key(seed).public, granted, **more)


def attempt(call, *args):
    """What a reader gives; None after an error that says what to do."""
    try:
        return call(*args)
    except RemitError as error:
        found = error
    assert found.remedy
    return None


names = st.text("abcXYZ é", min_size=1, max_size=6).map(lambda text: text.replace(" ", "_"))
some = st.lists(names, max_size=3, unique=True).map(lambda items: tuple(sorted(items)))
levels = st.sampled_from(list(Verification))
ranks = st.integers(0, 5)
authorities = st.builds(Authority, names, levels, ranks, some, some)
labels = st.none() | st.builds(Classification, names, ranks, some, some)
clearances = st.builds(Clearance, ranks, some, some)
moments = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda moment: moment.replace(microsecond=0)
)
skills = st.lists(names | names.map("{}/*".format), max_size=3, unique=True).map(lambda items: tuple(sorted(items)))
revocations = st.builds(Revocation, moments, names)


@st.composite
def keys(draw, seed):
    bounds = sorted(draw(st.lists(moments, min_size=2, max_size=2, unique=True)))
    first, last = (bound if draw(st.booleans()) else None for bound in bounds)
    return TrustedKey(key(seed).public, draw(authorities), first, last, draw(st.none() | revocations), draw(skills))


@st.composite
def roots(draw):
    found = tuple(draw(keys(seed)) for seed in draw(st.lists(st.integers(1, 6), unique=True, max_size=4)))
    own = tuple(sorted(key.keyid for key in found if draw(st.booleans())))
    patterns = st.sampled_from([capability.name for capability in vocabulary()] + ["*", "file.*"])
    return TrustRoot(
        draw(st.integers(1, 100)),
        found,
        draw(st.integers(1, max(1, len(found)))),
        draw(st.booleans()),
        draw(clearances),
        tuple(sorted(draw(st.dictionaries(patterns, levels, max_size=3)).items())),
        own,
        draw(st.integers(1, max(1, len(own)))),
        tuple(draw(st.lists(st.builds(Anchor, st.just(PEM), authorities, some), max_size=2))),
        tuple(draw(st.lists(st.builds(Identity, names, names, authorities), max_size=2))),
        draw(st.sampled_from(["", "{}"])),
    )
