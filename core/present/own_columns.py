"""What the person's own columns are called: names that were picked from ours are said in the reader's language."""

from __future__ import annotations

from core.i18n import LANGUAGES, Text, t

SUGGESTED: tuple[Text, ...] = (t("Lead time"), t("Rack power"), t("Vendor"))


def own_name(name: str, language: str = "en") -> str:
    """Return the name of a column as a reader of a language knows it; what a person typed stays as it is.

    >>> own_name("Lead time", "ko") == SUGGESTED[0].render("ko"), own_name("Delivery", "ko")
    (True, 'Delivery')
    """
    picked = (each for each in SUGGESTED if name in [each.render(known) for known in LANGUAGES])
    found = next(picked, None)
    return name if found is None else found.render(language)
