"""Reads a stream of POST /v1/stream as docs/vertices.md describes it."""
import json
import socket
import struct

from client import JSON

HEADER = struct.Struct("<4sIIIdd6f")
KEY, ORDER, SAME, END, CHANGED, OUTDATED = 1, 2, 4, 8, 16, 32


class Frame:
    def __init__(self, fields, payload):
        _, _, self.number, self.flags, self.time, self.since, *box = fields
        self.box, self.payload = tuple(box), payload

    @property
    def skinning(self):
        """Index into the stream's skinnings."""
        return self.flags >> 8

    def has(self, flag):
        return bool(self.flags & flag)


class Live:
    """An open stream; `with` closes it. receive_bytes makes the client's buffer that small."""

    def __init__(self, client, request, receive_bytes=None, headers=None):
        self.client = client
        self.connection = client.connect()
        if receive_bytes:
            self.connection.sock = plain = socket.socket()
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            plain.settimeout(60)
            plain.connect(("127.0.0.1", client.port))
        self.connection.request("POST", "/v1/stream", json.dumps(request),
                                {"Content-Type": JSON, **(headers or {})})
        self.response = self.connection.getresponse()
        self.status, self.headers = self.response.status, self.response.headers
        self.id = self.headers.get("Posed-Stream")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.connection.close()
        self.response.close()

    def read(self):
        """The next frame; None at the end of the answer."""
        head = self.response.read(HEADER.size)
        if not head:
            return None
        fields = HEADER.unpack(head)
        assert fields[0] == b"PSTR", fields
        payload = self.response.read(fields[1])
        assert len(payload) == fields[1]
        return Frame(fields, payload)

    def read_until(self, holds, most=2000):
        """Frames up to the first one that holds(), which is the last of them."""
        frames = []
        for _ in range(most):
            frames.append(self.read())
            if frames[-1] is None or holds(frames[-1]):
                return frames
        raise AssertionError(f"not within {most} frames")

    def read_all(self):
        return self.read_until(lambda frame: False)[:-1]

    def path(self):
        return "/v1/streams/" + self.id

    def patch(self, headers=None, **members):
        return self.client.request("PATCH", self.path(), json.dumps(members).encode(),
                                   {"Content-Type": JSON, **(headers or {})})

    def state(self):
        return self.client.get(self.path())

    def end(self):
        return self.client.request("DELETE", self.path())
