"""POST /v1/vertices: layouts, headers, frames, attributes, and normals by n_cof."""
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS
from oracle import turn, unit

POINTS = [(0.1, 1, 0), (0, 1.1, 0.1), (-0.1, 0.9, 0)]
NORMALS = [(1, 0, 0), (0, 0, 1), (-1, 0, 0)]


class VerticesAreLaidOut(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("column", rigs.column(POINTS, NORMALS).glb())

    def test_octets_are_the_default_with_their_layout_in_headers(self):
        reply = self.client.request("POST", "/v1/vertices", b'{"rig":"column","pose":"rest"}')
        self.assertStatus(reply, 200)
        self.assertEqual(reply.kind, OCTETS)
        self.assertEqual(len(reply.body), 3 * 3 * 4)
        self.assertEqual(reply.headers["Posed-Vertices"], "3")
        self.assertEqual(reply.headers["Posed-Frames"], "1")
        self.assertEqual(reply.headers["Posed-Layout"], "position:f32x3")
        self.assertRegex(reply.headers["Posed-Skinning"], r"^lbs; device=(cpu|gpu)$")
        rig = self.client.get("/v1/rigs/column").json()
        self.assertEqual(reply.headers["Posed-Content"], rig["content"])
        self.assertNumbers(reply.triples(), POINTS, 1e-6)

    def test_attributes_come_one_after_another_in_the_order_asked(self):
        pose = {"clip": "bend", "time": 1}
        position = self.client.vertices("column", pose).floats()
        normal = self.client.vertices("column", pose, attributes=["normal"]).floats()
        for order, layout in (
            (["position", "normal"], "position:f32x3,normal:f32x3"),
            (["normal", "position"], "normal:f32x3,position:f32x3"),
        ):
            reply = self.assertStatus(self.client.vertices("column", pose, attributes=order), 200)
            self.assertEqual(reply.headers["Posed-Layout"], layout)
            parts = {"position": position, "normal": normal}
            self.assertEqual(list(reply.floats()), [x for name in order for x in parts[name]])

    def test_frames_come_in_the_order_asked_with_all_attributes_each(self):
        poses = [{"clip": "bend", "time": t} for t in (1, 0, 0.25)]
        both = ["position", "normal"]
        singles = [self.client.vertices("column", pose, attributes=both).body for pose in poses]
        request = {"rig": "column", "poses": poses, "attributes": both}
        reply = self.assertStatus(self.client.post("vertices", request, accept=OCTETS), 200)
        self.assertEqual(reply.headers["Posed-Frames"], "3")
        self.assertEqual(reply.body, b"".join(singles))

    def test_4096_frames_are_taken(self):
        poses = [{"clip": "twist", "phase": i / 4095} for i in range(4096)]
        reply = self.client.post("vertices", {"rig": "column", "poses": poses}, accept=OCTETS)
        self.assertStatus(reply, 200)
        self.assertEqual(len(reply.body), 4096 * 3 * 12)
        self.assertEqual(reply.body[:36], self.client.vertices("column", poses[0]).body)
        self.assertEqual(reply.body[-36:], self.client.vertices("column", poses[-1]).body)

    def test_json_has_rows_of_three(self):
        pose = {"clip": "twist", "time": 1}
        both = ["position", "normal"]
        reply = self.assertStatus(
            self.client.vertices("column", pose, accept=JSON, attributes=both), 200
        )
        self.assertEqual(reply.kind, JSON)
        answer = reply.json()
        self.assertEqual(answer["vertices"], 3)
        self.assertEqual(len(answer["frames"]), 1)
        self.assertEqual(set(answer["frames"][0]), set(both))
        octets = self.client.vertices("column", pose, attributes=both).triples()
        self.assertNumbers(answer["frames"][0]["position"], octets[:3], 6e-8)
        self.assertNumbers(answer["frames"][0]["normal"], octets[3:], 6e-8)

    def test_json_frames_are_a_list_of_frames(self):
        request = {"rig": "column", "poses": ["rest", {"clip": "bend", "time": 1}]}
        frames = self.client.post("vertices", request, accept=JSON).json()["frames"]
        self.assertEqual(len(frames), 2)
        self.assertNumbers(frames[0]["position"], POINTS, 1e-6)

    def test_accept_is_weighed(self):
        for accept, want in (
            ("*/*", OCTETS),
            ("application/*", OCTETS),
            ("application/json, application/octet-stream;q=0.5", JSON),
            ("application/json;q=0.2, application/octet-stream;q=0.9", OCTETS),
            ("text/html, application/json", JSON),
            ("APPLICATION/JSON", JSON),
            ("application/octet-stream;q=0, application/json", JSON),
        ):
            with self.subTest(accept):
                reply = self.assertStatus(self.client.vertices("column", accept=accept), 200)
                self.assertEqual(reply.kind, want)

    def test_device_and_method_used_are_named(self):
        def run(device):
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device}
                reply = self.assertStatus(self.client.vertices("column", skinning=skinning), 200)
                self.assertEqual(reply.headers["Posed-Skinning"], f"{method}; device={device}")

        self.for_each_device(run)

    def test_skinning_may_be_just_the_id(self):
        for method in ("lbs", "dqs"):
            reply = self.assertStatus(self.client.vertices("column", skinning=method), 200)
            self.assertRegex(reply.headers["Posed-Skinning"], f"^{method}; device=")
        auto = {"method": "dqs", "device": "auto"}
        self.assertStatus(self.client.vertices("column", skinning=auto), 200)

    def test_index_of_a_clip_works_like_its_name(self):
        by_name = self.client.vertices("column", {"clip": "bend", "time": 0.5}).body
        self.assertEqual(self.client.vertices("column", {"clip": 1, "time": 0.5}).body, by_name)


class NormalsAreTurned(DaemonCase):
    needs_driver = True

    def normals(self, rig, pose="rest", **members):
        reply = self.client.vertices(rig, pose, attributes=["normal"], **members)
        return self.assertStatus(reply, 200).triples()

    def square(self, normal, **node):
        tiny = rigs.square()
        tiny.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = tiny.normals(
            [unit(normal)] * 4
        )
        tiny.json["nodes"][0].update(node)
        return tiny.glb()

    def test_non_uniform_scale_takes_the_cofactor(self):
        # METHODS B2: A = diag(2,1,1), n = (1,1,0)/sqrt 2 -> (1,2,0)/sqrt 5
        self.put_rig("wide", self.square((1, 1, 0), scale=[2, 1, 1]))
        for normal in self.normals("wide"):
            self.assertNumbers(normal, (0.447214, 0.894427, 0), 1e-5)

    def test_cofactor_is_also_there_by_name(self):
        # "cof" is n_cof of METHODS B2; the API leaves the prefix out.
        self.put_rig("wide-cof", self.square((1, 1, 0), scale=[2, 1, 1]))
        skinning = {"method": "lbs", "normals": "cof"}
        self.assertNumbers(
            self.normals("wide-cof", skinning=skinning)[0], (0.447214, 0.894427, 0), 1e-5
        )

    def test_flattened_axis_gives_a_normal_and_no_nan(self):
        # METHODS B2: A = diag(0,1,1), n = (1,0,0) -> (1,0,0), where an inverse would divide by 0
        self.put_rig("flattened", self.square((1, 0, 0), scale=[0, 1, 1]))
        for normal in self.normals("flattened"):
            self.assertNumbers(normal, (1, 0, 0), 1e-5)

    def test_rotation_turns_normals(self):
        self.put_rig("turned", self.square((1, 0, 0), rotation=turn((0, 0, 1), 90)))
        for normal in self.normals("turned"):
            self.assertNumbers(normal, (0, 1, 0), 1e-6)

    def test_single_joint_turns_normals_on_every_device(self):
        # Both methods are rigid where one joint has all the weight: a turn of 90 degrees about z.
        points = [(0.1, 2, 0), (0, 2, 0.1), (-0.1, 2, 0)]
        self.put_rig("rigid", rigs.column(points, NORMALS).glb())

        def run(device):
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device}
                got = self.normals("rigid", {"clip": "bend", "time": 1}, skinning=skinning)
                self.assertNumbers(got, [(0, 1, 0), (0, 0, 1), (0, -1, 0)], 2e-6, method)

        self.for_each_device(run)

    def test_blended_joints_give_the_cofactor_of_the_blend(self):
        # bend(90), w = 1/2: A = ((1/2, -1/2, 0), (1/2, 1/2, 0), (0, 0, 1)), a turn by 45 degrees
        # times sqrt 1/2 in the plane: cof keeps directions in the plane and along z.
        points = [(0.1, 1, 0), (0, 1, 0.1), (0.1, 1, 0.1)]
        normals = [(1, 0, 0), (0, 0, 1), unit((1, 0, 1))]
        self.put_rig("blended", rigs.column(points, normals).glb())
        half = 0.5**0.5
        # cof(A) has sqrt 1/2 on the turned plane and 1/2 along z.
        slanted = unit((0.5 * half, 0.5 * half, 0.5 * half))
        want = [(half, half, 0), (0, 0, 1), slanted]

        def run(device):
            skinning = {"method": "lbs", "device": device, "normals": "cof"}
            got = self.normals("blended", {"clip": "bend", "time": 1}, skinning=skinning)
            self.assertNumbers(got, want, 2e-6)

        self.for_each_device(run)

    def test_normals_are_unit_on_a_whole_rig(self):
        self.put_demo("cyl2")

        def run(device):
            for method in ("lbs", "dqs"):
                skinning = {"method": method, "device": device}
                for normal in self.normals(
                    "cyl2", {"clip": "bend", "phase": 0.4}, skinning=skinning
                ):
                    self.assertAlmostEqual(sum(x * x for x in normal), 1, delta=1e-5)

        self.for_each_device(run)

    def test_missing_normals_are_those_of_the_triangle(self):
        # glTF: without normals flat ones are to be computed; one triangle leaves no choice.
        self.put_rig("bare", rigs.triangle([(0, 0, 0), (0, 1, 0), (0, 0, 1)]).glb())
        self.assertNumbers(self.normals("bare"), [(1, 0, 0)] * 3, 1e-6)


if __name__ == "__main__":
    unittest.main()
