"""The links to a scenario: made with conditions, listed with how often they were opened, withdrawn with an undo."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from core.expiry import Term, end_of
from core.i18n import Text, t
from core.model.person import Role
from core.model.scenario import NAME_CHARS
from core.store.shares import Share
from pages.parts import keys, person, saved
from pages.parts.errors import show_errors
from pages.parts.speech import plain, say, say_raw

TERMS: dict[Term, Text] = {
    Term.NEVER: t("when withdrawn"),
    Term.WEEK: t("after 7 days"),
    Term.MONTH: t("after 30 days"),
    Term.DAY: t("on a day"),
}


def panel(scenario_id: str, version: int) -> None:
    """Draw the links of a scenario and the form for a new one to one of its versions."""
    if not saved.store().entry(scenario_id).role.covers(Role.EDITOR):
        st.caption(say(t("Editors and owners of this scenario can make links to it")))
        return
    with show_errors():
        _form(scenario_id, version)
    every = saved.store().shares.of(scenario_id)
    opening = live(scenario_id)
    _undo_bar(scenario_id)
    for share in opening:
        _live(share)
    if opening:
        st.caption(
            say(t("A withdrawn link stops opening at once. You can undo that until you leave or reload this page"))
        )
    past = [share for share in every if share not in opening]
    if past:
        with st.expander(say(t("Links that open no more ({count})", count=len(past))), icon=":material/link_off:"):
            for share in past:
                st.markdown(f"**{_name(share)}**  \n:small[{plain(_said(share))}]")


def live(scenario_id: str) -> tuple[Share, ...]:
    """Return the links to a scenario that still open, to whichever version, the newest first."""
    now = datetime.now(UTC)
    every = saved.store().shares.of(scenario_id)
    return tuple(share for share in every if share.revoked_at is None and not _ended(share, now))


def _form(scenario_id: str, version: int) -> None:
    """Draw the conditions of a new link, and make it where that is asked for."""
    with st.container(border=True):
        st.caption(
            say(t("The link shows version {version} for reading; nothing can be changed through it", version=version))
        )
        label = st.text_input(
            say(t("Whom it is for (only editors see this)")),
            key=label_key(scenario_id),
            max_chars=NAME_CHARS,
            persist_state="session",
        )
        ends_at = _end(scenario_id)
        hide = st.checkbox(
            say(t("Hide prices and costs")), key=keys.of(keys.LINK_PRICES, scenario_id), persist_state="session"
        )
        if hide:
            hidden = t(
                "Your own columns, such as the vendor, are hidden too. "
                "The name, the notes and the names of runs are shown as they are"
            )
            st.caption(say(hidden), width="stretch")
            if not person.asked():
                seen = t(
                    "Nobody has to sign in here: whoever reaches this server can open the list of scenarios and see "
                    "the prices there. The link hides them and leads to no list, but it protects nothing"
                )
                st.caption(say(seen), width="stretch")
        public = _public(scenario_id)
        wanted = st.button(say(t("Make a link")), key=keys.of(keys.LINK_NEW, scenario_id), icon=":material/add_link:")
    if wanted:
        made = saved.store().shares.make(
            scenario_id, version, expires_at=ends_at, hide_prices=hide, public=public, label=label
        )
        st.session_state[keys.LINK_MADE] = made.token
        st.session_state[_round(scenario_id)] = st.session_state.get(_round(scenario_id), 0) + 1
        st.rerun()


def label_key(scenario_id: str) -> str:
    """Return the key of the field for a new link's label; after each link it is another, and empty, field."""
    made = st.session_state.get(_round(scenario_id), 0)
    return keys.of(keys.LINK_LABEL, scenario_id, made) if made else keys.of(keys.LINK_LABEL, scenario_id)


def _round(scenario_id: str) -> str:
    return keys.of(keys.LINK_ROUND, scenario_id)


def _end(scenario_id: str) -> datetime | None:
    """Let the person choose when a link ends."""
    # All four at once: a list that opens over a form that itself lies over the page closes when anything scrolls.
    term = st.pills(
        say(t("It ends")),
        tuple(Term),
        default=Term.NEVER,
        required=True,
        format_func=lambda each: say(TERMS[each]),
        key=keys.of(keys.LINK_ENDS, scenario_id),
        persist_state="session",
    )
    day = None
    if term is Term.DAY:
        key = keys.of(keys.LINK_DATE, scenario_id)
        label = say(t("Last day (UTC)"))
        day = st.date_input(label, value=None, min_value="today", key=key, persist_state="session")
    return end_of(term, datetime.now(UTC), day)


def _public(scenario_id: str) -> bool:
    """Let the person choose who may open the link, where people sign in; without being told, only those may."""
    if not person.asked():
        return True
    key = keys.of(keys.LINK_WHO, scenario_id)
    return bool(st.checkbox(say(t("Also for people who have not signed in")), key=key, persist_state="session"))


def _live(share: Share) -> None:
    """Draw one link with what is known of it; the one that was just made stands out."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{_name(share)}**  \n:small[{plain(_said(share))}]", width="content")
            if share.token == st.session_state.get(keys.LINK_MADE):
                st.badge(say(t("new")), color="green")
            st.button(
                say(t("Withdraw")),
                key=keys.of(keys.LINK_REVOKE, share.token),
                icon=":material/link_off:",
                type="tertiary",
                on_click=_withdraw,
                args=(share,),
            )
        with show_errors():
            st.code(saved.link(share.token), language=None, wrap_lines=True)


def _withdraw(share: Share) -> None:
    with show_errors():
        saved.store().shares.revoke(share.token)
        st.session_state[keys.LINK_GONE] = share


def _undo_bar(scenario_id: str) -> None:
    """Say which link was withdrawn last on this page, with the way to let it open again."""
    gone: Share | None = st.session_state.get(keys.LINK_GONE)
    if gone is None or gone.scenario_id != scenario_id:
        return
    said = t("The link is withdrawn and opens no more")
    if gone.label:
        said = t('The link "{name}" is withdrawn and opens no more', name=gone.label)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=keys.of(keys.LINK_UNDO, "bar")):
        st.markdown(say(said), width="stretch")
        st.button(say(t("Undo")), key=keys.LINK_UNDO, icon=":material/undo:", on_click=_take_back, args=(gone,))


def _take_back(gone: Share) -> None:
    st.session_state.pop(keys.LINK_GONE, None)
    with show_errors():
        saved.store().shares.unrevoke(gone.token)


def _name(share: Share) -> str:
    return plain(share.label) if share.label else say(t("Link without a label"))


def _said(share: Share) -> str:
    """Return the conditions of a link and how often it was opened, in one line."""
    parts = [t("version {version}", version=share.version)]
    if share.hide_prices:
        parts.append(t("without prices"))
    if person.asked():
        parts.append(t("for everybody") if share.public else t("for people who have signed in"))
    if share.revoked_at is not None:
        parts.append(t("withdrawn on {time}", time=_time(share.revoked_at)))
    elif share.expires_at is not None:
        parts.append(
            t("ended on {time}", time=_time(share.expires_at))
            if _ended(share, datetime.now(UTC))
            else t("until {time}", time=_time(share.expires_at))
        )
    parts.append(_views(share))
    return " · ".join(say_raw(part) for part in parts)


def _views(share: Share) -> Text:
    if not share.views or share.last_view_at is None:
        return t("not opened yet")
    last = _time(share.last_view_at)
    if share.views == 1:
        return t("opened once, on {time}", time=last)
    return t("opened {count} times, last on {time}", count=share.views, time=last)


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _ended(share: Share, now: datetime) -> bool:
    return share.expires_at is not None and share.expires_at <= now
