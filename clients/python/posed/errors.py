"""The errors: the daemon refuses a request, or is unreachable."""
from __future__ import annotations

import json
from collections.abc import Mapping
from email.message import Message
from typing import Any


class PosedError(Exception):
    """The base of this package's errors."""


class ConnectionFailed(PosedError):
    """No daemon at the address, or the connection ended before the response did."""


class AnswerClosed(ConnectionFailed):
    """This side closed the response while it was being read."""


class Problem(PosedError):
    """The daemon's response to a refused request: RFC 9457's problem document.

    status      of HTTP
    type        a URN that stays the same for one kind of error, such as "urn:posed:unknown-clip"
    title       name of that kind
    detail      one sentence: the mistake, and what would be accepted
    pointer     JSON pointer into the request; None = the error has no position in it
    parameter   name of the query parameter; None = likewise
    errors      each single mistake, if the daemon lists them
    request_id  ID of the request in the daemon's log
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
    """The error that a response stands for. Proxies respond with pages of their own."""
    try:
        document = json.loads(body)
    except ValueError:
        document = {}
    return Problem(status, document if isinstance(document, dict) else {},
                   headers.get("Posed-Request-Id"))
