"""Shadows that the key light casts, by all requests that have pictures."""
import sys
import unittest
from pathlib import Path

import rigs
from case import DaemonCase
from picture import Picture

sys.path.append(str(Path(__file__).resolve().parent.parent / "golden"))
import materials  # noqa: E402

SIDE = 128
SIZE = {"width": SIDE, "height": SIDE}
RUN = {"clip": "Run", "phase": 0.05}
LOOK = {"camera": {"yaw": 30, "pitch": 20}, "margin": 0.15, "background": "#ffffff"}


class Cast(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")
        cls.put_rig("square", rigs.square().glb())
        cls.put_rig("lamps", materials.lamps().glb())

    def body(self, rig="humanoid", pose=RUN, **members):
        return self.assertStatus(self.client.frame(rig, pose, **{**SIZE, **members}), 200).body

    def picture(self, *args, **members):
        return Picture(self.body(*args, **members))

    def test_it_darkens_the_figure_and_the_ground_and_moves_nothing(self):
        figure = self.picture(**{**LOOK, "background": "transparent"})
        contact, cast = (self.picture(shadow=shadow, **LOOK) for shadow in ("contact", "cast"))
        darker = {True: 0, False: 0}
        for x, y in ((x, y) for y in range(SIDE) for x in range(SIDE)):
            on_figure = figure[(x, y)][3] == 255
            self.assertLessEqual(cast[(x, y)][1], contact[(x, y)][1] + 4, (x, y))
            darker[on_figure] += cast[(x, y)][1] < contact[(x, y)][1] - 2
        self.assertGreater(darker[True], 100)
        self.assertGreater(darker[False], 300)

    def test_true_is_contact_and_false_is_none(self):
        self.assertEqual(self.body(shadow=True), self.body(shadow="contact"))
        self.assertEqual(self.body(shadow=False), self.body())
        self.assertEqual(len({self.body(shadow=s) for s in (True, False, "cast")}), 3)

    def test_a_shadow_without_background_is_black_with_alpha(self):
        shadow = self.picture(**{**LOOK, "background": "transparent"}, shadow="cast")
        figure = self.picture(**{**LOOK, "background": "transparent"})
        seen = [shadow[(x, y)] for y in range(SIDE) for x in range(SIDE)
                if figure[(x, y)][3] == 0 and shadow[(x, y)][3]]
        self.assertGreater(len(seen), 500)
        self.assertEqual({p[:3] for p in seen}, {(0, 0, 0)})

    def test_links_have_it(self):
        link = self.client.picture_link("humanoid", clip="Run", phase=0.05, shadow="cast", **SIZE)
        self.assertEqual(self.assertStatus(link, 200).body, self.body(shadow="cast"))
        link = self.client.picture_link("humanoid", clip="Run", phase=0.05, shadow="no", **SIZE)
        self.assertProblem(link, 400, "invalid-value")

    def test_a_crowd_of_one_has_that_of_its_frame(self):
        for device in self.devices():
            with self.subTest(device=device):
                same = {**LOOK, **SIZE, "shadow": "cast",
                        "skinning": {"method": "lbs", "device": device}}
                reply = self.client.crowd([{"rig": "humanoid", "pose": RUN}], **same)
                self.assertEqual(Picture(self.assertStatus(reply, 200).body).rows,
                                 self.picture(**same).rows)

    def test_a_sequence_has_that_of_its_frames(self):
        request = {"rig": "humanoid", "poses": [RUN], "turntable": 1, "shadow": "cast",
                   "format": "sheet", **LOOK, **SIZE}
        sheet = self.assertStatus(self.client.post("frames", request), 200).body
        self.assertEqual(Picture(sheet).rows[0], self.picture(shadow="cast", **LOOK).rows[0])

    def test_comparisons_and_overlays_have_it(self):
        body = {"rig": "humanoid", "pose": RUN, "methods": ["lbs", "dqs"], **LOOK, **SIZE}
        shown = {self.assertStatus(self.client.post(
            "compare", {**body, "shadow": shadow}, accept="image/png"), 200).body
            for shadow in ("contact", "cast")}
        self.assertEqual(len(shown), 2)
        self.body(shadow="cast", overlays=["onion", "skeleton"], grid=True, **LOOK)

    def test_the_brightest_light_of_a_file_casts_where_the_sky_does_not(self):
        # Lamps of a file are not the key where the studio is brighter, and are the only one else.
        for environment in ("studio", "soft", "none"):
            with self.subTest(environment=environment):
                without, cast = (self.picture("lamps", "rest", shadow=shadow,
                                              environment=environment, **LOOK)
                                 for shadow in ("contact", "cast"))
                changed = sum(without[(x, y)] != cast[(x, y)]
                              for y in range(SIDE) for x in range(SIDE))
                self.assertGreater(changed, 50)

    def test_without_a_key_light_it_is_refused(self):
        for environment in ("soft", "neutral", "none"):
            reply = self.client.frame("humanoid", RUN, shadow="cast", environment=environment)
            self.assertProblem(reply, 400, "invalid-value", pointer="/shadow")
        off = self.client.frame("lamps", "rest", shadow="cast", environment="none", lights=False)
        self.assertProblem(off, 400, "invalid-value", pointer="/shadow")
        crowd = self.client.crowd([{"rig": "humanoid"}], shadow="cast", environment="soft", **SIZE)
        self.assertProblem(crowd, 400, "invalid-value", pointer="/shadow")

    def test_shadings_without_the_key_light_refuse_it(self):
        for shading in ("plain", "matcap", "cg4m", "normals", "depth", "weights"):
            reply = self.client.frame("humanoid", RUN, shadow="cast", shading=shading)
            self.assertProblem(reply, 400, "invalid-value", pointer="/shadow")
        for wrong in ("soft", 1, None):
            reply = self.client.frame("humanoid", RUN, shadow=wrong)
            self.assertProblem(reply, 400, "invalid-value", pointer="/shadow")

    def test_flat_and_empty_figures(self):
        self.assertTrue(self.picture("square", "rest", shadow="cast").covered())
        self.put_rig("joints", rigs.swaying_joints(3, ["Sway"]).glb())
        self.body("joints", "rest", shadow="cast", overlays=[])

    def test_another_pose_of_the_same_place_is_as_dark_far_away(self):
        near = self.client.crowd([{"rig": "humanoid", "pose": RUN}], shadow="cast", **LOOK, **SIZE)
        far = self.client.crowd([{"rig": "humanoid", "pose": RUN, "translation": [4096, 0, -4096]}],
                                shadow="cast", **LOOK, **SIZE)
        a, b = (Picture(self.assertStatus(reply, 200).body) for reply in (near, far))
        away = [abs(p - q) for x in range(SIDE) for y in range(SIDE)
                for p, q in zip(a[(x, y)], b[(x, y)])]
        self.assertLess(sum(away) / len(away), 0.6)


if __name__ == "__main__":
    unittest.main()
