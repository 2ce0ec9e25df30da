"""/v1/transitions, the points where one clip can continue as another, against /v1/vertices."""
import json
import math
import os
import pathlib
import subprocess

import rigs
from case import ROOT, DaemonCase
from client import OCTETS
from debian import debian_module
from oracle import turn

numpy = debian_module("numpy")

# Moments of either clip that are all compared with each other, where nothing else is believed.
GRID = 30


class Transitions(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def ask(self, start, end, **members):
        return self.client.post(
            "transitions", {"rig": "humanoid", "from": start, "to": end, **members})

    def found(self, start, end, **members):
        return self.assertStatus(self.ask(start, end, **members), 200).json()

    def apart(self, start, end, *times, rig="humanoid"):
        """The greatest vertex distance, for all pairs of times of the two clips."""
        poses = [{"clip": clip, "time": time}
                 for clip, moments in zip((start, end), zip(*times)) for time in moments]
        reply = self.client.post("vertices", {"rig": rig, "poses": poses}, accept=OCTETS)
        places = numpy.frombuffer(self.assertStatus(reply, 200).body, "<f4")
        places = places.reshape(2, len(times), -1, 3)
        return numpy.linalg.norm(places[0] - places[1], axis=2).max(axis=1)

    def test_distances_are_those_of_the_surfaces_there(self):
        found = self.found("Walk", "Run", count=4)
        self.assertEqual([found[name] for name in ("rig", "from", "to")],
                         ["humanoid", "Walk", "Run"])
        self.assertNotIn("core", found)
        self.assertGreaterEqual(len(found["transitions"]), 2)
        distances = []
        for item in found["transitions"]:
            start, end = item["from_time"], item["to_time"]
            here, before, behind = self.apart(
                "Walk", "Run", (start, end), (start - 0.01, end), (start + 0.01, end))
            self.assertAlmostEqual(item["distance"], here, delta=2e-6)
            # Nothing that is near is better.
            self.assertGreater(min(before, behind), here - 1e-5)
            distances.append(item["distance"])
        self.assertLess(max(a - b for a, b in zip(distances, distances[1:])), 1e-4)

    def test_no_pair_of_moments_is_nearer_than_the_best(self):
        for start, end in (("Walk", "Run"), ("Run", "Idle")):
            with self.subTest(start=start, end=end):
                clips = {clip["name"]: clip["duration"]
                         for clip in self.description("humanoid")["clips"]}
                moments = [[clips[name] * i / GRID for i in range(GRID + 1)]
                           for name in (start, end)]
                best = self.found(start, end, count=1)["transitions"][0]["distance"]
                least = min(self.apart(start, end, *zip([moment] * (GRID + 1), moments[1])).min()
                            for moment in moments[0])
                self.assertLessEqual(best, least + 1e-4)

    def test_joints_that_move_no_vertex_have_no_say(self):
        """A helper that swings far out, in two clips that are alike but for it."""
        tiny = rigs.column([(0.1, 0.25 * i, 0.2) for i in range(6)])
        helper = tiny.node(root=True, name="helper")
        times = [0, 1]
        for name, far in (("there", 5), ("back", -5)):
            tiny.clip([(1, "rotation", times, [turn((0, 0, 1), a) for a in (0, 60)], "LINEAR"),
                       (helper, "translation", times, [(far, 0, 0), (2 * far, 0, 0)], "LINEAR")],
                      name=name)
        tiny.json["skins"][0]["joints"].append(helper)
        del tiny.json["skins"][0]["inverseBindMatrices"]
        self.put_rig("helped", tiny.glb())
        reply = self.client.post("transitions", {"rig": "helped", "from": "there", "to": "back",
                                                 "pose": {"clip": "back", "time": 0}})
        found = self.assertStatus(reply, 200).json()
        self.assertLess(found["transitions"][0]["distance"], 1e-6)
        self.assertLess(found["core"]["to"]["distance"], 1e-6)

    def test_both_directions_find_the_same(self):
        there = self.found("Walk", "Run", count=1)["transitions"][0]
        back = self.found("Run", "Walk", count=8)["transitions"]
        self.assertAlmostEqual(there["distance"], back[0]["distance"], delta=1e-6)
        # A figure that is the same on both sides has two that are as good.
        nearest = min(back, key=lambda item: abs(item["to_time"] - there["from_time"]))
        self.assertNumbers(
            [there["from_time"], there["to_time"], there["distance"], there["velocity"]],
            [nearest["to_time"], nearest["from_time"], nearest["distance"], nearest["velocity"]],
            2e-3)

    def test_a_walk_goes_on_where_it_ends(self):
        found = self.found("Walk", 1, count=64)
        first = found["transitions"][0]
        duration = self.description("humanoid")["clips"][1]["duration"]
        self.assertEqual(found["to"], "Walk")
        self.assertAlmostEqual(first["from_time"], duration, delta=1e-6)
        self.assertEqual(first["to_time"], 0)
        self.assertLess(first["distance"], 1e-6)
        # A pose joins them there: a second turn of the clip.
        pose = self.joints("humanoid", {"transition": ["Walk", "Walk"], "time": duration + 0.3})
        same = self.joints("humanoid", {"clip": "Walk", "time": 0.3})
        for name, joint in pose.items():
            self.assertNumbers(joint["world"], same[name]["world"], 1e-5, name)

    def test_clips_keep_to_a_core_or_not(self):
        core = self.found("Idle", "Idle", pose={"clip": "Idle", "time": 0})["core"]
        self.assertLess(core["from"]["distance"], 1e-4)
        self.assertEqual(core["to"]["distance"], 0)
        self.assertTrue(core["passes"])
        core = self.found("Walk", "Walk", pose={"clip": "Walk", "time": 0})["core"]
        self.assertLess(core["from"]["distance"], 1e-4)
        self.assertGreater(core["from"]["speed"], 0.05)
        self.assertFalse(core["passes"])
        core = self.found("Idle", "Walk", pose="rest")["core"]
        self.assertGreater(core["to"]["distance"], 1e-3)
        self.assertFalse(core["passes"])

    def test_wrong_requests_are_told_where(self):
        for members, status, code, pointer, says in (
            ({"from": "Wlak"}, 404, "unknown-clip", "/from", ("Wlak", "humanoid", "Walk")),
            ({"to": 99}, 404, "unknown-clip", "/to", "99"),
            ({"to": {"clip": "Walk"}}, 400, "invalid-value", "/to", "object"),
            ({"count": 0}, 400, "invalid-value", "/count", "from 1"),
            ({"count": 65}, 400, "invalid-value", "/count", "64"),
            ({"rate": 0.5}, 400, "invalid-value", "/rate", "from 1"),
            ({"from": "Idle", "rate": 1000}, 400, "invalid-value", "/rate", "1000 moments"),
            ({"rig": "nobody"}, 404, "unknown-rig", "/rig", "nobody"),
            ({"pose": {"clip": "Wlak"}}, 404, "unknown-clip", "/pose/clip", "Wlak"),
            ({"core": "rest"}, 400, "unknown-member", "/core", "pose"),
        ):
            with self.subTest(**members):
                reply = self.client.post(
                    "transitions", {"rig": "humanoid", "from": "Walk", "to": "Run", **members})
                self.assertProblem(reply, status, code, pointer=pointer, says=says)
        reply = self.client.post("transitions", {"rig": "humanoid", "from": "Walk"})
        self.assertProblem(reply, 400, "invalid-value", pointer="", says="to")

    def test_answers_have_a_tag(self):
        reply = self.ask("Walk", "Run")
        again = self.client.post(
            "transitions", {"rig": "humanoid", "from": "Walk", "to": "Run"},
            if_none_match=reply.headers["ETag"])
        self.assertStatus(again, 304)
        self.assertEqual(self.ask("Walk", "Run").body, reply.body)
        self.assertNotEqual(self.ask("Run", "Walk").headers["ETag"], reply.headers["ETag"])

    def test_the_command_line_asks_for_them(self):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        done = subprocess.run(
            [program, "--server", f"http://127.0.0.1:{self.daemon.port}",
             "transitions", "humanoid", "Walk", "Run", "--count", "2", "--clip", "Walk"],
            capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(len(found["transitions"]), 2)
        self.assertIn("core", found)
