"""The forms of meshes in glTF: morph targets, skins, influences and indices in all their types."""
import struct
import unittest

import rigs
from case import DaemonCase
from oracle import turn
from tiny import FLOAT, IDENTITY, SHORT, UBYTE, UINT, USHORT, Tiny, translation_matrix

QUARTER_TURN = [0, 0, 0.5**0.5, 0.5**0.5]  # 90 degrees about z: (x, y) -> (-y, x)


def both(device):
    return ({"method": method, "device": device} for method in ("lbs", "dqs"))


def skinned(points, joint_nodes, influences, inverse_bind=None, **mesh_node):
    """A skinned primitive over joints that are all children of one root.

    influences: per set (joint indices per vertex, weights per vertex, joint type, weight type)
    """
    tiny = Tiny()
    joints = [tiny.node(**joint) for joint in joint_nodes]
    tiny.node(root=True, name="root", children=joints)
    attributes = {}
    for i, rows in enumerate(influences):
        attributes[f"JOINTS_{i}"], attributes[f"WEIGHTS_{i}"] = tiny.influences(*rows)
    mesh = tiny.mesh(tiny.primitive(points, **attributes))
    tiny.node(root=True, mesh=mesh, skin=tiny.skin(joints, inverse_bind), **mesh_node)
    return tiny


class MorphTargets(DaemonCase):
    needs_driver = True

    def morphed(self, weights=None, node_weights=None):
        tiny = rigs.triangle()
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["targets"] = [
            {"POSITION": tiny.accessor([(1, 0, 0), (0, 0, 0), (0, 0, 2)], "VEC3", bounds=True)},
            {"POSITION": tiny.accessor([(0, 10, 0), (0, 0, 0), (0, 0, 0)], "VEC3", bounds=True)},
        ]
        if weights:
            tiny.json["meshes"][0]["weights"] = weights
        if node_weights:
            tiny.json["nodes"][0]["weights"] = node_weights
        return tiny

    def test_rest_has_the_weights_of_the_mesh_and_the_node_overrides_them(self):
        for rig, given, want in (
            ("none", {}, [(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
            ("mesh", {"weights": [0.5, 0.25]}, [(0.5, 2.5, 0), (1, 0, 0), (0, 1, 1)]),
            (
                "node",
                {"weights": [0.9, 0.9], "node_weights": [0.5, 0.25]},
                [(0.5, 2.5, 0), (1, 0, 0), (0, 1, 1)],
            ),
            ("beyond", {"weights": [-1, 2]}, [(-1, 20, 0), (1, 0, 0), (0, 1, -2)]),
        ):
            with self.subTest(rig):
                self.put_rig(rig, self.morphed(**given).glb())
                self.assertNumbers(self.positions(rig), want, 1e-6)

    def test_clips_drive_the_weights(self):
        tiny = self.morphed(weights=[1, 1])
        tiny.clip([(0, "weights", [0, 1, 2], [0, 0, 1, 0.5, 0, 1], "LINEAR")], name="linear")
        tiny.clip([(0, "weights", [0, 1], [0, 0, 1, 0.5], "STEP")], name="step")
        # cubic: per key all in-tangents, all values, all out-tangents
        tiny.clip(
            [(0, "weights", [0, 2], [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "CUBICSPLINE")],
            name="cubic",
        )
        self.put_rig("driven", tiny.glb())

        def run(device):
            for clip, time, (a, b) in (
                ("linear", 0.5, (0.5, 0.25)),
                ("linear", 1.5, (0.5, 0.75)),
                ("step", 0.9, (0, 0)),
                ("step", 1, (1, 0.5)),
                ("cubic", 0.5, (0.4375, 0)),  # C.1's oracle at u = 1/4
            ):
                got = self.positions(
                    "driven",
                    {"clip": clip, "time": time},
                    skinning={"method": "lbs", "device": device},
                )
                self.assertNumbers(
                    got, [(a, 10 * b, 0), (1, 0, 0), (0, 1, 2 * a)], 2e-6, f"{clip} {time}"
                )

        self.for_each_device(run)

    def test_morph_comes_before_skin(self):
        # The joint turns by 90 degrees: the morph's +x must come out as +y.
        rows = [(0, 0, 0, 0)] * 3, [(1, 0, 0, 0)] * 3
        tiny = skinned(rigs.TRIANGLE, [{"rotation": QUARTER_TURN}], [rows])
        target = tiny.accessor([(1, 0, 0)] * 3, "VEC3", bounds=True)
        tiny.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": target}]
        tiny.json["meshes"][0]["weights"] = [2]
        self.put_rig("order", tiny.glb())

        def run(device):
            for skinning in both(device):
                got = self.positions("order", skinning=skinning)
                self.assertNumbers(got, [(0, 2, 0), (0, 3, 0), (-1, 2, 0)], 1e-6)

        self.for_each_device(run)

    def test_normals_are_morphed_too(self):
        tiny = rigs.square()
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["targets"] = [{"NORMAL": tiny.accessor([(1, 0, 0)] * 4, "VEC3")}]
        tiny.json["meshes"][0]["weights"] = [1]
        self.put_rig("bent-normals", tiny.glb())
        reply = self.assertStatus(self.client.vertices("bent-normals", attributes=["normal"]), 200)
        for normal in reply.triples():
            self.assertNumbers(normal, (0.5**0.5, 0, 0.5**0.5), 1e-6)


class Skins(DaemonCase):
    needs_driver = True
    ONE = ([(0, 0, 0, 0)] * 3, [(1, 0, 0, 0)] * 3)

    def test_skin_without_inverse_bind_matrices_takes_the_identity(self):
        tiny = skinned(rigs.TRIANGLE, [{"translation": [5, 6, 7]}], [self.ONE])
        self.put_rig("no-ibm", tiny.glb())
        self.assertNumbers(self.positions("no-ibm"), [(5, 6, 7), (6, 6, 7), (5, 7, 7)], 1e-6)

    def test_node_of_a_skinned_mesh_moves_nothing(self):
        moved = dict(translation=[100, 0, 0], scale=[3, 3, 3], rotation=turn((0, 1, 0), 33))
        tiny = skinned(rigs.TRIANGLE, [{}], [self.ONE], **moved)
        root, mesh_node = 1, 2
        above = tiny.node(translation=[0, 50, 0], children=[mesh_node])
        tiny.json["scenes"][0]["nodes"] = [root, above]
        self.put_rig("ignored", tiny.glb())

        def run(device):
            for skinning in both(device):
                self.assertNumbers(
                    self.positions("ignored", skinning=skinning), rigs.TRIANGLE, 1e-6
                )

        self.for_each_device(run)

    def test_node_of_an_unskinned_mesh_moves_it(self):
        # T(1,2,3) Rz(90) S(2,1,1), below a node at (10,0,0)
        tiny = rigs.triangle(translation=[1, 2, 3], rotation=QUARTER_TURN, scale=[2, 1, 1])
        tiny.node(translation=[10, 0, 0], children=[0])
        tiny.json["scenes"][0]["nodes"] = [1]
        self.put_rig("rigid", tiny.glb())

        def run(device):
            for skinning in both(device):
                got = self.positions("rigid", skinning=skinning)
                self.assertNumbers(got, [(11, 2, 3), (11, 4, 3), (10, 2, 3)], 2e-6)

        self.for_each_device(run)

    def test_one_mesh_with_two_skins_is_posed_by_each(self):
        tiny = skinned(rigs.TRIANGLE, [{"translation": [1, 0, 0]}], [self.ONE])
        other = tiny.node(root=True, translation=[0, 0, 8])
        tiny.node(root=True, mesh=0, skin=tiny.skin([other]))
        self.put_rig("two-skins", tiny.glb())
        got = self.positions("two-skins")
        self.assertNumbers(got[0] + got[3], (1, 0, 0, 0, 0, 8), 1e-6)

    def test_second_influence_set_counts(self):
        # Five joints with a fifth each: dropping one of them would be seen at once.
        nodes = [{"translation": [5.0 * k, 0, 0]} for k in range(5)]
        first = ([(0, 1, 2, 3)] * 3, [(0.2, 0.2, 0.2, 0.2)] * 3)
        second = ([(4, 0, 0, 0)] * 3, [(0.2, 0, 0, 0)] * 3)
        tiny = skinned(rigs.TRIANGLE, nodes, [first, second])
        self.put_rig("five", tiny.glb())

        def run(device):
            for skinning in both(device):
                got = self.positions("five", skinning=skinning)
                self.assertNumbers(got, [(10, 0, 0), (11, 0, 0), (10, 1, 0)], 1e-5)

        self.for_each_device(run)

    def test_types_of_influences(self):
        # 3/4 on the joint at x = 4; integers as close to it as they get, and exactly normalised.
        nodes = [{}, {"translation": [4, 0, 0]}]
        for weight_type, row in (
            (FLOAT, (0.25, 0.75, 0, 0)),
            (UBYTE, (64, 191, 0, 0)),
            (USHORT, (16384, 49151, 0, 0)),
        ):
            for joint_type in (UBYTE, USHORT):
                with self.subTest(weights=weight_type, joints=joint_type):
                    rows = ([(0, 1, 0, 0)] * 3, [row] * 3, joint_type, weight_type)
                    rig = self.put_rig("types", skinned(rigs.TRIANGLE, nodes, [rows]).glb())
                    x = 4 * row[1] / sum(row)
                    for device in self.devices():
                        got = self.positions(rig, skinning={"method": "lbs", "device": device})
                        self.assertNumbers(got, [(x, 0, 0), (x + 1, 0, 0), (x, 1, 0)], 1e-6)

    def test_more_than_256_joints(self):
        # One joint per metre; the vertices hang on the last ones. Byte indices would wrap.
        nodes = [{"translation": [k, 0, 0]} for k in range(600)]
        rows = ([(597, 0, 0, 0), (598, 0, 0, 0), (599, 0, 0, 0)], [(1, 0, 0, 0)] * 3, USHORT)
        self.put_rig("many", skinned([(0, 0, 0), (0, 1, 0), (0, 0, 1)], nodes, [rows]).glb())

        def run(device):
            for skinning in both(device):
                got = self.positions("many", skinning=skinning)
                self.assertNumbers(got, [(597, 0, 0), (598, 1, 0), (599, 0, 1)], 1e-4)

        self.for_each_device(run)

    def test_nodes_between_joints_count(self):
        # joint -> plain node -> joint: the plain node's transform is part of the chain.
        tiny = Tiny()
        tiny.node(root=True, children=[1], translation=[1, 0, 0])
        tiny.node(children=[2], translation=[0, 2, 0])
        tiny.node(translation=[0, 0, 3])
        joints, weights = tiny.influences([(1, 0, 0, 0)] * 3, [(1, 0, 0, 0)] * 3)
        mesh = tiny.mesh(tiny.primitive(rigs.TRIANGLE, JOINTS_0=joints, WEIGHTS_0=weights))
        skin = tiny.skin([0, 2], [IDENTITY, translation_matrix(0, 0, -1)])
        tiny.node(root=True, mesh=mesh, skin=skin)
        self.put_rig("between", tiny.glb())
        self.assertNumbers(self.positions("between")[0], (1, 2, 2), 1e-6)


class Accessors(DaemonCase):
    QUAD = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]

    def test_types_of_indices(self):
        for index_type in (UBYTE, USHORT, UINT, None):
            with self.subTest(indices=index_type):
                tiny = Tiny()
                points = self.QUAD if index_type else [self.QUAD[i] for i in (0, 1, 2, 0, 2, 3)]
                indices = [0, 1, 2, 0, 2, 3] if index_type else None
                mesh = tiny.mesh(tiny.primitive(points, indices, index_type))
                tiny.node(root=True, mesh=mesh)
                self.put_rig("indices", tiny.glb())
                self.assertEqual(self.description("indices")["triangles"], 2)
                self.assertEqual(self.positions("indices"), points)

    def test_modes_of_primitives(self):
        # Lists, strips and fans of 4 vertices; points and lines have vertices and no triangle.
        strip = [self.QUAD[i] for i in (0, 1, 3, 2)]
        for mode, points, triangles in (
            (0, strip, 0),
            (1, strip, 0),
            (2, strip, 0),
            (3, strip, 0),
            (4, rigs.TRIANGLE, 1),
            (5, strip, 2),
            (6, self.QUAD, 2),
        ):
            with self.subTest(mode=mode):
                tiny = rigs.triangle(points)
                tiny.json["meshes"][0]["primitives"][0]["mode"] = mode
                self.put_rig("mode", tiny.glb())
                self.assertEqual(self.description("mode")["triangles"], triangles)
                self.assertEqual(self.positions("mode"), points)
                self.assertStatus(self.client.frame("mode", width=8, height=8), 200)

    def test_quantised_positions(self):
        # KHR_mesh_quantization: shorts as they are, or normalised by 32767.
        for normalized, factor in ((False, 1), (True, 1 / 32767)):
            tiny = Tiny()
            rows = [(0, 0, 0), (32767, 0, 0), (0, -16384, 5)]
            position = tiny.accessor(rows, "VEC3", SHORT, normalized, bounds=True, padded=True)
            tiny.node(
                root=True, mesh=tiny.mesh({"attributes": {"POSITION": position}}), scale=[2, 2, 2]
            )
            tiny.json.update(
                extensionsUsed=["KHR_mesh_quantization"],
                extensionsRequired=["KHR_mesh_quantization"],
            )
            self.put_rig("quantised", tiny.glb())
            want = [[2 * factor * x for x in row] for row in rows]
            self.assertNumbers(self.positions("quantised"), want, 1e-6 * 65534 * factor)

    def test_vertices_of_an_interleaved_view(self):
        # position, four foreign bytes, then the next vertex: byteStride 16
        tiny = rigs.triangle()
        rows = b"".join(packed(p) + b"\xff\xff\xff\xff" for p in rigs.TRIANGLE)
        tiny.json["accessors"][0]["bufferView"] = tiny.view(rows, stride=16)
        self.put_rig("interleaved", tiny.glb())
        self.assertEqual(self.positions("interleaved"), rigs.TRIANGLE)

    def test_sparse_rows_replace_those_of_the_view(self):
        tiny = rigs.triangle()
        indices = tiny.view(b"\x01\x00")
        values = tiny.view(packed((7, 8, 9)))
        tiny.json["accessors"][0]["sparse"] = {
            "count": 1,
            "indices": {"bufferView": indices, "componentType": USHORT},
            "values": {"bufferView": values},
        }
        tiny.json["accessors"][0]["max"] = [7, 8, 9]
        self.put_rig("sparse", tiny.glb())
        self.assertEqual(self.positions("sparse"), [(0, 0, 0), (7, 8, 9), (0, 1, 0)])

    def test_sparse_without_a_view_starts_from_zeros(self):
        tiny = rigs.triangle()
        indices = tiny.view(b"\x02\x00")
        values = tiny.view(packed((0, 5, 0)))
        del tiny.json["accessors"][0]["bufferView"]
        tiny.json["accessors"][0].update(
            sparse={
                "count": 1,
                "indices": {"bufferView": indices, "componentType": USHORT},
                "values": {"bufferView": values},
            },
            max=[0, 5, 0],
        )
        self.put_rig("zeros", tiny.glb())
        self.assertEqual(self.positions("zeros"), [(0, 0, 0), (0, 0, 0), (0, 5, 0)])

    def test_same_file_as_glb_and_as_gltf(self):
        tiny = rigs.column([(0.1, 1, 0), (0, 1.1, 0.1), (-0.1, 0.9, 0)])
        self.put_rig("as-glb", tiny.glb())
        self.put_rig("as-gltf", tiny.gltf())
        pose = {"clip": "bend", "time": 0.3}
        self.assertEqual(self.positions("as-glb", pose), self.positions("as-gltf", pose))

    def test_only_the_default_scene_is_there(self):
        tiny = rigs.triangle()
        hidden = tiny.node(mesh=0, translation=[99, 0, 0])
        shown = tiny.node(mesh=0, translation=[5, 0, 0])
        tiny.json["scenes"] = [{"nodes": [hidden]}, {"nodes": [shown]}]
        tiny.json["scene"] = 1
        self.put_rig("scenes", tiny.glb())
        self.assertEqual(self.positions("scenes"), [(5, 0, 0), (6, 0, 0), (5, 1, 0)])


def packed(row):
    return struct.pack("<3f", *row)


if __name__ == "__main__":
    unittest.main()
