"""Needless joints (METHODS E1): which they are, and that a rig baked without them has every vertex where
it was, to the bit."""
import json
import struct

from case import DaemonCase, shared_file
from client import rig_path
from tiny import Tiny

GLB = "model/gltf-binary"
FILES = (
    "khronos-Fox/glTF-Binary/Fox.glb",
    "khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb",
    "kaykit-adventurers/Characters/gltf/Knight.glb",
    "raylib/gltf/robot.glb",
    "godot-mannequiny/mannequiny.glb",
)


def nodes_of(glb):
    length, = struct.unpack_from("<I", glb, 12)
    document = json.loads(glb[20 : 20 + length])
    return document.get("nodes", []), document


def figure(**root):
    """A bent bar below a chain of roots, with ends, sockets and helpers."""
    tiny = Tiny()
    joints = {}

    def node(name, children=(), **members):
        if children:
            members["children"] = [joints[child] for child in children]
        joints[name] = tiny.node(name=name, **members)

    node("tip_end", translation=[0, 1, 0])
    node("socket")
    node("empty_end")
    node("empty", ["empty_end"])
    node("eye", camera=0)
    node("tip", ["tip_end", "socket"], translation=[0, 1, 0])
    node("base", ["tip", "empty", "eye"], translation=[0.3, 0, 0])
    node("armature", ["base"], **root)
    node("helper")
    tiny.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    slots, weights = tiny.influences([[0, 1, 0, 0]] * 3, [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1, 0, 0]])
    mesh = tiny.mesh(tiny.primitive([[0, 0, 0], [0.1, 1, 0], [0, 2, 0]],
                                    JOINTS_0=slots, WEIGHTS_0=weights))
    binds = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.3, -height, 0, 1] for height in (0, 1)]
    node("skin", mesh=mesh, skin=tiny.skin([joints["base"], joints["tip"]], binds))
    node("world", ["armature", "helper", "skin"])
    tiny.json["scenes"][0]["nodes"] = [joints["world"]]
    turn = [[0, 0, 0, 1], [0, 0.6, 0, 0.8]]
    tiny.clip([(joints["tip"], "rotation", [0, 1], turn, "LINEAR"),
               (joints["socket"], "rotation", [0, 1], turn, "LINEAR")], name="bend")
    return tiny


class PruneCase(DaemonCase):
    def needless(self, rig):
        return {joint["name"] for joint in self.description(rig)["joints"] if joint["needless"]}

    def bake(self, rig, pose, **members):
        reply = self.client.post("bake", {"rig": rig, "pose": pose, "as": "joints", **members})
        return self.assertStatus(reply, 200).body

    def assertSame(self, whole, pruned, times):
        """Both files make the same vertices."""
        for name, body in (("whole", whole), ("pruned", pruned)):
            self.put_rig(name, body)
        for time in times:
            pose = {"clip": "baked", "time": time}
            got, want = (self.assertStatus(self.client.vertices(rig, pose), 200).body
                         for rig in ("pruned", "whole"))
            self.assertEqual(got, want, f"at {time}")


class Needless(PruneCase):
    def test_what_nothing_is_at_and_nothing_drives_is_needless(self):
        self.put_rig("figure", figure().glb())
        self.assertEqual(self.needless("figure"), {"tip_end", "empty", "empty_end", "helper"})

    def test_roots_that_are_the_identity_go_with_their_only_child(self):
        tiny = figure()
        world = tiny.json["nodes"][-1]
        world["children"] = world["children"][:1]
        tiny.json["scenes"][0]["nodes"] += [8, 9]  # helper, skin
        self.put_rig("figure", tiny.glb())
        self.assertEqual(self.needless("figure"),
                         {"tip_end", "empty", "empty_end", "helper", "world", "armature"})

    def test_roots_that_place_something_stay(self):
        tiny = figure(scale=[100, 100, 100])
        world = tiny.json["nodes"][-1]
        world["children"] = world["children"][:1]
        tiny.json["scenes"][0]["nodes"] += [8, 9]
        self.put_rig("figure", tiny.glb())
        self.assertEqual(self.needless("figure"),
                         {"tip_end", "empty", "empty_end", "helper", "world"})


class Baked(PruneCase):
    def test_pruned_file_has_what_is_needed_and_every_vertex(self):
        self.put_rig("figure", figure(scale=[2, 2, 2]).glb())
        pose = {"clip": "bend"}
        whole, pruned = self.bake("figure", pose), self.bake("figure", pose, prune=True)
        names = {node["name"] for node in nodes_of(pruned)[0]}
        self.assertEqual(names, {"socket", "eye", "tip", "base", "armature", "skin", "world"})
        self.assertEqual(len(nodes_of(whole)[0]), 11)
        self.assertSame(whole, pruned, (0, 0.4, 1))
        self.assertEqual(self.needless("pruned"), {"eye"}, "a bake has no cameras")

    def test_what_the_pose_drives_stays(self):
        self.put_rig("figure", figure().glb())
        pose = {"set": {"clip": "bend"}, "joints": {"helper": {"translation": [1, 0, 0]}}}
        names = {node["name"] for node in nodes_of(self.bake("figure", pose, prune=True))[0]}
        self.assertIn("helper", names)
        self.assertNotIn("tip_end", names)

    def test_real_rigs_keep_every_vertex_and_have_nothing_needless_left(self):
        for path in FILES:
            with self.subTest(path):
                self.put_rig("real", shared_file(path).read_bytes())
                needless = self.needless("real")
                clip = self.description("real")["clips"][0]
                pose = {"clip": clip["name"]}
                whole, pruned = (self.bake("real", pose, rate=10, prune=prune)
                                 for prune in (False, True))
                driven = {node["name"] for node in nodes_of(pruned)[0]} & needless
                self.assertEqual(len(nodes_of(whole)[0]) - len(nodes_of(pruned)[0]),
                                 len(needless - driven))
                self.assertSame(whole, pruned, (0, clip["duration"] / 3, clip["duration"]))
                print(f"{path}: {len(needless - driven)} of {len(nodes_of(whole)[0])} joints pruned")

class ClipFiles(PruneCase):
    def get(self, name, query="", accept=GLB):
        return self.client.get(rig_path("figure", f"/clips/{name}") + query, accept=accept)

    def test_a_clip_without_needless_joints_is_the_same_clip(self):
        self.put_rig("figure", figure().glb())
        whole, pruned = (self.assertStatus(self.get("bend", query), 200).body
                         for query in ("", "?prune=true"))
        names = {node["name"] for node in nodes_of(whole)[0]}
        self.assertEqual(names - {node["name"] for node in nodes_of(pruned)[0]},
                         self.needless("figure"))
        for name, body in (("whole", whole), ("pruned", pruned)):
            path = rig_path("figure", f"/clips/{name}")
            self.assertStatus(self.client.request("PUT", path, body, {"Content-Type": GLB}), 201)
        clips = [self.assertStatus(self.get(name, accept="application/json"), 200).json()
                 for name in ("bend", "whole", "pruned")]
        self.assertEqual(clips[0]["channels"], clips[1]["channels"])
        self.assertEqual(clips[0]["channels"], clips[2]["channels"])

    def test_only_files_are_pruned(self):
        self.put_rig("figure", figure().glb())
        for query, code in (("?prune=true", "invalid-value"), ("?prune=yes", "invalid-value"),
                            ("?prune=true&prune=true", "invalid-value"),
                            ("?pruned=true", "unknown-member")):
            reply = self.get("bend", query, accept="application/json")
            self.assertProblem(reply, 400, code, parameter=query[1:].partition("=")[0])
        self.assertStatus(self.get("bend", "?prune=false", accept="application/json"), 200)


class Refusals(PruneCase):
    def test_only_joints_are_pruned(self):
        self.put_rig("figure", figure().glb())
        reply = self.client.post(
            "bake", {"rig": "figure", "pose": {"clip": "bend"}, "as": "morph", "prune": True})
        self.assertProblem(reply, 400, "invalid-value", pointer="/prune")
