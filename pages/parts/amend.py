"""Conditions that the files leave unknown, asked for once: grouped by the seven, with likely values as hints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields

import streamlit as st

from core.i18n import t
from core.model.run import Conditions, Run
from core.normalise.suggest import Suggestion, suggestions
from core.present.conditions import asked_for, condition_name
from pages.parts import keys, state
from pages.parts.speech import language, plain, say, say_raw

COLUMNS = 4
LONGEST = 120
MOST = 1_000_000_000
_KINDS = {field.name: str(field.type) for field in fields(Conditions)}

Value = str | int | float


def conditions(run: Run) -> None:
    """Offer a form for every condition that is not in the files; nothing that is only likely is filled in."""
    groups = asked_for(run)
    if not groups:
        return
    given = state.edits_of(run.id).conditions
    open_ones = sum(name not in given for _, names in groups for name in names)
    title = t("Add what the files do not say ({count} unknown)", count=open_ones)
    with st.expander(say(title), icon=":material/edit:"):
        likely = suggestions(run, [each for each in state.runs() if each.id != run.id])
        if likely:
            st.caption(say(t("Grey values are likely ones. They count only once you have typed them")))
        with st.form(keys.of(keys.CONDITION, run.id), border=False):
            values: dict[str, Value | None] = {}
            for group, names in groups:
                st.markdown(f"**{say(group)}**")
                values |= _grid(run, names, given, likely)
            others = [each for each in state.runs() if each.id != run.id]
            for_all = bool(others) and st.checkbox(
                say(t("The same for all {count} runs, where it is unknown", count=len(others) + 1)),
                key=keys.of(keys.CONDITION, run.id, "all"),
            )
            wanted = st.form_submit_button(say(t("Keep with the run")), key=keys.of(keys.CONDITIONS_SAVE, run.id))
        if wanted:
            known = {name: value for name, value in values.items() if value not in (None, "")}
            state.tell(run.id, known, others if for_all else ())
            st.rerun()


def _grid(
    run: Run, names: Iterable[str], given: Mapping[str, Value], likely: Mapping[str, Suggestion]
) -> dict[str, Value | None]:
    every = tuple(names)
    columns = st.columns(COLUMNS)
    values: dict[str, Value | None] = {}
    for i, name in enumerate(every):
        with columns[i % COLUMNS]:
            values[name] = _field(run, name, given.get(name), likely.get(name))
    return values


def _field(run: Run, name: str, given: Value | None, likely: Suggestion | None) -> Value | None:
    label = plain(condition_name(name, language()))
    key = keys.of(keys.CONDITION, run.id, name)
    hint = say_raw(t("perhaps {value}", value=str(likely.value))) if likely else say_raw(t("unknown"))
    why = say(likely.why) if likely else None
    if "int" in _KINDS[name]:
        count = int(given) if isinstance(given, int | float) else None
        return st.number_input(
            label, min_value=1, max_value=MOST, value=count, step=1, key=key, placeholder=hint, help=why
        )
    if "float" in _KINDS[name]:
        number = float(given) if isinstance(given, int | float) else None
        return st.number_input(
            label, min_value=0.0, max_value=float(MOST), value=number, format="%g", key=key, placeholder=hint, help=why
        )
    return st.text_input(label, value=str(given or ""), max_chars=LONGEST, key=key, placeholder=hint, help=why).strip()
