"""Meshes as GLB: GET mesh.glb and POST /v1/vertices with Accept: model/gltf-binary."""
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

import rigs
from case import DaemonCase, shared_file
from client import JSON, OCTETS, rig_path
from daemon import ROOT
from oracle import signed_volume, turn
from picture import Picture
from test_frame import FRONT, coloured
from test_materials import BLUE, GREEN, HALF_TURN, RED, WHITE, faded, textured
from tiny import FLOAT, UINT, USHORT, Tiny, read_accessor, split_glb

GLB = "model/gltf-binary"
DEMO_RIGS = ("cyl2", "head", "humanoid", "tube23")
POINTS = [(0.1, 1, 0), (0, 1.1, 0.1), (-0.1, 0.9, 0)]
BOX = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
BOX_SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


class Mesh:
    """An exported file, read without the daemon's own importer."""

    def __init__(self, data):
        self.data = data
        self.json, self.bin = split_glb(data)
        nodes = [self.json["nodes"][i] for i in self.json["scenes"][0].get("nodes", [])]
        self.nodes = nodes
        meshes = [self.json["meshes"][node["mesh"]] for node in nodes]
        self.primitives = [primitive for mesh in meshes for primitive in mesh["primitives"]]

    def rows(self, primitive, attribute):
        return read_accessor(self.data, primitive["attributes"][attribute])

    def indices(self, primitive):
        return [row[0] for row in read_accessor(self.data, primitive["indices"])]

    def index_type(self, primitive):
        return self.json["accessors"][primitive["indices"]]["componentType"]

    def triangles(self, primitive):
        corners = self.indices(primitive)
        return list(zip(corners[::3], corners[1::3], corners[2::3]))

    def octets(self, attribute="POSITION"):
        """One attribute of all vertices, node by node, primitive by primitive."""
        rows = [row for primitive in self.primitives for row in self.rows(primitive, attribute)]
        return b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)

    def image(self, index):
        view = self.json["bufferViews"][self.json["images"][index]["bufferView"]]
        return self.bin[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]


class ExportCase(DaemonCase):
    def mesh(self, rig):
        reply = self.assertStatus(self.client.get(rig_path(rig, "/mesh.glb")), 200)
        self.assertEqual(reply.kind, GLB)
        return Mesh(reply.body)

    def posed(self, rig, pose="rest", **members):
        reply = self.assertStatus(self.client.vertices(rig, pose, GLB, **members), 200)
        self.assertEqual(reply.kind, GLB)
        return Mesh(reply.body)

    def octets(self, rig, pose="rest", **members):
        return self.assertStatus(self.client.vertices(rig, pose, **members), 200).body


class Vertices(ExportCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        for name in DEMO_RIGS:
            cls.put_demo(name)
        cls.put_rig("column", rigs.column(POINTS, [(1, 0, 0), (0, 0, 1), (-1, 0, 0)]).glb())

    def test_rest_pose_has_the_vertices_of_the_octets(self):
        for rig in DEMO_RIGS:
            with self.subTest(rig):
                mesh = self.mesh(rig)
                self.assertEqual(mesh.octets(), self.octets(rig))
                self.assertEqual(mesh.octets("NORMAL"), self.octets(rig, attributes=["normal"]))
                description = self.description(rig)["primitives"]
                self.assertEqual(len(mesh.primitives), len(description))
                for primitive, want in zip(mesh.primitives, description):
                    self.assertEqual(len(mesh.rows(primitive, "POSITION")), want["vertex_count"])
                    self.assertEqual(len(mesh.indices(primitive)), want["index_count"])
                    self.assertEqual(primitive.get("material", -1), want["material"])

    def test_poses_have_the_vertices_of_the_octets_on_every_device(self):
        def run(device):
            for method in ("lbs", "dqs"):
                members = {"skinning": {"method": method, "device": device}}
                for rig in DEMO_RIGS:
                    pose = {"clip": 0, "phase": 0.4}
                    mesh = self.posed(rig, pose, attributes=["normal", "position"], **members)
                    self.assertEqual(mesh.octets(), self.octets(rig, pose, **members))
                    want = self.octets(rig, pose, attributes=["normal"], **members)
                    self.assertEqual(mesh.octets("NORMAL"), want)

        self.for_each_device(run)

    def test_only_what_is_asked_for_is_there_besides_positions(self):
        for asked, want in (
            (["position"], {"POSITION"}),
            (["normal"], {"POSITION", "NORMAL"}),
            (["position", "normal"], {"POSITION", "NORMAL"}),
        ):
            attributes = self.posed("column", attributes=asked).primitives[0]["attributes"]
            self.assertEqual(set(attributes), want)
        self.assertEqual(set(self.posed("column").primitives[0]["attributes"]), {"POSITION"})

    def test_headers_tell_what_was_used(self):
        reply = self.client.vertices("column", accept=GLB, skinning="dqs")
        self.assertEqual(reply.headers["Posed-Vertices"], "3")
        self.assertEqual(reply.headers["Posed-Frames"], "1")
        self.assertRegex(reply.headers["Posed-Skinning"], r"^dqs; device=(cpu|gpu)$")
        self.assertIn("encode", reply.headers["Server-Timing"])

    def test_extents_are_exact_and_parts_are_aligned(self):
        for mesh in (self.mesh("head"), self.posed("humanoid", {"clip": "Run", "phase": 0.3})):
            for primitive in mesh.primitives:
                accessor = mesh.json["accessors"][primitive["attributes"]["POSITION"]]
                columns = list(zip(*mesh.rows(primitive, "POSITION")))
                for name, choose in (("min", min), ("max", max)):
                    # Read as doubles, as most readers do, they are the float32 themselves.
                    self.assertEqual(accessor[name], [choose(column) for column in columns])
                self.assertEqual(mesh.index_type(primitive), USHORT)
            views = mesh.json["bufferViews"]
            self.assertEqual({view["byteOffset"] % 4 for view in views}, {0})
            self.assertEqual(len(mesh.bin), mesh.json["buffers"][0]["byteLength"])

    def test_program_is_named(self):
        version = self.client.get("/v1").json()["version"]
        self.assertEqual(self.mesh("cyl2").json["asset"]["generator"], f"posed {version}")

    def test_many_vertices_take_wide_indices(self):
        count = 65538
        points = [(i % 256, i // 256, 0) for i in range(count)]
        tiny = Tiny()
        tiny.node(root=True, name="many", mesh=tiny.mesh(tiny.primitive(points)))
        self.put_rig("many", tiny.glb())
        mesh = self.mesh("many")
        self.assertEqual(mesh.index_type(mesh.primitives[0]), UINT)
        self.assertEqual(mesh.indices(mesh.primitives[0]), list(range(count)))

    def test_tangents_bring_normals_along(self):
        tiny = rigs.square(material=coloured(1, 1, 1))
        attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["TANGENT"] = tiny.accessor([(1, 0, 0, 1)] * 4, "VEC4")
        self.put_rig("tangents", tiny.glb())
        for mesh in (self.mesh("tangents"), self.posed("tangents", attributes=["tangent"])):
            got = set(mesh.primitives[0]["attributes"])
            self.assertEqual(got, {"POSITION", "NORMAL", "TANGENT"})
            want = self.octets("tangents", attributes=["tangent"])
            self.assertEqual(mesh.octets("TANGENT"), want)
        reply = self.client.vertices("column", accept=GLB, attributes=["tangent"])
        self.assertProblem(reply, 422, "missing-data", pointer="/attributes", says="column")

    def test_lines_and_points_stay_what_they_are(self):
        tiny = Tiny()
        primitives = [tiny.primitive(rigs.TRIANGLE * 2) for _ in range(3)]
        for primitive, mode in zip(primitives, (0, 1, 4)):
            primitive["mode"] = mode
        tiny.node(root=True, name="kinds", mesh=tiny.mesh(*primitives))
        self.put_rig("kinds", tiny.glb())
        mesh = self.mesh("kinds")
        self.assertEqual([primitive["mode"] for primitive in mesh.primitives], [0, 1, 4])
        self.assertEqual(len(mesh.nodes), 1)
        self.assertEqual(mesh.nodes[0]["name"], "kinds")
        for primitive in mesh.primitives:
            self.assertEqual(mesh.indices(primitive), list(range(6)))

    def test_nothing_makes_a_file_of_nothing(self):
        tiny = rigs.triangle()
        tiny.json["scenes"][0]["nodes"] = []
        self.put_rig("nothing", tiny.glb())
        self.assertEqual(self.mesh("nothing").primitives, [])
        self.assertEqual(self.posed("nothing").primitives, [])


class Mirrors(ExportCase):
    """A surface turned inside out by the pose has its front outside in the file."""

    def box(self, **node):
        tiny = Tiny()
        corners = [i for a, b, c, d in BOX_SIDES for i in (a, b, c, a, c, d)]
        normals = tiny.normals([[2 * x - 1 for x in point] for point in BOX])
        tangents = tiny.accessor([(1, 0, 0, 1)] * len(BOX), "VEC4")
        mesh = tiny.mesh(tiny.primitive(BOX, corners, NORMAL=normals, TANGENT=tangents))
        tiny.node(root=True, name="box", mesh=mesh, **node)
        self.put_rig("box", tiny.glb())
        mesh = self.mesh("box")
        primitive = mesh.primitives[0]
        return mesh, primitive, mesh.rows(primitive, "POSITION")

    def test_volume_is_positive_and_normals_point_outwards(self):
        half = turn((1, 2, 3), 70)
        for scale in ([1, 1, 1], [-1, 1, 1], [1, -2, 1], [-1, -1, 3], [-1, -1, -1]):
            with self.subTest(scale=scale):
                mesh, primitive, points = self.box(scale=scale, rotation=half)
                volume = abs(scale[0] * scale[1] * scale[2])
                got = signed_volume(points, mesh.triangles(primitive))
                self.assertAlmostEqual(got, volume, delta=1e-5)
                middle = [sum(column) / 8 for column in zip(*points)]
                for point, normal in zip(points, mesh.rows(primitive, "NORMAL")):
                    outwards = sum((p - m) * n for p, m, n in zip(point, middle, normal))
                    self.assertGreater(outwards, 0)
                self.assertEqual(mesh.octets(), self.octets("box"))

    def test_normals_of_other_forms_are_the_opposite_where_a_node_mirrors(self):
        for scale, side in (([1, 1, 1], 1), ([-1, 1, 1], -1), ([-1, -1, 3], 1), ([-1, -1, -1], -1)):
            mesh, primitive, _ = self.box(scale=scale)
            reply = self.client.vertices("box", attributes=["normal"])
            got = [side * x for normal in reply.triples() for x in normal]
            want = [x for normal in mesh.rows(primitive, "NORMAL") for x in normal]
            self.assertNumbers(got, want, 0, scale)

    def test_bitangents_go_with_the_surface(self):
        # In the file y is the bitangent of +Z and +X; a mirror in x leaves it +Y.
        for scale in ([1, 1, 1], [-1, 1, 1], [1, 1, -1]):
            tiny = rigs.square()
            attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
            attributes["TANGENT"] = tiny.accessor([(1, 0, 0, 1)] * 4, "VEC4")
            tiny.json["nodes"][0]["scale"] = scale
            self.put_rig("square", tiny.glb())
            mesh = self.mesh("square")
            n = mesh.rows(mesh.primitives[0], "NORMAL")[0]
            *t, sign = mesh.rows(mesh.primitives[0], "TANGENT")[0]
            cross = [n[i - 2] * t[i - 1] - n[i - 1] * t[i - 2] for i in range(3)]
            self.assertNumbers([sign * x for x in cross], (0, 1, 0), 1e-6, scale)

    def test_file_looks_like_the_rig_from_both_sides(self):
        for scale in ([1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]):
            tiny = textured([[RED, GREEN], [BLUE, WHITE]])
            tiny.json["nodes"][0]["scale"] = scale
            self.put_rig("rig", tiny.glb())
            self.put_rig("copy", self.mesh("rig").data)
            for camera in (FRONT, {**FRONT, "view": HALF_TURN}):
                want, got = (
                    Picture(self.client.frame(rig, width=32, height=32, camera=camera).body)
                    for rig in ("rig", "copy")
                )
                self.assertEqual(bool(got.covered()), bool(want.covered()), scale)
                for a, b in zip(want.pixels(), got.pixels()):
                    self.assertNumbers(b, a, 2, scale)


class Surfaces(ExportCase):
    def exported(self, tiny):
        self.put_rig("rig", tiny.glb())
        return self.mesh("rig")

    def test_materials_survive(self):
        for material in (
            coloured(0.25, 0.5, 0.75),
            coloured(1, 1, 1, name="\u00dc \"quoted\""),
            coloured(1, 1, 1, alphaMode="MASK", alphaCutoff=0.3),
            coloured(1, 1, 1, alphaMode="BLEND", doubleSided=True),
            coloured(0, 0, 0, emissiveFactor=[0.1, 0.2, 1]),
            coloured(1, 0, 0, extensions={"KHR_materials_unlit": {}}),
            {"pbrMetallicRoughness": {"metallicFactor": 0.7, "roughnessFactor": 0.1}},
        ):
            with self.subTest(material=material):
                tiny = rigs.square(material=material)
                if "extensions" in material:
                    tiny.json["extensionsUsed"] = list(material["extensions"])
                got = self.exported(tiny).json
                white = {"baseColorFactor": [1, 1, 1, 1]}
                surface = {**white, **material["pbrMetallicRoughness"]}
                want = {**material, "pbrMetallicRoughness": surface}
                self.assertEqual(got["materials"], [want])
                used = list(material.get("extensions", []))
                self.assertEqual(got.get("extensionsUsed", []), used)

    def test_transparency_survives(self):
        factor = self.exported(faded(0.5, alphaMode="BLEND")).json["materials"][0]
        self.assertEqual(factor["pbrMetallicRoughness"]["baseColorFactor"], [1, 1, 1, 0.5])

    def test_materials_keep_their_numbers(self):
        tiny = rigs.square()
        for i in range(3):
            tiny.material(**coloured(i / 4, 0, 0))
        tiny.json["meshes"][0]["primitives"][0]["material"] = 2
        mesh = self.exported(tiny)
        self.assertEqual(len(mesh.json["materials"]), 3)
        self.assertEqual(mesh.primitives[0]["material"], 2)

    def test_no_material_stays_none(self):
        self.assertNotIn("material", self.exported(rigs.square()).primitives[0])

    def test_colours_of_vertices_survive(self):
        tiny = rigs.square()
        colours = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.25, 0.5, 0.75)]
        attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
        attributes["COLOR_0"] = tiny.accessor(colours, "VEC3", FLOAT)
        mesh = self.exported(tiny)
        got = mesh.rows(mesh.primitives[0], "COLOR_0")
        self.assertEqual(got, [(*colour, 1) for colour in colours])

    def test_textures_survive_pixel_by_pixel(self):
        rows = [[RED, GREEN, BLUE], [WHITE, (1, 2, 3), (200, 100, 50)]]
        mesh = self.exported(textured(rows))
        picture = Picture(mesh.image(0))
        self.assertEqual([[pixel[:3] for pixel in row] for row in picture.rows], rows)
        self.assertEqual(mesh.json["samplers"][0]["magFilter"], 9728)
        self.assertEqual(mesh.json["samplers"][0]["wrapS"], 33071)
        primitive = mesh.primitives[0]
        self.assertEqual(mesh.rows(primitive, "TEXCOORD_0"), [(0, 1), (1, 1), (1, 0), (0, 0)])
        # A pose has them as well.
        self.assertEqual(self.posed("rig").image(0), mesh.image(0))

    def test_textures_without_coordinates_get_some(self):
        tiny = textured([[RED, GREEN], [BLUE, WHITE]])
        del tiny.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]
        mesh = self.exported(tiny)
        self.assertEqual(mesh.rows(mesh.primitives[0], "TEXCOORD_0"), [(0, 0)] * 4)

    def test_real_textures_survive_as_they_were(self):
        for path in (
            "khronos-Fox/glTF-Binary/Fox.glb",
            "kaykit-adventurers/Characters/gltf/Knight.glb",
            "khronos-NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb",
        ):
            with self.subTest(path):
                source = shared_file(path).read_bytes()
                self.put_rig("rig", source)
                mesh = self.mesh("rig")
                whole, binary = split_glb(source)
                self.assertGreater(len(mesh.json.get("images", [])), 0)
                for i, image in enumerate(mesh.json["images"]):
                    self.assertIn(mesh.image(i), binary)
                    if image["mimeType"] == "image/png":
                        self.assertGreater(Picture(mesh.image(i), rows=8).width, 0)
                self.assertEqual(len(mesh.json["materials"]), len(whole["materials"]))


class Requests(ExportCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column(POINTS).glb())

    def test_a_file_holds_one_pose(self):
        request = {"rig": "column", "poses": ["rest", {"clip": "bend", "time": 1}]}
        reply = self.client.post("vertices", request, accept=GLB)
        self.assertProblem(reply, 400, "invalid-value", pointer="/poses", says=("2", OCTETS, JSON))
        one = {"rig": "column", "poses": [{"clip": "bend", "time": 1}]}
        reply = self.assertStatus(self.client.post("vertices", one, accept=GLB), 200)
        self.assertEqual(Mesh(reply.body).octets(), self.octets("column", one["poses"][0]))

    def test_accept_is_weighed(self):
        for accept, want in (
            ("*/*", OCTETS),
            ("model/*", GLB),
            (f"{GLB}, */*;q=0.1", GLB),
            (f"{GLB};q=0.2, {JSON}", JSON),
        ):
            reply = self.assertStatus(self.client.vertices("column", accept=accept), 200)
            self.assertEqual(reply.kind, want, accept)
        reply = self.client.vertices("column", accept="model/gltf+json")
        self.assertProblem(reply, 406, "not-acceptable", says=(GLB, OCTETS, JSON))
        reply = self.client.get(rig_path("column", "/mesh.glb"), accept="image/png")
        self.assertProblem(reply, 406, "not-acceptable", says=GLB)

    def test_other_methods_are_refused(self):
        reply = self.client.request("POST", rig_path("column", "/mesh.glb"), b"{}")
        self.assertProblem(reply, 405, "method-not-allowed")
        self.assertEqual(reply.headers["Allow"], "GET, HEAD, OPTIONS")

    def test_unknown_rigs_and_clips_are_named(self):
        reply = self.client.get(rig_path("nobody", "/mesh.glb"))
        self.assertProblem(reply, 404, "unknown-rig", says="nobody")
        reply = self.client.vertices("column", {"clip": "nope"}, GLB)
        self.assertProblem(reply, 404, "unknown-clip", pointer="/pose/clip", says="nope")

    def test_tags_differ_with_the_form(self):
        replies = [self.client.vertices("column", accept=form) for form in (GLB, OCTETS, JSON)]
        replies.append(self.client.get(rig_path("column", "/mesh.glb")))
        self.assertEqual(len({reply.headers["ETag"] for reply in replies}), 4)

    def test_vertices_beyond_float32_are_refused(self):
        tiny = rigs.triangle([(0, 0, 0), (3e38, 0, 0), (0, 1, 0)])
        tiny.clip([(0, "scale", [0, 1], [(1, 1, 1), (100, 1, 1)], "LINEAR")], name="grow")
        self.put_rig("far", tiny.glb())
        reply = self.client.vertices("far", {"clip": "grow", "time": 1}, GLB)
        self.assertProblem(reply, 400, "invalid-value", says="farther than float32")


class Client(ExportCase):
    """The command line's two ways to a GLB."""

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def pose(self, *arguments):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        server = f"http://127.0.0.1:{self.client.port}"
        return subprocess.run(
            [program, *arguments, "--server", server], capture_output=True, text=True, timeout=300
        )

    def test_files_are_those_of_the_daemon(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.glb"
            for arguments, want in (
                (("mesh", "cyl2"), self.mesh("cyl2")),
                (
                    ("vertices", "cyl2", "--glb", "--clip", "bend", "--time", "0.5"),
                    self.posed("cyl2", {"clip": "bend", "time": 0.5}),
                ),
            ):
                done = self.pose(*arguments, "-o", str(out))
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                self.assertEqual(out.read_bytes(), want.data)

    def test_wrong_usage_is_told(self):
        done = self.pose("vertices", "cyl2", "--glb", "--json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--glb", done.stderr)
        done = self.pose("frame", "cyl2", "--glb")
        self.assertEqual(done.returncode, 2)
        done = self.pose("mesh", "nobody", "-o", "-")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nobody", done.stderr)


if __name__ == "__main__":
    unittest.main()
