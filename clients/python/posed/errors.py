"""What can go wrong: the daemon refuses a call, or cannot be reached."""
from __future__ import annotations

import json
from collections.abc import Mapping
from email.message import Message
from typing import Any


class PosedError(Exception):
    """The base of this package's errors."""


class ConnectionFailed(PosedError):
    """No daemon at the address, or the connection ended before the answer did."""


class AnswerClosed(ConnectionFailed):
    """The answer was closed by this side while it was read."""


class Problem(PosedError):
    """The daemon's answer to a call that it refused: RFC 9457's problem document.

    status      of HTTP
    type        a URN that stays the same for one kind of error, such as "urn:posed:unknown-clip"
    title       what that kind is called
    detail      one sentence: what was wrong, and what would be accepted
    pointer     JSON pointer into the request; None = the error is about no place in it
    parameter   name of the query parameter; None = likewise
    errors      what is wrong one by one, where the daemon says it
    request_id  by which the daemon's log knows the call
    """

    def __init__(self, status: int, document: Mapping[str, Any], request_id: str | None) -> None:
        self.status = status
        self.type: str = document.get("type", "about:blank")
        self.title: str = document.get("title", "")
        self.detail: str = document.get("detail", f"the daemon answered {status}")
        self.pointer: str | None = document.get("pointer")
        self.parameter: str | None = document.get("parameter")
        self.errors: list[Any] = document.get("errors", [])
        self.request_id = request_id
        place = self.pointer or self.parameter
        super().__init__(f"{self.detail} (at {place})" if place else self.detail)


def problem_of(status: int, headers: Mapping[str, str] | Message, body: bytes | bytearray) -> Problem:
    """The error that an answer stands for. Proxies answer with pages of their own."""
    try:
        document = json.loads(body)
    except ValueError:
        document = {}
    return Problem(status, document if isinstance(document, dict) else {},
                   headers.get("Posed-Request-Id"))
