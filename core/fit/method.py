"""The name of the method, printed with every answer and kept with every saved one."""

from __future__ import annotations

VERSION = "2"
"""Of the form of the constants and of the method that reads them."""

METHOD = f"knee-network/{VERSION}"
