"""Clients that take their time: slow senders and readers, greedy ones, thousands at once."""
import concurrent.futures
import http.client
import json
import resource
import socket
import threading
import time
import unittest

from case import DaemonCase
from client import JSON, Reply
from slow import put_slow, slow_picture

IDLE_S = 1
MANY = 2000


def frame_body(time_s):
    return json.dumps({"rig": "cyl2", "pose": {"clip": "bend", "time": time_s}, "width": 64,
                       "height": 64}).encode()


class Slow(DaemonCase):
    keeps_times = True
    daemon_args = ("--idle-seconds", str(IDLE_S))

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("humanoid")

    def drip(self, begin, rest, every_s=0.1):
        """Sends the rest byte by byte; the seconds until the daemon ends the connection."""
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.client.port)) as plain:
            plain.sendall(begin)
            plain.settimeout(every_s)
            for i in range(len(rest)):
                try:
                    plain.sendall(rest[i : i + 1])
                    if plain.recv(4096) == b"":
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
        return time.monotonic() - begun

    def test_head_that_drips_ends(self):
        taken = self.drip(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"a" * 100)
        self.assertLess(taken, 4 * IDLE_S)

    def test_second_head_that_drips_ends(self):
        taken = self.drip(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /h", b"a" * 100)
        self.assertLess(taken, 4 * IDLE_S)

    def test_body_that_drips_ends(self):
        head = b"POST /v1/pose HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
        self.assertLess(self.drip(head, b" " * 100), 4 * IDLE_S)

    def test_body_that_is_slow_but_steady_is_read(self):
        body = frame_body(0.25).ljust(60000)
        with socket.create_connection(("127.0.0.1", self.client.port)) as plain:
            plain.sendall(b"POST /v1/frame HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
            for i in range(0, len(body), 3000):
                plain.sendall(body[i : i + 3000])
                time.sleep(0.12)  # 25,000 bytes a second, for more than the idle time
            self.assertIn(b" 200 ", plain.recv(100))

    def test_reader_that_reads_nothing_ends(self):
        poses = [{"clip": "Walk", "phase": i / 2000} for i in range(2000)]
        body = json.dumps({"rig": "humanoid", "poses": poses}).encode()
        with socket.create_connection(("127.0.0.1", self.client.port)) as plain:
            plain.sendall(b"POST /v1/vertices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                          + f"\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            time.sleep(4 * IDLE_S)
            plain.settimeout(5)
            got = 0
            try:
                while piece := plain.recv(1 << 20):
                    got += len(piece)
            except ConnectionResetError:
                pass
        self.assertGreater(got, 0)
        self.assertLess(got, 32 << 20, "of 300 MB, what the sockets' buffers hold is all that came")

    def test_idle_connection_ends_after_its_time(self):
        with socket.create_connection(("127.0.0.1", self.client.port)) as plain:
            begun = time.monotonic()
            plain.settimeout(5 * IDLE_S)
            self.assertEqual(plain.recv(1), b"")
            self.assertGreater(time.monotonic() - begun, 0.5 * IDLE_S)


class Many(DaemonCase):
    keeps_times = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_2000_connections_are_all_served(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY and hard < MANY + 200:
            self.skipTest(f"only {hard} descriptors here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (MANY + 200, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        connections = [self.client.connect() for _ in range(MANY)]
        try:
            for connection in connections:
                connection.connect()
            for _ in range(2):
                for connection in connections:
                    connection.request("GET", "/healthz")
                for connection in connections:
                    self.assertEqual(Reply(connection.getresponse()).status, 200)
            self.assertStatus(self.client.frame("cyl2", width=16, height=16), 200)
        finally:
            for connection in connections:
                connection.close()


class Greedy(DaemonCase):
    """One client with as many requests as it likes, beside one that sends them one by one."""

    keeps_times = True
    daemon_args = ("--render-threads", "1", "--queue", "8")

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def from_address(self, address):
        return http.client.HTTPConnection(
            "127.0.0.1", self.client.port, timeout=300, source_address=(address, 0)
        )

    def ask(self, connection, time_s):
        connection.request("POST", "/v1/frame", frame_body(time_s), {"Content-Type": JSON})
        return Reply(connection.getresponse())

    def test_greedy_client_is_told_429_and_others_are_served(self):
        done = threading.Event()
        greedy = []

        def crave(number):
            connection = self.from_address("127.0.0.2")
            i = 0
            while not done.is_set():
                i += 1
                greedy.append(self.ask(connection, number / 100 + i / 1e6))
            connection.close()

        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            for number in range(20):
                pool.submit(crave, number)
            time.sleep(0.3)
            polite = self.from_address("127.0.0.3")
            self.ask(polite, 0.5)  # that it is there at all is known from here on
            time.sleep(0.3)
            modest = [self.ask(polite, 0.6 + i / 1000) for i in range(30)]
            done.set()
            polite.close()
        self.assertEqual({reply.status for reply in modest}, {200})
        self.assertLessEqual({reply.status for reply in greedy}, {200, 429, 503})
        refused = [reply for reply in greedy if reply.status == 429]
        self.assertTrue(refused, "the greedy client was never refused")
        self.assertProblem(refused[0], 429, "client-share")
        self.assertTrue(refused[0].headers["Retry-After"])

    def test_full_queue_is_503_at_once(self):
        rigs = [put_slow(self.client) for _ in range(12)]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            futures = [pool.submit(slow_picture, self.client, rig, posed_deadline_ms="2000")
                       for rig in rigs]
            time.sleep(0.3)
            begun = time.monotonic()
            full = self.client.frame("cyl2", {"clip": "bend", "time": 0.001}, width=16, height=16)
            taken = time.monotonic() - begun
            self.assertProblem(full, 503, "overloaded")
            self.assertTrue(full.headers["Retry-After"])
            self.assertLess(taken, 0.5)
            statuses = sorted(future.result().status for future in futures)
        self.assertLessEqual(set(statuses), {200, 503, 504})
        self.assertIn(503, statuses)


if __name__ == "__main__":
    unittest.main()
