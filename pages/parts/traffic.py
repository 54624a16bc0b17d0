"""The editor of the service's own traffic; it may stay empty."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from core.i18n import t
from core.model.traffic import (
    MOST_BURST,
    MOST_PROFILES,
    MOST_SHARE,
    MOST_TOKENS,
    MOST_USERS,
    Arrivals,
    Profile,
    Traffic,
)
from core.present.traffic import ARRIVALS, traffic_text
from core.present.traffic_presets import traffic_presets
from pages.parts import keys, state
from pages.parts.drawer import drawer
from pages.parts.number import optional_number
from pages.parts.speech import language, plain, say, say_raw
from pages.parts.state import seed

FIRST_BURST = 4.0
_PERCENT = 100.0


def editor() -> None:
    """Draw the service's traffic and change it in the session; whatever stays empty is unknown."""
    traffic = state.ask().traffic
    name = say(t("Your traffic"))
    told = plain(traffic_text(traffic, language())) if traffic else ""
    drawer(name, keys.of(keys.TRAFFIC, "box"), partial(_fields, traffic), told=told, icon=":material/group:")


def _fields(traffic: Traffic | None) -> None:
    if traffic is None:
        st.caption(say(t("Where your requests differ from the measured ones, the answer is widened by that")))
    traffic = traffic or Traffic()
    for position, profile in enumerate(traffic.profiles or (Profile(),)):
        _profile(position, profile, mixed=len(traffic.profiles) > 1)
    _arrivals(traffic)
    with st.container(horizontal=True, vertical_alignment="center"):
        _presets()
        st.button(
            say(t("Another kind")),
            key=keys.of(keys.TRAFFIC, "add"),
            icon=":material/add:",
            type="tertiary",
            on_click=_add,
            disabled=len(traffic.profiles) >= MOST_PROFILES,
            help=say(t("A mix of requests: each kind with its lengths and its share")),
        )
        st.button(
            say(t("Clear")),
            key=keys.of(keys.TRAFFIC, "clear"),
            icon=":material/close:",
            type="tertiary",
            on_click=_clear,
        )


def _profile(position: int, profile: Profile, *, mixed: bool) -> None:
    with st.container(border=mixed, gap="small"):
        with st.container(horizontal=True, wrap=False, gap="small"):
            _number(position, "input_tokens", say(t("Input tokens")), profile.input_tokens, MOST_TOKENS)
            _number(position, "output_tokens", say(t("Output tokens")), profile.output_tokens, MOST_TOKENS)
        with st.container(horizontal=True, wrap=False, gap="small"):
            _number(position, "input_p95", say(t("Input p95")), profile.input_p95, MOST_TOKENS)
            _number(position, "output_p95", say(t("Output p95")), profile.output_p95, MOST_TOKENS)
        with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="bottom"):
            hit = None if profile.hit_rate is None else profile.hit_rate * _PERCENT
            _number(position, "hit_rate", say(t("Cache hit rate, %")), hit, _PERCENT)
            if mixed:
                _number(position, "share", say(t("Share")), profile.share, MOST_SHARE)
                st.button(
                    say(t("Remove")),
                    key=keys.of(keys.TRAFFIC, "remove", position),
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_remove,
                    args=(position,),
                )


def _number(position: int | str, name: str, label: str, value: float | None, most: float) -> None:
    key = keys.of(keys.TRAFFIC, name, position)
    unknown = say_raw(t("unknown"))
    optional_number(label, value, key, most=float(most), take=partial(_take, position, name), hint=unknown)


def _arrivals(traffic: Traffic) -> None:
    key = keys.of(keys.TRAFFIC, "arrivals")
    seed(key, traffic.arrivals)
    shown = language()
    with st.container(horizontal=True, wrap=False, gap="small"):
        st.selectbox(
            say(t("Arrival of requests")),
            tuple(Arrivals),
            index=None,
            format_func=lambda kind: ARRIVALS[kind.value].render(shown),
            key=key,
            placeholder=say_raw(t("unknown")),
            on_change=_take_arrivals,
        )
        if traffic.arrivals is Arrivals.BURSTY:
            _number("all", "burst", say(t("Burstiness")), traffic.burst, MOST_BURST)
        _number("all", "users", say(t("Users at once")), traffic.users, MOST_USERS)


def _presets() -> None:
    box = st.popover(
        say(t("Preset")), key=keys.TRAFFIC_PRESET, type="tertiary", icon=":material/tune:", on_change="rerun"
    )
    if not box.open:
        return
    with box:
        st.caption(say(t("Lengths to start from; arrivals and cache hits are your own")))
        for preset in traffic_presets():
            st.button(
                say(preset.name),
                key=keys.of(keys.TRAFFIC_PRESET, preset.id),
                on_click=_set,
                args=(preset.profile,),
                width="stretch",
            )
            lengths = traffic_text(Traffic(profiles=(preset.profile,)), language())
            standing = t("published so") if preset.as_published else t("our choice")
            where = f"[{plain(preset.source)}]({preset.url})" if preset.url else plain(preset.source)
            st.markdown(f":small[{plain(lengths)}]  \n:small[{where} ({say(standing)})]")


def _take(position: int | str, name: str) -> None:
    """Take one number; 0 and empty are unknown where 0 says nothing."""
    value = st.session_state[keys.of(keys.TRAFFIC, name, position)]
    traffic = state.ask().traffic or Traffic()
    if isinstance(position, str):
        users, burst = (value or None, traffic.burst) if name == "users" else (traffic.users, value or FIRST_BURST)
        _put(replace(traffic, users=users, burst=burst))
        return
    of_percent = None if value is None else value / _PERCENT
    given = of_percent if name == "hit_rate" else value or None
    profiles = list(traffic.profiles or (Profile(),))
    profiles[position] = lawful(profiles[position], name, given)
    _put(replace(traffic, profiles=tuple(profiles)))


def lawful(profile: Profile, name: str, value: float | None) -> Profile:
    """Return the profile with one field changed; a p95 follows a mean that has overtaken it."""
    values = {field: getattr(profile, field) for field in Profile.__dataclass_fields__} | {name: value}
    for mean, p95 in (("input_tokens", "input_p95"), ("output_tokens", "output_p95")):
        if values[mean] is not None and values[p95] is not None:
            values[p95] = max(values[p95], values[mean])
    if name == "share" and value is None:
        values["share"] = profile.share
    return Profile(**values)


def _take_arrivals() -> None:
    kind = st.session_state[keys.of(keys.TRAFFIC, "arrivals")]
    burst = FIRST_BURST if kind is Arrivals.BURSTY else None
    _put(replace(state.ask().traffic or Traffic(), arrivals=kind, burst=burst))


def _add() -> None:
    traffic = state.ask().traffic or Traffic()
    known = tuple(replace(each, share=each.share or 1.0) for each in traffic.profiles or (Profile(),))
    _put(replace(traffic, profiles=(*known, Profile(share=1.0))))


def _remove(position: int) -> None:
    traffic = state.ask().traffic or Traffic()
    left = tuple(each for at, each in enumerate(traffic.profiles) if at != position)
    _put(replace(traffic, profiles=left if len(left) > 1 else tuple(replace(each, share=None) for each in left)))


def _set(profile: Profile) -> None:
    traffic = state.ask().traffic or Traffic()
    _put(replace(traffic, profiles=(profile,)))


def _clear() -> None:
    state.set_ask(replace(state.ask(), traffic=None))


def _put(traffic: Traffic) -> None:
    known = any(not each.unknown for each in traffic.profiles) or len(traffic.profiles) > 1
    empty = not known and traffic.arrivals is None and traffic.users is None
    state.set_ask(replace(state.ask(), traffic=None if empty else traffic))
