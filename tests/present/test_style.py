"""Colours that can be seen on both grounds."""

from __future__ import annotations

import pytest

from core.present import style

COLOURS = [style.BLUE, style.GREEN, style.ORANGE, style.PURPLE, style.SKY, style.YELLOW, style.TARGET, style.LEFT_OUT]


def luminance(colour):
    """Relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ground", ["#ffffff", "#0e1117", "#10171e"])
@pytest.mark.parametrize("colour", COLOURS)
def test_every_line_has_a_contrast_of_three_on_white_and_on_black(colour, ground):
    low, high = sorted((luminance(colour), luminance(ground)))
    assert (high + 0.05) / (low + 0.05) >= 3.0


def test_no_hardware_takes_the_colour_of_targets_or_of_what_is_left_out():
    hues = {hue for hue, _ in style._KNOWN.values()}
    assert not hues & {style.TARGET, style.LEFT_OUT}


def test_no_two_known_accelerators_look_the_same():
    assert len(set(style._KNOWN.values())) == len(style._KNOWN)


def test_every_accelerator_of_the_catalogue_is_known_by_name(shared_data):
    rows = (shared_data.parent / "facts" / "hardware.csv").read_text(encoding="utf-8").splitlines()[1:]
    plain = ["".join(c for c in row.split(",")[0].upper() if c.isalnum()) for row in rows if row]
    assert [name for name in plain if not any(known in name for known in style._KNOWN)] == []
