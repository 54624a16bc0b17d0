"""What memory is reckoned with: whatever a person says, beside what the run or the engine's log says already."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core.catalogue.hardware import catalogue
from core.errors import PlimsollError
from core.i18n import Text, t
from core.limits.cache import TYPES as CACHES
from core.limits.cache import Windows
from core.limits.engine_log import read_log
from core.limits.storage import TYPES as WEIGHTS
from core.limits.told import Limits
from core.model.run import Run
from core.model.sizing import Sizing
from core.present.memory_names import SIZING, WINDOWS
from pages.parts import keys
from pages.parts import sizing as sizing_kept
from pages.parts.errors import attempt, tell
from pages.parts.number import optional_number
from pages.parts.speech import say, say_raw
from pages.parts.state import seed

COLUMNS = 4
LABELS = {**SIZING, "accelerator": t("Accelerator")}
ENGINES = ("vLLM", "SGLang", "TensorRT-LLM")
MOST_RANKS, MOST_TOKENS, MOST_GIB = 4096, 1e9, 1e6


@dataclass(frozen=True, slots=True)
class _Number:
    """A field of a sizing that is a number: what it may be, and whether it is whole."""

    name: str
    least: float
    most: float
    whole: bool = False


NUMBERS = (
    _Number("tp", 1, MOST_RANKS, whole=True),
    _Number("pp", 1, MOST_RANKS, whole=True),
    _Number("dp", 1, MOST_RANKS, whole=True),
    _Number("ep", 1, MOST_RANKS, whole=True),
    _Number("fraction", 0.01, 1.0),
    _Number("runtime_gib", 0.0, MOST_GIB),
    _Number("longest", 1, MOST_TOKENS, whole=True),
    _Number("input_tokens", 0.0, MOST_TOKENS),
    _Number("output_tokens", 0.0, MOST_TOKENS),
)


def first(run: Run, found: Limits) -> None:
    """Draw the settings that decide most: accelerator, how the model is cut, engine, type of the cache."""
    sizing, used = sizing_kept.of(run.id), _used(found)
    columns = st.columns(COLUMNS)
    with columns[0]:
        _choice(run.id, "accelerator", tuple(each.name for each in catalogue()), sizing, used)
    with columns[1]:
        _number(run.id, NUMBERS[0], sizing, used)
    with columns[2]:
        _choice(run.id, "engine", ENGINES, sizing, used)
    with columns[3]:
        _choice(run.id, "kv", tuple(CACHES), sizing, used)


def others(run: Run, found: Limits) -> None:
    """Draw every other setting with what stands for it where nobody says, and the place for the engine's log."""
    sizing, used = sizing_kept.of(run.id), _used(found)
    key = keys.of(keys.ALLOWS, run.id, "others")
    with st.expander(say(t("What else it is reckoned with")), icon=":material/tune:", key=key):
        columns = st.columns(COLUMNS)
        with columns[0]:
            _words(run.id, "engine_version", sizing, used)
        with columns[1]:
            _choice(run.id, "weights", tuple(WEIGHTS), sizing, used)
        for i, number in enumerate(NUMBERS[1:], start=2):
            with columns[i % COLUMNS]:
                _number(run.id, number, sizing, used)
        if any(layer.window is not None for layer in found.memory.setup.architecture.kinds):
            with columns[(len(NUMBERS) + 1) % COLUMNS]:
                _choice(run.id, "windows", tuple(Windows), sizing, used)
    _log(run, sizing)


def _used(found: Limits) -> dict[str, str]:
    """Return what stands for each setting now, as words."""
    setup = found.memory.setup
    told = {
        "accelerator": setup.accelerator.name if setup.accelerator else None,
        "tp": setup.ranks.tp,
        "pp": setup.ranks.pp,
        "dp": setup.ranks.dp,
        "ep": setup.ranks.ep,
        "weights": setup.storage.name,
        "kv": CACHES[setup.kv][0],
        "engine": setup.engine,
        "engine_version": setup.engine_version,
        "fraction": setup.fraction,
        "longest": setup.longest,
        "input_tokens": setup.input_tokens,
        "output_tokens": setup.output_tokens,
    }
    return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in told.items() if value}


def _hint(name: str, used: dict[str, str]) -> str:
    return used.get(name) or say_raw(t("unknown"))


def _choice(run_id: str, name: str, options: tuple[str, ...], sizing: Sizing, used: dict[str, str]) -> None:
    key = keys.of(keys.ALLOWS, run_id, name)
    seed(key, getattr(sizing, name))
    names: dict[str, Text] = dict(WINDOWS)
    st.selectbox(
        say(LABELS[name]),
        options,
        index=None,
        format_func=lambda each: say(names[each]) if each in names else each,
        key=key,
        placeholder=_hint(name, used),
        on_change=_take,
        args=(run_id, name, key),
    )


def _number(run_id: str, number: _Number, sizing: Sizing, used: dict[str, str]) -> None:
    key = keys.of(keys.ALLOWS, run_id, number.name)
    current = getattr(sizing, number.name)
    optional_number(
        say(LABELS[number.name]),
        current,
        key,
        most=int(number.most) if number.whole else float(number.most),
        least=number.least,
        take=partial(_take, run_id, number.name, key),
        hint=_hint(number.name, used),
    )


def _words(run_id: str, name: str, sizing: Sizing, used: dict[str, str]) -> None:
    key = keys.of(keys.ALLOWS, run_id, name)
    seed(key, getattr(sizing, name) or "")
    label, hint = say(LABELS[name]), _hint(name, used)
    st.text_input(label, key=key, max_chars=40, placeholder=hint, on_change=_take, args=(run_id, name, key))


def _take(run_id: str, name: str, key: str) -> None:
    value = st.session_state[key]
    sizing_kept.keep({run_id: replace(sizing_kept.of(run_id), **{name: None if value == "" else value})})


def _log(run: Run, sizing: Sizing) -> None:
    """Take lines of the engine's log; only the numbers in them are kept."""
    title = t("Set the engine's log beside it") if sizing.logged is None else t("The engine's log stands beside it")
    with st.expander(say(title), icon=":material/receipt_long:", key=keys.of(keys.ALLOWS, run.id, "log_open")):
        if sizing.logged is not None:
            st.button(
                say(t("Take the log away")), key=keys.of(keys.ALLOWS_UNLOG, run.id), on_click=_unlog, args=(run.id,)
            )
        rounds = st.session_state.get(keys.of(keys.ALLOWS_ROUND, run.id), 0)
        key = keys.of(keys.ALLOWS_LOG, run.id, rounds)
        st.text_area(
            say(t("Lines of its start")),
            key=key,
            placeholder="Available KV cache memory: …\nGPU KV cache size: …\nMaximum concurrency for …",
            help=say(t("Only numbers, the engine and its version are kept of them")),
            on_change=_take_log,
            args=(run.id, key),
        )
        problem: PlimsollError | None = st.session_state.get(keys.of(keys.ALLOWS_LOG_PROBLEM, run.id))
        if problem is not None:
            tell(problem)


def _take_log(run_id: str, key: str) -> None:
    text = st.session_state[key]
    read = attempt(lambda: read_log(text)) if text.strip() else None
    st.session_state[keys.of(keys.ALLOWS_LOG_PROBLEM, run_id)] = read if isinstance(read, PlimsollError) else None
    if read is None or isinstance(read, PlimsollError):
        return
    round_key = keys.of(keys.ALLOWS_ROUND, run_id)
    st.session_state[round_key] = st.session_state.get(round_key, 0) + 1
    sizing_kept.keep({run_id: replace(sizing_kept.of(run_id), logged=read)})


def _unlog(run_id: str) -> None:
    sizing_kept.keep({run_id: replace(sizing_kept.of(run_id), logged=None)})
