"""Similarity of two pictures: structural similarity and mean difference.

Source: Wang, Bovik, Sheikh, Simoncelli. Image Quality Assessment: From Error Visibility to Structural
Similarity. IEEE Transactions on Image Processing 13(4), 2004: equation 13 with the authors' window of
11 x 11 pixels, a Gaussian of 1.5, on luma, K1 = 0.01, K2 = 0.03, the mean over all whole windows.
"""
import io

from debian import debian_module

numpy = debian_module("numpy")
WINDOW, SIGMA = 11, 1.5
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
LUMA = (0.299, 0.587, 0.114)


def pixels(png):
    """[height, width, 3] of 0 to 255."""
    image = debian_module("PIL.Image")
    return numpy.asarray(image.open(io.BytesIO(png)).convert("RGB"), dtype=float)


def smoothed(plane):
    """Means under the window, where all of it is inside."""
    offsets = numpy.arange(WINDOW) - WINDOW // 2
    weights = numpy.exp(-(offsets**2) / (2 * SIGMA**2))
    weights /= weights.sum()
    rows = numpy.apply_along_axis(numpy.convolve, 0, plane, weights, "valid")
    return numpy.apply_along_axis(numpy.convolve, 1, rows, weights, "valid")


def similarity(a, b):
    """SSIM of two pictures; 1 for the same."""
    x, y = a @ LUMA, b @ LUMA
    mean_x, mean_y = smoothed(x), smoothed(y)
    variance_x = smoothed(x * x) - mean_x**2
    variance_y = smoothed(y * y) - mean_y**2
    covariance = smoothed(x * y) - mean_x * mean_y
    shares = ((2 * mean_x * mean_y + C1) * (2 * covariance + C2)) / (
        (mean_x**2 + mean_y**2 + C1) * (variance_x + variance_y + C2))
    return shares.mean()


def mean_difference(a, b):
    """Of the three colours, 0 to 255."""
    return numpy.abs(a - b).mean()
