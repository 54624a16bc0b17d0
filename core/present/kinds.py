"""What a kind of workload is called, and how its answer is worded where that differs."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import Capacity, RunAnswer, Status
from core.model.metric import Metric
from core.model.workload import WorkloadKind
from core.present.numbers import concurrency, rate, span

KINDS: dict[WorkloadKind, Text] = {
    WorkloadKind.CHAT: t("Chat"),
    WorkloadKind.API: t("API"),
    WorkloadKind.BATCH: t("Batch"),
    WorkloadKind.VOICE: t("Voice"),
}

LEADS: dict[WorkloadKind, Text] = {
    WorkloadKind.CHAT: t("People wait for each answer: what counts is the wait before it begins and how fast it flows"),
    WorkloadKind.API: t("Programs of many users: what counts is how many requests are carried, and the throughput"),
    WorkloadKind.BATCH: t("A job that nobody waits for: what counts is throughput and when it is done"),
    WorkloadKind.VOICE: t(
        "Sound as it is played: what counts is that it is made faster than that (RTF), and the first sound. TTFT is "
        "then the time to the first piece of audio"
    ),
}
"""What counts for each kind, one sentence."""


def is_voice(answer: RunAnswer) -> bool:
    """Return True where streams of sound are counted instead of requests."""
    return answer.workload is not None and answer.workload.kind is WorkloadKind.VOICE


def unheard_text(answer: RunAnswer, language: str = "en") -> str | None:
    """Return what a benchmark without sound leaves open where it is asked about voice, None where it has RTF."""
    if not is_voice(answer) or any(Metric.RTF in stage.statistics for stage in answer.run.stages):
        return None
    said = t(
        "The files hold no processing time of sound (RTF): whether it is made faster than it is played is not known. "
        "Each stream is one request here"
    )
    return said.render(language)


def has_tokens(answer: RunAnswer) -> bool:
    """Return False where sound was measured and no level gives tokens: then a chart of them is not missed."""
    return not is_voice(answer) or any(stage.output_tok_s for stage in answer.run.stages)


def streams_text(capacity: Capacity, language: str = "en") -> str | None:
    """Return how many streams are carried; None where that cannot be told, or is none at all."""
    found = capacity.concurrency
    match capacity.status:
        case Status.WITHIN if capacity.safe == 1:
            said = t("1 stream at once, safely")
        case Status.WITHIN if capacity.safe:
            said = t("{number} streams at once, safely", number=concurrency(capacity.safe, language))
        case Status.AT_LEAST if found and found.low is not None:
            number = concurrency(found.low, language)
            said = t("At least 1 stream at once (the highest load measured)")
            if number != "1":
                said = t("At least {number} streams at once (the highest load measured)", number=number)
        case Status.BELOW if found and found.high is not None:
            number = concurrency(found.high, language)
            said = t("Below {number} streams at once (the lowest load measured)", number=number)
        case _:
            return None
    return said.render(language)


def throughput_text(answer: RunAnswer, language: str = "en") -> str | None:
    """Return the throughput at the safe number, which counts beside it for an API; None for other kinds."""
    if answer.workload is None or answer.workload.kind is not WorkloadKind.API or answer.at_capacity is None:
        return None
    found = answer.at_capacity.output_tok_s
    if found is None or found.low is None or found.mid is None or found.high is None:
        return None
    shown = rate(found.mid, "", language)
    between = span(found.low, found.high, lambda x: rate(x, "", language))
    return t("{rate} output tokens/s at the safe number ({range})", rate=shown, range=between).render(language)
