"""Options about runs as written: apart from what reads them, which takes longer to start than a command's help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The options as written; ids are those of the runs as they are without any of them.

    Attributes:
        merge: "ID,ID" each.
        split: "ID=file", "ID=folder", "ID=name" or "ID=SETTING" each.
        rename: "ID=NAME" each.
        exclude: "FILE=REASON", "ID@LOAD=REASON" or "ID=REASON" each.
    """

    merge: Sequence[str] = ()
    split: Sequence[str] = ()
    rename: Sequence[str] = ()
    exclude: Sequence[str] = ()

    @property
    def empty(self) -> bool:
        """True where nothing was said."""
        return not (self.merge or self.split or self.rename or self.exclude)
