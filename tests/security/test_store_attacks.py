"""Attacks on the store's own methods: roles bypassed, ids guessed, text that means something to a database.

Every public method of the store and of what hangs on it has a rule here; one without a rule fails the test.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import PlimsollError
from core.model.person import NOBODY, Person, Role
from core.store.drafts import Work
from tests.databases import behind
from tests.store.store_build import A_MAPPING, a_scenario

SECRET = "Zephyr"
"""In the name, the notes, the comment: nothing that is told to whoever may not know may hold it."""

OWNER = Person(id="owner", name="Olga", email="olga@example.org")
EDITOR = Person(id="editor", name="Edgar", email="edgar@example.org")
VIEWER = Person(id="viewer", name="Vera", email="vera@example.org")
STRANGER = Person(id="stranger", name="Stan", email="stan@example.org")
PEOPLE = {"nobody": NOBODY, "stranger": STRANGER, "viewer": VIEWER, "editor": EDITOR, "owner": OWNER}
RANKS = ("viewer", "editor", "owner")

WORK = Work()


def needs(least, *, nobody="store.not_found"):
    """Codes by person where a role in the scenario is needed: whoever has none finds nothing."""
    allowed = RANKS[RANKS.index(least) :]
    codes = {name: None if name in allowed else "store.not_allowed" for name in RANKS}
    return {"nobody": nobody, "stranger": "store.not_found"} | codes


def all_who_signed_in(*, nobody="store.sign_in_needed"):
    return dict.fromkeys(PEOPLE) | {"nobody": nobody}


def everybody():
    """Whoever asks is answered, with what is theirs; `silent` looks at the answers."""
    return dict.fromkeys(PEOPLE)


def own_team():
    return {
        "nobody": "store.no_team",
        "stranger": "store.no_team",
        "viewer": "store.not_allowed",
        "editor": "store.no_team",
        "owner": None,
    }


def own_comment():
    """Somebody else's looks as if it were not there, to all who do not own the scenario."""
    return dict.fromkeys(PEOPLE, "store.no_comment") | {"owner": None}


RULES = {
    "acting": "gives rights to whoever the caller says: pages pass the person who signed in",
    "close": "gives connections back",
    "save": (needs("editor", nobody="store.sign_in_needed"), lambda s, it: s.save(a_scenario("next"), it.id)),
    "list": (everybody(), lambda s, it: s.list() + s.list(archived=True) + s.list(deleted=True)),
    "entry": (needs("viewer"), lambda s, it: s.entry(it.id)),
    "versions": (needs("viewer"), lambda s, it: s.versions(it.id)),
    "load": (needs("viewer"), lambda s, it: s.load(it.id)),
    "restore": (needs("editor"), lambda s, it: s.restore(it.id, 1)),
    "duplicate": (needs("viewer", nobody="store.sign_in_needed"), lambda s, it: s.duplicate(it.id)),
    "rename": (needs("editor"), lambda s, it: s.rename(it.id, "other")),
    "tag": (needs("editor"), lambda s, it: s.tag(it.id, ["x"])),
    "archive": (needs("editor"), lambda s, it: s.archive(it.id)),
    "unarchive": (needs("editor"), lambda s, it: s.unarchive(it.id)),
    "delete": (needs("owner"), lambda s, it: s.delete(it.id)),
    "undelete": (needs("owner"), lambda s, it: s.undelete(it.id)),
    "shares.make": (needs("editor"), lambda s, it: s.shares.make(it.id)),
    "shares.of": (needs("editor"), lambda s, it: s.shares.of(it.id)),
    "shares.open": (all_who_signed_in(), lambda s, it: s.shares.open(it.inner)),
    "shares.look": (all_who_signed_in(), lambda s, it: s.shares.look(it.inner)),
    "shares.revoke": (needs("editor"), lambda s, it: s.shares.revoke(it.inner)),
    # The link is open: there is nothing to bring back. Whose withdrawal may be taken back: tests/store/test_shares.py.
    "shares.unrevoke": (needs("editor"), lambda s, it: s.shares.unrevoke(it.inner)),
    "comments.add": (needs("viewer", nobody="store.sign_in_needed"), lambda s, it: s.comments.add(it.id, "hello", 1)),
    "comments.of": (needs("viewer"), lambda s, it: s.comments.of(it.id)),
    "comments.counts": (everybody(), lambda s, it: s.comments.counts([it.id])),
    "comments.delete": (own_comment(), lambda s, it: s.comments.delete(it.comment)),
    "comments.undelete": (own_comment(), lambda s, it: s.comments.undelete(it.comment)),
    "people.seen": "keeps who signed in: the caller is the gate",
    "people.who": (needs("owner"), lambda s, it: s.people.who(it.id)),
    "people.give": (needs("owner"), lambda s, it: s.people.give(it.id, "email", "x@example.org", Role.OWNER)),
    "people.take": (needs("owner"), lambda s, it: s.people.take(it.id, "email", VIEWER.email)),
    "people.teams.list": (everybody(), lambda s, it: s.people.teams.list()),
    "people.teams.make": (all_who_signed_in(), lambda s, it: s.people.teams.make("Another")),
    "people.teams.rename": (own_team(), lambda s, it: s.people.teams.rename(it.team, "Other")),
    "people.teams.delete": (own_team(), lambda s, it: s.people.teams.delete(it.team)),
    "people.teams.undelete": (own_team(), lambda s, it: s.people.teams.undelete(it.team)),
    "people.teams.put": (own_team(), lambda s, it: s.people.teams.put(it.team, "x@example.org", Role.OWNER)),
    "people.teams.drop": (own_team(), lambda s, it: s.people.teams.drop(it.team, VIEWER.email)),
    "audit.of": (needs("owner"), lambda s, it: s.audit.of(it.id)),
    "audit.all": (dict.fromkeys(PEOPLE, "store.not_allowed"), lambda s, it: s.audit.all()),
    "drafts.keep": (all_who_signed_in(), lambda s, it: s.drafts.keep(WORK, {})),
    "drafts.ask": (everybody(), lambda s, it: s.drafts.ask(it.draft, {"t": ["changed"]})),
    "drafts.find": (everybody(), lambda s, it: s.drafts.find(it.draft)),
    "drafts.mine": (everybody(), lambda s, it: s.drafts.mine()),
    "drafts.discard": (everybody(), lambda s, it: s.drafts.discard(it.draft)),
    "drafts.bring_back": (everybody(), lambda s, it: s.drafts.bring_back(it.draft)),
    "preferences.get": (everybody(), lambda s, it: s.preferences.get("logo")),
    "preferences.set": (all_who_signed_in(), lambda s, it: s.preferences.set("logo", b"mine")),
    # Nothing is kept, and nobody asked, unless a setting says so.
    "originals.keep": (everybody(), lambda s, it: s.originals.keep((), ())),
    "originals.of": (needs("editor"), lambda s, it: s.originals.of(it.id, 1)),
    "originals.open": (
        needs("editor") | dict.fromkeys(("editor", "owner"), "store.no_original"),
        lambda s, it: s.originals.open(it.id, 1, "0" * 64),
    ),
    "backups.is_empty": (dict.fromkeys(PEOPLE, "store.not_allowed"), lambda s, it: s.backups.is_empty()),
    "backups.to": (dict.fromkeys(PEOPLE, "store.not_allowed"), lambda s, it: s.backups.to(Path("/nowhere"))),
    "backups.stream": (dict.fromkeys(PEOPLE, "store.not_allowed"), lambda s, it: s.backups.stream(BytesIO())),
    "backups.restore": (dict.fromkeys(PEOPLE, "store.not_allowed"), lambda s, it: s.backups.restore(BytesIO())),
    "mappings.keep": (all_who_signed_in(), lambda s, it: s.mappings.keep(A_MAPPING)),
    "mappings.list": (everybody(), lambda s, it: s.mappings.list()),
    "mappings.rename": (all_who_signed_in(), lambda s, it: s.mappings.rename(it.mapping, "other")),
    "mappings.delete": (all_who_signed_in(), lambda s, it: s.mappings.delete(it.mapping)),
    "mappings.restore": (all_who_signed_in(), lambda s, it: s.mappings.restore(it.mapping)),
}
"""By method: what each person is told (None: it is done) and the call; or why no person is asked for."""

SHARED_BY_ALL = {"mappings.list"}
"""What columns of tables mean is everybody's who signed in; `Zephyr` stands in none of them."""


def methods(thing, prefix=""):
    """Every public method of a thing and of the things of the store that hang on it."""
    for name, _ in inspect.getmembers(type(thing), callable):
        if not name.startswith("_"):
            yield prefix + name
    for name, part in vars(thing).items():
        if not name.startswith("_") and type(part).__module__.startswith("core.store."):
            yield from methods(part, f"{prefix}{name}.")


def prepared(store):
    """A scenario with everything that can hang on it, and roles of each kind."""
    for who in (OWNER, EDITOR, VIEWER, STRANGER):
        store.people.seen(who)
    own = store.acting(OWNER)
    saved = own.save(replace(a_scenario(f"{SECRET} plan"), notes=f"{SECRET} notes"), tags=[SECRET])
    own.people.give(saved.id, "email", EDITOR.email, Role.EDITOR)
    own.people.give(saved.id, "person", VIEWER.id, Role.VIEWER)
    team = own.people.teams.make(f"{SECRET} team")
    own.people.teams.put(team.id, VIEWER.email, Role.VIEWER)
    own.preferences.set("logo", SECRET.encode())
    (mapping,) = own.mappings.keep(A_MAPPING)
    return SimpleNamespace(
        id=saved.id,
        team=team.id,
        comment=own.comments.add(saved.id, f"{SECRET} comment", 1).id,
        draft=own.drafts.keep(WORK, {"t": [SECRET]}).id,
        inner=own.shares.make(saved.id, public=False).token,
        mapping=mapping.id,
    )


def told(call):
    """Return (code, answer): the code of a refusal, None where it was done."""
    try:
        return None, call()
    except PlimsollError as error:
        return error.code, f"{error} {error.what} {error.fix} {error.place}"


def everything(url):
    """All rows of all tables, without what counts views."""
    with behind(url) as run:
        tables = ("scenario", "head", "share", "comment", "team", "member", "access", "event", "draft", "preference")
        return {table: sorted(map(repr, run(f"SELECT * FROM {table}"))) for table in (*tables, "mapping")}


def test_every_public_method_has_a_rule(store):
    found = {name for name in methods(store) if not name.startswith("blobs.")}
    assert found == set(RULES)


def test_pages_never_reach_past_the_rules(root):
    """Blobs ask for no person; only the store's own modules may hold one, and a session never leaves it."""
    for path in [*root.glob("pages/**/*.py"), *root.glob("serve/**/*.py"), root / "app.py"]:
        text = path.read_text(encoding="utf-8")
        assert ".blobs." not in text, path
        assert "store._" not in text, path


@pytest.mark.parametrize("name", PEOPLE)
def test_each_person_may_do_what_the_rule_says_and_nothing_else(store, url, name):
    acting = store.acting(PEOPLE[name])
    shared = prepared(store)
    before = everything(url)
    ruled = {method: rule for method, rule in RULES.items() if not isinstance(rule, str)}
    for method, (codes, call) in ruled.items():
        if codes[name] is not None:
            code, answer = told(lambda call=call: call(acting, shared))
            assert code == codes[name], method
            assert SECRET not in answer, method
    assert everything(url) == before
    for method, (codes, call) in ruled.items():
        if codes[name] is None:
            code, answer = told(lambda call=call: call(acting, prepared(store) if name in RANKS else shared))
            assert code is None, (method, answer)
            if name in ("nobody", "stranger") and method not in (*SHARED_BY_ALL, "shares.open", "shares.look"):
                assert SECRET not in repr(answer), method
                assert shared.id not in repr(answer), method


def test_whoever_has_no_role_changes_nothing_of_others(store, url):
    it = prepared(store)
    own = store.acting(OWNER)
    for who in (NOBODY, STRANGER):
        other = store.acting(who)
        other.drafts.ask(it.draft, {"t": ["changed"]})
        other.drafts.discard(it.draft)
        told(lambda other=other: other.preferences.set("logo", b"mine"))
        assert other.drafts.find(it.draft) is None
    assert own.drafts.find(it.draft).question == {"t": [SECRET]}
    assert [each.id for each in own.drafts.mine()] == [it.draft]
    assert own.preferences.get("logo") == SECRET.encode()


WITHOUT_AN_ID = ("list", "make", "all", "keep", "mine", "set", "get")

HOSTILE = (
    "' OR 1=1 --",
    '"; DROP TABLE scenario; --',
    "%",
    "_",
    "\\",
    "%' ESCAPE '\\",
    "\x00",
    "a\x00b",
    "\ud800",
    "😀" * 3,
    "..%2f..",
    "0" * 32,
    "{0.__class__}",
    ":id",
    "?",
    "$1",
    "%(id)s",
    "x" * 1_000_000,
    "",
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:24])
def test_an_id_that_is_none_finds_nothing(store, url, text):
    it = prepared(store)
    before = everything(url)
    fake = SimpleNamespace(id=text, team=text, comment=text, draft=text, inner=text, mapping=text)
    for method, rule in RULES.items():
        if (
            isinstance(rule, str)
            or method.startswith("backups.")
            or (method.split(".")[-1] in WITHOUT_AN_ID and method != "shares.make")
        ):
            continue
        code, answer = told(lambda rule=rule: rule[1](store.acting(OWNER), fake))
        if method.startswith("drafts.") or method == "comments.counts":
            assert code in (None, "store.text")
            assert not answer or code
        else:
            assert code in ("store.not_found", "store.no_team", "store.no_mapping", "store.no_comment"), (method, code)
    assert everything(url) == before
    assert store.load(it.id)[1].name == f"{SECRET} plan"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:24])
def test_text_is_text_wherever_a_person_may_write_it(store, url, text):
    """It is kept, cleaned, or refused with a sentence; it never reaches a database as something else."""
    it = prepared(store)
    own = store.acting(OWNER)
    attempts = {
        "name": lambda: own.save(a_scenario(text), it.id),
        "notes": lambda: own.save(replace(a_scenario("n"), notes=text), it.id),
        "message": lambda: own.save(a_scenario("m"), it.id, message=text),
        "rename": lambda: own.rename(it.id, text),
        "tag": lambda: own.tag(it.id, [text]),
        "label": lambda: own.shares.make(it.id, label=text),
        "comment": lambda: own.comments.add(it.id, text, 1),
        "team": lambda: own.people.teams.make(text),
        "address": lambda: own.people.give(it.id, "email", text, Role.VIEWER),
        "person": lambda: own.people.give(it.id, "person", text, Role.VIEWER),
        "kind": lambda: own.people.give(it.id, text, OWNER.id, Role.VIEWER),
        "take": lambda: own.people.take(it.id, text, text),
        "preference": lambda: own.preferences.set(text, b"1"),
        "preferred": lambda: own.preferences.get(text),
        "mapping": lambda: own.mappings.keep(replace(A_MAPPING, name=text)),
        "search": lambda: own.list(search=text),
        "tags": lambda: own.list(tags=[text]),
        "forked": lambda: own.save(a_scenario("f"), forked_from=text),
        "signed in": lambda: store.people.seen(Person(id=f"x{text}", name=text, email=None)),
        "author": lambda: store.acting(Person(id="long", name=text)).save(a_scenario("by")),
    }
    for what, attempt in attempts.items():
        code, answer = told(attempt)
        assert code not in ("store.unavailable", "store.damaged", "store.busy"), (what, answer)
    assert own.load(it.id, 1)[1].name == f"{SECRET} plan"
    with behind(url) as run:
        assert run("SELECT count(*) FROM scenario")[0][0] >= 1


def test_a_search_looks_for_what_was_written_and_not_for_patterns(store):
    for name in ("100 % sure", "under_score", "back\\slash", "plain"):
        store.save(a_scenario(name))
    found = {
        text: sorted(each.name for each in store.list(search=text)) for text in ("%", "_", "\\", "a%e", "pl_in", "'")
    }
    assert found == {"%": ["100 % sure"], "_": ["under_score"], "\\": ["back\\slash"], "a%e": [], "pl_in": [], "'": []}


def test_searching_folds_letters_alike_on_each_database(store):
    for name in ("Émile Zürich", "서울 리전 가격", "ＧＰＵ Straße", "İstanbul"):
        store.save(a_scenario(name))

    def names(text):
        return [each.name for each in store.list(search=text)]

    assert names("éMILE") == names("E\u0301mile") == names("zÜRICH") == ["Émile Zürich"]
    assert names("서울") == names("가격 리전") == names("서울".encode().decode()) == ["서울 리전 가격"]
    assert names("gpu") == names("STRASSE") == ["ＧＰＵ Straße"]
    assert names("서울 gpu") == []


def test_reading_a_link_again_and_again_teaches_nothing(store):
    it = prepared(store)
    stranger = store.acting(NOBODY)
    answers = {
        told(lambda token=token: stranger.shares.open(token)) for token in (it.inner[:-1], it.id, "x" * 24, "", "%")
    }
    assert len(answers) == 1
    assert next(iter(answers))[0] == "store.not_found"


def test_the_rules_are_asked_of_the_database_each_time(store):
    """A role that was taken away ends with the next call, in a session that is already open."""
    it = prepared(store)
    viewer = store.acting(VIEWER)
    assert viewer.load(it.id)[1].name == f"{SECRET} plan"
    store.acting(OWNER).people.take(it.id, "person", VIEWER.id)
    assert told(lambda: viewer.load(it.id))[0] == "store.not_found"
    assert viewer.list() == ()
