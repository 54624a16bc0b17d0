"""Electricity per token in words: from which power, with which range, and how it was worked out."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import LoadPoint
from core.model.price import Price
from core.model.run import Run
from core.present.how import How
from core.present.numbers import plain, span
from core.price.energy import Energy, PowerBasis, energies

NAMES: dict[PowerBasis, Text] = {
    PowerBasis.GIVEN: t("Electricity of a million output tokens, at the power you gave"),
    PowerBasis.OWNED: t("Electricity of a million output tokens, at the power of what is bought"),
    PowerBasis.ALL_IN: t("Electricity of a million output tokens, all-in (modelled)"),
    PowerBasis.CHIP: t("Electricity of a million output tokens, chips alone (TDP)"),
}

NOTES: dict[PowerBasis, Text] = {
    PowerBasis.GIVEN: t("Every accelerator is taken to draw this power all the time"),
    PowerBasis.OWNED: t(
        "The power of the machines times the PUE, as in their bill; every accelerator is taken to draw it all the time"
    ),
    PowerBasis.ALL_IN: t(
        "Modelled, with its share of host, network and cooling; 1.5 to 2.5 times the design power of the chip"
    ),
    PowerBasis.CHIP: t(
        "The design power of the chip alone, without host, network and cooling. Measured chips often draw less: an "
        "H100 serving gpt-oss drew 171 to 397 W of 700"
    ),
}


def energy_hows(point: LoadPoint | None, run: Run, price: Price | None, language: str = "en") -> tuple[How, ...]:
    """Return electricity per million output tokens, one number for each power that is known; none where none is."""
    return tuple(_how(found, point, language) for found in energies(point, run, price))


def _how(found: Energy, point: LoadPoint | None, language: str) -> How:
    power = found.power
    tokens = point.output_tok_s if point else None
    source = NOTES[power.basis].render(language)
    if power.figure:
        source += f" ({power.figure.source}, {power.figure.as_of})"
    amount = found.kwh_per_million_output
    each = plain((amount.mid or 0.0) * 3.6, language)
    return How(
        name=NAMES[power.basis].render(language),
        formula=t("accelerators × kW × 10⁶ ÷ (3,600 × output tokens/s)").render(language),
        values=(
            (t("accelerators").render(language), plain(found.accelerators, language, digits=9)),
            (t("power of one").render(language), f"{plain(power.kw, language)} kW"),
            (t("output tokens/s").render(language), plain(tokens.mid, language) if tokens and tokens.mid else "?"),
            (t("per output token").render(language), f"{each} J"),
        ),
        result=_kwh(found, language),
        source=source,
    )


def _kwh(found: Energy, language: str) -> str:
    amount = found.kwh_per_million_output
    middle = f"{plain(amount.mid or 0.0, language)} kWh"
    if amount.low is None or amount.high is None:
        return middle
    return f"{middle} ({span(amount.low, amount.high, lambda x: plain(x, language))})"
