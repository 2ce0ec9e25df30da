"""EXT_mesh_gpu_instancing, held against the same file with a node for each instance."""
import math
import pathlib
import tempfile
import unittest

import rigs
from case import DaemonCase
from oracle import turn
from test_pose_program import run
from tiny import BYTE, SHORT, Tiny

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
# Of each instance; the last one is mirrored.
TRANSLATIONS = [(0, 0, 0), (2, 0, 0), (0, 3, -1), (-2, 1, 1)]
ROTATIONS = [turn((0, 1, 0), 0), turn((0, 0, 1), 90), turn((1, 1, 0), 40), turn((1, 0, 0), 120)]
SCALES = [(1, 1, 1), (0.5, 2, 1), (1.5, 1.5, 1.5), (-1, 1, 1)]
SMALL = {"width": 96, "height": 96}
METHODS = ("lbs", "dqs", "swing_twist", "log_blend", "delta_mush", "bones_blend")


def mesh(tiny):
    normals = tiny.normals([(-0.6, -0.6, -0.53), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    primitive = {**tiny.primitive(CORNERS, FACES, NORMAL=normals),
                 "targets": [{"POSITION": tiny.accessor([(0, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0)], "VEC3", bounds=True)}],
                 "material": tiny.material(pbrMetallicRoughness={"baseColorFactor": [0.9, 0.5, 0.1, 1]})}
    second = tiny.primitive([(x + 0.2, y - 1, z) for x, y, z in CORNERS], FACES)
    second["targets"] = [{"POSITION": tiny.accessor([(0, 0, 0)] * 4, "VEC3", bounds=True)}]
    return tiny.mesh(primitive, second, weights=[0.25])


def begin():
    """A node that holds the mesh, or stands above those that do, below one that a clip turns."""
    tiny = Tiny()
    tiny.node(root=True, name="turned", children=[1], translation=[0.5, 0, 0])
    holder = tiny.node(name="holder", scale=[1, 2, 1], rotation=list(turn((0, 0, 1), 20)))
    return tiny, holder


def end(tiny, *weighted):
    turns = [turn((0, 1, 0), degrees) for degrees in (0, 90)]
    tiny.clip([(0, "rotation", [0, 1], turns, "LINEAR"),
               *((node, "weights", [0, 1], [0.0, 1.0], "LINEAR") for node in weighted)], name="turn")
    return tiny


def instanced(translations=TRANSLATIONS, rotations=ROTATIONS, scales=SCALES, **rotation_type):
    tiny, holder = begin()
    attributes = {}
    if translations:
        attributes["TRANSLATION"] = tiny.accessor(translations, "VEC3")
    if rotations:
        attributes["ROTATION"] = tiny.accessor(rotations, "VEC4", **rotation_type)
    if scales:
        attributes["SCALE"] = tiny.accessor(scales, "VEC3")
    tiny.json["nodes"][holder].update(
        mesh=mesh(tiny), extensions={"EXT_mesh_gpu_instancing": {"attributes": attributes}})
    tiny.json["extensionsUsed"] = tiny.json["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    return end(tiny, holder)


def expanded():
    tiny, holder = begin()
    shape = mesh(tiny)
    nodes = [tiny.node(mesh=shape, name=f"copy {i}", translation=list(t), rotation=list(r), scale=list(s))
             for i, (t, r, s) in enumerate(zip(TRANSLATIONS, ROTATIONS, SCALES))]
    tiny.json["nodes"][holder]["children"] = nodes
    return end(tiny, *nodes)


class Both(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("instanced", instanced().glb())
        cls.put_rig("expanded", expanded().glb())


class Instances(Both):
    def vertices(self, rig, **more):
        reply = self.client.vertices(rig, attributes=["position", "normal"], **more)
        return self.assertStatus(reply, 200).floats()

    def test_each_has_its_vertices(self):
        for pose in ("rest", {"clip": "turn", "time": 0.6}):
            for method in METHODS:
                with self.subTest(pose=pose, method=method):
                    more = {"pose": pose, "skinning": {"method": method}}
                    # The same matrix, which methods of rigid motions take apart at another place.
                    self.assertNumbers(*(self.vertices(rig, **more) for rig in ("instanced", "expanded")),
                                       0 if method == "lbs" else 2e-6)

    def test_the_description_has_a_primitive_for_each(self):
        got, want = (self.description(rig) for rig in ("instanced", "expanded"))
        self.assertEqual(got["warnings"], [])
        self.assertEqual(got["bounds"], want["bounds"])
        self.assertEqual(len(got["joints"]), 2)
        keys = ("mesh", "primitive", "first_vertex", "vertex_count", "index_count")
        self.assertEqual(*([[p[key] for key in keys] for p in rig["primitives"]] for rig in (got, want)))
        self.assertEqual({p["node"] for p in got["primitives"]}, {1})

    def test_a_baked_file_has_a_node_for_each(self):
        for form in ("joints", "morph"):
            with self.subTest(form):
                bodies = []
                for rig in ("instanced", "expanded"):
                    reply = self.client.post("bake", {"rig": rig, "as": form, "rate": 10, "pose": {"clip": "turn"}},
                                             accept="model/gltf-binary")
                    self.put_rig("baked", self.assertStatus(reply, 200).body)
                    clip = self.description("baked")["clips"][0]["name"]
                    bodies.append(self.positions("baked", {"clip": clip, "time": 0.6}))
                self.assertNumbers(*bodies, 1e-5)

    def test_rotations_may_be_integers(self):
        for component, greatest in ((BYTE, 127), (SHORT, 32767)):
            with self.subTest(component):
                whole = [tuple(round(x * greatest) for x in r) for r in ROTATIONS]
                self.put_rig("whole", instanced(
                    rotations=whole, component=component, normalized=True).glb())
                self.assertNumbers(self.positions("whole"), self.positions("expanded"), 20 / greatest)

    def test_each_attribute_may_be_missing(self):
        for gone in ("translations", "rotations", "scales"):
            with self.subTest(gone):
                self.put_rig("part", instanced(**{gone: None}).glb())
                self.assertEqual(len(self.description("part")["primitives"]), 2 * len(TRANSLATIONS))
        self.put_rig("none", instanced(None, None, None).glb())
        self.assertEqual(len(self.description("none")["primitives"]), 2)

    def test_refusals(self):
        place = "nodes[1].extensions.EXT_mesh_gpu_instancing.attributes"
        for tiny, code, says in (
                (instanced(scales=SCALES[:3]), "broken-asset", (place + ".SCALE", "3", "4")),
                (instanced(rotations=[(0, 0, 0, 127)] * 4, component=BYTE), "broken-asset",
                 (place + ".ROTATION", "normalized")),
                (instanced(translations=[(math.inf, 0, 0)] * 4), "broken-asset", ("finite",)),
                (instanced(rotations=None, scales=None, translations=[(0, 0, 0)] * 65537), "too-large",
                 ("65536 instances",))):
            with self.subTest(says):
                self.assertProblem(self.client.put("bad", tiny.glb()), 413 if code == "too-large" else 422,
                                   code, says=says)

    def test_a_skinned_mesh_is_drawn_once_with_a_warning(self):
        tiny = rigs.column([(0, 0, 0), (1, 0, 0), (0, 2, 0)])
        node = next(node for node in tiny.json["nodes"] if "skin" in node)
        attributes = {"TRANSLATION": tiny.accessor(TRANSLATIONS, "VEC3")}
        node["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
        tiny.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
        self.put_rig("skinned", tiny.glb())
        described = self.description("skinned")
        self.assertEqual(len(described["primitives"]), 1)
        self.assertIn("EXT_mesh_gpu_instancing: is for meshes without a skin", described["warnings"][0])

    def test_optimising_keeps_them(self):
        with tempfile.TemporaryDirectory(prefix="posed-instances-") as folder:
            source, out = (pathlib.Path(folder) / name for name in ("in.glb", "out.glb"))
            source.write_bytes(instanced().glb())
            done = run("optimise", source, "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.put_rig("optimised", out.read_bytes())
        self.assertNumbers(self.positions("optimised"), self.positions("expanded"), 1e-6)


class Pictures(Both):
    renderer = "cpu"

    @classmethod
    def renderer_args(cls):
        return ("--renderer", cls.renderer)

    def test_pictures_show_all(self):
        for more in ({}, {"pose": {"clip": "turn", "time": 0.6}}, {"shading": "normals"},
                     {"shading": "primitive_id"}):
            with self.subTest(more):
                self.assertEqual(*(self.assertStatus(self.client.frame(rig, **SMALL, **more), 200).body
                                   for rig in ("instanced", "expanded")))


class PicturesByDriver(Pictures):
    renderer = "software"


if __name__ == "__main__":
    unittest.main()
