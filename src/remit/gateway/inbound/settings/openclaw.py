"""Import of an openclaw.json: the settings for this gateway, what is unsafe there, and what was not imported.

What is open there stays closed here, and is reported. Every field that is read is recorded, so that unread fields are
exactly those not imported. The file is JSON with comments, unquoted keys and trailing commas; it is parsed by the
grammar of JavaScript, of which it is a subset.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from remit.core.errors import DataError, UsageError
from remit.core.table import read_table
from remit.gateway.inbound.access import Bind
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.settings.values import MAIN
from remit.gateway.inbound.settings.writer import ENDPOINTS, TOKEN, Choices, Draft, settings_of, starting
from remit.gateway.inbound.tool_policy import names

_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 200


def read_json5(data: bytes, name: str) -> Any:
    """Return the value; DataError with the line if it is malformed."""
    tree = Parser(Language(tree_sitter_javascript.language())).parse(b"(" + data + b"\n)")
    found = [one for one in tree.root_node.named_children if one.type != "comment"]
    inner = found[0].named_child(0) if len(found) == 1 else None
    values = [one for one in inner.named_children if one.type != "comment"] if inner is not None else []
    if tree.root_node.has_error or inner is None or inner.type != "parenthesized_expression" or len(values) != 1:
        raise DataError(f"`{name}` is not JSON", "correct the file")
    return _value(values[0], name, 0)


def _value(node: Node, name: str, depth: int) -> Any:
    text = (node.text or b"").decode("utf-8", "replace")
    if depth < _DEEPEST:
        inner = [one for one in node.named_children if one.type != "comment"]
        match node.type:
            case "object":
                pairs = [(_key(one, name), one.child_by_field_name("value")) for one in inner]
                return {key: _value(value, name, depth + 1) for key, value in pairs if value is not None}
            case "array":
                return [_value(one, name, depth + 1) for one in inner]
            case "string":
                return _text(text)
            case "number":
                return (
                    json.loads(text)
                    if text[:1].isdigit() and text[:2].lower() != "0x"
                    else float(ast.literal_eval(text))
                )
            case "unary_expression" if text.startswith("-"):
                return -_value(inner[0], name, depth + 1)
            case "true" | "false" | "null":
                return _WORDS[text]
    raise DataError(f"`{name}`, line {node.start_point.row + 1}: `{text[:40]}` is no value of JSON", "correct the file")


def _key(pair: Node, name: str) -> str:
    key = pair.child_by_field_name("key")
    if pair.type != "pair" or key is None or key.type not in ("property_identifier", "string", "number"):
        raise DataError(f"`{name}`, line {pair.start_point.row + 1}: this is no field of JSON", "correct the file")
    text = (key.text or b"").decode("utf-8", "replace")
    return _text(text) if key.type == "string" else text


def _text(literal: str) -> str:
    """Return a string in single or double quotes."""
    if literal.startswith('"'):
        try:
            return str(json.loads(literal))
        except ValueError:
            pass
    return str(ast.literal_eval(literal.replace("\\\n", "")))


TABLE = Path(__file__).parents[1] / "data" / "openclaw.table"
_LEAST_TOKEN = 24
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_GROUPS = {
    "group:runtime": "group:run",
    "group:fs": "group:files",
    "group:messaging": "group:messages",
    "group:ui": "browser",
}
_PROFILES = {
    "minimal": [],
    "messaging": ["group:messages", "group:sessions"],
    "coding": ["group:files", "group:run", "group:web", "group:sessions", "group:memory"],
}  # fmt: skip
_APIS = {"anthropic-messages": "anthropic", "openai-completions": "openai", "openai-responses": "openai"}
_SECRETS = {  # of a channel: our field, and OpenClaw's
    "telegram": {"token_file": "botToken", "secret_file": "webhookSecret"},
    "slack": {"token_file": "botToken", "app_token_file": "appToken", "secret_file": "signingSecret"},
    "discord": {"token_file": "token", "secret_file": "publicKey"},
}


class Kind(NamedTuple):
    """The table's row of a finding."""

    property: str
    says: str
    here: str


class Unsafe(NamedTuple):
    """An unsafe setting and its location."""

    id: str
    at: str
    kind: Kind


class Left(NamedTuple):
    """A field that was not imported, and why."""

    at: str
    why: str


class Imported(NamedTuple):
    """The imported settings and the report."""

    draft: Draft
    unsafe: tuple[Unsafe, ...]
    left: tuple[Left, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return the table by id."""
    found: dict[str, Kind] = {}
    for row in read_table(TABLE, 4):
        name, property_, says, here = row.cells
        if name in found or not re.fullmatch(r"P[1-6]", property_):
            raise DataError(f"{row.where}: `{name}` occurs twice, or breaks no property", "correct the line")
        found[name] = Kind(property_, says, here)
    return found


class _Fields:
    """A value that records which of its fields were read."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._read: set[tuple[str, ...]] = set()

    def get(self, path: str) -> Any:
        """Return the value at `a.b.c`, None if it is missing; all of it counts as read."""
        at = tuple(path.split("."))
        self._read.add(at)
        found = self._value
        for part in at:
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def text(self, path: str) -> str:
        """Return the text at a path, or an empty string."""
        found = self.get(path)
        return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else ""

    def words(self, path: str) -> list[str]:
        """Return the texts of a list."""
        found = self.get(path)
        return [str(one) for one in found if isinstance(one, str | int)] if isinstance(found, list) else []

    def names(self, path: str) -> list[str]:
        """Return the field names of an object, without counting them as read."""
        found = self._value
        for part in path.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return list(found) if isinstance(found, dict) else []

    def unread(self, value: Any = ..., at: tuple[str, ...] = ()) -> Iterator[str]:
        """Yield the unread fields, each by the shortest path below which nothing was read."""
        value = self._value if value is ... else value
        if at in self._read:
            return
        inside = any(one[: len(at)] == at for one in self._read)
        if isinstance(value, dict) and inside:
            for name, one in value.items():
                yield from self.unread(one, (*at, name))
        else:
            yield ".".join(at)


class _Importing:
    """One import. `operator`: the visitor name of this machine's terminal."""

    def __init__(self, value: dict[str, Any], operator: str, environ: Mapping[str, str]) -> None:
        self.fields = _Fields(value)
        self.draft = starting(Choices(operator=operator))
        self.value: dict[str, Any] = dict(self.draft.value)
        self.secrets: dict[str, str] = {}
        self.unsafe: list[Unsafe] = []
        self.left: list[Left] = []
        self._environ = environ

    def found(self, name: str, at: str) -> None:
        """Record an unsafe setting."""
        one = Unsafe(f"openclaw.{name}", at, kinds()[f"openclaw.{name}"])
        if one not in self.unsafe:
            self.unsafe.append(one)

    def secret(self, path: str, name: str) -> bool:
        """Move a secret into a file of its own; return whether there is one."""
        told = self.fields.get(path)
        if told is None:
            return False
        if not isinstance(told, str):
            self.left.append(Left(path, "its location is not given here; put it into a file, and name the file"))
            return False
        variable = _VARIABLE.fullmatch(told)
        if variable is None:
            self.found("secret_in_settings", path)
        text = self._environ.get(variable[1], "") if variable else told
        if not text:
            self.left.append(Left(path, f"the variable {told} is not set; set it and import again"))
            return False
        self.secrets[name] = text
        return True

    def run(self) -> None:
        """Import every part."""
        self._access()
        self._people()
        self._sessions()
        self._agents()
        self._tools()
        self._model()
        self._nodes()
        if self.fields.get("hooks.enabled"):
            self.found("hooks", "hooks.enabled")
        self._refused_channels()
        self.left += [Left(path, "nothing here is like it") for path in self.fields.unread()]

    def _access(self) -> None:  # noqa: C901, PLR0912  one case for each setting
        """Import listening and authentication (property P1)."""
        fields, access = self.fields, self.value["access"]
        bind, mode = fields.text("gateway.bind") or "loopback", fields.text("gateway.auth.mode")
        if bind not in tuple(Bind):
            self.left.append(Left("gateway.bind", f"`{bind}` is no way to listen"))
            bind = "loopback"
        token = self.secret("gateway.auth.token", "token") and mode in ("", "token")
        password = self.secret("gateway.auth.password", "password") and mode in ("", "password")
        if mode == "none":
            self.found("bind_no_auth" if bind != "loopback" else "auth_none", "gateway.auth.mode")
        if mode == "trusted-proxy":
            self.found("trusted_proxy", "gateway.auth.mode")
        if fields.text("gateway.tailscale.mode") == "funnel":
            self.found("funnel", "gateway.tailscale.mode")
            bind = "loopback"
        for name in ("allowInsecureAuth", "dangerouslyDisableDeviceAuth", "dangerouslyAllowHostHeaderOriginFallback"):
            if fields.get(f"gateway.controlUi.{name}"):
                self.found("origins_open", f"gateway.controlUi.{name}")
        if "*" in fields.words("gateway.controlUi.allowedOrigins"):
            self.found("origins_open", "gateway.controlUi.allowedOrigins")
        if token and len(self.secrets["token"]) < _LEAST_TOKEN:
            self.found("token_short", "gateway.auth.token")
            token = False
        access["bind"] = bind
        if port := fields.get("gateway.port"):
            access["port"] = port
        if bind == "custom":
            access["address"] = fields.text("gateway.customBindHost") or "127.0.0.1"
        for name, kept in (("token", token), ("password", password)):
            if kept:
                access[f"{name}_file"] = name
            else:
                self.secrets.pop(name, None)
        if bind != "loopback" and not (token or password):
            drawn = starting(Choices(bind=Bind.LAN))
            access["token_file"] = TOKEN
            self.secrets["token"] = drawn.secrets["token"]
        self._proxies()

    def _proxies(self) -> None:
        proxies = []
        for one in self.fields.words("gateway.trustedProxies"):
            try:
                anyone = ip_network(one, strict=False).prefixlen == 0
            except ValueError:
                self.left.append(Left("gateway.trustedProxies", f"`{one}` is no network"))
                continue
            if anyone:
                self.found("proxy_anyone", "gateway.trustedProxies")
            else:
                proxies.append(one)
        if proxies:
            if "token_file" not in self.value["access"] and "password_file" not in self.value["access"]:
                self.value["access"]["token_file"] = TOKEN
                self.secrets["token"] = starting(Choices(bind=Bind.LAN)).secrets["token"]
            self.value["access"]["proxies"] = proxies

    def _people(self) -> None:
        """Import channels and their people (P2 and P5)."""
        for name in self.fields.names("channels"):
            at = f"channels.{name}"
            if name not in _SECRETS:
                continue  # reported as unread
            if self.fields.get(f"{at}.enabled") is False:
                self.left.append(Left(at, "it is switched off"))
                continue
            self.value["channels"][name] = self._channel(name, at)

    def _channel(self, name: str, at: str) -> dict[str, Any]:
        fields = self.fields
        policy = fields.text(f"{at}.dmPolicy") or fields.text(f"{at}.dm.policy") or "pairing"
        allowed = [*fields.words(f"{at}.allowFrom"), *fields.words(f"{at}.dm.allowFrom")]
        rooms_by = fields.text(f"{at}.groupPolicy")
        if policy == "open" or "*" in allowed:
            self.found("direct_anyone", f"{at}.{'dmPolicy' if policy == 'open' else 'allowFrom'}")
            policy = "pairing"
        if rooms_by == "open" or "*" in fields.words(f"{at}.groupAllowFrom"):
            self.found("group_anyone", f"{at}.groupPolicy")
        if fields.get(f"{at}.dangerouslyAllowNameMatching"):
            self.found("name_matching", f"{at}.dangerouslyAllowNameMatching")
        people = [*allowed, *([] if rooms_by == "open" else fields.words(f"{at}.groupAllowFrom"))]
        rooms, unnamed = self._rooms(at)
        told = {"named": sorted({one.removeprefix("tg:").removeprefix(f"{name}:") for one in people} - {"*"})}
        told |= {"rooms": rooms, "unnamed": unnamed}
        made: dict[str, Any] = {
            "kind": name,
            "direct": {"pairing": "paired", "allowlist": "named", "disabled": "nobody"}.get(policy, "paired"),
        }
        made |= {field: found for field, found in told.items() if found}
        for field, theirs in _SECRETS[name].items():
            if self.secret(f"{at}.{theirs}", f"{name}-{field.removesuffix('_file')}"):
                made[field] = f"{name}-{field.removesuffix('_file')}"
        return made

    def _rooms(self, at: str) -> tuple[list[str], list[str]]:
        """Return the ids of allowed groups, and of those in which the agent need not be mentioned."""
        rooms, unnamed = [], []
        for field in ("groups", "guilds", "channels"):
            for room in self.fields.names(f"{at}.{field}"):
                inner = self.fields.get(f"{at}.{field}")[room]
                loud = isinstance(inner, dict) and inner.get("requireMention") is False
                if room == "*":
                    if loud:
                        self.found("names_everywhere", f"{at}.{field}.*.requireMention")
                    continue
                if field == "guilds" or room.startswith("#"):
                    self.left.append(Left(f"{at}.{field}.{room}", "name its rooms by the platform's id under `rooms`"))
                    continue
                rooms.append(room)
                unnamed += [room] * loud
        return rooms, unnamed

    def _sessions(self) -> None:
        """Import session scopes and links (P3)."""
        scope = self.fields.text("session.dmScope") or "main"
        if scope == "main":
            self.found("sessions_shared", "session.dmScope")
        links = self.fields.get("session.identityLinks") or {}
        known = set(self.value["channels"])
        people = [[one for one in found if one.split(":", 1)[0] in known] for found in links.values()]
        people = [one for one in people if len(one) > 1]
        if scope == "per-peer" or people:
            self.value["sessions"] = {"scope": "per-peer", **({"links": people} if people else {})}

    def _agents(self) -> None:
        """Import agents with their tools, and bindings."""
        listed = self.fields.get("agents.list")
        entries = self.fields.get("agents.entries") or {}
        agents = (
            {str(one.get("id")): one for one in listed if isinstance(one, dict)}
            if isinstance(listed, list)
            else dict(entries)
        )
        for name, one in agents.items():
            if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name):
                self.left.append(Left(f"agents.{name}", "its name is not of small letters, digits, `-` and `_`"))
                continue
            made = dict(self.value["agents"][MAIN])
            tools = one.get("tools") or {}
            if layer := self._layer(tools, f"agents.{name}.tools"):
                made["tools"] = {"agent": layer}
            if (tools.get("elevated") or {}).get("enabled"):
                self.found("elevated", f"agents.{name}.tools.elevated")
            self.value["agents"][name] = made
        bindings = []
        for place, one in enumerate(self.fields.get("bindings") or ()):
            match = one.get("match") or {}
            made = {"agent": one.get("agentId"), "channel": match.get("channel"), "account": match.get("accountId")}
            peer = match.get("peer") or {}
            made["peer" if peer.get("kind") in ("dm", "direct") else "room"] = peer.get("id")
            made = {field: text for field, text in made.items() if isinstance(text, str) and text}
            if made.get("agent") in self.value["agents"] and made.get("channel", "web") in self.value["channels"]:
                bindings.append(made)
            else:
                self.left.append(Left(f"bindings[{place}]", "its agent or channel was not taken over"))
        if bindings:
            self.value["bindings"] = bindings

    def _tools(self) -> None:
        """Import the tool policy (P4)."""
        fields = self.fields
        told = {name: fields.get(f"tools.{name}") for name in ("allow", "deny")}
        profile = fields.text("tools.profile")
        layer = self._layer(told, "tools")
        sandbox = fields.text("agents.defaults.sandbox.mode") or "off"
        if sandbox == "off":
            self.found("no_sandbox", "agents.defaults.sandbox.mode")
        if profile in ("", "full") and not layer:
            self.found("tools_open", "tools")
        if fields.get("tools.elevated.enabled") is not False:
            self.found("elevated", "tools.elevated.enabled")
        if fields.text("tools.exec.ask") == "off" or fields.text("tools.exec.security") == "full":
            self.found("run_unasked", "tools.exec")
        denied = sorted({*layer.get("deny", ()), *self.value["tools"]["global"]["deny"]})
        self.value["tools"] = {"global": {**layer, "deny": denied}}
        if profile in _PROFILES:
            for agent in self.value["agents"].values():
                agent.setdefault("tools", {})["profile"] = {"allow": _PROFILES[profile]}

    def _layer(self, told: Mapping[str, Any], at: str) -> dict[str, list[str]]:
        """Return a layer's entries with our names. Tools that do not exist here are dropped: they are denied anyway."""
        known = names()
        layer: dict[str, list[str]] = {}
        for field in ("allow", "deny"):
            if not isinstance(told.get(field), list):
                continue
            layer[field] = []
            for entry in map(str, told[field]):
                ours = _GROUPS.get(entry, entry)
                there = (
                    ours == "*"
                    or (ours.startswith("group:") and ours[6:] in known.groups)
                    or known.tool(ours) in known.all
                )
                if there:
                    layer[field].append(ours)
                else:
                    self.left.append(Left(f"{at}.{field}", f"`{entry}` is no tool here"))
        return layer

    def _model(self) -> None:
        told = self.fields.get("agents.defaults.model") or self.fields.get("agent.model")
        primary = told.get("primary", "") if isinstance(told, dict) else told or ""
        provider, _, name = str(primary).partition("/")
        at = f"models.providers.{provider}"
        url, api = self.fields.text(f"{at}.baseUrl"), self.fields.text(f"{at}.api")
        speaks = _APIS.get(api, provider if provider in ENDPOINTS else "")
        if not name or not speaks:
            if primary:
                self.left.append(
                    Left("agents.defaults.model", f"where `{primary}` is reached is not said; set [model]")
                )
            return
        self.value["model"] = {"speaks": speaks, "url": url or ENDPOINTS[speaks], "name": name}
        if self.secret(f"{at}.apiKey", "model-key"):
            self.value["model"]["key_file"] = "model-key"

    def _nodes(self) -> None:
        """Import device commands (P6)."""
        fields = self.fields
        extra = [*fields.words("gateway.nodes.commands.allow"), *fields.words("gateway.nodes.allowCommands")]
        deny = [*fields.words("gateway.nodes.commands.deny"), *fields.words("gateway.nodes.denyCommands")]
        self.value["nodes"] = {"extra": sorted(set(extra) - set(deny)), "deny": sorted(set(deny))}
        if (
            fields.get("gateway.nodes.pairing.autoApproveCidrs")
            or fields.get("gateway.nodes.pairing.autoApproveLocal") is not False
        ):
            self.found("devices_unasked", "gateway.nodes.pairing")

    def _refused_channels(self) -> None:
        """Drop channels that could not start, so that the rest is usable."""
        for name in list(self.value["channels"]):
            one = self.value["channels"][name]
            connects = {"token_file", *(["app_token_file"] if one["kind"] == "slack" else [])} <= set(one)
            if one["kind"] in _SECRETS and "secret_file" not in one and not connects:
                settings = settings_of(Draft(self.value), Path())
                grave = [found for found in findings(settings) if found.at == f"channels.{name}" and found.kind.grave]
                if grave:
                    del self.value["channels"][name]
                    self.left.append(Left(f"channels.{name}", f"{grave[0].kind.says}; {grave[0].kind.remedy}"))
        known = set(self.value["channels"])
        if "bindings" in self.value:
            self.value["bindings"] = [one for one in self.value["bindings"] if one.get("channel", "web") in known]
        if links := self.value["sessions"].get("links"):
            kept = [[one for one in people if one.split(":", 1)[0] in known] for people in links]
            self.value["sessions"]["links"] = [one for one in kept if len(one) > 1]
        tables = (*self.value["channels"].values(), self.value["access"], self.value.get("model", {}))
        used = {one[field] for one in tables for field in one if field.endswith("_file")}
        self.secrets = {name: text for name, text in self.secrets.items() if name in used}


def import_openclaw(value: Any, operator: str = "", environ: Mapping[str, str] = os.environ) -> Imported:
    """Import the settings; UsageError if the file has another form."""
    if not isinstance(value, dict):
        raise UsageError("this is no openclaw.json", "its settings are one object")
    found = _Importing(value, operator, environ)
    try:
        found.run()
    except (AttributeError, TypeError, KeyError) as error:
        raise UsageError(
            f"this openclaw.json has a form that is not known ({error})", "run `openclaw doctor` on it first"
        ) from None
    unsafe = sorted(found.unsafe, key=lambda one: (one.kind.property, one.at))
    return Imported(Draft(found.value, found.secrets), tuple(unsafe), tuple(sorted(set(found.left))))
