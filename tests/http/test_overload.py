"""Overload: admitted requests wait briefly, by time and not by number; clients with one request at a
time are served; and refusals are sent at a rate that leaves the loop its time."""
import concurrent.futures
import json
import socket
import time
import unittest

from case import DaemonCase
from client import Client, Reply
from slow import put_slow

OTHER = "127.0.0.2"


class Overload(DaemonCase):
    def send(self, count, request):
        """So many requests at once, each on a connection of its own."""
        connections = []
        for i in range(count):
            connection = self.client.connect()
            self.addCleanup(connection.close)
            connection.connect()
            connections.append(connection)
        for i, connection in enumerate(connections):
            route, members = request(i)
            connection.request("POST", "/v1/" + route, json.dumps(members))
        return connections

    def replies(self, connections):
        return [Reply(connection.getresponse()) for connection in connections]

    def assertRefusal(self, reply):
        self.assertIn(reply.status, (503, 429), str(reply))
        self.assertTrue(reply.headers["Retry-After"])


class ManyQuickOnes(Overload):
    daemon_args = ("--queue-wait-ms", "10000")  # however slow the machine

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_number_alone_is_no_reason_to_refuse(self):
        # They take some ten microseconds each; all of them less than one picture. How long is known
        # from the first.
        self.assertStatus(self.client.pose("cyl2"), 200)
        replies = self.replies(self.send(500, lambda i: ("pose", {
            "rig": "cyl2", "pose": {"clip": "bend", "time": i / 1000}})))
        self.assertEqual([reply.status for reply in replies], [200] * len(replies))


class Greedy(Overload):
    daemon_args = ("--render-threads", "1", "--cache-memory", "0")

    @classmethod
    def prepare(cls):
        cls.put_demo("tube23")

    def picture(self, i):
        return "frame", {"rig": "tube23", "pose": {"clip": 0, "phase": i / 1000}, "width": 256,
                         "height": 256}

    def test_polite_client_is_always_served(self):
        self.assertStatus(self.client.post(*self.picture(0)), 200)
        statuses = set()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for round_ in range(3):
                greedy = self.send(300, lambda i: self.picture(1 + 300 * round_ + i))
                asked = pool.submit(self.replies, greedy)
                polite = 0
                while not asked.done() or polite == 0:
                    reply = Client(self.daemon.port, OTHER).post(*self.picture(polite))
                    self.assertStatus(reply, 200)
                    polite += 1
                replies = asked.result()
                self.assertIn(200, [reply.status for reply in replies])
                for reply in replies:
                    statuses.add(reply.status)
                    if reply.status != 200:
                        self.assertRefusal(reply)
        self.assertIn(503, statuses)
        self.assertStatus(self.client.post(*self.picture(0)), 200)


class Paced(Overload):
    """Immediate refusals, paced beyond a number per second."""

    keeps_times = True
    COUNT, AT_ONCE, RATE = 1000, 250, 1000
    daemon_args = ("--render-threads", "1", "--queue", "1", "--deadline-seconds", "600")

    def test_refusals_are_sent_at_a_pace(self):
        rig = put_slow(self.client)
        slow = self.client.connect()
        slow.request("POST", "/v1/frame", json.dumps(
            {"rig": rig, "pose": {"clip": "hour"}, "fit": "clip", "width": 16, "height": 16}))
        # From then on there is no place, until the slow one is done.
        picture = {"rig": rig, "width": 16, "height": 16}
        while self.client.post("frame", picture).status == 200:
            pass
        body = json.dumps(picture).encode()
        request = (b"POST /v1/frame HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body) + body)
        connections = [socket.create_connection(("127.0.0.1", self.client.port), 60)
                       for _ in range(self.COUNT)]
        begun = time.monotonic()
        for connection in connections:
            connection.sendall(request)
        # Requests that need no thread are not affected.
        self.assertStatus(self.client.get("/healthz"), 200)
        answers = [connection.recv(4096) for connection in connections]
        took_s = time.monotonic() - begun
        slow.close()
        for connection in connections:
            connection.close()
        for answer in answers:
            self.assertEqual(answer[:12], b"HTTP/1.1 503")
            self.assertIn(b"\r\nRetry-After: ", answer)
        self.assertGreaterEqual(took_s, (self.COUNT - self.AT_ONCE) / self.RATE)


if __name__ == "__main__":
    unittest.main()
