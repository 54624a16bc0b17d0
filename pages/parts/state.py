"""What a session holds: the question (targets, price) and the files, kept over pages and reloads.

The address holds the question and the id of a draft of the files. It is read once, when a
session starts, and written whenever it differs from what the session holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.edits import Edits, carried, retold, told_of
from core.ingest.raw import Upload
from core.ingest.source import OnDisk
from core.ingest.trial import together
from core.model.copied import Copied
from core.model.mapping import TableMapping
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.model.workload import Workload, WorkloadKind
from core.normalise.regrouping import Regrouping, excluding
from core.pipeline import Loaded, Progress, arrange, load, still_refused
from core.present.first_targets import first_kind, targets_for
from pages.parts import drafts, keys, links, originals, speech, view
from pages.parts.drafts import Based, Held
from pages.parts.laid_out import based_after, carried_columns, flat, laid_out
from pages.parts.links import Ask, Row
from pages.parts.links_unread import unread


def first_rows(shown: tuple[Run, ...], kind: WorkloadKind | None = None) -> tuple[Row, ...]:
    """Return the targets that stand there until the person chooses some."""
    return tuple(links.row_of(target) for target in targets_for(kind, shown))


FIRST_ASK = Ask(rows=first_rows(()))

MOST_UNDONE = 20
"""Changes that can be taken back one after the other; their files are held once."""


def start(*, kept: bool = True) -> None:
    """Fill a new session from its address; do nothing in a running one.

    Args:
        kept: whether what the server keeps may be opened; not for somebody who has yet to sign in.
    """
    if keys.STARTED in st.session_state:
        return
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    speech.start_language(links.first(params, keys.Q_LANGUAGE))
    draft = links.first(params, keys.Q_DRAFT) if kept else ""
    st.session_state[keys.ASK] = links.from_params(params, FIRST_ASK)
    st.session_state[keys.UNREAD] = unread(params)
    found = drafts.find(draft)
    st.session_state[keys.LOST] = bool(draft) and found is None
    st.session_state[keys.HELD] = replace(found if found.shown else laid_out(found), draft=draft) if found else Held()
    st.session_state[keys.CHOSEN] = ask().rows not in (FIRST_ASK.rows, first_rows(runs(), kind()))
    st.session_state[keys.STARTED] = True


def write_address() -> None:
    """Make the address say what the session holds, so that a reload or a bookmark brings it back."""
    params = links.to_params(ask())
    if held().draft:
        drafts.asked(held().draft, dict(params))
        params[keys.Q_DRAFT] = [held().draft]
    shared = st.query_params.get_all(keys.Q_SHARE)
    if shared:
        params = {keys.Q_SHARE: shared} | view.address(shared[0])
    params |= st.session_state.pop(keys.PLACE, {})
    # A language that the browser asks for anyway is left out: a colleague may read another one.
    if speech.language() != speech.browser_language():
        params[keys.Q_LANGUAGE] = [speech.language()]
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    if now != params:
        st.query_params.from_dict(params)


def arrive(page: str) -> None:
    """Say which page this run is of; the first run of a page fills its fields from what the session holds."""
    st.session_state[keys.ARRIVED] = st.session_state.get(keys.PAGE) != page
    st.session_state[keys.PAGE] = page
    if st.session_state[keys.ARRIVED]:
        # What a field of another page refused is no longer news.
        st.session_state[keys.NOT_TAKEN] = None


def place(params: Mapping[str, list[str]]) -> None:
    """Say where on its page this run is: it stands in the address until the next run."""
    st.session_state[keys.PLACE] = {name: values for name, values in params.items() if values}


def ask() -> Ask:
    """Return what the person asks."""
    asked: Ask = st.session_state[keys.ASK]
    return asked


def set_ask(asked: Ask) -> None:
    """Replace what the person asks; what a link asked for and nobody could read is no longer news."""
    st.session_state[keys.UNREAD] = ()
    st.session_state[keys.ASK] = asked


def choose_rows(rows: tuple[Row, ...]) -> None:
    """Replace the targets by the person's own: from then on files do not change them."""
    st.session_state[keys.CHOSEN] = True
    set_ask(replace(ask(), rows=rows))


def kind() -> WorkloadKind:
    """Return what the deployment is for; chat until somebody says so."""
    workload = ask().workload
    return workload.kind if workload else WorkloadKind.CHAT


def choose_kind(chosen: WorkloadKind) -> None:
    """Replace what the deployment is for.

    Targets that nobody chose follow the kind. Those of a person stay, but not through a batch,
    which starts without any; they come back after it.
    """
    before, rows = kind(), ask().rows
    if not st.session_state[keys.CHOSEN]:
        rows = first_rows(runs(), chosen)
    elif chosen is WorkloadKind.BATCH and before is not chosen:
        st.session_state[keys.ROWS], rows = rows, ()
    elif before is WorkloadKind.BATCH and not rows:
        rows = st.session_state.get(keys.ROWS) or first_rows(runs(), chosen)
    job = ask().workload if chosen is before else None
    set_ask(replace(ask(), rows=rows, workload=job or Workload(kind=chosen)))


def choose_preset(chosen: WorkloadKind | None, rows: tuple[Row, ...]) -> None:
    """Replace the targets by a preset's, and the kind by that which it is made for, where it is made for one."""
    choose_rows(rows)
    if chosen is not None and chosen is not kind():
        set_ask(replace(ask(), workload=Workload(kind=chosen)))


def held() -> Held:
    """Return the files of this session."""
    found: Held = st.session_state[keys.HELD]
    return found


def set_held(changed: Held, *, other: bool = False, settled: bool = False, asked: Ask | None = None) -> None:
    """Replace the files, keep the state before for an undo, and keep a draft for a reload.

    Args:
        changed: in place of what is held.
        other: it is other work: what was held stays among the unsaved work.
        settled: it was saved as it is, so that it is no unsaved work.
        asked: what is asked of it from now on, where that changes too: its draft is kept under that.
    """
    before = held()
    _put(changed, "" if other else before.draft, settled=settled, question=asked)
    st.session_state[keys.BEFORE] = (*_past(keys.BEFORE), before)[-MOST_UNDONE:]
    st.session_state[keys.AFTER] = ()


def _put(changed: Held, parent: str, *, settled: bool = False, question: Ask | None = None) -> None:
    before = held()
    complete = laid_out(changed)
    if changed.decision is before.decision:
        columns = carried_columns(changed.decision, before.members, complete.members)
        complete = replace(complete, decision=columns)
    st.session_state[keys.HELD] = drafts.keep(complete, links.to_params(question or ask()), parent, settled=settled)
    asked = ask()
    if asked.counts or asked.terms.pools or asked.by_run:
        counts = carried(asked.counts, before.members, complete.members)
        told = [(run, (prefill, decode)) for run, prefill, decode in asked.terms.pools]
        pools = tuple((run, *both) for run, both in carried(told, before.members, complete.members))
        own = carried(asked.by_run, before.members, complete.members)
        set_ask(replace(asked, counts=counts, terms=replace(asked.terms, pools=pools), by_run=own))
    arrived = before.files is not changed.files or before.opened is not changed.opened
    if arrived and not st.session_state[keys.CHOSEN]:
        found = first_kind(runs())
        workload = ask().workload or (Workload(kind=found) if found else None)
        set_ask(replace(ask(), workload=workload))
        set_ask(replace(ask(), rows=first_rows(runs(), kind())))


def undo() -> None:
    """Bring back the files as they were before the last change."""
    _travel(keys.BEFORE, keys.AFTER)


def redo() -> None:
    """Bring back the change that was undone last."""
    _travel(keys.AFTER, keys.BEFORE)


def _travel(source: str, onto: str) -> None:
    past = _past(source)
    if past:
        now = held()
        st.session_state[source] = past[:-1]
        st.session_state[onto] = (*_past(onto), now)[-MOST_UNDONE:]
        _put(replace(past[-1], based=based_after(past[-1], now)), now.draft or past[-1].draft)


def _past(key: str) -> tuple[Held, ...]:
    found: tuple[Held, ...] = st.session_state.get(key, ())
    return found


def can_undo() -> bool:
    """Return True where there is a state with files to go back to."""
    past = _past(keys.BEFORE)
    return bool(past) and not past[-1].empty


def can_redo() -> bool:
    """Return True where something was undone."""
    return bool(_past(keys.AFTER))


def add_files(
    uploads: Sequence[Upload | OnDisk], progress: Progress | None = None, kept: Sequence[TableMapping] = ()
) -> None:
    """Read files and add them to those of the session.

    Tables are read as the person said in this session, else as one of the mappings says that are `kept`.
    """
    now = held()
    loaded = load(uploads, progress, held=now.files, mappings=(*now.mappings, *kept), decided=now.decided)
    originals.keep(uploads, loaded.files)
    set_held(_with(replace(now, refused=still_refused(now.refused, loaded)), loaded))


def read_again(names: Collection[str], said: tuple[TableMapping, ...], kept: Sequence[TableMapping] = ()) -> None:
    """Read tables of the session once more; from now on the session says `said` of columns, and then what is `kept`."""
    now = held()
    files = tuple(file for file in now.files if file.name not in names)
    again = [upload for upload in now.tables if upload.name in names]
    loaded = load(again, held=files, mappings=(*said, *kept), decided=now.decided)
    refused = still_refused([each for each in now.refused if each.file not in names], loaded)
    set_held(_with(replace(now, files=files, mappings=said, refused=refused), loaded))


def decide(decided: Regrouping) -> None:
    """Replace what the person decided about runs and levels."""
    now = held()
    loaded = arrange(now.files, decided)
    set_held(_with(replace(now, decided=decided, refused=still_refused(now.refused, loaded)), loaded))


def keep_out(levels: Iterable[str], reason: str) -> None:
    """Keep levels out of the fit for a reason, or take them in again where it is empty."""
    decide(excluding(held().decided, levels, reason))


def tell(run_id: str, conditions: Mapping[str, str | int | float], others: Iterable[Run] = ()) -> None:
    """Keep what a person said of a run in place of what was said before, and fill it in for others where unknown."""
    told = retold(held().told, levels_of(run_id), replace(edits_of(run_id), conditions=dict(conditions)))
    for other in others:
        before = edits_of(other.id)
        new = {name: value for name, value in conditions.items() if getattr(other.conditions, name) is None}
        told = retold(told, levels_of(other.id), replace(before, conditions={**new, **before.conditions}))
    set_held(replace(held(), told=told))


def has_files(run_id: str) -> bool:
    """Return True for a run that was read from files of this session: its levels can be arranged anew."""
    return run_id in held().ways


def _with(now: Held, loaded: Loaded) -> Held:
    files = now.files if len(loaded.files) == len(now.files) else loaded.files
    return replace(
        now,
        files=files,
        read=loaded.runs,
        read_members=loaded.members,
        doubts=loaded.doubts,
        ways=loaded.ways,
        tables=together((*now.tables, *loaded.tables)),
    )


def open_runs(
    runs: tuple[Run, ...],
    asked: Ask,
    method: tuple[str, str],
    *,
    decision: tuple[DecisionColumn, ...] = (),
    based: Based | None = None,
    copied: Copied | None = None,
) -> None:
    """Put the runs and the question of a saved scenario into the session.

    Args:
        runs: as saved.
        asked: the question.
        method: what answered it, and the constants of that.
        decision: the person's own columns.
        based: the version that it is, None for a copy of somebody else's.
        copied: what it is an own copy of.
    """
    st.session_state[keys.OPENED] = method
    st.session_state[keys.CHOSEN] = True
    opened = Held(opened=runs, based=based, copied=copied, decision=decision)
    set_held(opened, other=True, settled=based is not None, asked=asked)
    set_ask(asked)


def rebase(based: Based) -> None:
    """Say that what is held is now this saved version; nothing else changes, and nothing is to be undone."""
    changed = replace(held(), based=based)
    st.session_state[keys.HELD] = drafts.keep(changed, links.to_params(ask()), changed.draft, settled=True)


def set_edits(run_id: str, edits: Edits) -> None:
    """Replace a person's changes to one run."""
    now = held()
    set_held(replace(now, told=retold(now.told, levels_of(run_id), edits)))


def edits_of(run_id: str) -> Edits:
    """Return a person's changes to one run."""
    return told_of(levels_of(run_id), held().told)


def levels_of(run_id: str) -> tuple[str, ...]:
    """Return the keys of a run's levels."""
    return flat(held().members.get(run_id, ()))


def runs() -> tuple[Run, ...]:
    """Return the runs as the person changed them."""
    return held().shown


def seed(key: str, value: object) -> None:
    """Make a widget show what the session holds: its own memory does not outlive a change of page.

    Where a page has just been opened every field is filled anew: the same field of another page has left its value
    behind, and none of that is shown.
    """
    if st.session_state.get(keys.ARRIVED) or st.session_state.get(key) != value:
        st.session_state[key] = value
