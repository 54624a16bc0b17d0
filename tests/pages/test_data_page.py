"""The Data page: what was recognised, what is doubtful, what a person may change."""

from __future__ import annotations

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from pages.parts import keys
from pages.parts.doubts import title
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SAFE, SWEEP, drop


def test_files_conditions_and_levels_are_shown(visit):
    app = at_page(drop(visit(), {**SWEEP, "broken.json": b"{"}), "data")
    frames = [each.value for each in app.dataframe]
    assert len(frames[0]) == len(SWEEP)
    assert "example/model-8b" in frames[1].to_string()
    assert len(frames[2]) == len(SWEEP)
    assert "broken.json" in words(app)


def test_what_the_files_do_not_say_can_be_added_and_is_marked(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    run = app.session_state[keys.HELD].shown[0]
    app.text_input(key=keys.of(keys.CONDITION, run.id, "accelerator")).set_value("H100")
    app.number_input(key=keys.of(keys.CONDITION, run.id, "accelerator_count")).set_value(8)
    press(app, keys.of(keys.CONDITIONS_SAVE, run.id))
    changed = app.session_state[keys.HELD].shown[0]
    assert (changed.conditions.accelerator, changed.conditions.accelerator_count) == ("H100", 8)
    assert set(changed.asked) == {"accelerator", "accelerator_count"}
    assert "8 × H100" in words(at_page(app, "plan"))


def test_a_level_can_be_kept_out_with_a_reason_and_taken_in_again(visit):
    app = drop(visit(t=["ttft-p99-300ms"]), SWEEP)
    before = SAFE.search(words(app))[1]
    at_page(app, "data")
    run = app.session_state[keys.HELD].shown[0]
    app.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, run.id)).set_value(64.0)
    app.text_input(key=keys.of(keys.EXCLUDE_WHY, run.id)).set_value("another job ran")
    press(app, keys.of(keys.EXCLUDE, run.id, "go"))
    excluded = {stage.load: stage.excluded for stage in app.session_state[keys.HELD].shown[0].stages}
    assert excluded[64.0] == "another job ran"
    assert "another job ran" in words(app)
    assert SAFE.search(words(at_page(app, "plan")))[1] != before
    at_page(app, "data")
    calm(next(each for each in app.button if str(each.key).startswith(keys.INCLUDE)).click().run())
    assert SAFE.search(words(at_page(app, "plan")))[1] == before


def test_a_level_is_not_kept_out_without_a_reason(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    run = app.session_state[keys.HELD].shown[0]
    app.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, run.id)).set_value(64.0)
    press(app, keys.of(keys.EXCLUDE, run.id, "go"))
    assert all(stage.excluded is None for stage in app.session_state[keys.HELD].shown[0].stages)


def test_a_new_visitor_is_offered_the_drop_box(visit):
    app = at_page(visit(), "data")
    assert len(app.file_uploader) == 1
    assert "No files are held yet" in words(app)


def test_many_files_that_were_not_used_become_one_table_on_both_pages(visit):
    app = drop(visit(), {**SWEEP, **{f"logs/{n}.json": b"{" for n in range(5)}})
    for page in ("plan", "data"):
        at_page(app, page)
        assert not [each for each in app.warning if "logs/" in each.value]
        assert [each.label for each in app.expander if "not used" in each.label] == ["5 files were not used"]
        table = next(each.value for each in app.dataframe if "What to do" in each.value.columns)
        assert [name.split(" ")[0] for name in table["File"]] == [f"logs/{n}.json" for n in range(5)]


def test_files_and_levels_are_both_counted(visit):
    assert "Files read: 6 · runs: 1 · levels used: 6, left out: 0" in words(drop(visit(), SWEEP))


def test_one_doubt_is_a_finding_and_none_is_no_plural_of_it():
    one = Finding(code="a.b", severity=Severity.INFO, where=Place("a"), what=t("Seen"))
    assert [title([one] * n).render("en") for n in (0, 1, 2)] == [
        "Doubts (0 findings)",
        "Doubts (1 finding)",
        "Doubts (2 findings)",
    ]
