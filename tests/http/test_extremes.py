"""Sizes at the edge: large but legal things work or are refused clearly, without harm."""
import math
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, rig_path
from tiny import FLOAT, IDENTITY, UBYTE, USHORT, Tiny

REFUSED = (413, 422)
REASONS = ("too-large", "broken-asset", "unsupported-asset")


class Extremes(DaemonCase):
    needs_driver = True

    def put_or_refuse(self, tiny):
        """True if it was taken; otherwise the refusal must be a proper one."""
        reply = self.client.put("extreme", tiny.glb())
        if reply.status in (200, 201):
            return True
        self.assertIn(reply.status, REFUSED, str(reply))
        self.assertProblem(reply, reply.status, REASONS)
        return False

    def test_long_chain_of_nodes(self):
        # A reader that recurses per node would run out of stack.
        tiny = Tiny()
        count = 50000
        tiny.json["nodes"] = [
            {"children": [i + 1], "translation": [1, 0, 0]} for i in range(count - 1)
        ]
        tiny.json["nodes"].append({"translation": [1, 0, 0]})
        tiny.json["scenes"][0]["nodes"] = [0]
        if self.put_or_refuse(tiny):
            reply = self.client.pose("extreme", accept="application/octet-stream")
            last = self.assertStatus(reply, 200).floats()[-4:]
            self.assertEqual(list(last), [count, 0, 0, 1])
            self.assertStatus(self.client.get(rig_path("extreme")), 200)

    def test_many_joints_in_one_skin(self):
        tiny = Tiny()
        count = 20000
        joints = [tiny.node(translation=[i, 0, 0]) for i in range(count)]
        tiny.node(root=True, children=joints)
        rows = tiny.influences([(count - 1, 0, 0, 0)] * 3, [(1, 0, 0, 0)] * 3, USHORT)
        mesh = tiny.mesh(tiny.primitive(rigs.TRIANGLE, JOINTS_0=rows[0], WEIGHTS_0=rows[1]))
        tiny.node(root=True, mesh=mesh, skin=tiny.skin(joints))
        if self.put_or_refuse(tiny):
            for method in ("lbs", "dqs"):
                for device in self.devices():
                    reply = self.client.vertices(
                        "extreme", skinning={"method": method, "device": device}
                    )
                    self.assertIn(reply.status, (200, 422), str(reply))
                    if reply.status == 200:
                        self.assertNumbers(reply.triples()[0], (count - 1, 0, 0), 1e-2)
                    else:
                        self.assertProblem(
                            reply, 422, ("missing-data", "too-large", "unsupported-asset")
                        )

    def test_long_names(self):
        tiny = rigs.triangle()
        tiny.json["nodes"][0]["name"] = "n" * 1000000
        tiny.clip(
            [(0, "translation", [0, 1], [(0, 0, 0), (1, 0, 0)], "LINEAR")], name="c" * 1000000
        )
        if self.put_or_refuse(tiny):
            self.assertStatus(self.client.get(rig_path("extreme")), 200)
            reply = self.client.pose("extreme", {"clip": "nope", "time": 0})
            self.assertProblem(reply, 404, "unknown-clip")
            self.assertLess(len(reply.body), 10000)

    def test_names_with_everything_in_them(self):
        names = ["\x01", "\x1f\n", '"\\/', "\u202etxet", "\U0001f98a", "</script>", "%00", " "]
        tiny = Tiny()
        for name in names:
            tiny.node(root=True, name=name)
        self.put_rig("names", tiny.glb())
        joints = self.description("names")["joints"]
        self.assertEqual(len(joints), len(names))
        for joint in joints:
            self.assertEqual(joint["name"], names[joint["index"]])

    def test_many_clips(self):
        tiny = rigs.triangle()
        times = tiny.accessor([0, 1], "SCALAR", bounds=True)
        rows = tiny.accessor([(0, 0, 0), (1, 0, 0)], "VEC3")
        channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
        clip = {"channels": [channel], "samplers": [{"input": times, "output": rows}]}
        tiny.json["animations"] = [clip] * 20000
        if self.put_or_refuse(tiny):
            self.assertEqual(len(self.description("extreme")["clips"]), 20000)
            self.assertEqual(self.positions("extreme", {"clip": 19999, "time": 1})[0], (1, 0, 0))
            reply = self.client.pose("extreme", {"clip": "nope", "time": 0})
            self.assertProblem(reply, 404, "unknown-clip", says="nope")

    def test_empty_things(self):
        # Legal and pointless: an animation without channels is invalid glTF, an empty scene is not.
        tiny = rigs.triangle()
        tiny.json["scenes"][0]["nodes"] = []
        if self.put_or_refuse(tiny):
            self.assertEqual(self.positions("extreme"), [])
            self.assertStatus(self.client.frame("extreme", width=8, height=8), 200)

    def test_many_influence_sets(self):
        # Nine sets of four: every one counts, or the file is refused; none is dropped silently.
        tiny = Tiny()
        joints = [tiny.node(translation=[i, 0, 0]) for i in range(36)]
        tiny.node(root=True, children=joints)
        attributes = {}
        for i in range(9):
            row = (4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)
            sets = tiny.influences([row] * 3, [(1 / 36,) * 4] * 3, UBYTE, FLOAT)
            attributes[f"JOINTS_{i}"], attributes[f"WEIGHTS_{i}"] = sets
        mesh = tiny.mesh(tiny.primitive(rigs.TRIANGLE, **attributes))
        tiny.node(root=True, mesh=mesh, skin=tiny.skin(joints, [IDENTITY] * 36))
        if self.put_or_refuse(tiny):
            got = self.positions("extreme")[0][0]
            if abs(got - 17.5) > 1e-3:
                self.assertTrue(
                    self.description("extreme")["warnings"], "influences were dropped silently"
                )

    def test_times_beyond_all_measure(self):
        self.put_rig("column", rigs.column([(0.1, 1, 0)] * 3).glb())
        for time in (1e308, -1e308, 5e-324, 1e18):
            for loop in ("clamp", "repeat", "ping_pong"):
                pose = {"clip": "twist", "time": time, "loop": loop}
                for joint in self.joints("column", pose).values():
                    self.assertTrue(all(math.isfinite(x) for x in joint["world"]), pose)

    def assertLived(self, reply):
        """A result or a refusal; JSON without NaN or infinities."""
        self.assertIn(reply.status, (200, 201, 400, 422), str(reply))
        if reply.status >= 400:
            self.assertProblem(reply, reply.status, ("broken-asset", "invalid-value"))
        elif reply.kind == JSON:
            reply.json()

    def test_products_beyond_float32_end_nothing(self):
        # Every number of the file is finite; JSON has no way to write what they make.
        far = [(0, 0, 0), (3e38, 0, 0), (0, 1, 0)]
        self.assertLived(self.client.put("rest", rigs.triangle(far, scale=[100, 1, 1]).glb()))
        driven = rigs.triangle(far)
        driven.clip([(0, "scale", [0, 1], [(1, 1, 1), (100, 1, 1)], "LINEAR")])
        self.put_rig("driven", driven.glb())
        bones = rigs.triangle()
        upper = bones.node(translation=[3e38, 0, 0], scale=[10, 1, 1])
        bones.json["nodes"][0].update(children=[upper], scale=[100, 1, 1])
        del bones.json["nodes"][0]["mesh"]
        self.put_rig("bones", bones.glb())
        for rig, pose in (("rest", "rest"), ("driven", {"clip": 0, "time": 1}), ("bones", "rest")):
            if self.client.get(rig_path(rig)).status == 404:
                continue  # refused
            with self.subTest(rig):
                self.assertLived(self.client.get(rig_path(rig)))
                for accept in (OCTETS, JSON):
                    self.assertLived(self.client.vertices(rig, pose, accept))
                    self.assertLived(self.client.pose(rig, pose, accept))
                for fit in ("pose", "clip", "rest"):
                    self.assertLived(self.client.frame(rig, pose, width=16, height=16, fit=fit))
        self.assertStatus(self.client.get("/healthz"), 200)


if __name__ == "__main__":
    unittest.main()
