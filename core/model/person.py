"""Who acts: a person, what that person may do to one scenario, and the two who are nobody's account."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a person may do to one scenario; each may do what those before it may. Stored: never rename one."""

    VIEWER = "viewer"
    EDITOR = "editor"
    OWNER = "owner"

    def covers(self, other: Role) -> bool:
        """Return True where this role may do what the other may.

        >>> Role.OWNER.covers(Role.EDITOR), Role.VIEWER.covers(Role.EDITOR)
        (True, False)
        """
        ranks = tuple(Role)
        return ranks.index(self) >= ranks.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is known to be who they are.

    Attributes:
        id: lasting and unlike any other, such as the issuer's address with its subject; "" is nobody.
        name: for people. email: only where somebody vouches that it is theirs, lower case.
        admin: may do everything to every scenario.
    """

    id: str
    name: str
    email: str | None = None
    admin: bool = False

    @property
    def is_nobody(self) -> bool:
        """True for whoever has not signed in."""
        return not self.id


LOCAL = Person(id="local", name="", admin=True)
"""The one person of a Plimsoll without sign-in."""

NOBODY = Person(id="", name="")
"""Somebody who has not signed in where signing in is asked for: opens public links, and nothing else."""
