"""YAML documents, within limits: plain values only, no objects, no aliases that multiply.

Built from libyaml's events by hand, because a loader would unfold a few nested aliases into
gigabytes before anybody could count them. Scalars follow YAML 1.2's core schema: "yes" and dates
stay text.
"""

from __future__ import annotations

import re

import yaml

from core.errors import RefusedFileError
from core.i18n import Text, t
from core.ingest.decode import json_document, refusal, text_of, whole_number
from core.ingest.raw import Upload
from core.settings import LIMITS

_SEND_AGAIN = t("Send the file again as the tool wrote it")
_INTEGER = re.compile(r"[-+]?\d+")
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, object] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
    ".inf": float("inf"), ".Inf": float("inf"), ".INF": float("inf"), "+.inf": float("inf"), "+.Inf": float("inf"),
    "-.inf": float("-inf"), "-.Inf": float("-inf"), ".nan": float("nan"), ".NaN": float("nan"), ".NAN": float("nan"),
}  # fmt: skip


def yaml_document(upload: Upload) -> object:
    """Return the one YAML document of a file.

    Raises:
        RefusedFileError: not YAML, an alias, nested too deep, two documents; with the line.
    """
    building = _Building(upload)
    try:
        for event in yaml.parse(text_of(upload), Loader=yaml.CSafeLoader):
            building.take(event, event.start_mark.line + 1 if event.start_mark else 1)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _refused(upload, mark.line + 1 if mark else 1, t("The file is not valid YAML")) from error
    return building.document


def json_or_yaml(upload: Upload) -> object:
    """Return the document of a report that its tool writes in either syntax.

    Raises:
        RefusedFileError: as `json_document` and `yaml_document` do; YAML that ends within a line is
            cut off, since tools end it with a line end and half a number is a number too.
    """
    if upload.data.lstrip(b" \t\r\n\xef\xbb\xbf").startswith((b"{", b"[")):
        return json_document(upload)
    if not upload.data.endswith((b"\n", b"\r")):
        lines = upload.data.count(b"\n") + 1
        raise refusal(
            "ingest.truncated", t("The file ends in the middle of a line"), upload.name, _SEND_AGAIN, line=lines
        )
    return yaml_document(upload)


class _Building:
    """A document that grows by one event at a time."""

    def __init__(self, upload: Upload) -> None:
        self.document: object = None
        self._upload = upload
        self._documents = 0
        self._open: list[dict[str, object] | list[object]] = []
        self._keys: list[list[str]] = []

    def take(self, event: yaml.Event, line: int) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _refused(self._upload, line, t("The file holds more than one YAML document"))
        elif isinstance(event, yaml.AliasEvent):
            raise _refused(self._upload, line, t("The YAML refers to another part of itself"))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._start({} if isinstance(event, yaml.MappingStartEvent) else [], line)
        elif isinstance(event, yaml.ScalarEvent):
            self._put(_scalar(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._keys.pop()
            self._put(self._open.pop())

    def _start(self, collection: dict[str, object] | list[object], line: int) -> None:
        if len(self._open) >= LIMITS.depth:
            what = t("The YAML is nested too deep")
            raise refusal("ingest.too_deep", what, self._upload.name, _SEND_AGAIN, line=line)
        self._open.append(collection)
        self._keys.append([])

    def _put(self, item: object) -> None:
        if not self._open:
            self.document = item
            return
        inside, key = self._open[-1], self._keys[-1]
        if isinstance(inside, list):
            inside.append(item)
        elif key:
            inside[key.pop()] = item
        else:
            # A key is text, as in JSON.
            key.append(item if isinstance(item, str) else str(item))


def _scalar(event: yaml.ScalarEvent) -> object:
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return whole_number(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _refused(upload: Upload, line: int, what: Text) -> RefusedFileError:
    return refusal("ingest.not_yaml", what, upload.name, _SEND_AGAIN, line=line)
