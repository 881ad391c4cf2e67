"""Plain words for what findings are about."""

from __future__ import annotations

from remit.core.scope import WORKSPACE, AnyScope, HostScope, NameScope, PathScope, Scope

_FILES = (
    (".ssh", "your SSH keys"),
    (".aws", "your AWS credentials"),
    (".gnupg", "your GPG keys"),
    (".netrc", "the passwords in ~/.netrc"),
    (".kube", "your Kubernetes credentials"),
    (".env", "the secrets in .env"),
    (".git-credentials", "your Git credentials"),
    (".npmrc", "your npm credentials"),
    (".docker", "your Docker credentials"),
    ("Cookies", "your browser's cookies"),
)


_KEEPERS = frozenset({"gh", "keychain", "git", "kubernetes", "dotnet", "docker", "npm"})


def is_kept_by_client(scope: Scope) -> bool:
    """Whether a credential is one that a program keeps for itself and prints on demand: summaries name it by the program."""
    if not isinstance(scope, PathScope) or scope.anchor != WORKSPACE or len(scope.parts) != 1:
        return False
    return scope.parts[0] in _KEEPERS


def secret_words(scope: Scope) -> str:
    """A credential."""
    if isinstance(scope, AnyScope):
        return "credentials"
    if isinstance(scope, NameScope):
        name = scope.pattern.removeprefix("env:")
        return "all environment variables" if name == "*" else f"the variable {name}"
    if isinstance(scope, PathScope):
        if is_kept_by_client(scope):
            return f"the credential that {scope.parts[0]} keeps"
        if scope.parts[-1:] and scope.parts[-1].startswith("id_"):
            return f"your SSH key {scope.render()}"
        for part, words in _FILES:
            if part in scope.parts:
                return words
    return f"the secret {scope.render()}"


def host_words(scope: Scope) -> str:
    """A host."""
    if isinstance(scope, HostScope):
        return scope.host if scope.port in (None, 80, 443) else scope.render()
    return "a host that is not known" if isinstance(scope, AnyScope) else f"the host {scope.render()}"


def path_words(scope: Scope) -> str:
    """The components of a path, as one text; empty for what is no path."""
    return "/".join(scope.parts) if isinstance(scope, PathScope) else ""


def source_words(capability: str, scope: Scope) -> str:
    """What a flow begins with."""
    if capability == "env.read":
        return "all environment variables" if isinstance(scope, AnyScope) else f"the variable {scope.render()}"
    if capability == "secret.read" and isinstance(scope, NameScope):
        return secret_words(scope)
    return "files that are not known" if isinstance(scope, AnyScope) else scope.render()
