"""What the settings say of signing in: read strictly, so that a mistake opens the app to nobody.

Off, everybody is the one local person (`core.model.person.LOCAL`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from core.errors import UsageError
from core.i18n import Text, t
from core.model.email import email_of
from core.settings import PREFIX, ROOT, setting

SESSION_S = 12 * 3600.0
LONGEST_HOURS = 24.0 * 30

SECRET_CHARS = 32
CALLBACK = "/oauth2callback"
"""Where Streamlit takes people back from a provider."""

KNOWN = "/.well-known/openid-configuration"


class Way(StrEnum):
    """How people sign in."""

    OFF = "off"
    OIDC = "oidc"
    HEADER = "header"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """What the settings say of signing in.

    Attributes:
        admins: addresses, in the spelling of `email_of`.
        longest_s: seconds after which a person has to sign in again, whatever the token says.
        trust_email: an address counts although the provider does not say that it is verified.
    """

    way: Way
    admins: frozenset[str] = frozenset()
    longest_s: float = SESSION_S
    trust_email: bool = False


def sign_in() -> SignIn:
    """Return what the settings say.

    Raises:
        UsageError: "setting.invalid" where one makes no sense; the app then opens for nobody.
    """
    return SignIn(way=_way(), admins=_admins(), longest_s=_longest_s(), trust_email=_yes("OIDC_TRUST_EMAIL"))


def auth_secrets() -> dict[str, dict[str, str]]:
    """Return what `st.App(secrets=...)` has to know to sign people in, {} where it need not be told anything.

    It is told nothing where nobody signs in with a provider, and where a secrets.toml says it all.

    Raises:
        UsageError: "setting.invalid" or "setting.missing": the app has to stop before it starts.
    """
    if sign_in().way is not Way.OIDC:
        return {}
    names = ("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_REDIRECT_URI", "COOKIE_SECRET")
    said = {name: _read(name) for name in names}
    if not any(said.values()) and _in_files():
        return {}
    for name, value in said.items():
        if not value:
            raise _missing(name)
    _check_secret(said["COOKIE_SECRET"])
    _check_address("OIDC_ISSUER", said["OIDC_ISSUER"])
    _check_address("OIDC_REDIRECT_URI", said["OIDC_REDIRECT_URI"])
    if not said["OIDC_REDIRECT_URI"].endswith(CALLBACK):
        raise invalid("OIDC_REDIRECT_URI", t("It ends with {path}", path=CALLBACK))
    issuer = said["OIDC_ISSUER"].removesuffix(KNOWN).rstrip("/")
    return {
        "auth": {
            "redirect_uri": said["OIDC_REDIRECT_URI"],
            "cookie_secret": said["COOKIE_SECRET"],
            "client_id": said["OIDC_CLIENT_ID"],
            "client_secret": said["OIDC_CLIENT_SECRET"],
            "server_metadata_url": issuer + KNOWN,
        }
    }


def sign_out_address() -> str:
    """Return where people who came through a proxy sign out, "" where no setting says it.

    Raises:
        UsageError: "setting.invalid".
    """
    said = _read("SIGN_OUT_URL")
    here = said.startswith("/") and not said.startswith(("//", "/\\"))
    if said and not here:
        _check_address("SIGN_OUT_URL", said)
    return said


def not_passed_on() -> UsageError:
    """Return (not raise) the error of a server that was started without handing `auth_secrets` on."""
    return UsageError(
        "setting.missing",
        t("People sign in with a provider, but this server was started without one"),
        fix=t("Start it as docs/deploy.md says, or write the section [auth] of .streamlit/secrets.toml"),
    )


def invalid(name: str, why: Text) -> UsageError:
    """Return (not raise) the error of a setting that makes no sense."""
    return UsageError(
        "setting.invalid",
        t("The setting {name} cannot be used", name=PREFIX + name),
        fix=why,
    )


def _way() -> Way:
    said = _read("SIGN_IN").casefold()
    if not said and any(_read(name) for name in ("OIDC_ISSUER", "OIDC_CLIENT_ID", "ADMINS")):
        raise invalid("SIGN_IN", t("It is not set, but other settings of signing in are. Say oidc, header or off"))
    if said and said not in set(Way):
        raise invalid("SIGN_IN", t("It may be off, oidc or header"))
    return Way(said or Way.OFF)


def _admins() -> frozenset[str]:
    said = [part for part in _read("ADMINS").split(",") if part.strip()]
    known = [email_of(part) for part in said]
    if None in known:
        raise invalid("ADMINS", t("It holds e-mail addresses with commas between them"))
    return frozenset(address for address in known if address)


def _longest_s() -> float:
    said = _read("SESSION_HOURS")
    hours = float(said) if said.replace(".", "", 1).isdecimal() and said.isascii() else math.nan
    if said and not 0 < hours <= LONGEST_HOURS:
        raise invalid("SESSION_HOURS", t("It is a number of hours above 0, {most} at most", most=int(LONGEST_HOURS)))
    return hours * 3600.0 if said else SESSION_S


def _yes(name: str) -> bool:
    said = _read(name).casefold()
    if said not in ("", "0", "1"):
        raise invalid(name, t("It may be 0 or 1"))
    return said == "1"


def _read(name: str) -> str:
    try:
        return setting(name)
    except (OSError, UnicodeDecodeError) as error:
        raise invalid(name, t("The file that {name} names cannot be read", name=f"{PREFIX}{name}_FILE")) from error


def _missing(name: str) -> UsageError:
    return UsageError(
        "setting.missing",
        t("People sign in with a provider, but {name} is not set", name=PREFIX + name),
        fix=t("Set it, or the section [auth] of .streamlit/secrets.toml, and start again (docs/people.md)"),
    )


def _check_secret(secret: str) -> None:
    if len(secret) < SECRET_CHARS:
        raise invalid(
            "COOKIE_SECRET",
            t("Whoever guesses it can sign in as anybody: {least} random characters at least", least=SECRET_CHARS),
        )


def _check_address(name: str, address: str) -> None:
    """Refuse a way back or a provider that others could listen to, or that cannot be reached."""
    parts = urlsplit(address)
    near = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and near)):
        raise invalid(name, t("It is an address that begins with https://"))


def _in_files() -> bool:
    """Return True where a secrets.toml names a provider, a way back and a secret for cookies."""
    places = (Path.home(), ROOT, Path.cwd())
    found = [place / ".streamlit" / "secrets.toml" for place in places]
    sections = [_section(path) for path in found if path.is_file()]
    if not any(sections):
        return False
    section: dict[str, object] = {name: value for each in sections for name, value in each.items()}
    if not {"redirect_uri", "cookie_secret"} <= section.keys():
        raise _missing("COOKIE_SECRET")
    _check_secret(str(section["cookie_secret"]))
    return True


def _section(path: Path) -> Mapping[str, object]:
    try:
        section = tomllib.loads(path.read_text(encoding="utf-8")).get("auth", {})
    except (OSError, ValueError) as error:
        raise invalid("SIGN_IN", t("The file {name} cannot be read", name=path.name)) from error
    return section if isinstance(section, dict) else {}
