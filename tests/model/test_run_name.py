"""A run is named by its id or by its label as printed; one that several have is never guessed at."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.model.run_name import by_id

LABELS = {"gpt-16": "gpt · × 16", "gpt-8": "gpt · × 8", "c": "a, b", "same-1": "same", "same-2": "same"}


def test_a_label_stands_for_its_id_and_an_id_for_itself():
    assert by_id(["gpt · × 16=2/h", "gpt-8 = 8", "gpt · × 8 =8", "2/h"], LABELS) == (
        "gpt-16=2/h",
        "gpt-8 = 8",
        "gpt-8 =8",
        "2/h",
    )
    assert by_id(["gpt · × 16@64=late", "a, b,gpt-8"], LABELS, "=@,") == ("gpt-16@64=late", "c,gpt-8")
    assert by_id(["gpt · × 160=2/h"], LABELS) == ("gpt · × 160=2/h",)


def test_a_label_of_several_is_refused_with_their_ids():
    with pytest.raises(UsageError) as caught:
        by_id(["same=2/h"], LABELS)
    assert caught.value.code == "runs.ambiguous"
    assert "same-1, same-2" in str(caught.value.fix)
