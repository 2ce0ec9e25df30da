"""Comparisons of skinning methods, against sums over /v1/vertices and METHODS' numbers of cyl2."""
import array
import itertools
import math
import unittest

import rigs
from case import DEMO, DaemonCase
from oracle import diagonal, signed_volume
from tiny import Tiny, read_accessor

TWIST_180 = {"clip": "twist", "time": 2}
BEND_90 = {"clip": "bend", "time": 2}


class Numbers(DaemonCase):
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
