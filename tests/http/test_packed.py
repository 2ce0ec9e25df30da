"""Packed vertices: exact within the documented bounds, the same through the codec, and small."""
import struct
import unittest

import packed
import rigs
from case import DaemonCase
from client import JSON, OCTETS

PACKED = ["position:u16x3", "normal:oct8x2"]
NORMAL_LIMIT_DEG = 0.95
FLOAT_BYTES = 24  # position and normal


def clip_poses(clip, duration):
    """All frames of a clip at 30 a second."""
    return [{"clip": clip, "time": i / 30} for i in range(max(2, round(duration * 30)))]


class Packed(DaemonCase):
    @classmethod
    def prepare(cls):
        for name in ("humanoid", "head", "cyl2", "tube23"):
            cls.put_demo(name)

    def ask(self, rig, poses, attributes=PACKED, status=200, **members):
        request = {"rig": rig, "poses": poses, "attributes": attributes, **members}
        return self.assertStatus(self.client.post("vertices", request, accept=OCTETS), status)

    def box(self, reply):
        """As the float32 that the text stands for."""
        numbers = [float(number) for number in reply.headers["Posed-Bounds"].split()]
        return struct.unpack("6f", struct.pack("6f", *numbers))

    def assertClose(self, reply, exact):
        """Every frame is within half a step and NORMAL_LIMIT_DEG of the float32 answer."""
        box = self.box(reply)
        vertices = int(reply.headers["Posed-Vertices"])
        half = [(high - low) / 65535 / 2 for low, high in zip(box[:3], box[3:])]
        numbers = exact.floats()
        for i, frame in enumerate(packed.read_answer(reply)):
            at = i * vertices * 6
            want = numbers[at : at + vertices * 6]
            for v, position in enumerate(packed.positions_of(frame, box)):
                for k in range(3):
                    self.assertLessEqual(abs(position[k] - want[v * 3 + k]), half[k] * 1.000001)
            normals = want[vertices * 3 :]
            worst = max(packed.angle_deg(normal, normals[v * 3 : v * 3 + 3])
                        for v, normal in enumerate(packed.normals_of(frame, 8)))
            self.assertLess(worst, NORMAL_LIMIT_DEG)

    def test_numbers_are_within_half_a_step_of_float32(self):
        for rig, clip in (("cyl2", "twist"), ("head", "Nod")):
            poses = clip_poses(clip, 0.2)
            exact = self.ask(rig, poses, ["position", "normal"])
            for members in ({}, {"bits": 12}, {"compression": "meshopt"},
                            {"compression": "meshopt", "bits": 16}):
                with self.subTest(rig=rig, **members):
                    self.assertClose(self.ask(rig, poses, **members), exact)

    def test_box_is_a_cube_that_fewer_bits_enlarge(self):
        for bits in (16, 10):
            box = self.box(self.ask("cyl2", ["rest"], bits=bits))
            sides = [high - low for low, high in zip(box[:3], box[3:])]
            self.assertNumbers(sides, [sides[0]] * 3, sides[0] * 1e-6)
            exact = self.positions("cyl2")
            longest = max(max(p[k] for p in exact) - min(p[k] for p in exact) for k in range(3))
            self.assertNumbers([sides[0]], [longest * 65535 / (2**bits - 1)], longest * 1e-5)

    def test_layout_says_what_there_is(self):
        cases = (
            (PACKED, {}, "position:u16x3,normal:oct8x2;stride=8;bits=16"),
            (PACKED[::-1], {}, "position:u16x3,normal:oct8x2;stride=8;bits=16"),
            (PACKED[:1], {"bits": 11}, "position:u16x3;stride=8;bits=11"),
            (PACKED[1:], {}, "normal:oct8x2;stride=4"),
            (PACKED, {"compression": "meshopt"},
             "position:u16x3,normal:oct8x2;stride=8;bits=14;compression=meshopt"),
            (PACKED, {"compression": {"codec": "meshopt", "order": "strip"}, "bits": 16},
             "position:u16x3,normal:oct8x2;stride=8;bits=16;compression=meshopt;order=strip"),
        )
        for attributes, members, layout in cases:
            reply = self.ask("cyl2", ["rest"], attributes, **members)
            self.assertEqual(reply.headers["Posed-Layout"], layout)
        reply = self.ask("cyl2", ["rest", "rest"], compression="meshopt")
        self.assertEqual(reply.headers["Posed-Layout"], "position:u16x3,normal:oct8x2;stride=8;"
                         "bits=14;compression=meshopt;delta=previous;order=strip")

    def test_alone_each_is_what_both_have(self):
        both = packed.read_answer(self.ask("head", ["rest"]))[0]
        positions = packed.read_answer(self.ask("head", ["rest"], PACKED[:1]))[0]
        normals = packed.read_answer(self.ask("head", ["rest"], PACKED[1:]))[0]
        count = len(both) // 8
        for v in range(count):
            a, b = both[v * 8 : v * 8 + 8], positions[v * 8 : v * 8 + 8]
            self.assertEqual(a[:6] + b"\0\0", b)
            self.assertEqual(a[6:] + b"\0\0", normals[v * 4 : v * 4 + 4])

    def test_every_way_through_the_codec_gives_the_same_bytes(self):
        poses = clip_poses("Nod", 0.2)
        for attributes in (PACKED, PACKED[:1], PACKED[1:]):
            members = {} if attributes == PACKED[1:] else {"bits": 13}
            plain = packed.read_answer(self.ask("head", poses, attributes, **members))
            for delta in ("none", "previous"):
                for order in ("file", "strip"):
                    way = {"codec": "meshopt", "delta": delta, "order": order}
                    reply = self.ask("head", poses, attributes, compression=way, **members)
                    self.assertEqual(packed.read_answer(reply), plain, str(way))

    def test_long_answers_are_the_short_ones(self):
        poses = [{"clip": "bend", "phase": i / 1500} for i in range(1500)]
        reply = self.ask("cyl2", poses, compression="meshopt")
        plain = self.ask("cyl2", poses, bits=14)
        size = int(plain.headers["Posed-Vertices"]) * 8
        frames = packed.read_answer(reply)
        for i in (0, 1, 700, 1499):
            self.assertEqual(frames[i], plain.body[i * size : (i + 1) * size], f"frame {i}")

    def test_compressed_clips_take_15_percent_of_the_floats(self):
        for rig in ("humanoid", "head", "cyl2", "tube23"):
            description = self.description(rig)
            for clip in description["clips"]:
                poses = clip_poses(clip["name"], clip["duration"])
                reply = self.ask(rig, poses, compression="meshopt")
                floats = len(poses) * description["vertices"] * FLOAT_BYTES
                share = len(reply.body) / floats
                self.assertLess(share, 0.15, f"{rig} {clip['name']}")

    def test_the_order_is_a_permutation_and_the_etag_tells_forms_apart(self):
        way = {"codec": "meshopt", "order": "strip"}
        reply = self.ask("head", ["rest"], compression=way)
        length = int.from_bytes(reply.body[:4], "little")
        vertices = int(reply.headers["Posed-Vertices"])
        order = packed.read_order(reply.body[4 : 4 + length], vertices)
        self.assertEqual(sorted(order), list(range(vertices)))
        again = self.ask("head", ["rest"], compression=way)
        self.assertEqual(again.body, reply.body)
        other = self.ask("head", ["rest"], compression="meshopt")
        self.assertNotEqual(other.headers["ETag"], reply.headers["ETag"])

    def test_methods_that_cut_the_mesh_have_an_order_of_their_own(self):
        for method in ("lbs", "stbs", "rigid"):
            with self.subTest(method=method):
                poses = clip_poses("bend", 0.1)
                plain = self.client.post("vertices", {
                    "rig": "cyl2", "poses": poses, "attributes": PACKED, "bits": 14,
                    "skinning": method})
                if plain.status != 200:
                    continue
                reply = self.ask("cyl2", poses, compression="meshopt", skinning=method)
                self.assertEqual(packed.read_answer(reply), packed.read_answer(plain))

    def test_flat_and_single_points(self):
        flat = rigs.triangle([(0, 0, 0), (1, 0, 0), (0, 0, 0)]).glb()
        self.put_rig("flat", flat)
        reply = self.ask("flat", ["rest"], compression="meshopt")
        got = packed.positions_of(packed.read_answer(reply)[0], self.box(reply))
        self.assertNumbers(got, self.positions("flat"), 1 / 16383)
        far = rigs.triangle([(5e5, -5e5, 3)] * 3).glb()
        self.put_rig("far", far)
        reply = self.ask("far", ["rest"])
        got = packed.positions_of(packed.read_answer(reply)[0], self.box(reply))
        self.assertEqual(got, self.positions("far"))

    def test_what_is_wrong_is_said_with_its_place(self):
        cases = (
            ({"attributes": ["position:u16x3", "normal"]}, "/attributes/1", "normal:oct8x2"),
            ({"attributes": ["position:u16x3"] * 2}, "/attributes/1", "twice"),
            ({"attributes": ["position:u16"]}, "/attributes/0", "position:u16x3"),
            ({"attributes": PACKED, "bits": 9}, "/bits", "10"),
            ({"attributes": PACKED, "bits": 17}, "/bits", "16"),
            ({"attributes": PACKED[1:], "bits": 12}, "/bits", "position:u16x3"),
            ({"bits": 12}, "/bits", "packed"),
            ({"compression": "meshopt"}, "/compression", "packed"),
            ({"attributes": PACKED, "compression": "zip"}, "/compression", "meshopt"),
            ({"attributes": PACKED, "compression": 3}, "/compression", "meshopt"),
            ({"attributes": PACKED, "compression": {"delta": "none"}}, "/compression", "codec"),
            ({"attributes": PACKED, "compression": {"codec": "meshopt", "delta": "next"}},
             "/compression/delta", "previous"),
            ({"attributes": PACKED, "compression": {"codec": "meshopt", "level": 3}},
             "/compression/level", "order"),
        )
        for members, pointer, says in cases:
            with self.subTest(**members):
                reply = self.client.vertices("cyl2", **members)
                self.assertProblem(reply, 400, ("invalid-value", "unknown-member"), pointer,
                                   says=says)
        for accept in (JSON, "model/gltf-binary"):
            reply = self.client.vertices("cyl2", accept=accept, attributes=PACKED)
            self.assertProblem(reply, 400, "invalid-value", "/attributes", says=accept)
        wrong = ["rest", {"clip": "Wlak"}]
        reply = self.client.post("vertices", {"rig": "cyl2", "poses": wrong,
                                              "attributes": PACKED})
        self.assertProblem(reply, 404, "unknown-clip", "/poses/1/clip", says="Wlak")

    def test_vertices_beyond_what_a_box_can_have_are_refused(self):
        self.put_rig("wide", rigs.triangle([(-3e38, 0, 0), (3e38, 0, 0), (0, 1, 0)]).glb())
        reply = self.client.vertices("wide", attributes=PACKED[:1])
        self.assertProblem(reply, 400, "invalid-value", says="float32")


if __name__ == "__main__":
    unittest.main()
