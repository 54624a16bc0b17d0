"""What is stored and lies, or is merely strange, on every page that opens it: told in words, and the rest goes on."""

from __future__ import annotations

import json
from dataclasses import replace

from pages.parts import keys
from tests.databases import behind
from tests.pages.conftest import at_page, calm, press, visit, words
from tests.security.test_untrue_scenarios import ANSWER, LIES, kept, small, told_otherwise

__all__ = ["kept", "visit"]


def opened(visit, saved):
    """A visitor who has opened a scenario of the list."""
    return press(at_page(visit(), "scenarios"), keys.of(keys.REOPEN, saved.id))


def show(app, part):
    app.segmented_control(key=keys.SCENARIO_PART).set_value(part)
    return calm(app.run())


def test_pages_say_which_version_cannot_be_true_and_go_on(kept, visit):
    store, url, lying, _ = kept
    token = store.shares.make(lying.id).token
    told_otherwise(url, lying.id, LIES["a safe number above its range"])
    said = "cannot be true: a safe number lies above its whole range"
    app = opened(visit, lying)
    assert said in words(app)
    assert "1,000,000" not in words(app)
    assert "Version 1" in words(show(app, "versions"))
    shared = visit(**{keys.Q_SHARE: token})
    assert said in words(shared)
    assert "1,000,000" not in words(shared)
    store.save(replace(small(), name="Lying", notes="mended"), lying.id, based_on=1)
    app = opened(visit, lying)
    assert not app.error
    # The second version is true: comparing it with the first tells why that cannot be done, and both stay listed.
    compared = show(app, "versions")
    assert {"Version 1", "Version 2"} <= {line.strip("*") for line in words(compared).split("\n")}
    assert said in words(compared)


FUTURE = (("value", "method_version"), "knee/999")
GREEDY = {
    "code": "x.y",
    "severity": "warning",
    "where": {"file": "a.json", "line": 1, "field": None},
    "what": {"msgid": "{a.__class__.__mro__} {b:>999999999} {c}", "values": {"a": "A", "b": 1.0}},
    "consequence": None,
    "fix": None,
}
"""A sentence with places that ask for more than the values beside it."""


def test_what_is_strange_but_possible_is_shown_and_breaks_nothing(kept, visit):
    store, url, lying, _ = kept
    token = store.shares.make(lying.id).token
    told_otherwise(
        url, lying.id, FUTURE, (("value", "runs", 0, "findings"), [GREEDY]), ((*ANSWER, "findings"), [GREEDY])
    )
    with behind(url) as run:
        run("UPDATE scenario SET saved_at = '9999-12-31 23:59:59.000000' WHERE id = :id", {"id": lying.id})
        run("UPDATE head SET saved_at = '9999-12-31 23:59:59.000000' WHERE id = :id", {"id": lying.id})
    view, page = visit(**{keys.Q_SHARE: token}), opened(visit, lying)
    for app in (view, page):
        assert not app.error
        assert "9999-12-31" in words(app)
        assert "<class" not in words(app)
    report = at_page(press(page, keys.GO_ON), "report")
    assert not report.error
    assert "Lying" in words(report)
    assert "<class" not in words(report)


SUMMARIES = [
    '[{"label": "x", "kind": "measured", "status": "within", "safe": -5}]',
    '[{"label": "x", "kind": "measured", "status": "within", "estimate": {"low": 9.0, "mid": 2.0, "high": 1.0}}]',
    json.dumps([{"label": "x" * 1_000_000, "kind": "measured", "status": "within"}]),
    json.dumps([{"label": "\u202e\x00", "kind": "", "status": "certain", "currency": "<b>", "binding": "x y z"}]),
    json.dumps([{"label": str(n), "kind": "measured", "status": "within", "safe": 1} for n in range(50_000)]),
]


def test_the_list_stands_whatever_is_kept_beside_it(kept, visit):
    _, url, lying, _ = kept
    tags = json.dumps(["t" * 100_000, "\u202e", *map(str, range(1_000))])
    with behind(url) as run:
        run(
            "UPDATE head SET tags = :tags, name = :name WHERE id = :id",
            {"tags": tags, "name": "n" * 100_000, "id": lying.id},
        )
    app = at_page(visit(), "scenarios")
    for summary in SUMMARIES:
        with behind(url) as run:
            run("UPDATE scenario SET summary = :summary WHERE id = :id", {"summary": summary, "id": lying.id})
        app = calm(app.run())
        assert not app.error
        said = words(app)
        assert "Honest" in said
        assert len(said) < 20_000
        assert "-5" not in said
