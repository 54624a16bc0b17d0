"""The watched folder on the Data page."""

from __future__ import annotations

from tests.pages.conftest import at_page, calm, words

ROWS = "".join(
    f'{{"request_id": {i}, "start_time_ms": {i * 10}, "ttft_ms": {50 + i}, "e2e_ms": {500 + i}, "output_tokens": 20}}\n'
    for i in range(60)
)


def test_without_a_watched_folder_nothing_is_offered(visit, monkeypatch):
    monkeypatch.delenv("PLIMSOLL_INBOX", raising=False)
    assert not at_page(visit(), "data").multiselect


def test_a_file_on_the_server_is_taken_in(visit, monkeypatch, tmp_path):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "requests_concurrency_8.jsonl").write_text(ROWS)
    monkeypatch.setenv("PLIMSOLL_INBOX", str(inbox))
    app = at_page(visit(), "data")
    (offered,) = app.multiselect
    assert [option.split(" · ")[0] for option in offered.options] == ["requests_concurrency_8.jsonl"]
    app = calm(offered.select(offered.options[0]).run())
    app = calm(app.button(key="inbox_take").click().run())
    assert any("requests_concurrency_8.jsonl" in str(frame.value.to_dict()) for frame in app.dataframe)


def test_a_watched_folder_that_is_gone_is_told_of(visit, monkeypatch, tmp_path):
    monkeypatch.setenv("PLIMSOLL_INBOX", str(tmp_path / "gone"))
    assert "cannot be read" in words(at_page(visit(), "data"))
