"""A small HTTP client over http.client whose replies know the API's forms."""
import array
import http.client
import json
import sys
import urllib.parse

import described

JSON = "application/json"
OCTETS = "application/octet-stream"
PNG = "image/png"
PROBLEM = "application/problem+json"
TIMEOUT_S = 300


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def kind(self):
        """The media type without its parameters."""
        return (self.headers.get("Content-Type") or "").split(";")[0].strip().lower()

    def json(self):
        return json.loads(self.body.decode("utf-8"), parse_constant=refuse_constant)

    def floats(self):
        """The body as little-endian float32."""
        numbers = array.array("f")
        numbers.frombytes(self.body)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    def triples(self):
        """The body's float32 in threes: positions or normals."""
        numbers = self.floats()
        assert len(numbers) % 3 == 0, f"{len(numbers)} numbers in threes"
        return list(zip(*[iter(numbers)] * 3))

    def __str__(self):
        return f"{self.status} {self.kind} {self.body[:400]!r}"


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def rig_path(rig, rest=""):
    return "/v1/rigs/" + urllib.parse.quote(rig, safe="") + rest


class Client:
    """Each request has a connection of its own, unless made within `with client.keep() as kept`."""

    def __init__(self, port, source=None):
        self.port = port
        # The address that it connects from: another is another client. None = 127.0.0.1, whose port the
        # kernel finds sooner than that of a named address.
        self.source = source
        self.connection = None

    def connect(self):
        return http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=TIMEOUT_S,
            source_address=(self.source, 0) if self.source else None)

    def request(self, method, path, body=None, headers=None, chunked=False):
        connection = self.connection or self.connect()
        try:
            connection.request(method, path, body, headers or {}, encode_chunked=chunked)
            reply = Reply(connection.getresponse())
            wrong = described.complaint(method, path, reply)
            if wrong:
                raise AssertionError(f"{method} {path[:200]}: by openapi.yaml {wrong}; {reply}")
            return reply
        finally:
            if self.connection is None:
                connection.close()

    def keep(self):
        return Kept(self.port, self.source)

    def get(self, path, **headers):
        return self.request("GET", path, headers=spelled(headers))

    def put(self, rig, body, **headers):
        return self.request("PUT", rig_path(rig), body, spelled(headers))

    def delete(self, rig):
        return self.request("DELETE", rig_path(rig))

    def post(self, route, request, **headers):
        """POST /v1/<route>; the request is a dict, or the bytes of a body as they are."""
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        return self.request(
            "POST", "/v1/" + route, body, {"Content-Type": JSON, **spelled(headers)}
        )

    def vertices(self, rig, pose="rest", accept=OCTETS, **members):
        return self.post("vertices", {"rig": rig, "pose": pose, **members}, accept=accept)

    def pose(self, rig, pose="rest", accept=JSON, **members):
        return self.post("pose", {"rig": rig, "pose": pose, **members}, accept=accept)

    def compare(self, rig, pose="rest", methods=("lbs", "dqs"), accept=JSON, **members):
        request = {"rig": rig, "pose": pose, "methods": list(methods), **members}
        return self.post("compare", request, accept=accept)

    def crowd(self, instances, accept=PNG, **members):
        return self.post("crowd", {"instances": list(instances), **members}, accept=accept)

    def frame(self, rig, pose="rest", **members):
        return self.post("frame", {"rig": rig, "pose": pose, **members}, accept=PNG)

    def picture_link(self, rig, /, **query):
        return self.get(rig_path(rig, "/frame.png?" + urllib.parse.urlencode(query)))


class Kept(Client):
    """A client with one keep-alive connection, which does not hide a reconnect."""

    def __enter__(self):
        self.connection = self.connect()
        self.connection.connect()
        self.connection.auto_open = 0
        return self

    def __exit__(self, *_):
        self.connection.close()


def spelled(headers):
    """if_none_match='x' -> {'If-None-Match': 'x'}"""
    return {name.replace("_", "-").title(): value for name, value in headers.items()}
