"""Clips beside those in a rig's file: baked or taken from other files, used like any other, given
back as they were, and gone with their rig."""
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import urllib.parse

import rigs
from case import DEMO, DaemonCase, ROOT
from client import JSON, OCTETS, Client, rig_path
from daemon import Daemon, binary
from oracle import turn
from tiny import float32, glb, split_glb

GLB = "model/gltf-binary"
WALK = {"clip": "Walk", "loop": "repeat"}
WAVING = {"blend": [{"pose": WALK, "weight": 2},
                    {"pose": {"clip": "Wave", "time": 0.3}, "mask": {"Spine": 1, "Hips": 0}}]}
POINTS = [(0.1, 0.25 * i, 0.2 * (i % 3)) for i in range(6)]


def clip_path(rig, name, **query):
    text = "?" + urllib.parse.urlencode(query) if query else ""
    return rig_path(rig, "/clips/" + urllib.parse.quote(name, safe="") + text)


def put_pose(client, rig, name, pose, headers=None, **members):
    body = json.dumps({"pose": pose, **members}).encode()
    return client.request(
        "PUT", clip_path(rig, name), body, {"Content-Type": JSON, **(headers or {})})


def put_file(client, rig, name, body, kind=GLB, **query):
    return client.request("PUT", clip_path(rig, name, **query), body, {"Content-Type": kind})


def curves():
    """A mover with a clip of each interpolation, whose keys are not where frames of 30 Hz are."""
    turns = [turn((0, 0, 1), degrees) for degrees in (0, 100, 250)]
    return rigs.mover(
        steps=("translation", [0, 0.7, 1.3], [(0, 0, 0), (1, 2, 3), (4, 5, 6)], "STEP"),
        turns=("rotation", [0, 0.7, 1.3], turns, "LINEAR"),
        curve=("scale", [0.1, 1.3], [(0, 0, 0), (1, 1, 1), (2, 0, 0), (0, 1, 0), (2, 2, 2),
                                     (0, 0, 1)], "CUBICSPLINE"),
    )


def morphed(name="face"):
    """A triangle with two morph targets on a node, and a clip that drives them."""
    tiny = rigs.triangle()
    tiny.json["nodes"][0]["name"] = name
    moved = tiny.accessor([(0, 0, 1)] * 3, "VEC3", bounds=True)
    tiny.json["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": moved}] * 2
    tiny.clip([(0, "weights", [0, 0.7], [0, 1, 0.5, 0.25], "LINEAR")], name="smile")
    return tiny


def renamed_humanoid():
    """The demo humanoid with the names of another maker."""
    document, data = split_glb((DEMO / "humanoid.glb").read_bytes())
    for node in document["nodes"]:
        node["name"] = "mixamorig:" + node.get("name", "node")
    del document["animations"]
    return glb(json.dumps(document).encode(), data)


class ClipCase(DaemonCase):
    def put_pose(self, rig, name, pose, **members):
        return put_pose(self.client, rig, name, pose, **members)

    def put_file(self, rig, name, body, kind=GLB, **query):
        return put_file(self.client, rig, name, body, kind, **query)

    def clip(self, rig, name, accept=JSON):
        return self.assertStatus(self.client.get(clip_path(rig, name), accept=accept), 200)

    def clips(self, rig):
        """The rig's clips; the list and the description are to agree."""
        listed = self.assertStatus(self.client.get(rig_path(rig, "/clips")), 200).json()["clips"]
        self.assertEqual(self.description(rig)["clips"], listed)
        self.assertEqual([clip["index"] for clip in listed], list(range(len(listed))))
        counts = {r["name"]: r["clips"] for r in self.client.get("/v1/rigs").json()["rigs"]}
        self.assertEqual(counts[rig], len(listed))
        return {clip["name"]: clip for clip in listed}

    def stored(self, rig):
        return [name for name, clip in self.clips(rig).items() if clip.get("stored")]

    def humanoid(self, name):
        return self.put_rig(name, (DEMO / "humanoid.glb").read_bytes())

    def matrices(self, rig, pose):
        return self.assertStatus(self.client.pose(rig, pose, accept=OCTETS), 200).body


class ClipsAreBaked(ClipCase):
    def test_a_clip_is_put_and_listed_behind_those_of_the_file(self):
        self.humanoid("listed")
        first = self.assertStatus(self.put_pose("listed", "stroll ä", WALK, duration=2), 201)
        self.assertEqual(first.headers["Location"], clip_path("listed", "stroll ä"))
        summary = first.json()
        self.assertRegex(summary["content"], "^sha256:[0-9a-f]{64}$")
        self.assertEqual({k: summary[k] for k in ("name", "duration", "dropped")},
                         {"name": "stroll ä", "duration": 2, "dropped": []})
        again = self.assertStatus(self.put_pose("listed", "stroll ä", WALK, duration=2), 200)
        self.assertEqual(again.json(), summary)
        self.assertStatus(self.put_pose("listed", "a", WAVING), 201)
        clips = self.clips("listed")
        self.assertEqual(list(clips), ["Idle", "Walk", "Run", "Wave", "a", "stroll ä"])
        self.assertEqual(self.stored("listed"), ["a", "stroll ä"])
        self.assertNotIn("stored", clips["Walk"])
        self.assertEqual({k: clips["stroll ä"][k] for k in ("duration", "channels", "bytes")},
                         {k: summary[k] for k in ("duration", "channels", "bytes")})

    def test_a_frame_is_the_expression_to_the_bit(self):
        self.humanoid("exact")
        for rate in (30, 24, 12.5):
            # Only clips with all their keys promise that.
            baked = self.put_pose("exact", "baked", WAVING, duration=1.7, rate=rate, tolerance="raw")
            self.assertStatus(baked, (201 if rate == 30 else 200))
            for i in (0, 1, 7, 20):
                time = float32(i / rate)
                # The expression's clips from the moment that it names on.
                direct = {"blend": [{"pose": {**WALK, "time": time}, "weight": 2},
                                    {"pose": {"clip": "Wave", "time": 0.3 + time},
                                     "mask": {"Spine": 1, "Hips": 0}}]}
                self.assertEqual(self.matrices("exact", {"clip": "baked", "time": time}),
                                 self.matrices("exact", direct), (rate, i))

    def test_it_lasts_as_the_longest_clip_unless_told(self):
        self.humanoid("lengths")
        durations = {name: clip["duration"] for name, clip in self.clips("lengths").items()}
        for pose, want in (
            ({"clip": "Run"}, durations["Run"]),
            (WAVING, durations["Wave"]),
            ({"scale_time": {"clip": "Idle"}, "factor": 2}, durations["Idle"] / 2),
        ):
            reply = self.put_pose("lengths", "x", pose)
            self.assertAlmostEqual(reply.json()["duration"], want, 6)
        self.assertEqual(self.put_pose("lengths", "x", "rest", duration=3).json()["duration"], 3)

    def test_a_stored_clip_can_be_used_like_any_other(self):
        self.humanoid("used")
        self.assertStatus(self.put_pose("used", "mine", WAVING), 201)
        link = self.client.picture_link("used", clip="mine", time=0.5, width=32, height=32)
        self.assertStatus(link, 200)
        index = self.clips("used")["mine"]["index"]
        self.assertEqual(self.matrices("used", {"clip": index, "time": 0.5}),
                         self.matrices("used", {"clip": "mine", "time": 0.5}))
        fitted = self.client.frame("used", {"clip": "mine"}, fit="clip", width=32, height=32)
        self.assertStatus(fitted, 200)
        keyed = self.client.vertices("used", {"clip": "mine", "time": 0.5},
                                     skinning={"method": "vertex_keyframe", "device": "cpu"})
        plain = self.client.vertices("used", {"clip": "mine", "time": 0.5},
                                     skinning={"method": "lbs", "device": "cpu"})
        self.assertNumbers(self.assertStatus(keyed, 200).floats(), plain.floats(), 0.01)
        bounds = self.client.get(rig_path("used", "?bounds=clips")).json()["clips"]
        self.assertTrue(all(clip["bounds"] for clip in bounds))
        # And baked once more, under its own name.
        self.assertStatus(self.put_pose("used", "mine", {"clip": "mine", "time": 0.5}), 200)

    def test_what_depends_on_a_clip_changes_with_it(self):
        self.humanoid("changing")
        self.humanoid("unchanging")

        def answers():
            pose = {"clip": "mine", "time": 0.5}
            method = {"method": "vertex_keyframe", "device": "cpu"}
            return [self.assertStatus(reply, 200) for reply in (
                self.client.pose("changing", pose),
                self.client.vertices("changing", pose),
                self.client.vertices("changing", pose, skinning=method),
                self.client.frame("changing", pose, width=32, height=32),
                self.client.frame("changing", pose, fit="clip", width=32, height=32),
                self.client.get(clip_path("changing", "mine")),
                self.client.get(rig_path("changing", "/clips")),
                self.client.get(rig_path("changing", "?bounds=clips")),
            )]
        self.assertStatus(self.put_pose("changing", "mine", WALK), 201)
        first = answers()
        self.assertEqual([a.body for a in answers()], [a.body for a in first])
        self.assertStatus(self.put_pose("changing", "mine", {"clip": "Wave"}), 200)
        for before, after in zip(first, answers()):
            self.assertNotEqual(before.headers["ETag"], after.headers["ETag"])
            self.assertNotEqual(before.body, after.body)
        self.assertEqual(self.stored("unchanging"), [])
        self.assertProblem(self.client.pose("unchanging", {"clip": "mine"}), 404, "unknown-clip",
                           pointer="/pose/clip")
        # Put back, the answers are the first ones again, and known by their tags.
        self.assertStatus(self.put_pose("changing", "mine", WALK), 200)
        known = self.client.post("pose", {"rig": "changing", "pose": {"clip": "mine", "time": 0.5}},
                                 if_none_match=first[0].headers["ETag"])
        self.assertStatus(known, 304)
        self.assertEqual([a.body for a in answers()], [a.body for a in first])

    def test_what_cannot_be_baked_is_refused_with_its_place(self):
        self.humanoid("refusing")
        for members, status, code, pointer in (
            ({"pose": {"clip": "Wlak"}}, 404, "unknown-clip", "/pose/clip"),
            ({"pose": {"blend": [{"pose": WALK}, {"pose": "rst"}]}}, 400, "unknown-operation",
             "/pose/blend/1/pose"),
            ({"pose": "rest"}, 400, "invalid-value", ""),
            ({"pose": {"blend": [{"pose": WALK, "weight": 0}]}, "duration": 1}, 400,
             "invalid-value", "/pose"),
            ({"pose": WALK, "duration": -1}, 400, "invalid-value", "/duration"),
            ({"pose": WALK, "duration": "long"}, 400, "invalid-value", "/duration"),
            ({"pose": WALK, "duration": 1e6}, 413, "too-large", "/duration"),
            ({"pose": WALK, "duration": 1e9}, 400, "invalid-value", "/duration"),
            ({"pose": WALK, "duration": 1201}, 413, "too-large", "/duration"),
            ({"pose": WALK, "rate": 0}, 400, "invalid-value", "/rate"),
            ({"pose": WALK, "rate": 1001}, 400, "invalid-value", "/rate"),
            ({"pose": WALK, "fps": 30}, 400, "unknown-member", "/fps"),
            ({"duration": 1}, 400, "invalid-value", ""),
            ({"pose": {"retarget": WALK, "rig": "nobody"}}, 404, "unknown-rig", "/pose/rig"),
        ):
            with self.subTest(**members):
                body = json.dumps(members).encode()
                reply = self.client.request(
                    "PUT", clip_path("refusing", "x"), body, {"Content-Type": JSON})
                self.assertProblem(reply, status, code, pointer=pointer)
        self.assertProblem(self.put_file("refusing", "x", b"{", JSON), 400, "invalid-json")
        self.assertProblem(self.put_pose("nobody", "x", WALK), 404, "unknown-rig")
        self.assertProblem(self.put_file("refusing", "x", b"", "image/png"), 415,
                           "unsupported-media-type")
        self.assertEqual(self.stored("refusing"), [])

    def test_names_of_the_file_stay_the_file_s(self):
        self.humanoid("named")
        self.assertProblem(self.put_pose("named", "Walk", WALK), 409, "conflict", says="Walk")
        self.assertProblem(self.client.request("DELETE", clip_path("named", "Walk")), 409,
                           "conflict", says="Walk")
        self.assertProblem(self.put_pose("named", "a/b", WALK), 400, "invalid-name")
        self.assertStatus(self.put_pose("named", "own", WALK), 201)
        refused = self.put_pose("named", "own", WALK, headers={"If-None-Match": "*"})
        self.assertProblem(refused, 412, "precondition-failed", says="own")
        self.assertStatus(self.client.request("DELETE", clip_path("named", "own")), 204)
        for method in ("DELETE", "GET"):
            self.assertProblem(self.client.request(method, clip_path("named", "own")), 404,
                               "unknown-clip", says="Idle, Walk")
        self.assertEqual(self.stored("named"), [])


class ClipsComeFromFiles(ClipCase):
    def test_every_interpolation_comes_back_to_the_bit(self):
        body = curves().glb()
        self.put_rig("curves", body)
        for name in ("steps", "turns", "curve"):
            for kind, asset in ((GLB, body), ("model/gltf+json", curves().gltf()), (OCTETS, body)):
                self.assertIn(self.put_file("curves", "x", asset, kind, clip=name).status,
                              (200, 201))
                own, copy = self.clip("curves", name).json(), self.clip("curves", "x").json()
                self.assertEqual(copy["channels"], own["channels"])
                self.assertEqual(copy["duration"], own["duration"])
            exported = self.clip("curves", "x", GLB).body
            self.assertStatus(self.put_file("curves", "back", exported), 201 if name == "steps"
                              else 200)
            self.assertEqual(self.clip("curves", "back").json()["channels"], own["channels"])

    def test_a_baked_clip_comes_back_to_the_bit(self):
        self.humanoid("round")
        self.assertStatus(self.put_pose("round", "baked", WAVING), 201)
        exported = self.clip("round", "baked", GLB).body
        document, _ = split_glb(exported)
        self.assertEqual([a["name"] for a in document["animations"]], ["baked"])
        self.assertNotIn("meshes", document)
        self.assertEqual([node["name"] for node in document["nodes"]],
                         [joint["name"] for joint in self.description("round")["joints"]])
        self.assertStatus(self.put_file("round", "back", exported), 201)
        baked, back = self.clip("round", "baked").json(), self.clip("round", "back").json()
        self.assertEqual(back["channels"], baked["channels"])
        for time in (0, 0.123, 1.9):
            self.assertEqual(self.matrices("round", {"clip": "back", "time": time}),
                             self.matrices("round", {"clip": "baked", "time": time}))
        # The file is a rig of its own, too.
        self.put_rig("bones", exported)
        self.assertEqual(self.matrices("bones", {"clip": "baked", "time": 0.5})[:64],
                         self.matrices("round", {"clip": "baked", "time": 0.5})[:64])

    def test_morph_weights_come_and_go_with_as_many_targets(self):
        self.put_rig("face", morphed().glb())
        exported = self.clip("face", "smile", GLB).body
        self.assertStatus(self.put_file("face", "grin", exported), 201)
        self.assertEqual(self.clip("face", "grin").json()["channels"],
                         self.clip("face", "smile").json()["channels"])
        self.assertNumbers(self.positions("face", {"clip": "grin", "time": 0.35}),
                           self.positions("face", {"clip": "smile", "time": 0.35}), 0)
        # To the bound below, which is less than the daemon's tolerance.
        baked = self.put_pose("face", "baked", {"clip": "smile"}, rate=10, tolerance="raw")
        self.assertStatus(baked, 201)
        self.assertNumbers(self.positions("face", {"clip": "baked", "time": 0.35}),
                           self.positions("face", {"clip": "smile", "time": 0.35}), 1e-6)
        self.put_rig("plain", rigs.triangle().glb())
        other = rigs.triangle()
        other.json["nodes"][0]["name"] = "face"
        self.put_rig("plain", other.glb())
        self.assertProblem(self.put_file("plain", "x", exported), 400, "invalid-value",
                           says=('"face"', "none of the 1 joints"))

    def test_joints_that_are_not_there_are_dropped_and_told(self):
        self.put_rig("column", rigs.column(POINTS).glb())
        tiny = rigs.column(POINTS)
        tiny.json["nodes"][0]["name"] = "Somebody"
        turns = [turn((1, 0, 0), degrees) for degrees in (0, 60)]
        tiny.clip([(0, "rotation", [0, 1], turns, "LINEAR"),
                   (0, "translation", [0, 1], [(0, 0, 0), (0, 1, 0)], "LINEAR"),
                   (1, "rotation", [0, 1], turns, "LINEAR")], name="both")
        reply = self.assertStatus(self.put_file("column", "x", tiny.glb(), clip="both", map="names"), 201)
        self.assertEqual(reply.json()["dropped"], ["Somebody"])
        channels = self.clip("column", "x").json()["channels"]
        self.assertEqual([(c["joint"], c["path"]) for c in channels], [("J1", "rotation")])

    def test_the_first_animation_is_taken_unless_another_is_named(self):
        self.humanoid("asked")
        body = (DEMO / "humanoid.glb").read_bytes()
        first = self.assertStatus(self.put_file("asked", "first", body), 201).json()
        self.assertEqual(first["animation"], "Idle")
        self.assertIn("4 animations", " ".join(first["warnings"]))
        self.assertProblem(self.put_file("asked", "x", body, clip="Wlak"), 404, "unknown-clip",
                           parameter="clip", says="Idle, Walk, Run, Wave")
        self.assertProblem(self.put_file("asked", "x", body, clpi="Walk"), 400, "unknown-member",
                           parameter="clpi")
        self.assertProblem(self.put_file("asked", "x", rigs.triangle().glb()), 400,
                           "invalid-value", says="no animation")
        self.assertProblem(self.put_file("asked", "x", b"glTF" + bytes(20)), 422,
                           ("broken-asset", "unsupported-asset"))
        walk = self.assertStatus(self.put_file("asked", "x", body, clip="Walk"), 201).json()
        self.assertEqual((walk["animation"], walk["retargeted"], walk["warnings"]),
                         ("Walk", False, []))
        self.assertEqual({pair["how"] for pair in walk["pairs"]}, {"name"})
        self.assertEqual(self.clip("asked", "x").json()["channels"],
                         self.clip("asked", "Walk").json()["channels"])

    def test_a_file_of_another_rig_is_retargeted(self):
        self.humanoid("actor")
        self.put_rig("double", renamed_humanoid())
        body = (DEMO / "humanoid.glb").read_bytes()
        self.assertProblem(self.put_file("double", "walk", body, clip="Walk", map="names"), 400,
                           "invalid-value", says="none of the")
        reply = self.put_file("double", "walk", body, clip="Walk", rate=24)
        told = self.assertStatus(reply, 201).json()
        self.assertEqual((told["dropped"], told["retargeted"], told["resting"]), ([], True, []))
        self.assertGreater(told["confidence"], 0.5)
        self.assertAlmostEqual(told["scale"], 1, 5)
        pairs = self.client.get("/v1/rigs/double/compatibility?with=actor").json()["pairs"]
        self.assertEqual(told["pairs"], [
            {key: pair[key] for key in ("ours", "theirs", "how", "confidence")} for pair in pairs])
        pose = {"retarget": {"clip": "Walk"}, "rig": "actor"}
        # The file's clip keeps its keys.
        self.assertStatus(self.put_pose("double", "posed", pose, rate=24, tolerance="raw"), 201)
        walk, posed = (self.clip("double", name).json() for name in ("walk", "posed"))
        self.assertEqual(walk["channels"], posed["channels"])
        self.assertAlmostEqual(walk["duration"], self.clips("actor")["Walk"]["duration"], 6)
        self.assertStatus(self.put_file("double", "walk", body, clip="Walk"), 200)
        for time in (0.5, 0.61803, 0.777):
            numbers = [struct.unpack(f"<{len(body) // 4}f", body) for body in (
                self.matrices("double", {"clip": "walk", "time": time}),
                self.matrices("actor", {"clip": "Walk", "time": time}))]
            self.assertNumbers(numbers[0], numbers[1], 1e-4)

    def test_what_makes_no_clip_of_a_file_is_refused(self):
        self.put_rig("double", renamed_humanoid())
        body = (DEMO / "humanoid.glb").read_bytes()
        for query, parameter in (
                ({"map": "autom"}, "map"), ({"rate": 0}, "rate"), ({"rate": "x"}, "rate"),
                ({"map": "names", "rate": 30}, "rate"), ({"map": "names", "scale": 1}, "scale"),
                ({"scale": "x"}, "scale"), ({"scale": 1e9}, "scale"), ({"map": "{}"}, "map")):
            refused = self.put_file("double", "walk", body, clip="Walk", **query)
            self.assertProblem(refused, 400, "invalid-value", parameter=parameter)
        refused = self.put_file("double", "walk", body, map='{"Hips"')
        self.assertProblem(refused, 400, "invalid-json", parameter="map")
        refused = self.put_file("double", "walk", body, map='{"Hips": "nobody"}')
        self.assertProblem(refused, 404, "unknown-joint", parameter="map")
        twice = clip_path("double", "walk") + "?clip=Walk&clip=Run"
        self.assertProblem(self.client.request("PUT", twice, body, {"Content-Type": GLB}), 400,
                           "invalid-value", parameter="clip")
        self.put_rig("stone", rigs.triangle().glb())
        lost = self.put_file("stone", "walk", body, clip="Walk")
        self.assertProblem(lost, 400, "invalid-value")
        self.assertNotIn("pointer", lost.json())
        long = rigs.mover(a=("scale", [0, 1e5], [(1, 1, 1), (2, 2, 2)], "LINEAR"))
        long.json["nodes"][0]["name"] = "other"
        self.put_rig("short", rigs.mover().glb())
        self.assertProblem(self.put_file("short", "x", long.glb()), 413, "too-large")

    def test_pairs_and_scale_can_be_given(self):
        self.put_rig("double", renamed_humanoid())
        body = (DEMO / "humanoid.glb").read_bytes()
        ours = {pair["theirs"]: pair["ours"] for pair in self.assertStatus(
            self.put_file("double", "pairs", body, clip="Walk"), 201).json()["pairs"]}
        given = json.dumps({"Hips": ours["Hips"]})
        told = self.assertStatus(
            self.put_file("double", "hips", body, clip="Walk", map=given, scale=2), 201).json()
        self.assertEqual((told["pairs"], told["scale"]), ([
            {"ours": ours["Hips"], "theirs": "Hips", "how": "map", "confidence": 1}], 2))
        self.assertEqual({c["joint"] for c in self.clip("double", "hips").json()["channels"]},
                         {ours["Hips"]})

    def test_a_file_needs_no_media_type(self):
        self.put_rig("mover", rigs.mover().glb())
        body = rigs.mover(a=("scale", [0, 1], [(1, 1, 1), (2, 2, 2)], "LINEAR")).glb()
        for kind in ("application/x-www-form-urlencoded", "application/octet-stream"):
            self.assertStatus(self.put_file("mover", kind[-5:], body, kind), 201)

    def test_a_rig_has_as_many_as_it_may(self):
        self.put_rig("many", rigs.mover().glb())
        body = rigs.mover(a=("scale", [0], [(2, 2, 2)], "LINEAR")).glb()
        most = self.client.get("/v1").json()["limits"]["clips"]
        with self.client.keep() as client:
            for i in range(most):
                self.assertStatus(put_file(client, "many", f"c{i:03}", body), 201)
            refused = put_file(client, "many", "one more", body)
            self.assertProblem(refused, 413, "too-large", says=str(most))
            self.assertStatus(put_file(client, "many", "c000", body), 200)
            self.assertEqual(len(self.stored("many")), most)


class ClipsAndTheirRig(ClipCase):
    def replaced(self, body):
        return self.assertStatus(self.client.put("host", body), 200).json()

    def test_they_stay_with_another_file_as_far_as_they_fit(self):
        self.put_rig("host", rigs.column(POINTS).glb())
        self.assertStatus(self.put_pose("host", "both", {"add": {"clip": "twist"}, "to":
                          {"set": "rest", "joints": {"J0": {"translation": [1, 0, 0]}}}}), 201)
        self.assertStatus(self.put_file("host", "upper", rigs.column(POINTS).glb(), clip="bend"),
                          201)
        before = self.matrices("host", {"clip": "upper", "time": 0.5})
        # Another mesh does not matter.
        self.assertNotIn("warnings", self.replaced(rigs.column(POINTS[:3]).glb()))
        self.assertEqual(self.stored("host"), ["both", "upper"])
        self.assertEqual(self.matrices("host", {"clip": "upper", "time": 0.5}), before)
        other = rigs.column(POINTS)
        other.json["nodes"][0]["name"] = "J9"
        warnings = self.replaced(other.glb())["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertIn("both", warnings[0])
        self.assertEqual(self.stored("host"), ["upper"])
        named = rigs.column(POINTS)
        named.json["animations"][0]["name"] = "upper"
        self.assertIn("upper", self.replaced(named.glb())["warnings"][0])
        self.assertEqual(self.stored("host"), [])
        self.assertEqual(list(self.clips("host")), ["upper", "bend"])

    def test_they_go_with_the_rig(self):
        self.put_rig("gone", rigs.column(POINTS).glb())
        self.assertStatus(self.put_pose("gone", "a", {"clip": "twist"}), 201)
        self.assertStatus(self.client.delete("gone"), 204)
        self.put_rig("gone", rigs.column(POINTS).glb())
        self.assertEqual(self.stored("gone"), [])

    def test_poses_run_while_clips_come_and_go(self):
        self.humanoid("busy")
        self.assertStatus(self.put_pose("busy", "mine", WALK), 201)
        pose = {"clip": "mine", "time": 0.5}
        known = []
        for expression in (WALK, {"clip": "Wave"}):
            self.assertStatus(self.put_pose("busy", "mine", expression), 200)
            known.append(self.matrices("busy", pose))

        def write(number):
            client = Client(self.daemon.port)
            for i in range(15):
                expression = (WALK, {"clip": "Wave"})[(i + number) % 2]
                self.assertStatus(put_pose(client, "busy", "mine", expression), 200)
                self.assertIn(put_pose(client, "busy", f"w{number}", expression).status, (200, 201))
                reply = client.request("DELETE", clip_path("busy", f"w{number}"))
                self.assertStatus(reply, 204)

        def read(_):
            client = Client(self.daemon.port)
            for _ in range(60):
                reply = self.assertStatus(client.pose("busy", pose, accept=OCTETS), 200)
                self.assertIn(reply.body, known)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            jobs = [pool.submit(write, i) for i in range(2)] + [pool.submit(read, i) for i in
                                                                range(2)]
            for job in jobs:
                job.result()
        self.assertEqual(self.stored("busy"), ["mine"])


class TheClient(ClipCase):
    def pose(self, *arguments, status=0):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        server = f"http://127.0.0.1:{self.daemon.port}"
        done = subprocess.run([program, "clip", *arguments, "--server", server],
                              capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_gets_files_without_needless_joints(self):
        self.put_rig("tube", rigs.centimetre_tube(behind=2).glb())
        for more, query in (([], ""), (["--prune", "true"], "?prune=true")):
            reply = self.client.get(clip_path("tube", "move") + query, accept=GLB)
            got = self.pose("get", "tube", "move", "--glb", *more).stdout
            self.assertEqual(got, self.assertStatus(reply, 200).body)

    def test_puts_lists_gets_and_deletes(self):
        self.humanoid("client")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.glb"
            self.pose("put", "client", "a ä", "--pose", json.dumps(WAVING), "--duration", "1",
                      "--rate", "10")
            self.pose("put", "client", "b", "--clip", "Walk", "--time", "0.2")
            self.pose("get", "client", "a ä", "--glb", "-o", file)
            self.pose("put", "client", "c", file)
            self.pose("put", "client", "d", DEMO / "humanoid.glb", "--clip", "Run", "--map",
                      "auto", "--rate", "20")
        listed = json.loads(self.pose("list", "client").stdout)["clips"]
        self.assertEqual([c["name"] for c in listed if c.get("stored")], ["a ä", "b", "c", "d"])
        a, c = (json.loads(self.pose("get", "client", name).stdout) for name in ("a ä", "c"))
        self.assertEqual(a["channels"], c["channels"])
        self.assertEqual(a["duration"], 1)
        self.pose("delete", "client", "b")
        self.assertEqual(self.stored("client"), ["a ä", "c", "d"])
        self.assertIn(b"(at /pose/clip)", self.pose("put", "client", "e", "--clip", "Wlak",
                                                    status=3).stderr)
        for wrong in (["put", "client", "a"], ["get", "client"], ["list", "client", "a"],
                      ["gte", "client"], ["put", "client", "a", "--clip", "Run", "--rate", "x"]):
            self.assertTrue(self.pose(*wrong, status=2).stderr, wrong)


class ClipsSurvive(unittest.TestCase):
    def setUp(self):
        self.data = tempfile.mkdtemp(prefix="posed-clips-")
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)

    def start(self):
        daemon = Daemon(data=self.data, args=("--renderer", "none")).start()
        self.addCleanup(lambda: daemon.process.poll() is None and daemon.kill())
        return daemon, Client(daemon.port)

    def verify(self):
        return subprocess.run([binary(), "verify", "--data", self.data], capture_output=True,
                              text=True)

    def test_a_kill_behind_the_answer(self):
        want = {}
        for number in range(3):
            daemon, client = self.start()
            if number == 0:
                client.put("column", rigs.column(POINTS).glb())
            for name, body in want.items():
                back = client.pose("column", {"clip": name, "phase": 0.5}, accept=OCTETS)
                self.assertEqual(back.body, body)
            name = f"c{number}"
            pose = {"clip": "twist", "time": number}
            self.assertEqual(put_pose(client, "column", name, pose).status, 201)
            want[name] = client.pose("column", {"clip": name, "phase": 0.5}, accept=OCTETS).body
            daemon.kill()
            done = self.verify()
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"{number + 2} sound objects", done.stdout)
        self.assertEqual(len(set(want.values())), 3)

    def test_what_the_disk_damages_is_told_and_can_be_deleted(self):
        daemon, client = self.start()
        client.put("column", rigs.column(POINTS).glb())
        content = put_pose(client, "column", "mine", {"clip": "bend"}).json()["content"]
        daemon.stop()
        file = pathlib.Path(self.data) / "objects" / content.split(":")[1]
        damaged = bytearray(file.read_bytes())
        damaged[-40] ^= 1
        file.write_bytes(damaged)
        done = self.verify()
        self.assertEqual(done.returncode, 1)
        self.assertIn("clip mine", done.stdout)
        daemon, client = self.start()
        for reply in (client.pose("column", {"clip": "mine"}), client.pose("column"),
                      client.get(rig_path("column", "/clips"))):
            self.assertEqual(reply.status, 507, str(reply))
            self.assertIn("; delete it", reply.json()["detail"])
        self.assertEqual(client.request("DELETE", clip_path("column", "mine")).status, 204)
        self.assertEqual(client.pose("column", {"clip": "bend"}).status, 200)
        daemon.stop()
        done = self.verify()
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
