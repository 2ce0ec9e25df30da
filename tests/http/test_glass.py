"""Glass in pictures: colours that are known by formula. Nothing is reflected and no light shines: a
pixel's linear colour is that of the background, times the base colour and c^(way / distance) for
attenuation by a colour c (Beer's law, KHR_materials_volume)."""
import unittest

import rigs
from case import DaemonCase
from picture import Picture
from test_frame import FRONT

SMALL = {"width": 16, "height": 16, "samples": 4, "camera": FRONT, "environment": "none",
         "tone_mapping": "linear"}
BEHIND = (192, 128, 64)
MIDDLE = (8, 8)


def glass(base=(1, 1, 1), rough=0, transmission=1, **extensions):
    return {"pbrMetallicRoughness": {"baseColorFactor": [*base, 1], "metallicFactor": 0,
                                     "roughnessFactor": rough},
            "extensions": {f"KHR_materials_{name}": members for name, members in {
                "transmission": {"transmissionFactor": transmission},
                "specular": {"specularFactor": 0}, **extensions}.items()}}


def linear(byte):
    x = byte / 255
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def encoded(light):
    return 255 * (light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)


def scaled(tiny, scale):
    tiny.json["nodes"][0]["scale"] = [scale] * 3
    return tiny


class Glass(DaemonCase):
    def pixel(self, tiny, background=BEHIND, **members):
        self.put_rig("glass", tiny.glb())
        color = "#{:02x}{:02x}{:02x}".format(*background) if background else None
        reply = self.client.frame("glass", **SMALL, **members,
                                  **({"background": color} if color else {}))
        return Picture(self.assertStatus(reply, 200).body).rows[MIDDLE[1]][MIDDLE[0]]

    def assertLeft(self, pixel, left):
        for got, byte, share in zip(pixel, BEHIND, left):
            self.assertAlmostEqual(got, encoded(linear(byte) * share), delta=1.1, msg=pixel)
        self.assertEqual(pixel[3], 255)

    def test_clear_glass_shows_the_background(self):
        self.assertLeft(self.pixel(rigs.square(4, 4, glass())), (1, 1, 1))

    def test_a_share_of_light_goes_through(self):
        self.assertLeft(self.pixel(rigs.square(4, 4, glass(transmission=0.25))), (0.25,) * 3)

    def test_the_base_colour_tints_it(self):
        base = (0.2, 0.5, 0.9)
        self.assertLeft(self.pixel(rigs.square(4, 4, glass(base))), base)

    def test_rough_glass_of_an_even_background_is_clear(self):
        self.assertLeft(self.pixel(rigs.square(4, 4, glass(rough=1))), (1, 1, 1))

    def test_volumes_attenuate_by_beer_s_law(self):
        color, distance, thickness = (0.5, 0.25, 0.9), 2, 0.8
        volume = {"thicknessFactor": thickness, "attenuationColor": color,
                  "attenuationDistance": distance}
        for scale in (1, 2):
            left = [part ** (thickness * scale / distance) for part in color]
            square = rigs.square(4, 4, glass(volume=volume))
            self.assertLeft(self.pixel(scaled(square, scale)), left)

    def test_dispersion_changes_no_even_background(self):
        self.assertLeft(self.pixel(rigs.square(4, 4, glass(
            ior={"ior": 1.5}, volume={"thicknessFactor": 0.5}, dispersion={"dispersion": 5}))), (1, 1, 1))

    def test_exposure_leaves_the_background_s_share(self):
        self.assertLeft(self.pixel(rigs.square(4, 4, glass()), exposure=2), (1, 1, 1))

    def test_a_transparent_background_shows_through(self):
        self.assertEqual(self.pixel(rigs.square(4, 4, glass()), None)[3], 0)
        half = self.pixel(rigs.square(4, 4, glass(transmission=0.5)), None)
        self.assertAlmostEqual(half[3], 127.5, delta=1)
        # What is tinted shows as much as its darkest channel lets through.
        tinted = self.pixel(rigs.square(4, 4, glass((0.2, 0.5, 0.9))), None)
        self.assertAlmostEqual(tinted[3], 255 * 0.8, delta=1)

    def test_glass_shows_what_is_opaque_and_hides_other_glass(self):
        tiny = rigs.square(4, 4, glass((1, 0.5, 1)))
        wall = {"pbrMetallicRoughness": {"baseColorFactor": [0, 0.5, 0, 1]},
                "extensions": {"KHR_materials_unlit": {}}}
        for z, material in ((-1, wall), (-0.5, glass((0, 0, 0)))):
            corners = [(-2, -2, z), (2, -2, z), (2, 2, z), (-2, 2, z)]
            square = tiny.primitive(corners, [0, 1, 2, 0, 2, 3], NORMAL=tiny.normals([(0, 0, 1)] * 4))
            square["material"] = tiny.material(**material)
            tiny.node(root=True, name=f"at {z}", mesh=tiny.mesh(square))
        pixel = self.pixel(tiny)
        self.assertEqual((pixel[0], pixel[2]), (0, 0))
        self.assertAlmostEqual(pixel[1], encoded(0.25), delta=1.1)

    def test_crowds_show_it_too(self):
        self.put_rig("glass", rigs.square(4, 4, glass((0.2, 0.5, 0.9))).glb())
        reply = self.client.crowd([{"rig": "glass"}], **SMALL, background="#{:02x}{:02x}{:02x}".format(*BEHIND))
        self.assertLeft(Picture(self.assertStatus(reply, 200).body).rows[MIDDLE[1]][MIDDLE[0]], (0.2, 0.5, 0.9))


class OnADriver(Glass):
    """The same with shaders."""

    needs_driver = True


if __name__ == "__main__":
    unittest.main()
