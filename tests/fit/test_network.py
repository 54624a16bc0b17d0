"""The learned part: its arithmetic, its form, and that the shipped one belongs to the shipped code."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fit.constants import shipped
from core.fit.edition import edition_of
from core.fit.features import NAMES
from core.fit.network import NETWORK, Arrays, Layer, Member, Network, reach, shipped_network, unit_of

BY = {"mean": [1.0, 0.0], "sd": [2.0, 1.0]}
TINY = Network(
    features=["a", "b"],
    members=[
        Member(
            layers=[
                Layer(weight=[[1.0, -1.0], [0.5, 2.0]], bias=[0.0, 1.0]),
                Layer(weight=[[2.0], [1.0]], bias=[0.25]),
            ],
            **BY,
        ),
        Member(layers=[Layer(weight=[[1.0], [0.0]], bias=[0.5])], **BY),
    ],
)


def test_a_tiny_network_gives_what_is_worked_out_by_hand():
    # (3, 4) standardised is (1, 4); first layer: (1 + 2, -1 + 8 + 1) = (3, 8); SiLU; 2 silu(3) + silu(8) + 0.25.
    # The other member gives 1 + 0.5; the two are averaged.
    by_hand = (2 * 3 / (1 + math.exp(-3)) + 8 / (1 + math.exp(-8)) + 0.25 + 1.5) / 2
    assert Arrays(TINY).outputs(np.array([[3.0, 4.0]]))[0, 0] == pytest.approx(by_hand, rel=1e-12)


def test_features_far_outside_what_was_learned_count_as_its_edge():
    far, edge = Arrays(TINY).outputs(np.array([[1e9, 0.0], [13.0, 0.0]]))
    assert far == edge


def test_the_bounds_of_an_untrained_network_are_one_unit_away():
    low, safe, mid, high = reach(np.zeros((1, 7)), np.array([9.0]), np.array([16.0]))
    assert (low[0], safe[0], mid[0], high[0]) == (-5.0, -5.0, 0.0, 5.0)


outputs = st.lists(st.floats(-20, 20), min_size=7, max_size=7)
squared = st.floats(1e-9, 10.0)


@given(outputs, squared, squared, st.floats(0.0, 1.0))
def test_less_noise_never_widens_a_range_and_leaves_the_estimate(out, shape, noise, part):
    wide = reach(np.array([out]), np.array([shape]), np.array([noise]))
    narrow = reach(np.array([out]), np.array([shape]), np.array([noise * part]))
    assert narrow[2] == wide[2]
    assert narrow[3] - narrow[0] <= wide[3] - wide[0]


@given(outputs, squared, squared)
def test_the_quantiles_are_in_order_and_never_meet_in_one_point(out, shape, noise):
    low, safe, mid, high = reach(np.array([out]), np.array([shape]), np.array([noise]))
    assert low <= safe <= mid < high
    assert low < mid


def test_only_the_requests_term_counts_as_noise():
    shape, noise = unit_of(np.eye(7))
    assert noise.tolist() == [0.23, 0, 0, 0, 0, 0, 0]
    assert shape[0] < 1e-5 < shape[1:].min()


def test_the_shipped_network_reads_the_features_that_are_made():
    shipped = shipped_network()
    assert tuple(shipped.features) == NAMES
    for member in shipped.members:
        assert len(member.mean) == len(member.sd) == len(member.layers[0].weight) == len(NAMES)
        assert len(member.layers[-1].bias) == 7
    assert np.isfinite(Arrays(shipped).outputs(np.zeros((1, len(NAMES))))).all()


def test_the_shipped_ranges_were_stretched_on_the_shipped_network():
    assert shipped().network == edition_of(NETWORK)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux shows them")
def test_whoever_imports_the_method_multiplies_on_one_thread(root):
    """Threads that share so small a matrix wait for each other."""
    code = "import core.fit.network, os; print(len(os.listdir('/proc/self/task')))"
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
