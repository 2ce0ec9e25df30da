"""Fits: what skinning methods need of a rig is made ahead, watched, called off and forgotten."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import rigs
from case import DEMO, DaemonCase, ROOT
from client import JSON, Client, rig_path
from daemon import Daemon
from oracle import turn
from tiny import glb, split_glb

PATIENCE_S = 120
EXACT = {"method": "lbs", "normals": "exact"}  # gradients of the weights are made ahead
COLUMN = [(0.1, 0.25 * i, 0.2 * (i % 3)) for i in range(6)]


def fit_path(rig, fit=""):
    return rig_path(rig, "/fits" + (f"/{fit}" if fit else ""))


class FitCase(DaemonCase):
    def begin(self, rig, skinning, client=None):
        body = json.dumps(skinning).encode()
        client = client or self.client
        return client.request("POST", fit_path(rig), body, {"Content-Type": JSON})

    def fit(self, rig, fit, client=None):
        reply = (client or self.client).get(fit_path(rig, fit))
        return self.assertStatus(reply, 200).json()

    def await_end(self, rig, reply, client=None):
        """The fit that a POST began, when it has ended."""
        self.assertIn(reply.status, (200, 202), str(reply))
        fit = reply.json()
        self.assertEqual(reply.headers["Location"], fit_path(rig, fit["id"]))
        self.assertEqual(reply.status == 200, fit["state"] == "done")
        end = time.monotonic() + PATIENCE_S
        while fit["state"] in ("waiting", "running"):
            self.assertLess(time.monotonic(), end, fit)
            self.assertTrue(0 <= fit["progress"] <= 1, fit)
            time.sleep(0.01)
            fit = self.fit(rig, fit["id"], client)
        return fit

    def fits(self, rig):
        return self.assertStatus(self.client.get(fit_path(rig)), 200).json()["fits"]

    def methods(self):
        return self.client.get("/v1").json()["skinning_methods"]

    def put_example(self, rig, name, pose, positions):
        body = json.dumps({"pose": pose, "positions": positions}).encode()
        path = rig_path(rig, f"/examples/{name}")
        reply = self.client.request("PUT", path, body, {"Content-Type": JSON})
        self.assertIn(reply.status, (200, 201), str(reply))


class FitsAreMade(FitCase):
    def test_one_is_begun_watched_listed_and_forgotten(self):
        self.put_demo("cyl2")
        fit = self.await_end("cyl2", self.begin("cyl2", EXACT))
        self.assertEqual(fit["state"], "done", fit)
        self.assertEqual(fit["method"], "lbs")
        self.assertEqual(fit["progress"], 1)
        self.assertIsNone(fit["residual"])
        self.assertEqual((fit["flags"], fit["fallback_vertices"]), ([], 0))
        self.assertNotIn("error", fit)
        lbs = next(method for method in self.methods() if method["id"] == "lbs")
        self.assertEqual(fit["options"],
                         {option["name"]: option["default"] for option in lbs["options"]})
        self.assertEqual(self.fits("cyl2"), [fit])
        again = self.assertStatus(self.begin("cyl2", {"normals": "exact"}), 200)
        self.assertEqual(again.json(), fit)
        reply = self.client.get(fit_path("cyl2", fit["id"]))
        self.assertEqual(reply.headers["Cache-Control"], "no-store")
        self.assertEqual(self.client.request("DELETE", fit_path("cyl2", fit["id"])).status, 204)
        self.assertEqual(self.fits("cyl2"), [])
        for method in ("GET", "DELETE"):
            reply = self.client.request(method, fit_path("cyl2", fit["id"]))
            self.assertProblem(reply, 404, "unknown-fit", says=(fit["id"], "cyl2"))

    def test_answers_that_need_it_are_the_same_before_and_after(self):
        self.put_demo("head")
        pose = {"clip": "Nod", "time": 0.5}
        first = self.client.vertices("head", pose, skinning=EXACT, attributes=["normal"])
        self.assertStatus(first, 200)
        self.assertEqual([fit["state"] for fit in self.fits("head")], ["done"])
        self.await_end("head", self.begin("head", EXACT))
        self.assertEqual(len(self.fits("head")), 1)
        second = self.client.vertices("head", pose, skinning=EXACT, attributes=["normal"])
        self.assertEqual(second.body, first.body)
        self.assertEqual(second.headers["ETag"], first.headers["ETag"])

    def test_fits_go_with_what_they_are_for(self):
        self.put_rig("going", rigs.column(COLUMN).glb())
        self.await_end("going", self.begin("going", EXACT))
        self.put_example("going", "a", "rest", COLUMN)
        self.assertEqual(len(self.fits("going")), 1)  # it is not made from examples
        self.put_rig("going", rigs.column(COLUMN[:3]).glb())
        self.assertEqual(self.fits("going"), [])
        fit = self.await_end("going", self.begin("going", EXACT))
        self.client.delete("going")
        reply = self.client.get(fit_path("going", fit["id"]))
        self.assertProblem(reply, 404, "unknown-rig")
        self.put_rig("going", rigs.column(COLUMN[:3]).glb())
        self.assertEqual(self.fits("going"), [])

    def test_every_method_that_needs_anything_can_be_made_ahead(self):
        self.put_rig("all", rigs.column(COLUMN * 2).glb())
        for method in self.methods():
            with self.subTest(method["id"]):
                reply = self.begin("all", {"method": method["id"]})
                if "examples" in method["needs"]:
                    self.assertProblem(reply, 422, "missing-data", says=("examples", "PUT"))
                elif reply.status == 400:  # nothing to make, or of one clip at a time
                    self.assertProblem(reply, 400, "invalid-value")
                else:
                    self.assertIn(self.await_end("all", reply)["state"], ("done", "failed"))


class TheClient(FitCase):
    def pose(self, *arguments, status=0):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        server = f"http://127.0.0.1:{self.daemon.port}"
        done = subprocess.run([program, *arguments, "--server", server], capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def test_waits_for_a_fit_lists_and_forgets_it(self):
        self.put_demo("cyl2")
        fit = json.loads(self.pose("fit", "cyl2", json.dumps(EXACT)))
        self.assertEqual(fit["state"], "done")
        self.assertEqual(json.loads(self.pose("fit", "cyl2")), {"fits": [fit]})
        self.pose("fit", "cyl2", "--cancel", fit["id"])
        self.assertEqual(json.loads(self.pose("fit", "cyl2")), {"fits": []})
        self.pose("fit", "cyl2", "lbs", status=3)
        self.pose("fit", "cyl2", "lbs", "--cancel", fit["id"], status=2)


class FitsAreRefused(FitCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column(COLUMN).glb())

    def test_what_cannot_be_made(self):
        for skinning, code, pointer in (
            ({"method": "lbs"}, "invalid-value", "/method"),
            ("lbs", "invalid-value", ""),
            ({}, "invalid-value", ""),
            ({"method": "lsb"}, "unknown-method", "/method"),
            ({"method": "lbs", "lambda": 1}, "unknown-member", "/lambda"),
            ({"normals": "exactly"}, "invalid-value", "/normals"),
            (7, "invalid-value", ""),
        ):
            with self.subTest(skinning):
                self.assertProblem(self.begin("column", skinning), 400, code, pointer=pointer)
        self.assertEqual(self.fits("column"), [])
        self.assertProblem(self.begin("nobody", EXACT), 404, "unknown-rig")
        self.assertProblem(self.client.get(fit_path("nobody")), 404, "unknown-rig")
        reply = self.client.get(fit_path("column", "0123456789abcdef"))
        self.assertProblem(reply, 404, "unknown-fit")
        reply = self.client.request("PUT", fit_path("column"), b"{}")
        self.assertProblem(reply, 405, "method-not-allowed")
        self.assertEqual(reply.headers["Allow"], "POST, GET, HEAD, OPTIONS")


class FittedMethods(FitCase):
    """Methods of the table that are fitted to examples; an elbow that was sculpted by hand."""

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def setUp(self):
        self.fitted = [m["id"] for m in self.methods() if "examples" in m["needs"]]
        if not self.fitted:
            self.skipTest("no method of this daemon is fitted to examples")

    def sculpt(self, degrees, bulge):
        """A bent cyl2 that is thicker around its joint than lbs makes it."""
        pose = {"set": "rest", "joints": {"J1": {"rotation": turn((0, 0, 1), degrees)}}}
        points = self.positions("cyl2", pose)
        rest = self.positions("cyl2")
        moved = []
        for point, (_, y, _) in zip(points, rest):
            share = bulge * max(0, 1 - abs(y - 1) / 0.5)
            moved.append([point[0] * (1 + share), point[1], point[2] * (1 + share)])
        return pose, moved

    def test_the_residual_is_the_distance_to_the_examples(self):
        """The residual of a fit equals that of /v1/vertices in the poses of the examples; and no
        method ends up farther from them than lbs."""
        self.put_rig("near", (DEMO / "cyl2.glb").read_bytes())
        poses = [self.sculpt(45, 0.2), self.sculpt(90, 0.2)]
        for i, (pose, points) in enumerate(poses):
            self.put_example("near", f"pose{i}", pose, points)

        def distances(**members):
            return [math.dist(p, q) for pose, want in poses
                    for p, q in zip(self.positions("near", pose, **members), want)]

        def rms(numbers):
            return math.sqrt(sum(x * x for x in numbers) / len(numbers))

        plain = distances()
        exact = []
        for method in self.fitted:
            with self.subTest(method):
                fit = self.await_end("near", self.begin("near", {"method": method}))
                self.assertEqual(fit["state"], "done", fit)
                self.assertIn(method, self.description("near")["skinning"]["methods"])
                got = distances(skinning={"method": method})
                self.assertAlmostEqual(fit["residual"]["max"], max(got), delta=1e-5)
                self.assertAlmostEqual(fit["residual"]["rms"], rms(got), delta=1e-5)
                self.assertLessEqual(max(got), 1.0001 * max(plain))
                exact += [method] if max(got) < 1e-5 else []
        # Two examples that a method of displacements can follow wholly.
        self.assertEqual(exact, [m for m in self.fitted if m in ("psd", "sbe", "eigenskin")])

    def test_other_examples_are_another_fit_and_another_answer(self):
        self.put_rig("other", (DEMO / "cyl2.glb").read_bytes())
        self.put_example("other", "90", *self.sculpt(90, 0.2))
        method = self.fitted[0]
        pose, _ = self.sculpt(90, 0)
        skinning = {"method": method}
        before = self.client.vertices("other", pose, skinning=skinning)
        self.await_end("other", self.begin("other", skinning))
        first = self.fits("other")[0]["id"]
        self.put_example("other", "90", *self.sculpt(90, 0.4))
        self.assertNotIn(first, [fit["id"] for fit in self.fits("other")])
        after = self.client.vertices("other", pose, skinning=skinning)
        self.assertNotEqual(after.headers["ETag"], before.headers["ETag"])
        self.assertNotEqual(after.body, before.body)


class LongFits(FitCase):
    """The centres of rotation of the humanoid take some tenths of a second, or many times that on a
    busy machine."""

    LONG = {"method": "cor"}

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def fresh(self, rig):
        """A humanoid of its own content, for which nothing is there."""
        whole, binary = split_glb((DEMO / "humanoid.glb").read_bytes())
        whole["extras"] = {"of": rig}
        return self.put_rig(rig, glb(json.dumps(whole).encode(), binary))

    def test_what_a_late_request_began_goes_on(self):
        rig = self.fresh("late")
        request = {"rig": rig, "skinning": self.LONG}
        for deadline_ms in (100, 200, 400, 800, 1600, 3200):  # a busy machine begins it later
            late = self.client.post("vertices", request, posed_deadline_ms=str(deadline_ms))
            self.assertProblem(late, 504, "deadline")
            if fits := self.fits(rig):
                break
        self.assertEqual([fit["method"] for fit in fits], ["cor"])
        self.assertIn(fits[0]["state"], ("running", "done"))
        self.await_end(rig, self.begin(rig, self.LONG))
        again = self.client.post("vertices", request, posed_deadline_ms="10000")
        self.assertStatus(again, 200)

    def test_one_that_is_called_off_ends_and_may_begin_again(self):
        rig = self.fresh("called off")
        begun = self.assertStatus(self.begin(rig, self.LONG), 202)
        time.sleep(0.05)
        path = fit_path(rig, begun.json()["id"])
        self.assertStatus(self.client.request("DELETE", path), 204)
        self.assertEqual(self.await_end(rig, begun)["state"], "cancelled")
        self.assertEqual(self.await_end(rig, self.begin(rig, self.LONG))["state"], "done")

    def test_others_are_answered_meanwhile(self):
        rig = self.fresh("busy")
        begun = self.assertStatus(self.begin(rig, self.LONG), 202)
        answered = 0
        while self.fit(rig, begun.json()["id"])["state"] in ("waiting", "running"):
            self.assertStatus(self.client.vertices("cyl2", {"clip": "bend", "time": 1}), 200)
            answered += 1
        self.assertGreater(answered, 5)


class FitsSurvive(FitCase):
    def setUp(self):
        self.data = tempfile.mkdtemp(prefix="posed-fits-")
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)

    def start(self):
        daemon = Daemon(data=self.data, args=("--renderer", "none")).start()
        return daemon, Client(daemon.port)

    def test_what_was_dear_is_found_again_after_a_restart(self):
        """On the disk, unless that has changed it: then it is made again."""
        bodies = []
        for status in (202, 200, 202):
            daemon, client = self.start()
            if not bodies:
                client.put("cyl2", (DEMO / "cyl2.glb").read_bytes())
            self.assertEqual(client.get(fit_path("cyl2")).json(), {"fits": []})
            begun = self.begin("cyl2", {"method": "cor"}, client)
            self.assertEqual(begun.status, status)
            self.assertEqual(self.await_end("cyl2", begun, client)["state"], "done")
            pose = {"clip": "bend", "time": 1}
            bodies.append(client.vertices("cyl2", pose, skinning="cor").body)
            daemon.stop()
            [kept] = (pathlib.Path(self.data) / "derived").iterdir()
            if len(bodies) == 2:
                damaged = bytearray(kept.read_bytes())
                damaged[-1] ^= 1
                kept.write_bytes(damaged)
        self.assertEqual(bodies[0], bodies[1])
        self.assertEqual(bodies[0], bodies[2])

    def test_the_end_of_the_daemon_is_the_end_of_fits(self):
        daemon, client = self.start()
        client.put("humanoid", (DEMO / "humanoid.glb").read_bytes())
        for sign in ("pivot", "hierarchy"):
            self.begin("humanoid", {"method": "cor", "sign": sign}, client)
        begun = time.monotonic()
        daemon.stop()
        self.assertLess(time.monotonic() - begun, 5)


if __name__ == "__main__":
    unittest.main()
