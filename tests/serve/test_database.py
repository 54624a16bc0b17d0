"""Probes of the database end within their bound, also where it hangs."""

from __future__ import annotations

import asyncio
import threading
import time

from core.store.readiness import Readiness
from serve import database
from serve.database import Database


class Hanging:
    """Stands in for a probe whose database accepts and says nothing."""

    def __init__(self) -> None:
        self.asked, self.let_go = 0, threading.Event()

    def ask(self) -> Readiness:
        self.asked += 1
        self.let_go.wait(30)
        return Readiness.READY

    def close(self) -> None:
        pass


def test_a_database_that_hangs_is_unreachable_and_holds_one_thread(monkeypatch):
    probe = Hanging()
    monkeypatch.setattr(database, "Probe", lambda _url: probe)

    async def ask_often() -> tuple[list[Readiness], Readiness]:
        asked = Database(lambda: "x", bound_s=0.2)
        try:
            told = await asyncio.gather(*(asked.ready() for _ in range(20)))
            probe.let_go.set()
            return list(told), await asked.ready()
        finally:
            asked.close()

    begun = time.monotonic()
    told, afterwards = asyncio.run(ask_often())
    assert set(told) == {Readiness.UNREACHABLE}
    assert afterwards is Readiness.READY
    assert probe.asked <= 2
    assert time.monotonic() - begun < 5


def test_an_address_that_nobody_can_follow_is_told_apart(tmp_path):
    async def state(url: str) -> Readiness:
        asked = Database(lambda: url)
        try:
            return await asked.ready()
        finally:
            asked.close()

    assert asyncio.run(state("mysql://nowhere/x")) is Readiness.UNUSABLE
    assert asyncio.run(state(f"sqlite:///{tmp_path / 'new' / 'plimsoll.db'}")) is Readiness.BEHIND


def test_preparing_waits_for_a_database_that_comes_later(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PAUSES_S", (0.05,))
    place = tmp_path / "later"
    place.write_text("in the way")

    async def prepared() -> Readiness:
        asked = Database(lambda: f"sqlite:///{place}/plimsoll.db")
        preparing = asyncio.create_task(asked.prepare())
        await asyncio.sleep(0.2)
        assert not preparing.done()
        place.unlink()
        await asyncio.wait_for(preparing, 20)
        try:
            return await asked.ready()
        finally:
            asked.close()

    assert asyncio.run(prepared()) is Readiness.READY
