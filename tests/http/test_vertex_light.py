"""Light of each vertex: the shading cg4m checked against its formula, computed here in double precision
from the vertices that /v1/vertices gives and interpolated over their triangles."""
import math
import unittest

import rigs
from case import DaemonCase
from picture import Picture
from test_materials import png
from test_shading import FRONT, NOTHING, UNIT, encoded, linear

SIZE = 64
# One unit of the world in front of the eye is half of the picture.
PERSPECTIVE = {"view": UNIT[:12] + [0, -1, -4, 1],
               "projection": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1.02, -1, 0, 0, -0.202, 0]}
PARALLEL = {**FRONT, "view": UNIT[:12] + [0, -1, 0, 1]}
POINTS = [(-0.8, 0.3, 0.2), (0.7, 0.2, -0.1), (0.6, 1.8, 0.1),
          (-0.8, 0.4, 0.2), (0.5, 1.9, 0.1), (-0.7, 1.7, 0.4)]
NORMALS = [(-0.48, 0.6, 0.64), (0.6, 0, 0.8), (0.28, 0.96, 0), (0, -0.6, 0.8), (0, 0, 1), (-0.8, 0, 0.6)]
MATERIAL = {"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.25, 1]},
            "emissiveFactor": [0, 0.03, 0.1]}
BASE, EMITTED = (0.8, 0.5, 0.25), (0, 0.03, 0.1)
# Over the viewer's left shoulder.
KEY = (-0.5, 0.8, 0.75)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def unit(v):
    return [x / math.sqrt(dot(v, v)) for x in v]


def color(text):
    return [linear(byte) for byte in bytes.fromhex(text[1:])]


def light_of(position, normal, camera, shading, base=BASE, emitted=EMITTED):
    """c = ke + ka la + kd ll max(n.l, 0) + ks ll [n.l > 0] max(n.h, 0)^s"""
    n = unit(normal)
    place = shading.get("light")
    l = unit(minus(place, position) if place else KEY)
    eye = [-x for x in camera["view"][12:15]]
    v = unit(minus(eye, position)) if camera["projection"][15] == 0 else (0, 0, 1)
    h = unit([a + b for a, b in zip(l, v)])
    light = color(shading.get("light_color", "#ffffff"))
    ambient = color(shading.get("ambient", "#595959"))
    specular = color(shading.get("specular", "#7c7c7c"))
    diffuse = max(dot(n, l), 0)
    gloss = max(dot(n, h), 0) ** shading.get("shininess", 32) if dot(n, l) > 0 else 0
    return [ke + k * la + k * ll * diffuse + ks * ll * gloss
            for ke, k, la, ll, ks in zip(emitted, base, ambient, light, specular)]


def clip(camera, position):
    """x, y and w in clip space of a camera that looks along -Z."""
    seen = [p + t for p, t in zip(position, camera["view"][12:15])]
    scale, flat = camera["projection"][0], camera["projection"][15]
    return scale * seen[0], scale * seen[1], 1 if flat else -seen[2]


def shares(corners, x, y, inside=0.02):
    """The corners' shares of a pixel, right in perspective; None where one is less than inside on the
    screen. Also the triangle's area as it is seen."""
    flat = [(cx / w, cy / w) for cx, cy, w in corners]

    def area(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    whole = area(*flat)
    at = (x, y)
    parts = [area(at, flat[1], flat[2]), area(flat[0], at, flat[2]), area(flat[0], flat[1], at)]
    if min(part / whole for part in parts) < inside:
        return None, whole
    deep = [part / whole / corner[2] for part, corner in zip(parts, corners)]
    return [share / sum(deep) for share in deep], whole


class VertexLight(DaemonCase):
    def put_column(self, name, material=MATERIAL, normals=NORMALS, **attributes):
        tiny = rigs.column(POINTS, normals)
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["material"] = tiny.material(**material)
        for attribute, (rows, kind) in attributes.items():
            primitive["attributes"][attribute] = tiny.accessor(rows, kind)
        return self.put_rig(name, tiny.glb()), tiny

    def picture(self, rig, shading, camera, pose="rest"):
        reply = self.client.frame(rig, pose, shading={"mode": "cg4m", **shading}, samples=1,
                                  width=SIZE, height=SIZE, camera=camera)
        return Picture(self.assertStatus(reply, 200).body)

    def vertices(self, rig, pose="rest"):
        return [self.positions(rig, pose, attributes=[attribute])
                for attribute in ("position", "normal")]

    def assertLit(self, picture, positions, normals, camera, shading, bases=None, least=200, **how):
        """Every pixel within one of the triangles is what the formula's vertices mix to."""
        bases = bases or [BASE] * len(positions)
        back = [[-x for x in n] for n in normals]
        tried = 0
        for first in range(0, len(positions), 3):
            span = slice(first, first + 3)
            corners = [clip(camera, p) for p in positions[span]]
            sides = [
                [light_of(p, n, camera, shading, base, **how)
                 for p, n, base in zip(positions[span], side[span], bases[span])]
                for side in (normals, back)
            ]
            others = [[clip(camera, p) for p in positions[k:k + 3]]
                      for k in range(0, len(positions), 3) if k != first]
            for row in range(SIZE):
                for column in range(SIZE):
                    x, y = 2 * (column + 0.5) / SIZE - 1, 1 - 2 * (row + 0.5) / SIZE
                    mix, area = shares(corners, x, y)
                    # In overlapping triangles the other one may be in front.
                    if mix is None or any(shares(o, x, y, -0.02)[0] for o in others):
                        continue
                    lights = sides[0 if area > 0 else 1]
                    want = [encoded(sum(m * c[k] for m, c in zip(mix, lights))) for k in range(3)]
                    found = picture[column, row]
                    if found == NOTHING and area < 0:
                        continue  # a back that the material does not show
                    self.assertNumbers(found, (*want, 255), 1, (first, column, row))
                    tried += 1
        self.assertGreater(tried, least)

    def test_pixels_mix_the_light_of_their_triangle_s_vertices(self):
        self.put_column("column", {**MATERIAL, "doubleSided": True})
        for camera in (PARALLEL, PERSPECTIVE):
            for pose in ({"clip": "twist", "time": 1}, {"clip": "bend", "time": 0.6}):
                vertices = self.vertices("column", pose)
                for shading in (
                    {},
                    {"light": [1.5, 2, 2], "shininess": 5.5},
                    {"light": [-0.3, 0.9, 0.6], "light_color": "#ffd080", "ambient": "#304050",
                     "specular": "#ffffff", "shininess": 200},
                    {"light": [0, 1, -3], "ambient": "#000000", "shininess": 0},
                ):
                    with self.subTest(camera=camera, pose=pose, shading=shading):
                        picture = self.picture("column", shading, camera, pose)
                        self.assertLit(picture, *vertices, camera, shading)

    def test_light_changes_between_vertices_only_in_a_straight_line(self):
        # A highlight above the middle of a triangle, far from its corners, is not seen.
        tiny = rigs.square(width=2, height=2, material=MATERIAL)
        self.put_rig("wide", tiny.glb())
        shading = {"light": [0, 0, 0.3], "ambient": "#000000", "specular": "#ffffff"}
        picture = self.picture("wide", shading, FRONT)
        corner = light_of((1, 1, 0), (0, 0, 1), FRONT, shading)
        self.assertNumbers(picture[SIZE // 2, SIZE // 2][:3], [encoded(c) for c in corner], 1)

    def test_numbers_far_apart_keep_their_directions(self):
        self.put_column("column")
        vertices = self.vertices("column")
        shading = {"light": [6e8, 1e9, 8e8]}
        self.assertLit(self.picture("column", shading, FRONT), *vertices, FRONT, shading, least=100)

    def test_vertex_colours_are_part_of_the_material(self):
        tints = [(1, 0, 0.5), (0.2, 1, 1), (1, 1, 1), (0.6, 0.4, 0.2), (0, 0, 0), (1, 0.5, 0)]
        self.put_column("tinted", COLOR_0=(tints, "VEC3"))
        bases = [[b * t for b, t in zip(BASE, tint)] for tint in tints]
        picture = self.picture("tinted", {}, PARALLEL)
        self.assertLit(picture, *self.vertices("tinted"), PARALLEL, {}, bases)

    def test_mirrored_surfaces_are_lit_from_outside(self):
        tiny = rigs.square(material=MATERIAL)
        tiny.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = tiny.normals(NORMALS[:4])
        tiny.json["nodes"][0]["scale"] = [-1, 1, 1]
        self.put_rig("mirrored", tiny.glb())
        corners = [(0.5, -0.5, 0), (-0.5, -0.5, 0), (-0.5, 0.5, 0), (0.5, 0.5, 0)]
        normals = [(-x, y, z) for x, y, z in NORMALS[:4]]
        order = [0, 2, 1, 0, 3, 2]  # as they wind when they are seen
        self.assertLit(self.picture("mirrored", {}, FRONT), [corners[i] for i in order],
                       [normals[i] for i in order], FRONT, {})

    def test_figures_of_a_crowd_share_the_light(self):
        self.put_column("column")
        positions, normals = self.vertices("column", {"clip": "twist", "time": 1})
        shading = {"light": [0.2, 1.5, 1.5]}
        instances, placed = [], []
        for x, y in ((-0.5, 0.1), (0.5, 0.6), (-0.4, 1.1)):
            instances.append({"rig": "column", "pose": {"clip": "twist", "time": 1},
                              "translation": [x, y, 0], "scale": 0.4})
            placed += [(0.4 * p[0] + x, 0.4 * p[1] + y, 0.4 * p[2]) for p in positions]
        reply = self.client.crowd(instances, shading={"mode": "cg4m", **shading}, samples=1,
                                  width=SIZE, height=SIZE, camera=PARALLEL)
        picture = Picture(self.assertStatus(reply, 200).body)
        self.assertLit(picture, placed, normals * 3, PARALLEL, shading, least=100)

    def test_textures_multiply_the_light(self):
        def put(name, **textures):
            tiny = rigs.square(material={**MATERIAL, "emissiveFactor": [0.5, 0.5, 0.5]})
            tiny.add("images", {"bufferView": tiny.view(png([[(188, 99, 255)]])),
                                "mimeType": "image/png"})
            tiny.add("textures", {"source": 0})
            primitive = tiny.json["meshes"][0]["primitives"][0]
            primitive["attributes"]["TEXCOORD_0"] = tiny.accessor([(0.5, 0.5)] * 4, "VEC2")
            material = tiny.json["materials"][0]
            if textures.get("base"):
                material["pbrMetallicRoughness"] = {
                    **material["pbrMetallicRoughness"], "baseColorTexture": {"index": 0}}
            if textures.get("emissive"):
                material["emissiveTexture"] = {"index": 0}
            self.put_rig(name, tiny.glb())
            return self.picture(name, {}, FRONT)[SIZE // 2, SIZE // 2][:3]

        texel = [linear(byte) for byte in (188, 99, 255)]
        middle = ((0, 0, 0), (0, 0, 1), FRONT, {})
        plain = light_of(*middle, emitted=(0.5, 0.5, 0.5))
        self.assertNumbers(put("bare"), [encoded(c) for c in plain], 1)
        self.assertNumbers(put("based", base=True), [encoded(c * t) for c, t in zip(plain, texel)], 1)
        # A texture of emission has no say at a vertex, and neither has its factor then.
        dark = light_of(*middle, emitted=(0, 0, 0))
        self.assertNumbers(put("glowing", emissive=True), [encoded(c) for c in dark], 1)

    def test_what_takes_no_light_shows_its_colour(self):
        unlit = {**MATERIAL, "extensions": {"KHR_materials_unlit": {}}}
        tiny = rigs.square(material=unlit)
        tiny.json["extensionsUsed"] = ["KHR_materials_unlit"]
        self.put_rig("unlit", tiny.glb())
        self.assertNumbers(self.picture("unlit", {}, FRONT)[SIZE // 2, SIZE // 2][:3],
                           [encoded(b) for b in BASE], 1)
        tiny = rigs.square(material=MATERIAL)
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["mode"] = 0
        del primitive["attributes"]["NORMAL"], primitive["indices"]
        self.put_rig("points", tiny.glb())
        found = {p for p in self.picture("points", {}, FRONT).pixels() if p != NOTHING}
        want = [encoded(b + e) for b, e in zip(BASE, EMITTED)]
        self.assertEqual(len(found), 1)
        self.assertNumbers(found.pop()[:3], want, 1)

    def test_links_ask_for_the_same(self):
        self.put_column("column")
        options = {"light": [1, 2.5, -3], "light_color": "#ffd080", "ambient": "#304050",
                   "specular": "#ffffff", "shininess": 7.5}
        frame = self.client.frame("column", shading={"mode": "cg4m", **options}, width=64, height=64)
        link = self.client.picture_link("column", shading="cg4m", width=64, height=64,
                                        **{**options, "light": "1,2.5,-3"})
        self.assertEqual(self.assertStatus(link, 200).body, self.assertStatus(frame, 200).body)
        for light in ("1,2", "1,2,3,4", "1,2,x", "1,,3", ""):
            reply = self.client.picture_link("column", shading="cg4m", light=light)
            self.assertProblem(reply, 400, "invalid-value", parameter="light")


if __name__ == "__main__":
    unittest.main()
