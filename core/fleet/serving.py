"""Which run serves which kinds of a mix, and the traffic that it then sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.fleet.served import Served
from core.model.answer import RunAnswer
from core.model.traffic import Traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one run serves.

    Attributes:
        run_id: of the run. share: of all requests. kinds: positions of the traffic's profiles.
        traffic: of these requests alone, None where nothing was said of them.
    """

    run_id: str
    share: float
    kinds: tuple[int, ...]
    traffic: Traffic | None


def parts_of(
    traffic: Traffic | None, served_by: Sequence[str], run_ids: Sequence[str], otherwise: str
) -> tuple[Part, ...]:
    """Return what each run serves, in the order of the kinds.

    Args:
        traffic: with a share for each kind; of one kind there is nothing to divide.
        served_by: run id by position of the kind; a kind that it does not name goes to `otherwise`.
        run_ids: runs that there are: one that is gone serves nothing.
        otherwise: the run that serves what nobody else does.
    """
    profiles = traffic.profiles if traffic else ()
    if traffic is None or len(profiles) < 2 or not served_by:
        return (Part(run_id=otherwise, share=1.0, kinds=tuple(range(len(profiles))), traffic=traffic),)
    known = set(run_ids)
    names = [
        served_by[at] if at < len(served_by) and served_by[at] in known else otherwise for at in range(len(profiles))
    ]
    whole = sum(profile.share or 1.0 for profile in profiles)
    found = []
    for name in dict.fromkeys(names):
        kinds = tuple(at for at, each in enumerate(names) if each == name)
        share = sum(profiles[at].share or 1.0 for at in kinds) / whole
        found.append(Part(run_id=name, share=share, kinds=kinds, traffic=_of(traffic, kinds, share)))
    return tuple(found)


def serve(parts: Sequence[Part], answer_for: Callable[[Part], RunAnswer]) -> tuple[Served, ...]:
    """Return the runs with their answers for what they serve."""
    return tuple(Served(answer=answer_for(part), share=part.share, kinds=part.kinds) for part in parts)


def _of(traffic: Traffic, kinds: Sequence[int], share: float) -> Traffic:
    profiles = tuple(traffic.profiles[at] for at in kinds)
    if len(profiles) == 1:
        profiles = (replace(profiles[0], share=None),)
    users = None if traffic.users is None else traffic.users * share
    return replace(traffic, profiles=profiles, users=users)
