"""What an hour of sound costs, which leads for voice."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.present.money import with_range
from core.price.units import Unit, unit_costs


def sound_cost_text(answer: RunAnswer, price: Price | None, language: str = "en") -> str | None:
    """Return money per hour of sound at the safe number with its range, None where it cannot be told."""
    found = next((one for one in unit_costs(answer, price) if one.unit is Unit.AUDIO_HOUR), None)
    if found is None or found.amount is None or answer.cost is None:
        return None
    shown = with_range(found.amount, answer.cost.currency, language)
    return t("{cost} per hour of sound", cost=shown).render(language) if shown else None
