"""Bodies that end early: nothing is stored, nothing stays open, the daemon goes on."""
import json
import os
import socket
import struct
import time

from client import JSON
from store_case import StoreCase, body_of

STEP = 100
SETTLE_S = 10
# Of the process that waits for the next import, which may not have been there yet.
SPARE_DESCRIPTORS = 3


class CutBodies(StoreCase):
    keeps_times = True

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.daemon.process.pid}/fd"))

    def send_part(self, head, part, ending):
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=10) as connection:
            connection.sendall(head + part)
            if ending == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                      struct.pack("ii", 1, 0))
            elif ending == "half":
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(65536)
                self.assertNotIn(answer[9:12], (b"200", b"201"), answer)

    def cut(self, line, body, step=STEP):
        head = (f"{line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        if line.startswith("PUT"):
            head = head.replace(JSON.encode(), b"application/octet-stream")
        for number, size in enumerate(range(0, len(body), step)):
            ending = ("close", "reset")[number % 2]
            # A half-closed connection is answered within the second: only now and then.
            self.send_part(head, body[:size], "half" if number % 15 == 2 else ending)

    def assertSettled(self, client, before, bodies):
        end = time.monotonic() + SETTLE_S
        most = before + SPARE_DESCRIPTORS
        while self.descriptors() > most and time.monotonic() < end:
            time.sleep(0.02)
        self.assertLessEqual(self.descriptors(), most)
        self.assertHolds(client, bodies)
        self.assertNothingElseOnDisk(bodies)

    def test_cut_bodies_leave_nothing(self):
        client = self.start()
        kept = {"kept": body_of(0)}
        client.put("kept", kept["kept"])
        request = {"rig": "kept", "pose": "rest", "width": 16, "height": 16}
        text = json.dumps(request).encode().replace(b",", b"," + b" " * 800)
        self.assertEqual(client.vertices("kept").status, 200)
        before = self.descriptors()
        self.cut("PUT /v1/rigs/cut", body_of(1, 5000))
        self.assertSettled(client, before, kept)
        self.cut("PUT /v1/rigs/kept", body_of(1, 5000))
        self.assertSettled(client, before, kept)
        self.cut("POST /v1/frame", text)
        self.assertSettled(client, before, kept)
        self.cut("PUT /v1/rigs/cut", body_of(1, 2000000), 150000)  # such bodies lie in files
        self.assertSettled(client, before, kept)
        self.assertEqual(client.put("cut", body_of(1, 5000)).status, 201)
        self.assertEqual(client.vertices("cut").status, 200)
        self.daemon.stop()
