"""Cached and shared responses equal the computed ones, and cost no work."""
import concurrent.futures
import pathlib
import re
import tempfile
import time
import unittest

from case import DEMO, DaemonCase
from client import Client, rig_path
from daemon import Daemon
from slow import put_slow, slow_description, slow_picture


def tube():
    return (DEMO / "tube23.glb").read_bytes()


def was_made(reply):
    """True if this response was computed for the request, by its Server-Timing."""
    return "queue;dur=" in reply.headers.get("Server-Timing", "")


class Kept(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def ways(self, number):
        pose = {"clip": "bend", "time": number / 1000}
        return {
            "picture": lambda: self.client.frame("cyl2", pose, width=32, height=32),
            "link": lambda: self.client.picture_link("cyl2", clip="bend", time=number / 1000),
            "vertices": lambda: self.client.vertices("cyl2", pose),
            "pose": lambda: self.client.pose("cyl2", pose),
            "mesh": lambda: self.client.vertices("cyl2", pose, accept="model/gltf-binary"),
        }

    def test_last_time_is_the_first_answer_with_its_headers(self):
        # A cheap response is cached only from the second request on.
        for name, ask in self.ways(1).items():
            with self.subTest(name):
                first = self.assertStatus(ask(), 200)
                ask()
                second = self.assertStatus(ask(), 200)
                self.assertTrue(was_made(first), first.headers)
                self.assertFalse(was_made(second), second.headers)
                self.assertEqual(first.body, second.body)
                own = ("Posed-Request-Id", "Date", "Server-Timing")
                self.assertEqual(
                    sorted((k, v) for k, v in first.headers.items() if k not in own),
                    sorted((k, v) for k, v in second.headers.items() if k not in own),
                )

    def test_other_content_under_the_name_is_another_answer(self):
        ask = self.ways(2)["vertices"]
        before = ask()
        self.put_rig("cyl2", tube())
        changed = self.client.vertices("cyl2", "rest")
        self.assertNotEqual(changed.body, before.body)
        self.put_demo("cyl2")
        self.assertEqual(ask().body, before.body)

    def test_errors_are_not_kept(self):
        first = self.client.vertices("later")
        self.assertProblem(first, 404, "unknown-rig")
        self.put_rig("later", tube())
        self.assertStatus(self.client.vertices("later"), 200)

    def test_without_memory_for_it_nothing_is_kept(self):
        daemon = Daemon(args=("--cache-memory", "0")).start()
        try:
            client = Client(daemon.port)
            client.put("tube", tube())
            first, second = client.vertices("tube"), client.vertices("tube")
            self.assertTrue(was_made(second), second.headers)
            self.assertEqual(first.body, second.body)
        finally:
            daemon.stop()


class OnDisk(DaemonCase):
    """Answers that outlive the daemon."""

    def test_pictures_are_there_after_a_restart_and_never_damaged(self):
        with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as cache:
            args = ("--cache", cache)
            ask = lambda client: client.frame("tube", {"clip": 0, "phase": 0.4}, width=64, height=64)
            first = self.in_daemon(data, args, lambda client: (client.put("tube", tube()), ask(client))[1])
            second = self.in_daemon(data, args, ask)
            self.assertTrue("draw;dur=" in first.headers["Server-Timing"])
            self.assertFalse("draw;dur=" in second.headers.get("Server-Timing", ""))
            self.assertEqual(first.body, second.body)
            self.assertEqual(first.headers["ETag"], second.headers["ETag"])
            files = [path for path in pathlib.Path(cache).rglob("*") if path.is_file()]
            self.assertTrue(files)
            for path in files:
                content = bytearray(path.read_bytes())
                content[len(content) // 2] ^= 1
                path.write_bytes(content)
            third = self.in_daemon(data, args, ask)
            self.assertTrue("draw;dur=" in third.headers["Server-Timing"])
            self.assertEqual(first.body, third.body)

    def in_daemon(self, data, args, ask):
        daemon = Daemon(data=data, args=args).start()
        try:
            return self.assertStatus(ask(Client(daemon.port)), 200)
        finally:
            daemon.stop()


class Equal(DaemonCase):
    """Equal requests at the same time are coalesced, also when nothing is cached."""

    keeps_times = True
    daemon_args = ("--cache-memory", "0")

    def put_slow(self):
        return put_slow(self.client, share=0.3)  # a second's

    def test_many_equal_requests_cost_as_much_as_one(self):
        for ask in (slow_picture, slow_description):
            with self.subTest(ask.__name__):
                begun = time.monotonic()
                self.assertStatus(ask(self.client, self.put_slow()), 200)
                alone = time.monotonic() - begun
                rig = self.put_slow()
                before = self.coalesced()
                begun = time.monotonic()
                with concurrent.futures.ThreadPoolExecutor(30) as pool:
                    replies = list(pool.map(lambda _: ask(self.client, rig), range(30)))
                taken = time.monotonic() - begun
                self.assertEqual({reply.status for reply in replies}, {200})
                self.assertEqual(len({reply.body for reply in replies}), 1)
                # Those who come when it is done do it again, which costs them little.
                made = sum(was_made(reply) for reply in replies)
                self.assertEqual(self.coalesced() - before, 30 - made)
                self.assertLess(made, 15)
                self.assertLess(taken, 4 * alone + 0.5)

    def coalesced(self):
        text = self.client.get("/metrics").body.decode()
        return int(re.search(r"^posed_coalesced_total (\d+)$", text, re.M)[1])

    def test_first_one_s_short_deadline_does_not_end_the_others_work(self):
        rig = self.put_slow()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            hasty = pool.submit(slow_description, self.client, rig, posed_deadline_ms="200")
            time.sleep(0.1)
            patient = [pool.submit(slow_description, self.client, rig) for _ in range(3)]
            self.assertProblem(hasty.result(), 504, "deadline")
            for future in patient:
                self.assertStatus(future.result(), 200)

    def test_first_one_s_leaving_does_not_end_the_others_work(self):
        rig = self.put_slow()
        connection = self.client.connect()
        connection.request("GET", rig_path(rig, "?bounds=clips"))
        time.sleep(0.1)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            patient = pool.submit(slow_description, self.client, rig)
            time.sleep(0.1)
            connection.close()
            self.assertStatus(patient.result(), 200)

    def test_error_of_one_is_the_error_of_all(self):
        rig = self.put_slow()

        def ask(_):
            request = {"rig": rig, "pose": {"clip": "nothing"}, "fit": "clip"}
            return self.client.post("frame", request)

        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            for reply in pool.map(ask, range(20)):
                self.assertProblem(reply, 404, "unknown-clip")


if __name__ == "__main__":
    unittest.main()
