"""Requests of scripts that are calls of a hosted service's API."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from draft_values import seen

from each_row import each_row
from remit.core.effect import Effect
from remit.core.location import Location
from remit.core.scope.forms import HostScope, NameScope
from remit.core.via import Cause, Via, recorded
from remit.manifest.draft.effect_clues import effect_clues
from remit.manifest.draft.skill_type import SkillType
from remit.skill.prose.services import is_service

if TYPE_CHECKING:
    from remit.manifest.draft.locations import Locations

PLACES = cast("Locations", SimpleNamespace(kind=lambda _: "script", evidence=seen))


def found(*effects: Effect) -> set[str]:
    return {clue.capability for clue in effect_clues(effects, PLACES, SkillType())}


def request(host: str, capability: str = "web.fetch", file: str = "a.py") -> Effect:
    return Effect(capability, HostScope(host, 443), Location(file, 1), recorded("a request"))


def key(name: str, file: str = "a.py") -> Effect:
    return Effect("secret.read", NameScope(f"env:{name}"), Location(file, 2), recorded("reads"))


@each_row(
    "host", ["api.weather.com:443", "graph.microsoft.com", "maps.googleapis.com", "x.api.maps.io", "eu-api.maps.io"]
)
def test_hosts_that_are_the_api_of_a_service(host: str) -> None:
    assert is_service(host)


@each_row(
    "host", ["localhost:8000", "127.0.0.1", "api.localhost", "docs.python.org", "any", "api.example.com", "apiary.io"]
)
def test_hosts_that_are_not(host: str) -> None:
    assert not is_service(host)


def test_a_request_to_such_a_host_is_a_call() -> None:
    assert found(request("api.weather.com")) == {"web.fetch", "api.call"}
    assert found(request("api.weather.com", "web.post")) == {"web.post", "api.call"}
    assert found(request("weather.com")) == {"web.fetch"}


def test_a_request_of_a_program_that_holds_a_key_is_a_call() -> None:
    assert found(request("weather.com"), key("WEATHER_API_KEY")) == {"web.fetch", "api.call", "secret.read"}
    assert "api.call" not in found(request("weather.com"), key("WEATHER_API_KEY", "b.py"))
    assert "api.call" not in found(request("localhost"), key("WEATHER_API_KEY"))


def test_a_repository_is_fetched_over_ssh_as_well() -> None:
    where = Location("a.sh", 1)
    assert "web.fetch" in found(
        Effect("net.connect", HostScope("birds.org", 22), where, Via(Cause.COMMAND, "git clone"))
    )
    assert "web.fetch" not in found(Effect("net.connect", HostScope("birds.org", 22), where, Via(Cause.COMMAND, "ssh")))
