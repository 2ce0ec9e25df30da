"""Pictures beside those of three.js in Chromium: as alike as the table says, and no less."""
import unittest

import beside_three
import likeness
from case import DaemonCase
from likeness import numpy


class InThree(DaemonCase):
    @classmethod
    def setUpClass(cls):
        reason = beside_three.why_not()
        if reason:
            raise unittest.SkipTest(reason)
        super().setUpClass()
        cls.beside = beside_three.Beside(cls.client)
        cls.addClassCleanup(cls.beside.close)

    def test_scenes_look_alike(self):
        for scene in beside_three.SCENES:
            with self.subTest(scene["name"]):
                ours = likeness.pixels(self.beside.ours(scene))
                theirs = likeness.pixels(self.beside.theirs(scene))
                self.assertGreater(theirs.std(), 5, "three.js has drawn nothing")
                self.assertGreaterEqual(likeness.similarity(ours, theirs), scene["least"])
                self.assertLessEqual(likeness.mean_difference(ours, theirs), scene["most"])


class Likeness(unittest.TestCase):
    """The measure itself, on pictures whose similarity is known."""

    def setUp(self):
        self.noise = numpy.random.default_rng(7).uniform(40, 215, (32, 32, 3))

    def test_the_same_is_one(self):
        self.assertAlmostEqual(likeness.similarity(self.noise, self.noise), 1, 12)

    def test_even_greys_differ_by_their_luminance_alone(self):
        # Without variance equation 13 is (2 x y + C1) / (x x + y y + C1).
        a, b = (numpy.full((16, 16, 3), float(grey)) for grey in (100, 140))
        want = (2 * 100 * 140 + likeness.C1) / (100**2 + 140**2 + likeness.C1)
        self.assertAlmostEqual(likeness.similarity(a, b), want, 9)

    def test_the_negative_is_below_zero(self):
        self.assertLess(likeness.similarity(self.noise, 255 - self.noise), 0)


if __name__ == "__main__":
    unittest.main()
