"""The editor of targets: one line each, a preset with its source, add and remove."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from core.i18n import t
from core.model.metric import Metric
from core.present.glossary import tooltip
from core.present.names import LONG, metric_name, statistic_name, target_text
from core.present.presets import presets
from pages.parts import choices, keys, state
from pages.parts.drawer import popup
from pages.parts.links import MOST_TARGETS, Row, row_of
from pages.parts.number import Bounds, out_of_bounds, refuse, taken, tell_refused
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed

UNITLESS = {Metric.TOK_S_USER: "tok/s"}
VALUE_PX, UNIT_PX = 84, 32
ANY = 1e9
MOST = {"%": 100.0}


def editor() -> None:
    """Draw the targets and change them in the session."""
    rows = state.ask().rows
    heading(t("Targets"))
    for position, row in enumerate(rows):
        _line(position, row)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            say(t("Add")),
            key=keys.ADD_TARGET,
            icon=":material/add:",
            type="tertiary",
            on_click=_add,
            disabled=len(rows) >= MOST_TARGETS,
        )
        popup(say(t("Preset")), keys.PRESET, _presets, kind="tertiary", icon=":material/tune:")
    if not rows and state.ask().is_batch:
        st.caption(say(t("A batch needs no target. Add one if somebody waits for single answers")))
    elif not rows:
        st.caption(say(t("Add a target: without one there is nothing to plan for")))


def _line(position: int, row: Row) -> None:
    name = metric_name(row.metric, row.statistic, language())
    sign = "≥" if row.metric.higher_is_better else "≤"
    value_key = keys.of(keys.TARGET_VALUE, position)
    seed(value_key, row.value)
    # Where both do not fit, the limit goes below its name: neither is ever cut.
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"):
        popup(plain(f"{name} {sign}"), keys.of("target", position), partial(_details, position, row))
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, width="content"):
            st.number_input(
                plain(f"{name} {sign} {row.unit}"),
                format="%g",
                key=value_key,
                label_visibility="collapsed",
                on_change=_retype,
                args=(position, f"{name} {sign}"),
                width=VALUE_PX,
            )
            st.text(row.unit or UNITLESS.get(row.metric, ""), width=UNIT_PX)
    tell_refused(value_key)


def _details(position: int, row: Row) -> None:
    shown = language()
    parts = {
        keys.TARGET_METRIC: (say(t("Metric")), choices.METRICS, lambda m: LONG[m].render(shown), row.metric),
        keys.TARGET_STATISTIC: (
            say(t("Statistic")),
            choices.statistics_of(row.metric, row.statistic),
            lambda s: statistic_name(s, shown) or "–",
            row.statistic,
        ),
        keys.TARGET_UNIT: (say(t("Unit")), choices.units_of(row.metric), lambda u: u or "–", row.unit),
    }
    for name, (label, options, show, current) in parts.items():
        key = keys.of(name, position)
        seed(key, current)
        meaning = plain(tooltip(row.metric, shown)) if name == keys.TARGET_METRIC else None
        st.selectbox(label, options, format_func=show, key=key, help=meaning, on_change=_rechoose, args=(position,))
    st.button(
        say(t("Remove this target")),
        key=keys.of(keys.TARGET_REMOVE, position),
        icon=":material/delete:",
        on_click=_remove,
        args=(position,),
    )


def _presets() -> None:
    st.caption(say(t("Targets to start from; they replace the ones above")))
    for preset in presets():
        st.button(
            say(preset.name),
            key=keys.of(keys.PRESET, preset.id),
            on_click=state.choose_preset,
            args=(preset.kind, tuple(row_of(target) for target in preset.targets)),
            width="stretch",
        )
        limits = " · ".join(target_text(target, language()) for target in preset.targets)
        limits = limits or say_raw(t("no limit on latency"))
        standing = t("published so") if preset.as_published else t("our choice after it")
        where = f"[{plain(preset.source)}]({preset.url})" if preset.url else plain(preset.source)
        st.markdown(f":small[{plain(limits)}]  \n:small[{where} ({say(standing)})]")


def _retype(position: int, name: str) -> None:
    """Take a limit; one that no limit can be is told, and the field goes back to the one that holds."""
    key = keys.of(keys.TARGET_VALUE, position)
    row, value = state.ask().rows[position], st.session_state[key]
    wrong = None if value is None else out_of_bounds(value, Bounds(0.0, MOST.get(row.unit, ANY), above=True))
    if wrong:
        refuse(key, name, wrong)
        return
    taken()
    _put(position, replace(row, value=value) if value else row)


def _rechoose(position: int) -> None:
    chosen = (
        st.session_state[keys.of(k, position)] for k in (keys.TARGET_METRIC, keys.TARGET_STATISTIC, keys.TARGET_UNIT)
    )
    _put(position, choices.changed_row(state.ask().rows[position], *chosen))


def _put(position: int, row: Row) -> None:
    rows = list(state.ask().rows)
    rows[position] = row
    _set(tuple(rows))


def _add() -> None:
    rows = state.ask().rows
    _set((*rows, choices.first_row(choices.next_metric(rows))))


def _remove(position: int) -> None:
    _set(tuple(row for at, row in enumerate(state.ask().rows) if at != position))


def _set(rows: tuple[Row, ...]) -> None:
    state.choose_rows(rows)
