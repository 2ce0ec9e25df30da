"""Materials in pictures as core glTF has them: textures, alpha modes, sides, mirrored nodes."""
import math
import struct
import unittest
import zlib

import rigs
from case import DaemonCase
from picture import SIGNATURE, Picture
from test_frame import FRONT, coloured
from tiny import FLOAT

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
NEAREST, CLAMP = 9728, 33071
HALF_TURN = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]  # the view from behind


def png(rows):
    """A PNG of RGB rows, the top row first."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    return (
        SIGNATURE
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(raw))
        + chunk(b"IEND", b"")
    )


def textured(rows, factor=(1, 1, 1)):
    """A square whose texture is not filtered; its top left corner has u = v = 0."""
    tiny = rigs.square(2, 2, material=coloured(*factor))
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["TEXCOORD_0"] = tiny.accessor([(0, 1), (1, 1), (1, 0), (0, 0)], "VEC2", FLOAT)
    image = tiny.add("images", {"bufferView": tiny.view(png(rows)), "mimeType": "image/png"})
    sampler = {"magFilter": NEAREST, "minFilter": NEAREST, "wrapS": CLAMP, "wrapT": CLAMP}
    texture = tiny.add("textures", {"source": image, "sampler": tiny.add("samplers", sampler)})
    tiny.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture}
    return tiny


def faded(alpha, **mode):
    """A white square whose base colour has an alpha."""
    material = coloured(1, 1, 1, **mode)
    material["pbrMetallicRoughness"]["baseColorFactor"][3] = alpha
    return rigs.square(material=material)


class Materials(DaemonCase):
    def picture(self, tiny, **members):
        self.put_rig("rig", tiny.glb())
        members = {"width": 32, "height": 32, "camera": FRONT, **members}
        return Picture(self.assertStatus(self.client.frame("rig", **members), 200).body)

    def assertHue(self, pixel, channels):
        """The channels named are far brighter than the others."""
        bright = [pixel[i] for i in channels]
        dark = [pixel[i] for i in range(3) if i not in channels]
        self.assertGreater(min(bright), max(dark, default=60) + 40, pixel)

    def test_textures_lie_the_right_way_round(self):
        picture = self.picture(textured([[RED, GREEN], [BLUE, WHITE]]))
        self.assertHue(picture[8, 8], [0])
        self.assertHue(picture[24, 8], [1])
        self.assertHue(picture[8, 24], [2])
        self.assertHue(picture[24, 24], [0, 1, 2])

    def test_factor_and_texture_are_multiplied(self):
        picture = self.picture(textured([[WHITE, GREEN], [BLUE, RED]], factor=(1, 0, 0)))
        self.assertHue(picture[8, 8], [0])
        self.assertLess(picture[24, 8][1], picture[8, 8][0] - 40)

    def test_textures_are_moved_turned_and_scaled(self):
        # A quarter turn counter-clockwise brings the picture's right half (u > 0.5) to the top.
        rows = [[RED, GREEN], [BLUE, WHITE]]
        for transform, want in (
            ({"offset": [0.5, 0]}, GREEN),
            ({"offset": [0, 0.5]}, BLUE),
            ({"scale": [3, 3]}, WHITE),
            ({"offset": [0, 1], "rotation": math.pi / 2}, BLUE),
        ):
            tiny = textured(rows)
            del tiny.json["samplers"][0]["wrapS"], tiny.json["samplers"][0]["wrapT"]
            surface = tiny.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
            surface["extensions"] = {"KHR_texture_transform": transform}
            channels = [i for i in range(3) if want[i]]
            self.assertHue(self.picture(tiny)[8, 8], channels)

    def test_textures_are_srgb(self):
        # Texel 188 is linear 0.5: it looks like a factor of 0.5, not like one of 188/255.
        grey = self.picture(textured([[(188, 188, 188)] * 2] * 2))[16, 16]
        factor = self.picture(rigs.square(2, 2, material=coloured(0.5029, 0.5029, 0.5029)))[16, 16]
        self.assertNumbers(grey, factor, 3)

    def test_opaque_ignores_alpha(self):
        self.assertEqual(self.picture(faded(0.3))[16, 16][3], 255)

    def test_mask_cuts_at_its_threshold(self):
        for alpha, cutoff, want in ((0.4, {}, 0), (0.6, {}, 255), (0.6, {"alphaCutoff": 0.7}, 0)):
            picture = self.picture(faded(alpha, alphaMode="MASK", **cutoff))
            self.assertEqual(picture[16, 16][3], want, f"{alpha} {cutoff}")

    def test_blend_lets_the_background_through(self):
        tiny = faded(0.5, alphaMode="BLEND")
        opaque = self.picture(faded(1))[16, 16]
        clear = self.picture(tiny)[16, 16]
        self.assertAlmostEqual(clear[3], 128, delta=2)
        self.assertNumbers(clear[:3], opaque[:3], 4)
        over_red = self.picture(tiny, background="#ff0000")[16, 16]
        self.assertEqual(over_red[3], 255)
        self.assertGreater(over_red[0], over_red[1])
        self.assertGreater(over_red[1], 60)

    def test_back_faces_are_seen_only_if_double_sided(self):
        behind = {**FRONT, "view": HALF_TURN}
        single, double = coloured(1, 1, 1), coloured(1, 1, 1, doubleSided=True)
        self.assertFalse(self.picture(rigs.square(material=single), camera=behind).covered())
        self.assertTrue(self.picture(rigs.square(material=double), camera=behind).covered())

    def test_mirrored_nodes_show_their_front(self):
        # A negative determinant turns the winding: the front stays the front (glTF 3.7.4).
        for scale in ([-1, 1, 1], [1, -1, 1], [-1, -1, 1]):
            tiny = rigs.square(material=coloured(1, 1, 1))
            tiny.json["nodes"][0]["scale"] = scale
            self.assertTrue(self.picture(tiny).covered(), scale)

    def test_mirrored_fronts_are_as_bright_as_plain_ones(self):
        plain = self.picture(rigs.square(material=coloured(1, 1, 1)))[16, 16]
        tiny = rigs.square(material=coloured(1, 1, 1))
        tiny.json["nodes"][0]["scale"] = [-1, 1, 1]
        self.assertNumbers(self.picture(tiny)[16, 16], plain, 3)

    def test_no_material_is_white(self):
        pixel = self.picture(rigs.square())[16, 16]
        self.assertLessEqual(max(pixel[:3]) - min(pixel[:3]), 12)
        self.assertGreater(min(pixel[:3]), 100)

    def test_colours_of_vertices_count_or_there_is_a_warning(self):
        tiny = rigs.square(material=coloured(1, 1, 1))
        colours = tiny.accessor([(1, 0, 0)] * 4, "VEC3")
        tiny.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = colours
        pixel = self.picture(tiny)[16, 16]
        if "COLOR_0" not in str(self.description("rig")["warnings"]):
            self.assertHue(pixel, [0])

    def test_emission_shows_or_there_is_a_warning(self):
        pixel = self.picture(rigs.square(material=coloured(0, 0, 0, emissiveFactor=[0, 1, 0])))[
            16, 16
        ]
        if "emissive" not in str(self.description("rig")["warnings"]):
            self.assertHue(pixel, [1])


if __name__ == "__main__":
    unittest.main()
