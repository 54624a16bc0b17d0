"""Bodies that are too large, too slow or lie about their length."""

from __future__ import annotations

import asyncio
import time

import pytest

from serve.bodies import FRAMING_BYTES, SMALL_BYTES, Bodies
from tests.serve.front import client, echo

UPLOAD = "/_stcore/upload_file/session/file"
MOST = 200 * 1024 * 1024 + FRAMING_BYTES


def refused(headers: dict[str, str], path: str = UPLOAD) -> int:
    """Return the answer to a request that announces something, whose body is never asked for."""
    sent: list[dict] = []

    async def never():
        pytest.fail("the body was read")

    async def send(message):
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "PUT", "path": path, "headers": raw, "query_string": b""}
    asyncio.run(Bodies(echo)(scope, never, send))
    assert (b"connection", b"close") in sent[0]["headers"]
    return sent[0]["status"]


def test_what_announces_too_much_is_refused_unread():
    assert refused({"content-length": str(MOST + 1)}) == 413
    assert refused({"content-length": "9" * 5000}) == 413
    assert refused({"content-length": str(SMALL_BYTES + 1)}, "/anything") == 413


@pytest.mark.parametrize("length", ["-1", "1e3", "0x10", "", "1,2", "٣"])
def test_a_length_that_is_no_number_is_refused_unread(length):
    sent: list[dict] = []

    async def never():
        pytest.fail("the body was read")

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "PUT", "path": UPLOAD, "query_string": b""}
    asyncio.run(Bodies(echo)({**scope, "headers": [(b"content-length", length.encode("utf-8"))]}, never, send))
    assert sent[0]["status"] == 400


def test_two_lengths_are_refused():
    sent: list[dict] = []

    async def never():
        pytest.fail("the body was read")

    async def send(message):
        sent.append(message)

    headers = [(b"content-length", b"1"), (b"content-length", b"2")]
    scope = {"type": "http", "method": "PUT", "path": UPLOAD, "query_string": b"", "headers": headers}
    asyncio.run(Bodies(echo)(scope, never, send))
    assert sent[0]["status"] == 400


def test_what_announces_nothing_is_stopped_where_it_is_too_much():
    taken = 0

    def endless():
        nonlocal taken
        for _ in range(1000):
            taken += 1024
            yield b"x" * 1024

    assert client().post("/anything", content=endless()).status_code == 413
    assert client().post("/anything", content=b"x" * SMALL_BYTES).json()["size"] == SMALL_BYTES
    assert client().put(UPLOAD, content=b"x" * 3_000_000).json()["size"] == 3_000_000


def answer_to(chunks, **bounds) -> tuple[int, float]:
    """Return the answer to a body that comes as (pause, bytes), and how long it took."""
    sent: list[dict] = []
    coming = iter(chunks)

    async def receive():
        pause, part = next(coming)
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": part, "more_body": True}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "PUT", "path": UPLOAD, "query_string": b"", "headers": []}
    begun = time.monotonic()
    asyncio.run(Bodies(echo, **bounds)(scope, receive, send))
    return sent[0]["status"], time.monotonic() - begun


def test_a_sender_that_falls_silent_is_not_waited_for():
    status, took = answer_to([(0, b"a"), (60, b"b")], silence_s=0.1)
    assert status == 408
    assert took < 5


def test_a_sender_that_drips_is_not_waited_for():
    status, took = answer_to(((0.02, b"a") for _ in range(10_000)), silence_s=5, grace_s=0.2)
    assert status == 408
    assert took < 5
