"""Pages of Remit's own models: properties, results of checks, and the counterexample of each mutant.

A check changes functions of the process that runs it, so it runs in a process of its own (`work`), never in the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import RedirectResponse, Response

from remit.models.explore.gates import read_expected
from remit.models.explore.registry import MODELS
from remit.web.console.page import Form, WrongPageError
from remit.web.console.pages.waiting import answered
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, link

if TYPE_CHECKING:
    from starlette.requests import Request


DRAWN = 120  # models up to this number of states are drawn
_LIST, _ALL = "models", "models checked"


async def show(request: Request) -> Response:
    """Return the list of models."""
    listed = _listed(request)
    if listed is None:
        return page(request, "models_waiting.html")
    expected = read_expected()
    rows = [(one, *expected.models.get(name, (0, 0)), _found(request, name)) for name, one in listed.items()]
    return page(request, "models.html", rows=rows, running=_running(request, _ALL), wrong=_wrong(request, _ALL))


async def check(request: Request, _: Form) -> Response:
    """Start a check of all models."""
    console = console_of(request)
    console.jobs.begin(_ALL, lambda: console.work.check_models(()))
    return RedirectResponse(link(request, "/models"), 303)


async def show_one(request: Request) -> Response:
    """Return the page of one model."""
    name = _name(request)
    listed = _listed(request)
    if listed is None:
        return page(request, "models_waiting.html")
    expected = read_expected()
    states, transitions = expected.models.get(name, (0, 0))
    found = _found(request, name)
    stories = {one["name"]: one["story"] for one in found.get("mutants", ())} if found else {}
    mutants = [
        (one, expected.mutants.get((name, one["name"]), 0), stories.get(one["name"])) for one in listed[name]["mutants"]
    ]
    return page(
        request, "model.html", title=name, model=listed[name], states=states, transitions=transitions, found=found, mutants=mutants,
        drawn=0 < states <= DRAWN, chosen=request.query_params.get("mutant", ""), running=_running(request, _key(name)), wrong=_wrong(request, _key(name)),
    )  # fmt: skip


async def check_one(request: Request, _: Form) -> Response:
    """Start a check of one model."""
    name, console = _name(request), console_of(request)
    console.jobs.begin(_key(name), lambda: console.work.check_models((name,)))
    return RedirectResponse(link(request, f"/models/{name}"), 303)


async def graph(request: Request) -> Response:
    """Return a drawing: all states of a small model, or a mutant's counterexample."""
    name, mutant = _name(request), request.query_params.get("mutant", "")
    if mutant and (name, mutant) not in read_expected().mutants:
        raise WrongPageError(404, f"there is no mutant `{mutant}` of `{name}`", "choose one of the list")
    if not mutant and read_expected().models.get(name, (DRAWN + 1, 0))[0] > DRAWN:
        raise WrongPageError(404, "the model has more states than anybody could read", "look at the story of a mutant")
    picture = await console_of(request).work.draw_model(name, mutant)
    return Response(picture, media_type="image/svg+xml")


def _name(request: Request) -> str:
    name: str = request.path_params["name"]
    if name not in MODELS:
        raise WrongPageError(404, f"`{name}` is not a model", "choose one of the list")
    return name


def _key(name: str) -> str:
    return f"model {name}"


def _listed(request: Request) -> Mapping[str, dict[str, Any]] | None:
    """Return the models by name; None while they are listed."""
    found = answered(request, _LIST, console_of(request).work.list_models)
    return None if found is None else {one["name"]: one for one in found["models"]}


def _found(request: Request, name: str) -> dict[str, Any] | None:
    """Return the last result for a model since the console was started, from a check of it or of all."""
    jobs = console_of(request).jobs
    for key in (_key(name), _ALL):
        done = jobs.answer(key)
        for one in done.value["models"] if done and done.value else ():
            if one["name"] == name:
                found: dict[str, Any] = one
                return found
    return None


def _running(request: Request, key: str) -> str:
    """Return the key of a running job, or an empty string."""
    jobs = console_of(request).jobs
    return key if jobs.known(key) and jobs.answer(key) is None else ""


def _wrong(request: Request, key: str) -> str:
    """Return why a check failed, or an empty string."""
    done = console_of(request).jobs.answer(key)
    return (
        f"the check failed: {getattr(done.error, 'message', type(done.error).__name__)}" if done and done.error else ""
    )
