"""KHR_materials_variants: a picture of a variant against the same file with the variant's materials in the place
of the primitives' own."""
import copy
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

import rigs
from case import DaemonCase
from client import PNG, rig_path
from test_frame import coloured
from test_pose_program import POSE

EXTENSION = "KHR_materials_variants"
NAMES = ("midnight", "beach", "beach")  # the third is called beach#2
SEES_THROUGH = {"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.9, 0.4]}}


def two_squares():
    """Two squares beside each other in materials 0 and 1, of four."""
    tiny = rigs.square(1, 2, material=coloured(0.8, 0.1, 0.1))
    node = copy.deepcopy(tiny.json["nodes"][0])
    mesh = copy.deepcopy(tiny.json["meshes"][0])
    tiny.json["materials"] += [coloured(0.1, 0.8, 0.1), coloured(0.9, 0.8, 0.2), SEES_THROUGH]
    mesh["primitives"][0]["material"] = 1
    tiny.json["meshes"].append(mesh)
    tiny.json["nodes"].append({**node, "mesh": 1, "translation": [1.2, 0, 0]})
    tiny.json["scenes"][0]["nodes"].append(len(tiny.json["nodes"]) - 1)
    return tiny


def with_variants(tiny, *mappings, names=NAMES):
    """mappings: those of each mesh's primitive."""
    tiny.json["extensionsUsed"] = [EXTENSION]
    tiny.json["extensions"] = {EXTENSION: {"variants": [{"name": name} for name in names]}}
    for mesh, own in zip(tiny.json["meshes"], mappings):
        mesh["primitives"][0]["extensions"] = {EXTENSION: {"mappings": own}}
    return tiny


class Variants(DaemonCase):
    mappings = ([{"material": 2, "variants": [0]}, {"material": 3, "variants": [1, 2]}],
                [{"material": 0, "variants": [1]}])

    @classmethod
    def prepare(cls):
        cls.body = with_variants(two_squares(), *cls.mappings).glb()
        cls.put_rig("squares", cls.body)
        cls.bodies = {}
        for name, materials in (("own", (0, 1)), ("midnight", (2, 1)), ("beach", (3, 0)), ("beach#2", (3, 1))):
            tiny = two_squares()
            for mesh, material in zip(tiny.json["meshes"], materials):
                mesh["primitives"][0]["material"] = material
            cls.bodies[name] = tiny.glb()
            cls.put_rig("only " + name, cls.bodies[name])

    def picture(self, rig, **members):
        return self.assertStatus(self.client.post("frame", {
            "rig": rig, "width": 48, "height": 48, **members}, accept=PNG), 200).body

    def test_each_is_the_file_with_its_materials(self):
        seen = set()
        for shading in ("material", "plain"):
            self.assertEqual(self.picture("squares", shading=shading), self.picture("only own", shading=shading))
            for index, name in enumerate(("midnight", "beach", "beach#2")):
                with self.subTest(name, shading=shading):
                    want = self.picture("only " + name, shading=shading)
                    seen.add(want)
                    for variant in (name, index):
                        self.assertEqual(self.picture("squares", shading=shading, variant=variant), want)
        self.assertEqual(len(seen), 6)

    def test_links_sequences_and_commands(self):
        want = self.picture("only beach")
        for variant in ("beach", "1"):
            path = rig_path("squares", "/frame.png?width=48&height=48&variant=" + urllib.parse.quote(variant))
            self.assertEqual(self.assertStatus(self.client.get(path), 200).body, want)
        frames = [self.client.post("frames", {"rig": rig, "turntable": 3, "width": 32, "height": 32, "fps": 4, **more})
                  for rig, more in (("squares", {"variant": "midnight"}), ("only midnight", {}))]
        self.assertEqual(self.assertStatus(frames[0], 200).body, frames[1].body)
        self.assertEqual(self.command(self.body, "--variant", "beach"), self.command(self.bodies["beach"]))
        self.assertNotEqual(self.command(self.body), self.command(self.bodies["beach"]))

    def command(self, body, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "squares.glb")
            path.write_bytes(body)
            return subprocess.run([POSE, "frame", path, "--size", "48", *options, "-o", "-"],
                                  capture_output=True, check=True).stdout

    def test_descriptions_list_them(self):
        self.assertEqual(self.description("squares")["variants"], ["midnight", "beach", "beach#2"])
        self.assertEqual(self.description("only own")["variants"], [])

    def test_refusals(self):
        for rig, variant, says in (("squares", "Beach", "beach"), ("squares", 3, "midnight"),
                                   ("squares", -1, "midnight"), ("squares", 0.5, "midnight"),
                                   ("squares", True, "name or the index"), ("only own", "beach", "has none")):
            with self.subTest(rig, variant=variant):
                reply = self.client.post("frame", {"rig": rig, "variant": variant})
                self.assertProblem(reply, 400, "invalid-value", "/variant", says=says)

    def test_mappings_that_make_no_sense_cost_only_themselves(self):
        for broken, says in (({"material": 9, "variants": [0]}, "material"), ({"variants": [0]}, "has no material"),
                             ({"material": 2, "variants": [7]}, "variants"), (5, "mappings")):
            with self.subTest(says):
                mappings = ([broken, {"material": 3, "variants": [1]}], [{"material": 0, "variants": [1]}])
                self.put_rig("broken", with_variants(two_squares(), *mappings).glb())
                self.assertEqual(self.picture("broken", variant="beach"), self.picture("only beach"))
                warnings = self.description("broken")["warnings"]
                self.assertTrue([text for text in warnings if says in text and "left out" in text], warnings)

    def test_a_material_with_other_texture_coordinates_is_left_out(self):
        tiny = two_squares()
        image = tiny.add("images", {"uri": "data:image/png;base64,"
                                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="})
        texture = tiny.add("textures", {"source": image})
        tiny.json["materials"][2]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture, "texCoord": 1}
        self.put_rig("other", with_variants(tiny, *self.mappings).glb())
        self.assertEqual(self.picture("other", variant="midnight"), self.picture("other"))
        self.assertTrue([text for text in self.description("other")["warnings"] if "texture coordinates" in text])


class OnADriver(Variants):
    """The same with shaders."""

    needs_driver = True


if __name__ == "__main__":
    unittest.main()
