"""Presets, parallel lines of sight, cameras of the file, margins: to the pixel."""
import math
import os
import pathlib
import subprocess
import unittest

import rigs
from case import ROOT, DaemonCase
from picture import Picture
from tiny import Tiny

SIZE = {"width": 64, "height": 64, "samples": 1}
PRESETS = {
    "front": (0, 0),
    "back": (180, 0),
    "left": (90, 0),
    "side": (90, 0),
    "right": (-90, 0),
    "three_quarter": (30, 15),
    "top": (0, 90),
}
# 1 x 0.5 of the 2 x 2 that is seen.
MIDDLE = {(x, y) for x in range(16, 48) for y in range(24, 40)}


def with_camera(tiny, camera, **node):
    """Adds a camera of the file at a node of its own; returns the node's index."""
    tiny.json.setdefault("cameras", []).append(camera)
    return tiny.node(root=True, camera=len(tiny.json["cameras"]) - 1, **node)


def orthographic(mag=1, near=0, far=100, across=1):
    planes = {"xmag": across, "ymag": mag, "znear": near, "zfar": far}
    return {"type": "orthographic", "orthographic": planes}


def perspective(yfov, **more):
    return {"type": "perspective", "perspective": {"yfov": yfov, "znear": 0.1, **more}}


class Viewpoints(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("square", rigs.square(1, 0.5).glb())
        cls.put_demo("humanoid")
        tiny = rigs.square(1, 0.5)
        moving = with_camera(tiny, orthographic(), name="Flat", translation=[0, 0, 3])
        with_camera(tiny, perspective(1.0), name="Lens", translation=[0, 0, 3])
        with_camera(tiny, {**perspective(0.5, zfar=9), "name": "Own"}, translation=[0.5, 0, 4])
        with_camera(tiny, orthographic(), name="Scaled", translation=[0, 0, 3], scale=[-2, 5, 3])
        tiny.clip(
            [(moving, "translation", [0, 1], [(0, 0, 3), (0.5, 0.25, 3)], "LINEAR")], name="pan"
        )
        cls.lens = moving + 1
        cls.put_rig("filmed", tiny.glb())

    def bytes_of(self, rig, pose="rest", **members):
        return self.assertStatus(self.client.frame(rig, pose, **{**SIZE, **members}), 200).body

    def covered(self, rig, pose="rest", **members):
        return Picture(self.bytes_of(rig, pose, **members)).covered()

    def linked(self, rig, **parameters):
        names = "&".join(f"{key}={value}" for key, value in {**SIZE, **parameters}.items())
        return self.client.get(f"/v1/rigs/{rig}/frame.png?{names}")

    def refuse(self, rig, pointer, says, **members):
        reply = self.client.frame(rig, "rest", **members)
        self.assertProblem(reply, 400, "invalid-value", pointer=pointer, says=says)


class Presets(Viewpoints):
    def test_each_is_the_orbit_that_it_stands_for(self):
        for name, (yaw, pitch) in PRESETS.items():
            with self.subTest(preset=name):
                want = self.bytes_of("humanoid", camera={"yaw": yaw, "pitch": pitch})
                self.assertEqual(self.bytes_of("humanoid", camera=name), want)
                self.assertEqual(self.bytes_of("humanoid", camera={"preset": name}), want)
                self.assertEqual(self.linked("humanoid", camera=name).body, want)

    def test_members_beside_a_preset_count(self):
        want = self.bytes_of("humanoid", camera={"yaw": 10, "pitch": 90, "fov": 50})
        got = self.bytes_of("humanoid", camera={"preset": "top", "yaw": 10, "fov": 50})
        self.assertEqual(got, want)

    def test_left_shows_the_side_at_plus_x(self):
        # glTF's figures face +Z and have +X at their left: seen from there +Z is on the left.
        self.put_rig("profile", rigs.triangle([(0, 0, 0), (0, 1, 0), (0, 0, 1)]).glb())
        covered = self.covered("profile", camera="left")
        left, top, right, _ = Picture(self.bytes_of("profile", camera="left")).box()
        self.assertIn((right, top + 1), covered, "the upright edge at z = 0 is on the right")
        self.assertNotIn((left, top + 1), covered)

    def test_head_and_bust_show_less_and_less(self):
        # The soles are the only red of the figure; the whole has them, the parts do not.
        def colours(camera):
            return {
                p[:3] for p in Picture(self.bytes_of("humanoid", camera=camera)).pixels() if p[3]
            }

        def red(camera):
            return any(r > 180 and g < 110 and b < 90 for r, g, b in colours(camera))

        def shirt(camera):
            picture = Picture(self.bytes_of("humanoid", camera=camera))
            return sum(p[3] and p[1] > p[0] + 60 for p in picture.pixels())

        self.assertTrue(red("front"))
        self.assertFalse(red("bust"))
        self.assertFalse(red("head"))
        self.assertGreater(shirt("bust"), 4 * shirt("head"))

    def test_parts_hold_still_over_a_clip(self):
        pictures = [
            Picture(
                self.bytes_of(
                    "humanoid", {"clip": "Walk", "phase": phase}, camera="head", fit="clip"
                )
            )
            for phase in (0, 0.25, 0.5)
        ]
        for picture in pictures:
            self.assertGreaterEqual(picture.box()[1], 1, "the head is cut off")
        self.assertNotEqual(pictures[0].covered(), pictures[1].covered())
        self.assertTrue(self.covered("humanoid", {"clip": "Walk"}, camera="head", fit="rest"))

    def test_a_rig_without_the_joints_is_refused(self):
        self.refuse("square", "/camera", "is the head of a humanoid", camera="head")
        says = "is the chest of a humanoid"
        self.refuse("square", "/camera/preset", says, camera={"preset": "bust"})
        self.assertProblem(
            self.linked("square", camera="head"), 400, "invalid-value", parameter="camera"
        )


class ParallelSight(Viewpoints):
    def test_height_covers_exactly_its_pixels(self):
        camera = {"preset": "front", "orthographic": True, "height": 2}
        self.assertEqual(self.covered("square", camera=camera), MIDDLE)
        eye = {"eye": [0, 0, 9], "target": [0, 0, 0], "orthographic": True, "height": 2}
        self.assertEqual(self.covered("square", camera=eye), MIDDLE)
        got = self.linked("square", camera="front", orthographic="true", view_height=2)
        self.assertEqual(Picture(got.body).covered(), MIDDLE)

    def test_nothing_is_cut_off_in_front_of_the_eye(self):
        behind = {"eye": [0, 0, -9], "target": [0, 0, -10], "orthographic": True, "height": 2}
        self.assertEqual(self.covered("square", camera=behind), MIDDLE)

    def test_margins_are_free_to_the_pixel(self):
        camera = {"preset": "front", "orthographic": True}
        for margin, free in ((0, 0), (0.25, 16), (0.125, 8), (0.375, 24)):
            with self.subTest(margin=margin):
                wide = 64 - 2 * free
                want = {
                    (x, y)
                    for x in range(free, free + wide)
                    for y in range(32 - wide // 4, 32 + wide // 4)
                }
                self.assertEqual(self.covered("square", camera=camera, margin=margin), want)

    def test_margins_are_free_in_perspective_too(self):
        # The square lies in a plane at right angles to the view: its size is as exact.
        for fov in (1, 30, 90):
            camera = {"preset": "front", "fov": fov}
            self.assertEqual(self.covered("square", camera=camera, margin=0.25), MIDDLE)
        got = self.linked("square", camera="front", margin=0.25)
        self.assertEqual(Picture(got.body).covered(), MIDDLE)

    def test_far_things_are_as_large_as_near_ones(self):
        # A square stood on edge, seen from its side and turned: its far edge is as long.
        camera = {"yaw": 60, "pitch": 0, "orthographic": True, "height": 1}
        covered = self.covered("square", camera=camera, width=128, height=128)
        heights = [sum(1 for x, _ in covered if x == column) for column in range(36, 92)]
        self.assertEqual(set(heights), {64})

    def test_what_does_not_go_together_is_refused(self):
        for camera, member in (
            ({"orthographic": True, "fov": 30}, "fov"),
            ({"orthographic": True, "distance": 3}, "distance"),
            ({"height": 3}, "height"),
            ({"orthographic": True, "height": 0}, "height"),
            ({"orthographic": "yes"}, "orthographic"),
        ):
            with self.subTest(camera=camera):
                self.refuse("square", "/camera/" + member, (), camera=camera)
        for parameters, name in (
            ({"view_height": 3}, "view_height"),
            ({"orthographic": "yes"}, "orthographic"),
            ({"camera": "frnt"}, "camera"),
            ({"margin": 0.5}, "margin"),
        ):
            with self.subTest(parameters=parameters):
                reply = self.linked("square", **parameters)
                self.assertProblem(reply, 400, "invalid-value", parameter=name)


class JointsAlone(Viewpoints):
    """Files without a mesh are seen by their joints."""

    def test_their_joints_fill_the_picture(self):
        tiny = Tiny()
        upper = tiny.node(name="upper", translation=[0, 2, 0])
        tiny.node(root=True, name="lower", children=[upper])
        rows = [(0, 2, 0), (0, 4, 0)]
        tiny.clip([(upper, "translation", [0, 1], rows, "LINEAR")], name="rise")
        self.put_rig("bones", tiny.glb())
        # Heights of the lower and the upper joint, of the picture's half and more: the rest of it
        # is margin, and a marker is up to 5 pixels large.
        for pose, fit, low, high in (
            ("rest", "pose", 48, 16),
            ("rest", "rest", 48, 16),
            ({"clip": "rise", "time": 0}, "pose", 48, 16),
            ({"clip": "rise", "time": 1}, "pose", 48, 16),
            ({"clip": "rise", "time": 0}, "clip", 48, 32),
            ({"clip": "rise", "time": 1}, "clip", 48, 16),
            ({"clip": "rise", "time": 0.5}, "rest", 48, 0),
        ):
            with self.subTest(pose=pose, fit=fit):
                camera = {"preset": "front", "orthographic": True}
                overlays = [{"overlay": "skeleton", "joints": ["lower", "upper"]}]
                body = self.bytes_of("bones", pose, camera=camera, fit=fit, margin=0.25,
                                     overlays=overlays)
                left, top, right, bottom = Picture(body).box()
                self.assertAlmostEqual((left + right + 1) / 2, 32, delta=1)
                self.assertAlmostEqual(bottom + 1, low, delta=5)
                self.assertAlmostEqual(top, high, delta=5)


class FileCameras(Viewpoints):
    def test_orthographic_camera_shows_what_it_says(self):
        self.assertEqual(self.covered("filmed", camera={"node": "Flat"}), MIDDLE)

    def test_narrower_pictures_keep_the_width_and_show_more_above_and_below(self):
        tiny = rigs.square(1, 0.5)
        slope = math.tan(0.5)
        for name, camera in (
            ("Flat", orthographic(across=2)),
            ("Lens", perspective(1.0, aspectRatio=2)),
            ("Any", perspective(1.0)),
        ):
            with_camera(tiny, camera, name=name, translation=[0, 0, 1 / slope])
        self.put_rig("wide", tiny.glb())
        # A square picture shows 4 x 2 in both cases, and one twice as high as wide 4 x 8.
        for width, height, tall in ((128, 64, 2), (64, 64, 4), (64, 128, 8), (256, 64, 2)):
            size = {"width": width, "height": height}
            camera = {"preset": "front", "orthographic": True, "height": tall,
                      "target": [0, 0, 0]}
            want = self.covered("square", camera=camera, **size)
            for node in ("Flat", "Lens"):
                with self.subTest(node=node, **size):
                    self.assertEqual(self.covered("wide", camera={"node": node}, **size), want)
            camera["height"] = 2
            want = self.covered("square", camera=camera, **size)
            self.assertEqual(self.covered("wide", camera={"node": "Any"}, **size), want)

    def test_wider_pictures_keep_the_height_and_show_more_at_the_sides(self):
        for node in ("Flat", "Lens"):
            square = self.covered("filmed", camera={"node": node})
            wide = self.covered("filmed", camera={"node": node}, width=128)
            self.assertEqual({(x + 32, y) for x, y in square}, wide)

    def test_perspective_camera_is_the_matrices_that_it_means(self):
        # glTF 2.0, 3.10.3.3: the infinite perspective, then a finite one.
        def matrix(yfov, near, far):
            f = 1 / math.tan(yfov / 2)
            depth = near - far if far else 0
            third = ((far + near) / depth, 2 * far * near / depth) if far else (-1, -2 * near)
            return [f, 0, 0, 0, 0, f, 0, 0, 0, 0, third[0], -1, 0, 0, third[1], 0]

        for node, at, projection in (
            ("Lens", (0, 0, 3), matrix(1.0, 0.1, None)),
            ("Own", (0.5, 0, 4), matrix(0.5, 0.1, 9)),
        ):
            view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *(-x for x in at), 1]
            want = self.covered("filmed", camera={"view": view, "projection": projection})
            self.assertGreater(len(want), 100)
            self.assertEqual(self.covered("filmed", camera={"node": node}), want)

    def test_it_is_found_by_names_and_by_index(self):
        want = self.bytes_of("filmed", camera={"node": "Lens"})
        for node in (self.lens, str(self.lens)):
            self.assertEqual(self.bytes_of("filmed", camera={"node": node}), want)
            self.assertEqual(self.linked("filmed", node=node).body, want)
        self.assertNotEqual(self.bytes_of("filmed", camera={"node": "Own"}), want)

    def test_it_moves_with_the_pose(self):
        moved = self.covered("filmed", {"clip": "pan", "time": 1}, camera={"node": "Flat"})
        self.assertEqual(moved, {(x - 16, y + 8) for x, y in MIDDLE})
        # In sets of joints and whatever else makes a pose, too.
        pose = {"set": "rest", "joints": {"Flat": {"translation": [0.5, 0.25, 3]}}}
        self.assertEqual(self.covered("filmed", pose, camera={"node": "Flat"}), moved)

    def test_the_nodes_scale_is_ignored(self):
        self.assertEqual(self.covered("filmed", camera={"node": "Scaled"}), MIDDLE)
        pose = {"set": "rest", "joints": {"Flat": {"scale": [0, 0, 0]}}}
        reply = self.client.frame("filmed", pose, camera={"node": "Flat"})
        says = "scaled to nothing"
        self.assertProblem(reply, 400, "invalid-value", pointer="/camera/node", says=says)

    def test_others_are_refused_with_those_there_are(self):
        says = ("Flat", "Lens", "Scaled")
        for node in ("flat", "square", 0, 99, -1, 1.5, "99"):
            with self.subTest(node=node):
                self.refuse("filmed", "/camera/node", says, camera={"node": node})
        self.refuse("square", "/camera/node", "no cameras", camera={"node": "Flat"})
        self.refuse("filmed", "/camera/node", "name or the index", camera={"node": None})
        reply = self.linked("filmed", node="nobody")
        self.assertProblem(reply, 400, "invalid-value", parameter="node", says=says)


class ManyAtOnce(Viewpoints):
    def compare(self, **members):
        body = {"rig": "humanoid", "methods": ["lbs", "dqs"], "view": "side_by_side", **members}
        return self.client.post("compare", body, accept="image/png")

    def test_comparisons_take_every_camera(self):
        for camera in ("bust", {"preset": "side", "orthographic": True}):
            reply = self.assertStatus(self.compare(camera=camera, margin=0.1, **SIZE), 200)
            self.assertTrue(Picture(reply.body).covered())
        body = {"rig": "filmed", "methods": ["lbs", "dqs"], "view": "side_by_side"}
        reply = self.client.post("compare", {**body, "camera": {"node": "Lens"}, **SIZE})
        self.assertStatus(reply, 200)

    def crowd(self, **members):
        return self.client.post("crowd", {"instances": [{"rig": "humanoid"}], **SIZE, **members})

    def test_a_crowd_of_one_is_framed_as_a_picture(self):
        camera = {"preset": "side", "orthographic": True}
        want = self.covered("humanoid", camera=camera, margin=0.1)
        reply = self.assertStatus(self.crowd(camera=camera, margin=0.1), 200)
        self.assertEqual(Picture(reply.body).covered(), want)

    def test_a_crowd_has_no_file_and_no_head(self):
        for camera, pointer in (
            ("head", "/camera"),
            ({"preset": "bust"}, "/camera/preset"),
            ({"node": "Flat"}, "/camera/node"),
        ):
            self.assertProblem(self.crowd(camera=camera), 400, "invalid-value", pointer=pointer)


class CommandLine(Viewpoints):
    def pose_frame(self, rig, *options):
        program = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
        size = ("--width", "64", "--height", "64", "--samples", "1", "-o", "-")
        server = ("--server", f"http://127.0.0.1:{self.client.port}")
        command = [program, "frame", rig, *options, *size, *server]
        return subprocess.run(command, capture_output=True, timeout=300)

    def test_options_are_the_members_of_the_request(self):
        flat = {"preset": "front", "orthographic": True, "height": 2}
        for rig, options, members in (
            ("square", ("--camera", "side", "--margin", "0.1"), {"camera": "side", "margin": 0.1}),
            (
                "square",
                ("--camera", "front", "--orthographic", "--view-height", "2"),
                {"camera": flat},
            ),
            ("filmed", ("--node", "Lens"), {"camera": {"node": "Lens"}}),
        ):
            with self.subTest(options=options):
                said = self.pose_frame(rig, *options)
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertEqual(said.stdout, self.bytes_of(rig, **members))


if __name__ == "__main__":
    unittest.main()
