"""Guide: what do these words mean?"""

from __future__ import annotations

from core.i18n import t
from pages.parts import catalogue, example, limit, sure
from pages.parts.frame import bar
from pages.parts.glossary import entries

bar(t("What do these words mean?"))
example.chart()
limit.controls()
entries()
catalogue.panel()
sure.panel()
