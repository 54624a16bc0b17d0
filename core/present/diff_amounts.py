"""By how much one number of an answer moved, and whether that is more than its doubt, in the words of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.answer_diff import MONEY, VALUES, beyond_doubt, unit_of
from core.i18n import Text, t
from core.model.answer import Interval, RunAnswer
from core.model.change import AnswerChange, Part, Word
from core.present.batch import duration
from core.present.money import shower
from core.present.numbers import concurrency, percent, rate

WORDS: dict[Word, Text] = {
    Word.SAME: t("the same"),
    Word.WITHIN: t("within the doubt"),
    Word.CHANGED: t("changed"),
    Word.UNTOLD: t("cannot tell whether it changed"),
    Word.ADDED: t("new"),
    Word.REMOVED: t("gone"),
}

BEYOND = t("beyond the doubt")
ASKED = t("asked otherwise")

DIFFERENCE_HELP = t(
    "How far the estimate moved, and what that says. Within the doubt: each lies within the other's range, so that "
    "the difference may be chance. Cannot tell: the two ranges meet. Beyond the doubt: the two ranges do not meet. "
    "Asked otherwise: the measurements are the same, so that the difference is no chance"
)


class _Sides(NamedTuple):
    """One number on both sides, as it counts and as it is written."""

    old: float
    new: float
    show: Callable[[float], str]


def difference_text(each: AnswerChange, part: Part, language: str = "en", *, asked_otherwise: bool = False) -> str:
    """Return one part's cell, such as "47 → 50: 3 more (+6.38%), within the doubt"."""
    word = each.words[part]
    judged = BEYOND if beyond_doubt(part, each.before, each.after) else WORDS[word]
    moved = word in (Word.WITHIN, Word.UNTOLD, Word.CHANGED)
    said = (ASKED if asked_otherwise and moved else judged).render(language)
    if word in (Word.SAME, Word.ADDED, Word.REMOVED) or each.before is None or each.after is None:
        return said
    sides = _sides(part, each.before, each.after, language)
    if sides is None:
        return said
    old, new = sides.show(sides.old), sides.show(sides.new)
    if old == new:
        return said
    step = _step(part, sides, language)
    return t("{old} → {new}: {step}, {said}", old=old, new=new, step=step, said=said).render(language)


def _step(part: Part, sides: _Sides, language: str) -> str:
    """Return how far it moved, in its unit and as a share of what it was."""
    more = sides.new > sides.old
    amount = sides.show(abs(sides.new - sides.old))
    said = t("{amount} more", amount=amount) if more else t("{amount} less", amount=amount)
    if part is Part.JOB_TIME:
        said = t("{amount} longer", amount=amount) if more else t("{amount} shorter", amount=amount)
    elif part in (Part.SAFE, Part.ESTIMATE, Part.TRAFFIC_SAFE, Part.TRAFFIC_ESTIMATE) and not more:
        said = t("{amount} fewer", amount=amount)
    share = abs(sides.new / sides.old - 1) if sides.old else None
    told = said.render(language)
    return told if share is None else f"{told} ({'+' if more else '−'}{percent(share, language)})"


def _sides(part: Part, before: RunAnswer, after: RunAnswer, language: str) -> _Sides | None:
    """Return a part's numbers; None where it is none, or counted in two units."""
    old, new = (_number(VALUES[part](answer)) if part in VALUES else None for answer in (before, after))
    if old is None or new is None:
        return None
    unit = unit_of(part, before)
    if unit is None or unit != unit_of(part, after):
        return None
    if part in MONEY:
        return _Sides(old, new, shower(Interval(low=old, mid=new, high=None), unit, language))
    if part is Part.JOB_TIME:
        return _Sides(old, new, lambda seconds: duration(seconds, language, like=max(old, new)))
    if part is Part.RATE:
        return _Sides(old, new, lambda value: rate(value, "", language))
    # Counts are told whole: what is written has to add up.
    return _Sides(round(old), round(new), lambda count: concurrency(count, language))


def _number(found: object) -> float | None:
    if isinstance(found, Interval):
        return found.mid
    return float(found) if isinstance(found, int) else None
