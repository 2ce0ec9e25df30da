"""Differences that people see when they flip between two pictures: LDR-FLIP.

Source: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild. FLIP: A Difference Evaluator
for Alternating Images. Proceedings of the ACM on Computer Graphics and Interactive Techniques 3(2), 2020.
"""
import math

from debian import debian_module

numpy = debian_module("numpy")

# A screen 0.7 m wide of 3,840 pixels, seen from 0.7 m.
PIXELS_PER_DEGREE = 3840 * math.pi / 180
# Contrast sensitivity by channel: (factor, spread) of Gaussians, lightness, red-green, blue-yellow.
SENSITIVITY = (((1, 0.0047),), ((1, 0.0053),), ((34.1, 0.04), (13.5, 0.025)))
WIDEST = 0.04
FEATURE_DEGREES = 0.082  # of the edges and points that people notice
COLOR_POWER, FEATURE_POWER = 0.7, 0.5
KNEE, KNEE_VALUE = 0.4, 0.95  # of the greatest difference, and what it is mapped to

XYZ_OF_RGB = numpy.array([
    [10135552 / 24577794, 8788810 / 24577794, 4435075 / 24577794],
    [2613072 / 12288897, 8788810 / 12288897, 887015 / 12288897],
    [1425312 / 73733382, 8788810 / 73733382, 70074185 / 73733382]])
RGB_OF_XYZ = numpy.linalg.inv(XYZ_OF_RGB)
WHITE = XYZ_OF_RGB.sum(axis=1)


def linear(srgb):
    return numpy.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def opponent(rgb):
    """Linear light -> Y, Cx, Cz."""
    x, y, z = numpy.moveaxis(rgb @ XYZ_OF_RGB.T / WHITE, -1, 0)
    return numpy.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def linear_of_opponent(colors):
    y = (colors[..., 0] + 16) / 116
    xyz = numpy.stack([y + colors[..., 1] / 500, y, y - colors[..., 2] / 200], axis=-1) * WHITE
    return xyz @ RGB_OF_XYZ.T


def hunt_adjusted(rgb):
    """Linear light -> CIELAB, whose chroma falls with the lightness."""
    relative = rgb @ XYZ_OF_RGB.T / WHITE
    f = numpy.where(relative > (6 / 29) ** 3, numpy.cbrt(relative),
                    relative / (3 * (6 / 29) ** 2) + 4 / 29)
    lightness = 116 * f[..., 1] - 16
    a, b = 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])
    return numpy.stack([lightness, 0.01 * lightness * a, 0.01 * lightness * b], axis=-1)


def color_distance(a, b):
    """Of linear light: HyAB to the power."""
    difference = hunt_adjusted(a) - hunt_adjusted(b)
    return (abs(difference[..., 0]) + numpy.hypot(difference[..., 1], difference[..., 2])) \
        ** COLOR_POWER


def filtered(plane, across, down):
    """The plane under a separable filter; beyond its borders it goes on as there."""
    def along(axis, weights):
        radius = len(weights) // 2
        widths = [(radius, radius) if axis == k else (0, 0) for k in (0, 1)]
        padded = numpy.pad(plane, widths, mode="edge")
        # A correlation: the weights as they are written.
        return numpy.apply_along_axis(numpy.convolve, axis, padded, weights[::-1], "valid")

    plane = along(1, across)
    return along(0, down)


def sensed(colors):
    """Opponent colours as the eye resolves them."""
    radius = math.ceil(3 * math.sqrt(WIDEST / (2 * math.pi**2)) * PIXELS_PER_DEGREE)
    degrees = numpy.arange(-radius, radius + 1) / PIXELS_PER_DEGREE
    planes = []
    for channel, gaussians in enumerate(SENSITIVITY):
        total, plane = 0, 0
        for factor, spread in gaussians:
            weights = numpy.exp(-math.pi**2 * degrees**2 / spread)
            strength = factor * math.sqrt(math.pi / spread)
            total += strength * weights.sum() ** 2
            plane = plane + strength * filtered(colors[..., channel], weights, weights)
        planes.append(plane / total)
    return numpy.stack(planes, axis=-1)


def color_error(a, b):
    """Of opponent colours, 0 to 1."""
    seen = [numpy.clip(linear_of_opponent(sensed(colors)), 0, 1) for colors in (a, b)]
    error = color_distance(*seen)
    green, blue = numpy.array([0.0, 1, 0]), numpy.array([0.0, 0, 1])
    most = color_distance(green, blue)
    knee = KNEE * most
    return numpy.where(error < knee, error / knee * KNEE_VALUE,
                       KNEE_VALUE + (error - knee) / (most - knee) * (1 - KNEE_VALUE))


def balanced(weights):
    """Positive weights of sum 1 and negative ones of sum -1."""
    positive, negative = weights[weights > 0].sum(), -weights[weights < 0].sum()
    return numpy.where(weights > 0, weights / positive, weights / negative)


def features(lightness):
    """The strength of edges and of points of lightness in [0, 1]."""
    deviation = 0.5 * FEATURE_DEGREES * PIXELS_PER_DEGREE
    radius = math.ceil(3 * deviation)
    x = numpy.arange(-radius, radius + 1)
    smooth = numpy.exp(-x**2 / (2 * deviation**2))
    smooth_unit = smooth / smooth.sum()
    slopes, curves = balanced(-x * smooth), balanced((x**2 / deviation**2 - 1) * smooth)
    edges, points = (
        numpy.hypot(filtered(lightness, weights, smooth_unit),
                    filtered(lightness, smooth_unit, weights)) for weights in (slopes, curves))
    return edges, points


def feature_error(a, b):
    """Of lightness in [0, 1], 0 to 1."""
    edges, points = zip(features(a), features(b))
    difference = numpy.maximum(abs(edges[0] - edges[1]), abs(points[0] - points[1]))
    return (difference / math.sqrt(2)) ** FEATURE_POWER


def error_map(a, b):
    """[height, width] of 0 to 1, for pictures of 0 to 255 in sRGB."""
    first, second = (opponent(linear(picture / 255)) for picture in (a, b))
    lightness = [(colors[..., 0] + 16) / 116 for colors in (first, second)]
    return color_error(first, second) ** (1 - feature_error(*lightness))


def mean_error(a, b):
    """FLIP of two pictures; 0 for the same, 1 at most."""
    return error_map(a, b).mean()
