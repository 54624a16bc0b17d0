"""The list of saved scenarios: found by words and tags, each with its answer as it was saved."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import Text, t
from core.model.run import Kind
from core.present.listed import listed_text
from core.store.saved import Entry
from core.store.summary import RunSummary
from pages.parts import fork, keys, saved, scenario_acts, state
from pages.parts.errors import show_errors
from pages.parts.speech import language, plain, say
from pages.parts.table import unbroken

PER_PAGE = 20
MOST_RUNS = 3

NEWEST, OLDEST, NAME = "newest", "oldest", "name"
_SORTS: dict[str, Text] = {
    NEWEST: t("Newest first"),
    OLDEST: t("Oldest first"),
    NAME: t("By name"),
}

LIST, ARCHIVE, DELETED = "list", "archive", "deleted"
_PLACES: dict[str, Text] = {LIST: t("Scenarios"), ARCHIVE: t("Archive"), DELETED: t("Deleted")}
_MEANINGS: dict[str, Text] = {
    ARCHIVE: t(
        "The archive holds scenarios that were put away. Their links still open, and each can be taken out again"
    ),
    DELETED: t(
        "Deleted scenarios are kept here without a time limit, for their owners only. Their links open no more. "
        "Bringing one back also opens its links again"
    ),
}


def draw() -> None:
    """Draw the search and what it finds, a page at a time."""
    _start()
    scenario_acts.undo_bar()
    where = _where()
    every = _listed(where)
    asked = st.session_state.get(keys.FIND) or st.session_state.get(keys.FIND_TAGS)
    if not every and not asked and not any(_listed(place) for place in _PLACES if place != where):
        _place("", (), 1)
        _empty(LIST)
        return
    known = sorted({tag for entry in every for tag in entry.tags})
    words, tags = _search(known)
    if where != LIST:
        st.caption(say(_MEANINGS[where]))
    if not every and not words and not tags:
        _place(words, tags, 1)
        _empty(where)
        return
    found = _listed(where, words, tags) if words or tags else every
    shown = _sorted(found)
    pages = max(-(-len(shown) // PER_PAGE), 1)
    at = min(st.session_state.get(keys.FIND_PAGE, 1), pages)
    _place(words, tags, at)
    st.caption(say(_counted(len(shown), searched=bool(words or tags))))
    if not shown:
        _nothing_found(where)
    for entry in shown[(at - 1) * PER_PAGE : at * PER_PAGE]:
        _card(entry)
    if pages > 1:
        state.seed(keys.FIND_PAGE, at)
        st.pagination(pages, key=keys.FIND_PAGE)


def _listed(where: str, words: str = "", tags: Sequence[str] = ()) -> tuple[Entry, ...]:
    """Return what is kept in one of the three places; of the deleted ones, those of this person."""
    return saved.store().list(words, tags, archived=where == ARCHIVE, deleted=where == DELETED)


def _where() -> str:
    found: str = st.session_state.get(keys.FIND_PLACE, LIST)
    return found if found in _PLACES else LIST


def _start() -> None:
    """Fill the search from the address, once in a session."""
    if keys.FOUND in st.session_state:
        return
    st.session_state[keys.FOUND] = True
    params = st.query_params
    page, sort = params.get(keys.Q_PAGE, ""), params.get(keys.Q_SORT, "")
    st.session_state[keys.FIND] = params.get(keys.Q_FIND, "")
    st.session_state[keys.FIND_TAGS] = params.get_all(keys.Q_TAG)
    where = DELETED if keys.Q_DELETED in params else ARCHIVE if keys.Q_ARCHIVED in params else LIST
    st.session_state[keys.FIND_PLACE] = where
    st.session_state[keys.FIND_SORT] = sort if sort in _SORTS else NEWEST
    st.session_state[keys.FIND_PAGE] = int(page) if page.isascii() and page.isdigit() and int(page[:6]) > 0 else 1


def _place(words: str, tags: Sequence[str], at: int) -> None:
    sort = st.session_state.get(keys.FIND_SORT, NEWEST)
    state.place(
        {
            keys.Q_FIND: [words] if words else [],
            keys.Q_TAG: list(tags),
            keys.Q_ARCHIVED: ["1"] if _where() == ARCHIVE else [],
            keys.Q_DELETED: ["1"] if _where() == DELETED else [],
            keys.Q_SORT: [sort] if sort != NEWEST else [],
            keys.Q_PAGE: [str(at)] if at > 1 else [],
        }
    )


def _search(known: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    asked = st.session_state.get(keys.FIND_TAGS, [])
    st.segmented_control(
        say(t("Which scenarios")),
        tuple(_PLACES),
        format_func=lambda each: say(_PLACES[each]),
        key=keys.FIND_PLACE,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_page,
    )
    left, middle, right = st.columns((3, 2.2, 1.5), vertical_alignment="bottom", gap="small")
    words = left.text_input(
        say(t("Search names, notes, tags, models and hardware")),
        key=keys.FIND,
        icon=":material/search:",
        persist_state="session",
        on_change=_first_page,
    )
    tags = middle.multiselect(
        say(t("Tags")),
        list(dict.fromkeys((*known, *asked))),
        format_func=plain,
        key=keys.FIND_TAGS,
        placeholder=say(t("any")),
        persist_state="session",
        on_change=_first_page,
    )
    right.selectbox(
        say(t("Order")),
        tuple(_SORTS),
        format_func=lambda each: say(_SORTS[each]),
        key=keys.FIND_SORT,
        persist_state="session",
        on_change=_first_page,
    )
    return words.strip(), tuple(tags)


def _first_page() -> None:
    st.session_state[keys.FIND_PAGE] = 1


def _sorted(found: Sequence[Entry]) -> list[Entry]:
    """Return the entries in the order that was chosen; the store gives the newest first."""
    match st.session_state.get(keys.FIND_SORT, NEWEST):
        case "oldest":
            return list(reversed(found))
        case "name":
            return sorted(found, key=lambda entry: entry.name.casefold())
        case _:
            return list(found)


def _counted(count: int, *, searched: bool) -> Text:
    if count == 1:
        return t("1 scenario found") if searched else t("1 scenario")
    return t("{count} scenarios found", count=count) if searched else t("{count} scenarios", count=count)


def _empty(where: str) -> None:
    """Say that nothing is kept in a place, and where everything is instead."""
    if where == ARCHIVE:
        st.info(say(t("The archive is empty")))
        return
    if where == DELETED:
        st.info(say(t("Nothing of yours is deleted")))
        return
    archived, deleted = len(_listed(ARCHIVE)), len(_listed(DELETED))
    if archived:
        st.info(say(_all_archived(archived)))
    elif deleted:
        said = t("Nothing is saved at the moment. What was deleted stands under Deleted and can be brought back")
        st.info(say(said))
    else:
        st.info(say(t("Nothing is saved yet. Save what you see on the Plan page, and it is listed here")))
        st.page_link("pages/plan.py", label=say(t("Go to the Plan page")), icon=":material/arrow_forward:")


def _all_archived(count: int) -> Text:
    if count == 1:
        return t("The one scenario that is saved is in the archive: choose Archive above to see it")
    return t("All {count} saved scenarios are in the archive: choose Archive above to see them", count=count)


def _nothing_found(where: str) -> None:
    """Say that the search found nothing, with the way back to all."""
    said = t("Nothing has all of these words and tags. The archive and deleted scenarios were not searched")
    if where == ARCHIVE:
        said = t("Nothing in the archive has all of these words and tags")
    elif where == DELETED:
        said = t("Nothing that was deleted has all of these words and tags")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say(said), width="content")
        st.button(say(t("Show all")), key=keys.of(keys.FIND, "all"), on_click=_find_all)


def _find_all() -> None:
    st.session_state[keys.FIND] = ""
    st.session_state[keys.FIND_TAGS] = []
    _first_page()


def _card(entry: Entry) -> None:
    """Draw one scenario: its name, its answers as saved, who saved it when, and what can be done with it."""
    with st.container(border=True, key=keys.of(keys.SCENARIO_CARD, entry.id)):
        left, right = st.columns((4, 1.2), vertical_alignment="center")
        with left, st.container(gap="xxsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f"**{unbroken(plain(entry.name))}**", width="content")
                badges(entry)
            with show_errors():
                answers_in_short(entry.answers)
            st.caption(plain(meta(entry)))
        with right, st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
            if not entry.deleted_at:
                st.button(
                    say(t("Open")),
                    key=keys.of(keys.REOPEN, entry.id),
                    icon=":material/folder_open:",
                    on_click=scenario_acts.open_,
                    args=(entry.id,),
                )
            scenario_acts.menu(entry)


def badges(entry: Entry) -> None:
    """Draw what is special about a scenario, and its tags."""
    if entry.deleted_at:
        st.badge(say(t("deleted")), icon=":material/delete:", color="red")
    if entry.archived_at:
        st.badge(say(t("archived")), icon=":material/archive:", color="gray")
    if any(each.kind == Kind.SIMULATED.value for each in entry.answers or ()):
        st.badge(say(t("simulated")), icon=":material/science:", color="orange")
    for tag in entry.tags:
        st.badge(plain(tag), color="blue")


def answers_in_short(answers: Sequence[RunSummary] | None) -> None:
    """Draw what a version answers, as it was saved, in one line for each run."""
    if answers is None:
        st.markdown(say(t("Saved by an older version: open it to see its answer")))
        return
    lines = [plain(line_of(each, several=len(answers) > 1)) for each in answers[:MOST_RUNS]]
    if len(answers) > MOST_RUNS:
        lines.append(say(t("and {count} more", count=len(answers) - MOST_RUNS)))
    st.markdown("  \n".join(lines) if lines else say(t("No run was saved with this scenario")))


def line_of(found: RunSummary, *, several: bool) -> str:
    """Return what was answered for one run, with its name where there are several."""
    said = listed_text(
        found.status,
        found.safe,
        found.estimate,
        found.binding,
        found.cost,
        found.currency,
        language(),
        bound=found.bound,
    )
    return f"{found.label}: {said}" if several else said


def meta(entry: Entry) -> str:
    """Return who saved a scenario when, and how many versions it has."""
    when = f"{entry.saved_at:%Y-%m-%d %H:%M} UTC"
    saved_by = (
        t("saved by {who} on {time}", who=entry.author, time=when) if entry.author else t("saved on {time}", time=when)
    )
    versions = t("1 version") if entry.latest == 1 else t("{count} versions", count=entry.latest)
    parts = [saved_by, versions]
    if entry.copied:
        parts.append(fork.text(entry.copied))
    elif entry.forked_from:
        parts.append(t("copy of what a link showed"))
    if entry.deleted_at:
        parts.append(t("deleted on {time}", time=f"{entry.deleted_at:%Y-%m-%d %H:%M} UTC"))
    return " · ".join(part.render(language()) for part in parts)
