"""One of two or three ways, side by side over the whole width; one of them always holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.i18n import Text
from pages.parts.speech import say
from pages.parts.state import seed


def either(
    label: Text,
    names: Mapping[str, Text],
    key: str,
    current: str,
    take: Callable[..., None],
    args: tuple[object, ...] = (),
) -> None:
    """Draw the ways with the current one chosen; `take` is called with `args` when another one is."""
    seed(key, current)
    shown = {way: say(name) for way, name in names.items()}
    st.segmented_control(
        say(label),
        tuple(shown),
        format_func=shown.__getitem__,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=take,
        args=args,
        width="stretch",
    )
