"""Files of one name and other bytes stay two files."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.raw import Upload
from core.ingest.same_names import told_apart

drops = st.lists(
    st.builds(Upload, st.sampled_from(["a.json", "b/a.json", "c.json"]), st.sampled_from([b"1", b"2", b"3"]))
)


def held(*uploads):
    return {upload.name: hashlib.sha256(upload.data).hexdigest() for upload in uploads}


def test_a_second_sweep_under_the_same_names_stays_together():
    first = [Upload("c4.json", b"1"), Upload("c8.json", b"2")]
    second = [Upload("c4.json", b"3"), Upload("c16.json", b"4")]
    assert [each.name for each in told_apart(second, held(*first))] == ["(2)/c4.json", "(2)/c16.json"]
    third = told_apart([Upload("c8.json", b"5")], held(*first, *told_apart(second, held(*first))))
    assert [each.name for each in third] == ["(3)/c8.json"]


def test_the_same_file_again_keeps_its_name():
    first = [Upload("c4.json", b"1")]
    assert told_apart(first, held(*first)) == first


@given(drops, drops)
def test_one_name_is_one_content(first, second):
    one = told_apart(first, {})
    two = told_apart(second, held(*one))
    content: dict[str, bytes] = {}
    for upload in (*one, *two):
        assert content.setdefault(upload.name, upload.data) == upload.data
    assert [each.data for each in (*one, *two)] == [each.data for each in (*first, *second)]
