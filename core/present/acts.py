"""The audit trail in words, and as a table. What was stored is only looked up, never trusted to be complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import pandas as pd

from core.i18n import Text, t
from core.model.person import Role

Detail = Mapping[str, str | int | bool | None]

ROLES: Mapping[Role, Text] = {Role.VIEWER: t("Viewer"), Role.EDITOR: t("Editor"), Role.OWNER: t("Owner")}

_ACTS: Mapping[str, Text] = {
    "restored": t("Restored an older version"),
    "duplicated": t("Made a copy"),
    "tagged": t("Changed the tags"),
    "archived": t("Archived it"),
    "unarchived": t("Took it out of the archive"),
    "deleted": t("Deleted it"),
    "undeleted": t("Brought it back"),
    "shared": t("Made a link"),
    "revoked": t("Withdrew a link"),
    "unrevoked": t("Took back the withdrawal of a link"),
    "commented": t("Commented"),
    "comment_deleted": t("Deleted a comment"),
    "comment_undeleted": t("Brought a comment back"),
    "signed_in": t("Signed in"),
}


class Acted(Protocol):
    """One act of the audit trail (`core.store.audit.Event`)."""

    @property
    def at(self) -> datetime: ...  # noqa: D102  # as there
    @property
    def actor_name(self) -> str: ...  # noqa: D102
    @property
    def act(self) -> str: ...  # noqa: D102
    @property
    def scenario_id(self) -> str | None: ...  # noqa: D102
    @property
    def version(self) -> int | None: ...  # noqa: D102
    @property
    def detail(self) -> Detail: ...  # noqa: D102


def act_text(act: str, version: int | None, detail: Detail) -> Text:
    """Return what was done, as a sentence without its subject; an unknown act is named as it is stored."""
    if act == "saved":
        return t("Saved version {version}", version=version or 0)
    if act == "renamed":
        return t("Renamed it from {before} to {after}", before=_said(detail, "before"), after=_said(detail, "after"))
    if act == "gave":
        return t("Gave {to} the role {role}", to=_said(detail, "to"), role=_role(detail))
    if act == "took":
        return t("Took the role {role} from {to}", to=_said(detail, "to"), role=_role(detail))
    if act == "team_changed":
        return _team_text(detail)
    return _ACTS.get(act, t("{act}", act=act))


def audit_table(events: Sequence[Acted], names: Mapping[str, str], language: str = "en") -> pd.DataFrame:
    """Return events as a table, in their order.

    Args:
        events: of the audit trail.
        names: of scenarios, by id; of others the beginning of the id is shown.
        language: of the words.
    """

    def said(text: Text) -> str:
        return text.render(language)

    rows = [
        {
            said(t("When (UTC)")): f"{event.at:%Y-%m-%d %H:%M:%S}",
            said(t("Who")): event.actor_name or said(t("Without sign-in")),
            said(t("What was done")): said(act_text(event.act, event.version, event.detail)),
            said(t("Scenario")): names.get(event.scenario_id or "", (event.scenario_id or "")[:8]),
        }
        for event in events
    ]
    headers = [said(t("When (UTC)")), said(t("Who")), said(t("What was done")), said(t("Scenario"))]
    return pd.DataFrame(rows, columns=headers)


def found(events: Sequence[Acted], names: Mapping[str, str], words: str, language: str = "en") -> list[Acted]:
    """Return the events in whose row every one of the words stands, whatever their case."""
    wanted = words.casefold().split()
    if not wanted:
        return list(events)
    rows = audit_table(events, names, language).itertuples(index=False)
    texts = [" ".join(map(str, row)).casefold() for row in rows]
    return [event for event, text in zip(events, texts, strict=True) if all(word in text for word in wanted)]


def _team_text(detail: Detail) -> Text:
    team, email = _said(detail, "team"), _said(detail, "email")
    match detail.get("change"):
        case "made":
            return t("Made the team {team}", team=team)
        case "renamed":
            return t("Renamed the team {before} to {team}", team=team, before=_said(detail, "before"))
        case "deleted":
            return t("Deleted the team {team}", team=team)
        case "undeleted":
            return t("Brought the team {team} back", team=team)
        case "member" if detail.get("role") == Role.OWNER.value:
            return t("Let {email} manage the team {team}", team=team, email=email)
        case "member":
            return t("Made {email} a member of the team {team}", team=team, email=email)
        case "member_removed":
            return t("Took {email} out of the team {team}", team=team, email=email)
    return t("Changed the team {team}", team=team)


def _said(detail: Detail, name: str) -> str:
    return str(detail.get(name) or "–")


def _role(detail: Detail) -> Text:
    return next((text for role, text in ROLES.items() if role.value == detail.get("role")), t("–"))
