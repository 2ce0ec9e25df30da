"""Normal maps along the file's tangents: pixels whose colours are known by formula.

Three lights of one colour each, all of strength pi, shine on white without any reflection but
Lambert's. Then a pixel's linear colour is (n.(1,0,1)/sqrt 2, n.(0,1,1)/sqrt 2, n.z) for the bent
normal n (glTF 2.0, Appendix B; KHR_materials_specular; KHR_lights_punctual).
"""
import io
import itertools
import json
import math
import tarfile
import unittest

import rigs
from case import DaemonCase
from client import OCTETS, PNG
from oracle import turn
from picture import Picture
from test_examples import example_path
from test_export import Mesh
from test_frame import FRONT
from test_materials import png
from tiny import IDENTITY

TEXEL = (178, 102, 230)  # bent by 22 degrees to +X, by 11 to -Y
BENT = [value / 255 * 2 - 1 for value in TEXEL]
HALF_TURN, HALF = [0, 1, 0, 0], math.sqrt(0.5)
LIGHTS = (
    ([1, 0, 0], turn((0, 1, 0), 45)),
    ([0, 1, 0], turn((1, 0, 0), -45)),
    ([0, 0, 1], turn((0, 1, 0), 0)),
)
# The middle of a square that fills the picture.
SMALL = {"width": 16, "height": 16, "samples": 1, "camera": FRONT, "environment": "none",
         "tone_mapping": "linear"}
MIDDLE = (8, 8)
COMPARED = {**SMALL, "width": 64, "height": 64}
# Tangents in the plane of the square, and handedness; the first is how the texture lies.
TANGENTS = ((1, 0, 0, 1), (0, 1, 0, 1), (1, 0, 0, -1), (0, -1, 0, -1), (HALF, -HALF, 0, 1))
CORNERS = [(0, 1), (1, 1), (1, 0), (0, 0)]
ASIDE = [CORNERS[i - 1] for i in range(4)]  # the same, turned by a quarter
LAMBERT = {"pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 1},
           "extensions": {"KHR_materials_specular": {"specularFactor": 0}},
           "normalTexture": {"index": 0}}
COAT = {"pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.02, 0.02, 1]},
        "extensions": {"KHR_materials_clearcoat": {
            "clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.3,
            "clearcoatNormalTexture": {"index": 0}}}}


def add_lights(tiny):
    tiny.json["extensions"] = {"KHR_lights_punctual": {"lights": [
        {"type": "directional", "color": color, "intensity": math.pi} for color, _ in LIGHTS]}}
    for i, (_, rotation) in enumerate(LIGHTS):
        tiny.node(root=True, name=f"light {i}", rotation=rotation,
                  extensions={"KHR_lights_punctual": {"light": i}})
    return tiny


def mapped(tangent, coordinates=CORNERS, material=LAMBERT, **node):
    """A square with a normal map on a node; tangent: of the file, None = it has none."""
    tiny = rigs.square(2, 2, material=material)
    tiny.json["extensionsUsed"] = [
        "KHR_materials_specular", "KHR_materials_clearcoat", "KHR_lights_punctual"]
    image = tiny.add("images", {"bufferView": tiny.view(png([[TEXEL]])), "mimeType": "image/png"})
    tiny.add("textures", {"source": image})
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["TEXCOORD_0"] = tiny.accessor(coordinates, "VEC2")
    if tangent:
        attributes["TANGENT"] = tiny.accessor([tangent] * 4, "VEC4")
    tiny.json["nodes"][0].update(node)
    return tiny


def lit(tangent, **more):
    return add_lights(mapped(tangent, **more))


def skinned(tangent):
    """The same bound to a joint that "turn" turns by 30 degrees about Y, then 90 about Z; and out of
    sight a closed surface that bends, which some methods need."""
    tiny = mapped(tangent)
    primitives = tiny.json["meshes"][0]["primitives"]
    primitives.append(tiny.primitive(
        [(4, 0, 0), (5, 0, 0), (4, 1, 0), (4, 0, 1)], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
        NORMAL=tiny.normals([(0, 0, 1)] * 4), TANGENT=tiny.accessor([(1, 0, 0, 1)] * 4, "VEC4")))
    for primitive, share in zip(primitives, (1, 0.5)):
        joints, weights = tiny.influences([(1, 0, 0, 0)] * 4, [(share, 1 - share, 0, 0)] * 4)
        primitive["attributes"].update(JOINTS_0=joints, WEIGHTS_0=weights)
    arm = tiny.node(name="arm", children=[tiny.node(name="tip", translation=[4, 0, 0])])
    root = tiny.node(root=True, name="root", children=[arm])
    tiny.json["nodes"][0]["skin"] = tiny.skin([root, arm], [IDENTITY, IDENTITY])
    tiny.clip([(arm, "rotation", [0, 1], [turn((0, 1, 0), 0), turn((0, 1, 0), 30)], "LINEAR"),
               (root, "rotation", [0, 1], [turn((0, 0, 1), 0), turn((0, 0, 1), 90)], "LINEAR")],
              name="turn")
    return tiny


def turned(v):
    """The vector rotated by the final rotation of "turn"."""
    x, y, z = v
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    x, z = c * x + s * z, c * z - s * x
    return -y, x, z


def bent(tangent):
    """The normal of the map over a surface that faces +Z. Source: glTF 2.0, 3.7.2.1 and 3.9.3."""
    t, w = tangent[:3], tangent[3]
    b = (-t[1] * w, t[0] * w, 0)  # cross((0, 0, 1), t) * w
    n = [t[i] * BENT[0] + b[i] * BENT[1] + (i == 2) * BENT[2] for i in range(3)]
    length = math.hypot(*n)
    return [part / length for part in n]


def seen(n):
    """The pixel of a normal."""
    x, y, z = n
    linear = (HALF * (x + z), HALF * (y + z), z)
    cut = [min(max(part, 0), 1) for part in linear]
    encoded = [12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in cut]
    return [255 * part for part in encoded]


class Tangents(DaemonCase):
    needs_driver = True

    def middle(self, rig, pose="rest", **members):
        reply = self.assertStatus(self.client.frame(rig, pose, **{**SMALL, **members}), 200)
        return Picture(reply.body)[MIDDLE]

    def assertSeen(self, pixel, normal, what=""):
        self.assertNumbers(pixel, [*seen(normal), 255], 1.5, what)

    def assertDrawn(self, tiny, normal, what=""):
        self.put_rig("rig", tiny.glb())
        for device in self.devices():
            self.assertSeen(self.middle("rig", skinning={"device": device}), normal, (what, device))

    def test_maps_lie_along_tangents_with_their_handedness(self):
        for tangent in TANGENTS:
            self.assertDrawn(lit(tangent), bent(tangent), tangent)

    def test_without_tangents_they_lie_along_the_texture(self):
        self.assertDrawn(lit(None), bent(TANGENTS[0]))
        self.assertDrawn(lit(None, coordinates=ASIDE), bent((0, 1, 0, 1)))

    def test_primitives_with_and_without_are_drawn_each_in_its_way(self):
        tiny = lit(None)
        primitive, = tiny.json["meshes"][0]["primitives"]
        attributes = primitive["attributes"]
        beside = {**attributes, "TANGENT": tiny.accessor([TANGENTS[1]] * 4, "VEC4")}
        right = tiny.mesh({**primitive, "attributes": beside})
        tiny.json["nodes"][0]["translation"] = [-1, 0, 0]
        tiny.node(root=True, name="right", mesh=right, translation=[1, 0, 0])
        self.put_rig("rig", tiny.glb())
        for device in self.devices():
            reply = self.client.frame("rig", **SMALL, skinning={"device": device})
            picture = Picture(self.assertStatus(reply, 200).body)
            self.assertSeen(picture[4, 8], bent(TANGENTS[0]), device)
            self.assertSeen(picture[12, 8], bent(TANGENTS[1]), device)
            reply = self.client.vertices("rig", attributes=["tangent"], skinning={"device": device})
            numbers = list(self.assertStatus(reply, 200).floats())
            self.assertEqual(numbers[3:16:4], [0] * 4)
            self.assertEqual(numbers[16:], list(TANGENTS[1]) * 4)
        self.assertStatus(self.client.compare("rig", accept=PNG, **COMPARED), 200)
        file = Mesh(self.client.get("/v1/rigs/rig/mesh.glb").body)
        has = ["TANGENT" in primitive["attributes"] for primitive in file.primitives]
        self.assertEqual(has, [False, True])

    def test_backs_have_the_normals_of_fronts_turned_round(self):
        for tangent in (*TANGENTS, None):
            x, y, z = bent(tangent or TANGENTS[0])
            tiny = lit(tangent, material={**LAMBERT, "doubleSided": True}, rotation=HALF_TURN)
            # The half turn about Y, and then the other way.
            self.assertDrawn(tiny, (x, -y, z), tangent)

    def test_a_mirrored_surface_takes_its_map_along(self):
        for tangent in (*TANGENTS, None):
            x, y, z = bent(tangent or TANGENTS[0])
            self.assertDrawn(lit(tangent, scale=[-1, 1, 1]), (-x, y, z), tangent)
            self.assertDrawn(lit(tangent, scale=[1, -1, 1]), (x, -y, z), tangent)

    def test_every_method_on_every_device_turns_them(self):
        tangent = TANGENTS[1]
        self.put_rig("rig", add_lights(skinned(tangent)).glb())
        for i in range(4):
            pose = {"clip": "turn", "time": i / 3}
            query = {"pose": json.dumps(pose), "attributes": "position,normal"}
            posed = self.client.vertices("rig", pose, attributes=["position", "normal"]).body
            reply = self.client.request("PUT", example_path("rig", f"turned {i}", **query), posed,
                                        {"Content-Type": OCTETS})
            self.assertStatus(reply, 201)
        for method in self.client.get("/v1").json()["skinning_methods"]:
            for device, normals in itertools.product(method["device"], method["normals"]):
                skinning = {"method": method["id"], "device": device, "normals": normals}
                with self.subTest(**skinning):
                    pixel = self.middle("rig", {"clip": "turn", "time": 1}, skinning=skinning)
                    self.assertSeen(pixel, turned(bent(tangent)))

    def test_morph_targets_turn_them(self):
        tiny = lit(TANGENTS[0])
        primitive, = tiny.json["meshes"][0]["primitives"]
        primitive["targets"] = [{"TANGENT": tiny.accessor([(-1, 1, 0)] * 4, "VEC3")}]
        tiny.json["meshes"][0]["weights"] = [1]
        self.assertDrawn(tiny, bent(TANGENTS[1]))

    def test_sequences_have_them_in_every_frame(self):
        tangent = TANGENTS[1]
        self.put_rig("rig", add_lights(skinned(tangent)).glb())
        for device in self.devices():
            reply = self.assertStatus(self.client.post("frames", {
                "rig": "rig", "poses": ["rest", {"clip": "turn", "time": 1}, "rest"], **SMALL,
                "skinning": {"device": device}, "format": "tar"}), 200)
            with tarfile.open(fileobj=io.BytesIO(reply.body)) as archive:
                frames = [Picture(archive.extractfile(member).read())[MIDDLE] for member in archive]
            self.assertEqual(len(frames), 3)
            for frame, normal in zip(frames, (bent(tangent), turned(bent(tangent)), bent(tangent))):
                self.assertSeen(frame, normal, device)

    def test_other_figures_of_an_onion_leave_them(self):
        tangent = TANGENTS[1]
        self.put_rig("rig", add_lights(skinned(tangent)).glb())
        for device in self.devices():
            for fit in ("rest", "pose"):
                pixel = self.middle(
                    "rig", {"clip": "turn", "time": 1}, skinning={"device": device}, fit=fit,
                    overlays=[{"overlay": "onion", "times": [-1, -0.5]}])
                self.assertSeen(pixel, turned(bent(tangent)), (device, fit))

    def test_crowds_have_them_where_figures_stand(self):
        tangent = TANGENTS[1]
        x, y, z = bent(tangent)
        self.put_rig("rig", skinned(tangent).glb())
        self.put_rig("lights", add_lights(rigs.triangle(translation=[8, 0, 0])).glb())
        mirror = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
        places = (({}, (x, y, z)), ({"rotation": turn((0, 0, 1), 90)}, (-y, x, z)),
                  ({"transform": [*mirror, 0, 0, 0, 1]}, (-x, y, z)),
                  ({"scale": 2}, (x, y, z)))
        others = [{"rig": "rig", "translation": [8 * i, 0, 0]} for i in (1, 2)]
        for device in self.devices():
            for place, normal in places:
                # Alone it is drawn by another program than among others.
                for beside in ([], others):
                    reply = self.client.crowd(
                        [{"rig": "rig", **place}, *beside, {"rig": "lights"}], **SMALL,
                        skinning={"device": device})
                    pixel = Picture(self.assertStatus(reply, 200).body)[MIDDLE]
                    self.assertSeen(pixel, normal, (device, place, len(beside)))

    def test_comparisons_have_them(self):
        tangent = TANGENTS[1]
        self.put_rig("rig", add_lights(skinned(tangent)).glb())
        reply = self.client.compare(
            "rig", {"clip": "turn", "time": 1}, accept=PNG, **COMPARED,
            methods=["lbs", {"method": "dqs", "device": "cpu"}])
        picture = Picture(self.assertStatus(reply, 200).body)
        for x in (16, 48):
            self.assertSeen(picture[x, 32], turned(bent(tangent)), x)

    def test_coats_have_their_own_maps_along_the_same_tangents(self):
        # Beside the same coat whose map is laid by the texture alone, turned as the tangents are.
        def pixel(tangent, coordinates=CORNERS):
            self.put_rig("rig", lit(tangent, coordinates=coordinates, material=COAT).glb())
            return self.middle("rig", environment="studio")

        by_tangent = pixel(TANGENTS[1])
        self.assertNumbers(by_tangent, pixel(None, ASIDE), 1)
        self.assertGreater(max(abs(a - b) for a, b in zip(by_tangent, pixel(None))), 8)


if __name__ == "__main__":
    unittest.main()
