"""/v1/compress, held against the keys of the demo rigs by forward kinematics of its own, over what the
C decoder reads of the file."""
import json
import os
import subprocess
import tempfile

import pclip
from case import DEMO, ROOT, DaemonCase
from client import JSON, rig_path
from debian import debian_module

numpy = debian_module("numpy")
POSE = os.environ.get("POSE_BINARY", str(ROOT / "build" / "pose"))
PCLIP = "application/vnd.posed.pclip"
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

    def file(self, **request):
        reply = self.assertStatus(self.client.post("compress", request, accept=PCLIP), 200)
        self.assertEqual(reply.headers["Content-Type"], PCLIP)
        return reply

    def report(self, **request):
        return self.assertStatus(self.client.post("compress", request, accept=JSON), 200).json()

    def problem(self, status, code, pointer=None, says=(), **request):
        reply = self.client.post("compress", request, accept=PCLIP)
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

    def test_the_program_gives_the_same_file(self):
        want = self.file(rig="humanoid", clips=["Walk", "Run"], tolerance=0.0005, segment=16).body
        for tolerance in ("0.5mm", "0.05cm", "0.0005m", "0.0005"):
            status, got, _ = self.pose("humanoid", "Walk", "Run", "--tolerance", tolerance, "--segment", "16", "-o", "-")
            self.assertEqual((status, got), (0, want))
        share = self.file(rig="humanoid", tolerance={"share": 0.001}).body
        self.assertEqual(self.pose("humanoid", "--tolerance", "0.1%", "-o", "-")[1], share)
        report = json.loads(self.pose("humanoid", "--json")[1])
        self.assertEqual(report["bytes"], self.report(rig="humanoid")["bytes"])
        self.assertIn("--tolerance is", self.pose("humanoid", "--tolerance", "1ell", "-o", "-")[2])
