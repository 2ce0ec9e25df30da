"""Graphics contexts that are lost and drivers that hang, made by build/.../tests/faults/posed."""
import json
import os
import pathlib
import tempfile
import time
import unittest

from case import DaemonCase
from client import Client
from daemon import ROOT, Daemon

FAULTY = pathlib.Path(
    os.environ.get("POSED_FAULTY_BINARY", ROOT / "build/release/tests/faults/posed")
).resolve()
HANG_S = 1
SIZE = {"width": 64, "height": 64}


class FaultyCase(DaemonCase):
    keeps_times = True
    needs_driver = True
    daemon_args = ("--render-threads", "1")

    @classmethod
    def setUpClass(cls):
        if not FAULTY.exists():
            raise AssertionError(f"no daemon at {FAULTY}: build it, or set POSED_FAULTY_BINARY")
        folder = tempfile.TemporaryDirectory(prefix="posed-faults-")
        cls.addClassCleanup(folder.cleanup)
        cls.order = pathlib.Path(folder.name, "faults")
        cls.daemon = Daemon(
            args=[*cls.renderer_args(), *cls.daemon_args], program=FAULTY,
            env={"POSED_FAULTS": str(cls.order)}
        ).start()
        cls.addClassCleanup(cls.daemon.stop)
        cls.client = Client(cls.daemon.port)
        if cls.client.get("/v1").json()["renderer"]["device"] == "none":
            raise unittest.SkipTest("no EGL here: there is no context to lose")
        cls.put_demo("tube23")
        cls.put_demo("cyl2")

    def make(self, faults):
        draft = self.order.with_suffix(".draft")
        draft.write_text(faults + "\n")
        draft.rename(self.order)

    def end_hang(self):
        end = self.order.with_name(self.order.name + ".end")
        end.touch()
        self.addCleanup(end.unlink)

    def picture(self, phase, **headers):
        request = {"rig": "tube23", "pose": {"clip": 0, "phase": phase}, **SIZE}
        return self.client.post("frame", request, accept="image/png", **headers)

    def logged(self, words):
        return self.daemon.log_tail(20000).count(words)


class Lost(FaultyCase):
    def test_lost_context_is_rebuilt_and_the_request_answered_as_if_nothing_was(self):
        # Other sizes than these pictures' are what the daemon was never asked for: nothing is kept.
        before = {phase: self.picture(phase).body for phase in (0.1, 0.2)}
        for phase in (0.1, 0.2):
            self.make("lose-context 1")
            lost = self.picture(phase, accept_language="x")
            self.assertStatus(lost, 200)
            self.assertEqual(lost.body, before[phase])
        other = [self.picture(0.3 + i / 100) for i in range(3)]
        self.assertEqual({reply.status for reply in other}, {200})

    def test_vertices_and_meshes_of_the_gpu_are_computed_again(self):
        for accept in ("application/octet-stream", "application/json", "model/gltf-binary"):
            skinning = {"method": "lbs", "device": "gpu"}
            pose = {"clip": 0, "phase": 0.77}
            right = self.client.vertices("cyl2", pose, accept, skinning=skinning, attributes=["position"])
            self.make("lose-context 1")
            resets = self.logged("context is lost")
            again = self.client.vertices("cyl2", pose, accept, skinning=skinning)
            if self.order.exists():
                again = self.client.vertices(
                    "cyl2", {"clip": 0, "phase": 0.77, "loop": "repeat"}, accept, skinning=skinning
                )
            self.assertStatus(again, 200)
            self.assertEqual(again.body, right.body)
            self.assertFalse(self.order.exists(), "the fault was not made")
            self.assertGreater(self.logged("context is lost"), resets)

    def test_context_that_is_lost_twice_is_503_and_comes_back(self):
        self.make("lose-context 4")
        reply = self.picture(0.51)
        self.assertIn(reply.status, (200, 503), str(reply))
        if reply.status == 503:
            self.assertTrue(reply.headers["Retry-After"])
        deadline = time.monotonic() + 120
        while self.picture(0.52).status != 200:
            self.assertLess(time.monotonic(), deadline, "the context never came back")
            time.sleep(0.3)
        self.assertStatus(self.client.get("/readyz"), 200)
        self.assertStatus(self.client.vertices("cyl2"), 200)


class LostByOneOfSeveral(FaultyCase):
    daemon_args = ("--render-threads", "3", "--cache-memory", "0")

    def test_a_sequence_goes_on_whichever_thread_lost_its_context(self):
        request = {"rig": "tube23", "pose": {"clip": 0}, "times": {"count": 150}, "turntable": 2,
                   "width": 120, "height": 120, "samples": 1}
        right = self.assertStatus(self.client.post("frames", request, accept="image/apng"), 200)
        rebuilt = set()
        for attempt in range(8):
            at = self.logged("has another context")
            connection = self.client.connect()
            connection.request("POST", "/v1/frames", json.dumps(request),
                               {"Content-Type": "application/json"})
            response = connection.getresponse()
            body = response.read(1000)
            self.make("lose-context 1")
            body += response.read()
            connection.close()
            self.assertFalse(self.order.exists(), "the fault was not made")
            self.assertGreater(self.logged("has another context"), at)
            self.assertTrue(body == right.body, "not the frames of before")
            rebuilt |= {i for i in range(3)
                        if self.logged(f"render thread {i} has another context")}
        self.assertGreater(len(rebuilt), 1, "only one thread ever lost its context")


class Hangs(FaultyCase):
    daemon_args = ("--render-threads", "1", "--hang-seconds", str(HANG_S))

    def test_thread_that_hangs_is_noticed_and_replaced(self):
        self.make("hang 600000")
        while self.order.exists():  # a busy machine may not come to it within the deadline
            hung = self.picture(0.9, posed_deadline_ms="300")
            self.assertProblem(hung, 504, "deadline")
        begun = time.monotonic()
        states = set()
        while time.monotonic() - begun < (120 if 503 in states else 20 * HANG_S):
            reply = self.client.get("/readyz")
            states.add(reply.status)
            if reply.status == 503:
                self.assertProblem(reply, 503, "no-renderer", says="render thread 0")
            if reply.status == 200 and 503 in states:
                break
            time.sleep(0.005)
        self.assertEqual(states, {200, 503}, "the hang was not reported, or did not end")
        self.assertStatus(self.picture(0.91), 200)
        self.assertEqual(self.logged("came back after it was replaced"), 0)
        self.end_hang()
        deadline = time.monotonic() + 120
        while not self.logged("came back after it was replaced"):
            self.assertLess(time.monotonic(), deadline, "the thread never came back")
            time.sleep(0.01)
        self.assertStatus(self.picture(0.92), 200)
        self.assertEqual(self.logged("came back after it was replaced"), 1)

    def test_daemon_ends_while_a_thread_hangs(self):
        """Also while the one that takes its place compiles all shaders."""
        daemon = Daemon(args=[*self.renderer_args(), *self.daemon_args], program=FAULTY,
                        env={"POSED_FAULTS": str(self.order),
                             "MESA_SHADER_CACHE_DISABLE": "true"}).start()
        client = Client(daemon.port)
        client.put("tube23", (ROOT / "assets/demo/tube23.glb").read_bytes())
        self.make("hang 600000")
        request = {"rig": "tube23", **SIZE}
        self.assertStatus(client.post("frame", request, posed_deadline_ms="200"), 504)
        while not any("another takes its place" in line for line in daemon.log_lines()):
            self.assertStatus(client.get("/healthz"), 200)  # an idle daemon looks once a minute
            time.sleep(0.005)
        begun = time.monotonic()
        daemon.stop()
        self.assertLess(time.monotonic() - begun, 3)


if __name__ == "__main__":
    unittest.main()
