"""Print what the Korean catalogue lacks and what it no longer needs: `python -m tests.present.missing`."""

from __future__ import annotations

from tests.present.catalogue import catalogue, messages


def main():
    """Print one line per sentence, with the file that says it."""
    wanted = messages()
    held = {message.id: message.string for message in catalogue("ko") if message.id}
    for text, path in wanted.items():
        if not held.get(text):
            print(f"missing  {path}: {text}")  # noqa: T201 - this is what it is for
    for text in held:
        if text not in wanted:
            print(f"obsolete {text}")  # noqa: T201 - this is what it is for


if __name__ == "__main__":
    main()
