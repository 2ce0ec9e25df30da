"""FLIP beside NVIDIA's implementation, and on pictures whose difference is known."""
import unittest

import flip
from flip import numpy

Y, X = numpy.mgrid[0:96, 0:128]


def disc(middle, radius, inside, outside):
    x, y = middle
    within = (X - x) ** 2 + (Y - y) ** 2 <= radius**2
    return numpy.where(within[..., None], numpy.array(inside, float), numpy.array(outside, float))


GREY, ORANGE = (128, 128, 128), (230, 120, 40)
FIRST = disc((64, 48), 30, ORANGE, GREY)
STRIPES = numpy.repeat(numpy.where(X % 8 < 4, 200.0, 90.0)[..., None], 3, axis=2)
# With the means that NVIDIA's FLIP.h 1.6 gives for the same pixels, made linear.
BESIDE = {
    "moved by two pixels": (FIRST, disc((66, 48), 30, ORANGE, GREY), 0.041199),
    "another colour": (FIRST, disc((64, 48), 30, (200, 130, 90), GREY), 0.115514),
    "stripes moved by half": (STRIPES, numpy.roll(STRIPES, 4, axis=1), 0.543809),
    "stripes and their mean": (STRIPES, numpy.full_like(STRIPES, 145), 0.497998),
}


class Flip(unittest.TestCase):
    def test_means_are_those_of_the_authors(self):
        for name, (a, b, mean) in BESIDE.items():
            with self.subTest(name):
                # That computes in single precision.
                self.assertAlmostEqual(flip.mean_error(a, b), mean, delta=1e-4)

    def test_the_same_is_zero(self):
        self.assertEqual(flip.mean_error(STRIPES, STRIPES), 0)

    def test_even_green_and_blue_differ_by_one(self):
        # The paper's scale: these two primaries lie farthest apart.
        pictures = [numpy.full((24, 24, 3), color, float) for color in ((0, 255, 0), (0, 0, 255))]
        self.assertAlmostEqual(flip.mean_error(*pictures), 1, 6)


if __name__ == "__main__":
    unittest.main()
