"""The limit to configure, in words and as settings: how many requests are let in at once."""

from __future__ import annotations

import pandas as pd

from core.i18n import Text, t
from core.model.admission import Admission, Waits
from core.model.answer import RunAnswer, Status
from core.present.names import target_text
from core.present.numbers import concurrency

ENGINES = (
    (("vllm",), "vLLM", "--max-num-seqs"),
    (("sglang",), "SGLang", "--max-running-requests"),
    (("tensorrt", "trtllm", "trt-llm"), "TensorRT-LLM", "--max_batch_size"),
)
"""Words in the name of an engine, the name, and its option for how many requests run at once.

Sources: vLLM engine arguments; SGLang server arguments; trtllm-serve options.
"""

_NOTES: dict[str, Text] = {
    "admission.pools": t(
        "Prefill and decode run apart here: set the admission limit where requests enter, before both. The batch "
        "limit is that of the decode workers."
    ),
    "admission.ranks": t(
        "The server splits its work over several ranks (data parallelism). Check whether its batch limit counts each "
        "rank or all of them together."
    ),
    "admission.batch_limit_varied": t(
        "Each level ran with a batch limit of its own. Set the batch limit to the admission limit, as at the levels "
        "around it."
    ),
}
"""What the limit cannot say by itself, by code."""


def admission_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return sentences: how many to let in, where the others wait, and what the engine's batch limit has to do with it.

    () for an answer that was saved before limits were given.
    """
    found = answer.admission
    if found is None:
        return ()
    if found.endpoint is None:
        said = [_no_limit(answer)]
    else:
        said = [_limit(found), *_kind(answer), *_queue(found)]
        said += [_NOTES[code] for code in found.reasons if code in _NOTES]
    return tuple(text.render(language) for text in said)


def admission_table(answer: RunAnswer, language: str = "en") -> pd.DataFrame | None:
    """Return one row per setting with its value; None where no limit can be given."""
    found = answer.admission
    if found is None or found.endpoint is None:
        return None
    limit = concurrency(_own(found), language)
    own = t("at most {limit} each", limit=limit) if found.per_replica else t("at most {limit} in all", limit=limit)
    rows = [(t("Router or gateway").render(language), own.render(language))]
    rows += [(f"{name} {option}", _batch_value(found, language)) for name, option in _options(answer)]
    return pd.DataFrame(
        {
            t("Setting").render(language): pd.Series([name for name, _ in rows], dtype="str"),
            t("Value").render(language): pd.Series([value for _, value in rows], dtype="str"),
        }
    )


def _own(found: Admission) -> int:
    return found.per_replica or found.endpoint or 0


def _options(answer: RunAnswer) -> list[tuple[str, str]]:
    """Return name and option of the engine that was measured, of all three where it is another or unknown."""
    said = (answer.run.conditions.engine or "").lower()
    known = [(name, option) for words, name, option in ENGINES if any(word in said for word in words)]
    return known or [(name, option) for _, name, option in ENGINES]


def _batch_value(found: Admission, language: str) -> str:
    if found.batch_limit is not None:
        return t("{batch}, as measured", batch=concurrency(found.batch_limit, language)).render(language)
    if found.waits is Waits.ENGINE:
        return t("as measured, not recorded").render(language)
    if found.per_replica is None and found.replicas is None:
        return t("{limit} or more in all", limit=concurrency(_own(found), language)).render(language)
    return t("{limit} or more", limit=concurrency(_own(found), language)).render(language)


def _limit(found: Admission) -> Text:
    whole, replicas = concurrency(found.endpoint or 0), found.replicas
    if replicas is None:
        return t(
            "Let at most {limit} requests in at once, counted for the measured endpoint as a whole: the files do not "
            "say how many replicas stand behind it. With several, divide by their number and round down.",
            limit=whole,
        )
    if found.per_replica is None:
        return t(
            "Let at most {limit} requests in at once for the whole endpoint: there are more replicas ({replicas}) than "
            "that, so it cannot be shared out evenly.",
            limit=whole,
            replicas=replicas,
        )
    if replicas == 1:
        return t("Let at most {limit} requests in at once; the others wait at the router or gateway.", limit=whole)
    return t(
        "Let at most {limit} requests at once into each of the {replicas} replicas, {whole} in all divided and rounded "
        "down; the others wait at the router or gateway.",
        limit=concurrency(found.per_replica),
        replicas=replicas,
        whole=whole,
    )


def _kind(answer: RunAnswer) -> list[Text]:
    """Return what sort of number the limit is."""
    said = []
    batch = answer.batch if not answer.per_target else None
    status = batch.throughput.status if batch else answer.capacity.status
    if status is Status.AT_LEAST:
        said.append(t("It is the highest load measured, not a ceiling: more may do, but nothing shows it."))
    if answer.run.load_axis == "request_rate":
        said.append(t("It counts requests in flight, not requests per second."))
    return said


def _queue(found: Admission) -> list[Text]:
    match found.waits:
        case Waits.ENGINE:
            running = concurrency((found.per_replica or found.endpoint or 0) - (found.waiting or 0))
            return [
                t(
                    "About {running} of them run at once and about {waiting} wait inside the engine. That wait is part "
                    "of TTFT, while the time per token no longer rises. With a larger batch limit more would run at "
                    "once and fewer would wait, but every token would take longer: measure it before you change it.",
                    running=running,
                    waiting=concurrency(found.waiting or 0),
                )
            ]
        case Waits.ROUTER if found.batch_limit is not None or found.full_at is not None:
            return [
                t(
                    "All of them run at once: the engine takes up about {batch}. Never set its batch limit below the "
                    "admission limit, or requests wait inside the engine, where TTFT grows and no router can send them "
                    "elsewhere.",
                    batch=concurrency(min(x for x in (found.batch_limit, found.full_at) if x is not None)),
                )
            ]
        case Waits.ROUTER:
            return [
                t(
                    "No measured level shows requests waiting inside the engine. Keep its batch limit at the admission "
                    "limit or above; below it they would wait there, where TTFT grows."
                )
            ]
        case _:
            return [
                t(
                    "The files do not show how many requests the engine runs at once. Keep its batch limit at the "
                    "admission limit or above; below it requests would wait inside the engine, where TTFT grows."
                )
            ]


def _no_limit(answer: RunAnswer) -> Text:
    """Return why there is no limit to give."""
    asked = answer.for_traffic
    if asked is not None and not asked.capacity.safe and answer.capacity.safe:
        return t(
            "No limit can be given for your own traffic before it is measured. For the traffic as measured it would be "
            "{limit} requests at once.",
            limit=concurrency(answer.capacity.safe),
        )
    capacity = answer.capacity
    supported = capacity.supported
    if capacity.status is Status.BELOW:
        return t(
            "No limit keeps the targets: even the lowest load measured misses one. A smaller load has to be measured "
            "first."
        )
    if capacity.status is not Status.CANNOT_TELL:
        return t("No limit keeps the targets: not one request can be promised within them.")
    if supported and supported.safe and supported.binding:
        return t(
            "No limit can be given for these targets before more is measured. Until then {limit} requests at once keep "
            "{target}.",
            limit=concurrency(supported.safe),
            target=target_text(supported.binding),
        )
    return t("No limit can be given before more is measured.")
