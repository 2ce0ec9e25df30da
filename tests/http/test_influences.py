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

    def numbers(self, of, layout):
        answer = self.assertStatus(self.client.get(f"{rig_path('cyl2')}/influences?of={of}"), 200)
        self.assertEqual(answer.headers["Posed-Layout"], layout)
        return struct.unpack(f"<{len(answer.body) // 4}f", answer.body)

    def test_counts_are_those_of_weights_above_zero(self):
        names = [joint["name"] for joint in self.description("cyl2")["joints"]]
        weights = [self.weights(name) for name in names]
        counts = self.numbers("count", "count:f32x1")
        self.assertEqual(list(counts), [sum(weight > 0 for weight in row) for row in zip(*weights)])
        self.assertEqual(set(counts), {1, 2})

    def test_colours_are_mixed_as_the_weights_are(self):
        colors = self.numbers("colors", "color:f32x3")
        heights = [position[1] for position in self.positions("cyl2")]
        rows = [colors[i:i + 3] for i in range(0, len(colors), 3)]
        self.assertEqual(len(rows), len(heights))
        low, high = (rows[heights.index(end(heights))] for end in (min, max))
        self.assertNotEqual(low, high)
        for y, row in zip(heights, rows):
            for a, b, mixed in zip(low, high, row):
                self.assertAlmostEqual(mixed, a + ramp(y) * (b - a), delta=1e-5)

    def test_joint_of_all_is_refused(self):
        for of in ("colors", "count"):
            answer = self.client.get(f"{rig_path('cyl2')}/influences?joint=J1&of={of}")
            self.assertEqual(answer.status, 400)
            self.assertEqual(answer.json()["parameter"], "joint")

    def test_no_joint_is_refused(self):
        answer = self.client.get(f"{rig_path('cyl2')}/influences")
        self.assertEqual(answer.status, 400)
        self.assertIn("joint", answer.json()["detail"])
