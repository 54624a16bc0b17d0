"""How the app answers over the network, as the settings say: read strictly, before the server starts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from core.i18n import Text, t
from core.settings import setting
from core.sign_in import Way, invalid, sign_in

Network = IPv4Network | IPv6Network

OWN_MACHINE: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How to answer.

    Attributes:
        way: how people sign in.
        user_header, name_header: what a trusted proxy says a person's address and name in, in lower case;
            "" where it does not say the name.
        proxies: networks whose word on people and on https counts.
        hosts: names that the app has, () where Streamlit's own setting says them.
        frames: sources that may show the app inside a page of theirs, as CSP's frame-ancestors.
        metrics_token: what a reader of the metrics has to know; without one only this machine may read them.
        json_log: True where each line of the log is a JSON object.
        replica: the name of this process among several, told in a header; "" where it has none.
    """

    way: Way = Way.OFF
    user_header: str = "x-auth-request-email"
    name_header: str = ""
    proxies: tuple[Network, ...] = (ip_network("127.0.0.1"), ip_network("::1"))
    hosts: tuple[str, ...] = ()
    frames: str = "'none'"
    metrics_token: str = ""
    json_log: bool = False
    replica: str = ""


def serving() -> Serving:
    """Return how to serve.

    Raises:
        UsageError: "setting.invalid" for a value that nobody can follow. The server must not start then.
    """
    header = t("It is the name of a header, such as {example}", example="X-Auth-Request-Email")
    return Serving(
        way=sign_in().way,
        user_header=_matching("USER_HEADER", _HEADER, "X-Auth-Request-Email", header).lower(),
        name_header=_matching("NAME_HEADER", _HEADER, "", header).lower(),
        proxies=_networks("TRUSTED_PROXIES", "127.0.0.1,::1"),
        hosts=_hosts(),
        frames=_matching(
            "FRAME_ANCESTORS",
            _SOURCES,
            "'none'",
            t("It may be {examples}", examples="'none', 'self', https://intranet.example"),
        ),
        metrics_token=_matching(
            "METRICS_TOKEN", _SECRET, "", t("It has {least} signs at least, without spaces", least=_LEAST_SECRET)
        ),
        json_log=_matching("LOG", _LOG, "plain", t("It may be plain or json")) == "json",
        replica=_matching("REPLICA", _NAME, "", t("It is a name of letters, digits, dots and dashes")),
    )


def within(address: str, networks: tuple[Network, ...]) -> bool:
    """Return True where an address lies in one of the networks; what is no address lies in none.

    >>> within("127.0.0.1", OWN_MACHINE), within("::ffff:127.0.0.1", OWN_MACHINE), within("localhost", OWN_MACHINE)
    (True, True, False)
    """
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return False
    # A socket that takes both families shows IPv4 peers as IPv6 ones.
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return any((mapped or found) in network for network in networks)


_LEAST_SECRET = 16
_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LOG = re.compile(r"plain|json")
_SECRET = re.compile(rf"[!-~]{{{_LEAST_SECRET},}}")
_HOST = re.compile(r"(?:\*\.)?[A-Za-z0-9.-]+|\*")
_SOURCE = r"(?:'self'|https?://[A-Za-z0-9.*:-]+)"
_SOURCES = re.compile(rf"'none'|{_SOURCE}(?: {_SOURCE})*")


def _matching(name: str, form: re.Pattern[str], default: str, why: Text) -> str:
    said = setting(name) or default
    if said and not form.fullmatch(said):
        # The value is not repeated: it may be a secret, and what is raised here ends in the log.
        raise invalid(name, why)
    return said


def _hosts() -> tuple[str, ...]:
    names = tuple(part.strip() for part in setting("HOSTS").split(",") if part.strip())
    if not all(_HOST.fullmatch(name) for name in names):
        why = t("It holds names without ports, with commas between them: {example}", example="plimsoll.example.com")
        raise invalid("HOSTS", why)
    return names


def _networks(name: str, default: str) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in (setting(name) or default).split(",") if part.strip())
    except ValueError as error:
        why = t("It holds addresses or networks with commas between them: {example}", example="127.0.0.1,10.0.0.0/8")
        raise invalid(name, why) from error
