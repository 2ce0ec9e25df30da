"""White, grey and black models show their form under the default light: histograms of their pixels,
beside those of three.js under its own default, RoomEnvironment with neutral tone mapping."""
import os
import unittest

import beside_three
import likeness
from case import ROOT, DaemonCase
from debian import debian_module
from likeness import numpy
from materials import Spheres

FILES = os.environ.get("POSED_SHARED_FILES", str(ROOT.parent / "shared" / "files"))
MANNEQUINY = os.path.join(FILES, "godot-mannequiny", "mannequiny.glb")
BLOWN_OUT = 247  # and above, steps between greys are no longer seen
COLORS = {"white": 1, "grey": 0.5, "black": 0.02}
# For both programs: a sphere, and a person.
CLOSE, PERSON = beside_three.sight(3, 0.5), beside_three.sight(5, 0.95, 0.9)


def sphere(color):
    made = Spheres()
    made.sphere(0, 0, color=[color, color, color, 1], roughness=0.6)
    return made.glb()


def luma(png):
    """Of all pixels that the figure covers fully."""
    image = debian_module("PIL.Image")
    rgba = numpy.asarray(image.open(likeness.io.BytesIO(png)).convert("RGBA"), dtype=float)
    return (rgba[..., :3] @ likeness.LUMA)[rgba[..., 3] == 255]


def spread(values):
    """Between the darkest and the brightest twentieth."""
    return numpy.percentile(values, 95) - numpy.percentile(values, 5)


class Form(DaemonCase):
    """Without a driver."""

    daemon_args = ("--renderer", "cpu")

    @classmethod
    def prepare(cls):
        cls.files = {name: sphere(color) for name, color in COLORS.items()}
        lit = Spheres("KHR_lights_punctual")
        lit.sphere(0, 0, color=[1, 1, 1, 1], roughness=0.6)
        lit.light(type="point", intensity=300, translation=[0, 0.5, 1.3])
        cls.put_rig("lit", lit.glb())
        if os.path.exists(MANNEQUINY):
            with open(MANNEQUINY, "rb") as file:
                cls.files["mannequiny"] = file.read()
        for name, glb in cls.files.items():
            cls.put_rig(name, glb)

    def luma(self, rig, **members):
        reply = self.client.post("frame", {"rig": rig, "width": 256, "height": 256, **members},
                                 accept="image/png")
        self.assertEqual(reply.status, 200, reply)
        values = luma(reply.body)
        self.assertGreater(len(values), 2000)
        return values

    def test_white_is_white_and_shows_form(self):
        values = self.luma("white")
        self.assertLessEqual((values >= BLOWN_OUT).mean(), 0.2)
        self.assertGreater(numpy.median(values), 220)
        self.assertGreater(spread(values), 60)

    def test_grey_is_near_its_own_colour(self):
        # Light of one half is 188 in sRGB.
        values = self.luma("grey")
        self.assertEqual((values >= BLOWN_OUT).sum(), 0)
        self.assertAlmostEqual(numpy.median(values), 188, delta=12)
        self.assertGreater(spread(values), 80)

    def test_black_is_dark_and_not_lost(self):
        values = self.luma("black")
        self.assertLess(numpy.median(values), 60)
        self.assertLess((values < 8).mean(), 0.1)
        self.assertGreater(spread(values), 60)

    def test_white_mannequin_shows_form(self):
        if "mannequiny" not in self.files:
            self.skipTest("mannequiny is not here: POSED_SHARED_FILES says where such files are")
        # Its normals are a quarter turn off, so that its front is lit as if it faced upwards.
        values = self.luma("mannequiny")
        self.assertLessEqual((values >= BLOWN_OUT).mean(), 0.2)
        self.assertGreater(values.std(), 10.3)

    def measured(self, rig, **members):
        """The exposure that the daemon finds, in stops."""
        reply = self.client.post("frame", {"rig": rig, "width": 256, "height": 256,
                                           "auto_exposure": True, **members}, accept="image/png")
        self.assertEqual(reply.status, 200, reply)
        return float(reply.headers["Posed-Exposure"]), luma(reply.body)

    def test_measured_exposure_loses_neither_white_nor_black(self):
        for rig, least in (("white", 200), ("lit", 150)):
            stops, values = self.measured(rig)
            with self.subTest(rig, stops=stops):
                self.assertLessEqual((values >= BLOWN_OUT).mean(), 0.06)
                self.assertGreater(numpy.median(values), least)
        middle = {name: numpy.median(self.measured(name)[1]) for name in COLORS}
        self.assertLess(middle["black"] + 50, middle["grey"])
        self.assertLess(middle["grey"] + 20, middle["white"])
        self.assertGreater(middle["black"], 1.3 * numpy.median(self.luma("black")))

    def test_measured_exposure_follows_light_and_colour(self):
        self.assertEqual(self.measured("grey")[0], 0)
        self.assertEqual(self.measured("grey", exposure=0.75)[0], 0.75)
        self.assertGreater(self.measured("black")[0], 1)
        self.assertLess(self.measured("white")[0], 0)
        self.assertLess(self.measured("lit")[0], -5)  # a lamp of 300 candela, a metre away

    def test_measured_exposure_asked_for_is_the_same_picture(self):
        stops, values = self.measured("black")
        self.assertTrue((values == self.luma("black", exposure=stops)).all())

    def test_frames_and_methods_share_the_first_exposure(self):
        for route, members in (("frames", {"turntable": 2, "format": "sheet"}),
                               ("compare", {"methods": ["lbs", "skin_rigid"], "view": "side_by_side"})):
            asked = {"rig": "black", "width": 128, "height": 64, **members}
            found = self.client.post(route, {**asked, "auto_exposure": True}, accept="image/png")
            self.assertEqual(found.status, 200, found)
            same = [stops for stops in numpy.arange(0, 2.125, 0.125)
                    if self.client.post(route, {**asked, "exposure": stops},
                                        accept="image/png").body == found.body]
            with self.subTest(route):
                self.assertEqual(len(same), 1)
                self.assertGreater(same[0], 1)

    def test_crowds_refuse_to_measure(self):
        reply = self.client.post("crowd", {"instances": [{"rig": "grey"}], "auto_exposure": True},
                                 accept="image/png")
        self.assertProblem(reply, 400, "invalid-value", pointer="/auto_exposure")

    def test_no_more_is_blown_out_than_in_three(self):
        if reason := beside_three.why_not():
            self.skipTest(reason)
        beside = beside_three.Beside(self.client, self.files)
        self.addCleanup(beside.close)
        for rig in self.files:
            with self.subTest(rig):
                camera = PERSON if rig == "mannequiny" else CLOSE
                ours, theirs = self.luma(rig, camera=camera), luma(beside.theirs({
                    "rig": rig, "camera": camera, "environment": "room", "clip": None, "time": 0,
                    "background": "transparent"}))
                self.assertAlmostEqual(len(theirs) / len(ours), 1, delta=0.03)
                self.assertLessEqual(
                    (ours >= BLOWN_OUT).mean(), (theirs >= BLOWN_OUT).mean())
                if rig in COLORS:
                    self.assertGreater(spread(ours), spread(theirs))


class FormByDriver(Form):
    daemon_args = ("--renderer", "software")


if __name__ == "__main__":
    unittest.main()
