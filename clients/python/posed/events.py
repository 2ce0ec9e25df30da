"""Events of work that is under way, as they happen."""
from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import AnswerClosed, ConnectionFailed, Problem
from .results import About

if TYPE_CHECKING:
    from .connection import Answer

Own = TypeVar("Own", bound="Events")


class Events(About):
    """An iterator over events, each a dict with its kind as "event". Also a context that ends the daemon's
    work on exit.

    An iteration that ends before "end" raises ConnectionFailed; one whose work fails raises Problem."""

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

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self: Own) -> Own:
        return self

    def __next__(self) -> dict[str, Any]:
        try:
            line = next(self._lines, None)
        except AnswerClosed:
            raise StopIteration from None
        if line is None:
            self.close()
            if not self._is_complete:
                raise ConnectionFailed("the events ended before the last one")
            raise StopIteration
        event: dict[str, Any] = json.loads(line)
        if event["event"] == "failed":
            self.close()
            raise Problem(event["problem"]["status"], event["problem"], None)
        self._is_complete = event["event"] == "end"
        return event


class CheckEvents(Events):
    """Those of a check: start, clip, finding, file, end."""


class CompressEvents(Events):
    """Those of a compression: start; clip, when it is done; end, with the report, and the file as bytes."""

    def __next__(self) -> dict[str, Any]:
        event = super().__next__()
        if event["event"] == "end":
            event["file"] = base64.b64decode(event["file"])
        return event
