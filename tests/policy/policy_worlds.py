"""Random policies, requests and situations in a small world, so that they often meet.

They are drawn from a seed by a plain generator, because thousands of them are wanted: Hypothesis draws the seeds.
"""

from functools import cache
from random import Random

from policy_values import PLACES

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE, parse_scope
from remit.manifest.model import (
    Constraints,
    Decision,
    Manifest,
    Matching,
    Permission,
    RateLimit,
    TimeWindow,
    Verification,
)
from remit.policy import Moment, Request, Situation, SkillPolicy
from remit.policy.request import Nested
from remit.policy.rules import Authority, Layer

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
PATTERNS = {
    "path": [
        "./**", "./src/**", "./src/*.py", "./a.txt", "./A.TXT", "~/**", "~/.ssh/**", "/home/ann/project/src/**", "/etc/**",
        "<arg>", "<arg>/x.py", "<env:OUT>/**", "$SKILL/**", "$TMP/*", "./.env", "./CLAUDE.md",
    ],
    "host": ["a.example", "*.a.example", "b.a.example:443", "*:443", "localhost", "127.0.0.1", "[::1]:80", "<arg>"],
    "program": ["git", "rm", "/bin/rm", "./run.sh", "/bin/*", "r*", "RM", "<arg>"],
    "name": ["HOME", "home", "A_*", "<arg>"],
    "tool": ["mcp__hub__*", "Read"],
    "number": ["1..10", "..5", "3", "<arg>"],
}  # fmt: skip
TARGETS = {
    "path": [
        "./a.txt", "./src/m.py", "./src/data.csv", "./.env", "~/.ssh/id_rsa", "~/notes.txt", "/home/ann/project/src/m.py",
        "/etc/passwd", "$SKILL/run.py", "$TMP/f", "./CLAUDE.md", "/home/ann/.bashrc", "./in", "./in/x.py", "/srv/x", "./a.TXT",
    ],
    "host": ["a.example", "b.a.example", "b.a.example:443", "localhost", "127.0.0.1:80", "[::1]:80"],
    "program": ["git", "rm", "/bin/rm", "./run.sh", "/bin/git", "Rm"],
    "name": ["HOME", "A_B", "home"],
    "tool": ["mcp__hub__list", "Read", "read"],
    "number": ["3", "7", "-1", "2.5"],
}  # fmt: skip
WIDE = ["./**", "./src/**", "./*.txt", "~/.ssh/*", "/home/ann/**", "~/.claude/**", "/etc/*"]  # as commands name files
COMMANDS = [
    "git status",
    "git push",
    "g'it' push --force",
    "rm -rf /",
    "sh -c 'git push'",
    "x $(git push)",
    "echo hi",
    "",
]
CAPABILITIES = [
    "file.read", "file.read", "file.write", "file.write", "file.delete", "source.read", "source.write", "secret.read", "secret.write",
    "memory.read", "memory.write", "profile.write", "context.load", "commit.create", "process.create", "process.create",
    "shell.execute", "repl.execute", "web.fetch", "api.call", "env.read", "env.write", "tool.invoke", "pay", "clipboard.read",
]  # fmt: skip
NAMES = [*CAPABILITIES, "file.*", "source.*", "*", "secret.*", "memory.*", "process.*"]
ARGUMENTS = ["main", "Main", "1", 1, 0, True, False, "", " 1"]
BOUND = [
    {},
    {},
    {"<arg>": (parse_scope("path", "./in"),)},
    {"<arg>": (parse_scope("path", "~/notes.txt"), parse_scope("path", "./in")), "<env:OUT>": ()},
    {"<arg>": (parse_scope("program", "git"),)},
    {"<arg>": (parse_scope("host", "a.example"),)},
    {"<arg>": (parse_scope("number", "7"),)},
]
ROOTS = [(), (parse_scope("path", "./**"),), (parse_scope("path", "/home/ann/project/src/**"),)]


@cache
def scopes_of(capability):
    kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(capability)}
    texts = [(kind, text) for kind in kinds for text in PATTERNS.get(kind, ())] if len(kinds) == 1 else []
    return [ANY_SCOPE, ANY_SCOPE, *(parse_scope(kind, text) for kind, text in texts)]


@cache
def family_of(own):
    """The names and patterns of the same object."""
    return [name for name in NAMES if name == "*" or name.partition(".")[0] == own.partition(".")[0]]


class World:
    """Everything that a test needs, from one seed. Entries lean towards the capability of the request."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.request = self._request()
        self.situation = self._situation()
        self.policy = self._policy()

    def __repr__(self):
        return f"World({self.policy!r}, {self.request!r}, {self.situation!r})"

    def rarely(self, one_in=4):
        return self.random.randrange(one_in) == 0

    def some(self, items, most=2):
        found = {(type(one), one): one for one in self.random.choices(items, k=self.random.randint(1, most))}
        return tuple(found.values())

    def entry(self, effects=(None, *[Decision.ALLOW] * 4, Decision.CONFIRM, Decision.DENY)):
        pick = self.random.choice
        own = self.request.capability
        capability = pick(NAMES) if self.rarely(3) else pick([own, *family_of(own)])
        effect = pick(effects)
        known = scopes_of(capability)
        limits = self._limits(known, grants=effect is not Decision.DENY) if self.rarely(3) else Constraints()
        return Permission(capability, self.some(known), effect, pick([0, 0, 1, -1]), limits, pick(["", "a note"]))

    def _limits(self, known, *, grants):
        pick, rarely = self.random.choice, self.rarely
        days = self.some(DAYS, 4) if rarely(2) else ()
        window = TimeWindow(tuple(day for day in DAYS if day in days), pick([0, 60, 1200]), pick([30, 600, 1440]))
        allowed = Matching(pick(["ma.*", "[0-9]"])) if rarely() else self.some(ARGUMENTS, 3)
        return Constraints(
            workspace_only=rarely(3),
            resource_scope=self.some(known) if rarely(3) else (),
            denied_command_patterns=("^git push",) if grants and rarely(2) else (),
            arguments=((pick(["branch", "n"]), allowed),) if rarely(3) else (),
            time_window=window if rarely(3) else None,
            rate_limit=RateLimit(pick([1, 2]), 60) if grants and rarely(3) else None,
            redact=grants and rarely(3),
        )

    def _request(self):
        pick = self.random.choice
        capability = pick(CAPABILITIES)
        kind = vocabulary()[capability].scope_kind
        scope = parse_scope(kind, pick(TARGETS[kind])) if kind in TARGETS else ANY_SCOPE
        wide = kind == "path" and self.rarely(5)
        if wide:
            scope = parse_scope(kind, pick(WIDE))
        names = [name for name in ("branch", "n") if self.rarely(2)]
        arguments = tuple((name, pick([*ARGUMENTS, Nested("[1]"), None])) for name in names)
        spared = self.rarely(2) if wide else self.rarely(20)
        return Request(capability, scope, pick(COMMANDS) if kind == "program" else "", arguments, spared)

    def _situation(self):
        pick = self.random.choice
        moment = None if self.rarely() else Moment(self.random.randrange(10**8))
        now = moment.seconds if moment else 0
        history = {member: self.some([now, now - 59, now - 60, now - 61, now + 5]) for member in range(pick([0, 1, 4]))}
        return Situation(moment, None if self.rarely() else history, pick(BOUND), self.rarely(2), self.rarely())

    def layer(self, authority):
        """What the workspace or a person says beside the manifest."""
        grants = [
            self.entry([None, *[Decision.ALLOW] * 3, Decision.CONFIRM, Decision.DENY])
            for _ in range(self.random.randint(0, 2))
        ]
        asks = [self.entry([Decision.CONFIRM]) for _ in range(self.random.randint(0, 1))]
        ends = self.random.randrange(10**8) if self.rarely(2) else None
        return Layer(authority.name.lower(), authority, tuple(grants), tuple(asks), ends)

    def _policy(self):
        pick = self.random.choice
        return SkillPolicy(
            "demo",
            Manifest("remit.json", tuple(self.entry() for _ in range(self.random.randint(0, 8)))),
            pick(list(Verification)),
            pick(ROOTS),
            ((pick(NAMES), pick(list(Verification))),) if self.rarely() else (),
            pick([PLACES, PLACES, {}, {"workspace": PLACES["workspace"]}]),
            (self.entry(),) if self.rarely() else (),
            tuple(self.layer(one) for one in (Authority.WORKSPACE, Authority.PERSON) if self.rarely(3)),
        )
