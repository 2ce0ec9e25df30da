"""Baked clips are stored compressed: each against the poses of its expression, evaluated anew, at the
points of the bound, which are computed here."""
import hashlib
import json
import pathlib
import subprocess
import tempfile

import pclip
import rigs
from case import DEMO, DaemonCase
from client import JSON, OCTETS, Client, rig_path
from daemon import Daemon, binary
from debian import debian_module
from test_clips import GLB, WAVING, clip_path, put_file, put_pose
from tiny import float32, glb, split_glb

numpy = debian_module("numpy")
PCLIP = "application/vnd.posed.pclip"
TOLERANCE = 1e-5  # the daemon's, for a figure of a human's size
SHELL = 0.03
ROUNDING = 1e-6  # of world matrices in float32
RATE, DURATION = 30, 5
LOOPED = {"blend": [{"pose": {"clip": "Walk", "loop": "repeat"}, "weight": 2},
                    {"pose": {"clip": "Wave", "loop": "repeat"}}, {"pose": {"clip": "Idle", "loop": "repeat"}}]}


def expression(time):
    """LOOPED from a time on."""
    return {"blend": [{**part, "pose": {**part["pose"], "time": time}} for part in LOOPED["blend"]]}


class StoredClips(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def put(self, name, pose=LOOPED, rig="humanoid", **members):
        members = {"duration": DURATION, "rate": RATE, **members}
        reply = put_pose(self.client, rig, name, pose, **members)
        self.assertIn(reply.status, (200, 201), str(reply))
        return reply.json()

    def matrices(self, pose, rig="humanoid"):
        body = self.assertStatus(self.client.pose(rig, pose, accept=OCTETS), 200).body
        return numpy.frombuffer(body, "<f4").reshape(-1, 4, 4).astype(float)

    def apart(self, one, other, **of):
        """The greatest distance between the points of two poses: origins, and one on each axis."""
        points = numpy.array([(0, 0, 0, 1), *numpy.eye(4)[:3] * SHELL + (0, 0, 0, 1)])
        turned = [points @ self.matrices(pose, **of) for pose in (one, other)]
        return float(numpy.linalg.norm((turned[0] - turned[1])[..., :3], axis=2).max())

    def described(self, name, rig="humanoid"):
        return next(clip for clip in self.description(rig)["clips"] if clip["name"] == name)

    def test_it_is_the_expression_within_the_tolerance(self):
        told = self.put("default")
        compressed = told["compressed"]
        self.assertEqual((compressed["tolerance"], compressed["shell"]), (TOLERANCE, SHELL))
        self.assertLessEqual(compressed["error"], TOLERANCE * (1 + 1e-6))
        self.assertLess(compressed["bytes"], told["bytes"] / 3)
        self.assertNotIn("raw", told)
        self.assertEqual(self.described("default")["compressed"], compressed)
        self.put("all keys", tolerance="raw")
        greatest = 0
        for frame in range(0, RATE * DURATION, 7):
            time = float32(frame / RATE)
            clip = {"clip": "default", "time": time}
            greatest = max(greatest, self.apart(clip, expression(time)))
            between = time + (frame % 4) / 4 / RATE
            greatest = max(greatest, self.apart({**clip, "time": between},
                                                {"clip": "all keys", "time": between}))
        self.assertLessEqual(greatest, TOLERANCE + ROUNDING)
        self.assertGreater(greatest, compressed["error"] / 3)

    def test_the_tolerance_can_be_said(self):
        raw = self.put("said", tolerance="raw")
        self.assertNotIn("compressed", raw)
        self.assertNotIn("raw", raw)
        self.assertNotIn("compressed", self.described("said"))
        for frame in (0, 1, 17, 149):
            time = float32(frame / RATE)
            numpy.testing.assert_array_equal(
                self.matrices({"clip": "said", "time": time}), self.matrices(expression(time)))
        sizes = []
        for tolerance in (3e-6, 1e-4, 5e-3):
            compressed = self.put("said", tolerance=tolerance)["compressed"]
            self.assertEqual(compressed["tolerance"], tolerance)
            sizes.append(compressed["bytes"])
            time = float32(40 / RATE)
            apart = self.apart({"clip": "said", "time": time}, expression(time))
            self.assertLessEqual(apart, tolerance + ROUNDING)
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        box = self.description("humanoid")["bounds"]
        diagonal = float(numpy.linalg.norm(numpy.subtract(box["max"], box["min"])))
        shared = self.put("said", tolerance={"share": 1e-4})["compressed"]
        self.assertAlmostEqual(shared["tolerance"], 1e-4 * diagonal, delta=1e-9)
        for wrong, pointer in ((0, "/tolerance"), (-1, "/tolerance"), ("fine", "/tolerance"), ([], "/tolerance"),
                               ({"share": 2}, "/tolerance/share"), ({"shares": 1}, "/tolerance/shares")):
            reply = put_pose(self.client, "humanoid", "said", LOOPED, tolerance=wrong)
            self.assertProblem(reply, 400, ("invalid-value", "unknown-member"), pointer=pointer)

    def test_keys_that_are_kept_after_all_are_told_of(self):
        two = self.put("two", duration=1 / RATE)
        self.assertNotIn("compressed", two)
        self.assertIn("more than two keys", two["raw"])
        fine = self.put("fine", duration=1, tolerance=1e-12)
        self.assertIn("can be kept", fine["raw"])
        time = float32(10 / RATE)
        numpy.testing.assert_array_equal(self.matrices({"clip": "fine", "time": time}),
                                         self.matrices(expression(time)))
        # Nobody has asked for work of this length.
        self.put_rig("tail", rigs.swaying_joints(30, ["Sway"], keys=20).glb())
        told = self.put("long", {"clip": "Sway", "loop": "repeat"}, "tail", duration=600, rate=60)
        self.assertIn("a \"tolerance\" is given", told["raw"])

    def test_long_clips_keep_the_tolerance_without_a_search(self):
        rate, duration = 60, 190  # above 2^18 frames times joints
        told = self.put("long", rate=rate, duration=duration)
        compressed = told["compressed"]
        self.assertLessEqual(compressed["error"], TOLERANCE * (1 + 1e-6))
        self.assertLess(compressed["bytes"], told["bytes"] / 4)
        greatest = 0
        for frame in range(0, rate * duration, 97):
            time = float32(frame / rate)
            greatest = max(greatest, self.apart({"clip": "long", "time": time}, expression(time)))
        self.assertLessEqual(greatest, TOLERANCE + ROUNDING)
        self.assertGreater(greatest, compressed["error"] / 3)

    def test_files_keep_their_keys(self):
        body = (DEMO / "humanoid.glb").read_bytes()
        told = self.assertStatus(put_file(self.client, "humanoid", "of a file", body, clip="Walk"), 201).json()
        self.assertNotIn("compressed", told)
        self.assertNotIn("raw", told)

    def test_every_form_has_what_is_sampled(self):
        self.put("forms")
        keys = self.assertStatus(self.client.get(clip_path("humanoid", "forms"), accept=JSON), 200).json()
        lengths = {len(channel["times"]) for channel in keys["channels"]}
        self.assertEqual(max(lengths), RATE * DURATION + 1)
        moving = next(c for c in keys["channels"] if len(c["times"]) > 2 and c["path"] == "rotation")
        times = [float32(time) for time in moving["times"]]
        self.assertEqual(times, [float32(i / RATE) for i in range(len(times))])
        for i in (0, 63, 64, 65, 150):
            pose = self.client.pose("humanoid", {"clip": "forms", "time": times[i]}).json()
            joint = next(j for j in pose["joints"] if j["name"] == moving["joint"])
            self.assertEqual(joint["rotation"], moving["values"][i])
        exported = self.assertStatus(self.client.get(clip_path("humanoid", "forms"), accept=GLB), 200).body
        self.assertIn(put_file(self.client, "humanoid", "back", exported).status, (200, 201))
        back = self.client.get(clip_path("humanoid", "back"), accept=JSON).json()
        self.assertEqual(back["channels"], keys["channels"])
        for time in (0.4, 3.3333, 7):
            numpy.testing.assert_array_equal(self.matrices({"clip": "forms", "time": time}),
                                             self.matrices({"clip": "back", "time": time}))

    def test_morph_weights_are_within_it(self):
        """The bound is of the sum over all targets, each by how far it moves a vertex at most."""
        self.put_demo("head")
        face = {"clip": "Expressions", "loop": "repeat"}
        told = self.put("face", pose=face, rig="head", rate=60)
        self.assertLess(told["compressed"]["bytes"], told["bytes"])
        self.put("all", pose=face, rig="head", rate=60, tolerance="raw")
        for time in (0.3, 1.01, 2.345, 4.99):
            got, want = (numpy.array(self.positions("head", {"clip": clip, "time": time})) for clip in ("face", "all"))
            apart = float(numpy.linalg.norm(got - want, axis=1).max())
            self.assertLessEqual(apart, told["compressed"]["tolerance"] + 1e-7)
        self.assertGreater(apart, 0)

    def test_the_stored_file_comes_back_where_it_fits(self):
        self.put("baked")
        path = clip_path("humanoid", "baked", **{"as": "pclip", "tolerance": TOLERANCE, "segment": 64})
        reply = self.assertStatus(self.client.get(path), 200)
        self.assertAlmostEqual(float(reply.headers["Posed-Error"]), self.described("baked")["compressed"]["error"],
                               delta=1e-12)
        request = {"rig": "humanoid", "pose": LOOPED, "duration": DURATION, "rate": RATE, "tolerance": TOLERANCE}
        made = self.assertStatus(self.client.post("compress", request, accept=PCLIP), 200)
        self.assertAlmostEqual(len(reply.body), len(made.body), delta=0.02 * len(made.body))
        self.assertEqual(self.client.get(path, if_none_match=reply.headers["ETag"]).status, 304)
        # Another tolerance is compressed anew, from what is stored.
        coarse = clip_path("humanoid", "baked", **{"as": "pclip", "tolerance": 1e-3})
        self.assertLess(len(self.assertStatus(self.client.get(coarse), 200).body), len(reply.body))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        library = pclip.build(folder.name)
        motion = pclip.Motion((DEMO / "humanoid.glb").read_bytes())
        joints = self.description("humanoid")["joints"]
        decoded = pclip.Decoded(library, reply.body, 0, motion.rest[[j["index"] for j in joints]])
        keys = self.client.get(clip_path("humanoid", "baked"), accept=JSON).json()["channels"]
        # Still channels are stored beside the file, to the bit.
        moving = {channel["joint"] for channel in keys if len(channel["times"]) > 2}
        rows = [i for i, joint in enumerate(joints) if joint["name"] in moving]
        self.assertGreater(len(rows), 12)
        for time in (0, 1.234, 4.9):
            pose = self.client.pose("humanoid", {"clip": "baked", "time": time}).json()["joints"]
            want = numpy.array([[*j["translation"], *j["rotation"], *j["scale"]] for j in pose])
            got = decoded.sample(time)
            got[:, 3:7] *= numpy.sign((got[:, 3:7] * want[:, 3:7]).sum(1))[:, None]
            numpy.testing.assert_allclose(got[rows], want[rows], atol=1e-6)

    def local(self, pose):
        joints = self.assertStatus(self.client.pose("humanoid", pose), 200).json()["joints"]
        return [numpy.array([joint[part] for joint in joints]) for part in ("rotation", "translation")]

    def test_differences_keep_the_tolerance_at_rest_and_their_turns_everywhere(self):
        tolerance = 1e-3
        reference = {"scale_time": {"clip": "Idle"}, "factor": 0}  # its first frame all along
        compressed = self.put("leap", pose={"add": {"clip": "Run", "loop": "repeat"}, "to": "rest",
                                            "reference": reference}, duration=2, tolerance=tolerance)["compressed"]
        self.assertLessEqual(compressed["error"], tolerance)
        for frame in (0, 7, 23, 41, 60):
            time = float32(frame / RATE)
            of_base = []
            for base in ("rest", {"clip": "Walk", "time": 0.3}, {"clip": "Wave", "time": 1}):
                stored = {"add": {"clip": "leap", "time": time}, "to": base}
                exact = {"add": {"clip": "Run", "loop": "repeat", "time": time}, "to": base, "reference": reference}
                (got, got_at), (want, want_at) = self.local(stored), self.local(exact)
                chords = numpy.minimum(*(numpy.linalg.norm(got - sign * want, axis=1) for sign in (1, -1)))
                moves = numpy.linalg.norm(got_at - want_at, axis=1)
                angles = 4 * numpy.arcsin(chords / 2)
                of_base.append((angles, moves))
                # Each joint's turn moves what is below it by its lever at most, which here is at most 2 m.
                apart = self.apart(stored, exact)
                self.assertLessEqual(apart, tolerance + ROUNDING if base == "rest" else (2 * angles + moves).sum())
                self.assertLess(apart, 10 * tolerance)
            for angles, moves in of_base[1:]:
                numpy.testing.assert_allclose(angles, of_base[0][0], atol=2e-6)
                numpy.testing.assert_allclose(moves, of_base[0][1], atol=1e-6)
                self.assertGreater(of_base[0][0].max(), 2e-3)

    def test_whatever_reads_clips_reads_it(self):
        self.put("used")
        index = self.described("used")["index"]
        for pose in ({"clip": index, "time": 0.5}, {"clip": "used", "sampler": "catmull_rom", "time": 0.51},
                     {"transition": ["used", "Walk"], "time": 1, "tolerance": 100},
                     {"sync": [{"clip": "used", "weight": 1}, {"clip": "Walk", "weight": 1}], "time": 0.3}):
            self.assertStatus(self.client.pose("humanoid", pose), 200)
        bounds = self.client.get(rig_path("humanoid", "?bounds=clips")).json()["clips"]
        self.assertTrue(next(clip for clip in bounds if clip["name"] == "used")["bounds"])
        keyed = self.client.vertices("humanoid", {"clip": "used", "time": 0.5},
                                     skinning={"method": "vertex_keyframe", "device": "cpu"})
        self.assertStatus(keyed, 200)
        self.assertStatus(self.client.post("transitions", {"rig": "humanoid", "from": "used", "to": "Walk"}), 200)
        self.assertStatus(self.client.post("bake", {"rig": "humanoid", "as": "bvh", "pose": {"clip": "used"}}), 200)
        self.put("again", pose={"clip": "used"})
        time = float32(31 / RATE)
        self.assertLess(self.apart({"clip": "again", "time": time}, expression(time)), 2 * TOLERANCE + ROUNDING)


class Lasting(DaemonCase):
    own_daemon = True

    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.daemon = None

    def begin(self, *args):
        if self.daemon:
            self.daemon.stop()
        self.daemon = Daemon(data=self.folder.name, args=["--renderer", "none", *args]).start()
        self.addCleanup(self.daemon.stop)
        return Client(self.daemon.port)

    def put(self, client, name="kept", rig="rig", **members):
        reply = put_pose(client, rig, name, LOOPED, duration=DURATION, rate=RATE, **members)
        self.assertIn(reply.status, (200, 201), str(reply))
        return reply.json()

    def pose(self, client, time=1.7, rig="rig", clip="kept"):
        return self.assertStatus(client.pose(rig, {"clip": clip, "time": time}), 200).json()["joints"]

    def object(self, told):
        return pathlib.Path(self.folder.name) / "objects" / told["content"].removeprefix("sha256:")

    def verified(self):
        done = subprocess.run([binary(), "verify", "--data", self.folder.name], capture_output=True, text=True)
        return done.returncode == 0

    def test_it_is_the_same_after_a_restart_and_gone_when_deleted(self):
        client = self.begin()
        self.assertStatus(client.put("rig", (DEMO / "humanoid.glb").read_bytes()), 201)
        told, pose = self.put(client), self.pose(client)
        content = self.object(told).read_bytes()
        self.assertEqual(len(content), told["compressed"]["bytes"])
        self.assertEqual(hashlib.sha256(content).hexdigest(), self.object(told).name)
        self.assertEqual(self.put(client), told)
        for args in ((), ("--read-only",), ("--clip-tolerance", "raw")):
            client = self.begin(*args)
            self.assertEqual(self.pose(client), pose)
            self.assertTrue(self.verified())
        other = self.put(client)
        self.assertNotIn("compressed", other)
        self.assertFalse(self.object(told).exists())
        self.assertTrue(self.object(other).exists())
        client = self.begin("--clip-tolerance", "1mm")
        self.assertEqual(self.put(client)["compressed"]["tolerance"], 1e-3)
        self.assertEqual(client.request("DELETE", clip_path("rig", "kept")).status, 204)
        self.assertEqual(len(list((pathlib.Path(self.folder.name) / "objects").iterdir())), 1)
        self.assertTrue(self.verified())

    def test_it_fits_another_file_of_its_joints(self):
        client = self.begin()
        content = (DEMO / "humanoid.glb").read_bytes()
        self.assertStatus(client.put("rig", content), 201)
        self.put(client)
        before = {joint["name"]: joint for joint in self.pose(client)}
        document, data = split_glb(content)
        # At rest it stands elsewhere: what the clip drives does not depend on that.
        for node in document["nodes"]:
            if node.get("name") in ("Hips", "Head"):
                node["translation"] = [x + 0.01 for x in node["translation"]]
                node["rotation"] = [0.5, 0.5, 0.5, 0.5]
        self.assertStatus(client.put("rig", glb(json.dumps(document).encode(), data)), 200)
        channels = client.get(clip_path("rig", "kept"), accept=JSON).json()["channels"]
        after = {joint["name"]: joint for joint in self.pose(client)}
        for channel in channels:
            name, path = channel["joint"], channel["path"]
            self.assertEqual(after[name][path], before[name][path], (name, path))
        self.assertGreater(len(channels), 20)

    def test_damage_is_found(self):
        client = self.begin()
        self.assertStatus(client.put("rig", (DEMO / "humanoid.glb").read_bytes()), 201)
        told = self.put(client)
        path = self.object(told)
        content = path.read_bytes()
        for at in (0, 20, 60, 200, len(content) // 2, len(content) - 1):
            with open(path, "r+b") as file:
                file.write(content[:at] + bytes([content[at] ^ 4]) + content[at + 1:])
            self.assertFalse(self.verified(), at)
            client = self.begin()
            self.assertProblem(client.pose("rig", {"clip": "kept"}), 507, "store-damaged", says="kept")

    def test_wrong_tolerances_end_the_start(self):
        for wrong in ("1mile", "-1", "", "nan", "rawly"):
            done = subprocess.run([binary(), "--check-config", "--data", self.folder.name, "--clip-tolerance", wrong],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn("--clip-tolerance", done.stderr)
