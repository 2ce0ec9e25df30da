"""The humanoid's shape below the head, as signed distances; x is already folded to x >= 0."""

import numpy as np

from . import skeleton
from .quat import cross, unit
from .sdf import bone, ellipsoid, join, join_all, meet, plane

SLEEVE_END = skeleton.SHOULDER + 0.150 * skeleton.ARM
SHORTS_END = 0.625
SHIRT_END = 0.895
SOCK_TOP = 0.150
SHOE_TOP = 0.108
SOLE_TOP = 0.026
SHOULDER, ELBOW, WRIST = skeleton.SHOULDER, skeleton.ELBOW, skeleton.WRIST

# The hand's axes: along the fingers, towards the thumb, out of the palm.
ALONG = skeleton.FOREARM
THUMBWARD = unit(np.array([0.0, 0.0, 1.0]) - ALONG * ALONG[2])
PALMWARD = cross(ALONG, THUMBWARD)
HAND_SIZE = 1.1  # a little large reads better from afar


def torso(p):
    """Trunk in a loose shirt, hips in shorts."""
    pelvis = ellipsoid(p, (0, 0.935, -0.008), (0.148, 0.105, 0.100))
    glute = ellipsoid(p, (0.066, 0.895, -0.054), (0.074, 0.080, 0.058))
    waist = ellipsoid(p, (0, 1.080, -0.008), (0.133, 0.200, 0.096))
    ribs = ellipsoid(p, (0, 1.260, -0.014), (0.150, 0.180, 0.106))
    pectoral = ellipsoid(p, (0.070, 1.310, 0.048), (0.080, 0.062, 0.040))
    blade = ellipsoid(p, (0.072, 1.320, -0.064), (0.080, 0.095, 0.046))
    girdle = bone(p, (0.050, 1.392, -0.020), (0.155, 1.382, -0.020), 0.054, 0.049)
    slope = bone(p, (0.0, 1.462, -0.036), (0.125, 1.412, -0.026), 0.046, 0.034)
    trunk = join_all(0.08, join(pelvis, glute, 0.05), waist, ribs)
    return join_all(0.05, trunk, pectoral, blade, girdle, slope)


def shirt_hem(p):
    """The shirt hangs over the shorts: a band a little wider than the hips, cut off below."""
    band = join(bone(p, (0.040, 0.885, -0.012), (0.026, 1.070, -0.010), 0.121, 0.108,
                     (0, 0, 1), 0.93),
                ellipsoid(p, (0.05, 0.910, -0.050), (0.085, 0.090, 0.072)), 0.05)
    return meet(band, SHIRT_END - p[:, 1], 0.010)


def thigh_and_shin(p):
    thigh = bone(p, (0.090, 0.900, -0.004), (0.097, 0.520, 0.006), 0.082, 0.047)
    front = ellipsoid(p, (0.097, 0.720, 0.024), (0.058, 0.160, 0.052))
    knee = ellipsoid(p, (0.098, 0.500, 0.020), (0.036, 0.052, 0.037))
    shin = bone(p, (0.098, 0.490, 0.002), (0.102, 0.100, -0.022), 0.044, 0.033)
    calf = ellipsoid(p, (0.099, 0.365, -0.022), (0.048, 0.130, 0.047))
    return join_all(0.05, thigh, front, knee, join(shin, calf, 0.05))


def shorts(p):
    leg = bone(p, (0.088, 0.880, -0.006), (0.104, 0.600, 0.012), 0.093, 0.079)
    return meet(leg, SHORTS_END - p[:, 1], 0.010)


def sole_outline(p, grow):
    """The footprint's distance in the ground plane; toes point a little outwards."""
    flat = p * [1, 0, 1]
    heel = bone(flat, (0.100, 0, -0.052), (0.110, 0, 0.060), 0.034 + grow, 0.041 + grow)
    ball = bone(flat, (0.110, 0, 0.060), (0.114, 0, 0.132), 0.042 + grow, 0.036 + grow)
    return join(heel, ball, 0.02)


def shoe(p):
    sole = meet(sole_outline(p, 0.004), np.abs(p[:, 1] - SOLE_TOP / 2) - SOLE_TOP / 2, 0.014)
    heel = bone(p, (0.101, 0.040, -0.050), (0.102, 0.098, -0.030), 0.037, 0.040)
    instep = bone(p, (0.103, 0.085, -0.006), (0.110, 0.048, 0.085), 0.041, 0.034)
    toes = ellipsoid(p, (0.113, 0.036, 0.112), (0.041, 0.038, 0.060))
    arch = bone(p, (0.102, 0.030, -0.045), (0.111, 0.026, 0.090), 0.035, 0.034)
    tongue = bone(p, (0.103, 0.112, -0.002), (0.105, 0.088, 0.034), 0.024, 0.024)
    upper = join_all(0.03, heel, instep, toes, arch)
    upper = meet(join(upper, tongue, 0.012), p[:, 1] - SHOE_TOP, 0.010)
    upper = meet(upper, sole_outline(p, 0.002), 0.012)
    upper = meet(upper, 0.012 - p[:, 1], 0.004)
    return join(sole, upper, 0.006)


def leg(p):
    sock = bone(p, (0.102, 0.090, -0.024), (0.102, SOCK_TOP - 0.012, -0.021), 0.037, 0.037)
    return join_all(0.004, thigh_and_shin(p), shorts(p), join(sock, shoe(p), 0.004))


def arm(p):
    along = skeleton.ARM
    deltoid = ellipsoid(p, SHOULDER + 0.035 * along + (0.002, 0.000, 0), (0.053, 0.066, 0.054))
    upper = bone(p, SHOULDER + 0.02 * along, ELBOW, 0.049, 0.039)
    muscle = SHOULDER + (0, 0, 0.008)
    biceps = bone(p, muscle + 0.10 * along, muscle + 0.19 * along, 0.040, 0.036)
    fore = bone(p, ELBOW, WRIST, 0.039, 0.0255, PALMWARD, 0.88)
    belly = bone(p, ELBOW + 0.03 * ALONG, ELBOW + 0.10 * ALONG, 0.040, 0.036)
    return join_all(0.03, join(upper, deltoid, 0.05), biceps, join(fore, belly, 0.03))


def sleeve(p):
    rod = bone(p, SHOULDER - 0.01 * skeleton.ARM, SLEEVE_END, 0.056, 0.061)
    return meet(rod, plane(p, SLEEVE_END, skeleton.ARM), 0.010)


def place(along, thumbward, palmward=0.0):
    offset = along * ALONG + thumbward * THUMBWARD + palmward * PALMWARD
    return WRIST + HAND_SIZE * offset


# Knuckle position across the palm, how far along, length, splay across per length, radius.
FINGERS = [(0.0315, 0.088, 0.073, 0.16, 0.0088), (0.0105, 0.093, 0.080, 0.03, 0.0092),
           (-0.0105, 0.090, 0.074, -0.09, 0.0088), (-0.0305, 0.082, 0.060, -0.22, 0.0080)]


def rod(p, start, end, start_radius, end_radius, squash=1.0):
    """A bone of the hand, in the hand's axes and before it is scaled."""
    return bone(p, place(*start), place(*end), HAND_SIZE * start_radius, HAND_SIZE * end_radius,
                PALMWARD, squash)


def finger(p, across, along, size, splay, radius):
    """Three rods with a relaxed curl towards the palm."""
    at, curl, parts = np.array([along - 0.012, across, 0.0]), 0.10, []
    for share in (0.48, 0.32, 0.25):
        end = at + share * size * unit(np.array([1.0, splay, curl]))
        parts.append(rod(p, at, end, radius, radius - 0.0006))
        at, curl, radius = end, curl + 0.28, radius - 0.0006
    return join_all(0.004, *parts)


def thumb(p):
    return join_all(0.008, rod(p, (0.018, 0.014, 0.006), (0.052, 0.044, 0.012), 0.0160, 0.0130),
                    rod(p, (0.052, 0.044, 0.012), (0.080, 0.058, 0.015), 0.0125, 0.0108),
                    rod(p, (0.080, 0.058, 0.015), (0.102, 0.063, 0.019), 0.0106, 0.0092))


def hand(p):
    heel = rod(p, (0.010, 0, 0), (0.055, 0.004, 0), 0.027, 0.034, 0.52)
    metacarpals = [rod(p, (0.020, 0.4 * across, 0), (along - 0.004, across, 0), 0.014, 0.0115)
                   for across, along, *_ in FINGERS]
    palm = join(heel, join_all(0.016, *metacarpals), 0.012)
    fingers = np.min([finger(p, *row) for row in FINGERS], axis=0)
    return join(join(palm, fingers, 0.006), thumb(p), 0.016)


def whole_arm(p):
    return join(join(arm(p), sleeve(p), 0.004), hand(p), 0.014)


def body(p):
    """Everything below the head. Sleeve and leg flow into the trunk; the hem stands off."""
    trunk = torso(p)
    shape = join(trunk, whole_arm(p), 0.035)
    shape = join(shape, leg(p), 0.030)
    return join(shape, shirt_hem(p), 0.006)
