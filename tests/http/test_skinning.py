"""lbs and dqs against the closed forms of METHODS A5, A11 and its laws T1 to T8."""
import math
import unittest

import rigs
from case import DEMO, DaemonCase
from client import JSON
from oracle import apply, azimuth, diagonal, matrix, radius, signed_volume, turn
from tiny import IDENTITY, USHORT, Tiny, read_accessor, translation_matrix

R = 0.1
CPU = {"method": "lbs", "device": "cpu"}
# Weight 1/4 and 1/2 of the ramp lie at y = 0.875 and y = 1.
QUARTER, MIDDLE, LOW, HIGH = (R, 0.875, 0), (R, 1, 0), (R, 0.9, 0), (R, 1.1, 0)
INNER, TOP = (-R, 1, 0), (R, 2, 0)
# theta: radius / r and azimuth of lbs for w = 1/4, then w = 1/2 (METHODS A5)
LBS_TWIST = {
    90: (0.790569, 18.4349, 0.707107, 45),
    120: (0.661438, 19.1066, 0.500000, 60),
    150: (0.547942, 13.1868, 0.258819, 75),
    170: (0.505665, 4.9250, 0.087156, 85),
}
# theta: azimuth of dqs for w = 1/4; for w = 1/2 it is theta / 2 (METHODS A11)
DQS_TWIST = {90: 21.598161, 120: 27.795772, 150: 33.020030}


def both(device):
    return ({"method": method, "device": device} for method in ("lbs", "dqs"))


class ColumnOracles(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        points = [QUARTER, MIDDLE, LOW, HIGH, INNER, TOP]
        cls.put_rig("column", rigs.column(points).glb())

    def twisted(self, degrees, skinning):
        pose = {"clip": "twist", "time": rigs.TWIST_DEGREES.index(degrees)}
        return self.positions("column", pose, skinning=skinning)

    def bent(self, skinning):
        return self.positions("column", {"clip": "bend", "time": 1}, skinning=skinning)

    def test_lbs_shrinks_a_twist_by_the_table(self):
        def run(device):
            for degrees, (r1, az1, r2, az2) in LBS_TWIST.items():
                got = self.twisted(degrees, {"method": "lbs", "device": device})
                self.assertAlmostEqual(radius(got[0]) / R, r1, delta=1e-5, msg=degrees)
                self.assertAlmostEqual(azimuth(got[0]), az1, delta=1e-3, msg=degrees)
                self.assertAlmostEqual(radius(got[1]) / R, r2, delta=1e-5, msg=degrees)
                self.assertAlmostEqual(azimuth(got[1]), az2, delta=1e-3, msg=degrees)

        self.for_each_device(run)

    def test_lbs_collapses_to_the_axis_at_180_degrees(self):
        # The candy wrapper: w = 1/2 on the axis, w = 1/4 at half the radius and azimuth 0.
        def run(device):
            got = self.twisted(180, {"method": "lbs", "device": device})
            self.assertLessEqual(radius(got[1]), 1e-7)
            self.assertNumbers(got[0], (R / 2, 0.875, 0), 1e-6)
            self.assertNumbers(got[5], (-R, 2, 0), 1e-6)

        self.for_each_device(run)

    def test_dqs_keeps_the_radius_of_a_twist(self):
        def run(device):
            for degrees in (90, 120, 150, 170, 180):
                got = self.twisted(degrees, {"method": "dqs", "device": device})
                for point in got:
                    self.assertAlmostEqual(radius(point), R, delta=1e-6, msg=degrees)

        self.for_each_device(run)

    def test_dqs_azimuths_are_those_of_the_table(self):
        def run(device):
            for degrees, quarter in DQS_TWIST.items():
                got = self.twisted(degrees, {"method": "dqs", "device": device})
                self.assertAlmostEqual(azimuth(got[0]), quarter, delta=1e-3, msg=degrees)
                self.assertAlmostEqual(azimuth(got[1]), degrees / 2, delta=1e-3, msg=degrees)
            # At 180 degrees the sign is a tie; w = 1/4 turns by 36.87 degrees either way.
            got = self.twisted(180, {"method": "dqs", "device": device})
            self.assertAlmostEqual(abs(azimuth(got[0])), 36.869898, delta=1e-3)

        self.for_each_device(run)

    def test_temporal_signs_carry_a_twist_beyond_half_a_turn(self):
        # METHODS 0.6: w = 1/2 goes to 89.5 degrees at 179; at 181 to -89.5 by the nearer sign, and on
        # to 90.5 by that of the frame before.
        angles = [120, 150, 179, 181, 200]
        poses = [
            {"set": "rest", "joints": {"J1": {"rotation": turn((0, 1, 0), angle)}}}
            for angle in angles
        ]

        def azimuths(sign, device):
            skinning = {"method": "dqs", "sign": sign, "device": device}
            request = {"rig": "column", "poses": poses, "skinning": skinning}
            points = self.assertStatus(self.client.post("vertices", request), 200).triples()
            middles = points[1 :: len(points) // len(angles)]
            for point in middles:
                self.assertAlmostEqual(radius(point), R, delta=1e-6)
            return [azimuth(point) for point in middles]

        def run(device):
            self.assertNumbers(azimuths("temporal", device), [60, 75, 89.5, 90.5, 100], 1e-3)
            for sign in ("pivot", "hierarchy"):
                self.assertNumbers(azimuths(sign, device), [60, 75, 89.5, -89.5, -80], 1e-3)

        self.for_each_device(run)

    def test_lbs_bend_is_the_chord(self):
        # A5, bend 90: w = 1/2 outer and inner, w = 0.3, w = 0.7
        def run(device):
            got = self.bent({"method": "lbs", "device": device})
            self.assertNumbers(got[1], (0.05, 1.05, 0), 1e-6)
            self.assertNumbers(got[4], (-0.05, 0.95, 0), 1e-6)
            self.assertNumbers(got[2], (0.1, 0.96, 0), 1e-6)
            self.assertNumbers(got[3], (-0.04, 1.1, 0), 1e-6)

        self.for_each_device(run)

    def test_dqs_bend_keeps_the_distance_to_the_joint(self):
        # A11, bend 90: w = 1/2 -> (0.0707107, 1.0707107, 0), and |v' - c| = |v - c| everywhere
        def run(device):
            got = self.bent({"method": "dqs", "device": device})
            self.assertNumbers(got[1], (0.0707107, 1.0707107, 0), 1e-6)
            for before, after in zip((QUARTER, MIDDLE, LOW, HIGH, INNER, TOP), got):
                self.assertAlmostEqual(
                    math.dist(after, (0, 1, 0)), math.dist(before, (0, 1, 0)), delta=1e-6
                )

        self.for_each_device(run)

    def test_t3_single_influence_follows_its_joint(self):
        # bend(90), w = 1: (0.1, 2, 0) -> (-1, 1.1, 0) with every method
        def run(device):
            for skinning in both(device):
                self.assertNumbers(self.bent(skinning)[5], (-1, 1.1, 0), 1e-6)

        self.for_each_device(run)


class WholeColumn(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def volume(self, pose, skinning):
        body = (DEMO / "cyl2.glb").read_bytes()
        indices = [row[0] for row in read_accessor(body, 5)]
        points = self.positions("cyl2", pose, skinning=skinning)
        return signed_volume(points, zip(indices[0::3], indices[1::3], indices[2::3]))

    def test_volumes_of_the_demo_column(self):
        # A5 and A11: V / V0 of the closed mesh; V0 = 8 r^2 sin(2 pi / 16) 2 = 0.061229349 m^3
        # The clips reach their full angle in the middle: 180 degrees and 90 degrees at 2 s.
        table = {
            "lbs": {("twist", 2): 0.833333, ("twist", 1): 0.915009, ("bend", 2): 0.957500},
            "dqs": {("twist", 2): 0.990651, ("twist", 1): 0.996379, ("bend", 2): 0.998458},
        }

        def run(device):
            for method, rows in table.items():
                skinning = {"method": method, "device": device}
                rest = self.volume("rest", skinning)
                self.assertAlmostEqual(rest, 0.061229349, delta=1e-8)
                for (clip, time), want in rows.items():
                    ratio = self.volume({"clip": clip, "time": time}, skinning) / rest
                    self.assertAlmostEqual(ratio, want, delta=2e-5, msg=f"{method} {clip} {time}")

        self.for_each_device(run)

    def test_every_choice_that_is_told_is_taken(self):
        for method in self.client.get("/v1").json()["skinning_methods"]:
            for option in method["options"]:
                for choice in option.get("choices", ()):
                    skinning = {"method": method["id"], option["name"]: choice, "device": "cpu"}
                    reply = self.client.pose("cyl2", skinning=skinning)
                    self.assertStatus(reply, 200)

    def test_t1_bind_pose_is_the_identity(self):
        # |v' - v| <= 1e-6 (1 + |v| + |c|)
        body = (DEMO / "cyl2.glb").read_bytes()
        bind = read_accessor(body, 1)

        def run(device):
            for skinning in both(device):
                self.assertNumbers(self.positions("cyl2", skinning=skinning), bind, 1e-6)

        self.for_each_device(run)

    def test_t6_devices_agree(self):
        if "gpu" not in self.devices():
            self.skipTest("no GL device here")
        for method in ("lbs", "dqs"):
            for clip, phase in (("twist", 0.37), ("bend", 0.5)):
                pose = {"clip": clip, "phase": phase}
                cpu = self.positions("cyl2", pose, skinning={"method": method, "device": "cpu"})
                gpu = self.positions("cyl2", pose, skinning={"method": method, "device": "gpu"})
                self.assertNumbers(gpu, cpu, 1e-5 * diagonal(cpu), f"{method} {clip}")


class Laws(DaemonCase):
    """T2, T4, T5, T7 and T8 on rigs that only differ in what the law is about."""
    needs_driver = True


    POINTS = [QUARTER, MIDDLE, (-0.03, 1.05, 0.09)]

    def skinned(self, joints, weights, joint_type=USHORT, clip=True, root=None):
        tiny = rigs.column(self.POINTS)
        primitive = tiny.json["meshes"][0]["primitives"][0]["attributes"]
        rows = len(self.POINTS)
        primitive["JOINTS_0"], primitive["WEIGHTS_0"] = tiny.influences(
            [joints] * rows, [weights] * rows, joint_type
        )
        if root:
            tiny.json["nodes"][0].update(root)
        return tiny.glb()

    def posed(self, rig, skinning, time=0.6):
        return self.positions(rig, {"clip": "bend", "time": time}, skinning=skinning)

    def test_t2_rigid_motion_of_the_root_moves_the_result(self):
        moved = dict(translation=[3, -2, 5], rotation=turn((1, 2, 3), 70))
        self.put_rig("still", self.skinned((0, 1, 0, 0), (0.3, 0.7, 0, 0)))
        self.put_rig("moved", self.skinned((0, 1, 0, 0), (0.3, 0.7, 0, 0), root=moved))
        motion = matrix(**moved)

        def run(device):
            for skinning in both(device):
                want = [apply(motion, p) for p in self.posed("still", skinning)]
                self.assertNumbers(self.posed("moved", skinning), want, 1e-5 * 7)

        self.for_each_device(run)

    def test_t4_order_of_influences_does_not_matter(self):
        self.put_rig("order-a", self.skinned((0, 1, 0, 0), (0.4, 0.6, 0, 0)))
        self.put_rig("order-b", self.skinned((0, 0, 1, 0), (0, 0.4, 0.6, 0)))

        def run(device):
            for skinning in both(device):
                self.assertNumbers(
                    self.posed("order-b", skinning), self.posed("order-a", skinning), 1e-6
                )

        self.for_each_device(run)

    def test_t8_splitting_an_influence_changes_nothing(self):
        # One joint named twice: glTF forbids it, METHODS 0.3 sums it up.
        self.put_rig("whole", self.skinned((0, 1, 0, 0), (0.4, 0.6, 0, 0)))
        self.put_rig("split", self.skinned((0, 1, 1, 0), (0.4, 0.3, 0.3, 0)))

        def run(device):
            for skinning in both(device):
                self.assertNumbers(
                    self.posed("split", skinning), self.posed("whole", skinning), 1e-6
                )

        self.for_each_device(run)

    def test_weights_are_divided_by_their_sum(self):
        # METHODS 0.3, item 7: a loader must not shrink the mesh silently.
        self.put_rig("full", self.skinned((0, 1, 0, 0), (0.4, 0.6, 0, 0)))
        self.put_rig("half", self.skinned((0, 1, 0, 0), (0.2, 0.3, 0, 0)))

        def run(device):
            for skinning in both(device):
                self.assertNumbers(self.posed("half", skinning), self.posed("full", skinning), 1e-6)

        self.for_each_device(run)
        self.assertTrue(
            self.description("half")["warnings"], "weights that sum to 0.5 deserve a warning"
        )

    def test_t5_equal_joints_are_one_joint(self):
        # At time 0 of a rig whose root is moved all joints have the same matrix.
        moved = dict(translation=[1, 2, 3], rotation=turn((0, 1, 0), 40))
        self.put_rig("equal", self.skinned((0, 1, 0, 0), (0.5, 0.5, 0, 0), root=moved))
        want = [apply(matrix(**moved), p) for p in self.POINTS]

        def run(device):
            for skinning in both(device):
                self.assertNumbers(self.posed("equal", skinning, 0), want, 1e-5)

        self.for_each_device(run)

    def test_t7_nasty_joints_and_weights_give_no_nan(self):
        # all weights zero; a joint of scale 0 (determinant 0); joints turned by 180 degrees
        self.put_rig("zero", self.skinned((0, 0, 0, 0), (0, 0, 0, 0)))
        flat = dict(scale=[0, 0, 0])
        self.put_rig("flat", self.skinned((0, 1, 0, 0), (0.5, 0.5, 0, 0), root=flat))
        self.put_rig("antipodal", rigs.column(self.POINTS).glb())

        def run(device):
            for skinning in both(device):
                for rig, pose in (
                    ("zero", {"clip": "bend", "time": 1}),
                    ("flat", {"clip": "bend", "time": 1}),
                    ("antipodal", {"clip": "twist", "time": 5}),
                ):
                    got = self.positions(rig, pose, skinning=skinning)
                    self.assertTrue(
                        all(math.isfinite(x) for p in got for x in p), (rig, skinning, got)
                    )

        self.for_each_device(run)

    def test_dqs_with_scale_works_in_two_phases(self):
        # METHODS 0.4: twist 90 with S1 = diag(2,1,2) about the joint, w = 1/2: radius / r is 1.5
        # with dqs, sqrt 5 / 2 with lbs.
        tiny = Tiny()
        half = 0.5**0.5
        lower = tiny.node(root=True, name="J0", children=[1])
        upper = tiny.node(
            name="J1", translation=[0, 1, 0], rotation=[0, half, 0, half], scale=[2, 1, 2]
        )
        joints, weights = tiny.influences([(0, 1, 0, 0)] * 3, [(0.5, 0.5, 0, 0)] * 3)
        mesh = tiny.mesh(tiny.primitive([MIDDLE] * 3, JOINTS_0=joints, WEIGHTS_0=weights))
        skin = tiny.skin([lower, upper], [IDENTITY, translation_matrix(0, -1, 0)])
        tiny.node(root=True, mesh=mesh, skin=skin)
        self.put_rig("scaled", tiny.glb())

        def run(device):
            for method, want in (("lbs", 5**0.5 / 2), ("dqs", 1.5)):
                got = self.positions("scaled", skinning={"method": method, "device": device})
                self.assertAlmostEqual(radius(got[0]) / R, want, delta=2e-5, msg=method)

        self.for_each_device(run)


class Remarks(DaemonCase):
    """The remarks of a response on how a method suits the rig."""
    needs_driver = True


    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_json_says_what_was_used(self):
        reply = self.client.vertices("cyl2", skinning={"method": "dqs", "device": "cpu"}, accept=JSON)
        said = self.assertStatus(reply, 200).json()["skinning"]
        self.assertEqual((said["method"], said["device"]), ("dqs", "cpu"))
        self.assertEqual((said["fallback_vertices"], said["flags"]), (0, []))
        self.assertEqual((said["residual"], said["dropped_weight"]), (None, 0))

    def test_where_there_is_nothing_to_say_nothing_is_said(self):
        reply = self.assertStatus(self.client.vertices("cyl2", skinning=CPU), 200)
        self.assertEqual(reply.headers["Posed-Skinning"], "lbs; device=cpu")

    def test_influences_beyond_kmax_are_told(self):
        # At the joint both weights are 1/2: with one influence half is lost.
        reply = self.client.vertices("cyl2", skinning={**CPU, "kmax": 1}, accept=JSON)
        said = self.assertStatus(reply, 200).json()["skinning"]
        self.assertEqual(said["flags"], ["W_TRUNC"])
        self.assertAlmostEqual(said["dropped_weight"], 0.5, delta=1e-6)
        header = reply.headers["Posed-Skinning"]
        self.assertEqual(header, 'lbs; device=cpu; flags="W_TRUNC"')

    def test_one_influence_is_stitching_for_any_method(self):
        bend = {"clip": "bend", "phase": 0.5}

        def run(device):
            want = self.positions("cyl2", bend, skinning={"method": "skin_rigid", "device": device})
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device, "kmax": 1}
                got = self.positions("cyl2", bend, skinning=skinning)
                self.assertNumbers(got, want, 1e-5, method)

        self.for_each_device(run)

    def test_kmax_is_a_count(self):
        for kmax in (0, 257, 1.5, "4", True):
            reply = self.client.vertices("cyl2", skinning={"method": "lbs", "kmax": kmax})
            self.assertStatus(reply, 400)
            self.assertEqual(reply.json()["pointer"], "/skinning/kmax")


if __name__ == "__main__":
    unittest.main()
