"""Clips are sampled by METHODS C.1 and C.5; every number here is a closed form from there."""
import unittest

import rigs
from case import DaemonCase
from oracle import turn, unit
from tiny import SHORT, Tiny, float32

HALF = 0.5**0.5
UNEVEN = [0.1, 0.7, 1.9]  # no float32 is equal to these: key hits must still be exact
KEYS = [(0.1, 0.2, 0.3), (1 / 3, -7, 1e-3), (5, 6, 7)]


def clips():
    """One channel each on the node "mover"; all with D = 2 unless the name says otherwise."""
    quarter = [turn((0, 0, 1), 0), turn((0, 0, 1), 90)]
    cubic = [(0, 0, 0)] * 6
    cubic[2], cubic[4] = (1, 0, 0), (1, 0, 0)  # out-tangent of key 0 is 1, value of key 1 is 1
    tangent = (0, 0, 1, 0)
    turned = [(0, 0, 0, 0), (0, 0, 0, 1), tangent, tangent, (0, 0, HALF, HALF), (0, 0, 0, 0)]
    return {
        "step": ("translation", [0, 1, 2], [(0, 0, 0), (1, 0, 0), (5, 0, 0)], "STEP"),
        "ramp": ("translation", [0, 2], [(0, 0, 0), (2, 0, 0)], "LINEAR"),
        "cubic": ("translation", [0, 2], cubic, "CUBICSPLINE"),
        "slerp": ("rotation", [0, 1], quarter, "LINEAR"),
        "negated": ("rotation", [0, 1], [quarter[0], [-x for x in quarter[1]]], "LINEAR"),
        "cubic_turn": ("rotation", [0, 1], turned, "CUBICSPLINE"),
        "keys": ("translation", UNEVEN, KEYS, "LINEAR"),
        "late": ("translation", [1, 2], [(3, 0, 0), (4, 0, 0)], "LINEAR"),
        "single": ("translation", [0.5], [(9, 8, 7)], "LINEAR"),
        "grow": ("scale", [0, 2], [(1, 1, 1), (3, 1, 2)], "LINEAR"),
    }


class Sampling(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("mover", rigs.mover(**clips()).glb())

    def at(self, clip, time=None, **members):
        pose = (
            {"clip": clip, **members} if time is None else {"clip": clip, "time": time, **members}
        )
        return self.joints("mover", pose)["mover"]

    def x(self, clip, time=None, **members):
        return self.at(clip, time, **members)["translation"][0]

    def test_step_holds_the_key_before(self):
        for time, want in ((0, 0), (0.999, 0), (1, 1), (1.5, 1), (1.9999, 1), (2, 5)):
            self.assertEqual(self.x("step", time), want, f"at {time}")

    def test_linear_goes_straight(self):
        for time in (0.5, 1, 1.75):
            self.assertAlmostEqual(self.x("ramp", time), time, delta=1e-6)
        self.assertNumbers(self.at("grow", 0.5)["scale"], [1.5, 1, 1.25], 1e-6)

    def test_cubicspline_is_the_hermite_of_its_tangents(self):
        # C.1: v = 0 -> 1, b0 = 1, a1 = 0, h = 2
        for u, want in ((0.25, 0.4375), (0.5, 0.75), (0.75, 0.9375)):
            self.assertAlmostEqual(self.x("cubic", 2 * u), want, delta=1e-6)

    def test_cubicspline_rotations_are_normalised(self):
        # C.1 by hand at u = 1/2: (q0 + q1) / 2 + h (b0 - a1) / 8, with b0 = a1 = (0, 0, 1, 0)
        want = unit([0, 0, HALF / 2, (1 + HALF) / 2])
        self.assertNumbers(self.at("cubic_turn", 0.5)["rotation"], want, 1e-6)
        # u = 1/4: 27/32 q0 + 5/32 q1 + 9/64 b0 - 3/64 a1
        want = unit([0, 0, 5 / 32 * HALF + 6 / 64, 27 / 32 + 5 / 32 * HALF])
        self.assertNumbers(self.at("cubic_turn", 0.25)["rotation"], want, 1e-6)

    def test_rotations_are_slerped(self):
        # C.1: slerp(I, 90 degrees about z); nlerp would give an angle of 21.598 at a quarter.
        got = self.at("slerp", 0.25)["rotation"]
        self.assertNumbers(got, (0, 0, 0.195090322, 0.980785280), 1e-6)
        self.assertNumbers(
            self.at("slerp", 0.5)["rotation"], (0, 0, 0.382683432, 0.923879533), 1e-6
        )

    def test_rotations_take_the_short_way(self):
        # The second key is negated: the same rotation, spelled the other way.
        got = self.at("negated", 0.25)["world"]
        self.assertNumbers(got, self.at("slerp", 0.25)["world"], 1e-6)

    def test_exact_key_gives_the_key_bit_for_bit(self):
        for time, key in zip(UNEVEN, KEYS):
            got = [float32(x) for x in self.at("keys", float32(time))["translation"]]
            self.assertEqual(got, [float32(x) for x in key], f"at {time}")

    def test_before_the_first_key_and_after_the_last_the_clip_holds(self):
        for time, want in (
            (-1, 3),
            (0, 3),
            (0.99, 3),
            (1, 3),
            (1.5, 3.5),
            (2, 4),
            (3, 4),
            (1e9, 4),
        ):
            self.assertAlmostEqual(self.x("late", time), want, delta=1e-6, msg=f"at {time}")

    def test_a_hundred_channels_of_own_times_are_sampled_together(self):
        tiny = Tiny()
        channels = []
        for i in range(100):
            node = tiny.node(root=True, name=f"N{i}")
            values = [(i, 0, 0), (i + 2, 0, 0)]
            channels.append((node, "translation", [0, 1 + i % 7], values, "LINEAR"))
        tiny.clip(channels, name="all")
        self.put_rig("hundred", tiny.glb())
        pose = {"clip": "all", "time": 0.5}
        reply = self.client.post("pose", {"rig": "hundred", "pose": pose})
        for i, joint in enumerate(reply.json()["joints"]):
            x = float32(i + 1 / (1 + i % 7))
            self.assertAlmostEqual(joint["translation"][0], x, delta=1e-5)

    def test_single_key_is_constant(self):
        for time in (0, 0.25, 0.5, 7):
            for loop in ("clamp", "repeat", "ping_pong"):
                self.assertEqual(self.at("single", time, loop=loop)["translation"], [9, 8, 7])

    def test_loops(self):
        # C.5's oracles with D = 2
        for loop, pairs in (
            ("clamp", ((-0.5, 0), (2, 2), (2.5, 2))),
            ("repeat", ((-0.5, 1.5), (2, 0), (2.5, 0.5), (0.5, 0.5), (1000000.5, 0.5))),
            ("ping_pong", ((-0.5, 0.5), (2, 2), (2.5, 1.5), (4.5, 0.5), (4, 0))),
        ):
            for time, want in pairs:
                got = self.x("ramp", time, loop=loop)
                self.assertAlmostEqual(got, want, delta=1e-6, msg=f"{loop} at {time}")

    def test_clamp_is_the_default_loop(self):
        self.assertEqual(self.x("ramp", 2.5), 2)

    def test_phase_is_a_share_of_the_duration(self):
        for phase in (0, 0.25, 1 / 3, 1):
            got = self.x("ramp", phase=phase)
            self.assertAlmostEqual(got, 2 * phase, delta=1e-6)
        # the file's own key axis: phase 1/2 of a clip with keys at 1 and 2 is 1 s
        self.assertAlmostEqual(self.x("late", phase=0.75), 3.5, delta=1e-6)

    def test_what_a_clip_does_not_drive_keeps_its_rest(self):
        tiny = rigs.mover(ramp=clips()["ramp"])
        rotation = [0, 0.6, 0, 0.8]
        tiny.json["nodes"][0].update(translation=[7, 7, 7], rotation=rotation, scale=[1, 2, 3])
        tiny.node(root=True, name="other", translation=[4, 5, 6])
        self.put_rig("partly", tiny.glb())
        joints = self.joints("partly", {"clip": "ramp", "time": 1})
        self.assertNumbers(joints["mover"]["translation"], [1, 0, 0], 1e-6)
        self.assertNumbers(joints["mover"]["rotation"], rotation, 1e-6)
        self.assertEqual(joints["mover"]["scale"], [1, 2, 3])
        self.assertEqual(joints["other"]["translation"], [4, 5, 6])

    def test_integer_outputs_are_normalised(self):
        # glTF allows rotations as normalised shorts: f = max(c / 32767, -1).
        tiny = rigs.mover()
        quarter = round(HALF * 32767)
        times = tiny.accessor([0, 1], "SCALAR", bounds=True)
        rows = [(0, 0, 0, 32767), (0, 0, quarter, quarter)]
        output = tiny.accessor(rows, "VEC4", SHORT, normalized=True)
        tiny.add(
            "animations",
            {
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                "samplers": [{"input": times, "output": output}],
            },
        )
        self.put_rig("shorts", tiny.glb())
        got = self.joints("shorts", {"clip": "clip0", "time": 1})["mover"]["rotation"]
        self.assertNumbers(got, [0, 0, HALF, HALF], 5e-5)


if __name__ == "__main__":
    unittest.main()
