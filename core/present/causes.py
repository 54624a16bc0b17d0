"""What stops a run in words: the cause in one sentence, its evidence, what else is possible."""

from __future__ import annotations

from dataclasses import dataclass

from core.decide.cause import reads_apart
from core.i18n import Text, joined, t
from core.model.answer import RunAnswer, Status
from core.model.cause import Cause, CauseKind, Confidence
from core.present.numbers import concurrency
from core.present.remedies import HOW_TO_PROFILE, Remedy, remedies_of

NAMES: dict[CauseKind, Text] = {
    CauseKind.QUEUE: t("places in the running batch"),
    CauseKind.KV_MEMORY: t("memory for the KV cache"),
    CauseKind.QUEUE_OR_KV_MEMORY: t("places in the running batch or memory for the KV cache"),
    CauseKind.PREFILL: t("reading prompts"),
    CauseKind.BANDWIDTH: t("memory bandwidth of decode steps"),
    CauseKind.LAUNCH: t("launch overhead on the host"),
    CauseKind.BANDWIDTH_OR_LAUNCH: t("memory bandwidth or launch overhead"),
    CauseKind.CLIENT: t("the load generator"),
    CauseKind.UNKNOWN: t("something that the files do not show"),
}
"""Short names, for lists and tables."""

SENTENCES: dict[CauseKind, Text] = {
    CauseKind.QUEUE: t("The running batch is full: requests wait for a place in it."),
    CauseKind.KV_MEMORY: t("The KV cache is full: requests wait until others free their memory."),
    CauseKind.QUEUE_OR_KV_MEMORY: t(
        "The running batch is full and requests wait: its number of places or the memory of the KV cache ends it."
    ),
    CauseKind.PREFILL: t(
        "Reading prompts takes up the server: first tokens wait for it, and so do the tokens of others."
    ),
    CauseKind.BANDWIDTH: t("Decode steps take their time for reading weights and cached tokens: memory bandwidth."),
    CauseKind.LAUNCH: t("The accelerator waits for the host between pieces of work: launch overhead."),
    CauseKind.BANDWIDTH_OR_LAUNCH: t(
        "Decode steps are slow: either memory bandwidth or launch overhead. Latencies look the same for both: profile"
        " to tell."
    ),
    CauseKind.CLIENT: t(
        "The load generator gave out before the server did: these files show what it could send, not what the server"
        " carries."
    ),
    CauseKind.UNKNOWN: t("What stops it cannot be told from these files."),
}

SURENESS: dict[Confidence, Text] = {
    Confidence.CLEAR: t("clear"),
    Confidence.LIKELY: t("likely"),
    Confidence.CANNOT_TELL: t("cannot tell"),
}


_EITHER = frozenset({CauseKind.BANDWIDTH_OR_LAUNCH, CauseKind.QUEUE_OR_KV_MEMORY})
"""What the files show for certain leaves two things possible."""


def sureness_text(answer: RunAnswer, language: str = "en") -> str | None:
    """Return how sure the cause is in a word or two, None where there is no cause."""
    sure = sureness(answer)
    if sure is None or answer.cause is None:
        return None
    if sure is Confidence.CLEAR and answer.cause.kind in _EITHER:
        return t("one of two").render(language)
    return SURENESS[sure].render(language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Everything that is said about one cause, each part on its own.

    Attributes:
        sentence: the cause, with how sure it is.
        evidence: sentences with the measured numbers.
        remedies: what fits the cause; none of them with a promised number.
        profile: how to tell bandwidth from launch overhead, None where that is not the question.
    """

    sentence: str
    evidence: tuple[str, ...]
    remedies: tuple[Remedy, ...]
    profile: str | None


POOL = t("Reading prompts takes up the accelerators that are set apart for it: first tokens wait.")


def told_of(answer: RunAnswer, language: str = "en") -> Told | None:
    """Return what is said of the cause of one answer, None where there is none (older scenarios, no targets)."""
    cause = answer.cause
    if cause is None:
        return None
    sentence = cause_sentence(cause, language, apart=reads_apart(answer.run))
    if sureness(answer) is not cause.confidence:
        seen = t("What stops it cannot be told, as the answer cannot. What the files show: {cause}", cause=sentence)
        sentence = seen.render(language)
    return Told(
        sentence=sentence,
        evidence=tuple(sign.text.render(language) + "." for sign in cause.evidence),
        remedies=remedies_of(cause, answer.run),
        profile=HOW_TO_PROFILE.render(language) if _asks_for_profile(cause) else None,
    )


def sureness(answer: RunAnswer) -> Confidence | None:
    """Return how sure the cause is, never surer than the answer that it explains; None where there is no cause."""
    if answer.cause is None:
        return None
    untold = answer.capacity.status is Status.CANNOT_TELL
    return Confidence.CANNOT_TELL if untold else answer.cause.confidence


def cause_sentence(cause: Cause, language: str = "en", *, apart: bool = False) -> str:
    """Return the cause in one sentence or two: what, how sure, and what else is possible.

    Args:
        cause: as decided.
        language: to write in.
        apart: True where prompts are read on accelerators of their own.
    """
    if cause.confidence is Confidence.CANNOT_TELL and any(s.code == "cause.nothing_missed" for s in cause.evidence):
        return t("Nothing stops it yet.").render(language)
    kind = POOL if apart and cause.kind is CauseKind.PREFILL else SENTENCES[cause.kind]
    parts = [kind.render(language)]
    others = joined([NAMES[kind] for kind in cause.also_possible]) if cause.also_possible else None
    if cause.confidence is Confidence.LIKELY:
        parts.append(
            t("This is likely, not certain; also possible: {others}.", others=others).render(language)
            if others
            else t("This is likely, not certain.").render(language)
        )
    elif cause.confidence is Confidence.CANNOT_TELL and others:
        parts.append(t("Too near to each other: {others}.", others=others).render(language))
    return " ".join(parts)


def evidence_title(cause: Cause, language: str = "en") -> str:
    """Return the heading of the evidence, with the load that it is read at."""
    if cause.at is None:
        return t("What shows it").render(language)
    return t("What shows it, at {load} requests in flight", load=concurrency(cause.at, language)).render(language)


def as_percent(share: float | None) -> float | None:
    """Return a share as it is typed, in per cent, without the dust of the multiplication.

    >>> as_percent(0.62), as_percent(None)
    (62.0, None)
    """
    return None if share is None else float(f"{share * 100:.6g}")


def from_percent(percent: float | None) -> float | None:
    """Return the share that was typed in per cent; nothing and zero are unknown.

    >>> from_percent(62.0), from_percent(0.0), from_percent(None)
    (0.62, None, None)
    """
    return percent / 100 if percent else None


def _asks_for_profile(cause: Cause) -> bool:
    return CauseKind.BANDWIDTH_OR_LAUNCH in (cause.kind, *cause.also_possible)
