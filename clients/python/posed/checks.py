"""Reports of checks as objects, and the events of a check that is under way."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .errors import AnswerClosed, ConnectionFailed
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


class CheckEvents(About):
    """An iterator over the events of a check as they happen, each a dict with its kind as "event": start,
    clip, finding, file, end. Also a context that ends the daemon's work on exit.

    An iteration that ends before "end" raises ConnectionFailed: the check is incomplete."""

    def __init__(self, answer: Answer) -> None:
        self._describe(answer)
        self._answer = answer
        self._lines = self._read()
        self._is_complete = False

    def _read(self) -> Iterator[bytes]:
        rest = b""
        for piece in self._answer.pieces():
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines

    def close(self) -> None:
        """Cancels the work and ends the iteration. Any thread."""
        self._answer.close()

    def __enter__(self) -> CheckEvents:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> CheckEvents:
        return self

    def __next__(self) -> dict[str, Any]:
        try:
            line = next(self._lines, None)
        except AnswerClosed:
            raise StopIteration from None
        if line is None:
            self.close()
            if not self._is_complete:
                raise ConnectionFailed("the check ended before it was complete")
            raise StopIteration
        event: dict[str, Any] = json.loads(line)
        self._is_complete = event["event"] == "end"
        return event
