"""The person behind what vouches for one: claims of an identity token, or headers of the app's own middleware.

With `oidc` the claims of a checked token say who it is; with `header` the proxy in front does, in headers that only
the middleware hands on (`serve`), together with `PROOF`.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Mapping, Sequence

from core.letters import one_line
from core.model.email import email_of
from core.model.person import NOBODY, Person
from core.sign_in import SignIn

PROOF = secrets.token_urlsafe(32)
"""Known to this process alone. Its middleware puts it beside the person whom it vouches for; nobody else can."""

PROOF_HEADER = "x-plimsoll-proof"
PERSON_HEADER = "x-plimsoll-person"
NAME_HEADER = "x-plimsoll-name"

AHEAD_S = 300.0
"""How far a provider's clock may be ahead of ours."""

ID_CHARS = 255
NAME_CHARS = 200


def person_of_claims(claims: Mapping[str, object], rules: SignIn, now: float) -> Person:
    """Return whom the claims of a checked identity token name, NOBODY where they name none or are past.

    Args:
        claims: as the session keeps them, with "is_logged_in".
        rules: what the settings say of signing in.
        now: seconds since 1970.

    A token without an end or a beginning is past: OpenID Connect Core 1.0, section 2, requires both.
    """
    if claims.get("is_logged_in") is not True or now >= ends(claims, rules):
        return NOBODY
    if _seconds(claims.get("iat")) > now + AHEAD_S:
        return NOBODY
    issuer, subject = claims.get("iss"), claims.get("sub")
    if not (isinstance(issuer, str) and isinstance(subject, str) and issuer and subject):
        return NOBODY
    vouched = rules.trust_email or claims.get("email_verified") in (True, "true")
    email = email_of(claims.get("email")) if vouched else None
    called = (claims.get(key) for key in ("name", "preferred_username", "email"))
    name = next((text for text in called if isinstance(text, str) and one_line(text)), subject)
    return _person(f"{issuer}#{subject}", name, email, rules)


def ends(claims: Mapping[str, object], rules: SignIn) -> float:
    """Return when a sign-in ends, in seconds since 1970; minus infinity where the claims do not say.

    It ends with the token, or `longest_s` after the token was made, whichever is first.
    """
    begun = _seconds(claims.get("iat"))
    return min(_seconds(claims.get("exp")), begun + rules.longest_s)


def person_of_headers(headers: Mapping[str, Sequence[str]], rules: SignIn) -> Person:
    """Return whom the middleware vouches for, NOBODY where it vouches for none.

    Args:
        headers: all values of `PROOF_HEADER`, `PERSON_HEADER` and `NAME_HEADER`.
        rules: what the settings say of signing in.
    """
    proofs, people, names = (headers.get(name, ()) for name in (PROOF_HEADER, PERSON_HEADER, NAME_HEADER))
    if len(proofs) != 1 or not secrets.compare_digest(proofs[0].encode(), PROOF.encode()):
        return NOBODY
    # Two values are two people: which of them the proxy meant, nobody can say.
    who = one_line(_text(people[0])) if len(people) == 1 else ""
    if not who:
        return NOBODY
    email = email_of(who)
    name = one_line(_text(names[0])) if names else ""
    return _person(f"header#{email or who}", name or who, email, rules)


def _person(subject: str, name: str, email: str | None, rules: SignIn) -> Person:
    # What is too long for the database still has to be one person and no other.
    digest = f"sha256#{hashlib.sha256(subject.encode('utf-8', 'surrogatepass')).hexdigest()}"
    ident = subject if len(subject) <= ID_CHARS and subject == one_line(subject) else digest
    called = one_line(name) or email or ident
    return Person(
        id=ident,
        name=called if len(called) <= NAME_CHARS else f"{called[: NAME_CHARS - 1].rstrip()}…",
        email=email,
        admin=email in rules.admins,
    )


def _text(header: str) -> str:
    """Return a header as its sender wrote it: HTTP gives bytes, which the server reads as Latin-1."""
    return header.encode("latin-1", "replace").decode("utf-8", "replace")


def _seconds(value: object) -> float:
    """Return a claim as a number of seconds, minus infinity where it is none: the past."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and math.isfinite(value) else -math.inf  # type: ignore[arg-type]  # checked above
