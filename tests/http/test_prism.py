"""Prism's PIS and PIA as they are written: what a reader of the grammar (prism_text.py) makes of them
is the daemon's own joints."""
import itertools

import prism_text
from case import DaemonCase

WALK = {"clip": "Walk", "loop": "repeat"}


def columns(matrix):
    """A matrix for row vectors, row after row, is the API's column after column."""
    return list(itertools.chain(*matrix))


class WrittenMotion(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def text(self, form, pose=None, **members):
        request = {"rig": "humanoid", "as": form, **members}
        reply = self.client.post("bake", {**request, "pose": pose} if pose else request)
        self.assertEqual(self.assertStatus(reply, 200).kind.split(";")[0], "text/plain")
        self.assertNotIn("Posed-Skinning", reply.headers)
        return reply.body.decode()

    def joints(self, pose):
        return self.assertStatus(self.client.pose("humanoid", pose), 200).json()["joints"]

    def assert_joints(self, found, pose):
        """World matrices to float32 of the figure's size, a product of a few matrices each."""
        for joint in self.joints(pose):
            mine = columns(found[joint["name"]])
            for a, b in zip(mine, joint["world"]):
                self.assertLess(abs(a - b), 2e-6, (joint["name"], mine, joint["world"]))

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

    def test_skinning_is_refused(self):
        for form in ("pia", "pis"):
            reply = self.client.post(
                "bake", {"rig": "humanoid", "pose": WALK, "as": form, "skinning": "dqs"})
            self.assertEqual(self.assertStatus(reply, 400).json()["pointer"], "/skinning")
