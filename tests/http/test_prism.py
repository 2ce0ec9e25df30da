"""Prism's PIS and PIA as they are written: what a reader of the grammar (prism_text.py) makes of them
is the daemon's own joints. And PIM, PIS and PIA as they come: as archives, and by `pose put`."""
import io
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

import prism_text
import tiny
from case import DEMO, SHARED, DaemonCase
from daemon import ROOT

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
FOX = SHARED / "derived-public-fox-formats"

# Goes a metre and more within a second, and turns about y, as joints below it do.
WALKER = (b"HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation "
          b"Zrotation\nJOINT knee\n{\nOFFSET 0 -0.5 0.1\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
          b"OFFSET 0 -0.5 0\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n0 1 0 0 5 0 10 0 0\n"
          b"0.3 1.1 0.6 20 5 3 0 30 0\n0.9 1 1.1 70 0 0 10 0 0\n")
WALK = {"clip": "Walk", "loop": "repeat"}


def columns(matrix):
    """A matrix for row vectors, row after row, is the API's column after column."""
    return list(itertools.chain(*matrix))


def rows(world):
    """The API's column after column as a matrix for row vectors."""
    return [world[i:i + 4] for i in range(0, 16, 4)]


def renamed(glb):
    """A GLB whose joints have other names."""
    document, binary = tiny.split_glb(glb)
    for node in document["nodes"]:
        node["name"] = "rig_" + node["name"]
    return tiny.glb(json.dumps(document).encode(), binary)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


class PrismCase(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def text(self, form, pose=None, **members):
        request = {"rig": "humanoid", "as": form, **members}
        reply = self.client.post("bake", {**request, "pose": pose} if pose else request)
        self.assertEqual(self.assertStatus(reply, 200).kind.split(";")[0], "text/plain")
        self.assertNotIn("Posed-Skinning", reply.headers)
        return reply.body.decode()

    def joints(self, pose, rig="humanoid"):
        return self.assertStatus(self.client.pose(rig, pose), 200).json()["joints"]

    def assert_joints(self, found, pose, rig="humanoid"):
        """World matrices to float32 of the figure's size, a product of a few matrices each."""
        for joint in self.joints(pose, rig):
            mine = columns(found[joint["name"]])
            for a, b in zip(mine, joint["world"]):
                self.assertLess(abs(a - b), 2e-6, (joint["name"], mine, joint["world"]))


class WrittenMotion(PrismCase):
    def test_a_skeleton_is_the_rest_pose_in_the_model(self):
        bones = prism_text.skeleton(self.text("pis"))
        joints = self.joints("rest")
        self.assertEqual([name for name, _, _ in bones], [joint["name"] for joint in joints])
        described = self.description("humanoid")["joints"]
        names = {joint["index"]: joint["name"] for joint in described}
        self.assertEqual([parent for _, parent, _ in bones],
                         [names.get(joint["parent"], "") for joint in described])
        self.assert_joints({name: matrix for name, _, matrix in bones}, "rest")

    def test_an_animation_has_the_joints_of_every_frame(self):
        bones = prism_text.skeleton(self.text("pis"))
        walk = prism_text.Animation(self.text("pia", WALK, rate=12, name="stroll"))
        self.assertEqual((walk.name, walk.skeleton), ("stroll", "humanoid.pis"))
        clips = {clip["name"]: clip["duration"] for clip in self.description("humanoid")["clips"]}
        self.assertAlmostEqual(walk.duration, clips["Walk"], 6)
        self.assertAlmostEqual(walk.times[-1], walk.duration, 5)
        self.assertGreaterEqual((len(walk.times) - 1) / walk.duration, 12 - 1e-9)
        for frame in (0, 1, len(walk.times) // 2, len(walk.times) - 1):
            # The daemon's own frames: evenly from 0 to the duration.
            time = walk.duration * frame / (len(walk.times) - 1)
            self.assert_joints(walk.world(bones, frame), {"clip": "Walk", "time": time})

    def test_any_expression_is_an_animation(self):
        pose = {"blend": [{"pose": WALK, "weight": 1}, {"pose": {"clip": "Run"}, "weight": 1}]}
        bones = prism_text.skeleton(self.text("pis"))
        self.assert_joints(prism_text.Animation(self.text("pia", pose, duration=0)).world(bones, 0),
                           {"blend": [{"pose": {"clip": "Walk"}, "weight": 1},
                                      {"pose": {"clip": "Run"}, "weight": 1}]})

    def test_root_motion_is_prism_movement(self):
        """Joints without it, and where it has led, are together those of the clip: also where it turns."""
        self.put_rig("walker", WALKER)
        clip = self.description("walker")["clips"][0]["name"]
        bones = prism_text.skeleton(self.text("pis", rig="walker"))
        for turn in (True, False):
            pose = {"root_motion": {"clip": clip}, "mode": "extract", "turn": turn}
            walk = prism_text.Animation(self.text("pia", pose, rate=10, rig="walker"))
            self.assertEqual(walk.movement[0], [0, 0, 0])
            self.assertGreater(max(map(abs, walk.movement[-1])), 0.5)
            for frame in range(len(walk.times)):
                world = walk.world(bones, frame)
                for matrix in world.values():
                    matrix[3] = [*(a + b for a, b in zip(matrix[3], walk.movement[frame])), 1.0]
                self.assert_joints(world, {"clip": clip, "time": walk.times[frame]}, "walker")
            files = {"walker.pis": self.text("pis", rig="walker"),
                     "a.pia": self.text("pia", pose, rate=10, rig="walker")}
            self.put_rig("back", zipped(files))
            for time in (0, 0.4, 1):
                self.assert_joints({joint["name"]: rows(joint["world"]) for joint in
                                    self.joints({"clip": "a", "time": time}, "back")},
                                   {"clip": clip, "time": time}, "walker")
        self.assertIsNone(prism_text.Animation(self.text("pia", WALK, rate=12)).movement)

    def test_motion_of_another_skeleton_is_retargeted(self):
        """By default and with map=auto, to the same figure whose joints have other names."""
        self.put_rig("soldier", renamed((DEMO / "humanoid.glb").read_bytes()))
        files = {"humanoid.pis": self.text("pis"), "walk.pia": self.text("pia", WALK, rate=30)}
        for query, told in (("?map=auto", True), ("", True)):
            reply = self.client.request("PUT", "/v1/rigs/soldier/clips/walk" + query, zipped(files),
                                        {"Content-Type": "application/octet-stream"})
            summary = self.assertStatus(reply, 201 if query else 200).json()
            self.assertEqual(summary["retargeted"], told)
            self.assertEqual({(pair["theirs"], pair["ours"]) for pair in summary["pairs"]},
                             {(joint["name"], "rig_" + joint["name"]) for joint in self.joints("rest")
                              if joint["name"] != "humanoid"})
        for time in (0, 0.3):
            found = {joint["name"]: joint["world"] for joint in self.joints({"clip": "walk", "time": time}, "soldier")}
            for joint in self.joints({"clip": "Walk", "time": time}):
                if joint["name"] != "humanoid":
                    for a, b in zip(found["rig_" + joint["name"]][12:15], joint["world"][12:15]):
                        self.assertLess(abs(a - b), 2e-3, joint["name"])

    def test_links_are_the_same_as_requests(self):
        made = self.text("pia", {"clip": "Walk", "loop": "repeat"}, rate=12, name="stroll")
        link = "/v1/rigs/humanoid/motion.pia?clip=Walk&loop=repeat&rate=12&name=stroll"
        reply = self.assertStatus(self.client.get(link), 200)
        self.assertEqual(reply.body.decode(), made)
        self.assertEqual(reply.headers["Posed-Frames"], str(len(prism_text.Animation(made).times)))
        reply = self.assertStatus(self.client.get("/v1/rigs/humanoid/motion.pis"), 200)
        self.assertEqual(reply.body.decode(), self.text("pis"))

    def test_links_say_what_there_is(self):
        reply = self.client.get("/v1/rigs/humanoid/motion.xyz")
        self.assertIn("it may end with: pia, pis", self.assertStatus(reply, 404).json()["detail"])
        reply = self.client.get("/v1/rigs/humanoid/motion.pia")
        self.assertIn("\"duration\" is missing", self.assertStatus(reply, 400).json()["detail"])
        reply = self.client.get("/v1/rigs/humanoid/motion.pia?clip=Walk&prune=true")
        self.assertIn("known are: clip, ", self.assertStatus(reply, 400).json()["detail"])

    def test_pose_bakes_what_it_can_put_again(self):
        def pose(*arguments, status=0):
            done = subprocess.run([POSE, *arguments, "--server", f"http://127.0.0.1:{self.daemon.port}"],
                                  cwd=folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr

        with tempfile.TemporaryDirectory(prefix="posed-prism-") as folder:
            pose("bake", "humanoid", "-o", "humanoid.pis", "--as", "pis")
            pose("bake", "humanoid", "-o", "humanoid_walk.pia", "--as", "pia", "--clip", "Walk")
            pose("bake", "humanoid", "-o", "run.pia", "--as", "pia", "--clip", "Run")
            pose("put", "humanoid.pis", "again")
            clips = self.description("again")["clips"]
            self.assertEqual(sorted(clip["name"] for clip in clips), ["run", "walk"])
            # An animation is one clip, whatever lies beside it.
            pose("clip", "put", "humanoid", "mine", "humanoid_walk.pia")
            self.assertIn("not what", pose("bake", "humanoid", "-o", "a.pia", "--as", "joints", status=2))

    def test_skinning_is_refused(self):
        for form in ("pia", "pis"):
            reply = self.client.post(
                "bake", {"rig": "humanoid", "pose": WALK, "as": form, "skinning": "dqs"})
            self.assertEqual(self.assertStatus(reply, 400).json()["pointer"], "/skinning")


class ReadFiles(PrismCase):
    def test_what_was_written_is_a_rig_with_the_clip(self):
        files = {"a/humanoid.pis": self.text("pis"), "a/humanoid_stroll.pia": self.text("pia", WALK, rate=24),
                 "a/run.pia": self.text("pia", {"clip": "Run"}, rate=24)}
        self.put_rig("back", zipped(files))
        clips = [clip["name"] for clip in self.description("back")["clips"]]
        self.assertEqual(sorted(clips), ["run", "stroll"])
        for clip, own in (("stroll", "Walk"), ("run", "Run")):
            # A moment that is a frame of both: the first.
            worlds = {joint["name"]: joint["world"] for joint in self.joints({"clip": clip}, "back")}
            for joint in self.joints({"clip": own}):
                for a, b in zip(worlds[joint["name"]], joint["world"]):
                    self.assertLess(abs(a - b), 3e-6, joint["name"])

    def test_a_file_without_its_skeleton_says_which(self):
        reply = self.client.put("alone", self.text("pia", WALK).encode())
        self.assertIn('"humanoid.pis", which is not among', self.assertStatus(reply, 422).json()["detail"])

    def test_pose_put_brings_the_files_beside(self):
        if not FOX.is_dir():
            self.skipTest(f"{FOX} is not here")
        with tempfile.TemporaryDirectory(prefix="posed-prism-") as folder:
            for name in ("fox.pim", "fox.pis", "fox_walk.pia", "fox_run.pia"):
                shutil.copy(FOX / name, folder)
            # Another skeleton's, which stays where it is.
            pathlib.Path(folder, "humanoid.pia").write_text(self.text("pia", WALK))
            server = f"http://127.0.0.1:{self.daemon.port}"
            done = subprocess.run([POSE, "put", f"{folder}/fox.pim", "fox", "--server", server],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            described = self.description("fox")
            self.assertEqual(sorted(clip["name"] for clip in described["clips"]), ["run", "walk"])
            self.assertEqual(described["triangles"], 576)
            pathlib.Path(folder, "fox.pis").unlink()
            done = subprocess.run([POSE, "put", f"{folder}/fox.pim", "fox", "--server", server],
                                  capture_output=True, text=True, timeout=120)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("fox.pis", done.stderr)
