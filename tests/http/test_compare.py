"""Comparisons of skinning methods, against sums over /v1/vertices and METHODS' numbers of cyl2."""
import array
import itertools
import json
import math
import os
import pathlib
import subprocess
import unittest

import rigs
from case import DEMO, DaemonCase
from client import PNG
from daemon import ROOT
from oracle import diagonal, signed_volume
from picture import Picture
from tiny import Tiny, read_accessor

TWIST_180 = {"clip": "twist", "time": 2}
BEND_90 = {"clip": "bend", "time": 2}


class Numbers(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("humanoid")

    def compared(self, rig, pose="rest", **members):
        return self.assertStatus(self.client.compare(rig, pose, **members), 200).json()

    def test_cyl2_has_the_volumes_and_distances_of_its_table(self):
        # METHODS A5 and A11; 0.1 is the radius, where lbs collapses onto the axis.
        for pose, lbs, dqs, apart in (
            (TWIST_180, 0.833333, 0.990651, 0.1),
            ({"clip": "twist", "time": 1}, 0.915009, 0.996379, 0.029289),
            (BEND_90, 0.957500, 0.998458, 0.034326),
        ):
            with self.subTest(pose=pose):
                found = self.compared("cyl2", pose)
                ratios = [method["volume_ratio"] for method in found["methods"]]
                self.assertNumbers(ratios, (lbs, dqs), 2e-5)
                self.assertAlmostEqual(found["pairs"][0]["max"], apart, delta=2e-6)
                for method in found["methods"]:
                    self.assertIs(method["closed"], True)
                    self.assertAlmostEqual(method["rest_volume"], 0.061229349, delta=1e-8)

    def test_distances_are_those_between_the_vertices(self):
        pose = {"clip": "Run", "phase": 0.3}
        methods = ["lbs", {"method": "dqs", "device": "cpu"}, {"method": "lbs"}]
        found = self.compared("humanoid", pose, methods=methods, worst=7)
        rest = self.positions("humanoid")
        whole = diagonal(rest)
        self.assertAlmostEqual(found["diagonal"], whole, delta=1e-9 * whole)
        self.assertEqual(found["vertices"], len(rest))
        posed = [self.positions("humanoid", pose, skinning=method) for method in methods]
        pairs = list(itertools.combinations(range(3), 2))
        self.assertEqual([(pair["a"], pair["b"]) for pair in found["pairs"]], pairs)
        for pair, (a, b) in zip(found["pairs"], pairs):
            with self.subTest(a=a, b=b):
                apart = [math.dist(p, q) for p, q in zip(posed[a], posed[b])]
                self.assertPair(pair, apart, whole)
                for worst in pair["worst"]:
                    self.assertEqual(float32(worst["a"]), posed[a][worst["vertex"]])
                    self.assertEqual(float32(worst["b"]), posed[b][worst["vertex"]])
        self.assertGreater(found["pairs"][0]["max"], 1e-3)

    def assertPair(self, pair, apart, whole):
        """A pair's figures against the distance of every vertex."""
        most = max(apart)
        self.assertAlmostEqual(pair["max"], most, delta=1e-12)
        self.assertAlmostEqual(pair["max_relative"], most / whole, delta=1e-9)
        self.assertAlmostEqual(pair["mean"], math.fsum(apart) / len(apart), delta=1e-12)
        square = math.fsum(x * x for x in apart) / len(apart)
        self.assertAlmostEqual(pair["rms"], math.sqrt(square), delta=1e-12)
        order = sorted(range(len(apart)), key=lambda v: (-apart[v], v))
        want = [v for v in order[:7] if apart[v] > 0]
        self.assertEqual([worst["vertex"] for worst in pair["worst"]], want)
        for worst in pair["worst"]:
            self.assertAlmostEqual(worst["distance"], apart[worst["vertex"]], delta=1e-12)

    def test_worst_vertices_name_their_joints(self):
        # The middle ring of cyl2 is half J0's and half J1's; what is a ramp away is less apart.
        found = self.compared("cyl2", TWIST_180, worst=16)
        worst = found["pairs"][0]["worst"]
        self.assertEqual(len(worst), 16)
        for vertex in worst:
            self.assertAlmostEqual(vertex["a"][1], 1, delta=1e-6)
            joints = {joint["name"]: joint for joint in vertex["joints"]}
            self.assertEqual(set(joints), {"J0", "J1"})
            for name, joint in joints.items():
                self.assertAlmostEqual(joint["weight"], 0.5, delta=1e-6)
                nodes = {j["name"]: j["index"] for j in self.description("cyl2")["joints"]}
                self.assertEqual(joint["index"], nodes[name])

    def test_worst_lists_as_many_as_asked(self):
        for asked, want in ((0, 0), (1, 1), (100, 100)):
            found = self.compared("humanoid", {"clip": "Run", "phase": 0.3}, worst=asked)
            self.assertEqual(len(found["pairs"][0]["worst"]), want)
        default = self.compared("humanoid", {"clip": "Run", "phase": 0.3})
        self.assertEqual(len(default["pairs"][0]["worst"]), 10)

    def test_methods_that_agree_have_no_worst_vertices(self):
        found = self.compared("cyl2", BEND_90, methods=["dqs", {"method": "dqs", "device": "cpu"}])
        pair = found["pairs"][0]
        self.assertEqual([pair["max"], pair["mean"], pair["rms"]], [0, 0, 0])
        self.assertEqual(pair["worst"], [])

    def test_devices_agree_to_1e_5_of_the_diagonal(self):
        if "gpu" not in self.devices():
            self.skipTest("no GL device here")
        methods = [{"method": "dqs", "device": device} for device in ("cpu", "gpu")]
        found = self.compared("humanoid", {"clip": "Run", "phase": 0.3}, methods=methods)
        self.assertEqual([method["device"] for method in found["methods"]], ["cpu", "gpu"])
        self.assertLessEqual(found["pairs"][0]["max_relative"], 1e-5)

    def test_answer_names_what_was_asked_and_used(self):
        methods = ["dqs", {"device": "cpu"}, {"method": "lbs", "normals": "cof"}]
        reply = self.assertStatus(self.client.compare("cyl2", methods=methods), 200)
        found = reply.json()["methods"]
        self.assertEqual([method["method"] for method in found], ["dqs", "lbs", "lbs"])
        labels = [method["label"] for method in found]
        self.assertEqual(labels, ["dqs", "lbs device=cpu", "lbs normals=cof"])
        used = reply.headers["Posed-Skinning"].split(", ")
        want = [f"{method['method']}; device={method['device']}" for method in found]
        self.assertEqual(used, want)
        self.assertRegex(reply.headers["Server-Timing"], r"\bskin;dur=")

    def test_open_and_flat_surfaces_are_told(self):
        cases = {
            # A square has a border; nothing lies on its other side, and its volume is none.
            "square": (rigs.square(), False, None),
            # Two triangles back to back enclose nothing, but are closed.
            "leaf": (leaf(), True, None),
        }
        for name, (tiny, closed, ratio) in cases.items():
            with self.subTest(name):
                self.put_rig(name, tiny.glb())
                for method in self.compared(name)["methods"]:
                    self.assertIs(method["closed"], closed)
                    self.assertEqual(method["volume_ratio"], ratio)

    def test_volume_of_a_closed_surface_is_the_signed_one(self):
        body = (DEMO / "cyl2.glb").read_bytes()
        indices = [row[0] for row in read_accessor(body, 5)]
        triangles = list(zip(indices[0::3], indices[1::3], indices[2::3]))
        for method in self.compared("cyl2", BEND_90)["methods"]:
            points = self.positions("cyl2", BEND_90, skinning=method["method"])
            self.assertAlmostEqual(method["volume"], signed_volume(points, triangles), delta=1e-12)

    def test_rig_without_a_mesh_has_nothing_to_compare(self):
        tiny = Tiny()
        tiny.node(root=True, name="bone")
        self.put_rig("bones", tiny.glb())
        found = self.compared("bones")
        self.assertEqual((found["vertices"], found["diagonal"]), (0, 0))
        pair = found["pairs"][0]
        self.assertEqual((pair["max"], pair["max_relative"], pair["worst"]), (0, None, []))
        self.assertIs(found["methods"][0]["closed"], False)

    def test_same_request_has_the_same_bytes_and_tag(self):
        first = self.client.compare("humanoid", {"clip": "Walk", "time": 0.2})
        again = self.client.compare("humanoid", {"clip": "Walk", "time": 0.2})
        self.assertEqual(again.body, first.body)
        tag = first.headers["ETag"]
        self.assertEqual(again.headers["ETag"], tag)
        request = {"rig": "humanoid", "pose": {"clip": "Walk", "time": 0.2}}
        request["methods"] = ["lbs", "dqs"]
        known = self.client.post("compare", request, accept="application/json", if_none_match=tag)
        self.assertStatus(known, 304)


class Refusals(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_what_is_wrong_is_named_with_its_place(self):
        both = ["lbs", "dqs"]
        for members, codes, pointer, says in (
            ({}, "invalid-value", "", "methods"),
            ({"methods": "lbs"}, "invalid-value", "/methods", "2 to 8"),
            ({"methods": ["lbs"]}, "invalid-value", "/methods", "2 to 8"),
            ({"methods": ["lbs", "lsb"]}, "unknown-method", "/methods/1", ("lsb", "dqs")),
            (
                {"methods": ["lbs", "dqs", {"method": "x"}]},
                "unknown-method",
                "/methods/2/method",
                "lbs, dqs",
            ),
            ({"methods": [7, "lbs"]}, "invalid-value", "/methods/0", "a number"),
            ({"methods": [{"devise": "cpu"}, "lbs"]}, "unknown-member", "/methods/0/devise", ""),
            (
                {"methods": ["lbs", {"device": "tpu"}]},
                "invalid-value",
                "/methods/1/device",
                "auto, gpu, cpu",
            ),
            ({"methods": both, "worst": 101}, "invalid-value", "/worst", "from 0 to 100"),
            ({"methods": both, "worst": -1}, "invalid-value", "/worst", "from 0 to 100"),
            ({"methods": both, "view": "x-ray"}, "invalid-value", "/view", "side_by_side, heat"),
            ({"methods": both, "scale": 0}, "invalid-value", "/scale", "from"),
            ({"methods": both, "skinning": "lbs"}, "unknown-member", "/skinning", "methods"),
            ({"methods": both, "poses": ["rest"]}, "invalid-value", "/poses", "one"),
            ({"methods": both, "width": 0}, "invalid-value", "/width", "4096"),
        ):
            with self.subTest(members):
                reply = self.client.post("compare", {"rig": "cyl2", "pose": "rest", **members})
                self.assertProblem(reply, 400, codes, pointer, says=says)

    def test_nine_methods_are_too_many(self):
        reply = self.client.compare("cyl2", methods=["lbs"] * 9)
        self.assertProblem(reply, 413, "too-large", "/methods", says=("9", "8"))
        self.assertStatus(self.client.compare("cyl2", methods=["lbs"] * 8), 200)

    def test_unknown_rigs_clips_and_joints_are_named(self):
        self.assertProblem(self.client.compare("fox"), 404, "unknown-rig", "/rig", says="fox")
        reply = self.client.compare("cyl2", {"clip": "Wlak"})
        self.assertProblem(reply, 404, "unknown-clip", "/pose/clip", says=("cyl2", "twist"))

    def test_no_other_type_is_made(self):
        reply = self.client.compare("cyl2", accept="text/html")
        self.assertProblem(reply, 406, "not-acceptable", says="application/json")


CLEAR = (0, 0, 0, 0)
# Shows x and y from -0.6 to 0.6 around (0, 1): 500 pixels a unit in 600 x 600. The eye is at z = 20.
FRONT = {
    "view": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, -20, 1],
    "projection": [1 / 0.6, 0, 0, 0, 0, 1 / 0.6, 0, 0, 0, 0, -0.02, 0, 0, 0, -0.1, 1],
}


class Pictures(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_demo("humanoid")

    def picture(self, rig="cyl2", pose=TWIST_180, **members):
        reply = self.client.compare(rig, pose, accept=PNG, **members)
        self.assertStatus(reply, 200)
        self.assertEqual(reply.kind, PNG)
        return Picture(reply.body)

    def test_cells_are_the_pictures_of_the_frames(self):
        # The camera is independent of the method, or the methods are the same.
        run = {"clip": "Run", "phase": 0.3}
        for methods, members in (
            (["lbs", "dqs"], {"fit": "rest"}),
            (["lbs", "dqs", "lbs"], {"fit": "rest", "background": "#336699"}),
            (["dqs", "lbs"], {"camera": {"eye": [0, 1, 4], "target": [0, 1, 0]}, "samples": 1}),
            (["dqs", "dqs"], {"camera": {"yaw": 120}}),
            (["lbs", "lbs"], {"fit": "clip"}),
        ):
            with self.subTest(methods=methods, **members):
                members = {"width": 240, "height": 120, **members}
                whole = self.picture("humanoid", run, methods=methods, **members)
                clear = {**members, "background": "transparent"}
                clear = self.picture("humanoid", run, methods=methods, **clear)
                strip = len(cells_of(clear, len(methods))[0].label())
                cells = cells_of(whole, len(methods), strip=strip)
                for method, cell in zip(methods, cells):
                    size = {"width": cell.width, "height": cell.drawn_height}
                    reply = self.client.frame(
                        "humanoid", run, skinning=method, **{**members, **size}
                    )
                    frame = Picture(self.assertStatus(reply, 200).body)
                    self.assertEqual(frame.rows, cell.rows[: cell.drawn_height])

    def test_swapped_methods_swap_their_cells_with_their_labels(self):
        there = cells_of(self.picture(methods=["lbs", "dqs"]), 2)
        back = cells_of(self.picture(methods=["dqs", "lbs"]), 2)
        self.assertEqual(there[0].rows, back[1].rows)
        self.assertEqual(there[1].rows, back[0].rows)
        self.assertNotEqual(there[0].label(), there[1].label())

    def test_labels_tell_methods_and_options_apart(self):
        methods = ["lbs", {"method": "lbs"}, {"method": "lbs", "device": "cpu"}, "dqs"]
        picture = self.picture(methods=methods, width=1200, height=300)
        plain, same, longer, other = cells_of(picture, 4)
        self.assertEqual(plain.label(), same.label())
        self.assertEqual(plain.drawn(), longer.drawn())
        self.assertGreater(longer.ink(), 2 * plain.ink())
        self.assertNotEqual(plain.label(), other.label())
        for cell in (plain, longer, other):
            # Dark letters on the white that stands for nothing, and all of it opaque.
            self.assertEqual({pixel[3] for row in cell.label() for pixel in row}, {255})
            self.assertEqual(cell.label()[0][0], (255, 255, 255, 255))
            self.assertLess(min(pixel[0] for row in cell.label() for pixel in row), 60)

    def test_labels_can_be_read_on_any_background(self):
        for background, ground in (
            ("#102030", (0x10, 0x20, 0x30)),
            ("#f0e0d0", (0xF0, 0xE0, 0xD0)),
            ("#00000080", (127, 127, 127)),
        ):
            picture = self.picture(background=background, methods=["lbs", "lbs"])
            strip = picture.rows[-20:]
            self.assertNumbers(strip[0][0][:3], ground, 1)
            apart = max(abs(p[1] - ground[1]) for row in strip for p in row)
            self.assertGreater(apart, 90, background)

    def test_long_labels_are_cut_to_their_cell(self):
        skinning = {"method": "dqs", "device": "cpu", "normals": "cof"}
        left, right = cells_of(self.picture(methods=[skinning, "lbs"], width=200, height=120), 2)
        self.assertGreater(left.ink(), right.ink())
        for row in left.label():
            self.assertEqual({row[0], row[1], row[-1], row[-2]}, {(255, 255, 255, 255)})

    def test_camera_fits_what_all_methods_make(self):
        # Bent by 90 degrees the outside of cyl2 reaches farther with dqs than with lbs.
        for methods in (["lbs", "dqs"], ["dqs", "lbs"]):
            picture = self.picture(pose=BEND_90, methods=methods, width=600, height=300)
            shown = set()
            for cell in cells_of(picture, 2):
                shown |= {
                    (x, y)
                    for y, row in enumerate(cell.drawn())
                    for x, pixel in enumerate(row)
                    if pixel[3]
                }
            width, height = cell.width, cell.drawn_height
            left, right = (edge(x for x, _ in shown) for edge in (min, max))
            top, bottom = (edge(y for _, y in shown) for edge in (min, max))
            self.assertTrue(0 < left and right < width - 1 and 0 < top and bottom < height - 1)
            fill = max((right - left) / width, (bottom - top) / height)
            self.assertGreater(fill, 0.9)

    def test_cells_are_divided_so_that_most_can_be_seen(self):
        # With a strip of some 22 rows in each; the remainder keeps the background.
        for count, columns, rows in (
            (2, 2, 1),
            (3, 3, 1),
            (4, 2, 2),
            (5, 3, 2),
            (6, 3, 2),
            (7, 4, 2),
            (8, 4, 2),
        ):
            with self.subTest(count=count):
                picture = self.picture(methods=["lbs"] * count, width=301, height=203)
                self.assertEqual((picture.width, picture.height), (301, 203))
                cells = cells_of(picture, columns, rows)
                for i, cell in enumerate(cells):
                    self.assertEqual(cell.drawn() == cells[0].drawn(), i < count)
                    self.assertEqual(cell.label() == cells[0].label(), i < count)
                    self.assertEqual(cell.figure(), i < count)

    def test_same_request_has_the_same_bytes_and_tag(self):
        for view in ("side_by_side", "heat"):
            request = dict(accept=PNG, view=view, width=200, height=200)
            first = self.client.compare("humanoid", {"clip": "Walk", "time": 0.3}, **request)
            again = self.client.compare("humanoid", {"clip": "Walk", "time": 0.3}, **request)
            self.assertEqual(first.body, again.body)
            self.assertEqual(first.headers["ETag"], again.headers["ETag"])
            self.assertEqual(first.headers["Posed-Skinning"].count("device="), 2)
            self.assertRegex(first.headers["Server-Timing"], r"\bdraw;dur=")

    def test_rig_without_a_mesh_has_only_labels(self):
        tiny = Tiny()
        tiny.node(root=True, name="bone")
        self.put_rig("bones", tiny.glb())
        picture = self.picture("bones", "rest")
        self.assertFalse(any(cell.figure() for cell in cells_of(picture, 2)))
        self.picture("bones", "rest", view="heat")

    def test_what_leaves_no_room_is_refused(self):
        for members, pointer in (
            ({"width": 15}, "/width"),
            ({"height": 30}, "/height"),
            ({"view": "heat", "height": 60}, "/height"),
            ({"view": "heat", "width": 15}, "/width"),
        ):
            with self.subTest(members):
                reply = self.client.compare("cyl2", accept=PNG, **members)
                self.assertProblem(reply, 400, "invalid-value", pointer, says="16")

    def test_heat_is_of_two_methods(self):
        reply = self.client.compare("cyl2", methods=["lbs"] * 3, view="heat", accept=PNG)
        self.assertProblem(reply, 400, "invalid-value", "/methods/2", says="two")
        # Numbers have no view.
        self.assertStatus(self.client.compare("cyl2", methods=["lbs"] * 3, view="heat"), 200)

    def test_unknown_methods_and_clips_are_named(self):
        reply = self.client.compare("cyl2", methods=["lbs", {"method": "x"}], accept=PNG)
        self.assertProblem(reply, 400, "unknown-method", "/methods/1/method")
        reply = self.client.compare("cyl2", {"clip": "Wlak"}, accept=PNG)
        self.assertProblem(reply, 404, "unknown-clip", "/pose/clip", says="cyl2")


class Heat(DaemonCase):
    """A square of which lbs and dqs put all corners equally far apart, and cyl2."""

    HALF = 0.4
    APART = HALF * math.sqrt(2) * (1 - math.sqrt(0.5))

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")
        cls.put_rig("square", rigs.half_bent_square(cls.HALF).glb())

    def heat(self, rig, pose, **members):
        reply = self.client.compare(
            rig, pose, view="heat", accept=PNG, camera=FRONT, width=600, **members
        )
        return HeatMap(Picture(self.assertStatus(reply, 200).body))

    def height(self):
        """The picture's height with which 600 x 600 pixels are drawn."""
        return 600 + 600 - self.heat("square", "rest", height=600).top

    def test_colour_is_the_scales_at_the_known_distance(self):
        bent = {"clip": "bend", "time": 1}
        found = self.client.compare("square", bent).json()["pairs"][0]
        self.assertAlmostEqual(found["max"], self.APART, delta=1e-6)
        height = self.height()
        for share in (0.1, 0.25, 0.5, 0.8, 1):
            heat = self.heat("square", bent, height=height, scale=self.APART / share)
            self.assertNumbers(heat.picture[300, 300][:3], heat.colour(share), 3, share)
        for scale in (None, self.APART / 3):  # the greatest by default; beyond the end is the end
            heat = self.heat("square", bent, height=height, **({"scale": scale} if scale else {}))
            self.assertNumbers(heat.picture[300, 300][:3], heat.colour(1), 3)

    def test_first_methods_mesh_is_drawn(self):
        bent = {"clip": "bend", "time": 1}
        height = self.height()
        # Turned by 45 degrees, the square stands on a corner: half its diagonal is HALF * sqrt 2,
        # which lbs draws together to HALF.
        for methods, reach in ((["lbs", "dqs"], 0.4), (["dqs", "lbs"], 0.4 * math.sqrt(2))):
            heat = self.heat("square", bent, height=height, methods=methods)
            covered = [
                x for x in range(600) for y in range(600) if heat.picture[x, y] != CLEAR
            ]
            self.assertAlmostEqual((max(covered) + 1 - min(covered)) / 1000, reach, delta=0.003)

    def test_vertices_have_the_colours_of_their_distances(self):
        # The front of cyl2 faces the eye along its whole length, also where it is bent.
        posed = [self.positions("cyl2", BEND_90, skinning=method) for method in ("lbs", "dqs")]
        apart = [math.dist(p, q) for p, q in zip(*posed)]
        rest = self.positions("cyl2")
        heat = self.heat("cyl2", BEND_90, height=self.height())
        tried = set()
        for p, a, distance in zip(rest, posed[0], apart):
            if abs(p[0]) > 1e-6 or p[2] < 0.09 or not 0.8 < p[1] < 1.2:
                continue
            x, y = 300 + 500 * a[0], 300 - 500 * (a[1] - 1)
            share = distance / max(apart)
            with self.subTest(y=p[1], share=share):
                near = [heat.picture[int(x + i), int(y + j)] for i in (-1, 0) for j in (-1, 0)]
                want = heat.colour(share)
                off = min(max(abs(g - w) for g, w in zip(pixel, want)) for pixel in near)
                # Within a pixel the distance changes by a tenth of the scale at most.
                self.assertLessEqual(off, 12)
            tried.add(round(share, 1))
        self.assertGreater(len(tried), 3, tried)

    def test_scale_goes_from_dark_to_light(self):
        heat = self.heat("square", "rest", height=600)
        light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in heat.bar]
        # But for what rounding to bytes takes back.
        self.assertTrue(all(b > a - 0.5 for a, b in zip(light, light[1:])), light)
        self.assertGreater(light[-1] - light[0], 100)

    def test_numbers_and_names_are_written_below_the_scale(self):
        def text(**members):
            heat = self.heat("square", {"clip": "bend", "time": 1}, height=600, **members)
            return heat.below()

        plain = text(scale=1)
        self.assertEqual(plain, text(scale=1, samples=1))
        self.assertNotEqual(plain, text(scale=2))
        self.assertNotEqual(plain, text(scale=1, methods=["dqs", "lbs"]))
        dark = [min(pixel[0] for pixel in row) < 100 for row in plain]
        # Two lines of text with paper between them.
        self.assertEqual(lines(dark), 2)


class CommandLine(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def pose(self, *arguments, command="compare"):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        return subprocess.run(
            [program, command, *arguments, "--server", f"http://127.0.0.1:{self.client.port}"],
            capture_output=True,
            timeout=300,
        )

    def test_numbers_are_those_of_the_api(self):
        said = self.pose("cyl2", "lbs", "dqs", "--clip", "twist", "--time", "2", "--worst", "2")
        self.assertEqual(said.returncode, 0, said.stderr)
        want = self.client.compare("cyl2", TWIST_180, worst=2).json()
        self.assertEqual(json.loads(said.stdout), want)

    def test_methods_may_be_objects(self):
        said = self.pose("cyl2", '{"method": "dqs", "device": "cpu"}', "lbs", "dqs")
        self.assertEqual(said.returncode, 0, said.stderr)
        labels = [method["label"] for method in json.loads(said.stdout)["methods"]]
        self.assertEqual(labels, ["dqs device=cpu", "lbs", "dqs"])

    def test_options_go_beside_the_method(self):
        how = ("--skinning", "lbs_dqs_mix", "--options", "mix=0.25,sign=hierarchy,by=constant")
        said = self.pose(
            "cyl2", "--clip", "twist", "--time", "2", *how, "-o", "-", command="vertices"
        )
        self.assertEqual(said.returncode, 0, said.stderr)
        skinning = {"method": "lbs_dqs_mix", "mix": 0.25, "sign": "hierarchy", "by": "constant"}
        pose = {"clip": "twist", "time": 2}
        want = self.client.vertices("cyl2", pose, skinning=skinning)
        self.assertEqual(said.stdout, want.body)
        self.assertNotEqual(said.stdout, self.client.vertices("cyl2", pose).body)
        said = self.pose("cyl2", "--options", "mix", "-o", "-", command="vertices")
        self.assertNotEqual(said.returncode, 0)
        self.assertIn(b"name=value", said.stderr)

    def test_a_view_is_a_picture(self):
        size = ("--width", "120", "--height", "90", "--yaw", "10", "--background", "#ffffff")
        said = self.pose("cyl2", "lbs", "dqs", "--view", "heat", "--scale", "0.1", *size, "-o", "-")
        self.assertEqual(said.returncode, 0, said.stderr)
        members = dict(view="heat", scale=0.1, width=120, height=90, background="#ffffff")
        want = self.client.compare("cyl2", camera={"yaw": 10}, accept=PNG, **members)
        self.assertEqual(said.stdout, want.body)

    def test_what_is_wrong_is_said(self):
        said = self.pose("cyl2", "lbs")
        self.assertEqual(said.returncode, 2)
        said = self.pose("cyl2", "lbs", "lsb")
        self.assertEqual(said.returncode, 3)
        self.assertIn(b"(at /methods/1)", said.stderr)


class Cell:
    """The drawn part of a picture, above a strip of text."""

    def __init__(self, picture, left, top, width, height, strip):
        self.width, self.drawn_height = width, height - strip
        self.rows = [row[left : left + width] for row in picture.rows[top : top + height]]

    def drawn(self):
        return self.rows[: self.drawn_height]

    def label(self):
        return self.rows[self.drawn_height :]

    def ink(self):
        """Pixels of the label that are dark."""
        return sum(pixel[0] < 128 for row in self.label() for pixel in row)

    def figure(self):
        return any(pixel[3] for row in self.drawn() for pixel in row)


def cells_of(picture, columns, rows=1, strip=None):
    """The cells of a picture. Without a background their strips are all that is opaque."""
    width, height = picture.width // columns, picture.height // rows
    if strip is None:
        opaque = [picture[0, y][3] == 255 for y in range(height)]
        strip = opaque[::-1].index(False)
    return [
        Cell(picture, column * width, row * height, width, height, strip)
        for row in range(rows)
        for column in range(columns)
    ]


class HeatMap:
    """A picture of the heat view: where its strip begins, and the colours of its scale."""

    def __init__(self, picture):
        self.picture = picture
        self.top = picture.height
        while picture[0, self.top - 1] == (255, 255, 255, 255):
            self.top -= 1
        middle = picture.width // 2
        y = self.top
        while picture[middle, y] == (255, 255, 255, 255):
            y += 1
        row = picture.rows[y + 3]
        self.bar = [pixel[:3] for pixel in row if pixel[:3] != (255, 255, 255)]
        while picture[middle, y][:3] == self.bar[len(self.bar) // 2]:
            y += 1
        self.bar_bottom = y

    def colour(self, share):
        return self.bar[round(share * (len(self.bar) - 1))]

    def below(self):
        return self.picture.rows[self.bar_bottom :]


def lines(flags):
    """The number of runs of true."""
    return sum(now and not before for before, now in zip([False, *flags], flags))


def float32(point):
    """Numbers that were written as short as float32 can be read back from."""
    return tuple(array.array("f", point))


def leaf():
    """A triangle and its back, with vertices of their own."""
    tiny = Tiny()
    front = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    points = front + front[::-1]
    tiny.node(root=True, name="leaf", mesh=tiny.mesh(tiny.primitive(points, range(6))))
    return tiny


if __name__ == "__main__":
    unittest.main()
