"""Attacks on a daemon that others use at the same time. Each attack is refused in the
API's form, or ends with the connection; the rig that the attacks aim at stays."""
import json
import socket
import struct
import time
import zlib

import clients
import rigs
from client import JSON, rig_path
from tiny import Tiny

# Only the attackers request it, and nobody deletes it: it is gone only if an attack worked.
TARGET = "humanoid"
DELETE = (f"DELETE {rig_path(TARGET)} HTTP/1.1\r\nHost: localhost\r\n"
          "Content-Length: 0\r\n\r\n").encode()
CHUNKED = b"0\r\n\r\n" + DELETE

# Heads that two readers of HTTP understand differently (RFC 9112, section 6.3), each with a body in
# which one of the readings finds a request of its own.
AMBIGUOUS = (
    ("Content-Length : {length}", DELETE),
    ("Content-Length: 0\r\nContent-Length: {length}", DELETE),
    ("Content-Length: {length}\r\nContent-Length: 0", DELETE),
    ("Content-Length:\r\n {length}", DELETE),
    ("Content-Length: 0,{length}", DELETE),
    ("Content-Length: +{length}", DELETE),
    ("Transfer-Encoding: chunked\r\nContent-Length: {length}", CHUNKED),
    ("Transfer-Encoding : chunked\r\nContent-Length: {length}", CHUNKED),
    ("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", CHUNKED),
    ("Transfer-Encoding: xchunked\r\nContent-Length: {length}", CHUNKED),
)
HEADERS_WRONG = ("Host: localhost\r\nHost: evil.test", "Host: localhost\r\nA: b\0c",
                 "Host: localhost\r\nA: b\rc")

TIMEOUT_S = 60
DRIP_PAUSE_S = 0.2
DRIPS = 50
HOARD = 24
HOARD_S = 3
BOMB_SIDE = 4096
BOMB_MATERIALS = 16
PARAMETERS = 500
LONG_HEAD_BYTES = 200_000
GARBAGE_BYTES = 3000


def bomb():
    """A GLB of some KB that becomes gigabytes where each material decodes the picture again."""
    head = struct.pack(">IIBBBBB", BOMB_SIDE, BOMB_SIDE, 8, 6, 0, 0, 0)
    rows = zlib.compress(bytes((BOMB_SIDE * 4 + 1) * BOMB_SIDE), 9)
    content = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b"")):
        content += struct.pack(">I", len(data)) + kind + data
        content += struct.pack(">I", zlib.crc32(kind + data))
    tiny = Tiny()
    image = tiny.add("images", {"bufferView": tiny.view(content), "mimeType": "image/png"})
    primitives = []
    for _ in range(BOMB_MATERIALS):
        texture = tiny.add("textures", {"source": image})
        primitive = tiny.primitive(rigs.TRIANGLE)
        primitive["material"] = tiny.material(
            pbrMetallicRoughness={"baseColorTexture": {"index": texture}})
        primitives.append(primitive)
    tiny.node(root=True, name="bomb", mesh=tiny.mesh(*primitives))
    return tiny.glb()


BOMB = bomb()


def closing(head):
    """A request without a body, after whose answer the daemon is to close the connection."""
    return (head + "\r\nConnection: close\r\n\r\n").encode()


class Attacker(clients.Actor):
    """A client that means harm. Its port of call is the same as everyone's."""

    ACTIVITIES = (
        (10, "ambiguous_framing"), (4, "wrong_headers"), (6, "garbage"), (2, "drip"), (2, "hoard"),
        (1, "bomb"), (8, "corrupt"), (8, "mutated_request"), (4, "foreign_host"),
        (4, "foreign_origin"), (3, "long_head"), (3, "many_parameters"), (2, "costly"),
    )

    def exchange(self, content, shut=False):
        """All that comes for some bytes on a connection of their own, until the daemon closes it;
        None if it was reset. shut: the bytes are followed by an end, for what is no whole request.
        """
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S) as own:
            try:
                own.sendall(content)
                if shut:
                    own.shutdown(socket.SHUT_WR)
                answer = bytearray()
                while piece := own.recv(1 << 16):
                    answer += piece
                return bytes(answer)
            except ConnectionError:
                return None

    def hold(self, answer, expect):
        """Notes what came for an attack: one answer of the expected ones, or a closed connection."""
        if not answer:
            self.note("closed")
            return
        status = int(answer.split()[1])
        count = answer.count(b"HTTP/1.1 ")
        fine = count == 1 and (status in expect or status in clients.BUSY)
        self.note(status, None if fine else f"{count} answers, {answer[:200]!r}")

    def ambiguous_framing(self):
        head, body = self.chance.choice(AMBIGUOUS)
        request = ("POST /v1/pose HTTP/1.1\r\nHost: localhost\r\n"
                   + head.format(length=len(body)) + "\r\n\r\n").encode()
        self.hold(self.exchange(request + body), (400, 501))

    def wrong_headers(self):
        head = self.chance.choice(HEADERS_WRONG)
        self.hold(self.exchange(closing("GET /healthz HTTP/1.1\r\n" + head)), (400,))

    def garbage(self):
        content = self.chance.randbytes(self.chance.randrange(1, GARBAGE_BYTES))
        if self.chance.random() < 0.5:
            content = b"GET " + content
        self.hold(self.exchange(content, shut=True), (400, 404, 405, 413, 414, 431, 501, 505))

    def drip(self):
        """A head that comes a byte at a time and does not end."""
        head = b"GET /v1/rigs HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * DRIPS
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S) as own:
            try:
                for i in range(DRIPS):
                    own.sendall(head[i:i + 1])
                    time.sleep(DRIP_PAUSE_S)
                self.note("left")
            except ConnectionError:
                self.note("closed")

    def hoard(self):
        """Connections that are opened and not used."""
        held = []
        try:
            for _ in range(HOARD):
                held.append(socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S))
            time.sleep(HOARD_S)
            self.note("left")
        except ConnectionError:
            self.note("closed")
        finally:
            for own in held:
                own.close()

    def put_and_forget(self, content, expect):
        name = f"{self.name}-hostile"
        if self.ask("PUT", rig_path(name), content, {}, expect)[0] in (200, 201):
            self.ask("DELETE", rig_path(name), expect=(204,))

    def bomb(self):
        self.put_and_forget(BOMB, (200, 201, 413, 422))

    def corrupt(self):
        """A demo rig with some bytes changed: a rig still, or a fault of the file's."""
        content = bytearray((clients.ROOT / "assets/demo/cyl2.glb").read_bytes())
        for _ in range(self.chance.randrange(1, 30)):
            content[self.chance.randrange(len(content))] = self.chance.randrange(256)
        self.put_and_forget(bytes(content), (200, 201, 400, 413, 415, 422))

    def mutated_request(self):
        """A request for a small picture with some bytes changed: it may even be a good one."""
        _, path, body, _ = clients.picture(self.chance.random(), 64)
        changed = bytearray(body)
        for _ in range(self.chance.randrange(1, 6)):
            changed[self.chance.randrange(len(changed))] = self.chance.randrange(256)
        self.ask("POST", path, bytes(changed), {"Content-Type": JSON},
                 (200, 400, 404, 413, 415, 422))

    def foreign_host(self):
        """A page whose name was made to lead here reads a rig."""
        head = f"GET {rig_path(TARGET, '/source')} HTTP/1.1\r\nHost: evil.test"
        self.hold(self.exchange(closing(head)), (400, 403, 421))

    def foreign_origin(self):
        """A page from elsewhere deletes a rig."""
        self.ask("DELETE", rig_path(TARGET), None, {"Origin": "http://evil.test"}, (403,))

    def long_head(self):
        head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x" * LONG_HEAD_BYTES
        self.hold(self.exchange(closing(head)), (400, 413, 431))

    def many_parameters(self):
        query = "&".join(f"p{i}={i}" for i in range(PARAMETERS))
        head = f"GET {rig_path(TARGET, '/frame.png')}?{query} HTTP/1.1\r\nHost: localhost"
        self.hold(self.exchange(closing(head)), (400, 413, 414, 431))

    def costly(self):
        """The dearest picture there is, asked for and not waited for."""
        request = {"rig": TARGET, "pose": "rest", "width": 4096, "height": 4096}
        own = self.open(("POST", "/v1/frame", json.dumps(request).encode(), {"Content-Type": JSON}))
        time.sleep(self.chance.random() * 0.2)
        self.leave(own)
