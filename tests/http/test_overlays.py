"""Overlays of pictures: pixels compared with joints, vertices and pictures of other times."""
import math

import rigs
from case import DaemonCase
from picture import Picture
from tiny import Tiny

UNIT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
JOINT = (0xFF, 0x9F, 0x1C, 255)
BOX = (0x0E, 0xA5, 0xE9, 255)
NORMAL = (0x25, 0x63, 0xEB, 255)
NOW = (255, 255, 255, 255)
FIRST_TRAIL = (0xE6, 0x9F, 0x00, 255)
RED = (255, 0, 0, 255)
AXES = ((0xE5, 0x2B, 0x3D, 255), (0x2F, 0xB3, 0x44, 255), (0x2F, 0x6F, 0xED, 255))
RUN = {"clip": "Run", "time": 0.2, "loop": "repeat"}


def turned_camera(yaw, target, distance, fov=30):
    """An explicit perspective that orbits, column-major, and what it does with points."""
    s, c = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    eye = [target[0] + distance * s, target[1], target[2] + distance * c]
    right, up, back = (c, 0, -s), (0, 1, 0), (s, 0, c)
    view = [
        number
        for column in range(3)
        for number in (right[column], up[column], back[column], 0)
    ]
    view += [-sum(a * b for a, b in zip(axis, eye)) for axis in (right, up, back)] + [1]
    f, near, far = 1 / math.tan(math.radians(fov) / 2), 0.1, 100
    projection = [f, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1]
    projection += [0, 0, 2 * far * near / (near - far), 0]
    return {"view": view, "projection": projection}


def times(matrix, vector):
    return [sum(matrix[4 * k + i] * vector[k] for k in range(4)) for i in range(4)]


def project(camera, point, side):
    """The pixel that a point of the world falls into."""
    clip = times(camera["projection"], times(camera["view"], [*point, 1]))
    x, y = clip[0] / clip[3], clip[1] / clip[3]
    return math.floor((x + 1) / 2 * side), math.floor((1 - y) / 2 * side)


def place(joint):
    return joint["world"][12:15]


class Overlays(DaemonCase):
    CAMERA = turned_camera(40, (0, 0.9, 0), 4.2)

    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_demo("cyl2")
        cls.put_rig("square", rigs.square(1, 1).glb())
        cls.put_rig("column", rigs.column([(0, 0, 0), (0.2, 0, 0), (0, 2, 0)]).glb())

    def picture(self, rig, pose, overlays, side=256, **members):
        members = {"camera": self.CAMERA, "samples": 1, **members}
        reply = self.client.frame(
            rig, pose, width=side, height=side, overlays=overlays, **members
        )
        return Picture(self.assertStatus(reply, 200).body)


class Skeleton(Overlays):
    def test_every_joint_is_seen_where_its_world_matrix_has_it(self):
        description = self.description("humanoid")
        joints = self.joints("humanoid", RUN)
        self.assertGreater(len(joints), 15)
        for name in (joint["name"] for joint in description["joints"]):
            with self.subTest(joint=name):
                overlay = {"overlay": "skeleton", "joints": [name]}
                at = project(self.CAMERA, place(joints[name]), 256)
                self.assertEqual(self.picture("humanoid", RUN, [overlay])[at], JOINT)
                self.assertEqual(self.picture("humanoid", RUN, [overlay], samples=4)[at], JOINT)

    def test_bones_lead_from_joint_to_joint_through_the_surface(self):
        # The bone of the column stands in the air, and alpha is right there.
        picture = self.picture("column", "rest", ["skeleton"], camera=turned_camera(90, (0, 1, 0), 6))
        lower, upper = (0, 0, 0), (0, 1, 0)
        camera = turned_camera(90, (0, 1, 0), 6)
        self.assertEqual(picture[project(camera, lower, 256)], JOINT)
        self.assertEqual(picture[project(camera, upper, 256)], JOINT)
        for share in (0.3, 0.5, 0.7):
            self.assertEqual(
                picture[project(camera, (0, share, 0), 256)], (0xF2, 0xF4, 0xF8, 255)
            )
        self.assertEqual(picture[10, 10], (0, 0, 0, 0))

    def test_bones_go_to_the_nearest_joint_above_that_is_shown(self):
        def inked(joints):
            overlay = {"overlay": "skeleton", "joints": joints}
            return self.picture("humanoid", RUN, [overlay]).covered()

        plain = self.picture("humanoid", RUN, []).covered()
        chain = inked(["Hips", "LeftFoot"])
        joints = self.joints("humanoid", RUN)
        ends = place(joints["Hips"]), place(joints["LeftFoot"])
        middle = [(a + b) / 2 for a, b in zip(*ends)]
        picture = self.picture(
            "humanoid", RUN, [{"overlay": "skeleton", "joints": ["Hips", "LeftFoot"]}]
        )
        self.assertEqual(picture[project(self.CAMERA, middle, 256)], (0xF2, 0xF4, 0xF8, 255))
        self.assertTrue(plain <= chain)

    def test_without_names_those_are_shown_that_move_vertices(self):
        # Tip and root have weight; what is between them is shown, a pole and what is below the
        # tip is not.
        places = {"root": (0, 0, 0), "between": (0, 0.5, 0), "tip": (0, 1, 0),
                  "end": (0, 1.5, 0), "pole": (0.7, 0, 0)}
        camera = turned_camera(0, (0, 0.75, 0), 5)

        def seen(rig):
            overlays = ["skeleton", {"overlay": "trails", "times": [-1, 1]}]
            pictures = [self.picture(rig, "rest", [one], camera=camera) for one in overlays]
            return [
                {name for name, point in places.items()
                 if picture[project(camera, point, 256)] == marker}
                for picture, marker in zip(pictures, (JOINT, NOW))
            ]

        tiny = Tiny()
        tiny.node(root=True, name="root", children=[1, 4])
        tiny.node(name="between", translation=[0, 0.5, 0], children=[2])
        tiny.node(name="tip", translation=[0, 0.5, 0], children=[3])
        tiny.node(name="end", translation=[0, 0.5, 0])
        tiny.node(name="pole", translation=[0.7, 0, 0])
        self.put_rig("bare", tiny.glb())
        joints, weights = tiny.influences([(0, 2, 4, 0)] * 3, [(0.5, 0.5, 0, 0)] * 3)
        mesh = tiny.mesh(tiny.primitive(rigs.TRIANGLE, JOINTS_0=joints, WEIGHTS_0=weights))
        tiny.node(root=True, name="mesh", mesh=mesh, skin=tiny.skin([0, 1, 2, 3, 4]))
        self.put_rig("poled", tiny.glb())
        self.assertEqual(seen("poled"), [{"root", "between", "tip"}, {"tip"}])
        self.assertEqual(seen("bare"), [set(places), {"end", "pole"}])

    def test_axes_point_as_the_joint_is_turned(self):
        pose = {"clip": "bend", "time": 1}
        camera = turned_camera(20, (0, 1, 0), 6)
        overlay = {"overlay": "skeleton", "joints": ["J1"], "axes": True}
        world = self.joints("column", pose)["J1"]["world"]
        picture = self.picture("column", pose, [overlay], side=512, camera=camera, samples=4)
        for axis, color in enumerate(AXES):
            tip = [world[12 + k] + 0.05 * world[4 * axis + k] for k in range(3)]
            found = picture[project(camera, tip, 512)]
            if axis == 2:  # towards the viewer: the marker is in front of its start
                continue
            self.assertEqual(found, color, axis)

    def test_names_are_written_beside_their_joints(self):
        without = self.picture("humanoid", RUN, ["skeleton"], side=512)
        for names in (["Head"], True):
            overlay = {"overlay": "skeleton", "names": names}
            written = self.picture("humanoid", RUN, [overlay], side=512)
            changed = [
                (x, y)
                for y in range(512)
                for x in range(512)
                if written[x, y] != without[x, y]
            ]
            self.assertGreater(len(changed), 50)
            self.assertIn(NOW, {written[at] for at in changed})  # white letters
            if names is not True:
                at = project(self.CAMERA, place(self.joints("humanoid", RUN)["Head"]), 512)
                for x, y in changed:
                    self.assertLess(math.dist((x, y), at), 70)
        self.assertGreater(len(changed), 2000)

    def test_names_without_letters_are_their_index(self):
        def written(name):
            tiny = rigs.column([(0, 0, 0), (0.2, 0, 0), (0, 2, 0)])
            tiny.json["nodes"][1]["name"] = name
            self.put_rig("named", tiny.glb())
            camera = turned_camera(0, (0, 1, 0), 6)
            picture = self.picture(
                "named", "rest",
                [{"overlay": "skeleton", "joints": ["J0"], "names": [name]}], camera=camera)
            legend = self.picture(
                "named", "rest", [], camera=camera, side=128,
                shading={"mode": "weights", "legend": True})
            return picture.rows, legend.rows

        self.assertEqual(written("\u5de6\u624b"), written("#1"))
        self.assertEqual(written("\u00e4"), written("#1"))
        self.assertNotEqual(written("?"), written("#1"))

    def test_names_are_legible_where_nothing_else_is(self):
        # Straight alpha: ink over nothing is as white as over the figure.
        overlay = {"overlay": "skeleton", "names": True}
        picture = self.picture("humanoid", RUN, [overlay], side=512)
        plain = self.picture("humanoid", RUN, ["skeleton"], side=512)
        letters = [
            picture[x, y]
            for y in range(512)
            for x in range(512)
            if plain[x, y][3] == 0 and picture[x, y][3] > 0
        ]
        self.assertIn(NOW, letters)

    def test_sizes_follow_the_picture(self):
        # The share of pixels that the skeleton takes is the same at both sizes.
        shares = []
        for side in (256, 1024):
            bare = self.picture("humanoid", RUN, [], side=side)
            drawn = self.picture("humanoid", RUN, ["skeleton"], side=side)
            differing = sum(a != b for a, b in zip(bare.pixels(), drawn.pixels()))
            shares.append(differing / side**2)
        self.assertAlmostEqual(shares[0] / shares[1], 1, delta=0.06)


class Bounds(Overlays):
    needs_driver = True

    def assertBox(self, least, most, of=None):
        overlay = {"overlay": "bounds", **({"of": of} if of else {})}
        # From above and the side, so that all corners are outside of the figure.
        picture = self.picture("humanoid", RUN, [overlay], side=1024)
        seen = 0
        for corner in range(8):
            point = [(most if corner >> k & 1 else least)[k] for k in range(3)]
            at = project(self.CAMERA, point, 1024)
            self.assertTrue(0 <= at[0] < 1024 and 0 <= at[1] < 1024, at)
            seen += picture[at] == BOX
        self.assertGreaterEqual(seen, 6)  # two at most are behind the figure

    def test_corners_are_the_extremes_of_the_vertices(self):
        points = self.positions("humanoid", RUN)
        self.assertBox([min(p[k] for p in points) for k in range(3)],
                       [max(p[k] for p in points) for k in range(3)])

    def test_of_rest_and_of_the_clip(self):
        bounds = self.description("humanoid")["bounds"]
        self.assertBox(bounds["min"], bounds["max"], "rest")
        clips = self.client.get("/v1/rigs/humanoid?bounds=clips").json()["clips"]
        bounds = next(clip for clip in clips if clip["name"] == "Run")["bounds"]
        self.assertBox(bounds["min"], bounds["max"], "clip")

    def test_method_and_device_change_nothing(self):
        def run(device):
            points = self.positions("humanoid", RUN, skinning={"method": "dqs", "device": device})
            overlay = ["bounds", "wireframe", "normals"]
            picture = self.picture(
                "humanoid", RUN, overlay, side=1024, skinning={"method": "dqs", "device": device}
            )
            corner = [min(p[0] for p in points), max(p[1] for p in points), max(p[2] for p in points)]
            self.assertEqual(picture[project(self.CAMERA, corner, 1024)], BOX)

        self.for_each_device(run)


class Lines(Overlays):
    # x and y from -2 to 2, and half a pixel to the side so that edges run through pixels' middles.
    FLAT = [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1]

    def flat(self, side):
        return {"view": UNIT[:12] + [2 / side, -2 / side, 0, 1], "projection": self.FLAT}

    def test_edges_are_drawn_where_they_are(self):
        side = 1024
        overlay = {"overlay": "wireframe", "color": "#ff0000"}
        picture = self.picture("square", "rest", [overlay], side=side, camera=self.flat(side))
        scale = side / 4
        middles = [(0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0), (0, 0)]
        for x, y in middles:
            at = math.floor(side / 2 + 0.5 + x * scale), math.floor(side / 2 + 0.5 - y * scale)
            self.assertEqual(picture[at], RED, (x, y))
        # Within the triangles, and outside, there are none.
        for x, y in ((0.2, -0.2), (-0.2, 0.2), (0.7, 0.7)):
            at = math.floor(side / 2 + x * scale), math.floor(side / 2 - y * scale)
            self.assertNotEqual(picture[at], RED, (x, y))

    def test_edges_behind_a_surface_are_hidden(self):
        tiny = rigs.square(2, 2)
        back = [(-0.5, -0.5, -1), (0.5, -0.5, -1), (0.5, 0.5, -1)]
        tiny.node(root=True, name="back", mesh=tiny.mesh(tiny.primitive(back)))
        self.put_rig("two", tiny.glb())
        overlay = {"overlay": "wireframe", "color": "#ff0000"}
        picture = self.picture("two", "rest", [overlay], side=1024, camera=self.flat(1024))
        at = math.floor(512.5 + 0.1 * 256), math.floor(512.5 + 0.5 * 256)  # of the far one
        self.assertNotEqual(picture[at], RED)
        self.assertEqual(picture[math.floor(512.5), math.floor(512.5 + 256)], RED)

    def test_normals_end_where_they_point(self):
        tiny = Tiny()
        corners = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.5, 0)]
        normals = tiny.normals([(0, 0, 1), (1, 0, 0), (0, 1, 0)])
        tiny.node(root=True, mesh=tiny.mesh(tiny.primitive(corners, NORMAL=normals)))
        self.put_rig("pointed", tiny.glb())
        overlay = {"overlay": "normals", "length": 0.5}
        picture = self.picture("pointed", "rest", [overlay], side=512, samples=4, camera=self.flat(512))
        for x, y, drawn in ((0.9, -0.5, True), (1.1, -0.5, False), (0, 0.9, True), (0, 1.1, False)):
            at = math.floor(256.5 + x * 128), math.floor(256.5 - y * 128)
            found = max(
                picture[at[0] + dx, at[1] + dy][3] for dx in (-1, 0, 1) for dy in (-1, 0, 1)
            )
            self.assertEqual(found > 100, drawn, (x, y))


class Times(Overlays):
    needs_driver = True
    POSE = {"clip": "bend", "time": 0.5}
    LOOK = turned_camera(0, (0, 1, 0), 6)

    def test_trails_go_through_the_joint_at_other_times(self):
        seconds = [-0.5, -0.25, 0, 0.25, 0.5]
        tiny = rigs.mover(go=("translation", [0, 1], [(-1, 0, 0), (1, 1, 0)], "LINEAR"))
        self.put_rig("mover", tiny.glb())
        pose = {"clip": "go", "time": 0.5}
        overlay = {"overlay": "trails", "joints": ["mover"], "times": seconds}
        picture = self.picture("mover", pose, [overlay], camera=self.LOOK, samples=4)
        for second in seconds:
            moved = {"clip": "go", "time": 0.5 + second}
            at = project(self.LOOK, place(self.joints("mover", moved)["mover"]), 256)
            self.assertEqual(picture[at], FIRST_TRAIL if second else NOW, second)

    def test_each_of_many_trails_has_a_colour_of_its_own(self):
        tiny, count = rigs.triangle(), 12
        for i in range(count):
            tiny.node(root=True, name=f"j{i}", translation=[-1, 0.15 * i, 0])
        rows = lambda i: [(-1, 0.15 * i, 0), (1, 0.15 * i, 0)]
        tiny.clip(
            [(i + 1, "translation", [0, 1], rows(i), "LINEAR") for i in range(count)], name="go")
        self.put_rig("many", tiny.glb())
        overlay = {"overlay": "trails", "joints": [f"j{i}" for i in range(count)],
                   "times": {"start": 0, "end": 1, "count": 3}}
        picture = self.picture(
            "many", {"clip": "go", "time": 0}, [overlay], side=512, camera=self.LOOK)
        colours = [picture[project(self.LOOK, (0, 0.15 * i, 0), 512)] for i in range(count)]
        for i, a in enumerate(colours):
            for b in colours[:i]:
                self.assertGreater(math.dist(a, b), 25, colours)

    def test_without_times_they_span_the_clip(self):
        tiny = rigs.mover(go=("translation", [0, 2], [(-1, 0, 0), (1, 1, 0)], "LINEAR"))
        self.put_rig("slow", tiny.glb())
        for pose in (
            {"clip": "go", "time": 0.5},
            {"clip": "go", "time": 0.5, "loop": "repeat"},
            {"scale_time": {"clip": "go", "time": 0.5}, "factor": 2},
        ):
            picture = self.picture("slow", pose, ["trails"], camera=self.LOOK, samples=4)
            for point in ((-1, 0, 0), (1, 1, 0), (0.5, 0.75, 0)):
                x, y = project(self.LOOK, point, 256)
                around = {picture[x + i, y + j] for i in (-2, 0, 2) for j in (-1, 0, 1)}
                self.assertIn(FIRST_TRAIL, around, (pose, point))

    def test_without_times_they_span_the_longest_clip(self):
        # Half way through the long one, at the start of the short: at any place in the list.
        tiny = rigs.mover(
            long=("translation", [0, 2], [(-1, 0, 0), (1, 1, 0)], "LINEAR"),
            short=("rotation", [0, 1], [(0, 0, 0, 1), (0, 0, 0, 1)], "LINEAR"),
        )
        self.put_rig("both", tiny.glb())
        long = {"pose": {"clip": "long", "time": 1}, "weight": 1}
        short = {"pose": {"clip": "short", "time": 0}, "weight": 1}
        backwards = {"reverse": {"clip": "long", "time": 0.25}}
        for pose in ({"blend": [long, short]}, {"blend": [short, long]}, backwards):
            picture = self.picture("both", pose, ["trails"], camera=self.LOOK, samples=4)
            for point in ((-1, 0, 0), (1, 1, 0), (0.5, 0.75, 0)):
                x, y = project(self.LOOK, point, 256)
                around = {picture[x + i, y + j] for i in (-2, 0, 2) for j in (-1, 0, 1)}
                self.assertIn(FIRST_TRAIL, around, (pose, point))

    def test_the_onion_is_the_figure_at_that_time(self):
        for rig, pose, later in (
            ("humanoid", RUN, 0.2),
            ("humanoid", {"clip": "Run", "time": 0.4}, -0.15),
            ("cyl2", {"clip": "twist", "time": 0}, 1.5),
        ):
            with self.subTest(rig=rig, later=later):
                camera = self.CAMERA if rig == "humanoid" else self.LOOK
                overlay = {"overlay": "onion", "times": [later]}
                both = self.picture(rig, pose, [overlay], camera=camera)
                now = self.picture(rig, pose, [], camera=camera)
                moved = {**pose, "time": pose["time"] + later}
                then = self.picture(rig, moved, [], camera=camera)
                self.assertEqual(both.covered(), now.covered() | then.covered())
                # The picture's own figure stands before it, as it is without.
                for at in now.covered():
                    self.assertEqual(both[at], now[at])

    def test_the_onion_has_the_holes_of_its_materials(self):
        # Of two triangles side by side, one has no alpha; both move by their own width and more.
        for mode in ("MASK", "BLEND"):
            tiny = rigs.mover(go=("translation", [0, 1], [(-1, 0, 0), (1, 1, 0)], "LINEAR"))
            points = [(-0.4, 0, 0), (0, 0, 0), (0, 0.4, 0), (0, 0, 0), (0.4, 0, 0), (0, 0.4, 0)]
            alphas = tiny.accessor([(1, 1, 1, 1)] * 3 + [(1, 1, 1, 0)] * 3, "VEC4")
            primitive = tiny.primitive(points, COLOR_0=alphas)
            primitive["material"] = tiny.material(alphaMode=mode)
            tiny.json["meshes"][0]["primitives"] = [primitive]
            self.put_rig("holes", tiny.glb())
            both = self.picture(
                "holes", {"clip": "go", "time": 0},
                [{"overlay": "onion", "times": [0.5, 1]}], camera=self.LOOK,
            )
            shown = set()
            for time in (0, 0.5, 1):
                one = self.picture("holes", {"clip": "go", "time": time}, [], camera=self.LOOK)
                shown |= one.covered()
            self.assertGreater(len(shown), 1000)
            self.assertEqual(both.covered(), shown, mode)

    def test_the_camera_holds_all_figures(self):
        tiny = rigs.mover(go=("translation", [0, 1], [(-5, 0, 0), (5, 0, 0)], "LINEAR"))
        self.put_rig("far", tiny.glb())
        pose = {"clip": "go", "time": 0.5}
        onion = {"overlay": "onion", "times": [-0.5, 0.5]}
        reply = self.client.frame("far", pose, width=128, height=64, overlays=[onion])
        left, top, right, bottom = Picture(self.assertStatus(reply, 200).body).box()
        self.assertGreater(left, 0)
        self.assertLess(right, 127)
        self.assertGreater(right - left, 110)

    def test_counts_are_spread_around_the_moment(self):
        counted = {"overlay": "onion", "count": 4, "spread": 0.4}
        listed = {"overlay": "onion", "times": [-0.2, -0.1, 0.1, 0.2]}
        pictures = [self.picture("humanoid", RUN, [one]).rows for one in (counted, listed)]
        self.assertEqual(*pictures)

    def test_every_device_and_cut_meshes_have_the_same(self):
        seen = {}

        def run(device):
            for method in ("dqs", "delta_mush", "skin_rigid"):
                skinning = {"method": method, "device": device}
                overlays = ["skeleton", "trails", "onion", "wireframe", "normals", "bounds"]
                drawn = self.picture("humanoid", RUN, overlays, skinning=skinning, samples=4)
                if device == "cpu":
                    seen[method] = drawn
                self.assertGreater(len(drawn.covered()), 1000)
                self.assertLess(drawn.differing(seen[method], 40), 20)

        self.for_each_device(run)


class Requests(Overlays):
    def test_a_link_has_the_picture_of_the_request(self):
        link = self.client.picture_link(
            "humanoid", clip="Run", time=0.2, width=128, height=128, overlays="skeleton,bounds"
        )
        posted = self.client.frame(
            "humanoid",
            {"clip": "Run", "time": 0.2},
            width=128,
            height=128,
            overlays=["bounds", {"overlay": "skeleton"}],
        )
        self.assertStatus(link, 200)
        self.assertEqual(Picture(link.body).rows, Picture(posted.body).rows)
        self.assertProblem(
            self.client.picture_link("humanoid", overlays="skeleton,bones"),
            400,
            "invalid-value",
            parameter="overlays",
            says=["bones", "wireframe"],
        )

    def test_no_overlay_is_the_plain_picture(self):
        plain = self.client.frame("humanoid", RUN, width=64, height=64)
        empty = self.client.frame("humanoid", RUN, width=64, height=64, overlays=[])
        self.assertEqual(plain.body, empty.body)

    def test_what_is_wrong_is_named_with_its_place(self):
        one = "/overlays/0"
        for overlays, pointer, codes, says in (
            ("skeleton", "/overlays", "invalid-value", "a list"),
            (["bones"], one, "invalid-value", ["bones", "skeleton"]),
            ([3], one, "invalid-value", "a number"),
            ([{"joints": ["Hips"]}], one, "invalid-value", "overlay"),
            ([{"overlay": "bones"}], one + "/overlay", "invalid-value", "bones"),
            (["bounds", {"overlay": "bounds"}], "/overlays/1", "invalid-value", "twice"),
            ([{"overlay": "bounds", "off": 1}], one + "/off", "unknown-member", "of"),
            ([{"overlay": "bounds", "of": "all"}], one + "/of", "invalid-value", "clip"),
            ([{"overlay": "skeleton", "joints": ["Hps"]}], one + "/joints/0", "unknown-joint", "Hps"),
            ([{"overlay": "skeleton", "joints": []}], one + "/joints", "invalid-value", "joint"),
            ([{"overlay": "skeleton", "names": "Hips"}], one + "/names", "invalid-value", "list"),
            ([{"overlay": "skeleton", "names": ["X"]}], one + "/names/0", "unknown-joint", "X"),
            ([{"overlay": "skeleton", "axes": 1}], one + "/axes", "invalid-value", "axes"),
            ([{"overlay": "wireframe", "color": "red"}], one + "/color", "invalid-value", "red"),
            ([{"overlay": "normals", "length": 0}], one + "/length", "invalid-value", "length"),
            ([{"overlay": "trails", "times": [1]}], one + "/times", "invalid-value", "times"),
            ([{"overlay": "trails", "times": [0, "a"]}], one + "/times/1", "invalid-value", "seconds"),
            (
                [{"overlay": "trails", "times": {"start": 1, "end": 1}}],
                one + "/times/end",
                "invalid-value",
                "after",
            ),
            ([{"overlay": "onion", "times": []}], one + "/times", "invalid-value", "times"),
            ([{"overlay": "onion", "times": [0.1] * 33}], one + "/times", "too-large", "33"),
            ([{"overlay": "onion", "count": 33}], one + "/count", "invalid-value", "32"),
            (
                [{"overlay": "onion", "times": [1], "spread": 2}],
                one + "/spread",
                "invalid-value",
                "times",
            ),
        ):
            with self.subTest(overlays=overlays):
                reply = self.client.frame("humanoid", RUN, overlays=overlays)
                status = {"unknown-joint": 404, "too-large": 413}.get(codes, 400)
                self.assertProblem(reply, status, codes, pointer=pointer, says=says)

    def test_times_need_a_clip_or_numbers(self):
        for overlay in ("trails", "onion"):
            reply = self.client.frame("humanoid", "rest", overlays=["bounds", overlay])
            self.assertProblem(reply, 400, "invalid-value", pointer="/overlays/1", says="no clip")

    def test_they_are_drawn_over_colours(self):
        for shading in ("plain", "checker", "weights"):
            picture = self.picture("humanoid", RUN, ["skeleton"], shading=shading)
            at = project(self.CAMERA, place(self.joints("humanoid", RUN)["Head"]), 256)
            self.assertEqual(picture[at], JOINT)
        for shading in ("depth", "joint_id", "primitive_id"):
            reply = self.client.frame("humanoid", RUN, overlays=["skeleton"], shading=shading)
            self.assertProblem(reply, 400, "invalid-value", pointer="/overlays", says="depth and ids")

    def test_they_are_for_one_figure(self):
        crowd = self.client.crowd([{"rig": "humanoid"}], overlays=["skeleton"])
        self.assertProblem(crowd, 400, "invalid-value", pointer="/overlays", says="crowd")
        compare = self.client.compare("humanoid", overlays=["skeleton"])
        self.assertProblem(compare, 400, "invalid-value", pointer="/overlays", says="comparison")
