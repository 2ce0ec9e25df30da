"""Pictures as WebP, JPEG and octets: decoded by Pillow and checked against the PNG."""
import io
import math
import unittest

import rigs
from case import DaemonCase
from client import OCTETS, PNG, rig_path
from debian import debian_module
from picture import Picture

WEBP, JPEG = "image/webp", "image/jpeg"
ENDINGS = {PNG: "png", WEBP: "webp", JPEG: "jpg", OCTETS: "rgba"}
SIZE = {"width": 96, "height": 64}
GREY = "#d0d4dc"


def decoded(reply):
    """RGBA of a picture by Pillow."""
    image = debian_module("PIL.Image").open(io.BytesIO(reply.body))
    return image.convert("RGBA").tobytes()


def psnr(ours, theirs):
    square = sum((a - b) ** 2 for a, b in zip(ours, theirs)) / len(ours)
    return 10 * math.log10(255 ** 2 / square) if square else math.inf


class Formats(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.put_demo("humanoid")

    def frame(self, accept, **members):
        request = {"rig": "humanoid", "pose": {"clip": "Run", "phase": 0.3}, **SIZE, **members}
        return self.client.post("frame", request, accept=accept)

    def pixels(self, **members):
        picture = Picture(self.assertStatus(self.frame(PNG, **members), 200).body)
        return bytes(number for pixel in picture.pixels() for number in pixel)

    def test_webp_is_the_same_picture_alpha_and_all(self):
        for background in ("transparent", "#8040c080", GREY):
            with self.subTest(background=background):
                reply = self.assertStatus(self.frame(WEBP, background=background), 200)
                self.assertEqual(reply.kind, WEBP)
                self.assertEqual(decoded(reply), self.pixels(background=background))

    def test_lossy_webp_is_near_and_smaller_and_its_alpha_exact(self):
        # Lossy WebP has a quarter of the colours, which shows most at the figure's edges.
        size = {"width": 256, "height": 256}
        expected = self.pixels(**size)
        sizes = []
        for quality, least in ((95, 30), (50, 27)):
            reply = self.frame(WEBP, lossless=False, quality=quality, **size)
            self.assertStatus(reply, 200)
            sizes.append(len(reply.body))
            got = decoded(reply)
            self.assertEqual(got[3::4], expected[3::4])
            opaque = [i for i in range(0, len(got), 4) if got[i + 3] == 255]
            self.assertGreater(psnr(b"".join(got[i:i + 3] for i in opaque),
                                    b"".join(expected[i:i + 3] for i in opaque)), least)
        exact = len(self.assertStatus(self.frame(WEBP, **size), 200).body)
        self.assertTrue(exact > sizes[0] > sizes[1], (exact, sizes))

    def test_jpeg_is_near_and_opaque(self):
        expected = self.pixels(background=GREY)
        sizes = []
        for quality, least in ((100, 40), (90, 34), (30, 26)):
            reply = self.assertStatus(self.frame(JPEG, background=GREY, quality=quality), 200)
            self.assertEqual(reply.kind, JPEG)
            sizes.append(len(reply.body))
            self.assertGreater(psnr(decoded(reply), expected), least, quality)
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        default = self.assertStatus(self.frame(JPEG, background=GREY), 200)
        self.assertEqual(len(default.body), sizes[1])

    def test_jpeg_without_an_opaque_background_is_refused(self):
        for background in ("transparent", "#ffffff80"):
            self.assertProblem(self.frame(JPEG, background=background), 400, "invalid-value",
                               pointer="/background", says="opaque")
        self.assertProblem(self.frame(JPEG), 400, "invalid-value", pointer="/background")
        self.assertProblem(self.client.get(rig_path("humanoid", "/frame.jpg")), 400,
                           "invalid-value", parameter="background", says="opaque")

    def test_octets_are_the_rows_with_their_size_beside_them(self):
        reply = self.assertStatus(self.frame(OCTETS), 200)
        self.assertEqual(reply.kind, OCTETS)
        self.assertEqual(reply.headers["Posed-Size"], "96x64")
        self.assertEqual(reply.body, self.pixels())
        self.assertNotIn("Posed-Size", self.frame(PNG).headers)

    def test_links_end_with_the_format(self):
        tags = set()
        for kind, ending in ENDINGS.items():
            path = f"/frame.{ending}?clip=Run&phase=0.3&width=96&height=64&background=%23d0d4dc"
            reply = self.assertStatus(self.client.get(rig_path("humanoid", path)), 200)
            self.assertEqual(reply.kind, kind)
            self.assertEqual(reply.body, self.frame(kind, background=GREY).body)
            tags.add(reply.headers["ETag"])
            known = self.client.get(rig_path("humanoid", path),
                                    if_none_match=reply.headers["ETag"])
            self.assertStatus(known, 304)
        self.assertEqual(len(tags), len(ENDINGS))
        self.assertProblem(self.client.get(rig_path("humanoid", "/frame.bmp")), 404,
                           "unknown-route", says=("png", "webp", "jpg", "rgba"))

    def test_signed_links_end_with_the_format_too(self):
        for kind, ending in ENDINGS.items():
            reply = self.client.get(f"/i/unsafe/w:16/background:%23ffffff/humanoid.{ending}")
            self.assertEqual(self.assertStatus(reply, 200).kind, kind)

    def test_each_format_has_its_own_tag_and_is_kept_by_itself(self):
        seen = {}
        for _ in range(2):
            for kind in ENDINGS:
                reply = self.assertStatus(self.frame(kind, background=GREY), 200)
                self.assertIn("Accept", reply.headers["Vary"])
                first = seen.setdefault(kind, reply)
                self.assertEqual((reply.kind, reply.body), (kind, first.body))
                self.assertEqual(reply.headers.get("Posed-Size"), first.headers.get("Posed-Size"))
        self.assertEqual(len({reply.headers["ETag"] for reply in seen.values()}), len(ENDINGS))

    def test_pictures_of_one_pixel_and_of_4096(self):
        for kind in ENDINGS:
            for width, height in ((1, 1), (4096, 1), (1, 4096)):
                with self.subTest(kind=kind, width=width, height=height):
                    reply = self.frame(kind, width=width, height=height, background=GREY)
                    self.assertStatus(reply, 200)
                    if kind == OCTETS:
                        self.assertEqual(len(reply.body), width * height * 4)
                    else:
                        self.assertEqual(len(decoded(reply)), width * height * 4)

    def test_crowds_and_comparisons_are_other_files_too(self):
        instances = [{"rig": "humanoid"}]
        expected = Picture(self.client.crowd(instances, **SIZE).body).pixels()
        crowd = self.assertStatus(self.client.crowd(instances, accept=WEBP, **SIZE), 200)
        self.assertEqual(decoded(crowd), bytes(n for pixel in expected for n in pixel))
        # Octets of a crowd have always been its vertices.
        octets = self.assertStatus(self.client.crowd(instances, accept=OCTETS), 200)
        self.assertIn("position", octets.headers["Posed-Layout"])
        self.assertProblem(self.client.crowd(instances, accept=JPEG, **SIZE), 400,
                           "invalid-value", pointer="/background")
        members = {"width": 300, "height": 200}
        png = Picture(self.client.compare("humanoid", accept=PNG, **members).body).pixels()
        webp = self.assertStatus(self.client.compare("humanoid", accept=WEBP, **members), 200)
        self.assertEqual(decoded(webp), bytes(n for pixel in png for n in pixel))
        self.assertEqual(self.assertStatus(self.client.compare("humanoid", accept="*/*"), 200).kind,
                         "application/json")

    def test_wrong_codings_are_refused(self):
        for members, pointer in (({"quality": 0}, "/quality"), ({"quality": 101}, "/quality"),
                                 ({"quality": 1.5}, "/quality"), ({"lossless": 1}, "/lossless")):
            self.assertProblem(self.frame(WEBP, **members), 400, "invalid-value", pointer=pointer)
        self.assertProblem(self.frame(WEBP, quality=50, lossless=True), 400, "invalid-value",
                           pointer="/quality", says="lossless")

    def test_a_quality_means_that_something_may_be_lost(self):
        for quality in (1, 90):
            self.assertEqual(self.frame(WEBP, quality=quality).body,
                             self.frame(WEBP, quality=quality, lossless=False).body)
        self.assertLess(len(self.frame(WEBP, quality=1).body), len(self.frame(WEBP).body))
        self.assertEqual(self.frame(PNG, quality=1).body, self.frame(PNG).body)

    def test_a_rig_of_nothing_is_a_picture_in_each(self):
        self.put_rig("square", rigs.square().glb())
        for kind in ENDINGS:
            request = {"rig": "square", "camera": {"target": [1000, 0, 0]}, "background": GREY,
                       "width": 5, "height": 3}
            self.assertStatus(self.client.post("frame", request, accept=kind), 200)


if __name__ == "__main__":
    unittest.main()
