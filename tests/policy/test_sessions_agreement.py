"""What Method C is proved of holds what is decided: no decision is freer than that for a kind of envelope in the skill's alphabet.

A kind that were stricter than the decision would make the proof one of another session than the one that runs.
"""

import dataclasses
from functools import lru_cache

import pytest
from policy_worlds import World
from test_judge_properties import STRICTNESS, worlds

from remit.core.capability import Change
from remit.core.effect import Effect
from remit.core.location import Location
from remit.core.scope import AnyScope, parse_scope
from remit.core.via import recorded
from remit.manifest.model import Decision
from remit.policy import Deny, judge
from remit.policy.gate import Standing, gate_table
from remit.policy.judge import meanings
from remit.proof.sessions import kinds as session_kinds
from remit.proof.sessions.kinds import alphabet

WORKSPACE = (parse_scope("path", "./**"),)


def in_the_model(world: World, snapshotted=WORKSPACE):
    """The policy as Method C takes it to be: snapshots are taken of the workspace and of nothing else.

    What workspace and persons say beside the manifest is a person's answer that was given before.
    """
    return dataclasses.replace(world.policy, snapshotted=snapshotted, layers=())


def asked(policy, world):
    """The decision on an envelope that does something itself; the mere run of a script has no kind of its own."""
    return judge(policy, world.request, world.situation._replace(understood=False))


def word_of(found):
    return "allow" if not hasattr(found, "once") else "once" if found.once else "confirm"


def text(scope):
    return "" if isinstance(scope, AnyScope) else scope.render()


def standing_for(policy, kinds, request, found):
    """The kinds of the entry that decides, under a name by which it can grant the request."""
    entries = [entry for entry in policy.manifest.permissions if entry.effect is not Decision.DENY]
    entry = entries[found.member]
    scopes = {text(scope) for scope in (*entry.scopes, *entry.constraints.resource_scope)}
    if entry.constraints.workspace_only:  # of what it holds beyond, its parts are asked about
        scopes.add("./**")
    own = next(iter(meanings(request._replace(scope=policy.resolve(request.scope))))).capability
    names = {own, "source." + own.removeprefix("file.")}
    named = [kind for kind in kinds if kind.capability in names]
    # an entry that holds only a part of its scope has no kind of its own: the things in it are asked about
    return [kind for kind in named if kind.scope in scopes] or named


def no_envelope_is_freer_than_a_kind_that_stands_for_it(world, kinds):
    for snapshotted in ((), WORKSPACE):
        policy = in_the_model(world, snapshotted)
        found = asked(policy, world)
        if isinstance(found, Deny):
            continue
        gates = [
            gate_table()[kind.standing, policy.level] for kind in standing_for(policy, kinds, world.request, found)
        ]
        assert gates, world
        assert min(STRICTNESS.get(gate, 3) for gate in gates) <= STRICTNESS[word_of(found)], world


def no_effect_of_a_script_is_freer_than_its_kind(world, own):
    policy = in_the_model(world)
    found = asked(policy, world)
    if isinstance(found, Deny):
        return
    assert own.scripts, world  # what a denial is said to hold wholly is really denied
    kinds = [own.kinds[number] for number in own.scripts[0][1]]
    if all(kind.standing is not Standing.OUTSIDE for kind in kinds):  # else the proof fails, which nobody takes for one
        free = min(STRICTNESS[gate_table()[kind.standing, policy.level]] for kind in kinds)
        assert free <= STRICTNESS[word_of(found)], world


FREE = [Standing.DENIED, Standing.OUTSIDE, Standing.ASK, Standing.IRREVERSIBLE, Standing.REVERSIBLE, Standing.UNCHANGED]


def no_kind_means_less_than_the_rules_permit(kinds, world):
    """Else a skill would be refuted for nothing: the meaning of a manifest is said a second time, and never more strictly."""
    for kind in kinds:
        refused = kind.standing in (Standing.DENIED, Standing.OUTSIDE)
        assert refused or FREE.index(kind.standing) <= FREE.index(kind.meant), (kind, world)
        assert kind.change is not Change.REVERSIBLE or kind.undoable, (kind, world)


@pytest.fixture(scope="module", autouse=True)
def judged_once():
    """What the projector says of a manifest takes long, and is asked for twice in each world."""
    judged = session_kinds._judged
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_kinds, "_judged", lru_cache(1)(lambda manifest: tuple(judged(manifest))))
        yield


@worlds(300)
def test_the_kinds_of_a_manifest_are_what_is_decided(world):
    """Three properties of the same worlds."""
    request, manifest = world.request, world.policy.manifest
    effect = Effect(request.capability, request.scope, Location("run.py", 1), recorded(""))
    with_script, declared = alphabet(manifest, (effect,), ()), alphabet(manifest, (), ())
    no_kind_means_less_than_the_rules_permit(with_script.kinds, world)
    no_effect_of_a_script_is_freer_than_its_kind(world, with_script)
    no_envelope_is_freer_than_a_kind_that_stands_for_it(world, declared.kinds)


def test_a_program_in_a_folder_of_the_system_is_known_by_its_name():
    """Else an entry for `/bin/*` with an argument that is missing would refute what an entry for the name grants."""
    world = World(764896)
    for kind in alphabet(world.policy.manifest, (), ()).kinds:
        refused = kind.standing in (Standing.DENIED, Standing.OUTSIDE)
        assert refused or FREE.index(kind.standing) <= FREE.index(kind.meant), kind
