"""POST /v1/pose: the forms of its answer, and world matrices as products along the tree."""
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS
from oracle import matrix, multiply, turn
from tiny import Tiny

LOCAL = {"translation", "rotation", "scale"}


class PoseAnswers(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column([(0.1, 1, 0)] * 3).glb())

    def test_each_joint_has_name_index_local_transform_and_world_matrix(self):
        reply = self.assertStatus(self.client.pose("column"), 200)
        self.assertEqual(reply.kind, JSON)
        joints = reply.json()["joints"]
        self.assertEqual({j["name"]: j["index"] for j in joints}, {"J0": 0, "J1": 1, "mesh": 2})
        described = [j["index"] for j in self.description("column")["joints"]]
        self.assertEqual([j["index"] for j in joints], described)
        for joint in joints:
            self.assertLessEqual(LOCAL | {"world"}, set(joint))
            self.assertEqual(len(joint["world"]), 16)

    def test_space_chooses_what_is_given(self):
        for space, has, lacks in (
            ("local", LOCAL, {"world"}),
            ("world", {"world"}, LOCAL),
            ("both", LOCAL | {"world"}, set()),
        ):
            with self.subTest(space):
                for joint in self.joints("column", space=space).values():
                    self.assertLessEqual(has | {"name", "index"}, set(joint))
                    self.assertFalse(lacks & set(joint), joint)

    def test_rest_is_the_file_and_the_default_of_space_is_both(self):
        self.assertEqual(self.joints("column"), self.joints("column", "rest", space="both"))
        self.assertEqual(self.joints("column")["J1"]["translation"], [0, 1, 0])

    def test_the_way_that_is_taken_out_is_answered_beside_the_joints(self):
        bend = {"clip": "bend", "time": 0.5}
        taken = {"root_motion": bend, "mode": "extract", "joint": "J1"}
        poses = [bend, taken, dict(taken, mode="zero")]
        request = {"rig": "column", "poses": poses}
        reply = self.assertStatus(self.client.post("pose", request, accept=JSON), 200)
        kept, extracted, zero = reply.json()["frames"]
        self.assertNotIn("root_motion", kept)
        self.assertNotIn("root_motion", zero)
        # A joint that bends about z on the spot goes nowhere.
        self.assertEqual(
            extracted["root_motion"], {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1]}
        )
        self.assertEqual(extracted["joints"], kept["joints"])

    def test_octets_are_frames_by_joints_by_16_floats_column_major(self):
        pose = {"clip": "bend", "time": 0.5}
        reply = self.assertStatus(self.client.pose("column", pose, accept=OCTETS), 200)
        self.assertEqual(reply.kind, OCTETS)
        self.assertEqual(len(reply.body), 3 * 16 * 4)
        as_json = self.client.pose("column", pose).json()["joints"]
        self.assertNumbers(reply.floats(), [j["world"] for j in as_json], 1e-6)
        self.assertNumbers(reply.floats()[16:32], matrix((0, 1, 0), turn((0, 0, 1), 45)), 1e-6)

    def test_poses_give_frames_in_the_order_asked(self):
        poses = [{"clip": "bend", "time": t} for t in (1, 0, 0.25)] + ["rest"]
        request = {"rig": "column", "poses": poses}
        frames = self.assertStatus(self.client.post("pose", request, accept=JSON), 200).json()[
            "frames"
        ]
        self.assertEqual(len(frames), 4)
        for pose, frame in zip(poses, frames):
            self.assertEqual(frame["joints"], self.client.pose("column", pose).json()["joints"])
        octets = self.assertStatus(self.client.post("pose", request, accept=OCTETS), 200)
        self.assertEqual(len(octets.body), 4 * 3 * 16 * 4)
        self.assertNumbers(
            octets.floats(), [[j["world"] for j in f["joints"]] for f in frames], 1e-6
        )

    def test_one_pose_in_a_list_is_still_a_frame(self):
        reply = self.client.post("pose", {"rig": "column", "poses": ["rest"]}, accept=JSON)
        self.assertEqual(len(self.assertStatus(reply, 200).json()["frames"]), 1)

    def test_4096_poses_are_taken(self):
        poses = [{"clip": "twist", "phase": i / 4095} for i in range(4096)]
        reply = self.client.post("pose", {"rig": "column", "poses": poses}, accept=OCTETS)
        self.assertStatus(reply, 200)
        self.assertEqual(len(reply.body), 4096 * 3 * 16 * 4)

    def test_numbers_read_back_to_the_same_float32(self):
        # The JSON has the shortest form that reads back to the same float: no digit is lost.
        pose = {"clip": "twist", "time": 0.3}
        world = [j["world"] for j in self.client.pose("column", pose).json()["joints"]]
        floats = self.client.pose("column", pose, accept=OCTETS).floats()
        self.assertNumbers(floats, world, 6e-8)

    def test_skinning_is_accepted_and_changes_nothing(self):
        pose = {"clip": "twist", "time": 0.3}
        plain = self.client.pose("column", pose)
        for skinning in ("dqs", {"method": "lbs", "device": "gpu"}):
            reply = self.client.pose("column", pose, skinning=skinning)
            self.assertEqual(self.assertStatus(reply, 200).body, plain.body)

    def test_json_is_the_default(self):
        reply = self.client.request("POST", "/v1/pose", b'{"rig":"column","pose":"rest"}')
        self.assertEqual(self.assertStatus(reply, 200).kind, JSON)


class WorldMatrices(DaemonCase):
    def test_world_is_the_product_of_the_locals_with_shear_kept(self):
        # Non-uniform scale above a rotation gives shear: no translation, rotation and scale of
        # the child's world exists, so only a product of matrices is right (METHODS C.4).
        parts = [
            dict(translation=[1, 2, 3], rotation=turn((0, 0, 1), 90), scale=[2, 1, 1]),
            dict(translation=[0, 1, 0], rotation=turn((1, 2, 3), 50), scale=[1, 3, 0.5]),
            dict(translation=[0.5, 0, 0], rotation=turn((0, 1, 0), -30), scale=[-1, 1, 1]),
        ]
        tiny = Tiny()
        tiny.node(root=True, name="a", children=[1], **parts[0])
        tiny.node(name="b", children=[2], **parts[1])
        tiny.node(name="c", **parts[2])
        self.put_rig("chain", tiny.glb())
        joints = self.joints("chain")
        want = matrix(**parts[0])
        self.assertNumbers(joints["a"]["world"], want, 1e-6)
        # METHODS C.4's oracle: T(1,2,3) Rz(90) S(2,1,1) maps (1,0,0) to (1,4,3).
        world = joints["a"]["world"]
        self.assertNumbers([world[i] + world[12 + i] for i in range(3)], [1, 4, 3], 1e-6)
        for name, part in zip("bc", parts[1:]):
            want = multiply(want, matrix(**part))
            self.assertNumbers(joints[name]["world"], want, 1e-5, name)

    def test_matrix_nodes_keep_their_matrix(self):
        rows = [2, 0, 0, 0, 0, 0, 3, 0, 0, -4, 0, 0, 7, 8, 9, 1]
        tiny = Tiny()
        tiny.node(root=True, name="m", matrix=rows)
        self.put_rig("matrix", tiny.glb())
        self.assertNumbers(self.joints("matrix")["m"]["world"], rows, 1e-5)


if __name__ == "__main__":
    unittest.main()
