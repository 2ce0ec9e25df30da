"""Checks of assets made to break them: what a PUT survives, a check survives, too, and says what it has found."""
import array
import json
import math
import struct
import unittest

import rigs
from client import JSON
from oracle import turn
from test_checks import EVENTS, GLB, CheckCase
from tiny import FLOAT, glb, split_glb

# A closed shape around cyl2's joints: two triangles to each side.
POINTS = [(math.sin(k), 0.4 * (k % 6), math.cos(k)) for k in range(18)]
UP = [(0, 1, 0)] * len(POINTS)


def column():
    return rigs.column(POINTS, UP)


def keyed(times, values=None, path="rotation"):
    tiny = column()
    values = values or [turn((0, 0, 1), 10 * k) for k in range(len(times))]
    tiny.clip([(1, path, times, values, "LINEAR")], name="Hostile")
    return tiny.glb()


def dense(count):
    """A clip of very many keys, written at once."""
    tiny = column()
    animation = tiny.json["animations"][0]
    for name, kind, numbers in (
            ("input", "SCALAR", array.array("f", [k / 64 for k in range(count)])),
            ("output", "VEC4", array.array("f", [0, 0, 0, 1] * count))):
        view = tiny.view(numbers.tobytes())
        tiny.json["accessors"].append({"bufferView": view, "componentType": FLOAT, "type": kind,
                                       "count": count})
        animation["samplers"][0][name] = len(tiny.json["accessors"]) - 1
    tiny.json["accessors"][animation["samplers"][0]["input"]].update(min=[0], max=[(count - 1) / 64])
    return tiny.glb()


def with_nan(body):
    """The asset with a NaN at the first, a middle and the last number of each accessor of floats."""
    document, binary = split_glb(body)
    for index, accessor in enumerate(document["accessors"]):
        if accessor["componentType"] != FLOAT:
            continue
        view = document["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        words = accessor["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        for word in sorted({0, words // 2, words - 1}):
            changed = bytearray(binary)
            struct.pack_into("<f", changed, start + 4 * word, math.nan)
            yield f"accessor {index}, word {word}", glb(json.dumps(document).encode(), bytes(changed))


def without(*members):
    """The asset without some of its members, or with other values for them."""
    tiny = column()
    for change in members:
        change(tiny.json)
    return tiny.glb()


class Hostile(CheckCase):
    def expect_file(self, body, query=""):
        """The file's report, which events tell, too."""
        file = self.report(self.check_asset(body, query))["files"][0]
        for finding in file["findings"]:
            self.assertTrue(math.isfinite(finding.get("value", 0)), finding)
        events = self.events(self.check_asset(body, query, accept=EVENTS))
        self.assertEqual(events[-1]["event"], "end")
        self.assertEqual([e for e in events if e["event"] == "file"], [{"event": "file", **file}])
        return file

    def rules(self, file):
        return {finding["rule"] for finding in file["findings"]}

    def test_nan_anywhere_is_a_finding(self):
        seen = set()
        for name, body in with_nan(keyed([0, 0.5, 1])):
            with self.subTest(name):
                rules = self.rules(self.expect_file(body))
                self.assertTrue(rules & {"mesh/nonfinite", "mesh/normal_length", "clip/nonfinite",
                                         "rig/weight_sum", "rig/weight_invalid", "file/refused"}, rules)
                seen |= rules
        self.assertLessEqual({"mesh/nonfinite", "clip/nonfinite"}, seen)

    def test_clips_of_few_and_of_endless_keys(self):
        one = self.expect_file(keyed([0.25]))
        self.assertEqual(one["clips"][2]["samples"], 1)
        endless = self.expect_file(keyed([0, 1e30]))
        self.assertIn("motion/pop", {s["rule"] for s in endless["skipped"]})
        for times in ([1e30, 2e30], [-1e30, 0, 1e30], [0, 1e-40, 1], [0, 1e-7, 2e-7]):
            with self.subTest(times):
                self.expect_file(keyed(times))

    def test_a_clip_of_a_million_keys(self):
        reply = self.check_asset(dense(1000000), "?only=clip/key_order,motion/pop&clips=twist")
        clip = self.report(reply)["files"][0]["clips"][0]
        self.assertEqual((clip["rate"], clip["samples"]), (64, 1000000))

    def test_values_beyond_all_measure(self):
        for values in ([(0, 0, 0, 0)] * 2, [(1e30, 0, 0, 1e30)] * 2, [(0, 0, 0, 1), (1e-30, 0, 0, 0)]):
            with self.subTest(values):
                self.expect_file(keyed([0, 1], values))
        for path in ("translation", "scale"):
            for size in (1e30, 3e38, 0, -1e-38):
                with self.subTest((path, size)):
                    self.expect_file(keyed([0, 1], [(1, 1, 1), (size,) * 3], path))

    def test_nothing_to_check(self):
        def drop(name):
            return lambda document: document.pop(name)

        def points(document):
            document["meshes"][0]["primitives"][0]["mode"] = 0

        def unskinned(document):
            document["nodes"][2].pop("skin")

        def no_mesh(document):
            document["nodes"][2].pop("mesh")
            document["nodes"][2].pop("skin")

        for name, body in (
                ("no triangles", without(points)), ("no skin", without(unskinned)),
                ("no mesh", without(no_mesh)), ("no clips", without(drop("animations"))),
                ("no joints", rigs.triangle().glb()),
                ("nothing", glb(b'{"asset": {"version": "2.0"}}'))):
            with self.subTest(name):
                file = self.expect_file(body)
                self.assertNotIn("file/refused", self.rules(file))

    def test_every_format_takes_it(self):
        body = next(body for _, body in with_nan(keyed([0, 1e30])))
        for kind in ("application/sarif+json", "application/junit+xml", "text/html", "text/plain",
                     "text/markdown", "application/openmetrics-text", "application/jsonl", JSON):
            with self.subTest(kind):
                self.assertStatus(self.check_asset(body, accept=kind), 200)


if __name__ == "__main__":
    unittest.main()
