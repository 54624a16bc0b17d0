"""The history of a scenario: every version with who, when and why; any two compared; an old one made the newest."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.fit.method import METHOD
from core.i18n import t
from core.model.person import Role
from core.present.diff import summary_text
from core.scenario_diff import scenario_difference
from core.store.saved import Entry, Saved
from pages.parts import compared, keys, saved, scenario_acts, state
from pages.parts.errors import show_errors
from pages.parts.scenario_list import answers_in_short
from pages.parts.speech import heading, language, plain, say

PER_PAGE = 10


def draw(entry: Entry, shown: int) -> None:
    """Draw the timeline, newest first, and below it the comparison of two versions."""
    every = saved.store().versions(entry.id)
    pages = max(-(-len(every) // PER_PAGE), 1)
    key = keys.of(keys.VERSION_PAGE, entry.id)
    at = min(st.session_state.get(key, 1), pages)
    for each in every[(at - 1) * PER_PAGE : at * PER_PAGE]:
        _line(entry, each, shown)
    if pages > 1:
        state.seed(key, at)
        st.pagination(pages, key=key)
    if len(every) > 1:
        with st.container(border=True), show_errors():
            _compare(every)


def _line(entry: Entry, each: Saved, shown: int) -> None:
    """Draw one version; restoring it makes it the newest and takes nothing away."""
    newest = each.version == entry.latest
    with st.container(border=True):
        left, right = st.columns((4, 1.5), vertical_alignment="center")
        with left, st.container(gap="xxsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{say(t('Version {number}', number=each.version))}**", width="content")
                if newest:
                    st.badge(say(t("newest")), color="green")
                if each.version == shown:
                    st.badge(say(t("open here")), color="blue")
            with show_errors():
                answers_in_short(each.answers)
            if each.message:
                st.text(each.message)
            st.caption(plain(_said(each, entry)))
        with right, st.container(horizontal=True, horizontal_alignment="right"):
            if each.version != shown:
                st.button(
                    say(t("Open")),
                    key=keys.of(keys.VERSION_OPEN, each.version),
                    on_click=scenario_acts.open_,
                    args=(entry.id, None if newest else each.version),
                )
            if not newest and entry.role.covers(Role.EDITOR):
                st.button(
                    say(t("Restore")),
                    key=keys.of(keys.VERSION_RESTORE, each.version),
                    icon=":material/restore:",
                    type="tertiary",
                    help=say(t("Makes it the newest version; the versions in between stay")),
                    on_click=_restore,
                    args=(entry.id, each.version),
                )


def _said(each: Saved, entry: Entry) -> str:
    """Return who saved a version when; its method and its name only where they are not those of today."""
    when = f"{each.saved_at:%Y-%m-%d %H:%M} UTC"
    parts = [t("{who}, {time}", who=each.author, time=when) if each.author else t("saved on {time}", time=when)]
    if each.based_on is not None and each.based_on != each.version - 1:
        parts.append(t("made from version {number}", number=each.based_on))
    if each.method_version != METHOD:
        parts.append(t("method {method}", method=each.method_version))
    if each.name != entry.name:
        parts.append(t("named {name}", name=each.name))
    return " · ".join(part.render(language()) for part in parts)


def _restore(scenario_id: str, version: int) -> None:
    with show_errors():
        done = saved.store().restore(scenario_id, version)
        said = t("Version {old} is the newest again, as version {new}", old=version, new=done.version)
        st.toast(say(said), icon=":material/restore:")


def _compare(every: Sequence[Saved]) -> None:
    """Draw what two versions differ in; at first the newest and the one before."""
    heading(t("Compare two versions"))
    numbers = [each.version for each in every]
    left, right = st.columns(2)
    old = _pick(left, say(t("Earlier")), keys.COMPARE_OLD, numbers, numbers[1])
    new = _pick(right, say(t("Later")), keys.COMPARE_NEW, numbers, numbers[0])
    scenario_id = every[0].id
    before, after = (saved.version(scenario_id, number)[1] for number in (old, new))
    found = scenario_difference(before, after)
    st.markdown(plain(summary_text(found, language())))
    sides = (t("Version {number}", number=old), t("Version {number}", number=new))
    compared.tables(found, keys.COMPARED, sides=sides)
    if not found.empty:
        compared.download(found, keys.COMPARED)


def _pick(where: st.delta_generator.DeltaGenerator, label: str, key: str, numbers: list[int], first: int) -> int:
    if st.session_state.get(key) not in numbers:
        st.session_state[key] = first
    return int(
        where.selectbox(label, numbers, format_func=lambda number: say(t("Version {number}", number=number)), key=key)
    )
