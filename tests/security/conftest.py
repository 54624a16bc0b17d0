"""A store of its own for each attack, on each database."""

from __future__ import annotations

import pytest

from core.store.store import open_store


@pytest.fixture
def store(url):
    opened = open_store(url)
    yield opened
    opened.close()
