"""HTTP with a daemon: a pool of connections, retries while it is busy, streamed responses."""
from __future__ import annotations

import contextlib
import email.utils
import http.client
import select
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from typing import Any, TypeVar, Union

from .errors import AnswerClosed, ConnectionFailed, problem_of
from .values import text_of

BUSY = (429, 503)  # responses with Retry-After
PIECE_BYTES = 1 << 18

Body = Union[bytes, bytearray, memoryview]
Found = TypeVar("Found")


class UnixConnection(http.client.HTTPConnection):
    """http.client over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    """The head of a response whose body has yet to be read, by one thread at a time."""

    def __init__(self, pool: Pool, connection: http.client.HTTPConnection,
                 response: http.client.HTTPResponse, connected: socket.socket) -> None:
        """connected: the connection's socket, which is released if the daemon will close it."""
        self._pool = pool
        self._connection: http.client.HTTPConnection | None = connection  # None = returned to the pool or closed
        self._response = response
        self._socket = connected
        self._reading = threading.Lock()
        self._is_closed = False
        self.status = response.status
        self.headers: Message = response.headers

    @property
    def media_type(self) -> str:
        return (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()

    def read(self) -> bytearray:
        """The whole body, as a bytearray that nothing else refers to."""
        with self:
            length = self._response.length
            if length is None or self._response.chunked:
                body = bytearray()
                for piece in self.pieces():
                    body += piece
                return body
            body = bytearray(length)
            self.read_into(memoryview(body))
            return body

    def read_into(self, view: memoryview) -> None:
        """Fills a writable view. A body that ends before that is an error."""
        filled = 0
        while filled < len(view):
            count = self._try(lambda: self._response.readinto(view[filled:]))
            if count == 0:
                self.close()
                raise ConnectionFailed("the answer ended before it was whole")
            filled += count

    def read_or_end(self, count: int) -> bytes:
        """So many bytes, or b"" at the end of the body."""
        first = self._try(lambda: self._response.read(count))
        if len(first) in (0, count):
            return first
        body = bytearray(count)
        body[:len(first)] = first
        self.read_into(memoryview(body)[len(first):])
        return bytes(body)

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives. An incomplete body is an error."""
        while piece := self._try(lambda: self._response.read1(PIECE_BYTES)):
            yield piece
        if self._response.length:
            raise ConnectionFailed("the answer ended before it was whole")

    def _try(self, read: Callable[[], Found]) -> Found:
        with self._reading:
            try:
                if not self._is_closed:
                    found = read()
            except (OSError, http.client.HTTPException) as error:
                if not self._is_closed:
                    if connection := self._take_connection():
                        connection.close()
                    raise ConnectionFailed(f"the answer broke off: {error}") from error
        if self._is_closed:
            raise AnswerClosed("the answer was closed while it was read")
        return found

    def _take_connection(self) -> http.client.HTTPConnection | None:
        connection, self._connection = self._connection, None
        return connection

    def close(self) -> None:
        """Returns the connection to the pool when the body has been read, otherwise closes it, which cancels
        the daemon's work. Any thread: a concurrent reader gets AnswerClosed."""
        self._is_closed = True
        if self._reading.locked():
            end_reading(self._socket)
        with self._reading:
            connection = self._take_connection()
        if connection is None:
            return
        if self._response.isclosed():
            self._pool.give_back(connection)
        else:
            connection.close()

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Pool:
    """Connections to one daemon. Thread-safe."""

    def __init__(self, address: str, token: str | None, timeout_s: float, patience_s: float) -> None:
        """address: http://HOST:PORT, https://…, optionally with a path before /v1, or unix:/PATH.
        patience_s: for how long requests to a busy daemon are retried."""
        self._make, self._prefix = maker_of(address, timeout_s)
        self._address = address
        self._token = token
        self._patience_s = patience_s
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._idle.append(connection)

    def close(self) -> None:
        with self._lock:
            connections, self._idle = self._idle, []
        for connection in connections:
            connection.close()

    def call(self, method: str, path: str, query: Mapping[str, Any] | None = None,
             body: Body | None = None, headers: Mapping[str, str | None] | None = None) -> Answer:
        """Sends a request and returns an Answer with status 2xx or 304. Raises Problem if the
        daemon refuses, ConnectionFailed if it is unreachable."""
        target = self._prefix + path + query_of(query or {})
        sent = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        sent.update({name: value for name, value in (headers or {}).items() if value is not None})
        give_up = time.monotonic() + self._patience_s
        while True:
            answer = self._send(method, target, body, sent)
            if answer.status < 400 and (answer.status < 300 or answer.status == 304):
                return answer
            content = answer.read()
            wait_s = wait_of(answer.headers.get("Retry-After"))
            if answer.status not in BUSY or time.monotonic() + wait_s > give_up:
                raise problem_of(answer.status, answer.headers, content)
            time.sleep(wait_s)

    def _send(self, method: str, target: str, body: Body | None,
              headers: Mapping[str, str]) -> Answer:
        while True:
            kept = self._take_idle()
            connection = kept or self._make()
            try:
                return self._exchange(connection, method, target, body, headers)
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                # The daemon may have closed a pooled connection. Every request can be repeated: all are
                # idempotent.
                if not kept or not isinstance(error, ConnectionError):
                    raise ConnectionFailed(f"no answer from {self._address}: {error}") from error

    def _exchange(self, connection: http.client.HTTPConnection, method: str, target: str,
                  body: Body | None, headers: Mapping[str, str]) -> Answer:
        try:
            connection.request(method, target, body, headers)
        except ConnectionError:
            # A daemon that refuses closes the connection during the upload; its response can be read.
            if connection.sock is None:
                raise
        connected = connection.sock
        return Answer(self, connection, connection.getresponse(), connected)

    def _take_idle(self) -> http.client.HTTPConnection | None:
        """A pooled connection that is still open; None = there is none."""
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                # A readable idle connection has been closed.
                if connection.sock and not select.select([connection.sock], [], [], 0)[0]:
                    return connection
                connection.close()
        return None


def query_of(parameters: Mapping[str, Any]) -> str:
    """The query string of a URL, with its question mark."""
    texts = {name: text_of(value) for name, value in parameters.items()}
    return "?" + urllib.parse.urlencode(texts) if texts else ""


def end_reading(connected: socket.socket) -> None:
    """Unblocks a read of another thread. A TLS socket is shut down below the encryption,
    which would otherwise be detached from the reader."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def wait_of(text: str | None) -> float:
    """The seconds of a Retry-After header, a number or a date; 1 if it is neither."""
    if text and text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text or "").timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 1.0


def maker_of(address: str, timeout_s: float) -> tuple[Callable[[], http.client.HTTPConnection], str]:
    """(a function that makes a connection, the prefix of the API's paths)"""
    if address.startswith("unix:"):
        path = address[len("unix:"):]
        return lambda: UnixConnection(path, timeout_s), ""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{address!r} is no address: http://HOST:PORT, https://… or unix:/PATH")
    secure = parts.scheme == "https"
    kind: type[http.client.HTTPConnection] = (
        http.client.HTTPSConnection if secure else http.client.HTTPConnection)
    host = parts.hostname
    return (lambda: kind(host, parts.port, timeout=timeout_s), parts.path.rstrip("/"))
