"""Where the shape of a demand over time comes from, and what of it is known."""

from __future__ import annotations

from core.fleet.days import day_presets
from core.fleet.demand_table import Counts
from core.i18n import Text, t
from core.model.demand_curve import DAY_POINTS, HOUR_S, Curve, CurveKind
from core.present.numbers import percent, plain, whole_time

COUNTS: dict[Counts, Text] = {
    Counts.REQUESTS: t("requests in the time of each row"),
    Counts.PER_HOUR: t("requests per hour"),
    Counts.PER_MINUTE: t("requests per minute"),
    Counts.PER_SECOND: t("requests per second"),
    Counts.USERS: t("active users"),
    Counts.IN_FLIGHT: t("concurrent requests"),
    Counts.EACH_ROW: t("one request in each row"),
}


def curve_notes(curve: Curve | None, language: str = "en") -> tuple[str, ...]:
    """Return what is said under the choice of a curve: its source or that it is ours, its mean, what is missing."""
    if curve is None:
        return (t("The mean is the peak: every idle hour of a real day makes a token dearer").render(language),)
    notes = [_source(curve), t("The mean is {share} of the peak", share=percent(curve.mean_share, language))]
    if curve.missing:
        notes.append(
            t(
                "{count} steps of {step} have no row: they are left out, and count as neither busy nor idle",
                count=curve.missing,
                step=whole_time(curve.step_s, language),
            )
        )
    if curve.inside is not None:
        notes.append(
            t(
                "Inside its steps the highest rate is {factor} times the highest mean",
                factor=plain(curve.inside, language),
            )
        )
    return tuple(note.render(language) for note in notes)


def curve_name(curve: Curve) -> Text | str:
    """Return what a curve is called: its preset or its file."""
    preset = next((each for each in day_presets() if each.id == curve.name), None)
    return preset.name if curve.kind is CurveKind.PRESET and preset else curve.name


def _source(curve: Curve) -> Text:
    if curve.kind is CurveKind.FILE:
        hours = curve.whole_s / HOUR_S
        long = (
            t("a day")
            if len(curve.points) == DAY_POINTS and curve.step_s == HOUR_S
            else t("{hours} hours", hours=f"{hours:g}")
        )
        return t("Read from {file}: {long}, columns {columns}", file=curve.name, long=long, columns=curve.said)
    preset = next((each for each in day_presets() if each.id == curve.name), None)
    if preset is None or preset.ours:
        return t("A shape of ours, with no source behind it: your own file says more")
    return t("{source} ({standing})", source=preset.source, standing=_STANDINGS.get(preset.standing, preset.standing))


_STANDINGS: dict[str, Text] = {
    "mean 226.75 and peak 278 as in the source, hours ours": t("mean and peak as published, the hours ours")
}
