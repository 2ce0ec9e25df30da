"""POST /v1/compress with "metric": "skin", held against vertices that are skinned here, from the keys of
the demo rigs and from what the C decoder reads of the file."""
import json
import os
import struct
import subprocess
import tempfile

import pclip
from case import DEMO, ROOT, DaemonCase
from client import JSON, rig_path
from debian import debian_module
from skin import Skin, dual

numpy = debian_module("numpy")
POSE = os.environ.get("POSE_BINARY", str(ROOT / "build" / "pose"))
PCLIP = "application/vnd.posed.pclip"
NEAR = 1e-6  # of the rig's size: vertices are told to that


def with_socket(content):
    """A GLB whose left hand has one more joint, which no vertex follows and every clip turns."""
    size = struct.unpack_from("<I", content, 12)[0]
    document, binary = json.loads(content[20:20 + size]), content[20 + size:]
    names = [node.get("name") for node in document["nodes"]]
    hand = names.index("LeftHand")
    document["nodes"].append({"name": "Socket", "translation": [0, 0.3, 0]})
    document["nodes"][hand].setdefault("children", []).append(len(names))
    for clip in document["animations"]:
        turning = next(c for c in clip["channels"] if c["target"]["path"] == "rotation")
        clip["channels"].append({"sampler": turning["sampler"], "target": {"node": len(names), "path": "rotation"}})
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(binary), len(text), 0x4E4F534A) + text + binary


class CompressSkin(DaemonCase):
    @classmethod
    def prepare(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.library = pclip.build(folder.name)
        cls.contents = {name: (DEMO / f"{name}.glb").read_bytes() for name in ("humanoid", "head", "cyl2", "tube23")}
        cls.contents["socket"] = with_socket(cls.contents["humanoid"])
        for name, content in cls.contents.items():
            cls.put_rig(name, content)

    def file(self, **request):
        return self.assertStatus(self.client.post("compress", request, accept=PCLIP), 200)

    def report(self, **request):
        return self.assertStatus(self.client.post("compress", request, accept=JSON), 200).json()

    def opened(self, rig, content, number):
        skin = Skin(self.contents[rig])
        order = [joint["index"] for joint in self.description(rig)["joints"]]
        return skin, order, pclip.Decoded(self.library, content, number, skin.motion.rest[order])

    def errors_at(self, rig, content, number, clip, times, blend=None, harm=None):
        """[times][vertices]: distances of the decoded clip's vertices from those of its keys."""
        skin, order, decoded = self.opened(rig, content, number)
        channels, motion = [*skin.motion.channels(clip)], skin.motion
        errors = []
        for time in times:
            local = motion.rest.copy()
            local[order] = decoded.sample(time)
            if harm:
                harm(local)
            morphs = decoded.weights if len(decoded.weights) else None
            got = skin.vertices(motion.world(local, order), morphs, blend)
            want = skin.vertices(motion.world(motion.sample(channels, time), order),
                                 motion.morphs(clip, time), blend)
            errors.append(numpy.linalg.norm(got - want, axis=1))
        return numpy.array(errors)

    def times(self, clip):
        return [min(quarter / 4 / clip["rate"], clip["duration"]) for quarter in range(4 * clip["samples"] - 3)]

    def size(self, rig):
        box = self.description(rig)["bounds"]
        return max(numpy.subtract(box["max"], box["min"]))

    def check_clip(self, rig, content, number, clip, tolerance, blend=None):
        errors = self.errors_at(rig, content, number, clip["name"], self.times(clip), blend)
        near = NEAR * self.size(rig)
        said, of_moments = clip["error"], errors.max(1)
        self.assertLessEqual(of_moments.max(), tolerance + near)
        self.assertAlmostEqual(of_moments.max(), said["max"], delta=near)
        self.assertAlmostEqual(numpy.sqrt((of_moments ** 2).mean()), said["rms"], delta=near)
        self.assertAlmostEqual(numpy.sort(of_moments)[-(len(of_moments) // 100) - 1], said["p99"], delta=near)
        self.assertAlmostEqual(of_moments[::4].max(), said["max_at_samples"], delta=near)
        moment = self.times(clip).index(min(self.times(clip), key=lambda time: abs(time - said["time"])))
        self.assertAlmostEqual(errors[moment, said["vertex"]], of_moments.max(), delta=near)
        skin = Skin(self.contents[rig])
        self.assertEqual(skin.motion.nodes[skin.joints()[said["vertex"]]].get("name"), said["joint"])

    def test_no_vertex_is_farther_off_than_the_tolerance(self):
        for rig, share in (("humanoid", 6e-5), ("head", 1e-4), ("cyl2", 1e-3), ("tube23", 1e-4)):
            tolerance = share * self.size(rig)
            for codec in ("best", "bits") if rig == "cyl2" else ("best",):
                request = dict(rig=rig, tolerance=tolerance, metric="skin", codec=codec)
                content, report = self.file(**request).body, self.report(**request)
                self.assertEqual(report["metric"], "skin")
                for i, clip in enumerate(report["clips"]):
                    with self.subTest(rig=rig, clip=clip["name"], codec=codec):
                        self.check_clip(rig, content, i, clip, tolerance)
                        # The bound is made use of.
                        self.assertGreater(clip["error"]["max"], 0.5 * tolerance)

    def test_any_moment_is_near_the_tolerance(self):
        content = self.file(rig="humanoid", clips=["Run"], tolerance=1e-4, metric="skin").body
        times = numpy.random.default_rng(1).random(60) * 0.7
        errors = self.errors_at("humanoid", content, 0, "Run", times)
        self.assertLessEqual(errors.max(), 1.1e-4)
        self.assertGreater(errors.max(), 0.5e-4)

    def test_damage_to_one_joint_is_noticed(self):
        content = self.file(rig="humanoid", clips=["Run"], tolerance=1e-4, metric="skin").body
        joints = self.description("humanoid")["joints"]
        head = next(joint["index"] for joint in joints if joint["name"] == "Head")

        def harm(local):
            local[head, 3] += 0.002

        self.assertGreater(self.errors_at("humanoid", content, 0, "Run", [0.1], harm=harm).max(), 1e-4)

    def test_dual_quaternions_are_held_to_their_own_vertices(self):
        request = dict(rig="humanoid", clips=["Run"], tolerance=2e-4, metric="skin", skinning="dqs")
        content, clip = self.file(**request).body, self.report(**request)["clips"][0]
        self.check_clip("humanoid", content, 0, clip, 2e-4, dual)

    def test_other_methods_keep_the_tolerance(self):
        for skinning in ("cor", {"method": "delta_mush"}, {"method": "lbs", "kmax": 2}, "log_blend"):
            with self.subTest(skinning=skinning):
                clip = self.report(rig="tube23", metric="skin", skinning=skinning, tolerance=2e-4)["clips"][0]
                self.assertLessEqual(clip["error"]["max"], 2e-4)
                self.assertGreater(clip["error"]["max"], 0.5e-4)

    def test_joints_that_no_vertex_follows_keep_to_their_shells_or_are_free(self):
        common = dict(rig="socket", clips=["Walk"], tolerance=1e-4, metric="skin")
        kept, free = self.report(**common), self.report(**common, unskinned="free")
        shell = kept["clips"][0]
        self.assertLessEqual(shell["error"]["unskinned"], 1e-4)
        self.assertGreater(shell["error"]["unskinned"], 0.3e-4)
        self.assertNotIn("unskinned", free["clips"][0]["error"])
        self.assertLessEqual(free["clips"][0]["error"]["max"], 1e-4)
        # Its turn is left out: at the shell it is as far off as it turns.
        self.assertGreater(free["clips"][0]["shell_error"]["max"], 1e-3)
        self.assertEqual(free["clips"][0]["shell_error"]["joint"], "Socket")
        self.assertLess(free["bytes"], kept["bytes"] - 40)
        plain = self.report(rig="humanoid", clips=["Walk"], tolerance=1e-4, metric="skin")
        self.assertLess(abs(free["bytes"] - plain["bytes"]), 10)

    def test_both_errors_are_reported_where_a_skin_is_asked_for(self):
        shell = self.report(rig="humanoid", clips=["Walk"])
        self.assertEqual(shell["metric"], "shell")
        self.assertNotIn("skin_error", shell["clips"][0])
        self.assertNotIn("vertex", shell["clips"][0]["error"])
        both = self.report(rig="humanoid", clips=["Walk"], skinning="lbs")
        content = self.file(rig="humanoid", clips=["Walk"], skinning="lbs").body
        self.assertEqual(both["bytes"], shell["bytes"])
        self.assertEqual(both["clips"][0]["error"], shell["clips"][0]["error"])
        clip = both["clips"][0]
        self.check_clip("humanoid", content, 0, {**clip, "error": clip["skin_error"]}, clip["skin_error"]["max"])
        skin = self.report(rig="humanoid", clips=["Walk"], metric="skin")["clips"][0]
        self.assertNotIn("vertex", skin["shell_error"])
        self.assertGreater(skin["shell_error"]["max"], 0)

    def test_links_and_the_program_give_the_same_file(self):
        want = self.file(rig="humanoid", clips=["Walk"], tolerance=0.001, metric="skin", skinning="dqs").body
        path = rig_path("humanoid", "/clips/Walk")
        got = self.client.get(f"{path}?as=pclip&tolerance=0.001&metric=skin&skinning=dqs")
        self.assertEqual(self.assertStatus(got, 200).body, want)
        done = subprocess.run([POSE, "compress", "humanoid", "Walk", "--tolerance", "1mm", "--metric", "skin",
                               "--skinning", "dqs", "-o", "-", "--server", f"http://127.0.0.1:{self.daemon.port}"],
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, want))
        self.assertProblem(self.client.get(f"{path}?metric=skin"), 400, ["invalid-value"])
        self.assertProblem(self.client.get(f"{path}?as=pclip&skinning=dqs"), 400, ["invalid-value"])

    def problem(self, status, code, pointer, says=(), **request):
        reply = self.client.post("compress", {"rig": "humanoid", **request}, accept=PCLIP)
        return self.assertProblem(reply, status, [code], pointer=pointer, says=says)

    def test_refusals(self):
        self.problem(400, "invalid-value", "/metric", ["shell, skin"], metric="skins")
        self.problem(400, "invalid-value", "/unskinned", ["metric"], unskinned="free")
        self.problem(400, "unknown-method", "/skinning", metric="skin", skinning="lbz")
        self.problem(400, "invalid-value", "/skinning", metric="skin", skinning=1)
        self.problem(400, "invalid-value", "/tolerance", ["can be kept"], metric="skin", clips=["Walk"],
                     tolerance=1e-12)
        said = self.client.post("compress", {"rig": "humanoid", "clips": ["Walk"], "metric": "skin",
                                             "tolerance": 1e-12}, accept=PCLIP).json()["detail"]
        offered = float(said.rsplit("a tolerance of ", 1)[1].split()[0])
        self.file(rig="humanoid", clips=["Walk"], metric="skin", tolerance=offered)
