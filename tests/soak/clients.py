"""The activities of the soak's clients. Each makes one or more requests and notes the outcome
of each: a status, "left" when the client gave up, and the fault if there is one."""
import hashlib
import http.client
import json
import pathlib
import socket
import struct
import time

import rigs
from client import JSON, OCTETS, rig_path

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_S = 120

# The daemon ends connections that are idle for 30 s: older ones are not trusted to be there.
KEPT_S = 15

# When there is more than can be done: what a client is to try again.
BUSY = (429, 503, 504)

# The moments whose answers are known from before.
MOMENTS = [i / 16 for i in range(16)]

SLOW_PIECE_BYTES = 16384
SLOW_PAUSE_S = 0.02
SLOW_PIECES = 50


def prepare(client):
    for name in ("humanoid", "cyl2", "tube23"):
        reply = client.put(name, (ROOT / f"assets/demo/{name}.glb").read_bytes())
        if reply.status != 201:
            raise RuntimeError(f"cannot put {name}: {reply}")


def post(path, request, **headers):
    return ("POST", path, json.dumps(request).encode(), {"Content-Type": JSON, **headers})


def picture(phase, size):
    return post("/v1/frame", {"rig": "humanoid", "pose": {"clip": "Walk", "phase": phase},
                              "width": size, "height": size})


def vertices(phase, accept=OCTETS):
    return post("/v1/vertices", {"rig": "cyl2", "pose": {"clip": "bend", "phase": phase},
                                 "attributes": ["position", "normal"]}, Accept=accept)


def many_vertices(count, shift):
    """More than is made in one piece: it is made while it is sent."""
    poses = [{"clip": "Walk", "phase": (i / count + shift) % 1} for i in range(count)]
    return post("/v1/vertices", {"rig": "humanoid", "poses": poses}, Accept=OCTETS)


def digest(content):
    return hashlib.sha256(content).digest()


class Known:
    """Answers from before the load, which must be the same under it."""

    def __init__(self, client):
        self.digests = {}
        self.tag = None
        for moment in MOMENTS:
            for make in (vertices, lambda phase: picture(phase, 128)):
                request = make(moment)
                reply = client.request(*request)
                if reply.status != 200:
                    raise RuntimeError(str(reply))
                self.digests[request[2]] = digest(reply.body)
                self.tag = reply.headers["ETag"]
                self.tagged = request


class Actor:
    """A client with a keep-alive connection, which it opens again after it left."""

    def __init__(self, port, name, chance, known):
        self.port = port
        self.name = name
        self.chance = chance
        self.known = known
        self.connection = None
        self.used_s = 0  # when the connection was used last
        self.used_for = None
        self.note = None

    ACTIVITIES = (
        # how often against the others, activity
        (20, "picture"), (10, "known_picture"), (5, "unchanged_picture"), (20, "vertices"),
        (10, "known_vertices"), (20, "pose"), (2, "stream"), (6, "put_and_delete"),
        (4, "swap_and_read"), (4, "read_description"), (3, "source"), (3, "mesh"),
        (3, "refused"), (4, "leave_while_waiting"), (2, "leave_in_body"), (3, "leave_in_answer"),
        (1, "slow_reader"), (1, "slow_sender"),
    )

    def choose(self):
        """An activity's name, and the activity."""
        names = [name for _, name in self.ACTIVITIES]
        weights = [weight for weight, _ in self.ACTIVITIES]
        name = self.chance.choices(names, weights)[0]
        return name, getattr(self, name)

    def run(self, activity, note):
        self.note = note
        activity()

    def history(self):
        """Details about a lost response."""
        return (f"the connection was used {time.monotonic() - self.used_s:.1f} s before, for "
                f"{self.used_for}")

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def ask(self, method, path, body=None, headers=None, expect=(200,)):
        """(status, headers, content); notes it."""
        if time.monotonic() - self.used_s > KEPT_S:
            self.close()
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        self.connection.request(method, path, body, headers or {})
        response = self.connection.getresponse()
        content = response.read()
        self.used_s = time.monotonic()
        self.used_for = f"{method} {path} {response.status}"
        fine = response.status in expect or response.status in BUSY
        self.note(response.status, None if fine else f"{method} {path}: {content[:300]!r}")
        return response.status, response.headers, content

    # --- Answers of all kinds. ---

    def picture(self):
        self.ask(*picture(self.chance.random(), self.chance.choice((64, 128, 256))))

    def check_known(self, request):
        status, _, content = self.ask(*request)
        if status == 200 and digest(content) != self.known.digests[request[2]]:
            self.note("differs", "an answer differs from the one before the load")

    def known_picture(self):
        self.check_known(picture(self.chance.choice(MOMENTS), 128))

    def unchanged_picture(self):
        method, path, body, headers = self.known.tagged
        self.ask(method, path, body, {**headers, "If-None-Match": self.known.tag}, (304,))

    def vertices(self):
        self.ask(*vertices(self.chance.random(), self.chance.choice((OCTETS, OCTETS, JSON))))

    def known_vertices(self):
        self.check_known(vertices(self.chance.choice(MOMENTS)))

    def pose(self):
        request = {"rig": "humanoid", "pose": {"clip": "Walk", "phase": self.chance.random()}}
        self.ask(*post("/v1/pose", request, Accept=self.chance.choice((OCTETS, JSON))))

    def stream(self):
        count = self.chance.randrange(40, 120)
        status, headers, content = self.ask(*many_vertices(count, self.chance.random()))
        whole = count * int(headers.get("Posed-Vertices", 0)) * 12
        if status == 200 and len(content) != whole:
            self.note("short", f"{len(content)} of {whole} bytes of a long answer")

    def read_description(self):
        rig = self.chance.choice(("humanoid", "cyl2", "tube23"))
        self.ask("GET", rig_path(rig, self.chance.choice(("", "?bounds=clips"))))

    def source(self):
        self.ask("GET", rig_path("cyl2", "/source"))

    def mesh(self):
        self.ask("GET", rig_path("tube23", "/mesh.glb"))

    def refused(self):
        wrong = self.chance.choice((
            (post("/v1/pose", {"rig": "humanoid", "pse": "rest"}), 400),
            (post("/v1/vertices", {"rig": "nobody", "pose": "rest"}), 404),
            (("PUT", rig_path(self.name + "-junk"), b"junk", {}), 415),
            (("GET", "/nothing", None, {}), 404),
        ))
        self.ask(*wrong[0], expect=(wrong[1],))

    # --- Rigs that come and go. ---

    def put(self, name, size, expect):
        body = rigs.square(size, size).glb()
        return self.ask("PUT", rig_path(name), body, {}, expect)[0]

    def put_and_delete(self):
        name = f"{self.name}-{self.chance.randrange(4)}"
        if self.put(name, self.chance.random(), (200, 201)) in BUSY:
            return
        self.ask(*post("/v1/vertices", {"rig": name, "pose": "rest"}))
        # Rarely it stays, to be replaced by the next of its name.
        if self.chance.random() < 0.8:
            self.ask("DELETE", rig_path(name), expect=(204,))

    def swap_and_read(self):
        """One rig that all clients replace, take away and read."""
        if self.chance.random() < 0.5:
            self.put("swapped", self.chance.choice((1, 2)), (200, 201))
        elif self.chance.random() < 0.2:
            self.ask("DELETE", rig_path("swapped"), expect=(204, 404))
        else:
            self.ask(*post("/v1/vertices", {"rig": "swapped", "pose": "rest"}), expect=(200, 404))

    # --- Clients that leave, and slow ones. ---

    def open(self, request, bytes_of_body=None):
        """A connection of its own that has sent a request, or its first bytes."""
        method, path, body, headers = request
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}",
                 "Connection: close", *(f"{name}: {value}" for name, value in headers.items())]
        own = socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S)
        own.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body[:bytes_of_body])
        return own

    def leave(self, own):
        """At once, with a reset, as often as in peace."""
        if self.chance.random() < 0.5:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        own.close()
        self.note("left")

    def leave_while_waiting(self):
        own = self.open(picture(self.chance.random(), 512))
        time.sleep(self.chance.random() * 0.02)
        self.leave(own)

    def leave_in_body(self):
        body = (ROOT / "assets/demo/tube23.glb").read_bytes()
        self.leave(self.open(("PUT", rig_path(self.name), body, {}), len(body) // 2))

    def leave_in_answer(self):
        own = self.open(many_vertices(200, self.chance.random()))
        own.recv(self.chance.randrange(1, 100000))
        self.leave(own)

    def finish(self, own):
        """Reads the rest of a response, and notes its status."""
        content = bytearray()
        while piece := own.recv(1 << 16):
            content += piece
        own.close()
        self.note_raw(bytes(content))

    def note_raw(self, content):
        """Notes an answer as it came over the line; the connection ended with it."""
        head, _, body = content.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n")
                   if line.lower().startswith(b"content-length:")]
        whole = lengths == [len(body)]
        fine = whole and (status == 200 or status in BUSY)
        self.note(status, None if fine else f"{status}, {len(body)} bytes of {lengths}")

    def slow_reader(self):
        own = self.open(many_vertices(80, self.chance.random()))
        content = bytearray()
        for _ in range(SLOW_PIECES):
            content += own.recv(SLOW_PIECE_BYTES)
            time.sleep(SLOW_PAUSE_S)
        while piece := own.recv(1 << 20):
            content += piece
        own.close()
        self.note_raw(bytes(content))

    def slow_sender(self):
        request = vertices(self.chance.random())
        own = self.open(request, 10)
        for i in range(10, len(request[2]), 10):
            time.sleep(SLOW_PAUSE_S)
            own.sendall(request[2][i:i + 10])
        self.finish(own)
