"""GET /v1/rigs/{rig}: counts, tree order, bounds, numbering of vertices, names."""
import math
import unittest

import rigs
from case import DEMO, DaemonCase
from test_materials import textured
from tiny import UBYTE, UINT, Tiny, float32


def two_roots():
    """A file whose node order is not the tree's: 4 -> (3 -> 1, 0), then root 2.

    Depth-first from the roots in file order that is 4, 3, 1, 0, 2. Mesh 1 stands on three nodes
    and has two primitives.
    """
    tiny = Tiny()
    small = tiny.mesh(tiny.primitive(rigs.TRIANGLE))
    quad = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    large = tiny.mesh(
        tiny.primitive(quad, [0, 1, 2, 0, 2, 3], UBYTE),
        tiny.primitive(rigs.TRIANGLE + rigs.TRIANGLE, list(range(6)), UINT),
    )
    tiny.json["nodes"] = [
        {"name": "zero", "mesh": large, "translation": [0, 0, 0]},
        {"name": "one", "mesh": small, "translation": [10, 0, 0]},
        {"name": "two", "mesh": large, "translation": [20, 0, 0]},
        {"name": "three", "children": [1], "translation": [0, 100, 0]},
        {"name": "four", "mesh": large, "children": [3, 0], "translation": [0, 0, 1000]},
    ]
    tiny.json["scenes"][0]["nodes"] = [4, 2]
    return tiny


class DescriptionIsTrue(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("order", two_roots().glb())
        cls.put_demo("cyl2")

    def test_joints_are_all_nodes_with_parents_before_children(self):
        joints = self.description("order")["joints"]
        self.assertEqual(sorted(joint["index"] for joint in joints), [0, 1, 2, 3, 4])
        seen = {-1}
        for joint in joints:
            self.assertIn(joint["parent"], seen)
            seen.add(joint["index"])
        self.assertEqual(
            {joint["name"]: joint["parent"] for joint in joints},
            {"zero": 4, "one": 3, "two": -1, "three": 4, "four": -1},
        )

    def test_joints_have_the_transforms_of_the_file(self):
        tiny = Tiny()
        rotation, scale = [0, 0.6, 0, 0.8], [1, 2, 0.5]
        tiny.node(root=True, name="all", translation=[1, 2, 3], rotation=rotation, scale=scale)
        tiny.node(root=True, name="none")
        # 0.8 -0.6 / 0.6 0.8 about z, scaled 2, moved: a matrix that decomposes without shear
        tiny.node(
            root=True,
            name="matrix",
            matrix=[1.6, 1.2, 0, 0, -1.2, 1.6, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1],
        )
        self.put_rig("transforms", tiny.glb())
        joints = {joint["name"]: joint for joint in self.description("transforms")["joints"]}
        whole = joints["all"]
        self.assertNumbers(
            whole["translation"] + whole["rotation"] + whole["scale"],
            [1, 2, 3] + rotation + scale,
            1e-6,
        )
        self.assertEqual(joints["none"]["translation"], [0, 0, 0])
        self.assertEqual(joints["none"]["rotation"], [0, 0, 0, 1])
        self.assertEqual(joints["none"]["scale"], [1, 1, 1])
        parts = joints["matrix"]
        self.assertNumbers(parts["translation"], [5, 6, 7], 1e-6)
        self.assertNumbers(parts["scale"], [2, 2, 2], 1e-6)
        # cos a = 0.8: sin a/2 = sqrt(0.1), cos a/2 = sqrt(0.9)
        self.assertNumbers(parts["rotation"], [0, 0, 0.1**0.5, 0.9**0.5], 1e-6)

    def test_joints_have_their_morph_weights_at_rest(self):
        """Those of the node, or else of its mesh, or else 0; as many as the mesh has targets."""
        tiny = Tiny()
        plain = tiny.mesh(tiny.primitive(rigs.TRIANGLE))
        meshes = [tiny.mesh(tiny.primitive(rigs.TRIANGLE)) for _ in range(2)]
        offsets = tiny.accessor([(0, 0, 1)] * 3, "VEC3", bounds=True)
        for mesh in meshes:
            targets = [{"POSITION": offsets}] * 2
            tiny.json["meshes"][mesh]["primitives"][0]["targets"] = targets
        tiny.json["meshes"][meshes[1]]["weights"] = [0.25, 1]
        tiny.node(root=True, name="plain", mesh=plain)
        tiny.node(root=True, name="zero", mesh=meshes[0])
        tiny.node(root=True, name="mesh", mesh=meshes[1])
        tiny.node(root=True, name="node", mesh=meshes[1], weights=[0.5, -0.1])
        self.put_rig("morphs", tiny.glb())
        weights = {joint["name"]: joint.get("weights") for joint in self.description("morphs")["joints"]}
        self.assertEqual(
            weights, {"plain": None, "zero": [0, 0], "mesh": [0.25, 1], "node": [0.5, -0.1]})

    def test_vertices_are_numbered_depth_first_then_by_primitive(self):
        description = self.description("order")
        got = [
            (
                p["node"],
                p["mesh"],
                p["primitive"],
                p["first_vertex"],
                p["vertex_count"],
                p["index_count"],
            )
            for p in description["primitives"]
        ]
        self.assertEqual(
            got,
            [
                (4, 1, 0, 0, 4, 6),
                (4, 1, 1, 4, 6, 6),
                (1, 0, 0, 10, 3, got[2][5]),  # no indices: what is counted there is not promised
                (0, 1, 0, 13, 4, 6),
                (0, 1, 1, 17, 6, 6),
                (2, 1, 0, 23, 4, 6),
                (2, 1, 1, 27, 6, 6),
            ],
        )
        self.assertEqual(description["vertices"], 33)
        self.assertEqual(description["triangles"], 3 * (2 + 2) + 1)
        self.assertFalse(any(p["skinned"] for p in description["primitives"]))

    def test_vertices_come_in_that_numbering(self):
        # The first vertex of each primitive is its node's origin, which the translations tell.
        positions = self.positions("order")
        self.assertEqual(len(positions), 33)
        for first, want in (
            (0, (0, 0, 1000)),
            (10, (10, 100, 1000)),
            (13, (0, 0, 1000)),
            (23, (20, 0, 0)),
        ):
            self.assertEqual(positions[first], want)
        self.assertEqual(positions[11], (11, 100, 1000))

    def test_bounds_are_those_of_the_rest_pose(self):
        bounds = self.description("order")["bounds"]
        self.assertEqual(bounds["min"], [0, 0, 0])
        self.assertEqual(bounds["max"], [21, 101, 1000])

    def test_bounds_follow_the_skin_and_not_the_accessor(self):
        # The rest pose of the nodes is not the bind pose: the joint is 5 higher than its bind.
        tiny = rigs.column([(0.1, 2, 0), (0, 2, 0.1), (0, 2, 0)])
        tiny.json["nodes"][1]["translation"] = [0, 6, 0]
        self.put_rig("unbound", tiny.glb())
        bounds = self.description("unbound")["bounds"]
        self.assertNumbers(bounds["min"] + bounds["max"], [0, 7, 0, 0.1, 7, 0.1], 1e-6)

    def test_demo_column_is_described(self):
        # METHODS 0.8: 41 rings of 16 and two cap centres; one joint animated in each clip.
        body = (DEMO / "cyl2.glb").read_bytes()
        description = self.description("cyl2")
        self.assertEqual(description["name"], "cyl2")
        self.assertEqual(description["bytes"], len(body))
        self.assertEqual(description["vertices"], 41 * 16 + 2)
        self.assertEqual(description["triangles"], 40 * 16 * 2 + 2 * 16)
        self.assertTrue(all(p["skinned"] for p in description["primitives"]))
        clips = description["clips"]
        self.assertEqual([(c["name"], c["index"]) for c in clips], [("twist", 0), ("bend", 1)])
        for clip in clips:
            self.assertEqual(clip["duration"], 4)
            self.assertEqual(clip["channels"], 1)
            self.assertGreater(clip["bytes"], 0)
        self.assertEqual(len(description["materials"]), 1)
        self.assertEqual(description["warnings"], [])
        self.assertEqual(description["skinning"]["default"], "lbs")
        self.assertLessEqual({"lbs", "dqs"}, set(description["skinning"]["methods"]))

    def test_duration_is_the_greatest_key_time_of_all_channels(self):
        tiny = rigs.triangle()
        steps = [(0, 0, 0), (1, 0, 0)]
        tiny.clip(
            [(0, "translation", [0, 0.7], steps, "LINEAR"), (0, "scale", [1, 2.3], steps, "STEP")]
        )
        self.put_rig("lengths", tiny.glb())
        clip = self.description("lengths")["clips"][0]
        self.assertEqual(float32(clip["duration"]), float32(2.3))
        self.assertEqual(clip["channels"], 2)


class Looks(DaemonCase):
    def test_a_plain_material_has_the_numbers_of_core_gltf(self):
        self.put_rig("plain", rigs.square(material={"name": "Clay"}).glb())
        description = self.description("plain")
        self.assertEqual(
            description["materials"],
            [
                {
                    "name": "Clay",
                    "base_color": [1, 1, 1, 1],
                    "alpha_mode": "opaque",
                    "double_sided": False,
                    "unlit": False,
                    "texture": False,
                    "metallic": 1,
                    "roughness": 1,
                    "emissive": [0, 0, 0],
                    "textures": {},
                }
            ],
        )
        self.assertEqual((description["lights"], description["cameras"]), ([], []))

    def test_extensions_and_textures_are_told(self):
        tiny = textured([[(1, 2, 3)] * 3] * 2)
        tiny.json["materials"][0].update(
            alphaMode="MASK",
            alphaCutoff=0.25,
            normalTexture={
                "index": 0,
                "scale": 0.5,
                "extensions": {"KHR_texture_transform": {"offset": [1, 2], "scale": [3, 4]}},
            },
            extensions={
                "KHR_materials_ior": {"ior": 1.25},
                "KHR_materials_transmission": {"transmissionFactor": 0.5},
                "KHR_materials_clearcoat": {"clearcoatTexture": {"index": 0, "texCoord": 1}},
            },
        )
        self.put_rig("rich", tiny.glb())
        description = self.description("rich")
        material = description["materials"][0]
        for name, value in (
            ("alpha_mode", "mask"), ("alpha_cutoff", 0.25), ("texture", True), ("ior", 1.25),
            ("normal_scale", 0.5), ("transmission", 0.5),
        ):
            self.assertEqual(material[name], value, name)
        self.assertNotIn("clearcoat", material)
        size = {"width": 3, "height": 2}
        moved = {"offset": [1, 2], "rotation": 0, "scale": [3, 4]}
        self.assertEqual(
            material["textures"],
            {
                "base_color": {**size, "texcoords": 0},
                "normal": {**size, "texcoords": 0, **moved},
                "clearcoat": {**size, "texcoords": 1},
            },
        )

    def test_lights_and_cameras_are_told_with_their_nodes(self):
        tiny = rigs.square()
        lamp = {"type": "spot", "name": "Lamp", "intensity": 5, "range": 2,
                "spot": {"outerConeAngle": math.pi / 6}}
        tiny.json["extensionsUsed"] = ["KHR_lights_punctual"]
        tiny.json["extensions"] = {"KHR_lights_punctual": {"lights": [lamp]}}
        lens = {"yfov": math.pi / 4, "znear": 0.5}
        flat = {"xmag": 2, "ymag": 1.5, "znear": 0, "zfar": 10}
        tiny.json["cameras"] = [
            {"type": "perspective", "perspective": lens, "name": "Close"},
            {"type": "orthographic", "orthographic": flat},
        ]
        held = {"KHR_lights_punctual": {"light": 0}}
        tiny.node(root=True, name="stand", camera=1, extensions=held)
        tiny.node(root=True, name="tripod", camera=0)
        self.put_rig("scene", tiny.glb())
        description = self.description("scene")
        self.assertEqual(description["warnings"], [])
        (light,) = description["lights"]
        angle = light.pop("outer_angle")
        self.assertAlmostEqual(angle, 30, 4)
        place = {"index": 0, "node": 1, "joint": "stand"}
        self.assertEqual(light, {**place, "name": "Lamp", "type": "spot", "color": [1, 1, 1],
                                 "intensity": 5, "range": 2, "inner_angle": 0})
        first, second = description["cameras"]
        self.assertEqual(first, {**place, "index": 1, "name": "", "type": "orthographic",
                                 "width": 4, "height": 3, "near": 0, "far": 10})
        self.assertAlmostEqual(second.pop("fov"), 45, 4)
        self.assertEqual(second, {"name": "Close", "index": 0, "node": 2, "joint": "tripod",
                                  "type": "perspective", "near": 0.5})


class NamesAreGiven(DaemonCase):
    def clip_names(self, rig, names):
        tiny = rigs.triangle()
        for i, name in enumerate(names):
            more = {} if name is None else {"name": name}
            tiny.clip([(0, "translation", [0, 1], [(i, 0, 0), (i, 0, 0)], "LINEAR")], **more)
        self.put_rig(rig, tiny.glb())
        return [clip["name"] for clip in self.description(rig)["clips"]]

    def test_unnamed_clips_and_nodes_are_called_by_their_index(self):
        self.assertEqual(
            self.clip_names("unnamed", [None, "Walk", None]), ["clip0", "Walk", "clip2"]
        )
        tiny = Tiny()
        for name in ({}, {"name": "Hips"}, {}):
            tiny.node(root=True, **name)
        self.put_rig("unnamed-nodes", tiny.glb())
        joints = self.description("unnamed-nodes")["joints"]
        names = {joint["index"]: joint["name"] for joint in joints}
        self.assertEqual(names, {0: "node0", 1: "Hips", 2: "node2"})

    def test_second_of_a_name_gets_a_number(self):
        names = self.clip_names("same", ["Walk", "Walk", "Run", "Walk"])
        self.assertEqual(names, ["Walk", "Walk#2", "Run", "Walk#3"])
        for i, name in enumerate(names):
            self.assertEqual(self.positions("same", {"clip": name, "time": 0})[0], (i, 0, 0))
        tiny = Tiny()
        for _ in range(3):
            tiny.node(root=True, name="bone")
        self.put_rig("same-nodes", tiny.glb())
        names = [joint["name"] for joint in self.description("same-nodes")["joints"]]
        self.assertEqual(sorted(names), ["bone", "bone#2", "bone#3"])

    def test_given_names_never_collide(self):
        # A file may already use what we would give: every clip must still be reachable by name.
        for rig, given in (("hash", ["a", "a#2", "a"]), ("index", ["clip1", None])):
            names = self.clip_names(rig, given)
            self.assertEqual(len(set(names)), len(given), names)
            for i, name in enumerate(names):
                self.assertEqual(
                    self.positions(rig, {"clip": name, "time": 0})[0], (i, 0, 0), names
                )

    def test_index_is_taken_wherever_a_clip_name_is(self):
        self.clip_names("indexed", ["one", "two"])
        for clip in (1, "two"):
            self.assertEqual(self.positions("indexed", {"clip": clip, "time": 0})[0], (1, 0, 0))
        self.assertStatus(
            self.client.picture_link("indexed", clip=1, time=0, width=8, height=8), 200
        )


if __name__ == "__main__":
    unittest.main()
