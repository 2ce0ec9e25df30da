"""POST /v1/crowd: many figures, each as it would be alone, placed, drawn together."""
import json
import math
import re
import subprocess
import tempfile
import pathlib
import unittest

import rigs
from case import ROOT, DaemonCase
from client import JSON, OCTETS, PNG
from daemon import binary
from picture import Picture
from test_frame import FRONT, coloured

POSES = [
    "rest",
    {"clip": "Walk", "time": 0.3},
    {"clip": "Run", "phase": 0.6},
    {"blend": [{"pose": {"clip": "Wave", "time": 1.2}, "weight": 1}, {"pose": "rest", "weight": 2}]},
]
SMALL = {"width": 64, "height": 64}
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def moved(x, y, z, scale=1):
    return [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1]


def figures(rig="humanoid", poses=POSES, apart=1.5):
    return [
        {"rig": rig, "pose": pose, "translation": [i * apart, 0, -i * apart]}
        for i, pose in enumerate(poses)
    ]


class Vertices(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        for name in ("humanoid", "cyl2", "head"):
            cls.put_demo(name)

    def octets(self, instances, **members):
        return self.assertStatus(self.client.crowd(instances, OCTETS, **members), 200)

    def alone(self, rig, pose, **members):
        return self.assertStatus(self.client.vertices(rig, pose, **members), 200)

    def test_each_is_to_the_bit_what_it_is_alone(self):
        instances = [{"rig": "humanoid", "pose": pose} for pose in POSES]
        instances.append({"rig": "cyl2", "pose": {"clip": "bend", "time": 1}})
        instances.append({"rig": "head"})
        instances += [dict(instances[1], transform=IDENTITY), dict(instances[2], scale=1)]
        both = ["normal", "position"]
        reply = self.octets(instances, attributes=both)
        want = [
            self.alone(i["rig"], i.get("pose", "rest"), attributes=both).body for i in instances
        ]
        self.assertEqual(reply.body, b"".join(want))
        self.assertEqual(reply.headers["Posed-Instances"], str(len(instances)))
        self.assertEqual(reply.headers["Posed-Vertices"], str(len(reply.body) // 24))
        self.assertEqual(reply.headers["Posed-Layout"], "normal:f32x3,position:f32x3")

    def test_every_method_skins_each_as_it_is_alone(self):
        poses = [{"clip": "bend", "time": t} for t in (0.5, 2)] + [{"clip": "twist", "time": 1}]
        instances = [{"rig": "cyl2", "pose": pose} for pose in poses]
        for method in self.client.get("/v1").json()["skinning_methods"]:
            if "examples" in method["needs"]:
                continue
            for device in set(method["device"]) & set(self.devices()):
                skinning = {"method": method["id"], "device": device}
                with self.subTest(**skinning):
                    got = self.octets(instances, skinning=skinning)
                    want = b"".join(
                        self.alone("cyl2", pose, skinning=skinning).body for pose in poses
                    )
                    self.assertEqual(got.body, want)
                    self.assertIn(f"{method['id']}; device={device}", got.headers["Posed-Skinning"])

    def test_placements_move_positions_and_turn_normals(self):
        turned = {"translation": [1, 2, 3], "rotation": [0, 0, 2, 2], "scale": [2, 1, 0.5]}
        one = self.alone("humanoid", POSES[1], attributes=["position", "normal"]).triples()
        count = len(one) // 2
        got = self.octets(
            [{"rig": "humanoid", "pose": POSES[1], **turned}], attributes=["position", "normal"]
        ).triples()
        # A quarter turn about z takes x to y and y to -x.
        want = [(1 - y, 2 + 2 * x, 3 + 0.5 * z) for x, y, z in one[:count]]
        self.assertNumbers(got[:count], want, 1e-6)
        # The cofactor matrix: each normal's number divided by its axis' scale.
        normals = []
        for x, y, z in one[count:]:
            n = (-y, x / 2, z * 2)
            length = math.hypot(*n)
            normals.append([v / length for v in n])
        self.assertNumbers(got[count:], normals, 1e-5)

    def test_mirrored_normals_follow_the_winding_as_a_mirrored_joint_has_them(self):
        root = self.description("cyl2")["joints"][0]["name"]
        pose = {"set": "rest", "joints": {root: {"scale": [-1, 1, 1]}}}
        both = ["position", "normal"]
        want = self.alone("cyl2", pose, attributes=both).triples()
        got = self.octets([{"rig": "cyl2", "scale": [-1, 1, 1]}], attributes=both).triples()
        self.assertNumbers(got, want, 1e-6)

    def test_flat_and_tiny_placements_are_finite(self):
        for placement in (
            {"scale": [1, 0, 1]},
            {"scale": 0},
            {"scale": [0, 0, 1]},
            {"scale": 1e-30},
            {"scale": [1e-30, 1e30, 1]},
            {"transform": [0] * 15 + [1]},
        ):
            with self.subTest(**placement):
                both = ["position", "normal"]
                reply = self.octets([{"rig": "cyl2", **placement}], attributes=both)
                self.assertTrue(all(math.isfinite(x) for x in reply.floats()))
                normals = reply.triples()[len(reply.triples()) // 2 :]
                lengths = [math.hypot(*n) for n in normals]
                self.assertNumbers(lengths, [1] * len(lengths), 1e-5)
                picture = self.client.crowd([{"rig": "cyl2", **placement}], **SMALL)
                self.assertStatus(picture, 200)

    def test_json_tells_where_each_begins(self):
        instances = figures(poses=POSES[:2]) + [{"rig": "cyl2"}]
        reply = self.assertStatus(self.client.crowd(instances, JSON, attributes=["normal"]), 200)
        answer = reply.json()
        humanoid = self.description("humanoid")["vertices"]
        cyl2 = self.description("cyl2")["vertices"]
        self.assertEqual(answer["vertices"], 2 * humanoid + cyl2)
        self.assertEqual([i["rig"] for i in answer["instances"]], ["humanoid"] * 2 + ["cyl2"])
        self.assertEqual(
            [i["first_vertex"] for i in answer["instances"]], [0, humanoid, 2 * humanoid]
        )
        octets = self.octets(instances, attributes=["normal"]).triples()
        last = answer["instances"][2]
        self.assertEqual(last["vertices"], cyl2)
        self.assertNumbers(last["normal"], octets[last["first_vertex"] :], 6e-8)
        self.assertEqual(answer["skinning"]["method"], "lbs")

    def test_json_without_attributes_is_short(self):
        reply = self.assertStatus(self.client.crowd(figures(), JSON, attributes=[]), 200)
        self.assertLess(len(reply.body), 1000)
        self.assertEqual(set(reply.json()["instances"][0]), {"rig", "first_vertex", "vertices"})
        reply = self.client.crowd(figures(), OCTETS, attributes=[])
        self.assertProblem(reply, 400, "invalid-value", "/attributes", says="application/json")

    def test_a_thousand_come_as_a_stream(self):
        poses = [{"clip": "twist", "phase": i / 999} for i in range(1000)]
        reply = self.octets({"rig": "cyl2", "pose": pose} for pose in poses)
        one = len(reply.body) // 1000
        self.assertEqual(len(reply.body), 1000 * self.description("cyl2")["vertices"] * 12)
        for i in (0, 1, 500, 999):
            want = self.alone("cyl2", poses[i]).body
            self.assertEqual(reply.body[i * one : (i + 1) * one], want)

    def test_etag_is_of_all_rigs(self):
        self.put_rig("other", (ROOT / "assets/demo/cyl2.glb").read_bytes())
        instances = [{"rig": "humanoid"}, {"rig": "other"}]
        first = self.octets(instances).headers["ETag"]
        self.assertEqual(self.octets(instances).headers["ETag"], first)
        reply = self.client.post(
            "crowd", {"instances": instances}, accept=OCTETS, if_none_match=first
        )
        self.assertStatus(reply, 304)
        self.put_rig("other", (ROOT / "assets/demo/head.glb").read_bytes())
        self.assertNotEqual(self.octets(instances).headers["ETag"], first)
        self.client.delete("other")


class Pictures(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        for name in ("humanoid", "cyl2"):
            cls.put_demo(name)
        red, green = coloured(1, 0, 0), coloured(0, 1, 0)
        cls.put_rig("red", rigs.square(material=red).glb())
        cls.put_rig("green", rigs.square(material=green).glb())
        glass = coloured(0, 0, 1, alphaMode="BLEND")
        glass["pbrMetallicRoughness"]["baseColorFactor"][3] = 0.5
        cls.put_rig("glass", rigs.square(material=glass).glb())

    def draw(self, instances, **members):
        reply = self.assertStatus(self.client.crowd(instances, **members), 200)
        self.assertEqual(reply.kind, PNG)
        return reply

    def colours(self, instances, *places, **members):
        members = {"width": 32, "height": 32, "camera": FRONT, "samples": 1, **members}
        picture = Picture(self.draw(instances, **members).body)
        return [
            "none" if not picture[place][3] else "rgb"[max(range(3), key=lambda k: picture[place][k])]
            for place in places
        ]

    def test_a_crowd_of_one_is_the_frame(self):
        def check(device):
            for rig, pose in [("humanoid", pose) for pose in POSES] + [("cyl2", "rest")]:
                for members in (
                    {},
                    {"fit": "rest"},
                    {"camera": {"yaw": 40, "pitch": 20, "target": [0, 1, 0]}},
                    {"camera": {"eye": [1, 2, 5], "target": [0, 1, 0]}},
                    {"camera": {"view": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, -4, 1]}},
                ):
                    with self.subTest(rig=rig, pose=pose, **members):
                        same = {"skinning": {"device": device}, **SMALL, **members}
                        crowd = self.draw([{"rig": rig, "pose": pose}], **same)
                        frame = self.assertStatus(self.client.frame(rig, pose, **same), 200)
                        self.assertEqual(crowd.body, frame.body)

        self.for_each_device(check)

    def test_headers_count_all(self):
        reply = self.draw(figures(), **SMALL)
        self.assertEqual(reply.headers["Posed-Instances"], "4")
        count = self.description("humanoid")["vertices"]
        self.assertEqual(reply.headers["Posed-Vertices"], str(4 * count))

    def test_picture_is_the_default(self):
        reply = self.client.post("crowd", {"instances": [{"rig": "cyl2"}], **SMALL})
        self.assertEqual(reply.kind, PNG)

    def test_nearer_figures_hide_farther_ones_in_any_order(self):
        half = [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0, 0, 0]
        near = {"rig": "red", "transform": half + [1, 1]}
        far = {"rig": "green", "transform": IDENTITY}
        centre, edge = (16, 16), (9, 9)
        for instances in ([near, far], [far, near]):
            self.assertEqual(self.colours(instances, centre, edge), ["r", "g"])

    def test_figures_do_not_affect_one_another(self):
        # Beside each other and seen from the front, each has the pixels that it has alone.
        instances = [
            {"rig": "humanoid", "pose": pose, "translation": [i * 3 - 4.5, 0, 0]}
            for i, pose in enumerate(POSES)
        ]
        flat = [0.16, 0, 0, 0, 0, 0.6, 0, 0, 0, 0, -0.1, 0, 0, -0.6, 0, 1]

        def check(device):
            members = {
                "camera": {"view": IDENTITY, "projection": flat},
                "skinning": {"device": device},
                "width": 256,
                "height": 64,
            }
            together = Picture(self.draw(instances, **members).body)
            alone = [Picture(self.draw([one], **members).body) for one in instances]
            for y in range(64):
                for x in range(256):
                    seen = [p[x, y] for p in alone if p[x, y][3]]
                    self.assertLessEqual(len(seen), 1)
                    self.assertNumbers(together[x, y], seen[0] if seen else (0, 0, 0, 0), 1)
            self.assertTrue(all(p.covered() for p in alone))

        self.for_each_device(check)

    def test_blended_figures_come_last_and_farthest_first(self):
        glass = {"rig": "glass", "translation": [0, 0, 1]}
        wall = {"rig": "red", "translation": [0, 0, -1]}
        places = ((16, 16),)
        members = {"width": 32, "height": 32, "camera": FRONT, "samples": 1}
        behind, before = (
            Picture(self.draw(order, **members).body)[16, 16] for order in ([wall, glass], [glass, wall])
        )
        self.assertEqual(behind, before)
        self.assertGreater(behind[0], 60)
        self.assertGreater(behind[2], 60)
        hidden = {"rig": "glass", "translation": [0, 0, -2]}
        self.assertEqual(
            Picture(self.draw([hidden, wall], **members).body)[16, 16],
            Picture(self.draw([wall], **members).body)[16, 16],
        )
        self.assertEqual(self.colours([wall], *places), ["r"])
        two = [glass, {"rig": "glass", "translation": [0, 0, 0.5]}]
        bodies = {self.draw(order, **members).body for order in (two, two[::-1])}
        self.assertEqual(len(bodies), 1)

    def test_mirrored_figures_keep_their_front(self):
        squares = [
            ({"scale": [-1, 1, 1]}, "r"),
            ({"rotation": [0, 1, 0, 0]}, "none"),
            ({"scale": [-1, 1, 1], "rotation": [0, 1, 0, 0]}, "none"),
            ({"scale": [0.5, -1, 2]}, "r"),
        ]
        for placement, want in squares:
            for more in ([], [{"rig": "red", "translation": [5, 0, 0]}]):
                with self.subTest(placement, together=len(more)):
                    crowd = [{"rig": "red", **placement}] + more
                    self.assertEqual(self.colours(crowd, (16, 16)), [want])
        lit = [
            Picture(self.draw([{"rig": "red", **p}], camera=FRONT, **SMALL).body)[32, 32]
            for p in ({}, {"scale": [-1, 1, 1]})
        ]
        self.assertEqual(lit[0], lit[1])

    def test_camera_fits_all(self):
        instances = figures(apart=2)
        for members in ({}, {"fit": "rest"}, {"camera": {"yaw": 70, "pitch": 30}}):
            picture = Picture(self.draw(instances, width=128, height=128, **members).body)
            border = [(x, y) for x in range(128) for y in (0, 127)]
            border += [(x, y) for x in (0, 127) for y in range(128)]
            self.assertEqual({picture[place][3] for place in border}, {0})
        # Beside figures that stand where it stands, one alone is seen from the same place.
        one = self.draw([{"rig": "humanoid", "pose": POSES[1]}], **SMALL).body
        same = [{"rig": "humanoid", "pose": POSES[1]}] * 3
        self.assertEqual(self.draw(same, **SMALL).body, one)

    def test_every_method_draws_crowds_of_one_as_frames(self):
        pose = {"clip": "bend", "time": 1.3}
        for method in self.client.get("/v1").json()["skinning_methods"]:
            if "examples" in method["needs"]:
                continue
            for device in set(method["device"]) & set(self.devices()):
                skinning = {"method": method["id"], "device": device}
                with self.subTest(**skinning):
                    members = {"skinning": skinning, **SMALL}
                    frame = self.assertStatus(self.client.frame("cyl2", pose, **members), 200)
                    one = {"rig": "cyl2", "pose": pose}
                    self.assertEqual(self.draw([one], **members).body, frame.body)
                    # Three at once in one place, one of which hides the others: at most a bit
                    # of a vertex differs, where the joints of none stretch.
                    three = Picture(self.draw([one] * 3, **members).body)
                    alone = Picture(frame.body)
                    self.assertLessEqual(three.differing(alone, 2), 2)

    def test_each_figure_has_the_time_that_it_names(self):
        # Two crowds that differ in one figure's time differ where it stands, and nowhere else.
        flat = [0.3, 0, 0, 0, 0, 0.6, 0, 0, 0, 0, -0.1, 0, 0, -0.6, 0, 1]
        members = {"camera": {"view": IDENTITY, "projection": flat}, "width": 128, "height": 64}

        def crowd(time):
            return [
                {"rig": "humanoid", "pose": {"clip": "Walk", "time": t}, "translation": [x, 0, 0]}
                for x, t in ((-1.5, time), (1.5, 0.2))
            ]

        a, b = (Picture(self.draw(crowd(t), **members).body) for t in (0.1, 0.5))
        changed = {x for x in range(128) for y in range(64) if a[x, y] != b[x, y]}
        self.assertTrue(changed)
        self.assertLess(max(changed), 64)

    def test_a_full_crowd_is_drawn(self):
        instances = [
            {
                "rig": "cyl2",
                "pose": {"clip": "bend", "phase": i / 4096},
                "translation": [i % 64, 0, -(i // 64)],
                "rotation": [0, i, 0, 4096 - i],
            }
            for i in range(4096)
        ]
        picture = Picture(self.draw(instances, samples=1, **SMALL).body)
        self.assertTrue(picture.covered())

    def test_batches_do_not_show(self):
        # More than are skinned at a time, and in another order other ones are skinned together.
        def check(device):
            members = {"skinning": {"device": device}, "samples": 1, "background": "#ffffff"}
            instances = figures(poses=[POSES[1 + i % 3] for i in range(240)], apart=0.7)
            a, b = (
                Picture(self.draw(order, **members, **SMALL).body)
                for order in (instances, instances[::-1])
            )
            far = sum(
                max(abs(p - q) for p, q in zip(a[x, y], b[x, y])) > 2
                for x in range(64)
                for y in range(64)
            )
            self.assertLessEqual(far, 2)

        self.for_each_device(check)


class Refusals(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "cyl2"):
            cls.put_demo(name)

    def test_what_is_wrong_is_named(self):
        good = {"rig": "cyl2"}
        cases = [
            ({}, 400, "invalid-value", "", "instances"),
            ({"instances": {}}, 400, "invalid-value", "/instances", "1 to 4096"),
            ({"instances": []}, 400, "invalid-value", "/instances", "1 to 4096"),
            ({"instances": [good] * 5000}, 413, "too-large", "/instances", "5000"),
            ({"instances": [good, 3]}, 400, "invalid-value", "/instances/1", "object"),
            ({"instances": [good, {}]}, 400, "invalid-value", "/instances/1", "rig"),
            ({"instances": [{"rig": 1}]}, 400, "invalid-value", "/instances/0/rig", ""),
            ({"instances": [{"rig": "nobody"}]}, 404, "unknown-rig", "/instances/0/rig", "nobody"),
            (
                {"instances": [good, {"rig": "nobody"}]},
                404,
                "unknown-rig",
                "/instances/1/rig",
                "nobody",
            ),
            (
                {"instances": [good, {"rig": "cyl2", "pose": {"clip": "Fly", "time": 0}}]},
                404,
                "unknown-clip",
                "/instances/1/pose/clip",
                'rig "cyl2": no clip "Fly"',
            ),
            (
                {"instances": [{"rig": f"r{i}"} for i in range(17)]},
                413,
                "too-large",
                "/instances/16/rig",
                "16",
            ),
            ({"instances": [good], "fit": "clip"}, 400, "invalid-value", "/fit", "pose or rest"),
            ({"instances": [good], "poses": []}, 400, "unknown-member", "/poses", "instances"),
            ({"instances": [good], "skinning": "no"}, 400, "unknown-method", "/skinning", "lbs"),
        ]
        for request, status, code, pointer, says in cases:
            for accept in (PNG, OCTETS, JSON):
                with self.subTest(pointer, code=code, accept=accept):
                    if code == "invalid-value" and pointer == "/fit" and accept != PNG:
                        continue
                    reply = self.client.post("crowd", request, accept=accept)
                    self.assertProblem(reply, status, code, pointer, says=says)

    def test_placements_are_checked(self):
        cases = [
            ({"translation": [1, 2]}, "translation", "[x, y, z]"),
            ({"translation": 1}, "translation", "[x, y, z]"),
            ({"translation": [1, 2, 1e39]}, "translation", "float32"),
            ({"rotation": [0, 0, 0, 0]}, "rotation", "zero"),
            ({"rotation": [0, 0, 1]}, "rotation", "quaternion"),
            ({"scale": "big"}, "scale", "a number or"),
            ({"scale": 1e39}, "scale", "float32"),
            ({"scale": [1, 1]}, "scale", "a number or"),
            ({"transform": [1] * 16}, "transform", "affine"),
            ({"transform": IDENTITY[:15]}, "transform", "16"),
            ({"transform": IDENTITY, "scale": 2}, "scale", "transform"),
            ({"transform": IDENTITY, "translation": [0, 0, 0]}, "translation", "transform"),
        ]
        for placement, member, says in cases:
            with self.subTest(**placement):
                reply = self.client.crowd([{"rig": "cyl2"}, {"rig": "cyl2", **placement}])
                self.assertProblem(
                    reply, 400, "invalid-value", f"/instances/1/{member}", says=says
                )
        body = b'{"instances": [{"rig": "cyl2", "scale": NaN}]}'
        self.assertProblem(self.client.post("crowd", body), 400, "invalid-json")
        body = b'{"instances": [{"rig": "cyl2", "scale": 1e999}]}'
        self.assertProblem(self.client.post("crowd", body), 400, ("invalid-json", "invalid-value"))

    def test_vertices_beyond_float32_are_refused(self):
        instances = [{"rig": "cyl2"}, {"rig": "cyl2", "scale": 3e38}]
        for accept in (OCTETS, PNG):
            reply = self.client.crowd(instances, accept)
            self.assertProblem(reply, 400, "invalid-value", says="float32")

    def test_tangents_of_rigs_without_are_refused(self):
        reply = self.client.crowd([{"rig": "cyl2"}], OCTETS, attributes=["tangent"])
        self.assertProblem(reply, 422, "missing-data", "/attributes", says='rig "cyl2"')


class Documents(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "cyl2"):
            cls.put_demo(name)

    def test_the_page_s_examples_are_drawn_by_the_client(self):
        page = (ROOT / "docs" / "crowd.md").read_text()
        examples = re.findall(r"^```json\n(.*?)^```", page, flags=re.M | re.S)
        self.assertEqual(len(examples), 2)
        for example in examples:
            with self.subTest(example=example):
                self.hold_to_the_client(example)

    def hold_to_the_client(self, example):
        with tempfile.TemporaryDirectory() as folder:
            request = pathlib.Path(folder) / "crowd.json"
            request.write_text(example)
            command = [binary().parent / "pose", "crowd", request, "--server"]
            command.append(f"http://127.0.0.1:{self.daemon.port}")
            for options, want in (([], PNG), (["--vertices"], OCTETS), (["--json"], JSON)):
                out = pathlib.Path(folder) / "out"
                subprocess.run([*command, *options, "-o", out], check=True)
                reply = self.client.crowd(accept=want, **json.loads(example))
                self.assertEqual(out.read_bytes(), reply.body)
            both = subprocess.run([*command, "--json", "--vertices"], capture_output=True)
            self.assertEqual(both.returncode, 2)


if __name__ == "__main__":
    unittest.main()
