"""Reports of checks as objects."""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .results import About

if TYPE_CHECKING:
    from .connection import Answer


class Finding:
    """A measurement at or above a threshold.

    rule, level          "motion/pop"; "note", "warning" or "error"
    message, fix         sentences for people
    path, clip, joint    where it was found; clip and joint are None where it is of the whole rig
    time                 seconds into the clip, or None
    value, unit, threshold
    suppressed           the reason for which it counts for nothing, or None
    data                 all of it as JSON
    """

    def __init__(self, data: Mapping[str, Any], path: str) -> None:
        self.data = data
        self.path = path
        self.rule: str = data["rule"]
        self.level: str = data["level"]
        self.message: str = data["message"]
        self.fix: str | None = data.get("fix")
        self.clip: str | None = data.get("clip")
        self.joint: str | None = data.get("joint")
        self.material: str | None = data.get("material")
        self.time: float | None = data.get("time")
        self.value: float | None = data.get("value")
        self.unit: str | None = data.get("unit")
        self.threshold: float | None = data.get("threshold")
        self.fingerprint: str | None = data.get("fingerprint")
        self.state: str | None = data.get("state")
        self.suppressed: Any = data.get("suppressed")

    @property
    def counts(self) -> bool:
        """False for what is suppressed, or known to the baseline."""
        return not self.suppressed and self.state not in ("unchanged", "absent")

    def __repr__(self) -> str:
        return f"<{self.level} {self.rule} in {self.path}: {self.message}>"


class Report(About):
    """What a check has found. errors, warnings and notes have the findings that count; findings has all.
    data: the report as JSON."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.files: list[dict[str, Any]] = data["files"]
        self.summary: dict[str, Any] = data["summary"]
        self.verdict: str = self.summary["verdict"]
        self.findings = [Finding(finding, file["path"])
                         for file in self.files for finding in file["findings"]]

    def of_level(self, level: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == level and finding.counts]

    @property
    def errors(self) -> list[Finding]:
        return self.of_level("error")

    @property
    def warnings(self) -> list[Finding]:
        return self.of_level("warning")

    @property
    def notes(self) -> list[Finding]:
        return self.of_level("note")

    def of_rule(self, rule: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.rule == rule]

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.summary[name]} {name}" for name in ("errors", "warnings", "notes"))
        return f"<Report of {self.summary['files']} files: {counts}>"


def report_of(answer: Answer) -> Report:
    """The JSON report of a complete response."""
    return Report(json.loads(answer.read()))._describe(answer)
