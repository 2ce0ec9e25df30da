"""/v1/compress, held against the keys of the demo rigs by forward kinematics of its own, over what the
C decoder reads of the file."""
import base64
import json
import os
import socket
import subprocess
import tempfile
import time
import unittest

import pclip
import rigs
from case import DEMO, ROOT, DaemonCase
from client import JSON, rig_path
from debian import debian_module

numpy = debian_module("numpy")
POSE = os.environ.get("POSE_BINARY", str(ROOT / "build" / "pose"))
PCLIP = "application/vnd.posed.pclip"
GLB = "model/gltf-binary"
EVENTS = "application/x-ndjson"
# Origins, the three points of the bound, and one that it does not name. Joints move points affinely: the
# last one is off by no more than the sum of the sizes of its weights of the others, times the tolerance.
OTHER = (0.34, -0.55, 0.23)
POINTS = numpy.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), OTHER])
OTHER_BOUND = abs(1 - sum(OTHER)) + sum(map(abs, OTHER))


class Compress(DaemonCase):
    @classmethod
    def prepare(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.library = pclip.build(folder.name)
        for name in ("humanoid", "cyl2", "tube23"):
            cls.put_demo(name)

    def file(self, accept=PCLIP, **request):
        reply = self.assertStatus(self.client.post("compress", request, accept=accept), 200)
        self.assertEqual(reply.headers["Content-Type"], accept)
        return reply

    def report(self, **request):
        return self.assertStatus(self.client.post("compress", request, accept=JSON), 200).json()

    def problem(self, status, code, pointer=None, says=(), accept=PCLIP, **request):
        reply = self.client.post("compress", request, accept=accept)
        return self.assertProblem(reply, status, [code], pointer=pointer, says=says)

    def greatest_error(self, rig, content, number, clip):
        """By point, over samples and quarters; clip: of the report."""
        motion = pclip.Motion((DEMO / f"{rig}.glb").read_bytes())
        order = [joint["index"] for joint in self.description(rig)["joints"]]
        decoded = pclip.Decoded(self.library, content, number, motion.rest[order])
        channels, greatest = [*motion.channels(clip["name"])], numpy.zeros(len(POINTS))
        shell = POINTS * self.report(rig=rig, clips=[clip["name"]])["shell"]
        for quarter in range(4 * clip["samples"] - 3):
            time = min(quarter / 4 / clip["rate"], clip["duration"])
            local = motion.rest.copy()
            local[order] = decoded.sample(time)
            got = motion.world(local, order)
            want = motion.world(motion.sample(channels, time), order)
            for node in order:
                apart = (got[node][:3, :3] - want[node][:3, :3]) @ shell.T
                apart += (got[node][:3, 3] - want[node][:3, 3])[:, None]
                greatest = numpy.maximum(greatest, numpy.linalg.norm(apart, axis=0))
        return greatest

    def test_every_clip_is_within_its_tolerance(self):
        for rig in ("humanoid", "cyl2", "tube23"):
            for tolerance, codec in ((0.0001, "best"), (0.005, "best"), (0.001, "bits"),
                                     (0.0001, "bspline"), (0.002, "bspline")):
                reply = self.file(rig=rig, tolerance=tolerance, segment=16, codec=codec)
                report = self.report(rig=rig, tolerance=tolerance, segment=16, codec=codec)
                self.assertEqual(report["codec"], codec)
                self.assertEqual(report["bytes"], len(reply.body))
                worst = max(clip["error"]["max"] for clip in report["clips"])
                self.assertAlmostEqual(float(reply.headers["Posed-Error"]), worst, delta=1e-9)
                for i, clip in enumerate(report["clips"]):
                    with self.subTest(rig=rig, clip=clip["name"], tolerance=tolerance):
                        errors = self.greatest_error(rig, reply.body, i, clip)
                        self.assertLessEqual(errors[:4].max(), tolerance + 1e-6)
                        self.assertLessEqual(errors[4], tolerance * OTHER_BOUND + 1e-6)
                        self.assertAlmostEqual(errors[:4].max(), clip["error"]["max"], delta=1e-6)
                        self.assertEqual(clip["tolerance"], tolerance)

    def error_of_keys(self, rig, content, clip, shell):
        """The greatest, at the keys and at quarters of the way between them; nodes are in the order of joints."""
        whole, reduced = pclip.Motion((DEMO / f"{rig}.glb").read_bytes()), pclip.Motion(content)
        order = [joint["index"] for joint in self.description(rig)["joints"]]
        self.assertEqual([whole.nodes[node]["name"] for node in order], [node["name"] for node in reduced.nodes])
        channels, fewer, greatest = [*whole.channels(clip)], [*reduced.channels(clip)], 0.0
        keys = numpy.unique(numpy.concatenate([times for _, _, times, _ in channels]))
        for time in numpy.interp(numpy.arange(4 * len(keys) - 3) / 4, numpy.arange(len(keys)), keys):
            want = whole.world(whole.sample(channels, time), order)
            got = reduced.world(reduced.sample(fewer, time), range(len(order)))
            for i, node in enumerate(order):
                apart = (got[i][:3, :3] - want[node][:3, :3]) @ (shell * POINTS[:4]).T
                apart += (got[i][:3, 3] - want[node][:3, 3])[:, None]
                greatest = max(greatest, numpy.linalg.norm(apart, axis=0).max())
        return greatest

    def test_few_keys_are_within_the_tolerance(self):
        for rig, tolerance in (("humanoid", 0.001), ("cyl2", 0.001), ("tube23", 0.0001)):
            reply = self.file(GLB, rig=rig, tolerance=tolerance, codec="keys")
            report = self.report(rig=rig, tolerance=tolerance, codec="keys")
            self.assertEqual((report["codec"], report["bytes"]), ("keys", len(reply.body)))
            self.assertNotIn("segment", report)
            self.assertAlmostEqual(float(reply.headers["Posed-Error"]),
                                   max(clip["error"]["max"] for clip in report["clips"]), delta=1e-9)
            for clip in report["clips"]:
                with self.subTest(rig=rig, clip=clip["name"], tolerance=tolerance):
                    error = self.error_of_keys(rig, reply.body, clip["name"], report["shell"])
                    self.assertLessEqual(error, 1.001 * tolerance + 1e-7)
                    self.assertAlmostEqual(error, clip["error"]["max"], delta=1e-6)
                    self.assertEqual(clip["keys"], sum(
                        len(times) for _, _, times, _ in pclip.Motion(reply.body).channels(clip["name"])))

    def test_few_keys_take_fewer_bytes_and_fewer_with_more_tolerance(self):
        path = rig_path("humanoid", "/clips/Walk")
        sizes = [len(self.client.get(f"{path}?as=glb{more}").body)
                 for more in ("", "&tolerance=0.0001", "&tolerance=0.005")]
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertLess(sizes[2], 0.8 * sizes[0])
        self.assertEqual(self.client.get(f"{path}?as=glb&tolerance=0.005").body,
                         self.file(GLB, rig="humanoid", clips=["Walk"], tolerance=0.005, codec="keys").body)
        head = rig_path("cyl2", "/clips/bend")
        pruned = pclip.Motion(self.client.get(f"{head}?as=glb&tolerance=0.001&prune=true").body)
        self.assertLessEqual(len(pruned.nodes), len(self.description("cyl2")["joints"]))

    def test_few_keys_of_a_pose(self):
        request = {"rig": "humanoid", "pose": {"clip": "Walk", "loop": "repeat"}, "duration": 2, "rate": 25}
        clip = self.report(codec="keys", **request)["clips"][0]
        self.assertEqual((clip["name"], clip["samples"], clip["duration"], clip["left"]), ("baked", 51, 2, False))
        [animation] = pclip.Motion(self.file(GLB, codec="keys", **request).body).json["animations"]
        self.assertEqual(animation["name"], "baked")

    def test_a_rate_for_keys_is_that_of_their_moments(self):
        file = self.file(GLB, rig="humanoid", clips=["Walk"], codec="keys", rate=10, tolerance=0.3).body
        for _, _, times, _ in pclip.Motion(file).channels("Walk"):
            for time in times[:-1]:
                self.assertAlmostEqual(10 * time, round(10 * time), delta=1e-4)

    def test_a_codec_gives_its_own_type_alone(self):
        self.problem(406, "not-acceptable", says=["keys", GLB], rig="humanoid", codec="keys")
        self.problem(406, "not-acceptable", says=["best", PCLIP], accept=GLB, rig="humanoid")
        for member, value in (("segment", 16), ("names", True), ("self_contained", False)):
            self.problem(400, "invalid-value", pointer=f"/{member}", says=["keys"], accept=GLB, rig="humanoid",
                         codec="keys", **{member: value})
        path = rig_path("humanoid", "/clips/Walk")
        self.assertProblem(self.client.get(f"{path}?as=glb&segment=16"), 400, ["invalid-value"])
        self.assertProblem(self.client.get(f"{path}?as=json&tolerance=1"), 400, ["invalid-value"])

    def test_keys_that_stay_are_as_they_were(self):
        report = self.report(rig="humanoid", clips=["Walk"], codec="keys", tolerance=1e-12)
        self.assertTrue(report["clips"][0]["left"])
        refused = self.client.post("compress", {"rig": "humanoid", "clips": ["Walk"], "codec": "keys",
                                                "tolerance": 1e-18}, accept=GLB)
        said = self.assertProblem(refused, 400, ["invalid-value"], pointer="/tolerance",
                                  says=["can be kept"])["detail"]
        offered = float(said.rsplit("a tolerance of ", 1)[1].split()[0])
        self.file(GLB, rig="humanoid", clips=["Walk"], codec="keys", tolerance=offered)

    def test_clips_in_one_file_take_less_than_alone(self):
        names = [clip["name"] for clip in self.description("humanoid")["clips"]]
        alone = sum(len(self.file(rig="humanoid", clips=[name]).body) for name in names)
        together = len(self.file(rig="humanoid").body)
        self.assertLess(together, alone)
        raw = self.report(rig="humanoid")["raw_bytes"]
        self.assertLess(10 * together, raw)

    def test_get_gives_the_same_file(self):
        path = rig_path("humanoid", "/clips/Walk")
        got = self.assertStatus(self.client.get(f"{path}?as=pclip&tolerance=0.001&segment=16"), 200)
        self.assertEqual(got.body, self.file(rig="humanoid", clips=["Walk"], tolerance=0.001, segment=16).body)
        self.assertEqual(self.client.get(path, Accept=PCLIP).headers["Content-Type"], PCLIP)
        self.assertEqual(self.client.get(f"{path}?as=glb").body[:4], b"glTF")
        self.assertProblem(self.client.get(f"{path}?tolerance=1"), 400, ["invalid-value"])
        self.assertProblem(self.client.get(f"{path}?as=pclip&segment=3"), 400, ["invalid-value"])

    def test_pose_is_baked(self):
        report = self.report(rig="humanoid", pose={"clip": "Walk", "loop": "repeat"}, duration=2, rate=25)
        self.assertEqual(len(report["clips"]), 1)
        clip = report["clips"][0]
        self.assertEqual((clip["name"], clip["samples"], clip["duration"]), ("baked", 51, 2))

    def test_share_is_of_the_diagonal(self):
        box = self.description("humanoid")["bounds"]
        diagonal = numpy.linalg.norm(numpy.subtract(box["max"], box["min"]))
        report = self.report(rig="humanoid", clips=[0], tolerance={"share": 0.001})
        self.assertAlmostEqual(report["clips"][0]["tolerance"], diagonal / 1000, delta=1e-7)

    def test_a_skeleton_and_names_are_stored_on_demand(self):
        plain = self.file(rig="cyl2").body
        whole = self.file(rig="cyl2", self_contained=True).body
        self.assertIn(b"bend", plain)
        self.assertNotIn(b"bend", self.file(rig="cyl2", names=False).body)
        self.assertGreater(len(whole), len(plain) + 80)

    def test_refusals(self):
        invalid = "invalid-value"
        self.problem(404, "unknown-rig", pointer="/rig", rig="none")
        self.problem(404, "unknown-clip", pointer="/clips/1", says=["Walk"], rig="humanoid", clips=["Run", "Wolk"])
        self.problem(400, invalid, pointer="/clips/1", rig="humanoid", clips=["Run", "Run"])
        self.problem(400, invalid, pointer="/clips", rig="humanoid", clips=[])
        self.problem(400, invalid, pointer="/clips", rig="humanoid", clips=[0], pose="rest")
        self.problem(400, invalid, pointer="/duration", rig="humanoid", duration=1)
        self.problem(400, invalid, pointer="/segment", rig="humanoid", segment=48)
        for tolerance in (0, -1, "0.1", [1]):
            self.problem(400, invalid, pointer="/tolerance", rig="humanoid", tolerance=tolerance)
        self.problem(400, invalid, pointer="/tolerance/share", rig="humanoid", tolerance={"share": 0})
        self.problem(413, "too-large", rig="humanoid", pose={"clip": "Walk"}, duration=1e6)

    def test_tolerance_that_cannot_be_kept_is_refused_with_one_that_can(self):
        self.problem(400, "invalid-value", pointer="/tolerance", says=["can be kept"],
                     rig="humanoid", clips=["Walk"], tolerance=1e-12)
        said = self.client.post("compress", {"rig": "humanoid", "clips": ["Walk"], "tolerance": 1e-12},
                                accept=PCLIP).json()["detail"]
        offered = float(said.rsplit("a tolerance of ", 1)[1].split()[0])
        self.file(rig="humanoid", clips=["Walk"], tolerance=offered)

    def pose(self, *arguments):
        done = subprocess.run([POSE, "compress", *arguments, "--server", f"http://127.0.0.1:{self.daemon.port}"],
                              capture_output=True, timeout=60)
        return done.returncode, done.stdout, done.stderr.decode()

    def events(self, **request):
        body = self.file(EVENTS, **request).body
        self.assertTrue(body.endswith(b"\n"))
        return [json.loads(line) for line in body.decode().splitlines()]

    def test_events_tell_how_far_it_is_and_end_with_file_and_report(self):
        for request in ({"clips": ["Walk", "Run"]}, {"metric": "skin", "clips": ["Run"]}, {},
                        {"codec": "keys", "clips": ["Walk"]},
                        {"pose": {"scale_time": {"clip": "Walk"}, "factor": 2}, "duration": 1}):
            with self.subTest(**request):
                start, *clips, end = self.events(rig="humanoid", tolerance=0.001, **request)
                keys = request.get("codec") == "keys"
                report = self.report(rig="humanoid", tolerance=0.001, **request)
                names = [] if keys else [clip["name"] for clip in report["clips"]]
                self.assertEqual(start, {"event": "start", "rig": "humanoid", "clips": len(names)})
                self.assertEqual([(clip["event"], clip["clip"], clip["done"], clip["of"]) for clip in clips],
                                 [("clip", name, i + 1, len(names)) for i, name in enumerate(names)])
                self.assertTrue(all(clip["ms"] > 0 for clip in clips))
                type_ = GLB if keys else PCLIP
                self.assertEqual((end["event"], end["type"], end["report"]), ("end", type_, report))
                file = self.file(type_, rig="humanoid", tolerance=0.001, **request)
                self.assertEqual(base64.b64decode(end["file"], validate=True), file.body)

    def test_events_are_refused_before_the_first_and_fail_after_it(self):
        self.problem(404, "unknown-clip", "/clips/0", accept=EVENTS, rig="humanoid", clips=["Nothing"])
        self.problem(400, "invalid-value", "/metric", accept=EVENTS, rig="humanoid", metric="hair")
        self.problem(404, "unknown-rig", accept=EVENTS, rig="nobody")
        request = {"rig": "humanoid", "clips": ["Idle"], "tolerance": 1e-9}
        start, *_, last = self.events(**request)
        self.assertEqual(start["clips"], 1)
        self.assertEqual(last, {"event": "failed", "problem": self.problem(400, "invalid-value", "/tolerance", **request)})

    def test_the_program_gives_the_same_file(self):
        want = self.file(rig="humanoid", clips=["Walk", "Run"], tolerance=0.0005, segment=16).body
        for tolerance in ("0.5mm", "0.05cm", "0.0005m", "0.0005"):
            status, got, _ = self.pose("humanoid", "Walk", "Run", "--tolerance", tolerance, "--segment", "16", "-o", "-")
            self.assertEqual((status, got), (0, want))
        share = self.file(rig="humanoid", tolerance={"share": 0.001}).body
        self.assertEqual(self.pose("humanoid", "--tolerance", "0.1%", "-o", "-")[1], share)
        keys = self.file(GLB, rig="humanoid", codec="keys").body
        self.assertEqual(self.pose("humanoid", "--codec", "keys", "-o", "-")[1], keys)
        self.assertIn("not what", self.pose("humanoid", "--codec", "keys", "-o", "x.pclip")[2])
        report = json.loads(self.pose("humanoid", "--json")[1])
        self.assertEqual(report["bytes"], self.report(rig="humanoid")["bytes"])
        self.assertIn("--tolerance is", self.pose("humanoid", "--tolerance", "1ell", "-o", "-")[2])


class Leaving(DaemonCase):
    """Compression that takes far longer than anybody waits."""

    keeps_times = True
    daemon_args = ("--cpu-threads", "1")
    patience_s = 10

    @classmethod
    def prepare(cls):
        cls.put_rig("long", rigs.swaying_joints(40, ["a", "b", "c"], keys=6000).glb())

    def metrics(self):
        """The samples by their name with its labels."""
        lines = self.client.get("/metrics").body.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    def await_busy(self, busy):
        end = time.monotonic() + self.patience_s
        while (self.metrics()['posed_workers_utilization{kind="cpu"}'] > 0) != busy:
            self.assertLess(time.monotonic(), end, f"the pool should{'' if busy else ' not'} be busy")
            time.sleep(0.01)

    def test_work_ends_at_the_deadline(self):
        for codec, accept in (("best", PCLIP), ("bspline", PCLIP), ("keys", GLB), ("best", JSON)):
            with self.subTest(codec, accept=accept):
                begun = time.monotonic()
                reply = self.client.post("compress", {"rig": "long", "codec": codec}, accept=accept,
                                         posed_deadline_ms="500")
                self.assertProblem(reply, 504, "deadline", says="Posed-Deadline-Ms")
                self.assertLess(time.monotonic() - begun, self.patience_s)
                self.await_busy(False)

    def test_work_ends_when_the_client_disconnects(self):
        for codec, accept in (("best", PCLIP), ("keys", GLB), ("best", EVENTS), ("keys", EVENTS)):
            with self.subTest(codec, accept=accept):
                body = json.dumps({"rig": "long", "codec": codec}).encode()
                connection = socket.create_connection(("127.0.0.1", self.client.port))
                connection.sendall(
                    f"POST /v1/compress HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON}\r\n"
                    f"Accept: {accept}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                self.await_busy(True)
                time.sleep(0.5)
                self.assertGreater(self.metrics()['posed_workers_utilization{kind="cpu"}'], 0, "it is not long")
                connection.close()
                begun = time.monotonic()
                self.await_busy(False)
                self.assertLess(time.monotonic() - begun, self.patience_s)


if __name__ == "__main__":
    unittest.main()
