"""A change before and after in words: the walk, what moved, and the verdict with what it rests on."""

from __future__ import annotations

import pandas as pd

from core.compare.conditions import Line, State
from core.compare.measures import Evidence, Judged, Measure
from core.compare.study import Finding, sources_of
from core.i18n import Text, joined, t
from core.model.answer import RunAnswer
from core.model.compared import Layer, Study
from core.model.metric import Metric
from core.model.run import Run
from core.present.causes import told_of
from core.present.compare_causes import value_text as condition_value
from core.present.compare_names import LAYERS
from core.present.compare_words import chance_text
from core.present.conditions import condition_name, condition_text
from core.present.names import kind_text, metric_name, target_text, value_text
from core.present.numbers import concurrency, exact_rate, percent, rate, span

JUDGED: dict[Judged, Text] = {
    Judged.BETTER: t("better"),
    Judged.WORSE: t("worse"),
    Judged.SAME: t("the same within noise"),
    Judged.MIXED: t("better in one, worse in another"),
    Judged.CANNOT_TELL: t("cannot tell"),
}

MEASURES: dict[Measure, Text] = {
    Measure.RTF: t("RTF"),
    Measure.TTFT: t("TTFT"),
    Measure.ITL: t("ITL"),
    Measure.TPOT: t("TPOT"),
    Measure.E2E: t("E2E"),
    Measure.QUEUE: t("Queue wait"),
    Measure.THROUGHPUT: t("Output tokens/s of the system for each accelerator (prefill and decode)"),
    Measure.HIT_RATE: t("Cache hit rate"),
    Measure.WORKER_LOAD: t("Load of the busiest worker over the mean"),
    Measure.KV_TRANSFER: t("Time to move the KV cache (seconds a request)"),
}


def verdict_text(found: Finding, language: str = "en") -> str:
    """Return the verdict, what nobody measured before it; "cannot tell" says what is missing."""
    said = _verdict(found, language).render(language)
    told = found.verdict is not Judged.CANNOT_TELL and found.layer is not None
    parts = (simulated_text(found, language), said, beside_text(found, language) if told and found.beside else None)
    return ". ".join(part for part in parts if part)


def simulated_text(found: Finding, language: str = "en") -> str | None:
    """Return which side nobody measured, None where both were."""
    match found.simulated:
        case ("before",):
            said = t("The run before is simulated: to be confirmed by a benchmark")
        case ("after",):
            said = t("The run after is simulated: to be confirmed by a benchmark")
        case ():
            return None
        case _:
            said = t("Both runs are simulated: to be confirmed by a benchmark")
    return said.render(language)


def beside_text(found: Finding, language: str = "en") -> str:
    """Return what else differs between the two runs, and that what moved may be of that."""
    names = ", ".join(_moved(line, language) for line in found.beside)
    if found.changed or found.layer is None:
        said = t("These differ beside it, so that part of it may be theirs: {names}", names=names)
    else:
        said = t(
            "No file says a change of {layer}, and they say one of this, so that it may be all of it: {names}",
            layer=LAYERS[found.layer],
            names=names,
        )
    return said.render(language)


def _moved(line: Line, language: str) -> str:
    """Return a condition with its values before and after."""
    unknown = t("unknown").render(language)
    values = (condition_value(line, place, language) or unknown for place in range(len(line.values)))
    return f"{condition_name(line.field, language)}: {' → '.join(values)}"


def _verdict(found: Finding, language: str) -> Text:
    layer = LAYERS[found.layer] if found.layer else t("not said")
    if found.layer is None:
        return t("Cannot tell: say what was changed")
    if found.unsaid:
        names = ", ".join(condition_name(field, language) for field in found.unsaid)
        return t(
            "Cannot tell: {names} is not known of both, so that the quality of the answers is unknown until it is "
            "said, or a quality result of both runs is typed",
            names=names,
        )
    if found.quality_untold:
        return t("Cannot tell: the quality of the answers is unknown until a quality result of both runs is typed")
    if found.disturbing:
        names = ", ".join(condition_name(line.field, language) for line in found.disturbing)
        return t("Cannot tell what {layer} did: these differ or are unknown too: {names}", layer=layer, names=names)
    if found.missing:
        unknown = joined([MEASURES[measure] for measure in found.missing])
        return t("Cannot tell: {names} is not known of both, and they are judged together", names=unknown)
    if found.verdict is Judged.CANNOT_TELL:
        chance = chance_text(found.chance)
        return t(
            "Cannot tell: more is carried after the change with {chance}, which is too few to say so", chance=chance
        )
    if found.layer in (Layer.ROUTING, Layer.DISAGGREGATION):
        return t("{layer}: {judged}, all measures together", layer=layer, judged=JUDGED[found.verdict])
    chance = chance_text(found.chance)
    if found.verdict is Judged.BETTER:
        return t("{layer}: more is carried within the targets after the change ({chance})", layer=layer, chance=chance)
    return t("{layer}: less is carried within the targets after the change", layer=layer)


_STEPS: dict[Measure, Text] = {
    Measure.HIT_RATE: t('type the cache hit rate on the Data page, field "Cache hit rate"'),
    Measure.WORKER_LOAD: t("type the requests of each worker below"),
    Measure.KV_TRANSFER: t("type the time to move the KV cache below, 0 where it is not moved"),
    Measure.TTFT: t("measure TTFT of both at one load"),
    Measure.ITL: t("measure ITL or TPOT of both at one load"),
    Measure.THROUGHPUT: t("measure output tokens/s of both at one load, and say how many accelerators there are"),
}
"""What makes a measure known, as clauses."""


def step_text(found: Finding, language: str = "en") -> str | None:
    """Return what to do so that a verdict can be said, None where one is or where the conditions are in the way."""
    if found.verdict is not Judged.CANNOT_TELL or found.quality_untold or found.disturbing or found.layer is None:
        return None
    steps = [_STEPS[measure] for measure in found.missing if measure in _STEPS]
    told = "; ".join(step.render(language) for step in steps)
    return t("To know: {steps}", steps=told).render(language) if told else None


def walk(found: Finding, language: str = "en") -> tuple[tuple[str, str], ...]:
    """Return the five steps, each with what is known of it: target, profile, layer changed, remeasured, verdict."""
    before, after = found.before, found.after
    targets = "; ".join(target_text(each.target, language) for each in before.per_target)
    changed = ", ".join(condition_name(line.field, language) for line in found.changed)
    layer = LAYERS[found.layer].render(language) if found.layer else t("not said").render(language)
    if found.rate is not None:
        measured = t("Both sent {rate} requests per second", rate=exact_rate(found.rate, language))
    elif found.load is None:
        measured = t("The runs share no level: measure both at one load, or send both the same requests per second")
    else:
        measured = t("Both at {load} concurrent requests", load=concurrency(found.load, language, decimals=1))
    carried = t(
        "Safe number {before} before, {after} after", before=_safe(before, language), after=_safe(after, language)
    )
    open_ = simulated_text(found, language)
    remeasured = f"{measured.render(language)}. {carried.render(language)}"
    if open_:
        # A simulation is no measurement: the step is still to be done.
        remeasured = t("Open: not measured yet. {simulated}. {levels}", simulated=open_, levels=remeasured).render(
            language
        )
    return (
        (t("Target").render(language), targets),
        (t("Profile").render(language), _profile(before, language)),
        (t("Layer changed").render(language), f"{layer}: {changed}" if changed else layer),
        (t("Remeasured").render(language), remeasured),
        (t("Verdict on the target").render(language), verdict_text(found, language)),
    )


def _profile(answer: RunAnswer, language: str) -> str:
    told = told_of(answer, language)
    parts = [told.sentence] if told else []
    if answer.run.gpu_busy is not None:
        busy = percent(answer.run.gpu_busy, language)
        parts.append(t("The accelerator computes {share} of the time (profile).", share=busy).render(language))
    return " ".join(parts) or t("unknown: give a profile or more levels").render(language)


def _safe(answer: RunAnswer, language: str) -> str:
    safe = answer.capacity.safe
    return t("unknown").render(language) if safe is None else concurrency(safe, language)


def origin_table(found: Finding, study: Study, language: str = "en") -> pd.DataFrame:
    """Return day, measuring point and source of both runs; what nobody said is "unknown"."""
    unknown = t("unknown").render(language)
    rows = []
    for name, answer in ((t("Before"), found.before), (t("After"), found.after)):
        known = answer.run.conditions
        point = [condition_text(known, field, language) for field in ("measured_at", "ttft_scope")]
        rows.append(
            {
                t("Run").render(language): f"{name.render(language)}: {answer.run.label}",
                t("Kind").render(language): kind_text(answer.run.kind, language),
                t("Day of measuring").render(language): day_of(answer.run, study) or unknown,
                t("Measuring point").render(language): "; ".join(each for each in point if each) or unknown,
                t("Source").render(language): ", ".join(sources_of(answer.run)) or unknown,
            }
        )
    return pd.DataFrame(rows, dtype="str")


def day_of(run: Run, study: Study) -> str | None:
    """Return the day on which a run was measured: as a person said it, else as its files do."""
    return study.date(run.id) or run.measured_on


def evidence_table(found: Finding, language: str = "en") -> pd.DataFrame:
    """Return each measure before and after, the change with its range, and which way it went."""
    before = t("Before (simulated)") if "before" in found.simulated else t("Before")
    after = t("After (simulated)") if "after" in found.simulated else t("After")
    rows = [
        {
            t("Measure").render(language): _name(each, language),
            before.render(language): _shown(each, each.before, language),
            after.render(language): _shown(each, each.after, language),
            t("After over before (90% range)").render(language): _change(each, language),
            t("Verdict").render(language): _judged(each, language),
        }
        for each in found.evidence
    ]
    return pd.DataFrame(rows, dtype="str")


def changed_text(found: Finding, language: str = "en") -> str | None:
    """Return the conditions that the change is about and that differ, None where none do."""
    if not found.changed:
        return None
    names = [_moved(line, language) for line in found.changed]
    return t("Different by the change itself: {names}", names="; ".join(names)).render(language)


def disturbing_text(found: Finding, language: str = "en") -> str | None:
    """Return what differs or is unknown beside the change, None where nothing does."""
    if not found.disturbing:
        return None
    parts = []
    for state, name in ((State.DIFFERENT, t("different")), (State.UNKNOWN, t("unknown"))):
        fields = [condition_name(line.field, language) for line in found.disturbing if line.state is state]
        if fields:
            parts.append(f"{name.render(language)}: {', '.join(fields)}")
    return "; ".join(parts)


def _name(each: Evidence, language: str) -> str:
    if each.metric is not None and each.statistic:
        name = metric_name(each.metric, each.statistic, language)
        if each.stands_in:
            return t("{name}, in place of ITL, which the files do not share", name=name).render(language)
        return name
    return MEASURES[each.measure].render(language)


def _shown(each: Evidence, value: float | None, language: str) -> str:
    if value is None:
        return t("unknown").render(language)
    if each.metric is not None:
        return value_text(each.metric, value, language)
    if each.measure is Measure.HIT_RATE:
        return percent(value, language)
    if each.measure is Measure.KV_TRANSFER:
        return value_text(Metric.TTFT, value, language) if value else t("none: not moved").render(language)
    return rate(value, "", language)


def _change(each: Evidence, language: str) -> str:
    found = each.change
    if each.before == 0.0 and each.after is not None:
        return t("none before").render(language)
    if found is None or found.mid is None or found.low is None or found.high is None:
        return t("unknown").render(language)

    def show(value: float) -> str:
        return rate(value, "", language)

    if each.measure in (Measure.HIT_RATE, Measure.WORKER_LOAD, Measure.KV_TRANSFER):
        return f"{show(found.mid)}×"
    return f"{show(found.mid)}× ({span(found.low, found.high, show)})"


def _judged(each: Evidence, language: str) -> str:
    if each.measure is Measure.KV_TRANSFER and each.judged is not Judged.CANNOT_TELL:
        return t("in the latencies already").render(language)
    return JUDGED[each.judged].render(language)
