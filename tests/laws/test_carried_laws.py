"""What a person said of a run, such as its accelerators, follows its levels wherever they are put."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.edits import carried


@st.composite
def runs(draw):
    """Runs of several levels of several files each: their keys by run id, and a count for some of them."""
    sizes = draw(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=6), min_size=1, max_size=4))
    number = iter(range(1_000))
    members = {
        f"run-{i}": tuple(tuple((f"{next(number)}",) for _ in range(size)) for size in levels)
        for i, levels in enumerate(sizes)
    }
    counts = {run: draw(st.integers(1, 16)) for run in members if draw(st.booleans())}
    return members, counts


@given(runs())
def test_what_was_said_stays_where_nothing_moves(known):
    members, counts = known
    assert dict(carried(counts.items(), members, members)) == counts


@given(runs())
def test_what_was_said_of_a_run_goes_with_each_of_its_levels(known):
    members, counts = known
    apart = {f"{run}/{i}": (level,) for run, levels in members.items() for i, level in enumerate(levels)}
    found = dict(carried(counts.items(), members, apart))
    assert found == {name: counts[name.split("/")[0]] for name in apart if name.split("/")[0] in counts}
    together = {"all": tuple(level for levels in members.values() for level in levels)}
    assert dict(carried(counts.items(), members, together)) == (
        {"all": next(iter(counts.values()))} if len(set(counts.values())) == 1 else {}
    )
