"""Changes acknowledged with 201 or 200 survive SIGTERM and SIGKILL; SIGTERM shuts down gracefully."""
import concurrent.futures
import http.client
import json
import shutil
import subprocess
import tempfile
import time
import unittest

import rigs
from case import DEMO, DaemonCase
from client import Client, Reply, rig_path
from daemon import Daemon, binary, is_instrumented
from picture import Picture


class Restarts(unittest.TestCase):
    """Each case has a data folder that outlives its daemons."""

    def setUp(self):
        if not binary().exists():
            self.fail(f"no daemon at {binary()}: build it, or set POSED_BINARY")
        self.data = tempfile.mkdtemp(prefix="posed-restart-")
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)
        self.daemon = None
        self.addCleanup(
            lambda: self.daemon and self.daemon.process.poll() is None and self.daemon.kill()
        )

    def start(self):
        self.daemon = Daemon(data=self.data).start()
        return Client(self.daemon.port)

    def fill(self, client):
        """Rigs of several names and both forms; one replaced, one deleted."""
        bodies = {
            "plain": rigs.triangle().glb(),
            "text": rigs.triangle().gltf(),
            "ünï cødé %2F?#": rigs.square().glb(),
            "x" * 128: rigs.square().glb(),
            "cyl2": (DEMO / "cyl2.glb").read_bytes(),
        }
        for name, body in bodies.items():
            self.assertEqual(client.put(name, body).status, 201, name)
        client.put("plain", rigs.square(2, 2).glb())
        bodies["plain"] = rigs.square(2, 2).glb()
        client.put("deleted", rigs.triangle().glb())
        self.assertEqual(client.delete("deleted").status, 204)
        return bodies

    def state(self, client):
        listed = client.get("/v1/rigs").json()["rigs"]
        results = client.vertices("cyl2", {"clip": "bend", "time": 1.3})
        picture = client.frame("cyl2", {"clip": "bend", "time": 1.3}, width=48, height=48)
        self.assertEqual((results.status, picture.status), (200, 200))
        return listed, results.body, results.headers["ETag"], picture.body, picture.headers["ETag"]

    def assertSame(self, bodies, before):
        client = self.start()
        self.assertEqual(self.state(client), before)
        for name, body in bodies.items():
            self.assertEqual(client.get(rig_path(name, "/source")).body, body, name)
        self.assertEqual(client.get(rig_path("deleted")).status, 404)
        return client

    def test_rigs_and_results_are_the_same_after_sigterm(self):
        client = self.start()
        bodies = self.fill(client)
        before = self.state(client)
        self.daemon.stop()
        self.assertSame(bodies, before)
        self.daemon.stop()

    def test_rigs_and_results_are_the_same_after_sigkill(self):
        client = self.start()
        bodies = self.fill(client)
        before = self.state(client)
        self.daemon.kill()
        self.assertSame(bodies, before)
        self.daemon.kill()
        self.assertSame(bodies, before)
        self.daemon.stop()

    def test_put_that_was_answered_survives_a_kill_at_once(self):
        for i in range(3):
            client = self.start()
            body = rigs.triangle([(0, 0, 0), (i + 1, 0, 0), (0, 1, 0)]).glb()
            reply = client.put("last", body)
            self.daemon.kill()
            self.assertIn(reply.status, (200, 201))
            client = self.start()
            self.assertEqual(
                client.get(rig_path("last")).json()["content"], reply.json()["content"]
            )
            self.assertEqual(client.get(rig_path("last", "/source")).body, body)
            self.daemon.stop()

    def test_two_daemons_never_share_a_folder(self):
        # Each would overwrite what the other has promised to keep.
        client = self.start()
        client.put("first", rigs.triangle().glb())
        command = [binary(), "--listen", "127.0.0.1:0", "--data", self.data]
        second = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertIn(self.data, second.stderr)
        self.assertEqual(client.vertices("first").status, 200)
        self.daemon.stop()

    def test_kill_amid_puts_leaves_whole_rigs_only(self):
        client = self.start()
        bodies = [rigs.triangle([(0, 0, 0), (n, 0, 0), (0, n, 0)]).glb() for n in (1, 2)]
        answered = []

        def put(i):
            reply = client.put(f"rig{i % 20}", bodies[i % 2])
            answered.append(f"rig{i % 20}")
            return reply

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(put, i) for i in range(2000)]
            time.sleep(0.15)
            self.daemon.kill()
            for future in futures:
                future.cancel()
        client = self.start()
        names = [rig["name"] for rig in client.get("/v1/rigs").json()["rigs"]]
        for name in set(answered):
            self.assertIn(name, names)
        for name in names:
            self.assertIn(client.get(rig_path(name, "/source")).body, bodies)
            self.assertEqual(client.vertices(name).status, 200)
        self.daemon.stop()


class Ending(DaemonCase):
    keeps_times = True

    def fresh(self):
        daemon = Daemon().start()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.kill())
        return daemon, Client(daemon.port)

    def test_sigterm_ends_an_idle_daemon_with_0_at_once(self):
        daemon, client = self.fresh()
        client.get("/v1")
        begun = time.monotonic()
        daemon.stop()
        self.assertLess(time.monotonic() - begun, 5)

    def test_open_connections_that_ask_nothing_do_not_hold_it(self):
        daemon, client = self.fresh()
        with client.keep() as kept, client.keep():
            kept.get("/v1")
            begun = time.monotonic()
            daemon.stop()
            self.assertLess(time.monotonic() - begun, 10)

    def test_work_under_way_is_finished_and_new_work_refused(self):
        daemon, client = self.fresh()
        client.put("cyl2", (DEMO / "cyl2.glb").read_bytes())
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            asked = self.drawn_now(client, pool)
            daemon.terminate()
            self.wait_until_stopping(daemon)
            try:
                refused = client.vertices("cyl2")
                self.assertEqual(refused.status, 503, str(refused))
                self.assertTrue(refused.headers.get("Retry-After"))
            except OSError:
                pass  # the door is closed already
            reply = asked.result()
        self.assertEqual(reply.status, 200)
        self.assertEqual(Picture(reply.body, rows=1).height, 4096)
        self.assertEqual(daemon.wait()[0], 0)

    def test_answer_on_its_way_is_sent_to_the_end(self):
        # 80 MB that nobody reads yet: far more than the sockets hold, so the sending is under way.
        daemon, client = self.fresh()
        client.put("tube23", (DEMO / "tube23.glb").read_bytes())
        poses = [{"clip": 0, "phase": i / 511} for i in range(512)]
        connection = client.connect()
        connection.request("POST", "/v1/vertices", json.dumps({"rig": "tube23", "poses": poses}))
        response = connection.getresponse()
        first = response.read(12)
        daemon.terminate()
        time.sleep(0.2)
        self.assertEqual(len(first + response.read()), 512 * 13206 * 12)
        connection.close()
        self.assertEqual(daemon.wait()[0], 0)

    def ask(self, client, route, request):
        """Sends a request and returns its connection."""
        connection = client.connect()
        self.addCleanup(connection.close)
        connection.request("POST", "/v1/" + route, json.dumps(request))
        return connection

    @staticmethod
    def outcome(response):
        """The status of an answer, and whether it has its end or which problem it is."""
        try:
            reply = Reply(response)
        except http.client.IncompleteRead:
            return response.status, "cut off"
        return reply.status, json.loads(reply.body)["type"] if reply.status != 200 else "whole"

    def drawn_now(self, client, pool):
        """A picture that a worker is seen to draw; one that is done before that is asked for anew."""
        deadline = time.monotonic() + 120
        yaw = 0
        while time.monotonic() < deadline:
            asked = pool.submit(client.frame, "cyl2", width=4096, height=4096, camera={"yaw": yaw})
            yaw += 1
            while not asked.done():
                if b'posed_workers_utilization{kind="render"} 0\n' not in client.get("/metrics").body:
                    return asked
        self.fail("no picture was seen while it was drawn")

    def wait_until_stopping(self, daemon):
        deadline = time.monotonic() + 120
        while "stopping: " not in daemon.log_tail():
            self.assertLess(time.monotonic(), deadline, "the daemon ignores the signal")
            time.sleep(0.01)

    def wait_until_begun(self, client, count):
        """Waits until so many requests are in flight, besides its own."""
        deadline = time.monotonic() + 120
        while client.get("/metrics").body.find(
                b"\nposed_requests_in_progress %d\n" % (count + 1)) < 0:
            self.assertLess(time.monotonic(), deadline, "the requests do not begin")
            time.sleep(0.02)

    LONG = {"rig": "humanoid", "pose": {"clip": "Walk"}, "width": 512, "height": 512,
            "background": "#ffffff", "times": {"start": 0, "end": 80, "count": 4000}}
    CROWD = {"instances": [{"rig": "humanoid", "pose": {"clip": "Walk", "time": i / 1000},
                            "translation": [i % 64, 0, i // 64]} for i in range(4096)],
             "width": 4096, "height": 4096}
    FORMS = ("apng", "webp", "gif", "tar", "mp4", "webm")

    def test_long_answers_end_within_the_promised_time(self):
        # They would take minutes. What has begun is cut off in the middle, so that nobody takes it
        # for the whole; what has not is refused.
        daemon, client = self.fresh()
        client.put("humanoid", (DEMO / "humanoid.glb").read_bytes())
        with self.ask(client, "frames", {**self.LONG, "format": "apng"}).getresponse() as begun:
            waiting = {form: self.ask(client, "frames", {**self.LONG, "format": form})
                       for form in self.FORMS}
            waiting["crowd"] = self.ask(client, "crowd", self.CROWD)
            self.wait_until_begun(client, 1 + len(waiting))
            with concurrent.futures.ThreadPoolExecutor(1 + len(waiting)) as pool:
                asked = {form: pool.submit(lambda c: self.outcome(c.getresponse()), connection)
                         for form, connection in waiting.items()}
                rest = pool.submit(self.outcome, begun)
                begun_s = time.monotonic()
                daemon.terminate()
                self.assertEqual(daemon.wait(), (0, b""))
                took_s = time.monotonic() - begun_s
                ends = {form: future.result() for form, future in asked.items()}
                self.assertEqual(rest.result(), (200, "cut off"))
        self.assertLess(took_s, 8 if not is_instrumented() else 20)
        for form, end in ends.items():
            self.assertIn(end, [(200, "cut off"), (503, "urn:posed:shutting-down")], form)

    def test_second_sigterm_ends_long_answers_at_once(self):
        daemon, client = self.fresh()
        client.put("humanoid", (DEMO / "humanoid.glb").read_bytes())
        connection = self.ask(client, "frames", {**self.LONG, "format": "webp"})
        self.wait_until_begun(client, 1)
        begun = time.monotonic()
        daemon.terminate()
        self.wait_until_stopping(daemon)
        daemon.terminate()
        self.assertEqual(self.outcome(connection.getresponse()), (503, "urn:posed:shutting-down"))
        self.assertEqual(daemon.wait(), (0, b""))
        self.assertLess(time.monotonic() - begun, 3 if not is_instrumented() else 15)


if __name__ == "__main__":
    unittest.main()
