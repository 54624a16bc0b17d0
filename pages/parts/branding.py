"""A person's own logo and accent: chosen once, kept by the store, used on everything that is sent."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from core.errors import PlimsollError
from core.i18n import t
from core.present.report.brand import PLIMSOLL, Brand, brand_bytes, brand_of, own_logo
from pages.parts import keys, saved
from pages.parts.errors import show_errors
from pages.parts.speech import say

PREFERENCE = "brand"


def own() -> Brand:
    """Return what the person chose; Plimsoll's where nothing was, or what was kept cannot be read any more."""
    kept = None
    with suppress(PlimsollError):
        kept = saved.store().preferences.get(PREFERENCE)
        if kept is not None:
            return brand_of(kept)
    return PLIMSOLL


def editor() -> None:
    """Draw the choice of a logo and an accent; both are kept at once."""
    brand = own()
    with st.expander(say(t("Your logo and colour")), icon=":material/palette:"):
        with st.container(horizontal=True, vertical_alignment="center"):
            if brand.logo:
                st.image(brand.logo, width=160)
            st.color_picker(
                say(t("Accent colour")), brand.accent, key=keys.of(keys.BRAND_ACCENT, brand.accent), on_change=_recolour
            )
            if brand != PLIMSOLL:
                st.button(
                    say(t("Back to Plimsoll's own")),
                    key=keys.BRAND_CLEAR,
                    type="tertiary",
                    on_click=_keep,
                    args=(None,),
                )
        given = st.file_uploader(
            say(t("Logo (PNG or JPEG)")),
            type=["png", "jpg", "jpeg"],
            key=keys.of(keys.BRAND_LOGO, st.session_state.get(keys.BRAND_ROUND, 0)),
            max_upload_size=2,
        )
        if given is not None:
            with show_errors():
                _take(given.getvalue())


def _take(data: bytes) -> None:
    _keep(replace(own(), logo=own_logo(data)))
    st.session_state[keys.BRAND_ROUND] = st.session_state.get(keys.BRAND_ROUND, 0) + 1
    st.rerun()


def _recolour() -> None:
    brand = own()
    chosen = str(st.session_state[keys.of(keys.BRAND_ACCENT, brand.accent)])
    with show_errors():
        _keep(replace(brand, accent=chosen))


def _keep(brand: Brand | None) -> None:
    with show_errors():
        saved.store().preferences.set(PREFERENCE, brand_bytes(brand) if brand else None)
