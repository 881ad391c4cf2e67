"""Keys and tokens for the tests of the gateway."""

from remit.bundle.keys import PrivateKey, ed25519
from remit.executor.credentials.issuer import credential, grant, scope, workload

NOW = 1_800_000_000
HOUR = 3600
DAY = 24 * HOUR


def key(seed):
    return PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32))


OPERATOR_KEY, ALICE_KEY, BOB_KEY, APPROVER_KEY = map(key, (1, 2, 3, 4))
OPERATORS = {"op-1": OPERATOR_KEY.public}
ALL = scope(["*"], ["*"])


def named(name, **options):
    return workload("op-1", OPERATOR_KEY, name, exp=options.pop("exp", NOW + HOUR), **options)


def granted(name, rights=ALL, session="s1", **options):
    return grant("op-1", OPERATOR_KEY, name, rights, session, exp=options.pop("exp", NOW + HOUR), **options)


def credential_of(name, rights=ALL, session="s1", **options):
    until = {"exp": options["exp"]} if "exp" in options else {}
    return credential(named(name, **until), (granted(name, rights, session, **options),))
