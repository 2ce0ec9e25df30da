"""The lighting of pictures: environments, exposure, tone mapping, and the modes that ignore them."""
import unittest

import rigs
from case import DaemonCase
from picture import Picture
from test_frame import coloured
from tiny import Tiny

SMALL = {"width": 32, "height": 32, "samples": 1, "camera": "front"}


def srgb(linear):
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


class Look(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_rig("white", rigs.square(material=coloured(0.5, 0.5, 0.5)).glb())
        shown = coloured(0.5, 0.25, 0.75, extensions={"KHR_materials_unlit": {}})
        cls.put_rig("unlit", rigs.square(material=shown).glb())
        blue = coloured(0, 0, 1, alphaMode="BLEND", doubleSided=True)
        blue["pbrMetallicRoughness"]["baseColorFactor"][3] = 0.5
        cls.put_rig("pane", rigs.square(material=blue).glb())

    def middle(self, rig, **members):
        reply = self.assertStatus(self.client.frame(rig, **SMALL, **members), 200)
        return Picture(reply.body)[(16, 16)]

    def test_environments_differ_and_none_is_dark(self):
        seen = [self.middle("white", environment=name)
                for name in ("studio", "soft", "neutral", "product", "dramatic", "none")]
        self.assertEqual(len(set(seen)), 6)
        self.assertEqual(seen[-1], (0, 0, 0, 255))

    def test_a_stop_doubles_the_light(self):
        # Bytes of dark colours are coarse: to 1.5 %.
        dark, bright = (self.middle("white", environment="neutral", tone_mapping="linear",
                                    exposure=stops)[1] for stops in (-2, -1))
        linear = [((value / 255 + 0.055) / 1.055) ** 2.4 for value in (dark, bright)]
        self.assertAlmostEqual(linear[1] / linear[0], 2, delta=0.03)

    def test_unlit_colours_and_backgrounds_stay(self):
        for members in ({}, {"exposure": 3}, {"tone_mapping": "aces"}, {"environment": "none"}):
            with self.subTest(**members):
                self.assertEqual(self.middle("unlit", **members), (188, 137, 225, 255))
                reply = self.client.frame("white", **SMALL, background="#4080c0", fit="rest",
                                          margin=0.3, **members)
                self.assertEqual(Picture(reply.body)[(0, 0)], (64, 128, 192, 255))

    def test_blended_surfaces_keep_their_alpha(self):
        self.assertAlmostEqual(self.middle("pane")[3], 128, delta=1)

    def test_points_and_lines_without_normals_take_no_light(self):
        # glTF 2.0 on points and lines: the base colour and what is emitted, unless there are
        # normals.
        material = coloured(0.5, 0, 0, emissiveFactor=[0, 0.25, 0])
        want = tuple(round(255 * srgb(value)) for value in (0.5, 0.25, 0)) + (255,)
        up = [(0, 0, 1)] * 4
        for mode, corners in ((0, [(0, 0, 0)]), (1, [(-1, 0, 0), (1, 0, 0)]),
                              (2, [(-1, 0, 0), (0, 0, 0), (1, 0, 0)]),
                              (3, [(-1, 0, 0), (0, 0, 0), (1, 0, 0)])):
            for has_normals in (False, True):
                tiny = Tiny()
                more = {"NORMAL": tiny.normals(up[:len(corners)])} if has_normals else {}
                primitive = tiny.primitive(corners, list(range(len(corners))), **more)
                primitive.update(mode=mode, material=tiny.material(**material))
                tiny.node(root=True, mesh=tiny.mesh(primitive))
                self.put_rig("thin", tiny.glb())
                for members in ({}, {"environment": "none"}, {"exposure": 2},
                                {"shading": "plain"}):
                    with self.subTest(mode=mode, has_normals=has_normals, **members):
                        view = {"width": 33, "height": 33, "samples": 1, **members,
                                "camera": {"preset": "front", "orthographic": True,
                                           "height": 2, "target": [0, 0, 0]}}
                        picture = Picture(self.client.frame("thin", **view).body)
                        seen = set(picture.pixels()) - {(0, 0, 0, 0)}
                        self.assertEqual(len(seen), 1)
                        self.assertEqual(seen == {want}, not has_normals)

    def test_a_wide_pane_before_a_small_one_is_drawn_over_it(self):
        # The wide one's middle is farther from the eye than the small one's, though not along
        # the view.
        tiny = Tiny()
        for color, x, y, z in (((1, 0, 0), (-1, 11), 1, 0), ((0, 0, 1), (-0.4, 0.4), 0.4, -1)):
            material = coloured(*color, alphaMode="BLEND",
                                extensions={"KHR_materials_unlit": {}})
            material["pbrMetallicRoughness"]["baseColorFactor"][3] = 0.5
            corners = [(x[0], -y, z), (x[1], -y, z), (x[1], y, z), (x[0], y, z)]
            primitive = tiny.primitive(corners, [0, 1, 2, 0, 2, 3])
            primitive["material"] = tiny.material(**material)
            tiny.node(root=True, mesh=tiny.mesh(primitive))
        self.put_rig("panes", tiny.glb())
        view = {**SMALL, "camera": {"eye": [0, 0, 10], "target": [0, 0, 0], "fov": 20}}
        reply = self.assertStatus(self.client.frame("panes", **view, background="#ffffff"), 200)
        # Linear light: (1, 1, 1), half of it blue, then half of that red.
        want = [round(255 * srgb(value)) for value in (0.75, 0.25, 0.5)]
        self.assertNumbers(Picture(reply.body)[(16, 16)][:3], want, 1)

    def test_plain_shading_takes_no_light(self):
        first = self.middle("white", shading="plain")
        self.assertEqual(self.middle("white", shading="plain", environment="none"), first)

    def test_wrong_values_are_refused_with_their_place(self):
        for member, value in (("environment", "forest"), ("exposure", 11), ("exposure", "1"),
                              ("tone_mapping", "reinhard"), ("lights", 1)):
            with self.subTest(member=member, value=value):
                reply = self.client.frame("white", **SMALL, **{member: value})
                self.assertProblem(reply, 400, "invalid-value", pointer="/" + member)


if __name__ == "__main__":
    unittest.main()
