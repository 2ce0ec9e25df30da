"""The influence of joints on vertices, compared with the ramp that METHODS 0.8 gives its cylinder."""
import struct

from case import DaemonCase, DEMO
from client import rig_path
from rigs import ramp


class Influences(DaemonCase):
    daemon_args = ("--load", str(DEMO))

    def weights(self, joint):
        answer = self.client.get(f"{rig_path('cyl2')}/influences?joint={joint}")
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.headers["Posed-Layout"], "weight:f32x1")
        return struct.unpack(f"<{len(answer.body) // 4}f", answer.body)

    def test_weights_are_the_cylinder_s_ramp(self):
        heights = [position[1] for position in self.positions("cyl2")]
        skinned = self.description("cyl2")
        names = [joint["name"] for joint in skinned["joints"]]
        weights = {name: self.weights(name) for name in names}
        upper = max(names, key=lambda name: weights[name][heights.index(max(heights))])
        lower = max(names, key=lambda name: weights[name][heights.index(min(heights))])
        self.assertNotEqual(upper, lower)
        self.assertEqual(len(weights[upper]), len(heights))
        for y, up, down in zip(heights, weights[upper], weights[lower]):
            self.assertAlmostEqual(up, ramp(y), delta=1e-6)
            self.assertAlmostEqual(up + down, 1, delta=1e-6)

    def test_support_is_what_follows_the_joint_s_parent_too(self):
        # METHODS A8: all that the parent has a weight on; cyl2's lower joint has no parent among
        # the joints of its skin.
        heights = [position[1] for position in self.positions("cyl2")]
        support = self.weights("J1&of=support")
        for y, inside in zip(heights, support):
            self.assertEqual(inside, 1 if ramp(y) < 1 else 0, y)

    def test_joint_that_is_not_there_is_named(self):
        answer = self.client.get(f"{rig_path('cyl2')}/influences?joint=Nose")
        problem = answer.json()
        self.assertEqual(answer.status, 404)
        self.assertEqual(problem["type"], "urn:posed:unknown-joint")
        self.assertEqual(problem["parameter"], "joint")

    def test_no_joint_is_refused(self):
        answer = self.client.get(f"{rig_path('cyl2')}/influences")
        self.assertEqual(answer.status, 400)
        self.assertIn("joint", answer.json()["detail"])
