"""Rows that are put aside: what comes back is what went in, by group and in order, wherever it lay meanwhile."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest import spill
from core.ingest.spill import Spill
from core.settings import LIMITS

# Whole numbers beyond 2**24 and fractions do not fit in half the space; what is infinite or unknown does.
number = st.sampled_from([0.0, 1.0, 200.0, 16_777_217.0, 0.1, 1e300, -3.0, np.inf, np.nan])
column = st.none() | st.lists(number, min_size=7, max_size=7)
rows = st.tuples(st.integers(1, 7), st.lists(st.integers(0, 3), min_size=7, max_size=7), st.tuples(column, column))


@given(
    st.lists(rows, min_size=1, max_size=8),
    st.integers(1, 20),
    st.sampled_from([0, 5, 40, 10**6]),
    st.sampled_from([0, 10, 10**6]),
)
def test_what_is_put_aside_comes_back(added, flush, in_memory, keep):
    wanted = [[], [], [], []]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "FLUSH", flush)
        patch.setattr(spill, "LIMITS", dataclasses.replace(LIMITS, numbers_in_memory=in_memory))
        aside = Spill(2, "x", keep)
        for n, groups, columns in added:
            arrays = [None if values is None else np.array(values[:n]) for values in columns]
            aside.add(np.array(groups[:n]), arrays)
            for array in arrays:
                if array is not None:
                    array[:] = -1.0 if aside.on_disk else array  # what was copied need not stay
            for row in range(n):
                wanted[groups[row]].append([np.nan if values is None else values[row] for values in columns])
        for group in range(4):
            for index in range(2):
                found = aside.column(group, index)
                assert found.dtype == np.float64
                np.testing.assert_array_equal(found, [row[index] for row in wanted[group]])
        aside.close()
    assert aside.rows == sum(map(len, wanted))
