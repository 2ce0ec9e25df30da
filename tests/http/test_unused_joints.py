"""Joints that move no vertex: adding, renaming or taking out of a skin what no weight names changes
no vertex of any method by a bit. The rig without such joints is what the others are checked against."""
import copy
import json
import math
import struct
import unittest

import rigs
from case import DEMO, SHARED, DaemonCase
from client import JSON, rig_path
from tiny import IDENTITY, glb, split_glb

# Of real files: larger ones take a second a method.
REAL_VERTICES_MOST = 2000
# Of more skins than this Direct Delta Mush takes long to be prepared.
SKINS_MOST_FOR_DDM = 16


# Each way of having joints that move nothing.
WAYS = {
    "one behind": {"behind": 1},
    "twelve behind": {"behind": 12},
    "twelve in front": {"before": 12},
    "a tip": {"tip": True},
    "all of these": {"before": 3, "behind": 3, "tip": True},
    "all of these, by other names": {"before": 3, "behind": 3, "tip": True, "name": "A"},
}


class UnusedJoints(DaemonCase):
    @classmethod
    def prepare(cls):
        methods = cls.client.get("/v1").json()["skinning_methods"]
        cls.needs = {method["id"]: method["needs"] for method in methods}

    def put_examples(self, rig):
        rest = self.positions(rig)
        poses = [(clip, time) for clip in ("move", "one joint") for time in (0.5, 1, 2)]
        for step, (clip, time) in enumerate(poses):
            body = {"pose": {"clip": clip, "time": time}, "positions": rigs.sculpt(rest, step)}
            reply = self.client.request("PUT", rig_path(rig, f"/examples/at{step}"),
                                        json.dumps(body).encode(), {"Content-Type": JSON})
            self.assertStatus(reply, 201)

    def answers(self, rig, methods, poses):
        """The bytes of every method's vertices, and its normals, in the poses."""
        request = {"rig": rig, "attributes": ["position", "normal"], "poses": poses}
        found = {}
        for method in methods:
            reply = self.client.post("vertices", {**request, "skinning": {"method": method}},
                                     accept="application/octet-stream")
            self.assertIn(reply.status, (200, 422), f"{method}: {reply}")
            found[method] = reply.body if reply.status == 200 else None
        return found

    def assertAlike(self, got, want, what):
        for method, content in want.items():
            if got[method] != content:
                apart = max(abs(a - b) for (a,), (b,) in zip(
                    struct.iter_unpack("<f", got[method]), struct.iter_unpack("<f", content)))
                self.fail(f"{what}: {method} is off by up to {apart:.3g}")

    def test_of_a_tube_bound_in_centimetres_every_method_makes_the_same(self):
        poses = [{"clip": "move", "time": time} for time in (0.4, 1, 1.7)]
        self.put_rig("tube", rigs.centimetre_tube().glb())
        self.put_examples("tube")
        want = self.answers("tube", self.needs, poses)
        self.assertEqual([], [method for method in want if want[method] is None])
        for what, way in WAYS.items():
            with self.subTest(way=what):
                name = self.put_rig(what, rigs.centimetre_tube(**way).glb())
                self.put_examples(name)
                self.assertAlike(self.answers(name, self.needs, poses), want, what)

    def test_bones_of_a_tube_in_metres_are_the_same_in_centimetres(self):
        """The unit is the bound joints' own: the same tube with an armature of scale 1 agrees to
        rounding."""
        body = rigs.centimetre_tube().glb()
        text, data = split_glb(body)
        text["nodes"] = copy.deepcopy(text["nodes"])
        for node in text["nodes"]:
            if node["name"] == "armature":
                node["scale"] = [1, 1, 1]
            elif node["name"].startswith("J"):
                node["translation"] = [rigs.CENTIMETRES * number for number in node["translation"]]
        del text["skins"][0]["inverseBindMatrices"]
        metres = copy.deepcopy(text)
        rows = b"".join(struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -i, 0, 1)
                        for i in range(rigs.TUBE_JOINTS))
        metres["skins"][0]["inverseBindMatrices"] = len(metres["accessors"])
        metres["accessors"].append({"bufferView": len(metres["bufferViews"]), "type": "MAT4",
                                    "componentType": 5126, "count": rigs.TUBE_JOINTS})
        metres["bufferViews"].append({"buffer": 0, "byteOffset": len(data),
                                      "byteLength": len(rows)})
        metres["buffers"][0]["byteLength"] = len(data) + len(rows)
        self.put_rig("metres", glb(json.dumps(metres).encode(), data + rows))
        self.put_rig("centimetres", rigs.centimetre_tube(behind=12).glb())
        pose = {"clip": "move", "time": 1.7}
        for method in (method for method, needs in self.needs.items() if "examples" not in needs):
            with self.subTest(method=method):
                got, want = (self.positions(rig, pose, skinning={"method": method})
                             for rig in ("centimetres", "metres"))
                self.assertNumbers(got, want, 2e-5, method)


def with_unused(body):
    """The file with three more joints in each skin, in the scene and without weights."""
    text, data = split_glb(body)
    for number, skin in enumerate(text["skins"]):
        old = text["accessors"][skin["inverseBindMatrices"]]
        view = text["bufferViews"][old["bufferView"]]
        start = view.get("byteOffset", 0) + old.get("byteOffset", 0)
        binds = data[start:start + 64 * old["count"]] + 3 * struct.pack("<16f", *IDENTITY)
        data += bytes(-len(data) % 4)
        text["bufferViews"].append({"buffer": 0, "byteOffset": len(data),
                                    "byteLength": len(binds)})
        data += binds
        text["accessors"].append({"bufferView": len(text["bufferViews"]) - 1, "type": "MAT4",
                                  "componentType": 5126, "count": old["count"] + 3})
        skin["inverseBindMatrices"] = len(text["accessors"]) - 1
        tip = text["nodes"][skin["joints"][-1]]
        for i in range(3):
            text["nodes"].append({"name": f"unused{number} {i}", "translation": [0.1 * i, 0.2, 0]})
            skin["joints"].append(len(text["nodes"]) - 1)
            tip.setdefault("children", []).append(len(text["nodes"]) - 1)
    text["buffers"][0]["byteLength"] = len(data)
    return glb(json.dumps(text).encode(), data)


class RealRigs(UnusedJoints):
    # The tube's cases are its parent's.
    test_of_a_tube_bound_in_centimetres_every_method_makes_the_same = None
    test_bones_of_a_tube_in_metres_are_the_same_in_centimetres = None

    def hold(self, path):
        body = path.read_bytes()
        few_skins = len(split_glb(body)[0]["skins"]) <= SKINS_MOST_FOR_DDM
        methods = [method for method, needs in self.needs.items()
                   if not needs and (few_skins or method != "ddm")]
        self.put_rig("as it is", body)
        self.put_rig("with more", with_unused(body))
        clips = [clip["name"] for clip in self.description("as it is")["clips"]]
        poses = [{"clip": clips[0], "phase": phase} for phase in (0.3, 0.7)] if clips else ["rest"]
        want = self.answers("as it is", methods, poses)
        self.assertAlike(self.answers("with more", methods, poses), want, path.name)

    def test_demo_rigs_with_more_joints_move_the_same(self):
        for name in ("tube23", "cyl2"):
            with self.subTest(rig=name):
                self.hold(DEMO / f"{name}.glb")

    def test_real_rigs_with_more_joints_move_the_same(self):
        if not SHARED.is_dir():
            self.skipTest("the shared files are not here")
        held = 0
        for path in sorted(SHARED.rglob("*.glb")):
            # The derived ones are one fox in thirty spellings.
            other = any(part.startswith(("malformed", "derived")) for part in path.parts)
            if other or not is_plain_skin(split_glb(path.read_bytes())[0]):
                continue
            with self.subTest(rig=path.name):
                self.hold(path)
            held += 1
        self.assertGreater(held, 5, "too few files have skins")


def is_plain_skin(text):
    """A skinned file that with_unused() can add to, and that is small."""
    vertices = sum(text["accessors"][primitive["attributes"]["POSITION"]]["count"]
                   for mesh in text.get("meshes", ()) for primitive in mesh["primitives"])
    return (text.get("skins") and not text.get("extensionsRequired")
            and vertices <= REAL_VERTICES_MOST and len(text.get("buffers", ())) == 1
            and all("inverseBindMatrices" in skin
                    and "bufferView" in text["accessors"][skin["inverseBindMatrices"]]
                    for skin in text["skins"]))


if __name__ == "__main__":
    unittest.main()
