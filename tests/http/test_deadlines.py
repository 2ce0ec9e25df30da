"""The longest time that a client waits, and the fate of work that no client waits for."""
import concurrent.futures
import socket
import time
import unittest

from case import DaemonCase
from client import Client, rig_path
from daemon import Daemon, is_instrumented
from slow import put_slow, slow_description, slow_picture

WAYS = {"a render thread": slow_picture, "the CPU's pool": slow_description}


class Deadlines(DaemonCase):
    keeps_times = True
    daemon_args = ("--render-threads", "1", "--cpu-threads", "1")

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_deadlines_that_are_none_are_refused(self):
        for text in ("0", "-1", "1.5", "soon", "", "3600001", "99999999999999999999"):
            with self.subTest(text):
                reply = self.client.get("/v1", posed_deadline_ms=text)
                self.assertProblem(reply, 400, "invalid-value", says="Posed-Deadline-Ms")

    def test_work_that_takes_longer_is_504_at_its_time(self):
        for where, ask in WAYS.items():
            with self.subTest(where):
                rig = put_slow(self.client)
                begun = time.monotonic()
                reply = ask(self.client, rig, posed_deadline_ms="150")
                taken = time.monotonic() - begun
                self.assertProblem(reply, 504, "deadline", says="Posed-Deadline-Ms")
                self.assertGreaterEqual(taken, 0.14)
                self.assertLess(taken, 1.0)

    def test_what_waits_behind_it_is_504_at_its_own_time_and_the_thread_is_free_soon(self):
        for where, ask in WAYS.items():
            with self.subTest(where), concurrent.futures.ThreadPoolExecutor(2) as pool:
                first, second = put_slow(self.client), put_slow(self.client)
                slow = pool.submit(ask, self.client, first, posed_deadline_ms="1000")
                time.sleep(0.1)
                begun = time.monotonic()
                waiting = ask(self.client, second, posed_deadline_ms="200")
                self.assertProblem(waiting, 504, "deadline")
                self.assertLess(time.monotonic() - begun, 0.8)
                self.assertProblem(slow.result(), 504, "deadline")
                begun = time.monotonic()
                self.assertStatus(self.client.get(rig_path("cyl2")), 200)
                self.assertStatus(self.client.frame("cyl2", width=8, height=8), 200)
                self.assertLess(time.monotonic() - begun, 1.0)

    def test_enough_time_is_enough(self):
        reply = self.client.frame("cyl2", width=9, height=9)
        self.assertStatus(reply, 200)
        again = self.client.post(
            "frame", {"rig": "cyl2", "width": 9, "height": 9}, posed_deadline_ms="60000"
        )
        self.assertEqual(again.body, reply.body)

    def test_default_is_the_daemon_s(self):
        daemon = Daemon(args=("--deadline-seconds", "0.2")).start()
        try:
            client = Client(daemon.port)
            rig = put_slow(client, posed_deadline_ms="30000")
            self.assertProblem(slow_picture(client, rig), 504, "deadline")
        finally:
            daemon.stop()

    def test_work_of_clients_that_left_is_dropped(self):
        for where, path in (("a render thread", "frame.png?clip=hour&fit=clip"),
                            ("the CPU's pool", None)):
            with self.subTest(where):
                rigs = [put_slow(self.client) for _ in range(6)]
                sockets = []
                for rig in rigs:
                    target = rig_path(rig, "/" + path if path else "?bounds=clips")
                    connection = socket.create_connection(("127.0.0.1", self.client.port))
                    connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                    sockets.append(connection)
                time.sleep(0.1)
                for connection in sockets:
                    connection.close()
                begun = time.monotonic()
                self.wait_for_small(where, begun + 20)
                limit_s = 10 if is_instrumented() else 1.5
                self.assertLess(time.monotonic() - begun, limit_s, "the six were not dropped")

    def wait_for_small(self, where, until):
        """Until a small request to the same pool is answered, and not refused any more."""
        pose = {"clip": "bend", "time": until % 1}
        ask = self.client.frame if where == "a render thread" else self.client.pose
        while (reply := ask("cyl2", pose)).status == 503:
            self.assertLess(time.monotonic(), until, str(reply))
            time.sleep(0.02)
        self.assertStatus(reply, 200)


if __name__ == "__main__":
    unittest.main()
