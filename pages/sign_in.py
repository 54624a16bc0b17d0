"""Sign in: what stands under every address until somebody has."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import account, keys
from pages.parts.frame import bar
from pages.parts.speech import say

bar(t("Sign in to go on"))
_, middle, _ = st.columns((1, 2, 1))
with middle:
    st.title(say(t("Sign in to Plimsoll")), anchor=False)
    if st.session_state.get(keys.ENDED):
        st.info(say(t("Your sign-in has ended. What you had open is kept as a draft")), icon=":material/schedule:")
    st.text(say(t("What is saved here is for the people it was shared with. After signing in, this address opens")))
    account.ways_in()
