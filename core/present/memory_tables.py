"""Tables of what memory allows: each figure with its doubt, its kind and how it comes about."""

from __future__ import annotations

import pandas as pd

from core.i18n import t
from core.limits.cache import TYPES
from core.limits.compared import Of
from core.limits.engines import Span
from core.limits.memory import Memory
from core.limits.told import Limits
from core.model.sizing import Logged
from core.present.memory_words import COMPARED, MEANINGS, floor_rows, gib, verdict, whole
from core.present.numbers import concurrency, percent, plain, span


def parts_table(memory: Memory, language: str = "en") -> pd.DataFrame | None:
    """Return the parts of one accelerator's memory; None where they cannot be told."""
    on = memory.fullest
    if on is None or memory.seen is None:
        return None
    logged = memory.setup.logged or Logged()
    rows = [
        (t("Seen by software"), gib(memory.seen, language), _seen(memory, language)),
        (t("Weights"), gib(on.weights, language), _weights(memory, logged, language)),
        (t("Taken by the engine"), gib(on.runtime, language), _runtime(memory, language)),
        (t("Left for the cache"), gib(on.cache, language), _left(memory, logged, language)),
    ]
    return _frame(
        {
            t("On one accelerator").render(language): [name.render(language) for name, *_ in rows],
            t("GiB (range)").render(language): [value for _, value, _ in rows],
            t("How").render(language): [how for *_, how in rows],
        }
    )


def room_table(memory: Memory, language: str = "en") -> pd.DataFrame:
    """Return what the cache comes to: bytes of a token, tokens, requests at once."""
    rows = []
    setup = memory.setup
    if memory.token_bytes is not None:
        name = t("A token takes, bytes on one accelerator").render(language)
        rows.append((name, concurrency(memory.token_bytes, language), _token(memory, language)))
    if memory.kv_tokens is not None:
        name = t("Tokens in the cache of one engine").render(language)
        how = t("cache ÷ bytes of a token, windows held at full length").render(language)
        rows.append((name, _tokens(memory.kv_tokens, language), how))
    if memory.worst is not None:
        length = concurrency(setup.longest or 0.0, language)
        name = t("Requests at once, each at {tokens} tokens", tokens=length).render(language)
        how = t("worst case: cache ÷ what a request of the longest length holds").render(language)
        rows.append((name, whole(memory.worst, language), how))
    if memory.steady is not None:
        name = t("Requests at once, on average").render(language)
        how = t(
            "steady state: cache ÷ what a request of {input} + {output} tokens holds halfway through its answer",
            input=concurrency(setup.input_tokens or 0.0, language),
            output=concurrency(setup.output_tokens or 0.0, language),
        ).render(language)
        rows.append((name, whole(memory.steady, language), how))
    return _frame(
        {
            t("What it allows").render(language): [name for name, *_ in rows],
            t("Number (range)").render(language): [value for _, value, _ in rows],
            t("How").render(language): [how for *_, how in rows],
        }
    )


def floors_table(limits: Limits, language: str = "en") -> pd.DataFrame | None:
    """Return the floors; None where none can be told."""
    rows = floor_rows(limits, language)
    if not rows:
        return None
    return _frame(
        {
            t("No faster than").render(language): [name for name, *_ in rows],
            t("Floor").render(language): [value for _, value, *_ in rows],
            t("To be expected").render(language): [value for *_, value, _ in rows],
            t("How").render(language): [how for *_, how in rows],
        }
    )


def log_table(limits: Limits, language: str = "en") -> pd.DataFrame | None:
    """Return each figure of the engine's log beside ours; None without one."""
    if not limits.compared:
        return None
    found = limits.compared
    shown = {Of.EACH: _bytes, Of.TOKENS: _tokens, Of.TIMES: gib, Of.WEIGHTS: gib, Of.CACHE: gib}
    return _frame(
        {
            t("Figure").render(language): [COMPARED[each.of].render(language) for each in found],
            t("Reckoned").render(language): [shown[each.of](each.reckoned, language) for each in found],
            t("The log says").render(language): [_logged(limits, each.of, language) for each in found],
            t("Verdict").render(language): [verdict(each, language) for each in found],
        }
    )


def _logged(limits: Limits, of: Of, language: str) -> str:
    """Return the log's own figure, as it stands there."""
    logged = limits.memory.setup.logged or Logged()
    each = next(one for one in limits.compared if one.of is of)
    told: dict[Of, float | None] = {
        Of.WEIGHTS: logged.weights_gib,
        Of.CACHE: logged.kv_gib,
        Of.TOKENS: logged.kv_tokens,
        Of.TIMES: logged.times,
    }
    value = told.get(of)
    return _bytes(each.logged, language) if value is None else plain(value, language, digits=9)


def _seen(memory: Memory, language: str) -> str:
    part = memory.setup.accelerator
    if part is None:
        return ""
    return t("{name}, sold as {gb} GB", name=part.name, gb=plain(part.memory_gb or 0.0, language)).render(language)


def _weights(memory: Memory, logged: Logged, language: str) -> str:
    if logged.weights_gib is not None and memory.setup.ranks.pp == 1:
        return t("as the log says").render(language)
    setup = memory.setup
    return t(
        "{total} GiB of the whole model in {kind}, cut by TP {tp} and PP {pp}",
        total=plain(memory.weights_gib or 0.0, language),
        kind=setup.storage.name,
        tp=setup.ranks.tp,
        pp=setup.ranks.pp,
    ).render(language)


def _runtime(memory: Memory, language: str) -> str:
    if memory.setup.runtime_gib is not None:
        return t("as given").render(language)
    taken = memory.takes
    said = t(
        "{engine}: one step {working}, beside the framework {other}, graphs {graphs}",
        engine=taken.engine or t("any engine").render(language),
        working=gib(taken.working, language),
        other=gib(taken.other, language),
        graphs=gib(taken.graphs, language),
    ).render(language)
    if taken.graphs.low >= 0.0:
        return said
    given_back = t("graphs below zero: memory is given back while they are captured").render(language)
    return f"{said} ({given_back})"


def _left(memory: Memory, logged: Logged, language: str) -> str:
    if logged.kv_gib is not None:
        return t("as the log says").render(language)
    share = memory.setup.fraction
    taken = Span(low=share, high=share) if share else memory.takes.fraction
    shown = span(taken.low, taken.high, lambda value: percent(value, language))
    return t("{share} {meaning}", share=shown, meaning=MEANINGS[memory.takes.meaning].render(language)).render(language)


def _token(memory: Memory, language: str) -> str:
    setup = memory.setup
    return t(
        "{whole} of the whole model at {bits} bits, cut by TP {tp} and PP {pp}",
        whole=concurrency(memory.model_token_bytes or 0.0, language),
        bits=plain(_bits(memory), language),
        tp=setup.ranks.tp,
        pp=setup.ranks.pp,
    ).render(language)


def _bits(memory: Memory) -> float:
    return TYPES[memory.setup.kv][1]


def _bytes(found: Span, language: str) -> str:
    return span(found.low, found.high, lambda value: concurrency(value, language))


def _tokens(found: Span, language: str) -> str:
    return span(found.low, found.high, lambda value: plain(value, language, digits=4))


def _frame(columns: dict[str, list[str]]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(values, dtype="str") for name, values in columns.items()})
