"""Results of the speed benchmark: read from what was printed, written as text, kept section by section."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.speed import results
from benchmarks.speed.client import Tab, key_of
from benchmarks.speed.measure import Row, timed
from benchmarks.speed.reading import parse
from benchmarks.speed.server import Server
from benchmarks.speed.sessions import ratios


def test_what_a_reading_printed_is_read_back():
    printed = b'{"cpu_s": 2.5, "requests": 7, "upload_mb": 200.0, "before_mb": 240.0, "peak_mb": 350.5}\n'
    reading = parse(printed)
    assert (reading.cpu_s, reading.requests, reading.peak_mb - reading.upload_mb) == (2.5, 7, 150.5)
    with pytest.raises(TypeError):
        parse(b'{"cpu_s": 2.5}')


def test_a_line_says_whether_it_is_within_its_budget():
    text = results.table(
        [
            Row(what="one", value=5.0, unit="MB", budget=5.0),
            Row(what="two", value=5.01, unit="MB", budget=5.0, note="why"),
            Row(what="three", value=1234.5, unit="MB"),
            timed("four", 0.03, 100.0, 0.02),
        ]
    )
    lines = text.splitlines()[2:]
    assert lines[0] == "| one | 5.00 | MB |  | 5 | within |  |"
    assert lines[1] == "| two | 5.01 | MB |  | 5 | **over** | why |"
    assert lines[2] == "| three | 1234 | MB |  |  |  |  |"
    assert lines[3] == "| four | 30.0 | ms CPU | 1.50 | 100 | within |  |"


def test_a_section_that_is_not_measured_again_is_kept(tmp_path):
    path = tmp_path / "results.md"
    names = ["answers", "reading", "pages"]
    results.write(path, {"reading": "old reading\n"}, names)
    results.write(path, {"pages": "pages\n", "answers": "answers\n"}, names)
    text = results.write(path, {"pages": "new pages\n"}, names)
    assert path.read_text(encoding="utf-8") == text
    assert results.sections_of(text) == {"answers": "answers\n", "reading": "old reading\n", "pages": "new pages\n"}


def test_the_ratio_is_of_the_slow_moves_not_of_the_typical_ones():
    alone = [(1.0, 0.1)] * 21
    beside = [(1.0, 0.1)] * 19 + [(3.0, 0.1)] * 2
    assert [row.value for row in ratios(alone, beside, 5)] == [3.0, 1.0]


def test_a_widget_is_known_by_its_key():
    assert key_of("$$ID-0123456789abcdef0123456789abcdef-chart_scale_a-b") == "chart_scale_a-b"


class Line:
    """A websocket that has a few messages to tell."""

    def __init__(self, *messages):
        self.messages = list(messages)
        self.sent = []

    async def send(self, data):
        self.sent.append(data)

    async def recv(self, *, decode):
        return self.messages.pop(0).SerializeToString()


def test_a_run_that_another_one_cut_short_is_not_the_end():
    drawn = ForwardMsg()
    drawn.delta.new_element.number_input.id = "$$ID-0123456789abcdef0123456789abcdef-limit"
    told = ForwardMsg()
    told.page_info_changed.query_string = "t=1"
    failed = ForwardMsg()
    failed.delta.new_element.exception.type = "ValueError"
    cut = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
    ended = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    tab = Tab(Server(1, 1))
    tab._socket = line = Line(drawn, cut, told, failed, ended, drawn)
    asyncio.run(tab.run())
    assert len(line.messages) == 1
    assert tab.ids["limit"].endswith("-limit")
    assert tab.query == "t=1"
    assert tab.failures == ["ValueError: "]
