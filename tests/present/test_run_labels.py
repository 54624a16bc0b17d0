"""Names of runs that are cut: different ones stay different, none is too long, and what tells them apart is kept."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from core.present.run_labels import IN_BOX, LEAST, cut_labels, cut_names

PART = st.sampled_from(
    ["vllm-h100-llama-70b-", "2026-11-throughput-sweep-", "fp8", "bf16", "…", " (1)", "a", "가나다", "x" * 50]
)
NAMES = st.lists(st.lists(PART, min_size=1, max_size=6).map("".join), min_size=1, max_size=12)


@given(NAMES, st.integers(LEAST, 60))
@example(["y" * 50 + end for end in ("abc", "abd")], LEAST)
@example(["x" * 30 + "…" + "x" * 30, "x" * 61, "x" * 62], 20)
def test_different_names_stay_different_and_fit(names: list[str], longest: int) -> None:
    cut = cut_names(names, longest)
    assert set(cut) == set(names)
    assert len(set(cut.values())) == len(set(names))
    assert all(len(text) <= longest for text in cut.values())
    assert all(cut[name] == name for name in names if len(name) <= longest)


@given(NAMES, st.integers(LEAST, 60))
def test_the_same_names_are_cut_alike_in_any_order_unless_numbered(names: list[str], longest: int) -> None:
    one, other = cut_names(names, longest), cut_names(reversed(names), longest)
    assert all(one[name] == other[name] or one[name].endswith(")") for name in names)


@given(
    st.text(alphabet="abc-", min_size=60, max_size=80),
    st.lists(st.sampled_from(["fp8", "bf16", "int4", "awq"]), unique=True),
)
def test_an_end_that_tells_runs_apart_is_kept(shared: str, ends: list[str]) -> None:
    names = {end: f"{shared}-{end}" for end in ends}
    cut = cut_names(names.values(), 30)
    assert all(cut[name].endswith(end) for end, name in names.items())


def test_a_middle_that_tells_runs_apart_is_kept() -> None:
    names = [
        f"llama-3.1-70b · 8 × H200 · {kind} · closed loop, prefix cache off, max 256 sequences"
        for kind in ("fp8", "bf16")
    ]
    assert ["fp8" in text or "bf16" in text for text in cut_names(names, 40).values()] == [True, True]


def test_runs_keep_their_ids() -> None:
    labels = {"a": "same", "b": "same", "c": "z" * 90}
    cut = cut_labels(labels, IN_BOX)
    assert (cut["a"], cut["b"]) == ("same", "same")
    assert len(cut["c"]) == IN_BOX
