"""Zip, tar, gzip and zstd: what is inside comes out as files, and nothing that could hurt does."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import openpyxl
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.containers import expanded
from core.ingest.decode import unpacked
from core.ingest.raw import Upload
from core.pipeline import load
from core.settings import LIMITS
from tests.ingest.bench_files import VLLM, uploaded

CONTENTS = {"a/c1.json": b'{"x": 1}', "a/b/c2.json": b'{"x": 2}'}


def zipped(files: dict[str, bytes], **options) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


ARCHIVES = {
    "run.zip": zipped,
    "run.tar": tarred,
    "run.tar.gz": lambda files: gzip.compress(tarred(files)),
    "run.tgz": lambda files: gzip.compress(tarred(files)),
    "run.tar.zst": lambda files: zst(tarred(files)),
}


def refused_code(name: str, data: bytes) -> str:
    drop = expanded([Upload(name, data)])
    assert drop.uploads == []
    ((_, error),) = drop.refused
    assert str(error.fix)
    return error.code


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_folder_comes_out_of_its_archive_with_its_paths(name):
    drop = expanded([Upload(name, ARCHIVES[name](CONTENTS))])
    assert {upload.name: upload.data for upload in drop.uploads} == {f"run/{k}": v for k, v in CONTENTS.items()}
    assert drop.refused == []


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5})?\.json", fullmatch=True),
        st.binary(min_size=1, max_size=300),
        min_size=1,
    )
)
def test_an_archive_of_any_files_gives_exactly_those(files):
    for name, make in ARCHIVES.items():
        found = {upload.name: upload.data for upload in expanded([Upload(name, make(files))]).uploads}
        assert found == {f"run/{key}": data for key, data in files.items()}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("part", range(1, 20))
def test_an_archive_that_was_cut_off_is_refused_whole(name, part):
    files = {f"c{i}.json": bytes(range(256)) * 20 for i in range(3)}
    data = ARCHIVES[name](files)
    cut = data[: len(data) * part // 20]
    drop = expanded([Upload(name, cut)])
    # A tar ends in zeros without number; a file that is too short to be an archive stays one file.
    whole = name == "run.tar" and cut.endswith(bytes(1024))
    assert len(drop.uploads) == (len(files) if whole else 0) or drop.uploads[0].data == cut


@pytest.mark.parametrize("path", ["../x.json", "a/../../x.json", "/etc/x.json", "C:/x.json", "..\\x.json"])
def test_a_path_out_of_the_archive_is_refused(path):
    assert refused_code("run.zip", zipped({path: b"1"})) == "container.path"
    assert refused_code("run.tar", tarred({path: b"1"})) == "container.path"


def test_a_bomb_stops_at_what_comes_out_not_at_what_is_claimed():
    zeros = zipped({f"{i}.json": bytes(8_000_000) for i in range(20)})
    assert refused_code("bomb.zip", zeros) == "container.too_large"
    assert refused_code("bomb.tar.gz", gzip.compress(bytes(LIMITS.file_bytes + 1))) == "ingest.too_large"


@pytest.mark.parametrize("pack", [gzip.compress, zst])
def test_a_packed_file_larger_than_the_limit_is_refused(pack):
    with pytest.raises(RefusedFileError) as refused:
        unpacked(Upload("x.json", pack(bytes([65]) * (LIMITS.file_bytes + 1))))
    assert refused.value.code == "ingest.too_large"


def test_too_many_files_are_refused_with_their_number():
    many = zipped({f"{i}.json": b"1" for i in range(LIMITS.files + 1)})
    assert refused_code("many.zip", many) == "container.too_many"
    drop = expanded([Upload(f"{i}.json", b"1") for i in range(LIMITS.files + 2)])
    assert (len(drop.uploads), len(drop.refused)) == (LIMITS.files, 2)


def test_a_list_of_members_that_is_too_long_is_not_even_read(monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("opened"))
    long = b"PK\x03\x04" + b"x" * 100 + b"PK\x05\x06" + bytes(8) + (2**31).to_bytes(4, "little") + bytes(6)
    assert refused_code("long.zip", long) == "container.too_many"


def test_an_archive_inside_an_archive_is_refused_alone():
    drop = expanded([Upload("run.zip", zipped({"c1.json": b"1", "inner.zip": zipped(CONTENTS)}))])
    assert [upload.name for upload in drop.uploads] == ["run/c1.json"]
    assert [(name, error.code) for name, error in drop.refused] == [("run/inner.zip", "container.nested")]


def test_hidden_files_links_and_folders_are_left_out():
    link = zipfile.ZipInfo("link.json")
    link.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a/", b"")
        archive.writestr("__MACOSX/a/._c1.json", b"1")
        archive.writestr(".DS_Store", b"1")
        archive.writestr(link, b"/etc/passwd")
        archive.writestr("a/c1.json", b"1")
    assert [u.name for u in expanded([Upload("run.zip", out.getvalue())]).uploads] == ["run/a/c1.json"]


def test_a_korean_name_from_windows_is_readable():
    raw = zipped({"PLACEHOLD.json": b"1"}).replace(b"PLACEHOLD", "결과결".encode("cp949") + b"abc")
    assert [u.name for u in expanded([Upload("run.zip", raw)]).uploads] == ["run/결과결abc.json"]


def test_an_encrypted_archive_says_so():
    data = bytearray(zipped({"c1.json": b"1"}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    assert refused_code("run.zip", bytes(data)) == "container.encrypted"


def test_an_empty_archive_says_so():
    assert refused_code("run.zip", zipped({})) == "container.empty"


@pytest.mark.parametrize("first", ["[Content_Types].xml", "arr_0.npy"])
def test_a_document_that_is_a_zip_inside_stays_one_file(first):
    data = zipped({first: b"1", "xl/workbook.xml": b"2"})
    assert [u.data for u in expanded([Upload("table.xlsx", data)]).uploads] == [data]


def test_a_workbook_whose_list_of_parts_stands_last_stays_one_file():
    workbook = openpyxl.Workbook()
    workbook.active.append(["concurrency", "TTFT p99 (ms)"])
    workbook.active.append([8, 500])
    written = io.BytesIO()
    workbook.save(written)
    assert zipfile.ZipFile(written).namelist()[0] != "[Content_Types].xml"
    loaded = load([Upload("table.xlsx", written.getvalue())])
    assert not loaded.refused
    assert [stage.asked_concurrency for stage in loaded.runs[0].stages] == [8.0]


def test_a_damaged_archive_does_not_take_the_other_files_with_it():
    drop = expanded([Upload("bad.zip", zipped(CONTENTS)[:60]), Upload("good.json", b"1")])
    assert [upload.name for upload in drop.uploads] == ["good.json"]
    assert [error.code for _, error in drop.refused] == ["ingest.truncated"]


def test_a_zipped_run_is_one_run_with_its_levels():
    files = {f"c{n}.json": uploaded(VLLM | {"max_concurrency": n}).data for n in (1, 2, 4)}
    (run,) = load([Upload("h100.zip", zipped(files))]).runs
    assert [stage.asked_concurrency for stage in run.stages] == [1, 2, 4]
    assert [file.name for file in run.files] == ["h100/c1.json", "h100/c2.json", "h100/c4.json"]
