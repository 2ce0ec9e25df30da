"""The ground: a shadow under the figure, and a grid at whole numbers of units."""
import math
import struct
import unittest

import rigs
from case import DaemonCase
from client import Client
from daemon import Daemon
from picture import Picture
from test_camera import perspective

SIDE = 200
SIZE = {"width": SIDE, "height": SIDE}
RUN = {"clip": "Run", "phase": 0.05}

# From above, 4 units high and wide around the origin, with z downwards.
ABOVE = {"view": [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -5, 1],
         "projection": [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, -0.1, 0, 0, 0, -1, 1]}


def looking(eye, target):
    """A view matrix, column-major, with y up."""
    def unit(v):
        return [x / math.hypot(*v) for x in v]

    def cross(a, b):
        return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]

    back = unit([e - t for e, t in zip(eye, target)])
    right = unit(cross([0, 1, 0], back))
    axes = [right, cross(back, right), back]
    columns = [[axis[i] for axis in axes] + [0] for i in range(3)]
    moved = [-sum(a * e for a, e in zip(axis, eye)) for axis in axes] + [1]
    return sum(columns, []) + moved


def projected(camera, point):
    """The position of a point of the world in the picture, in pixels."""
    for matrix in (camera["view"], camera["projection"]):
        point = [sum(matrix[i + 4 * k] * v for k, v in enumerate([*point, 1][:4]))
                 for i in range(4)]
    return (SIDE * (1 + point[0] / point[3]) / 2, SIDE * (1 - point[1] / point[3]) / 2)


def pixels():
    return ((x, y) for y in range(SIDE) for x in range(SIDE))


class Ground(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_rig("square", rigs.square().glb())

    def picture(self, rig="humanoid", pose=RUN, **members):
        reply = self.client.frame(rig, pose, **{**SIZE, **members})
        return Picture(self.assertStatus(reply, 200).body)

    def lowest(self, **members):
        return min(p[1] for p in self.client.vertices("humanoid", **members).triples())

    def test_surfaces_and_the_automatic_camera_stay_as_they_are(self):
        for camera in ({"yaw": 30, "pitch": 20}, {"yaw": 30, "pitch": -40}, "top"):
            for members in ({"shadow": True}, {"grid": True}):
                with self.subTest(camera=camera, **members):
                    without = self.picture(camera=camera)
                    there = self.picture(camera=camera, **members)
                    inside = [p for p in pixels() if without[p][3] == 255]
                    self.assertGreater(len(inside), 1000)
                    self.assertEqual([there[p] for p in inside], [without[p] for p in inside])

    def test_the_shadow_is_dark_under_the_feet_and_nowhere_else(self):
        members = {"camera": {"yaw": 30, "pitch": 20}, "margin": 0.15, "background": "#ffffff"}
        without, shaded = self.picture(**members), self.picture(shadow=True, **members)
        changed = [p for p in pixels() if without[p] != shaded[p]]
        self.assertGreater(len(changed), 300)
        figure = [y for x, y in pixels() if without[(x, y)] != (255, 255, 255, 255)]
        # The figure runs on one foot, whose shadow is the lower part of the picture.
        self.assertGreater(min(y for _, y in changed),
                           min(figure) + 0.6 * (max(figure) - min(figure)))
        self.assertLess(min(shaded[p][0] for p in changed), 190)
        for p in changed:
            self.assertTrue(all(a <= b for a, b in zip(shaded[p][:3], without[p][:3])), p)

    def test_a_shadow_without_background_is_black_with_alpha(self):
        level = self.lowest(pose=RUN)
        camera = {"view": looking([1, 1.2, 2.5], [0, 0.6, 0]), "projection": perspective(45, 1)}
        without = self.picture(camera=camera)
        shaded = self.picture(camera=camera, shadow=True)
        changed = [p for p in pixels() if without[p] != shaded[p]]
        self.assertGreater(len(changed), 300)
        for x, y in changed:
            if without[(x, y)][3] == 0:
                self.assertEqual(shaded[(x, y)][:3], (0, 0, 0))
            self.assertGreaterEqual(shaded[(x, y)][3], without[(x, y)][3])
        # It is around where the vertices near the ground are projected onto it.
        feet = [projected(camera, (p[0], level, p[2]))
                for p in self.client.vertices("humanoid", RUN).triples() if p[1] < level + 0.05]
        darkest = max((p for p in changed if without[p][3] == 0), key=lambda p: shaded[p][3])
        self.assertLess(min(math.dist(darkest, foot) for foot in feet), 8)
        self.assertGreater(shaded[darkest][3], 60)

    def test_lines_are_where_whole_numbers_are_projected(self):
        level = self.lowest(pose="rest")
        eye = {"view": looking([0.6, 3, 2.2], [0.3, 0, 0.3]), "projection": perspective(50, 1)}
        for camera in (ABOVE, eye):
            grid = self.picture(pose="rest", grid=True, camera=camera)
            figure = self.picture(pose="rest", camera=camera)

            def alpha(x, z):
                """The greatest within a pixel of a place on the ground; None under the figure."""
                u, v = projected(camera, (x, level, z))
                near = [(int(u) + i, int(v) + k) for i in (-1, 0, 1) for k in (-1, 0, 1)]
                if any(not (0 <= p < SIDE and 0 <= q < SIDE) for p, q in near):
                    return None
                return (None if any(figure[p][3] for p in near)
                        else max(grid[p][3] for p in near))

            def mean(places):
                found = [a for a in (alpha(*place) for place in places) if a is not None]
                self.assertGreater(len(found), 3)
                return sum(found) / len(found)

            steps = [0.05 + 0.1 * i for i in range(-9, 10)]
            axis = mean([(0, z) for z in steps] + [(x, 0) for x in steps])
            unit = mean([(1, z) for z in steps] + [(x, 1) for x in steps])
            between = mean([(0.53, z) for z in steps] + [(x, 0.53) for x in steps])
            with self.subTest(axis=axis, unit=unit, between=between):
                self.assertGreater(axis, 1.3 * unit)
                self.assertGreater(unit, 2 * between)

    def test_lines_are_seen_on_light_and_on_dark(self):
        for background, sign in (("#ffffff", -1), ("#101010", 1)):
            shown = self.picture(grid=True, background=background, camera=ABOVE)
            ground = int(background[1:3], 16)
            # The line x = 1, well away from the figure.
            line = max(sign * (shown[(x, 175)][0] - ground) for x in (149, 150))
            with self.subTest(background=background):
                self.assertGreater(line, 25)

    def test_the_ground_of_a_sequence_stays(self):
        request = {"rig": "humanoid", "pose": {"clip": "Run"}, "times": [0, 0.1, 0.2, 0.3],
                   "camera": {"view": looking([1, 1.2, 3.5], [0, 0.8, 0]),
                              "projection": perspective(45, 1)},
                   "format": "sheet", "columns": 4, "grid": True, **SIZE}
        sheet = Picture(self.assertStatus(self.client.post("frames", request), 200).body)
        lowest = [self.lowest(pose={"clip": "Run", "time": t}) for t in request["times"]]
        self.assertGreater(max(lowest) - min(lowest), 0.01, "the figure has to leap")
        left = [[sheet[(x + i * SIDE, y)] for y in range(100, SIDE) for x in range(30)]
                for i in range(4)]
        self.assertTrue(any(p[3] for p in left[0]))
        for i in range(1, 4):
            self.assertEqual(left[i], left[0])
        # It is that of the frame that reaches lowest.
        deepest = lowest.index(min(lowest))
        alone = self.picture(pose={"clip": "Run", "time": request["times"][deepest]}, grid=True,
                             camera=request["camera"])
        for x in (0, 10, 25):
            brightest = [max(range(100, SIDE), key=lambda y: picture[(x, y)][3])
                         for picture in (alone, sheet)]
            self.assertEqual(*brightest)

    def test_another_daemon_draws_the_same_bytes(self):
        request = {"pose": RUN, "shadow": True, "grid": True, **SIZE}
        first = self.assertStatus(self.client.frame("humanoid", **request), 200).body
        other = Daemon().start()
        try:
            client = Client(other.port)
            client.put("humanoid", self.client.get("/v1/rigs/humanoid/source").body)
            self.assertEqual(client.frame("humanoid", **request).body, first)
        finally:
            other.stop()

    def test_comparisons_stand_on_one_ground(self):
        body = {"rig": "humanoid", "pose": RUN, "methods": ["lbs", "lbs"], "view": "side_by_side"}
        shown = [self.assertStatus(self.client.post(
            "compare", {**body, **SIZE, **members}, accept="image/png"), 200).body
            for members in ({}, {"shadow": True}, {"grid": True})]
        self.assertEqual(len(set(shown)), 3)

    def test_flat_and_empty_figures_have_a_ground(self):
        for members in ({"shadow": True}, {"grid": True}, {"shadow": True, "grid": True}):
            self.assertTrue(self.picture("square", "rest", **members).covered())

    def crowd(self, *instances, **members):
        reply = self.client.crowd([{"rig": "humanoid", **instance} for instance in instances],
                                  **{**SIZE, **members})
        return Picture(self.assertStatus(reply, 200).body)

    def test_a_crowd_of_one_has_the_ground_of_its_frame(self):
        for camera in ({"yaw": 30, "pitch": 20}, ABOVE):
            for device in self.devices():
                for members in ({"shadow": True}, {"grid": True}, {"shadow": True, "grid": True}):
                    with self.subTest(camera=camera, device=device, **members):
                        same = {"camera": camera, "margin": 0.1, "background": "#e8e6e1", **members,
                                "skinning": {"method": "lbs", "device": device}}
                        self.assertEqual(self.crowd({"pose": RUN}, **same).rows,
                                         self.picture(**same).rows)

    def feet(self, pose, **placement):
        """Ground places of the vertices that are near the ground, and its height."""
        reply = self.client.crowd([{"rig": "humanoid", "pose": pose, **placement}],
                                  "application/octet-stream", attributes=["position"])
        points = list(struct.iter_unpack("<3f", self.assertStatus(reply, 200).body))
        return points, min(p[1] for p in points)

    def test_shadows_of_a_crowd_are_under_those_who_stand(self):
        # From above, 12 units wide: two stand, one leaps a little, one is far above.
        wide = {**ABOVE, "projection": [1 / 6, 0, 0, 0, 0, 1 / 6, *ABOVE["projection"][6:]]}
        stand = [{"pose": RUN, "translation": [-4, 0, -3]}, {"pose": RUN, "translation": [3, 0, 4]}]
        leap = {"pose": RUN, "translation": [3, 0.2, -3]}
        high = {"pose": RUN, "translation": [-3, 2.5, 3]}
        crowd = [*stand, leap, high]
        without = self.crowd(*crowd, camera=wide)
        shaded = self.crowd(*crowd, camera=wide, shadow=True)
        grounded = [self.feet(**instance) for instance in (*stand, leap)]
        level = min(lowest for _, lowest in grounded)
        size = math.dist(*[[f(p[k] for p in grounded[0][0]) for k in range(3)] for f in (min, max)])
        near = [[(x, z) for x, y, z in points if y - level < 0.45 * size] for points, _ in grounded]
        changed = [p for p in pixels() if without[p] != shaded[p]]
        found = [0, 0, 0]
        for x, y in changed:
            place = ((x + 0.5) / SIDE * 12 - 6, (y + 0.5) / SIDE * 12 - 6)
            away = [min(math.dist(place, p) for p in points[::7]) for points in near]
            # As far as the blur reaches, and a pixel.
            self.assertLess(min(away), 3 * 0.035 * size + 0.1, (x, y))
            found[away.index(min(away))] += 1
        self.assertGreater(min(found), 10, found)

    def test_the_lowest_of_a_crowd_says_where_the_ground_is(self):
        low = {"pose": RUN, "translation": [1, -1, 0]}
        beside = {"pose": RUN, "translation": [-1, 0, 0]}
        without = self.crowd(low, beside, camera=ABOVE)
        shaded = self.crowd(low, beside, camera=ABOVE, shadow=True)
        changed = [p for p in pixels() if without[p] != shaded[p]]
        self.assertGreater(len(changed), 100)
        # The other's lowest vertex is farther above the ground than shadows reach.
        self.assertGreater(min(x for x, _ in changed), SIDE / 2)

    def test_no_ground_where_pixels_are_numbers(self):
        for mode in ("depth", "joint_id", "primitive_id"):
            for member in ("shadow", "grid"):
                with self.subTest(mode=mode, member=member):
                    reply = self.client.frame("square", **SIZE, shading=mode, **{member: True})
                    self.assertProblem(reply, 400, "invalid-value", pointer="/" + member)
        reply = self.client.post("frames", {"rig": "humanoid", "turntable": 2, "grid": True,
                                            "shading": "depth", **SIZE})
        self.assertProblem(reply, 400, "invalid-value", pointer="/grid")
        for member in ("shadow", "grid"):
            crowd = self.client.crowd([{"rig": "humanoid"}], shading="depth", **{member: True})
            self.assertProblem(crowd, 400, "invalid-value", pointer="/" + member)
            wrong = self.client.frame("square", **SIZE, **{member: "yes"})
            self.assertProblem(wrong, 400, "invalid-value", pointer="/" + member)

    def test_links_have_them(self):
        members = {"shadow": True, "grid": True}
        link = self.client.picture_link("humanoid", clip="Run", phase=0.05, shadow="true",
                                        grid="true", **SIZE)
        self.assertEqual(self.assertStatus(link, 200).body,
                         self.client.frame("humanoid", RUN, **members, **SIZE).body)


if __name__ == "__main__":
    unittest.main()
