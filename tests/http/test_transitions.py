"""Where one clip can go on as another: /v1/transitions against the joints that /v1/pose gives."""
import json
import math
import os
import pathlib
import subprocess

from case import ROOT, DaemonCase

# METHODS D.4: points so far from each joint, on its axes.
SHELL = 0.03


def shell(joints):
    """The points on the axes of joints, {(name, axis): [x, y, z]}; rest axes of length 1."""
    return {
        (name, axis): [joint["world"][12 + k] + SHELL * joint["world"][4 * axis + k]
                       for k in range(3)]
        for name, joint in joints.items()
        for axis in range(3)
    }


class Transitions(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def ask(self, start, end, **members):
        return self.client.post(
            "transitions", {"rig": "humanoid", "from": start, "to": end, **members})

    def found(self, start, end, **members):
        return self.assertStatus(self.ask(start, end, **members), 200).json()

    def points(self, clip, time):
        return shell(self.joints("humanoid", {"clip": clip, "time": time}))

    def test_distances_are_those_of_the_poses_there(self):
        found = self.found("Walk", "Run", count=4)
        self.assertEqual([found[name] for name in ("rig", "from", "to")],
                         ["humanoid", "Walk", "Run"])
        self.assertNotIn("core", found)
        self.assertGreaterEqual(len(found["transitions"]), 2)
        distances = []
        for item in found["transitions"]:
            walk = self.points("Walk", item["from_time"])
            run = self.points("Run", item["to_time"])
            apart = max(math.dist(walk[key], run[key]) for key in walk)
            self.assertAlmostEqual(item["distance"], apart, delta=2e-6)
            distances.append(item["distance"])
            # Nothing that is near is better.
            for step in (-0.01, 0.01):
                later = self.points("Walk", item["from_time"] + step)
                self.assertGreater(max(math.dist(later[key], run[key]) for key in run),
                                   apart - 1e-6)
        self.assertLess(max(a - b for a, b in zip(distances, distances[1:])), 1e-4)

    def test_both_directions_find_the_same(self):
        there = self.found("Walk", "Run", count=1)["transitions"][0]
        back = self.found("Run", "Walk", count=1)["transitions"][0]
        self.assertNumbers(
            [there["from_time"], there["to_time"], there["distance"], there["velocity"]],
            [back["to_time"], back["from_time"], back["distance"], back["velocity"]], 1e-3)

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
            capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(len(found["transitions"]), 2)
        self.assertIn("core", found)
