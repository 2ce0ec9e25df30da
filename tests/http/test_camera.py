"""Cameras: matrices to the pixel, eye and target, angles, and fits that cut nothing off."""
import math
import unittest

import rigs
from case import DaemonCase
from picture import Picture

UNIT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
FLAT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -0.1, 0, 0, 0, 0, 1]
SIZE = {"width": 64, "height": 64}


def perspective(fov, aspect, near=0.1, far=100):
    """A GL projection, column-major; fov is the vertical angle in degrees."""
    f = 1 / math.tan(math.radians(fov) / 2)
    depth = near - far
    return [
        f / aspect,
        0,
        0,
        0,
        0,
        f,
        0,
        0,
        0,
        0,
        (far + near) / depth,
        -1,
        0,
        0,
        2 * far * near / depth,
        0,
    ]


class Cameras(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("square", rigs.square(1, 0.5).glb())
        cls.put_demo("cyl2")
        # An L in the plane: its corner tells left from right and up from down.
        corner = [(0, 0, 0), (0.5, 0, 0), (0, 1, 0)]
        cls.put_rig("corner", rigs.triangle(corner).glb())

    def picture(self, rig, pose="rest", **members):
        reply = self.assertStatus(self.client.frame(rig, pose, **{**SIZE, **members}), 200)
        return Picture(reply.body)

    def assertFills(self, picture, share=0.7):
        """Nothing is cut off, and the figure takes at least a share of the width or the height."""
        left, top, right, bottom = picture.box()
        place = f"{left},{top} to {right},{bottom} of {picture.width} x {picture.height}"
        self.assertGreater(min(left, top), 0, place)
        self.assertLess(right, picture.width - 1, place)
        self.assertLess(bottom, picture.height - 1, place)
        taken = max((right - left + 1) / picture.width, (bottom - top + 1) / picture.height)
        self.assertGreaterEqual(taken, share, place)


class ExplicitMatrices(Cameras):
    def test_orthographic_square_covers_exactly_its_pixels(self):
        # 1 x 0.5 of the 2 x 2 that is seen: columns 16 to 47, rows 24 to 39 of 64.
        picture = self.picture("square", camera={"view": UNIT, "projection": FLAT}, samples=1)
        self.assertEqual(picture.covered(), {(x, y) for x in range(16, 48) for y in range(24, 40)})

    def test_up_is_up_and_right_is_right(self):
        # Moved by +1/2 in x and +1/4 in y: columns 32 to 63, rows 16 to 31.
        view = UNIT[:12] + [0.5, 0.25, 0, 1]
        picture = self.picture("square", camera={"view": view, "projection": FLAT}, samples=1)
        self.assertEqual(picture.covered(), {(x, y) for x in range(32, 64) for y in range(16, 32)})

    def test_matrices_are_column_major(self):
        # A turn by 90 degrees about z takes +x to +y: the wide square stands.
        view = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 1]
        picture = self.picture("square", camera={"view": view, "projection": FLAT}, samples=1)
        self.assertEqual(picture.covered(), {(x, y) for x in range(24, 40) for y in range(0, 32)})

    def test_perspective_triangle_covers_its_projected_area(self):
        # The corner (0,0), (1/2,0), (0,1) at distance 3 with 60 degrees: its projected area in
        # pixels, within the pixels that its outline touches.
        view = UNIT[:12] + [0, 0, -3, 1]
        camera = {"view": view, "projection": perspective(60, 1)}
        picture = self.picture("corner", camera=camera, samples=1, width=128, height=128)
        scale = 64 / (3 * math.tan(math.radians(30)))
        area = 0.5 * 0.5 * scale * 1.0 * scale
        outline = (0.5 + 1 + math.hypot(0.5, 1)) * scale
        self.assertAlmostEqual(len(picture.covered()), area, delta=outline / 2)
        left, top, right, bottom = picture.box()
        self.assertEqual(left, 64)
        self.assertEqual(bottom, 63)
        self.assertAlmostEqual(right, 64 + 0.5 * scale - 0.5, delta=1.5)
        self.assertAlmostEqual(top, 64 - scale + 0.5, delta=1.5)

    def test_soft_coverage_sums_to_the_area(self):
        # Four samples: the sum of alpha is the area within half a pixel per edge sample.
        view = UNIT[:12] + [0, 0, -3, 1]
        camera = {"view": view, "projection": perspective(60, 1)}
        picture = self.picture("corner", camera=camera, samples=4, width=128, height=128)
        scale = 64 / (3 * math.tan(math.radians(30)))
        total = sum(p[3] for p in picture.pixels()) / 255
        self.assertAlmostEqual(total / (0.25 * scale * scale), 1, delta=0.03)

    def test_view_alone_gets_a_projection_around_what_is_seen(self):
        # The same pixels as with the projection written out; depth does not move them.
        view = UNIT[:12] + [0, 0, -3, 1]
        for fov, members in ((30, {}), (60, {"fov": 60})):
            for size in ({}, {"width": 96}):
                aspect = 1.5 if size else 1
                whole = {"view": view, "projection": perspective(fov, aspect)}
                want = self.picture("corner", camera=whole, samples=1, **size).covered()
                got = self.picture("corner", camera={"view": view, **members}, samples=1, **size)
                self.assertLessEqual(len(want ^ got.covered()), 4)
                self.assertGreater(len(want), 50)

    def test_view_alone_sees_near_and_far_things(self):
        for distance in (0.01, 1, 1e6):
            tiny = rigs.triangle([(x * distance, y * distance, 0) for x, y, _ in rigs.TRIANGLE])
            self.put_rig("scaled", tiny.glb())
            view = UNIT[:12] + [0, 0, -3 * distance, 1]
            picture = self.picture("scaled", camera={"view": view, "fov": 60}, samples=1)
            self.assertGreater(len(picture.covered()), 100)

    def test_non_square_pictures_take_the_projection_as_it_is(self):
        picture = self.picture(
            "square", camera={"view": UNIT, "projection": FLAT}, samples=1, width=128, height=64
        )
        self.assertEqual(picture.covered(), {(x, y) for x in range(32, 96) for y in range(24, 40)})


class EyeAndAngles(Cameras):
    def test_eye_target_up_and_fov_are_the_matrices_they_mean(self):
        by_eye = {"eye": [0, 0, 3], "target": [0, 0, 0], "up": [0, 1, 0], "fov": 60}
        by_matrix = {"view": UNIT[:12] + [0, 0, -3, 1], "projection": perspective(60, 1)}
        a = self.picture("corner", camera=by_eye, samples=1).covered()
        b = self.picture("corner", camera=by_matrix, samples=1).covered()
        self.assertLessEqual(
            len(a ^ b), 4
        )  # another near plane may round an edge pixel differently

    def test_what_is_left_out_is_chosen_so_that_the_figure_fills_the_frame(self):
        for camera in (
            {},
            {"eye": [3, 1, 4]},
            {"yaw": 20},
            {"pitch": 20},
            {"fov": 20},
            {"yaw": 10, "fov": 70},
        ):
            with self.subTest(camera=camera):
                self.assertFills(self.picture("cyl2", camera=camera), share=0.4)

    def test_up_rolls_the_picture(self):
        upright = {"eye": [0, 0, 3], "target": [0, 0, 0], "up": [0, 1, 0], "fov": 60}
        left, top, right, bottom = self.picture(
            "corner", camera={**upright, "up": [0, -1, 0]}
        ).box()
        self.assertLessEqual(right, 32)
        self.assertGreaterEqual(top, 31)

    def test_yaw_0_looks_along_minus_z_with_y_up(self):
        # glTF's front is +Z: the square, which faces +Z, is seen wide and lies flat.
        left, top, right, bottom = self.picture("square", camera={"yaw": 0, "pitch": 0}).box()
        self.assertAlmostEqual((right - left + 1) / (bottom - top + 1), 2, delta=0.25)
        box = self.picture("corner", camera={"yaw": 0, "pitch": 0}, samples=1)
        rows = [
            sum((x, y) in box.covered() for x in range(64))
            for y in (box.box()[1] + 2, box.box()[3] - 2)
        ]
        self.assertLess(rows[0], rows[1], "the corner's broad end is down")
        self.assertIn(
            (box.box()[0], box.box()[3] - 1), box.covered(), "its right angle is on the left"
        )

    def test_yaw_and_pitch_change_the_picture(self):
        pictures = {
            self.client.frame("corner", camera=camera, **SIZE).body
            for camera in (
                {"yaw": 0},
                {"yaw": 40},
                {"yaw": -40},
                {"yaw": 0, "pitch": 30},
                {"yaw": 0, "pitch": -30},
            )
        }
        self.assertEqual(len(pictures), 5)

    def test_yaw_turns_by_degrees(self):
        # From 60 degrees aside a plane looks half as wide for its height.
        def ratio(yaw):
            camera = {"yaw": yaw, "pitch": 0, "distance": 40, "fov": 3}
            left, top, right, bottom = self.picture(
                "square", camera=camera, width=256, height=256
            ).box()
            return (right - left + 1) / (bottom - top + 1)

        self.assertAlmostEqual(ratio(0), 2, delta=0.1)
        self.assertAlmostEqual(ratio(60), 1, delta=0.1)
        self.assertAlmostEqual(ratio(-60), 1, delta=0.1)

    def test_positive_pitch_looks_down(self):
        # From above the top of the column can be seen, and never from below: the two differ; a
        # camera at 60 degrees sees the column shortened.
        level = self.picture("cyl2", camera={"pitch": 0, "distance": 40, "fov": 4}).box()
        above = self.picture("cyl2", camera={"pitch": 60, "distance": 40, "fov": 4}).box()
        self.assertAlmostEqual((above[3] - above[1]) / (level[3] - level[1]), 0.57, delta=0.08)

    def test_distance_and_fov_make_it_smaller(self):
        def size(**camera):
            return len(self.picture("square", camera={"yaw": 0, "pitch": 0, **camera}).covered())

        self.assertGreater(size(distance=2, fov=40), 3 * size(distance=4, fov=40))
        self.assertGreater(size(distance=3, fov=30), 2 * size(distance=3, fov=60))

    def test_target_moves_the_figure_the_other_way(self):
        camera = {"yaw": 0, "pitch": 0, "distance": 4, "fov": 40}
        middle = self.picture("square", camera={**camera, "target": [0, 0, 0]}).box()
        aside = self.picture("square", camera={**camera, "target": [0.5, 0.25, 0]}).box()
        self.assertLess(aside[0], middle[0])
        self.assertGreater(aside[1], middle[1])


class Fits(Cameras):
    def test_rest_pose_fills_the_frame_at_any_aspect(self):
        for width, height in ((64, 64), (128, 48), (40, 120)):
            with self.subTest(width=width, height=height):
                # upright, the column's height decides in all but the narrowest frame
                self.assertFills(self.picture("cyl2", width=width, height=height))

    def test_every_angle_keeps_the_figure_inside(self):
        for yaw in (0, 45, 90, 200):
            for pitch in (-60, 0, 30, 89):
                with self.subTest(yaw=yaw, pitch=pitch):
                    picture = self.picture("cyl2", camera={"yaw": yaw, "pitch": pitch})
                    self.assertFills(picture, share=0.4)

    def test_default_fit_is_the_posed_figure(self):
        # Bent by 90 degrees the column reaches to x = -1, outside of its rest bounds.
        for fit in ({}, {"fit": "pose"}):
            self.assertFills(self.picture("cyl2", {"clip": "bend", "time": 2}, **fit))

    def test_far_away_figures_are_found(self):
        tiny = rigs.square()
        tiny.json["nodes"][0]["translation"] = [1000, 2000, -3000]
        self.put_rig("far", tiny.glb())
        self.assertFills(self.picture("far"))

    def test_tiny_and_huge_figures_are_framed(self):
        for scale in (1e-3, 1e4):
            tiny = rigs.square()
            tiny.json["nodes"][0]["scale"] = [scale] * 3
            self.put_rig("scaled", tiny.glb())
            self.assertFills(self.picture("scaled"))

    def test_fit_clip_holds_the_camera_still_over_the_whole_clip(self):
        # The foot of the column does not move in "bend": with the same camera it stays in place.
        feet = []
        for phase in (0, 0.25, 0.5):
            picture = self.picture(
                "cyl2", {"clip": "bend", "phase": phase}, fit="clip", camera={"yaw": 0, "pitch": 0}
            )
            self.assertFills(picture, share=0.4)
            _, _, _, bottom = picture.box()
            feet.append((bottom, sorted(x for x, y in picture.covered() if y == bottom - 2)))
        self.assertEqual(feet[0], feet[1])
        self.assertEqual(feet[0], feet[2])

    def test_fit_rest_is_the_camera_of_the_rest_pose(self):
        rest = self.picture("cyl2", fit="pose", camera={"yaw": 0, "pitch": 0}).box()
        twisted = self.picture(
            "cyl2", {"clip": "twist", "time": 2}, fit="rest", camera={"yaw": 0, "pitch": 0}
        ).box()
        self.assertEqual((rest[1], rest[3]), (twisted[1], twisted[3]))


if __name__ == "__main__":
    unittest.main()
