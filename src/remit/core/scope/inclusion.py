"""Inclusion and overlap of scopes, exact between normal forms.

A path is a word whose letters are components, and a scope is a pattern over such words in which `**` is the star. The
letters are infinitely many, so a step does not try letters but the *combinations* of component patterns that one letter
can match at once (`component.signatures`): `aa/*/a` lies inside `**/??*/?/**` although no single way of laying
the second over the first shows it.
"""

from __future__ import annotations

from remit.core.scope.component import BUDGET, BudgetSpentError, included, literal, match, meet, signatures
from remit.core.scope.forms import DEEP, PLACES, ROOT, AnyScope, HostScope, NameScope, NumberScope, PathScope, Scope


def covers(grant: Scope, scope: Scope) -> bool:
    """Whether everything in `scope` is in `grant`.

    A comparison that would need too many states is answered no: a grant that cannot be followed grants nothing.
    """
    if isinstance(grant, AnyScope) or grant == scope:
        return True
    try:
        if isinstance(grant, PathScope) and isinstance(scope, PathScope):
            return _path_covers(grant, scope)
        if isinstance(grant, NameScope) and isinstance(scope, NameScope):
            return included(scope.pattern, grant.pattern, component=False)
    except BudgetSpentError:
        return False
    if isinstance(grant, HostScope) and isinstance(scope, HostScope):
        return grant.port in (None, scope.port) and _host_covers(grant.host, scope.host)
    if isinstance(grant, NumberScope) and isinstance(scope, NumberScope):
        below = grant.low is None or (scope.low is not None and grant.low <= scope.low)
        above = grant.high is None or (scope.high is not None and scope.high <= grant.high)
        return below and above
    return False


def overlaps(left: Scope, right: Scope) -> bool:
    """Whether something may be in both, for denials: what is only known when the skill runs may be anything.

    A comparison that would need too many states is answered yes.
    """
    if isinstance(left, AnyScope) or isinstance(right, AnyScope) or left == right:
        return True
    try:
        if isinstance(left, PathScope) and isinstance(right, PathScope):
            return _paths_overlap(left, right)
        if isinstance(left, NameScope) and isinstance(right, NameScope):
            return meet(left.pattern, right.pattern, component=False)
    except BudgetSpentError:
        return True
    if isinstance(left, HostScope) and isinstance(right, HostScope):
        ports = left.port is None or right.port is None or left.port == right.port
        return ports and (_host_covers(left.host, right.host) or _host_covers(right.host, left.host))
    if isinstance(left, NumberScope) and isinstance(right, NumberScope):
        return _at_most(left.low, right.high) and _at_most(right.low, left.high)
    # a program named by its path is never found by a bare name; a symbol may be equal to anything
    return not (isinstance(left, (PathScope, NameScope)) and isinstance(right, (PathScope, NameScope))) or any(
        isinstance(side, PathScope) and side.anchor not in PLACES for side in (left, right)
    )


def _at_most(low: float | None, high: float | None) -> bool:
    return low is None or high is None or low <= high


def _host_covers(grant: str, host: str) -> bool:
    if grant in ("*", host):
        return True
    return grant.startswith("*.") and host.endswith(grant[1:])


def _path_covers(grant: PathScope, scope: PathScope) -> bool:
    if grant.anchor == scope.anchor:
        return parts_cover(grant.parts, scope.parts)
    if grant.anchor == ROOT and scope.anchor in PLACES:
        # every folder is below the root
        return parts_cover(grant.parts, (DEEP, *scope.parts))
    if grant.is_beside and grant.symbol == scope.anchor:
        return parts_cover(grant.parts, ("*", *scope.parts))  # it has some name in its folder
    return False


def parts_cover(grant: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """Whether every path of the components `parts` is one of `grant`."""
    if DEEP not in grant and (len(parts) != len(grant) or DEEP in parts):
        return False  # the grant has a fixed length
    texts = [literal(part) for part in parts]
    if None not in texts:
        return _matches(grant, texts)
    end = 1 << len(grant)
    deep = sum(1 << at for at, part in enumerate(grant) if part == DEEP)
    start = (0, _closed(1, deep))
    seen, todo = {start}, [start]
    while todo:
        at, states = todo.pop()
        if at == len(parts):
            if not states & end:
                return False
            continue
        part = parts[at]
        moves = _moves(grant, deep, states, "*" if part == DEEP else part)
        after = [(at, move) for move in moves] + [(at + 1, states)] if part == DEEP else [(at + 1, m) for m in moves]
        for state in after:
            if not state[1]:
                return False  # every pattern has a word, so the rest of `parts` has one that is lost here
            if state not in seen:
                seen.add(state)
                todo.append(state)
        if len(seen) > BUDGET:
            raise BudgetSpentError
    return True


def _matches(grant: tuple[str, ...], texts: list[str | None]) -> bool:
    """Whether `grant` matches one path: the common case."""
    deep = grant.index(DEEP) if DEEP in grant else len(grant)
    if deep >= len(grant) - 1:  # nothing follows a `**`: the rest of the path is free
        return len(texts) >= deep and all(map(_fits, grant[:deep], texts))
    states = _passed(grant, {0})
    for text in texts:
        moved = {at for at in states if at < len(grant) and grant[at] == DEEP}
        moved |= {at + 1 for at in states - moved if at < len(grant) and match(grant[at], str(text))}
        states = _passed(grant, moved)
    return len(grant) in states


def _fits(pattern: str, text: str | None) -> bool:
    return match(pattern, str(text))


def _passed(grant: tuple[str, ...], states: set[int]) -> set[int]:
    """With every `**` that is reached also passed; no two stand together in a normal form."""
    return states | {at + 1 for at in states if at < len(grant) and grant[at] == DEEP}


def _closed(states: int, deep: int) -> int:
    """With every `**` that is reached also passed."""
    while (more := states | (states & deep) << 1) != states:
        states = more
    return states


def _moves(grant: tuple[str, ...], deep: int, states: int, part: str) -> set[int]:
    """Where one component of the pattern `part` can lead, one set of positions for each combination."""
    here = [at for at in range(len(grant)) if states >> at & 1 and not deep >> at & 1]
    patterns = tuple(dict.fromkeys(grant[at] for at in here if grant[at] != "*"))
    return {
        _closed(
            states & deep
            | sum(1 << at + 1 for at in here if grant[at] == "*" or patterns.index(grant[at]) in combination),
            deep,
        )
        for combination in _combinations(part, patterns)
    }


def _combinations(part: str, patterns: tuple[str, ...]) -> frozenset[frozenset[int]]:
    if not patterns:
        return frozenset({frozenset()})
    text = literal(part)
    if text is None:
        return signatures(part, patterns)
    return frozenset({frozenset(i for i, pattern in enumerate(patterns) if match(pattern, text))})


def _paths_overlap(left: PathScope, right: PathScope) -> bool:
    if left.anchor not in PLACES or right.anchor not in PLACES:
        return True
    if left.anchor == right.anchor:
        return parts_overlap(left.parts, right.parts)
    # two folders may contain each other, in either order, or be the same
    inside = parts_overlap(left.parts, (DEEP, *right.parts)) if right.anchor != ROOT else False
    outside = parts_overlap((DEEP, *left.parts), right.parts) if left.anchor != ROOT else False
    return inside or outside


def parts_overlap(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether some path has both forms."""
    if DEEP not in left and DEEP not in right:
        return len(left) == len(right) and all(map(meet, left, right))
    seen, todo = {(0, 0)}, [(0, 0)]
    while todo:
        i, j = todo.pop()
        if i == len(left) and j == len(right):
            return True
        after = []
        if i < len(left) and left[i] == DEEP:
            after += [(i + 1, j)] + ([(i, j + 1)] if j < len(right) else [])
        if j < len(right) and right[j] == DEEP:
            after += [(i, j + 1)] + ([(i + 1, j)] if i < len(left) else [])
        if i < len(left) and j < len(right) and DEEP not in (left[i], right[j]) and meet(left[i], right[j]):
            after.append((i + 1, j + 1))
        for state in after:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return False
