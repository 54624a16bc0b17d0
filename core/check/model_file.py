"""Is the `config.json` that a person gave one of the run's model? Where it is not, it bounds and doubts nothing."""

from __future__ import annotations

from core.errors import Place
from core.i18n import t
from core.limits import gaps
from core.limits.doubts import of_another_model
from core.limits.setup import setup_of
from core.model.finding import Finding, Severity
from core.model.run import Run

FILE = "config.json"


def check_model_file(run: Run) -> tuple[Finding, ...]:
    """Return a finding where the file is of another family than the run's model, or of a class not known here."""
    setup = setup_of(run.sizing, run.conditions) if run.sizing else None
    if setup is None:
        return ()
    if of_another_model(setup):
        return (
            Finding(
                code=gaps.OTHER_MODEL,
                severity=Severity.WARNING,
                where=Place(FILE, field="model_type"),
                what=t(
                    "The run names {model}, and the config.json is of another family of models, {kind}",
                    model=setup.model or "",
                    kind=setup.architecture.kind,
                ),
                consequence=t("What is reckoned of memory and floors is not of this run: it bounds and doubts nothing"),
                fix=t("Drop the config.json of the run's model on the Plan page, under What memory allows"),
            ),
        )
    if gaps.UNVERIFIED in setup.architecture.unknown:
        return (
            Finding(
                code=gaps.UNVERIFIED,
                severity=Severity.INFO,
                where=Place(FILE, field="architectures"),
                what=t(
                    "The config.json names a class of models that is not known here: it is reckoned as {kind}",
                    kind=setup.architecture.kind,
                ),
                consequence=t("What is reckoned of memory and floors is not verified: it bounds and doubts nothing"),
                fix=t("Paste the log of the engine on the Plan page, under What memory allows: it tells what is taken"),
            ),
        )
    return ()
