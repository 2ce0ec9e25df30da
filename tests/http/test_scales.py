"""Scales far from 1: an armature of any scale has the normals, the tangents and, in its own unit,
the vertices that it has at scale 1."""
import itertools
import json
import math
import unittest

import rigs
from case import DaemonCase
from client import JSON, OCTETS, PNG, rig_path
from test_frame import FRONT
from tiny import Tiny

# Factors of a node's scale that change nothing: the squares of cofactors vanish in float32,
# or overflow. From the next powers on they matter.
SCALES = (1e-12, 1e12)
EDGES = (5e-6, 1e10)
# Vertices a share of the tube's unit apart, directions by so much: rounding of float32.
POSITIONS, DIRECTIONS = 1e-5, 1e-4
POSES = [{"clip": "move", "time": time} for time in (0.4, 1, 1.7)]


def scaled_tube(scale):
    """centimetre_tube() with tangents, in an armature of another scale; "move" also stretches."""
    tiny = rigs.centimetre_tube()
    nodes = {node["name"]: i for i, node in enumerate(tiny.json["nodes"])}
    tiny.json["nodes"][nodes["armature"]]["scale"] = [rigs.CENTIMETRES * scale] * 3
    angles = [2 * math.pi * i / rigs.TUBE_SIDES for i in range(rigs.TUBE_SIDES)]
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["NORMAL"] = tiny.normals(
        [(math.cos(angle), 0, math.sin(angle)) for angle in angles] * rigs.TUBE_RINGS)
    attributes["TANGENT"] = tiny.accessor(
        [(-math.sin(angle), 0, math.cos(angle), 1) for angle in angles] * rigs.TUBE_RINGS, "VEC4")
    clip = tiny.json["animations"][0]
    clip["samplers"].append({"input": tiny.accessor([0, 1, 2], "SCALAR", bounds=True),
                             "output": tiny.accessor(
                                 [(1, 1, 1), (1.3, 0.8, 1), (1, 1.2, 0.7)], "VEC3"),
                             "interpolation": "LINEAR"})
    clip["channels"].append({"sampler": len(clip["samplers"]) - 1,
                             "target": {"node": nodes["J2"], "path": "scale"}})
    return tiny


class Scales(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.methods = cls.client.get("/v1").json()["skinning_methods"]
        for scale in (1, *SCALES, *EDGES):
            cls.put_rig(str(scale), scaled_tube(scale).glb())
            cls.put_examples(str(scale), scale)

    @classmethod
    def put_examples(cls, rig, scale):
        rest = cls.client.vertices("1").triples()
        poses = [(clip, time) for clip in ("move", "one joint") for time in (0.5, 1, 2)]
        for step, (clip, time) in enumerate(poses):
            points = [[scale * number for number in point] for point in rigs.sculpt(rest, step)]
            body = {"pose": {"clip": clip, "time": time}, "positions": points}
            reply = cls.client.request("PUT", rig_path(rig, f"/examples/at{step}"),
                                       json.dumps(body).encode(), {"Content-Type": JSON})
            assert reply.status == 201, reply

    def skinned(self, rig, skinning):
        """Positions, normals and tangents in all poses."""
        attributes = ["position", "normal", "tangent"]
        reply = self.client.post("vertices", {"rig": rig, "poses": POSES, "skinning": skinning,
                                              "attributes": attributes})
        floats = self.assertStatus(reply, 200).floats()
        frame = len(floats) // len(POSES)
        streams = ([], [], [])
        for start in range(0, len(floats), frame):
            for stream, first, end in zip(streams, (0, 0.3, 0.6), (0.3, 0.6, 1)):
                stream += floats[start + round(first * frame):start + round(end * frame)]
        return streams

    def hold(self, skinning, scales):
        want = self.skinned("1", skinning)
        for scale in scales:
            with self.subTest(scale=scale, **skinning):
                got = self.skinned(str(scale), skinning)
                self.assertNumbers(got[1], want[1], DIRECTIONS, "normals")
                self.assertNumbers(got[2], want[2], DIRECTIONS, "tangents")
                self.assertNumbers([number / scale for number in got[0]], want[0], POSITIONS,
                                   "positions")

    def test_no_scale_changes_what_a_method_makes(self):
        for method in self.methods:
            for device, normals in itertools.product(method["device"], method["normals"]):
                skinning = {"method": method["id"], "device": device, "normals": normals}
                self.hold(skinning, SCALES)
            for device in method["device"]:
                self.hold({"method": method["id"], "device": device}, SCALES + EDGES)

    def test_each_way_of_linear_blending_is_the_same(self):
        ways = (("sw", "cpu"), ("vsp1", "cpu"), *(("cg4m", device) for device in self.devices()))
        for (impl, device), normals in itertools.product(ways, ("same", "cof")):
            self.hold({"method": "lbs", "impl": impl, "normals": normals, "device": device}, SCALES)


class Flattened(DaemonCase):
    needs_driver = True

    def test_a_normal_vanishes_against_its_matrix(self):
        """The ratio of a node's two other axes decides whether cofactors or the matrix itself
        turn the normal, whatever the scale of all three."""
        for scale, (left, want) in itertools.product(
                (1e-12, 1, 1e4, 1e12), ((1e-9, (0, 1, 0)), (1e-11, (1, 0, 0)))):
            tiny = Tiny()
            primitive = tiny.primitive(rigs.TRIANGLE, NORMAL=tiny.normals([(0.6, 0.8, 0)] * 3))
            tiny.node(root=True, mesh=tiny.mesh(primitive),
                      scale=[scale, scale * left, scale * left])
            self.put_rig("flat", tiny.glb())
            for device in self.devices():
                with self.subTest(scale=scale, left=left, device=device):
                    reply = self.client.vertices("flat", attributes=["normal"],
                                                 skinning={"method": "lbs", "device": device})
                    self.assertNumbers(self.assertStatus(reply, 200).triples(), [want] * 3, 1e-6)


def growing(skinned):
    """A rig that its clip "grow" takes beyond float32 in one step, by numbers that are within."""
    if skinned:
        tiny = rigs.column([(0, 0, 0), (10, 1, 0), (0, 2, 0)], [(0, 0, 1)] * 3)
    else:
        tiny = rigs.triangle([(0, 0, 0), (10, 0, 0), (0, 10, 0)])
    moving = 1 if skinned else 0
    tiny.clip([(moving, "scale", [0, 1], [(1, 1, 1), (3e38, 3e38, 3e38)], "STEP")], name="grow")
    return tiny


class Beyond(DaemonCase):
    """For vertices beyond float32, every route reports the same error."""
    needs_driver = True


    def replies(self, rig, skinning):
        grown = {"clip": "grow", "time": 1}
        small = {"width": 32, "height": 32}
        # Nothing needs to know where the vertices are to draw this.
        fixed = {**small, "camera": FRONT}
        far = {"rig": rig, "pose": grown, "skinning": skinning}
        motion = {"rig": rig, "pose": {"clip": "grow"}, "duration": 1, "rate": 2,
                  "skinning": skinning}
        for accept in (OCTETS, JSON, "model/gltf-binary"):
            yield "vertices", self.client.post("vertices", far, accept=accept)
        for picture in (small, fixed, {**small, "fit": "rest"}):
            yield "frame", self.client.post("frame", {**far, **picture}, accept=PNG)
            yield "crowd", self.client.crowd(
                [{"rig": rig, "pose": grown}, {"rig": rig}], skinning=skinning, **picture)
        yield "frames", self.client.post("frames", {
            "rig": rig, "poses": ["rest", grown], "skinning": skinning, "format": "tar", **fixed})
        for form in ("morph", "joints", "vertex_texture", "joint_texture"):
            yield form, self.client.post("bake", {**motion, "as": form})
        yield "compare", self.client.compare(
            rig, grown, methods=[skinning, {**skinning, "method": "dqs"}])
        yield "place", self.client.crowd(
            [{"rig": rig, "scale": 3e38}, {"rig": rig}], skinning=skinning, **fixed)
        yield "crowd's vertices", self.client.crowd(
            [{"rig": rig, "pose": grown}], skinning=skinning, accept=OCTETS)

    def test_every_route_says_so_alike(self):
        for skinned, device in itertools.product((False, True), self.devices()):
            rig = self.put_rig(f"skinned {skinned}", growing(skinned).glb())
            for what, reply in self.replies(rig, {"method": "lbs", "device": device}):
                with self.subTest(what, skinned=skinned, device=device):
                    self.assertProblem(
                        reply, 400, "invalid-value",
                        says="the pose takes vertices farther than float32 reaches")

    def test_what_stays_within_is_made(self):
        """At the far end of float32, where only the vertices can tell."""
        rig = self.put_rig("near", growing(True).glb())
        pose = {"set": "rest", "joints": {"J1": {"scale": [1e37, 1e37, 1e37]}}}
        for device in self.devices():
            skinning = {"method": "lbs", "device": device}
            far = {"rig": rig, "pose": pose, "skinning": skinning}
            self.assertStatus(self.client.post("vertices", far), 200)
            picture = {**far, "width": 32, "height": 32, "camera": FRONT}
            self.assertStatus(self.client.post("frame", picture, accept=PNG), 200)
            motion = {**far, "duration": 1, "rate": 1}
            for form in ("joints", "joint_texture", "morph"):
                self.assertStatus(self.client.post("bake", {**motion, "as": form}), 200)


if __name__ == "__main__":
    unittest.main()
