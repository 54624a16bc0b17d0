"""The Report page: what is sent is what is in view, saved or not, in the person's language and colours."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from core.present.report.brand import Brand, brand_bytes, brand_of, own_logo
from core.settings import database_url
from core.store.store import open_store
from pages.parts import branding, keys
from tests.pages.conftest import at_page, press, words


@pytest.fixture
def store():
    opened = None

    def get():
        nonlocal opened
        opened = opened or open_store(database_url())
        return opened

    yield get
    if opened:
        opened.close()


def with_sample(visit):
    return press(visit(), keys.SAMPLE)


def test_without_files_it_says_where_to_begin(visit):
    app = at_page(visit(), "report")
    assert "Nothing to report yet" in words(app)
    assert not app.get("download_button")


def test_what_is_not_saved_is_said_to_be_unsaved_and_keeps_the_sentence(visit):
    app = at_page(with_sample(visit), "report")
    said = words(app)
    assert "Not saved yet" in said
    assert "22 concurrent requests, safely" in said
    assert len(app.get("download_button")) >= 8


def test_a_saved_version_stands_with_its_number_and_its_link(visit, store):
    app = with_sample(visit)
    app.text_input(key=keys.SAVE_NAME).set_value("Spring launch")
    press_form(app)
    entry = store().list()[0]
    link = store().shares.make(entry.id, label="for finance")
    app = at_page(app, "report")
    assert "Saved as Spring launch, version 1" in words(app)
    picked = app.selectbox(key=keys.of(keys.REPORT_LINK, None))
    assert link.token in picked.value
    assert any("for finance" in option for option in picked.options)
    assert all(link.token not in option for option in picked.options)


def test_documents_choose_no_link_by_themselves_that_shows_other_than_they_do(visit, store):
    app = press(visit(price="2.5/h"), keys.SAMPLE)
    app.text_input(key=keys.SAVE_NAME).set_value("Spring launch")
    press_form(app)
    (entry,) = store().list()
    bare = store().shares.make(entry.id, hide_prices=True)
    app = at_page(app, "report")
    assert app.selectbox(key=keys.of(keys.REPORT_LINK, False)).value == ""
    assert "Every link to this version hides prices" in words(app)
    app = app.checkbox(key=keys.REPORT_HIDE).check().run()
    assert app.selectbox(key=keys.of(keys.REPORT_LINK, True)).value == bare.token
    priced = store().shares.make(entry.id)
    app = app.checkbox(key=keys.REPORT_HIDE).uncheck().run()
    assert app.selectbox(key=keys.of(keys.REPORT_LINK, False)).value == priced.token


def press_form(app):
    button = next(each for each in app.button if each.form_id)
    return button.click().run()


def test_hidden_prices_stand_nowhere_on_the_page(visit):
    app = press(visit(price="2.5/h"), keys.SAMPLE)
    app = at_page(app, "report")
    assert "$" in words(app)
    app = app.checkbox(key=keys.REPORT_HIDE).check().run()
    assert not app.exception
    assert "$" not in words(app)


def test_the_documents_may_speak_another_language_than_the_screen(visit):
    app = at_page(with_sample(visit), "report")
    app = app.radio(key=keys.REPORT_LANGUAGE).set_value("ko").run()
    assert "동시 요청 22개" in words(app)
    assert "Take it with you" in words(app)


def test_an_own_accent_is_kept_for_the_next_visit_and_given_back(visit, store):
    app = at_page(with_sample(visit), "report")
    store().preferences.set(branding.PREFERENCE, brand_bytes(Brand(accent="#aa3300")))
    app = app.run()
    assert app.color_picker[0].value == "#aa3300"
    app = press(app, keys.BRAND_CLEAR)
    assert store().preferences.get(branding.PREFERENCE) is None


def test_a_preference_that_lies_leaves_the_page_with_plimsolls_own(visit, store):
    app = with_sample(visit)
    store().preferences.set(branding.PREFERENCE, b'{"accent": "red", "logo": "AAAA"}')
    app = at_page(app, "report")
    assert "22 concurrent requests" in words(app)


def test_a_kept_logo_is_decoded_once_more():
    picture = io.BytesIO()
    Image.new("RGB", (40, 20), "#123456").save(picture, "PNG")
    brand = Brand(logo=own_logo(picture.getvalue()), accent="#123456")
    assert brand_of(brand_bytes(brand)) == brand
