"""The decision on a page: what `judge` must say, in the plainest form, without an index and without care for speed.

It shares with the real one only what scopes, sensitive places and patterns mean (`core`, `manifest.patterns`) and the gate table.
Places are resolved by the same rule, and a result is a word and the ordinals of the entries that were used.
"""

import datetime as dt

from remit.core.capability import Change, matches, vocabulary
from remit.core.scope import AnyScope, HostScope, NameScope, PathScope, SymbolScope, covers, overlaps
from remit.core.sensitive import fold, may_touch, places
from remit.core.sensitive import sensitive as wholly
from remit.core.source import is_source
from remit.manifest.model import Decision, Matching, Verification
from remit.manifest.patterns import denied, matches_whole
from remit.policy.gate import gate_table, standing
from remit.policy.words import spoken

LEVELS, DAYS = list(Verification), ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
RUNS_COMMANDS = {"shell.execute", "process.create", "repl.create", "repl.execute", "container.run"}


def reference(policy, request, now):
    found = answers(policy, request, now)
    if any(isinstance(answer, str) for answer in found):
        return "deny", ()
    strictness = ["allow", "once", "confirm", "deny"]
    return max((gate for gate, _ in found), key=strictness.index), tuple(dict.fromkeys(used for _, used in found))


def why_not(policy, request, now):
    """Why a request is denied, by the first of its meanings that is."""
    return next(answer for answer in answers(policy, request, now) if isinstance(answer, str))


def answers(policy, request, now):
    names = [request.capability]
    here = place(policy, request.scope)
    action = {"delete": "delete"}.get(names[0].split(".")[-1], "read" if reads(names[0]) else "write")
    if names[0] in ("source.read", "source.write", "source.delete") and not is_source(here):
        names[0] = "file." + action
    if vocabulary()[names[0]].scope_kind == "path" and not request.spared:
        names += [name for name in may_touch(f"file.{action}", here) if name != names[0]]
    return [meaning(policy, request._replace(capability=name, scope=here), action, now) for name in names]


def meaning(policy, request, action, now):
    given = [(entry, 0, None) for entry in policy.manifest.permissions]
    given += [(entry, layer.authority, layer.expires) for layer in policy.layers for entry in layer.grants]
    given = [(entry, whose, ends) for entry, whose, ends in given if entry.effect != "deny"]
    own = [entry for entry, _, _ in given]
    said = [(entry, None) for entry in (*policy.manifest.permissions, *policy.denials)]
    said += [(entry, layer.expires) for layer in policy.layers for entry in (*layer.grants, *layer.asks)]
    for entry, ends in said:
        read = request._replace(spared=False) if vocabulary()[request.capability].change == "none" else request
        if entry.effect == "deny" and met_now(policy, entry, ends, read, now):
            return "denied"
    for entry in own:
        patterns = entry.constraints.denied_command_patterns
        if patterns and request.capability in RUNS_COMMANDS and meets(policy, entry, request, now):
            commands = spoken(request.command)
            if not request.command or commands is None or denied(patterns, request.command, commands):
                return "command"
    if not any(holds(policy, entry, request, action, now) for entry in own):
        return "outside"
    fitting = [
        (-whose, -entry.priority, decision(entry, request) != "confirm", number)
        for number, (entry, whose, ends) in enumerate(given)
        if holds(policy, entry, request, action, now) and limits_hold(policy, entry, number, request, now)
        if ends is None or (now.moment is not None and now.moment.seconds < ends)
    ]
    asking = [
        (-layer.authority, -entry.priority, False, -1)
        for layer in policy.layers
        for entry in layer.asks
        if entry.effect != "deny" and met_now(policy, entry, layer.expires, request, now)
    ]
    code = "source." + action if request.capability == "file." + action and is_source(request.scope) else ""
    for pattern, level in policy.minimum:
        named = matches(pattern, request.capability) or (code and matches(pattern, code))
        if named and LEVELS.index(policy.level) < LEVELS.index(level):
            return "minimum"
    if not fitting:
        return "limits"
    whose, _, allows, _ = min(fitting + asking)
    kept = any(covers(place(policy, root), request.scope) for root in policy.snapshotted)
    runs = request.capability in RUNS_COMMANDS | {"source.execute"}
    change = Change.NONE if now.understood and runs else vocabulary()[request.capability].change
    line = standing(Decision.ALLOW if allows else Decision.CONFIRM, change, snapshotted=kept)
    return gate_table()[line, "formal" if whose else policy.level], min(fitting)[-1]


def reads(name):
    return vocabulary()[name].change == "none" or name == "source.execute"


def place(policy, scope):
    found = policy.places.get(scope.anchor) if isinstance(scope, PathScope) else None
    return PathScope("/", found.parts + scope.parts) if found else scope


def scopes(policy, written, now):
    """The scopes that are written, with symbols bound and places resolved."""
    for scope in written:
        symbol = scope.symbol if isinstance(scope, SymbolScope) else getattr(scope, "anchor", "")
        for value in now.bound.get(symbol) or (None,):
            if isinstance(scope, SymbolScope):
                yield value or scope
            elif isinstance(value, PathScope):
                yield place(policy, PathScope(value.anchor, value.parts + scope.parts))
            else:
                yield value if value and not scope.parts else place(policy, scope)


def forms(scope, capability):
    if isinstance(scope, NameScope):
        return [NameScope(fold(scope.pattern))]
    if isinstance(scope, HostScope) and (
        scope.host in ("localhost", "127.0.0.1", "::1") or scope.host == "*.localhost"
    ):
        return [scope, HostScope("localhost", scope.port)]
    if not isinstance(scope, PathScope):
        return [scope]
    path = PathScope(scope.anchor, tuple(map(fold, scope.parts)))
    if vocabulary()[capability].scope_kind != "program" or not scope.parts:
        return [path]
    return [path, NameScope("*" if path.parts[-1] == "**" else path.parts[-1])]


def met_now(policy, entry, ends, request, now):
    """Whether a denial or a question may meet a request; a pattern that spares what lies inside, only as a whole."""
    over = ends is not None and now.moment is not None and now.moment.seconds >= ends
    return not over and meets(policy, entry, request, now, whole=request.spared) and not surely_off(entry, request, now)


def meets(policy, entry, request, now, *, whole=False):
    """Whether an entry may speak of a request, in any spelling; or surely of the whole of it."""
    capability, limits = request.capability, entry.constraints
    named = matches(entry.capability, capability)
    if not named and not (capability[:5] == "file." and matches(entry.capability, "source." + capability[5:])):
        return False
    areas = [entry.scopes, limits.resource_scope or [AnyScope()]]
    for mine in forms(request.scope, capability):
        found = [
            any(overlaps(form, mine) for one in scopes(policy, area, now) for form in forms(one, capability))
            for area in areas
        ]
        held = any(
            covers(form, mine) or (form.tag == mine.tag == "path" and form.anchor != mine.anchor)
            for one in scopes(policy, entry.scopes, now)
            for form in forms(one, capability)
        )
        inside = [overlaps(form, mine) for form in forms(place(policy, PathScope("workspace", ("**",))), "file.read")]
        if all(found) and (held or not whole) and (not limits.workspace_only or any(inside)):
            return True
    return False


def surely_off(entry, request, now):
    """Whether a condition of a denial is surely not met."""
    given = dict(request.arguments)
    for name, allowed in entry.constraints.arguments:
        if name in given and not isinstance(given[name], tuple):
            texts = {str(given[name]), str(given[name]).casefold().strip()}
            if isinstance(given[name], bool | int):
                texts.add(str(int(given[name])))
            if isinstance(allowed, Matching):
                if not any(matches_whole(allowed.pattern, text) for text in texts):
                    return True
            else:
                values = {text for one in allowed for text in (str(one), str(one).casefold().strip())}
                values |= {str(int(one)) for one in allowed if isinstance(one, bool | int)}
                if not texts & values:
                    return True
    window = entry.constraints.time_window
    return window is not None and now.moment is not None and not in_window(window, now.moment)


def granted_name(entry, request, areas):
    """The name under which an entry grants a request, or None."""
    name, scope = request.capability, request.scope
    if matches(entry.capability, name):
        return name
    code = "source." + name[5:] if name in ("file.read", "file.write", "file.delete") else ""
    named = any(not isinstance(one, AnyScope) and covers(one, scope) for one in areas)
    return code if code and matches(entry.capability, code) and (is_source(scope) or named) else None


def decision(entry, request):
    name = request.capability
    return entry.decision(name if matches(entry.capability, name) else "source." + name[5:])


def holds(policy, entry, request, action, now):
    scope, limits = request.scope, entry.constraints
    areas = list(scopes(policy, entry.scopes, now))
    narrower = list(scopes(policy, limits.resource_scope, now))
    if granted_name(entry, request, areas) is None or not any(covers(one, scope) for one in areas):
        return False
    if narrower and not any(covers(one, scope) for one in narrower):
        return False
    sensitive = {name for row in places().rows for names in row.means for name in names}
    known = wholly if any("*" in part for part in getattr(scope, "parts", ())) else may_touch
    if request.capability not in sensitive or request.capability in known(f"file.{action}", scope):
        return True
    return any(not isinstance(one, AnyScope) and covers(one, scope) for one in [*areas, *narrower])


def limits_hold(policy, entry, number, request, now):
    limits, given = entry.constraints, dict(request.arguments)
    if limits.workspace_only and not covers(place(policy, PathScope("workspace", ("**",))), request.scope):
        return False
    for name, allowed in limits.arguments:
        value = given.get(name)
        if isinstance(allowed, Matching):
            if not isinstance(value, str) or not matches_whole(allowed.pattern, value):
                return False
        elif name not in given or (type(value), value) not in [(type(one), one) for one in allowed]:
            return False
    if limits.time_window and (now.moment is None or not in_window(limits.time_window, now.moment)):
        return False
    if limits.rate_limit:
        if now.moment is None or now.history is None:
            return False
        recent = [
            time for time in now.history.get(number, ()) if time >= now.moment.seconds - limits.rate_limit.seconds
        ]
        if len(recent) + 1 > limits.rate_limit.calls:
            return False
    redacted = limits.redact or vocabulary()[request.capability].level == "redact"
    return now.redacts or not redacted


def in_window(window, moment):
    """Every window that a day begins, laid out on the calendar."""
    time = dt.datetime.fromtimestamp(moment.seconds, dt.UTC)
    for back in (0, 1):
        midnight = time.replace(hour=0, minute=0, second=0) - dt.timedelta(days=back)
        if not window.days or DAYS[midnight.weekday()] in window.days:
            length = window.end if window.end > window.start else window.end + 24 * 60
            begin = midnight + dt.timedelta(minutes=window.start)
            if begin <= time < midnight + dt.timedelta(minutes=length):
                return True
    return False
