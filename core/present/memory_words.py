"""What memory allows, in sentences: the number first, then what it rests on, then what is unknown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from babel.numbers import format_decimal

from core.i18n import Text, t
from core.limits import gaps
from core.limits.compared import Compared, Of
from core.limits.doubts import is_vouched
from core.limits.engines import Meaning, Span
from core.limits.floors import Floor
from core.limits.memory import Memory
from core.limits.setup import DECODE, TENSOR, Setup
from core.limits.told import Limits, Reached
from core.model.answer import RunAnswer, Status
from core.model.metric import Metric
from core.model.target import Target
from core.present.names import target_text
from core.present.numbers import concurrency, percent, plain, seconds, span

GAPS: Mapping[str, Text] = {
    gaps.ARCHITECTURE: t(
        "Unknown: how this class of models keeps its cache. Neither weights nor cache are told; "
        "the log of the engine tells both"
    ),
    gaps.LAYERS: t("Unknown: how some of its layers look back. Paste the log of the engine"),
    gaps.WINDOW: t("Unknown: which layers have the window that the file names. Paste the log of the engine"),
    gaps.STATE: t("Unknown: how large the fixed state of some layers is. Paste the log of the engine"),
    gaps.STORAGE: t("Unknown: how many bits a weight takes. Choose the type of the weights"),
    gaps.WEIGHTS: t("Unknown: how many parameters some layers have. Paste the log of the engine"),
    gaps.BESIDE_TEXT: t("Unknown: the weights of the part for pictures or sound. They come on top"),
    gaps.CLASS_DEFAULTS: t("The file is silent on some sizes: those of the model's class are taken"),
    gaps.ACCELERATOR: t("Unknown: the accelerator. Choose one"),
    gaps.ENGINE: t("Unknown: what the engine takes. The range holds every engine known here; choose yours"),
    gaps.LONGEST: t("Unknown: the longest request. Give its tokens"),
    gaps.LENGTHS: t("Unknown: how long requests are on average. Give their tokens"),
    gaps.WINDOWS: t("Unknown: whether the engine frees what a window has left behind. The range holds both"),
    gaps.OTHER_MODEL: t(
        "The run names a model of another family than the file: what is reckoned here is of the file's model and "
        "stands beside no measurement. Drop the config.json of the run's model"
    ),
    gaps.UNVERIFIED: t(
        "The file names a class of models that is not known here: it is reckoned as the type that the file names, "
        "which is not verified, and stands beside no measurement. The log of the engine tells what it really takes"
    ),
    gaps.BEYOND_MODEL: t("The longest request is longer than this model is made for: engines refuse that"),
    gaps.BEYOND_LONGEST: t(
        "Requests are longer on average than the longest one may be: how many fit on average is not told"
    ),
    gaps.UNEVEN_HEADS: t("The heads of this model do not divide by the tensor parallel ranks: engines refuse that"),
    gaps.PAGES: t("Engines pad the cache beside fixed states, each version otherwise: the log may say less"),
}
"""By code; each says what to do where something can be done."""

_UNVOUCHED = (gaps.OTHER_MODEL, gaps.UNVERIFIED)

COMPARED: Mapping[Of, Text] = {
    Of.WEIGHTS: t("Weights on one accelerator, GiB"),
    Of.CACHE: t("Left for the cache, GiB"),
    Of.EACH: t("Bytes of a token on one accelerator"),
    Of.TOKENS: t("Tokens in the cache"),
    Of.TIMES: t("Requests of the log's length at once"),
}

MEANINGS: Mapping[Meaning, Text] = {
    Meaning.OF_ALL: t("of all memory: weights, working memory and cache lie inside"),
    Meaning.WEIGHTS_AND_CACHE: t("of all memory, for weights and cache: working memory lies outside"),
    Meaning.OF_FREE: t("of what is free once the weights are there"),
    Meaning.UNKNOWN: t("each engine means something else by it"),
}


def lead(memory: Memory, language: str = "en") -> str:
    """Return the one sentence that a manager takes along."""
    if memory.fits is False:
        return t("The weights leave no memory for requests: it does not fit").render(language)
    if memory.setup.accelerator is None:
        return t("Choose the accelerator to see what its memory allows").render(language)
    if memory.fullest is None or memory.token_bytes is None:
        return t("Cannot tell what memory allows: what is unknown stands below").render(language)
    if memory.fits is None:
        return t("Cannot tell whether it fits: that lies within the doubt").render(language)
    if memory.holds_one is False:
        return t(
            "Memory holds no request of {tokens} tokens", tokens=concurrency(memory.setup.longest or 0.0, language)
        ).render(language)
    if memory.steady is not None:
        many = whole(memory.steady, language)
        return t("Memory holds {many} requests at once, at their mean lengths", many=many).render(language)
    if memory.worst is not None:
        return t(
            "Memory holds {many} requests at once, of {tokens} tokens each",
            many=whole(memory.worst, language),
            tokens=concurrency(memory.setup.longest or 0.0, language),
        ).render(language)
    return t("Memory has room for a cache; how many requests that is depends on their lengths").render(language)


def unvouched(memory: Memory, language: str = "en") -> tuple[str, ...]:
    """Return why what is reckoned here stands beside no measurement, empty where it may."""
    return gap_texts([code for code in memory.unknown if code in _UNVOUCHED], language)


def others(memory: Memory, language: str = "en") -> tuple[str, ...]:
    """Return what else is unknown or was taken to be so."""
    unknown = [code for code in memory.unknown if code not in _UNVOUCHED]
    return *_cut(memory.setup, language), *gap_texts(unknown, language)


def _cut(setup: Setup, language: str) -> tuple[str, ...]:
    """Return how many ranks the model is taken to be cut over, where nobody says it."""
    ranks = setup.ranks.tp
    if DECODE in setup.assumed:
        said = t(
            "Nobody says how the model is cut: all {ranks} accelerators for decode are taken to hold it together "
            "(TP {ranks}), and those for prefill a copy of their own",
            ranks=ranks,
        )
    elif TENSOR in setup.assumed:
        said = t(
            "Nobody says how the model is cut: all {ranks} accelerators of one replica are taken to hold it together "
            "(TP {ranks})",
            ranks=ranks,
        )
    else:
        return ()
    return (said.render(language),)


def beside(memory: Memory, answer: RunAnswer | None, language: str = "en") -> str | None:
    """Return how that stands to the measured safe number, None where there is none or nothing to set beside it."""
    if not is_vouched(memory.setup):
        return None
    safe = answer.capacity.safe if answer and answer.capacity.status in (Status.WITHIN, Status.AT_LEAST) else None
    held = memory.steady
    if safe is None or held is None or not memory.fits:
        return None
    shown = concurrency(safe, language)
    if held.low >= safe:
        return t("The targets stop it earlier: {safe} are safe", safe=shown).render(language)
    if held.high < safe:
        return t(
            "Fewer than the {safe} that were measured as safe: some wait or are computed twice, or something given "
            "here differs from what was measured",
            safe=shown,
        ).render(language)
    return t(
        "The {safe} that are safe lie within that range: cannot tell whether memory stops it first. "
        "The log of the engine narrows it",
        safe=shown,
    ).render(language)


def whole(found: Span, language: str = "en") -> str:
    """Return whole requests, both ends rounded down: half of one is not held.

    >>> whole(Span(low=1.9, high=12.7)), whole(Span(low=0.2, high=0.4))
    ('1–12', '0')
    """
    return span(float(int(found.low)), float(int(found.high)), lambda value: concurrency(value, language))


def gib(found: Span, language: str = "en") -> str:
    """Return a figure with its doubt, both ends with the decimals that three digits of the larger one have.

    >>> gib(Span(low=33.1612, high=34.508)), gib(Span(low=28.195, high=28.205)), gib(Span(low=43.0, high=44.8))
    ('33.2–34.5', '28.2', '43.0–44.8')
    >>> gib(Span(low=-55.2, high=-38.7)), gib(Span(low=0.0, high=9.38))
    ('-55.2 to -38.7', '0.00–9.38')
    """
    largest = max(abs(found.low), abs(found.high))
    decimals = max(0, 2 - math.floor(math.log10(largest))) if largest > 0.0 else 0

    def show(value: float) -> str:
        return format_decimal(
            round(value, decimals), f"#,##0.{'0' * decimals}" if decimals else "#,##0", locale=language
        )

    if found.low < 0.0:
        return t("{low} to {high}", low=show(found.low), high=show(found.high)).render(language)
    return span(found.low, found.high, show)


def gap_texts(codes: Iterable[str], language: str = "en") -> tuple[str, ...]:
    """Return what is unknown, in words."""
    return tuple(GAPS[code].render(language) for code in codes if code in GAPS)


def copies_text(memory: Memory, language: str = "en") -> str | None:
    """Return that ranks hold the same keys, None where each has its own."""
    if memory.copies <= 1.0:
        return None
    ranks = memory.setup.ranks.tp
    if any(layer.latent for layer in memory.setup.architecture.kinds):
        return t(
            "Each of {ranks} tensor parallel ranks holds the whole cache: more of them hold no more tokens. "
            "Data parallel ranks do",
            ranks=ranks,
        ).render(language)
    if all(layer.kv_heads >= ranks or not layer.kv_heads for layer in memory.setup.architecture.kinds):
        return t(
            "The heads of keys do not divide by {ranks} tensor parallel ranks: the fullest one holds {times} times its "
            "share",
            ranks=ranks,
            times=plain(memory.copies, language),
        ).render(language)
    return t(
        "Fewer heads of keys than the {ranks} tensor parallel ranks: each is held {times} times, and more ranks hold "
        "no more tokens",
        ranks=ranks,
        times=plain(memory.copies, language),
    ).render(language)


def floor_rows(limits: Limits, language: str = "en") -> tuple[tuple[str, str, str, str], ...]:
    """Return, for each floor, what it is of, the bound, what to expect, and how it is reckoned."""
    rows = []
    if limits.alone is not None:
        rows.append((t("Time between tokens, one request").render(language), limits.alone, _bandwidth))
    if limits.together is not None and limits.batch is not None:
        name = t("Time between tokens, {count} at once", count=concurrency(limits.batch, language))
        rows.append((name.render(language), limits.together, _bandwidth))
    if limits.first is not None and limits.tokens is not None:
        name = t("First token of a question of {tokens} tokens", tokens=concurrency(limits.tokens, language))
        rows.append((name.render(language), limits.first, _arithmetic))
    return tuple(
        (name, seconds(floor.seconds, language), times(floor, language), how(floor).render(language))
        for name, floor, how in rows
    )


def times(floor: Floor, language: str = "en") -> str:
    """Return what is to be expected of a floor."""
    return span(floor.expected.low, floor.expected.high, lambda value: seconds(value, language))


def _bandwidth(floor: Floor) -> Text:
    return t(
        "{work} GB read at each step ÷ {rate} TB/s; expected at {low} to {high} of that rate",
        work=plain(floor.work / 1e9),
        rate=plain(floor.rate / 1e12),
        low=percent(floor.share.low),
        high=percent(floor.share.high),
    )


def _arithmetic(floor: Floor) -> Text:
    return t(
        "{work} trillion operations ÷ {rate} trillion a second; expected at {low} to {high} of that rate",
        work=plain(floor.work / 1e12),
        rate=plain(floor.rate / 1e12),
        low=percent(floor.share.low),
        high=percent(floor.share.high),
    )


def reached_texts(found: Iterable[Reached], language: str = "en") -> tuple[str, ...]:
    """Return what the measurements reach of the peak, beside what is to be expected."""
    peaks = {Metric.TPOT: t("bandwidth"), Metric.TTFT: t("arithmetic")}
    return tuple(
        t(
            "Measured at load {load}: {metric} {seconds} on average, {share} of the peak {what}; "
            "{low} to {high} are to be expected",
            load=plain(each.load, language),
            metric=each.metric.value.upper(),
            seconds=seconds(each.seconds, language),
            share=percent(each.share, language),
            what=peaks[each.metric].render(language),
            low=percent(each.floor.share.low, language),
            high=percent(each.floor.share.high, language),
        ).render(language)
        for each in found
    )


def parting_text(found: Iterable[Compared], language: str = "en") -> str | None:
    """Return which figures of the log part from ours and what to check, None where all agree."""
    parted = [COMPARED[each.of].render(language) for each in found if not each.agrees]
    if not parted:
        return None
    return t(
        "The log says otherwise: {figures}. Check that model, types, ranks and the engine's share are those of the log",
        figures=", ".join(parted),
    ).render(language)


def impossible(limits: Limits, targets: Iterable[Target], language: str = "en") -> tuple[str, ...]:
    """Return each target that no load meets: its limit lies below the floor of a single request.

    None where the limits are of a file that is not vouched for.
    """
    if not limits.vouched:
        return ()
    floors = {Metric.TPOT: limits.alone, Metric.ITL: limits.alone, Metric.TTFT: limits.first}
    found = []
    for target in targets:
        floor = floors.get(target.metric)
        if floor is None or target.metric.higher_is_better or target.limit >= floor.seconds:
            continue
        said = t(
            "No load meets {target}: the hardware cannot be below {floor} at one token a step",
            target=target_text(target, language),
            floor=seconds(floor.seconds, language),
        )
        found.append(said.render(language))
    return tuple(found)


def verdict(found: Compared, language: str = "en") -> str:
    """Return whether the log lies within what was reckoned."""
    if found.agrees:
        return t("agrees").render(language)
    less = found.logged.high < found.reckoned.low
    return (t("the log says less") if less else t("the log says more")).render(language)
