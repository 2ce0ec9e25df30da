"""Files that require extensions which change looks alone: posed has their vertices, and refuses to
draw their materials as they are not meant."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import rigs
from case import DaemonCase
from daemon import ROOT
from test_frame import coloured

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
LOOKS = ("KHR_materials_diffuse_transmission", "EXT_materials_bump", "KHR_materials_not_yet_thought_of",
         "EXT_texture_avif", "MSFT_texture_dds", "MSFT_packing_occlusionRoughnessMetallic",
         "EXT_lights_image_based", "KHR_techniques_webgl")
SMALL = {"width": 32, "height": 32}
CODE = "unsupported-asset"


def requiring(*names):
    tiny = rigs.square(material=coloured(1, 0, 0))
    if names:
        tiny.json.update(extensionsUsed=list(names), extensionsRequired=list(names))
    return tiny.glb()


class RequiredLooks(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("plain", requiring())
        cls.put_rig("varied", requiring("KHR_mesh_quantization", LOOKS[0], LOOKS[1]))

    def test_geometry_is_as_in_a_file_without_them(self):
        want = self.client.vertices("plain", attributes=["position", "normal"]).body
        for name in LOOKS:
            with self.subTest(name):
                self.assertStatus(self.client.put("rig", requiring(name)), 201)
                self.assertIn(f'extensionsRequired[0]: "{name}" is not supported; vertices are as they '
                              "are meant, pictures of the materials are refused",
                              self.description("rig")["warnings"])
                got = self.client.vertices("rig", attributes=["position", "normal"])
                self.assertEqual(self.assertStatus(got, 200).body, want)
                self.assertStatus(self.client.get("/v1/rigs/rig/mesh.glb"), 200)
                self.assertProblem(self.client.frame("rig", **SMALL), 422, CODE, says=name)
                self.assertStatus(self.client.frame("rig", **SMALL, shading="matcap"), 200)
                self.assertStatus(self.client.delete("rig"), 204)

    def test_every_kind_of_picture_of_materials_is_refused(self):
        says = ('"KHR_materials_diffuse_transmission"', "matcap", "vertices")
        instances = [{"rig": "plain"}, {"rig": "varied"}]
        cell = {**SMALL, "camera": "front"}
        for reply in (
                self.client.frame("varied", **cell),
                self.client.frame("varied", **cell, shading="plain"),
                self.client.picture_link("varied", width=32, height=32),
                self.client.get("/v1/rigs/varied/frames.apng?width=32&height=32&turntable=4"),
                self.client.post("frames", {"rig": "varied", **SMALL, "turntable": {"count": 4}}),
                self.client.compare("varied", accept="image/png", view="side_by_side", **SMALL),
                self.client.crowd(instances, **SMALL)):
            self.assertProblem(reply, 422, CODE, says=says)

    def test_other_shadings_are_drawn(self):
        refusal = self.client.frame("plain", **SMALL, shading="none such").json()["detail"]
        modes = re.findall(r"\w+", refusal.partition("must be one of: ")[2])
        self.assertGreater(len(modes), 8, refusal)
        for mode in modes:
            reply = self.client.frame("varied", **SMALL, shading=mode)
            other = self.client.frame("plain", **SMALL, shading=mode)
            if mode in ("material", "plain"):
                self.assertProblem(reply, 422, CODE)
            else:
                self.assertEqual(self.assertStatus(reply, 200).body, other.body, mode)
        instances = [{"rig": "plain"}, {"rig": "varied"}]
        self.assertStatus(self.client.crowd(instances, **SMALL, shading="normals"), 200)
        reply = self.client.compare("varied", accept="image/png", view="heat", width=200,
                                    height=200)
        self.assertStatus(reply, 200)

    def test_what_nothing_depends_on_is_no_reason_to_refuse(self):
        self.put_rig("remarks", requiring("KHR_xmp_json_ld"))
        self.assertStatus(self.client.frame("remarks", **SMALL), 200)

    def test_what_moves_or_makes_vertices_is_refused(self):
        for name in ("KHR_gaussian_splatting", "KHR_node_visibility",
                     "MSFT_lod", "materials_volume", "KHR", "X_mesh_materials_y"):
            self.assertProblem(self.client.put("rig", requiring(LOOKS[0], name)), 422, CODE,
                               says=name)

    def test_pose_says_so_too(self):
        with tempfile.TemporaryDirectory(prefix="posed-looks-") as folder:
            file = pathlib.Path(folder, "varied.glb")
            file.write_bytes(requiring(LOOKS[3]))
            for more, status in (((), 3), (("--shading", "matcap"), 0)):
                done = subprocess.run([POSE, "frame", file, "-o", file.with_suffix(".png"), *more],
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(LOOKS[3] in done.stderr, status != 0 or "not supported" in done.stderr)


if __name__ == "__main__":
    unittest.main()
