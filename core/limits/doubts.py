"""Where what was said of a deployment contradicts itself, the model or the run that it is said of."""

from __future__ import annotations

from core.limits import gaps
from core.limits.line import other_family
from core.limits.setup import Setup


def doubts_of(setup: Setup) -> tuple[str, ...]:
    """Return what is to be minded, as codes of `core.limits.gaps`."""
    model, found = setup.architecture, []
    if of_another_model(setup):
        found.append(gaps.OTHER_MODEL)
    if setup.longest is not None and model.longest is not None and setup.longest > model.longest:
        found.append(gaps.BEYOND_MODEL)
    if beyond_longest(setup):
        found.append(gaps.BEYOND_LONGEST)
    if any(layer.heads % setup.ranks.tp for layer in model.kinds):
        found.append(gaps.UNEVEN_HEADS)
    return tuple(found)


def of_another_model(setup: Setup) -> bool:
    """Return True where the run names a model of another family than the file: nothing here bounds what it measured."""
    return setup.model is not None and other_family(setup.model, setup.architecture.kind)


def is_vouched(setup: Setup) -> bool:
    """Return True where the file may doubt or bound a measurement: it is of the run's family and of a class known."""
    return not of_another_model(setup) and gaps.UNVERIFIED not in setup.architecture.unknown


def beyond_longest(setup: Setup) -> bool:
    """Return True where requests are longer on average than the longest one may be."""
    if setup.longest is None or setup.input_tokens is None or setup.output_tokens is None:
        return False
    return setup.input_tokens + setup.output_tokens > setup.longest
