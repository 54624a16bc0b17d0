"""`python -m core`: see `python -m core --help`."""

from core.cli import main

main()
