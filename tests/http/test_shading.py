"""Surface shadings: the pixels of every mode against numbers from other requests, or from
the test itself."""
import json
import math
import struct
import unittest
import zlib

import rigs
from case import DaemonCase
from client import PNG, rig_path
from debian import debian_module
from picture import Picture, chunks, unfilter
from tiny import Tiny

UNIT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
FLAT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1]
# x and y from -1 to 1 fill the picture, and distance along the view is -z.
FRONT = {"view": UNIT, "projection": FLAT}
# The same around (0, 1, 0).
UPPER = {"view": UNIT[:12] + [0, -1, 0, 1], "projection": FLAT}
MODES = (
    "material plain matcap cg4m checker silhouette normals weights influences batches depth joint_id primitive_id"
).split()
COLOURS = [mode for mode in MODES if mode != "depth"]
NOTHING = (0, 0, 0, 0)


def linear(byte):
    x = byte / 255
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def encoded(light):
    light = min(max(light, 0), 1)
    x = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(255 * x)


def heat(t):
    """The scale from blue over green to yellow: a curve through Oklab, and Ottosson's matrices."""
    u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
    l = 0.40 + 0.53 * t
    a = 0.03 * u - 0.19 * v - 0.035 * w
    b = -0.13 * u - 0.06 * v + 0.155 * w
    long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (l - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        encoded(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        encoded(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        encoded(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def number(pixel):
    return pixel[0] << 16 | pixel[1] << 8 | pixel[2]


class Depth:
    """A picture of 16 bits of grey with the header that tells what they mean."""

    def __init__(self, reply):
        parts = list(chunks(reply.body))
        self.width, self.height, bits, kind = struct.unpack_from(">IIBB", parts[0][1])
        assert (bits, kind) == (16, 0), (bits, kind)
        raw = zlib.decompress(b"".join(c for name, c in parts if name == b"IDAT"))
        stride, above, self.rows = 2 * self.width, bytes(2 * self.width), []
        for y in range(self.height):
            row = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
            above = unfilter(row[0], row[1:], above, 2)
            self.rows.append(struct.unpack(f">{self.width}H", above))
        self.near, self.far = map(float, reply.headers["Posed-Depth"].split())

    def __getitem__(self, place):
        """Distance along the view; None where nothing is."""
        grey = self.rows[place[1]][place[0]]
        return None if grey == 65535 else self.near + (self.far - self.near) * grey / 65534

    def covered(self):
        return {(x, y) for y, row in enumerate(self.rows) for x, g in enumerate(row) if g != 65535}


class Shadings(DaemonCase):
    def picture(self, rig, shading, pose="rest", **members):
        members = {"width": 128, "height": 128, "camera": FRONT, "samples": 1, **members}
        reply = self.assertStatus(
            self.client.frame(rig, pose, shading=shading, **members), 200
        )
        self.assertEqual(reply.kind, PNG)
        return Picture(reply.body)

    def depth(self, rig, pose="rest", shading="depth", **members):
        members = {"width": 128, "height": 128, "camera": FRONT, **members}
        return Depth(
            self.assertStatus(self.client.frame(rig, pose, shading=shading, **members), 200)
        )

    def assertRefused(self, reply, status, pointer, piece):
        self.assertEqual(reply.status, status, reply)
        problem = reply.json()
        self.assertEqual(problem.get("pointer") or problem.get("parameter"), pointer, problem)
        self.assertIn(piece, problem["detail"])


def tilted(normal):
    """A square whose vertices all have one normal, whatever the surface."""
    tiny = Tiny()
    corners = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)]
    primitive = tiny.primitive(corners, [0, 1, 2, 0, 2, 3], NORMAL=tiny.normals([normal] * 4))
    tiny.node(root=True, name="tilted", mesh=tiny.mesh(primitive))
    return tiny


def two_primitives():
    """Left and right half of a square, the left one nearer; each a primitive of one mesh."""
    tiny = Tiny()
    halves = [
        tiny.primitive([(x, -0.5, z), (x + 0.5, -0.5, z), (x + 0.5, 0.5, z), (x, 0.5, z)],
                       [0, 1, 2, 0, 2, 3])
        for x, z in ((-0.5, 0.25), (0, -0.75))
    ]
    tiny.node(root=True, name="halves", mesh=tiny.mesh(*halves))
    return tiny


def strip(leads):
    """Triangles side by side from x = -0.9 on that share their corners: corner i follows joint
    leads[i][0] with the weight leads[i][1], and for the rest joint 3."""
    tiny = Tiny()
    points = [(-0.9 + 0.2 * i, 0.4 if i % 2 else -0.4, 0) for i in range(len(leads))]
    order = []
    for i in range(len(leads) - 2):
        order += [i, i + 1, i + 2] if i % 2 else [i, i + 2, i + 1]
    nodes = [tiny.node(root=True, name=f"joint {i}") for i in range(4)]
    joints, weights = tiny.influences(
        [(lead, 3, 0, 0) for lead, _ in leads], [(w, 1 - w, 0, 0) for _, w in leads]
    )
    mesh = tiny.mesh(tiny.primitive(points, order, JOINTS_0=joints, WEIGHTS_0=weights))
    tiny.node(root=True, mesh=mesh, skin=tiny.skin(nodes))
    tiny.material(doubleSided=True)
    tiny.json["meshes"][0]["primitives"][0]["material"] = 0
    return tiny, points


class Surfaces(Shadings):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("head")
        cls.put_demo("humanoid")
        cls.put_rig("square", rigs.square().glb())
        cls.put_rig("halves", two_primitives().glb())

    def test_silhouette_is_one_exact_colour(self):
        for color in (None, "#ff8001", "#010203", "#fefdfc"):
            shading = {"mode": "silhouette", **({"color": color} if color else {})}
            want = tuple(bytes.fromhex((color or "#000000")[1:])) + (255,)
            for samples in (1, 4):
                picture = self.picture("square", shading, samples=samples)
                self.assertEqual(set(picture.pixels()), {NOTHING, want})
                self.assertEqual(len(picture.covered()), 64 * 64)

    def test_silhouette_is_where_the_materials_are(self):
        for samples in (1, 4):
            pictures = [
                self.picture("humanoid", mode, {"clip": "Run", "time": 0.3}, samples=samples,
                             camera={"yaw": 40})
                for mode in ("material", "silhouette")
            ]
            alphas = [[pixel[3] for pixel in picture.pixels()] for picture in pictures]
            self.assertEqual(*alphas)

    def test_normals_are_the_bytes_of_their_numbers(self):
        for normal in ((0, 0, 1), (0.6, 0, 0.8), (-0.6, 0.8, 0), (0.48, -0.6, 0.64)):
            self.put_rig("tilted", tilted(normal).glb())
            want = tuple(round(255 * (0.5 * n + 0.5)) for n in normal) + (255,)
            for samples in (1, 4):
                found = set(self.picture("tilted", "normals", samples=samples).pixels())
                found.discard(NOTHING)
                self.assertEqual(len(found), 1)
                # The nearest byte, but where the number is just between two.
                self.assertNumbers(found.pop(), want, 0.5 + 0.6)

    def test_backs_that_are_seen_have_their_own_normals(self):
        tiny = tilted((0.6, 0, 0.8))
        tiny.material(doubleSided=True)
        tiny.json["meshes"][0]["primitives"][0]["material"] = 0
        tiny.json["nodes"][0]["rotation"] = [0, 1, 0, 0]  # half a turn about +Y
        self.put_rig("back", tiny.glb())
        # Turned, the front's normal is (-0.6, 0, -0.8); the back is visible.
        self.assertNumbers(self.picture("back", "normals")[64, 64], (204, 128, 230, 255), 1)

    def head_camera(self):
        """A camera that the head fills, its middle, and pixels of 1024 to a unit."""
        box = self.description("head")["bounds"]
        middle = [(a + b) / 2 for a, b in zip(box["min"], box["max"])]
        zoom = 1.9 / max(b - a for a, b in zip(box["min"], box["max"]))
        projection = [zoom, 0, 0, 0, 0, zoom, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1]
        view = UNIT[:12] + [-m for m in middle] + [1]
        return {"view": view, "projection": projection}, middle, 512 * zoom

    @staticmethod
    def place(point, middle, scale):
        x, y = (a - b for a, b in zip(point[:2], middle))
        return int(512 + x * scale), int(512 - y * scale)

    def test_depth_is_that_of_projected_vertices(self):
        camera, middle, scale = self.head_camera()
        depth = self.depth("head", camera=camera, width=1024, height=1024)
        positions = self.positions("head")
        front = [-(z - middle[2]) for _, _, z in positions]
        # The visible depths lie within the depths of the vertices, and begin at the nearest.
        self.assertAlmostEqual(depth.near, min(front), delta=2 / scale)
        self.assertLess(depth.far, max(front) + 1e-6)
        normals = self.assertStatus(
            self.client.vertices("head", attributes=["normal"]), 200
        ).triples()
        shown = tried = 0
        for point, normal in zip(positions, normals):
            if normal[2] < 0.6:
                continue
            seen = depth[self.place(point, middle, scale)]
            self.assertIsNotNone(seen)
            tried += 1
            shown += abs(seen + point[2] - middle[2]) < 3 / scale
        # But for what another part hides, and edges that bend within a pixel.
        self.assertGreater(shown, 0.9 * tried)
        self.assertGreater(tried, 500)

    def test_depth_is_linear_along_the_view(self):
        depth = self.depth("halves")
        self.assertEqual((depth.near, depth.far), (-0.25, 0.75))
        self.assertEqual(depth[40, 64], -0.25)
        self.assertEqual(depth[88, 64], 0.75)
        # In perspective, too: a slope that is straight in space, 3 to 4 units away.
        tiny = Tiny()
        slope = [(-1, -1, -3), (1, -1, -4), (1, 1, -4), (-1, 1, -3)]
        tiny.node(root=True, mesh=tiny.mesh(tiny.primitive(slope, [0, 1, 2, 0, 2, 3])))
        self.put_rig("slope", tiny.glb())
        projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.02, -1, 0, 0, -0.202, 0]
        depth = self.depth("slope", camera={"view": UNIT, "projection": projection})
        for column in (46, 55, 64, 77):
            # x / -z = share on the plane -z = 3.5 + x / 2.
            share = (column + 0.5) / 64 - 1
            self.assertAlmostEqual(depth[column, 64], 3.5 / (1 - share / 2), delta=1e-3)

    def test_depth_says_in_the_file_what_grey_stands_for(self):
        for shading in ("depth", {"mode": "depth", "near": -0.3, "far": 0.1}):
            reply = self.client.frame(
                "halves", shading=shading, camera=FRONT, width=64, height=64)
            text = next(data for name, data in chunks(reply.body) if name == b"iTXt")
            keyword, said = text.split(b"\0\0\0\0\0")
            self.assertEqual(keyword, b"posed")
            depth = Depth(reply)
            self.assertEqual(
                json.loads(said), {"depth": {"near": depth.near, "far": depth.far}})

    def test_depth_takes_ends_that_are_given(self):
        shading = {"mode": "depth", "near": -1, "far": 3}
        depth = self.depth("halves", shading=shading)
        self.assertEqual((depth.near, depth.far), (-1, 3))
        self.assertAlmostEqual(depth[40, 64], -0.25, delta=4 / 65534)
        cut = self.depth("halves", shading={"mode": "depth", "near": 0, "far": 0.5})
        self.assertEqual((cut[40, 64], cut[88, 64]), (0, 0.5))
        link = self.client.picture_link("halves", shading="depth", near=-1, far=3)
        self.assertEqual(link.headers["Posed-Depth"], "-1 3")

    def test_depth_in_other_formats(self):
        request = {"rig": "halves", "shading": "depth", "camera": FRONT, "width": 64, "height": 64}
        png = Depth(self.client.post("frame", request, accept=PNG))
        octets = self.client.post("frame", request, accept="application/octet-stream")
        self.assertEqual(octets.headers["Posed-Depth"], "-0.25 0.75")
        grey = struct.unpack("<4096H", self.assertStatus(octets, 200).body)
        self.assertEqual([g for row in png.rows for g in row], list(grey))
        # With 8 bits there is room for a background.
        for accept in ("image/jpeg", "image/webp"):
            reply = self.client.post("frame", {**request, "background": "#ff0000"}, accept=accept)
            self.assertEqual(self.assertStatus(reply, 200).headers["Posed-Depth"], "-0.25 0.75")

    def test_depth_of_nothing_is_nothing_everywhere(self):
        away = {"view": UNIT[:12] + [9, 0, 0, 1], "projection": FLAT}
        depth = self.depth("square", camera=away)
        self.assertEqual(depth.covered(), set())
        self.assertEqual((depth.near, depth.far), (0, 0))

    def test_depth_and_ids_cover_what_one_sample_covers(self):
        camera = {"yaw": 20}
        for samples in (1, 4):
            depth = self.depth("humanoid", camera=camera, samples=samples)
            ids = self.picture("humanoid", "joint_id", camera=camera, samples=samples)
            plain = self.picture("humanoid", "plain", camera=camera, samples=1)
            self.assertEqual(depth.covered(), plain.covered())
            self.assertEqual(ids.covered(), plain.covered())
            self.assertEqual({pixel[3] for pixel in ids.pixels()}, {0, 255})

    def test_pillow_reads_depth(self):
        Image = debian_module("PIL.Image")
        import io

        reply = self.client.frame("halves", shading="depth", camera=FRONT, width=64, height=64)
        image = Image.open(io.BytesIO(reply.body))
        image.load()
        self.assertIn(image.mode, ("I", "I;16", "I;16B"))
        own = Depth(reply)
        self.assertEqual(list(image.getdata()), [grey for row in own.rows for grey in row])

    def test_normals_are_those_of_visible_vertices(self):
        def check(device):
            members = {"skinning": {"method": "lbs", "device": device}}
            camera, middle, scale = self.head_camera()
            size = {"camera": camera, "width": 1024, "height": 1024, **members}
            picture = self.picture("head", "normals", **size)
            depth = self.depth("head", **size)
            normals = self.assertStatus(
                self.client.vertices("head", attributes=["normal"], **members), 200
            ).triples()
            tried = good = 0
            for point, normal in zip(self.positions("head", **members), normals):
                place = self.place(point, middle, scale)
                seen = depth[place]
                if normal[2] < 0.6 or abs(seen + point[2] - middle[2]) > 3 / scale:
                    continue
                tried += 1
                want = [255 * (0.5 * n + 0.5) for n in normal]
                good += max(abs(a - b) for a, b in zip(picture[place], want)) < 8
            self.assertGreater(tried, 500)
            # But for seams, and for what bends within a pixel.
            self.assertGreater(good, 0.9 * tried)

        self.for_each_device(check)

    def test_weights_of_a_joint_are_on_the_heat_scale(self):
        tiny = rigs.column([(-0.3, 0.6, 0), (0.3, 0.6, 0), (0.3, 1.4, 0),
                            (-0.3, 0.6, 0), (0.3, 1.4, 0), (-0.3, 1.4, 0)], [(0, 0, 1)] * 6)
        attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
        for share in (0, 0.25, 0.6, 1):
            joints, weights = tiny.influences([(0, 1, 0, 0)] * 6, [(1 - share, share, 0, 0)] * 6)
            attributes.update(JOINTS_0=joints, WEIGHTS_0=weights)
            self.put_rig("shared", tiny.glb())
            told = struct.unpack(
                "<6f", self.client.get(f"{rig_path('shared')}/influences?joint=J1").body
            )
            self.assertNumbers(told, [share] * 6, 1e-6)
            for joint in ("J1", 1):
                shading = {"mode": "weights", "joint": joint}
                picture = self.picture("shared", shading, camera=UPPER)
                self.assertNumbers(picture[64, 64][:3], heat(share), 1)
            other = self.picture("shared", {"mode": "weights", "joint": "J0"}, camera=UPPER)
            self.assertNumbers(other[64, 64][:3], heat(1 - share), 1)

    def test_weights_vary_along_the_cylinder_as_they_are_told(self):
        told = self.client.get(f"{rig_path('cyl2')}/influences?joint=J1").body
        told = struct.unpack(f"<{len(told) // 4}f", told)
        shading = {"mode": "weights", "joint": "J1"}
        picture = self.picture("cyl2", shading, camera=UPPER, width=512, height=512)
        tried = set()
        for (x, y, z), share in zip(self.positions("cyl2"), told):
            if abs(x) < 1e-6 and z > 0.05 and 0.4 < y < 1.6:
                # Just beside the vertex, where the weight is the same to a pixel's height.
                found = picture[256, int(256 - 256 * (y - 1))][:3]
                self.assertNumbers(found, heat(share), 6, (y, share))
                tried.add(round(share, 1))
        self.assertGreater(len(tried), 3)

    def test_weights_of_all_joints_mix_their_colours(self):
        picture = self.picture("cyl2", "weights", camera=UPPER, width=256, height=256)
        lower, upper = picture[128, 128 + 64][:3], picture[128, 128 - 64][:3]
        self.assertGreater(math.dist(lower, upper), 100)
        for y in range(98, 158, 6):
            share = min(max(((128 - (y + 0.5)) / 128 + 0.25) / 0.5, 0), 1)
            mixed = [
                encoded((1 - share) * linear(a) + share * linear(b)) for a, b in zip(lower, upper)
            ]
            self.assertNumbers(picture[128, y][:3], mixed, 6, y)

    def test_neighbours_have_colours_that_differ(self):
        # A hand of many fingers: each joint's square beside those of the others.
        tiny = Tiny()
        count = 16
        points, joints, order = [], [], []
        nodes = [tiny.node(root=i == 0, name=f"j{i}") for i in range(count)]
        tiny.json["nodes"][0]["children"] = list(range(1, count))
        for i in range(count):
            x, y = -0.9 + 0.45 * (i % 4), -0.9 + 0.45 * (i // 4)
            order += [4 * i + k for k in (0, 1, 2, 0, 2, 3)]
            points += [(x, y, 0), (x + 0.4, y, 0), (x + 0.4, y + 0.4, 0), (x, y + 0.4, 0)]
            joints += [(i, 0, 0, 0)] * 4
        j, w = tiny.influences(joints, [(1, 0, 0, 0)] * len(joints))
        mesh = tiny.mesh(tiny.primitive(points, order, JOINTS_0=j, WEIGHTS_0=w))
        tiny.node(root=True, mesh=mesh, skin=tiny.skin(nodes))
        self.put_rig("hand", tiny.glb())
        picture = self.picture("hand", "weights")
        middles = [
            picture[int((-0.7 + 0.45 * (i % 4) + 1) * 64), int((0.7 - 0.45 * (i // 4) + 1) * 64)]
            for i in range(count)
        ]
        for i, a in enumerate(middles):
            for b in middles[:i]:
                self.assertGreater(math.dist(a[:3], b[:3]), 25, middles)

    def test_influences_are_counted(self):
        tiny = Tiny()
        nodes = [tiny.node(root=True, name=f"j{i}") for i in range(5)]
        corners = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)]
        for count, weights in (
            (1, (1, 0, 0, 0)), (2, (0.5, 0.5, 0, 0)), (3, (0.6, 0.3, 0.1, 0)), (4, (0.25,) * 4)
        ):
            joints, numbers = tiny.influences([(0, 1, 2, 3)] * 4, [weights] * 4)
            normals = tiny.normals([(0, 0, 1)] * 4)
            primitive = tiny.primitive(corners, [0, 1, 2, 0, 2, 3], JOINTS_0=joints,
                                       WEIGHTS_0=numbers, NORMAL=normals)
            tiny.json["meshes"] = [{"primitives": [primitive]}]
            tiny.json["nodes"] = tiny.json["nodes"][:5]
            tiny.json["scenes"][0]["nodes"] = list(range(5))
            tiny.json["skins"] = []
            tiny.node(root=True, mesh=0, skin=tiny.skin(nodes))
            self.put_rig("counted", tiny.glb())
            picture = self.picture("counted", "influences")
            self.assertNumbers(picture[64, 64][:3], heat((count - 1) / 3), 1)

    def test_joint_of_a_triangle_is_that_of_most_corners(self):
        # Each triangle's corners are three in a row.
        leads = [(0, 0.9), (0, 0.6), (1, 0.95), (1, 0.6), (2, 0.9), (0, 0.7), (1, 0.8), (2, 1)]
        tiny, points = strip(leads)
        # 001, 011, 112 by count; 120, 201, 012 have a corner each: 2 by 0.9, 2 by 0.9, 2 by 1.
        want = [0, 1, 1, 2, 2, 2]
        primitive = tiny.json["meshes"][0]["primitives"][0]
        indexed = dict(primitive)

        def check(what):
            picture = self.picture("strip", "joint_id")
            for i, joint in enumerate(want):
                x, y = (sum(p[k] for p in points[i : i + 3]) / 3 for k in (0, 1))
                pixel = picture[int((x + 1) * 64), int((1 - y) * 64)]
                self.assertEqual(number(pixel), joint + 1, (what, i))
            found = {number(pixel) for pixel in picture.pixels()}
            self.assertEqual(found, {0} | {joint + 1 for joint in want})

        self.put_rig("strip", tiny.glb())
        check("shared corners")
        loose, order = Tiny(), []
        for i in range(len(leads) - 2):
            order += [i, i + 1, i + 2] if i % 2 else [i, i + 2, i + 1]
        del indexed["indices"]
        loose.json["materials"] = [{"doubleSided": True}]
        nodes = [loose.node(root=True, name=f"joint {i}") for i in range(4)]
        joints, weights = loose.influences(
            [(leads[i][0], 3, 0, 0) for i in order],
            [(leads[i][1], 1 - leads[i][1], 0, 0) for i in order],
        )
        bare = loose.primitive([points[i] for i in order], JOINTS_0=joints, WEIGHTS_0=weights)
        bare["material"] = 0
        loose.node(root=True, mesh=loose.mesh(bare), skin=loose.skin(nodes))
        self.put_rig("strip", loose.glb())
        check("corners of their own")

    def test_joint_ids_are_indices_in_the_file(self):
        by_name = {joint["name"]: joint["index"] for joint in self.description("cyl2")["joints"]}
        picture = self.picture("cyl2", "joint_id", camera=UPPER, samples=4)
        self.assertEqual(number(picture[64, 120]), by_name["J0"] + 1)
        self.assertEqual(number(picture[64, 8]), by_name["J1"] + 1)
        found = {number(pixel) for pixel in picture.pixels()}
        self.assertEqual(found, {0, by_name["J0"] + 1, by_name["J1"] + 1})

    def test_primitive_ids_are_places_in_the_description(self):
        picture = self.picture("halves", "primitive_id", samples=4)
        self.assertEqual(set(picture.pixels()), {NOTHING, (0, 0, 1, 255), (0, 0, 2, 255)})
        self.assertEqual((number(picture[40, 64]), number(picture[88, 64])), (1, 2))

    def test_ids_are_the_rig_s_own_whatever_skins_it(self):
        self.put_demo("tube23")
        for mode in ("primitive_id", "joint_id"):
            want = self.picture("humanoid", mode, camera={"yaw": 0})
            known = {number(pixel) for pixel in want.pixels()}
            for method in ("parts_rigid", "bridge_blend", {"method": "lbs", "kmax": 2}):
                picture = self.picture("humanoid", mode, camera={"yaw": 0}, skinning=method)
                found = {number(pixel) for pixel in picture.pixels()}
                self.assertLessEqual(found, known | set(range(24)), (mode, method))
                different = sum(a != b for a, b in zip(want.pixels(), picture.pixels()))
                self.assertLess(different, 0.1 * len(want.covered()), (mode, method))

    def test_many_primitives_have_numbers_beyond_a_byte(self):
        tiny = Tiny()
        tiny.mesh(tiny.primitive([(-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.5, 0)]))
        for i in range(300):
            tiny.node(root=True, mesh=0, translation=[0, 0, i / 100])
        self.put_rig("many", tiny.glb())
        self.assertEqual(self.picture("many", "primitive_id")[64, 64], (0, 1, 300 - 256, 255))
        self.assertEqual(self.picture("many", "joint_id")[64, 64], (0, 1, 300 - 256, 255))

    def test_holes_are_holes_and_all_else_is_opaque(self):
        for mode in COLOURS[2:] + ["depth"]:
            for alpha, more, there in (
                (0.4, {"alphaMode": "MASK"}, False),
                (0.6, {"alphaMode": "MASK"}, True),
                (0.1, {"alphaMode": "BLEND"}, True),
                (0, {"alphaMode": "BLEND"}, False),
                (0, {"alphaMode": "OPAQUE"}, True),
            ):
                factor = {"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, alpha]}, **more}
                self.put_rig("cut", rigs.square(material=factor).glb())
                draw = self.depth if mode == "depth" else lambda rig: self.picture(rig, mode)
                with self.subTest(mode=mode, alpha=alpha, **more):
                    picture = draw("cut")
                    self.assertEqual(len(picture.covered()), 64 * 64 if there else 0)
                    if there and mode != "depth":
                        self.assertEqual(picture[64, 64][3], 255)

    def test_lines_and_points_are_drawn_in_every_mode(self):
        for kind, topology in (("lines", 1), ("points", 0)):
            tiny = Tiny()
            primitive = tiny.primitive([(-0.5, 0, 0), (0.5, 0, 0)])
            primitive["mode"] = topology
            tiny.node(root=True, mesh=tiny.mesh(primitive))
            self.put_rig(kind, tiny.glb())
            for mode in COLOURS[2:]:
                self.assertTrue(self.picture(kind, mode).covered(), (kind, mode))
            self.assertTrue(self.depth(kind).covered())

    def test_clay_goes_along_with_the_camera(self):
        # A square seen from the front looks the same from wherever that is.
        self.put_rig("turned", self.turned_square())
        seen = set()
        for rig, yaw in (("square", 0), ("turned", 90)):
            picture = self.picture(rig, "matcap", camera={"yaw": yaw, "pitch": 0, "distance": 500,
                                                           "fov": 0.5})
            seen.add(picture[64, 64])
        self.assertEqual(len(seen), 1, seen)
        # A surface tilted towards the light, over the left shoulder, is lighter.
        self.put_rig("tilted", tilted((-0.48, 0.6, 0.64)).glb())
        light = sum(self.picture("tilted", "matcap")[64, 64][:3])
        self.put_rig("tilted", tilted((0.48, -0.6, 0.64)).glb())
        self.assertGreater(light, sum(self.picture("tilted", "matcap")[64, 64][:3]) + 100)

    @staticmethod
    def turned_square():
        tiny = rigs.square()
        tiny.json["nodes"][0]["rotation"] = [0, math.sqrt(0.5), 0, math.sqrt(0.5)]
        return tiny.glb()

    def squares(self, picture, y):
        """Lengths of the runs of light and dark pixels in a row, without the first and the last."""
        row = [picture[x, y] for x in range(picture.width)]
        light = [pixel[0] > 150 for pixel in row if pixel[3] == 255]
        runs = [0]
        for before, now in zip(light, light[1:]):
            runs[-1] += 1
            if before != now:
                runs.append(0)
        return runs[1:-1]

    def test_squares_are_counted_along_the_texture_or_the_longest_side(self):
        tiny = rigs.square()
        primitive = tiny.json["meshes"][0]["primitives"][0]
        primitive["attributes"]["TEXCOORD_0"] = tiny.accessor(
            [(0, 0.5), (0.5, 0.5), (0.5, 0), (0, 0)], "VEC2"
        )
        self.put_rig("mapped", tiny.glb())
        for squares in (8, 16):
            shading = {"mode": "checker", "squares": squares}
            # Half of the texture lies on the 64 pixels of the mapped square.
            for rig, size in (("mapped", 128 / squares), ("square", 64 / squares)):
                runs = self.squares(self.picture(rig, shading), 64 - 3)
                self.assertNumbers(runs, [size] * len(runs), 1, (rig, squares))
                self.assertGreater(len(runs), 0)

    def test_squares_stretch_with_the_surface(self):
        shading = {"mode": "checker", "squares": 8}
        self.put_rig("mover", self.wide_square())
        wide = {"set": "rest", "joints": {"square": {"scale": [2, 1, 1]}}}
        for pose, size in (("rest", 8), (wide, 16)):
            runs = self.squares(self.picture("mover", shading, pose), 64 - 3)
            self.assertNumbers(runs, [size] * len(runs), 1)

    @staticmethod
    def wide_square():
        return rigs.square().glb()

    def test_finest_squares_are_even_grey(self):
        picture = self.picture("square", {"mode": "checker", "squares": 1024})
        inside = {picture[x, y] for x in range(40, 88) for y in range(40, 88)}
        self.assertLess(max(p[0] for p in inside) - min(p[0] for p in inside), 60)

    def test_same_request_same_bytes_on_every_device_alike(self):
        pose = {"clip": "Run", "time": 0.2}
        for mode in MODES:
            bodies = {
                self.client.frame("humanoid", pose, shading=mode, width=96, height=96).body
                for _ in range(2)
            }
            self.assertEqual(len(bodies), 1, mode)

        for mode in COLOURS:
            pictures = [
                self.picture("humanoid", mode, pose, camera={"yaw": 20},
                             skinning={"method": "lbs", "device": device})
                for device in self.devices()
            ]
            for picture in pictures[1:]:
                self.assertLess(pictures[0].differing(picture, 2), 10, mode)

    def test_backgrounds_lie_behind_every_mode(self):
        for mode in COLOURS:
            if mode in ("joint_id", "primitive_id"):
                continue
            picture = self.picture("square", mode, background="#12ab34")
            self.assertEqual(picture[3, 3], (0x12, 0xAB, 0x34, 255), mode)
            picture = self.picture("square", mode, background="#12ab3480")
            self.assertNumbers(picture[3, 3], (0x12, 0xAB, 0x34, 0x80), 1, mode)


class Legends(Shadings):
    """Strips below the figure."""

    SIZE = {"width": 240, "height": 240, "background": "#ffffff", "camera": {"yaw": 20}}
    WHITE = (255, 255, 255, 255)

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("humanoid")

    def strip_of(self, picture, rig, shading):
        """The top of the strip: above it, the picture equals the frame of that height, pixel by pixel."""
        for height in range(60, 240):
            if all(p == self.WHITE for y in range(height, height + 3) for p in picture.rows[y]):
                size = {**self.SIZE, "height": height}
                plain = self.picture(rig, shading, samples=4, **size)
                if plain.rows == picture.rows[:height]:
                    return picture.rows[height:]
        raise AssertionError("no height of a frame is that of the figure above the strip")

    def test_scale_goes_from_no_weight_to_all(self):
        shading = {"mode": "weights", "joint": "J1"}
        picture = self.picture("cyl2", {**shading, "legend": True}, samples=4, **self.SIZE)
        strip = self.strip_of(picture, "cyl2", shading)
        bar = next(row for row in strip if row[120][:3] not in ((255, 255, 255), (28, 28, 28)))
        bar = [pixel[:3] for pixel in bar if pixel != self.WHITE]
        for i in range(0, len(bar), 9):
            self.assertNumbers(bar[i], heat(i / (len(bar) - 1)), 1)

    def test_list_has_the_colours_that_are_drawn(self):
        for rig, shading, least in (("humanoid", "weights", 12), ("cyl2", "weights", 2)):
            picture = self.picture(rig, {"mode": shading, "legend": True}, samples=4, **self.SIZE)
            strip = self.strip_of(picture, rig, shading)
            colours = {p[:3] for row in strip for p in row if max(p[:3]) - min(p[:3]) > 25}
            self.assertGreaterEqual(len(colours), least)
        # Faces towards the eye at the cylinder's ends have exactly the colours of the list.
        front = self.picture("cyl2", "weights", camera=UPPER)
        for y in (4, 124):
            near = min(max(abs(a - b) for a, b in zip(front[64, y], c)) for c in colours)
            self.assertLessEqual(near, 1)

    def test_steps_of_influences_are_listed(self):
        picture = self.picture(
            "humanoid", {"mode": "influences", "legend": True}, samples=4, **self.SIZE
        )
        strip = self.strip_of(picture, "humanoid", "influences")
        pixels = {pixel[:3] for row in strip for pixel in row}
        for step in range(4):
            self.assertIn(heat(step / 3), pixels)

    def test_pictures_without_room_or_figure_are_refused(self):
        shading = {"mode": "weights", "legend": True}
        for size, pointer in (({"height": 30}, "/height"), ({"width": 12}, "/width")):
            reply = self.client.frame("humanoid", shading=shading, **size)
            self.assertRefused(reply, 400, pointer, "pixels")
        reply = self.client.crowd([{"rig": "cyl2"}], shading=shading)
        self.assertRefused(reply, 400, "/shading/legend", "frame")
        reply = self.client.compare("cyl2", accept=PNG, shading=shading)
        self.assertRefused(reply, 400, "/shading/legend", "frame")
        reply = self.client.frame("cyl2", shading={"mode": "depth", "legend": True})
        self.assertRefused(reply, 400, "/shading/legend", "known are: mode, near, far")
        link = self.client.picture_link("cyl2", shading="weights", legend="true", width=99)
        body = self.client.frame("cyl2", shading=shading, width=99).body
        self.assertEqual(self.assertStatus(link, 200).body, body)
        reply = self.client.picture_link("cyl2", shading="weights", legend="yes")
        self.assertRefused(reply, 400, "legend", "true")

    def test_unknown_joints_are_named_before_anything_is_drawn(self):
        shading = {"mode": "weights", "joint": "J9", "legend": True}
        self.assertRefused(
            self.client.frame("cyl2", shading=shading), 404, "/shading/joint", "J9"
        )


class Others(Shadings):
    """The same modes in crowds, comparisons and links; and refusals."""

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_rig("square", rigs.square().glb())
        cls.put_rig("halves", two_primitives().glb())

    def test_crowd_of_one_is_the_frame(self):
        members = {"camera": UPPER, "width": 96, "height": 96}
        for mode in MODES:
            frame = self.client.frame("cyl2", shading=mode, **members)
            crowd = self.client.crowd([{"rig": "cyl2"}], shading=mode, **members)
            self.assertEqual(self.assertStatus(crowd, 200).body, frame.body, mode)
            self.assertEqual(
                crowd.headers.get("Posed-Depth"), frame.headers.get("Posed-Depth")
            )

    def test_crowds_of_many_are_each_in_their_place(self):
        instances = [
            {"rig": rig, "translation": [x, 0, z], "scale": 0.5}
            for rig, x, z in (("square", -0.5, 0), ("square", 0.5, -1), ("halves", 0, 0.5))
        ]
        members = {"camera": FRONT, "width": 128, "height": 128}
        for mode in MODES[2:]:
            self.assertStatus(self.client.crowd(instances, shading=mode, **members), 200)
        depth = Depth(self.client.crowd(instances, shading="depth", **members))
        self.assertAlmostEqual(depth[24, 64], 0, delta=1e-4)
        self.assertAlmostEqual(depth[104, 64], 1, delta=1e-4)
        self.assertAlmostEqual(depth[56, 64], -0.625, delta=1e-4)
        ids = Picture(self.client.crowd(instances, shading="primitive_id", **members).body)
        self.assertEqual([number(ids[x, 64]) for x in (24, 56, 72, 104)], [1, 1, 2, 1])

    def test_crowd_names_a_joint_that_one_rig_lacks(self):
        reply = self.client.crowd(
            [{"rig": "cyl2"}, {"rig": "square"}], shading={"mode": "weights", "joint": "J1"}
        )
        self.assertRefused(reply, 404, "/shading/joint", "J1")

    def test_comparisons_take_modes_but_where_they_cannot(self):
        reply = self.client.compare("cyl2", accept=PNG, shading="normals", width=256, height=160)
        self.assertGreater(len(set(Picture(self.assertStatus(reply, 200).body).pixels())), 50)
        for members in (
            {"shading": "depth"},
            {"shading": "normals", "view": "heat"},
        ):
            reply = self.client.compare("cyl2", accept=PNG, **members)
            self.assertRefused(reply, 400, "/shading", "shading")

    def test_links_take_modes_and_options(self):
        size = {"width": 96, "height": 96}
        for query, shading in (
            ({"shading": "normals"}, "normals"),
            ({"shading": "weights", "joint": "J1"}, {"mode": "weights", "joint": "J1"}),
            ({"shading": "weights", "joint": "1"}, {"mode": "weights", "joint": 1}),
            ({"shading": "checker", "squares": 9}, {"mode": "checker", "squares": 9}),
            ({"shading": "silhouette", "color": "#336699"},
             {"mode": "silhouette", "color": "#336699"}),
        ):
            link = self.assertStatus(self.client.picture_link("cyl2", **query, **size), 200)
            self.assertEqual(link.body, self.client.frame("cyl2", shading=shading, **size).body)

    def test_what_is_wrong_is_named(self):
        for shading, status, pointer, piece in (
            ("toon", 400, "/shading", "material, plain, matcap"),
            ({"mode": "toon"}, 400, "/shading/mode", "primitive_id"),
            ({}, 400, "/shading", "mode"),
            ({"mode": "normals", "joint": "J1"}, 400, "/shading/joint", "known are: mode"),
            ({"mode": "weights", "joint": "J9"}, 404, "/shading/joint", "J9"),
            ({"mode": "weights", "joint": 77}, 404, "/shading/joint", "77"),
            ({"mode": "weights", "joint": None}, 400, "/shading/joint", "joint"),
            ({"mode": "silhouette", "color": "red"}, 400, "/shading/color", "#rrggbb"),
            ({"mode": "silhouette", "color": "#11223344"}, 400, "/shading/color", "opaque"),
            ({"mode": "silhouette", "color": "transparent"}, 400, "/shading/color", "opaque"),
            ({"mode": "checker", "squares": 0}, 400, "/shading/squares", "from 1 to 1024"),
            ({"mode": "depth", "near": 2, "far": 1}, 400, "/shading/far", "above 2"),
            ({"mode": "depth", "near": "2"}, 400, "/shading/near", "number"),
        ):
            with self.subTest(shading=shading):
                self.assertRefused(
                    self.client.frame("cyl2", shading=shading), status, pointer, piece
                )
        reply = self.client.picture_link("cyl2", shading="weights", joint="Nose")
        self.assertRefused(reply, 404, "joint", "Nose")
        reply = self.client.picture_link("cyl2", joint="J1")
        self.assertRefused(reply, 400, "shading", "parameter \"shading\"")
        for mode in ("depth", "joint_id", "primitive_id"):
            reply = self.client.frame("cyl2", shading=mode, overlays=["skeleton"])
            self.assertRefused(reply, 400, "/overlays", "numbers")
        for accept in ("image/jpeg", "image/webp"):
            request = {"rig": "cyl2", "shading": "joint_id", "background": "#000000"}
            reply = self.client.post("frame", {**request, "lossless": False}, accept=accept)
            self.assertRefused(reply, 400, "/shading", accept)
        reply = self.client.frame("cyl2", shading="depth", background="#ffffff")
        self.assertRefused(reply, 400, "/background", "65535")

    def test_backgrounds_are_no_ids(self):
        requests = (
            ("frame", {"rig": "cyl2"}),
            ("crowd", {"instances": [{"rig": "cyl2"}]}),
            ("compare", {"rig": "cyl2", "methods": ["lbs", "dqs"]}),
            ("frames", {"rig": "cyl2", "turntable": 2}),
        )
        for shading in ("joint_id", "primitive_id"):
            for route, request in requests:
                request = {**request, "shading": shading, "width": 64, "height": 64}
                for background in ("#000001", "#00010000"):
                    reply = self.client.post(
                        route, {**request, "background": background}, accept="image/*"
                    )
                    self.assertRefused(reply, 400, "/background", "an id")
                reply = self.client.post(
                    route, {**request, "background": "#000000"}, accept="image/*"
                )
                self.assertStatus(reply, 200)
        reply = self.client.picture_link("cyl2", shading="joint_id", background="#ffffff")
        self.assertRefused(reply, 400, "background", "an id")


if __name__ == "__main__":
    unittest.main()
