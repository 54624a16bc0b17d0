"""The fields of a model's `config.json`, each checked as it is read: the file is a stranger's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.model.architecture import MOST_LAYERS

LARGEST = 10**9
"""No size of a model is larger, but for the number of its parameters."""

MOST_TEXT = 100


class Fields:
    """The fields that describe the text part of a model, with what its class means where the file is silent."""

    def __init__(self, name: str, found: Mapping[str, object], defaults: Mapping[str, object]) -> None:
        self._name, self._found, self._defaults = name, found, defaults
        self.assumed: list[str] = []
        """Fields that were taken from the class of the model."""

    def value(self, *names: str) -> object:
        """Return the first field that is there and not null, else the default of the class, else None."""
        for name in names:
            if self._found.get(name) is not None:
                return self._found[name]
        for name in names:
            # A null that the file writes is said; a field that it leaves out is of the class.
            if name not in self._found and self._defaults.get(name) is not None:
                if name not in self.assumed:
                    self.assumed.append(name)
                return self._defaults[name]
        return None

    def whole(self, *names: str, least: int = 0) -> int | None:
        """Return a whole number, None where it is not there.

        Raises:
            RefusedFileError: "limits.bad_field" where it is no whole number from `least` to `LARGEST`.
        """
        value = self.value(*names)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LARGEST:
            raise self.wrong(next((name for name in names if self._found.get(name) is not None), names[0]))
        return value

    def needed(self, *names: str) -> int:
        """Return a whole number above 0.

        Raises:
            RefusedFileError: "limits.missing_field", "limits.bad_field".
        """
        value = self.whole(*names, least=1)
        if value is None:
            raise RefusedFileError(
                "limits.missing_field",
                t("The description of the model does not say {field}", field=names[0]),
                fix=t("Drop the config.json that lies beside the weights, as it was published"),
                place=Place(self._name, field=names[0]),
            )
        return value

    def number(self, *names: str) -> float | None:
        """Return a number of at most `LARGEST`, None where it is not there or is none."""
        value = self.value(*names)
        known = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if known and 0.0 <= value <= LARGEST else None  # type: ignore[arg-type,operator] # as above

    def leaves(self, name: str) -> None:
        """Note that the file leaves a field out, and that it is taken to be what every class of models means then."""
        if name not in self._found and name not in self.assumed:
            self.assumed.append(name)

    def flag(self, *names: str) -> bool:
        """Return True where a field says so."""
        return self.value(*names) is True

    def text(self, *names: str) -> str:
        """Return a short text, "" where there is none."""
        value = self.value(*names)
        return value[:MOST_TEXT] if isinstance(value, str) else ""

    def listed(self, *names: str) -> Sequence[object] | None:
        """Return a list of one entry for each layer at most, None where there is none.

        Raises:
            RefusedFileError: "limits.bad_field" where it is longer than any model has layers.
        """
        value = self.value(*names)
        if not isinstance(value, list):
            return None
        if len(value) > MOST_LAYERS:
            raise self.wrong(names[0])
        return value

    def inside(self, name: str) -> Fields:
        """Return the fields of a part of the file; empty where that part is not there."""
        value = self.value(name)
        return Fields(self._name, value if isinstance(value, dict) else {}, {})

    def wrong(self, field: str) -> RefusedFileError:
        """Return (not raise) that a field holds something that no model has."""
        return RefusedFileError(
            "limits.bad_field",
            t("{field} holds something that no model can have", field=field),
            fix=t("Drop the config.json that lies beside the weights, as it was published"),
            place=Place(self._name, field=field),
        )
