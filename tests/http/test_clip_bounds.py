"""The boxes around clips: as tight and as wide as looking at every moment would make them."""
import math
import unittest

import rigs
from case import DaemonCase, shared_file
from client import rig_path
from oracle import turn
from picture import Picture
from tiny import Tiny

# Uneven, so that none of these moments is one that the daemon looks at.
MOMENTS = [(i + 0.37) / 200.5 for i in range(200)] + [0, 1]

# Their clips are many or long: some moments of each.
FILES = (
    "khronos-Fox/glTF-Binary/Fox.glb",
    "khronos-AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
    "khronos-BoxAnimated/glTF-Binary/BoxAnimated.glb",
    "khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb",
    "khronos-NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb",
    "khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb",
    "khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb",
    "raylib/gltf/robot.glb",
)


def swings():
    """A point on an arm of 1: what it reaches between the keys is not at any key.

    "swing" turns by 60, 140 and 80 degrees a second about z, "hop" is a cubic spline between equal
    keys, "jump" steps along x while it slides along y.
    """
    tiny = rigs.triangle([(1, 0, 0), (1, 0, 0), (1, 0, 0)])
    degrees = [20, 80, 220, 300]
    tiny.clip(
        [(0, "rotation", [0, 1, 2, 3], [turn((0, 0, 1), d) for d in degrees], "LINEAR")],
        name="swing",
    )
    up, still, down = (0, 4, 0), (0, 0, 0), (0, -4, 0)
    tiny.clip(
        [(0, "translation", [0, 1.3], [still, still, up, down, still, still], "CUBICSPLINE")],
        name="hop",
    )
    tiny.json["nodes"][0]["children"] = [1]
    child = dict(tiny.json["nodes"][0], name="slide")
    del child["children"]
    tiny.node(**child)
    tiny.clip(
        [
            (0, "translation", [0, 0.5, 1], [(0, 0, 0), (5, 0, 0), (0, 0, 0)], "STEP"),
            (1, "translation", [0, 1], [(0, 0, 0), (0, 1, 0)], "LINEAR"),
        ],
        name="jump",
    )
    return tiny


class ClipBounds(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_rig("swings", swings().glb())
        for name in ("cyl2", "head", "tube23", "humanoid"):
            cls.put_demo(name)

    def boxes(self, rig):
        reply = self.client.get(rig_path(rig, "?bounds=clips"))
        return {c["name"]: c["bounds"] for c in self.assertStatus(reply, 200).json()["clips"]}

    def brute_force(self, rig, clip, phases):
        """The box around the float32 vertices of both devices, of one of them at a few moments."""
        axes = [[], [], []]
        for device, some in (("cpu", phases), ("gpu", phases[::8])):
            poses = [{"clip": clip, "phase": phase} for phase in some]
            skinning = {"method": "lbs", "device": device}
            reply = self.client.post(
                "vertices", {"rig": rig, "poses": poses, "skinning": skinning})
            numbers = self.assertStatus(reply, 200).floats()
            for k, axis in enumerate(axes):
                axis += (min(numbers[k::3]), max(numbers[k::3]))
        return [min(axis) for axis in axes], [max(axis) for axis in axes]

    def assertHolds(self, box, low, high):
        for k in range(3):
            self.assertGreaterEqual(low[k], box["min"][k])
            self.assertLessEqual(high[k], box["max"][k])

    def test_every_moment_is_inside_and_the_box_is_tight(self):
        for rig in ("swings", "cyl2", "head", "tube23", "humanoid"):
            for clip, box in self.boxes(rig).items():
                with self.subTest(rig=rig, clip=clip):
                    low, high = self.brute_force(rig, clip, MOMENTS)
                    diagonal = math.dist(box["min"], box["max"])
                    self.assertHolds(box, low, high)
                    for k in range(3):
                        # 200 moments miss a bit of what the daemon finds.
                        self.assertLess(low[k], box["min"][k] + 5e-3 * diagonal)
                        self.assertGreater(high[k], box["max"][k] - 5e-3 * diagonal)

    def test_clips_of_real_files_are_inside_to_the_bit(self):
        for path in FILES:
            self.put_rig("real", shared_file(path).read_bytes())
            keys = {clip["name"]: clip["duration"] for clip in self.description("real")["clips"]}
            for clip, box in self.boxes("real").items():
                with self.subTest(path=path, clip=clip):
                    # The daemon's own moments, 60 a second, are where the box touches vertices.
                    frames = max(round(keys[clip] * 60), 1)
                    phases = [i / frames for i in range(0, frames + 1, frames // 20 + 1)]
                    self.assertHolds(box, *self.brute_force("real", clip, phases + MOMENTS[::16]))

    def test_extremes_between_keys_are_known(self):
        boxes = self.boxes("swings")
        # The arc from 20 to 300 degrees of radius 1 touches three of four sides.
        self.assertNumbers(boxes["swing"]["min"], [-1, -1, 0], 2e-5)
        self.assertNumbers(boxes["swing"]["max"], [math.cos(math.radians(20)), 1, 0], 2e-5)
        # Hermite with tangents 4 and -4 over 1.3 s: the top is 4 * 1.3 / 4, half way.
        self.assertNumbers(boxes["hop"]["max"], [1, 1.3, 0], 2e-5)
        self.assertNumbers(boxes["hop"]["min"], [1, 0, 0], 2e-5)

    def test_what_a_step_leaves_is_inside(self):
        # x is 5 from a half to just before the end, while y goes to 1.
        box = self.boxes("swings")["jump"]
        self.assertNumbers(box["min"] + box["max"], [1, 0, 0, 6, 1, 0], 2e-5)

    def test_bounds_come_on_request_only(self):
        plain = self.description("cyl2")
        self.assertNotIn("bounds", plain["clips"][0])
        with_bounds = self.client.get(rig_path("cyl2", "?bounds=clips"))
        without = self.client.get(rig_path("cyl2"))
        self.assertNotEqual(with_bounds.headers["ETag"], without.headers["ETag"])
        described = with_bounds.json()
        for clip in described["clips"]:
            del clip["bounds"]
        self.assertEqual(described, plain)

    def test_clips_of_nothing_have_no_bounds(self):
        tiny = Tiny()
        tiny.node(root=True, name="empty")
        steps = [(0, 0, 0), (1, 0, 0)]
        tiny.clip([(0, "translation", [0, 1], steps, "LINEAR")], name="move")
        self.put_rig("nothing", tiny.glb())
        self.assertEqual(self.boxes("nothing"), {"move": None})

    def test_wrong_queries_are_refused(self):
        for query, codes, parameter in (
            ("?bounds=all", "invalid-value", "bounds"),
            ("?bounds=", "invalid-value", "bounds"),
            ("?bounds=clips&bounds=clips", "invalid-value", "bounds"),
            ("?bound=clips", "unknown-member", "bound"),
        ):
            reply = self.client.get(rig_path("cyl2", query))
            self.assertProblem(reply, 400, codes, parameter=parameter)


class FitClip(DaemonCase):
    """Pictures that are framed by them."""

    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def covered(self, pose):
        """The box of covered pixels."""
        reply = self.client.frame("humanoid", pose, width=96, height=96, fit="clip", samples=1)
        return Picture(self.assertStatus(reply, 200).body).box()

    def assertInside(self, pose):
        left, top, right, bottom = self.covered(pose)
        self.assertGreater(min(left, top), 0, pose)
        self.assertLess(max(right, bottom), 95, pose)

    def test_nested_clips_count_and_nothing_is_cut_off(self):
        walk = {"clip": "Walk", "phase": 0.3}
        raised = {"set": walk, "joints": {"Hips": {"translation": [0, 3, 0]}}}
        for pose in (
            walk,
            {"blend": [{"pose": walk, "weight": 1}, {"pose": {"clip": "Run", "phase": 0.6}}]},
            {"add": {"clip": "Wave", "phase": 0.5}, "to": walk},
            raised,
            "rest",
        ):
            with self.subTest(pose=pose):
                self.assertInside(pose)

    def test_whatever_runs_has_one_camera(self):
        # The clips' figure of 2 m at rest, as the same box in all pictures of one motion.
        def mirrored(time):
            return {"mirror": {"clip": "Wave", "time": time}}

        def mixed(time):
            return {"blend": [{"pose": {"clip": "Walk", "time": time}, "weight": 1},
                              {"pose": {"clip": "Run", "time": time}, "weight": 2}]}

        def moved(time):
            # All pictures are of the place where the hips are put, and of nothing else.
            joints = {"Hips": {"translation": [0.3, 1, 0]}}
            return {"set": {"clip": "Wave", "time": time}, "joints": joints}

        def looking(time):
            clip = {"clip": "Wave", "time": time}
            return {"look_at": clip, "joint": "Head", "target": [0, 1.5, 2]}

        for of in (mirrored, mixed, moved, looking):
            seen = {self.frame_of_rest(of(time)) for time in (0, 0.3, 0.77, 1, 1.5, 9)}
            with self.subTest(of=of.__name__):
                self.assertEqual(len(seen), 1)

    def frame_of_rest(self, pose):
        """The pixels of the box around the rest pose."""
        overlays = [{"overlay": "bounds", "of": "rest"}]
        reply = self.client.frame("humanoid", pose, camera="front", width=200, height=200,
                                  fit="clip", samples=1, overlays=overlays)
        picture = Picture(self.assertStatus(reply, 200).body)
        blue = [(x, y) for x, y in picture.covered() if picture[x, y] == (14, 165, 233, 255)]
        self.assertGreater(len(blue), 50)
        return min(blue), max(blue), min(y for _, y in blue), max(y for _, y in blue)

    def test_what_is_set_is_what_is_seen(self):
        # Not the clip as it would be without it, at the origin.
        joints = {"Hips": {"translation": [5, 1, 0]}}
        left, _, right, _ = self.covered({"set": {"clip": "Run"}, "joints": joints})
        self.assertLess(abs(left + right - 95), 30)
        self.assertGreater(right - left, 20)

    def test_joints_may_be_called_clip(self):
        # Only an operation's clip is one: a joint of that name must not be looked up as such.
        tiny = rigs.triangle()
        tiny.json["nodes"][0]["name"] = "clip"
        self.put_rig("clip", tiny.glb())
        pose = {"set": "rest", "joints": {"clip": {"translation": [1, 0, 0]}}}
        self.assertStatus(self.client.frame("clip", pose, fit="clip", width=8, height=8), 200)


if __name__ == "__main__":
    unittest.main()
