"""Files with nothing to draw: joints alone, primitives without triangles, no nodes at all."""
import os
import pathlib
import subprocess
import tempfile

from case import DaemonCase
from client import rig_path
from daemon import ROOT
from picture import Picture
from tiny import Tiny

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
SIDE = 64
WARNING = "the file draws nothing: pictures show its skeleton"
EMPTY = "the file draws nothing and has no joints: pictures are empty"


def joints_alone():
    """A chain of three joints and a clip that bends it."""
    tiny = Tiny()
    hand = tiny.node(name="hand", translation=[0, 1, 0])
    arm = tiny.node(name="arm", translation=[0, 1, 0], children=[hand])
    tiny.node(root=True, name="root", translation=[3, 0, 0], children=[arm])
    times = tiny.accessor([(0,), (1,)], "SCALAR")
    turns = tiny.accessor([(0, 0, 0, 1), (0, 0, 0.70710678, 0.70710678)], "VEC4")
    tiny.json["animations"] = [{
        "name": "bend", "samplers": [{"input": times, "output": turns}],
        "channels": [{"sampler": 0, "target": {"node": arm, "path": "rotation"}}]}]
    return tiny.glb()


def half_a_triangle():
    """A mesh whose only primitive has no whole triangle."""
    tiny = Tiny()
    places = tiny.accessor([(0, 0, 0), (1, 0, 0)], "VEC3", bounds=True)
    tiny.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": places}}]}]
    tip = tiny.node(name="tip", translation=[0, 1, 0])
    tiny.node(root=True, name="base", mesh=0, children=[tip])
    return tiny.glb()


def ink(body):
    """The number of drawn pixels of a picture, and the box around them."""
    places = [(x, y) for y, row in enumerate(Picture(body).rows)
              for x, pixel in enumerate(row) if pixel[3] > 40]
    columns, rows = zip(*places) if places else ((), ())
    return len(places), (min(columns), max(columns), min(rows), max(rows)) if places else None


class Empty(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        if "gpu" not in cls.devices():
            cls.skipTest(cls, "no GL device here")
        cls.put_rig("bones", joints_alone())

    def picture(self, rig="bones", pose="rest", **members):
        reply = self.client.frame(rig, pose, width=SIDE, height=SIDE, **members)
        return self.assertStatus(reply, 200)

    def test_put_warns_each_time(self):
        for name, body in (("b", joints_alone()), ("h", half_a_triangle())):
            for status in (201, 200):
                reply = self.assertStatus(self.client.put(name, body), status)
                self.assertEqual(reply.headers["Posed-Warning"], WARNING)
                self.assertIn(WARNING, reply.json()["warnings"])
            self.assertIn(WARNING, self.description(name)["warnings"])
        self.put_demo("cyl2")
        reply = self.client.put("cyl2", (ROOT / "assets/demo/cyl2.glb").read_bytes())
        self.assertNotIn("Posed-Warning", reply.headers)
        self.assertNotIn("warnings", reply.json())

    def test_picture_shows_the_skeleton_within_the_frame(self):
        for pose in ("rest", {"clip": "bend", "time": 1}):
            for fit in ("pose", "clip", "rest"):
                with self.subTest(pose=pose, fit=fit):
                    reply = self.picture(pose=pose, fit=fit)
                    self.assertEqual(reply.headers["Posed-Warning"], WARNING)
                    asked = self.picture(pose=pose, fit=fit, overlays=["skeleton"])
                    self.assertEqual(reply.body, asked.body)
                    count, box = ink(reply.body)
                    self.assertGreater(count, SIDE)
                    # Three joints in a row of 2 m: about as long as the frame is high or wide.
                    self.assertGreater(max(box[1] - box[0], box[3] - box[2]), SIDE / 3)
        self.put_rig("half", half_a_triangle())
        count, box = ink(self.picture("half").body)
        self.assertGreater(box[3] - box[2], SIDE / 3)
        self.assertNotEqual(self.picture().body, self.picture(pose={"clip": "bend", "time": 1}).body)

    def test_what_is_asked_for_counts(self):
        self.assertEqual(ink(self.picture(overlays=[]).body)[0], 0)
        reply = self.picture(shading="depth")
        self.assertEqual(reply.headers["Posed-Warning"], WARNING)
        one = ink(self.picture(overlays=[{"overlay": "skeleton", "joints": ["hand"]}]).body)[0]
        self.assertLess(one, ink(self.picture().body)[0])

    def test_links_and_sequences_too(self):
        link = self.client.get(rig_path("bones", f"/frame.png?width={SIDE}&height={SIDE}"))
        self.assertEqual(self.assertStatus(link, 200).body, self.picture().body)
        self.assertEqual(link.headers["Posed-Warning"], WARNING)
        reply = self.client.get(rig_path("bones", "/frames.gif?clip=bend&width=48&height=48&count=3"))
        self.assertStatus(reply, 200)
        self.assertEqual(reply.headers["Posed-Warning"], WARNING)

    def test_without_joints_there_is_nothing(self):
        tiny = Tiny()
        reply = self.client.put("nothing", tiny.glb())
        self.assertStatus(reply, 201)
        self.assertEqual(reply.headers["Posed-Warning"], EMPTY)
        reply = self.picture("nothing")
        self.assertEqual(reply.headers["Posed-Warning"], EMPTY)
        self.assertEqual(ink(reply.body)[0], 0)

    def test_pose_says_so_on_standard_error(self):
        with tempfile.TemporaryDirectory(prefix="posed-empty-") as folder:
            file, out = pathlib.Path(folder, "bones.glb"), pathlib.Path(folder, "out.png")
            file.write_bytes(joints_alone())
            server = ("--server", f"http://127.0.0.1:{self.client.port}")
            for args, subject in ((("put", file, "put", *server), ""),
                                  (("frame", "bones", "-o", out, *server), ""),
                                  (("frame", file, "-o", out), f"{file}: ")):
                with self.subTest(args=args):
                    done = subprocess.run([POSE, *args], capture_output=True, text=True, timeout=300)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr.count(f"pose: {subject}warning: {WARNING}\n"), 1, done.stderr)
            self.assertGreater(ink(out.read_bytes())[0], 100)
