"""Whether a request came through, was cut off or failed, from whatever a row says about it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.ingest.request_block import Block
from core.ingest.request_columns import RequestColumn
from core.ingest.request_log import CUT_OFF, FAILED, GOOD
from core.model.stage import FloatArray

_YES = frozenset({
    "true", "1", "yes", "y", "t", "ok", "success", "successful", "succeeded", "completed", "complete", "passed", "pass",
    "done", "finished", "성공", "완료", "成功", "完成",
})  # fmt: skip
_NO_ERROR = frozenset({"0", "false", "no", "n", "f", "ok", "success", "none", "no error", "없음", "无", "200"})
_ENDED = frozenset({"cancelled", "canceled", "aborted", "incomplete", "interrupted", "stopped", "취소", "取消"})
_WARM = ("warm",)


def states_of(block: Block, columns: Iterable[RequestColumn]) -> FloatArray:
    """Return for each row `GOOD`, `FAILED` or `CUT_OFF`; where several columns tell, the worse holds.

    A row that says nothing of its outcome is good: whether anything was measured is looked at elsewhere.
    """
    states = np.full(block.rows, GOOD)
    for column in columns:
        labels = block.labels.get(column.name)
        if labels is None:
            continue
        told = np.array([_state(column.role, value) for value in labels.values])
        if not told.any():
            continue
        # Cut off by hand is no failure of the server's, whatever text stands beside it.
        states = np.maximum(states, told[labels.codes])
    return states


def is_warm_up(block: Block, columns: Iterable[RequestColumn]) -> FloatArray:
    """Return 1 for each row that belongs to a warm-up, else 0."""
    warm = np.zeros(block.rows)
    for column in columns:
        labels = block.labels.get(column.name)
        if labels is not None:
            flag = "warm" in column.name.casefold()
            told = np.array([float(_is_warm(value, flag=flag)) for value in labels.values])
            warm = np.maximum(warm, told[labels.codes])
    return warm


def _state(role: str, value: str | None) -> float:
    word = value.casefold() if value is not None else None
    if role == "success":
        return GOOD if word in _YES else CUT_OFF if word in _ENDED else FAILED
    if word is None:
        return GOOD
    if role == "error":
        return GOOD if word in _NO_ERROR else CUT_OFF if word in _ENDED else FAILED
    if role == "cancelled":
        return GOOD if word in _NO_ERROR else CUT_OFF
    if word in _ENDED:
        return CUT_OFF
    return GOOD if word in _YES or (len(word) == 3 and word.isdigit() and word[0] == "2") else FAILED


def _is_warm(value: str | None, *, flag: bool) -> bool:
    word = (value or "").casefold()
    return word in _YES if flag else any(part in word for part in _WARM)
