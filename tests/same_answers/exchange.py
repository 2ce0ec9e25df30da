"""Requests, and the answers of one build to a list of them."""
import concurrent.futures
import dataclasses
import http.client
import json
import re
import socket
import time

from client import TIMEOUT_S
from live import CHANGED, HEADER, KEY

SETTLE_LIMIT_S = 60
PLACEHOLDER = re.compile(r"\{\{(.+?)\|([\w-]+)\}\}")


@dataclasses.dataclass(frozen=True)
class Request:
    """One request. {{NAME|HEADER}} in its target and headers stands for a header of the answer to the
    request NAME, {{NAME|id}} for the member of its JSON body.

    how     once      a request and its answer
            settled   asked again while the answer's `state` says waiting or running
            frames    a stream or multipart answer, read to its end, taken apart
            open      a stream that stays open; its first frame
            changed   nothing is sent: the first frame of a changed pose, from the stream `target`
            raw       the body is all that is sent
    """
    name: str
    operation: str  # operationId; "" = none of the description
    method: str
    target: str
    headers: tuple = ()
    body: bytes = b""
    daemon: str = "open"
    how: str = "once"


@dataclasses.dataclass
class Answer:
    status: int
    headers: list  # (name, value)
    body: bytes
    parts: dict | None = None  # of a timed answer: what is in it by number
    seconds: float = 0

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


def answer_of(response, body=None, parts=None):
    headers = [tuple(pair) for pair in response.headers.items()]
    return Answer(response.status, headers, response.read() if body is None else body, parts)


def frame_of(response):
    """(number, what is compared of it) of a stream's next frame; None at the end."""
    head = response.read(HEADER.size)
    if not head:
        return None
    magic, size, number, flags, moment, _, *box = HEADER.unpack(head)
    payload = response.read(size)
    return number, flags, (f"{magic} {flags & ~(KEY | 255 << 8)} {moment} {box}".encode() + b"\n"
                           + payload, size)


class Asker:
    """Sends a list of requests to the daemons of one build."""

    def __init__(self, ports):
        self.ports = ports  # {name of the daemon: port}
        self.answers = {}
        self.streams = {}  # open ones, by the request's name

    def ask_all(self, requests, side_by_side):
        """side_by_side: how many at once; their order does not matter then."""
        with concurrent.futures.ThreadPoolExecutor(side_by_side) as pool:
            list(pool.map(self.ask, requests))

    def ask(self, request):
        begun = time.monotonic()
        answer = self.ask_once(request)
        answer.seconds = time.monotonic() - begun
        self.answers[request.name] = answer

    def ask_once(self, request):
        try:
            return getattr(self, "_" + request.how)(request)
        except (OSError, http.client.HTTPException) as error:
            # A connection that breaks is an answer, too: the other build's must break as well.
            return Answer(0, [], f"{type(error).__name__}".encode())

    def filled(self, text):
        def value(match):
            answer = self.answers[match[1]]
            return json.loads(answer.body).get("id", "none") if match[2] == "id" else answer.header(match[2])
        return PLACEHOLDER.sub(value, text)

    def send(self, request):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[request.daemon],
                                                timeout=TIMEOUT_S)
        connection.putrequest(request.method, self.filled(request.target), skip_accept_encoding=True,
                              skip_host=any(name == "Host" for name, _ in request.headers))
        for name, value in request.headers:
            connection.putheader(name, self.filled(value))
        if request.body or request.method in ("PUT", "POST", "PATCH"):
            connection.putheader("Content-Length", str(len(request.body)))
        connection.endheaders(request.body)
        return connection, connection.getresponse()

    def _once(self, request):
        connection, response = self.send(request)
        answer = answer_of(response)
        connection.close()
        return answer

    def _settled(self, request):
        deadline = time.monotonic() + SETTLE_LIMIT_S
        while True:
            answer = self._once(request)
            if answer.status != 200 or json.loads(answer.body)["state"] not in ("waiting", "running"):
                return answer
            assert time.monotonic() < deadline, f"{request.name}: {answer.body}"
            time.sleep(0.01)

    def _frames(self, request):
        connection, response = self.send(request)
        boundary = re.search("boundary=(.*)", response.headers.get("Content-Type", ""))
        if response.status != 200:
            answer = answer_of(response)
        elif boundary:
            pieces = response.read().split(b"--" + boundary[1].encode() + b"\r\n")
            answer = answer_of(response, b"", {i: piece for i, piece in enumerate(dict.fromkeys(pieces))})
        else:
            answer = answer_of(response, b"", self.all_frames(response))
        connection.close()
        return answer

    @staticmethod
    def all_frames(response):
        parts = {}
        while (frame := frame_of(response)) is not None:
            number, flags, (shown, size) = frame
            if size:
                parts[f"{number} {flags >> 8} {'order' if flags & 2 else 'frame'}"] = shown
        return parts

    def _open(self, request):
        connection, response = self.send(request)
        if response.status != 200:
            return answer_of(response)
        self.streams[request.name] = connection, response
        return answer_of(response, frame_of(response)[2][0])

    def _changed(self, request):
        _, response = self.streams[request.target]
        while (frame := frame_of(response)) is not None:
            if frame[1] & CHANGED:
                return Answer(200, [], frame[2][0])
        return Answer(200, [], b"the stream ended")

    def _raw(self, request):
        with socket.create_connection(("127.0.0.1", self.ports[request.daemon]), TIMEOUT_S) as plain:
            plain.sendall(request.body)
            response = http.client.HTTPResponse(plain)
            response.begin()
            return answer_of(response)

    def close(self):
        for connection, response in self.streams.values():
            connection.close()
            response.close()
