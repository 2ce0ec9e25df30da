"""Faults of motion and of contact with the ground."""
import math
import random

from seeding import MARKED, View, fault, trails, whole

FOREARM = (0.162, -0.181, 0.032)  # the direction of the left one at rest
HAND = trails(["LeftHand"], end=4, count=61, camera={
    "target": [0.33, 0.83, 0.02], "distance": 0.8, "yaw": 60})


def swell(k, count):
    """0 at both ends, 1 in the middle, without a corner."""
    return math.sin(math.pi * k / (count - 1)) ** 2


@fault("motion/pop", clips=["Walk"], clip="Walk", joint="LeftForeArm", level="error", picture=MARKED)
def a_popped_key(rig):
    """The left forearm, turned by 40 degrees for one frame."""
    rig.turn_keys("Walk", "LeftForeArm", (1, 0, 0), lambda k: -40 if k == 20 else 0)
    return rig.times("Walk")[20]


@fault("motion/jump", clips=["Idle"], clip="Idle", joint="LeftArm", level="error", picture=MARKED)
def an_arm_that_jumps(rig):
    """The left arm, which is turned by 50 degrees from one frame on."""
    rig.turn_keys("Idle", "LeftArm", (0, 0, 1), lambda k: 50 if k >= 30 else 0)
    return rig.times("Idle")[30]


@fault("motion/turn", clips=["Idle"], clip="Idle", joint="LeftForeArm", level="error", picture=MARKED)
def an_arm_that_flips(rig):
    """The left forearm, which flips over by 170 degrees in one frame."""
    rig.turn_keys("Idle", "LeftForeArm", (1, 0, 0), lambda k: -170 if k >= 30 else 0)
    return rig.times("Idle")[30]


@fault("motion/jitter", clips=["Idle"], clip="Idle", joint="LeftForeArm", picture=HAND)
def an_arm_that_trembles(rig):
    """The way of the left hand, whose forearm trembles."""
    noise = random.Random(1)
    rig.turn_keys("Idle", "LeftForeArm", (1, 0, 0), lambda k: noise.gauss(0, 2.5))
    rig.turn_keys("Idle", "LeftForeArm", (0, 0, 1), lambda k: noise.gauss(0, 2.5))


@fault("motion/stutter", clips=["Walk"], clip="Walk", picture=View(
    0.3, overlays=[{"overlay": "onion", "times": [-0.09, -0.06, -0.03]}], camera={
        "target": [0, 0.35, 0], "distance": 1.8, "yaw": 90}))
def repeated_frames(rig):
    """A walk that repeats three frames, and these as shades, which lie in one place."""
    for sampler in rig.animation("Walk")["samplers"]:
        rows = rig.rows(sampler["output"])
        for k in (8, 9, 10, 22, 23, 24):
            rows[k] = rows[k - 1]
        rig.put(sampler["output"], rows)


@fault("motion/loop_seam", clips=["Walk"], clip="Walk", joint="LeftArm", level="error", picture=MARKED)
def an_arm_that_does_not_return(rig):
    """The last frame of a walk, and its first one as a shade: the left arm does not come back."""
    count = len(rig.times("Walk"))
    rig.turn_keys("Walk", "LeftArm", (1, 0, 0), lambda k: 40 * swell(max(0, k - count * 0.4), 1.2 * count))


@fault("motion/loop_velocity", clips=["Idle"], clip="Idle", joint="LeftArm", picture=HAND)
def an_arm_that_turns_at_the_seam(rig):
    """The way of the left hand, which turns sharply where the clip repeats."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "LeftArm", (0, 0, 1), lambda k: 40 * math.sin(math.pi * k / (count - 1)))


@fault("motion/root_drift", clips=["Idle"], clip="Idle", level="error", picture=MARKED)
def a_figure_that_wanders(rig):
    """The last frame of an idle figure, and its first one as a shade: it has wandered."""
    count = len(rig.times("Idle"))
    rig.move_keys("Idle", "Hips", lambda k: (0.1 * k / (count - 1), 0, 0))


@fault("motion/root_travel", clips=["Walk"], clip="Walk", level="note", picture=whole(
    1.08, distance=5, x=0.7, overlays=[{"overlay": "onion", "times": [-1.08, -0.54]}]))
def a_walk_that_leaves_its_place(rig):
    """A walk that takes the figure along, by as much as 0.8 of its length."""
    count = len(rig.times("Walk"))
    rig.move_keys("Walk", "Hips", lambda k: (0.8 * k / (count - 1), 0, 0))


@fault("motion/bone_length", clips=["Idle"], clip="Idle", joint="LeftForeArm", picture=MARKED)
def an_arm_that_grows(rig):
    """The left upper arm, which grows by half of its length."""
    rest = rig.node_of("LeftForeArm")["translation"]
    times = rig.times("Idle")
    rig.write("Idle", "LeftForeArm", "translation", times, [
        [x * (1 + 0.5 * swell(k, len(times))) for x in rest] for k in range(len(times))])
    return times[30]


@fault("motion/scale", clips=["Idle"], clip="Idle", joint="Head", picture=MARKED)
def a_head_that_grows(rig):
    """The head, which grows by half."""
    times = rig.times("Idle")
    rig.write("Idle", "Head", "scale", times, [[1 + 0.5 * swell(k, len(times))] * 3 for k in range(len(times))])
    return times[30]


@fault("motion/speed", clips=["Walk"], clip="Walk", picture=whole(
    distance=4.5, x=0.5, overlays=[{"overlay": "onion", "times": [-0.03]}]))
def a_figure_that_is_thrown(rig):
    """A figure that is thrown aside in one frame, and the frame before as a shade."""
    rig.move_keys("Walk", "Hips", lambda k: (0.6 if k >= 18 else 0, 0, 0))
    return rig.times("Walk")[18]


@fault("motion/knee", clips=["Idle"], clip="Idle", joint="LeftLeg", level="error", tolerance=0.07, picture=MARKED)
def a_knee_that_breaks(rig):
    """The left knee, which is bent forward by 50 degrees."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "LeftLeg", (1, 0, 0), lambda k: -60 * swell(k, count))
    return rig.times("Idle")[30]


@fault("motion/joint_limit", clips=["Idle"], clip="Idle", joint="LeftForeArm", level="error", picture=MARKED,
       rules={"settings": {"joint_limits": {"LeftForeArm": {"swing": [0, 60], "twist": [-60, 60]}}}})
def an_arm_beyond_its_limits(rig):
    """The left forearm, which is bent by 110 degrees where the profile allows 60."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "LeftForeArm", (1, 0, 0), lambda k: -110 * swell(k, count))
    return rig.times("Idle")[30]


@fault("contact/slide", clips=["Idle"], clip="Idle", picture=View(2, grid=True, overlays=[
    {"overlay": "trails", "joints": ["LeftFoot"], "times": {"start": -2, "end": 2, "count": 31}}], camera={
        "target": [0.1, 0.2, 0.1], "distance": 1.6, "yaw": 60, "pitch": 15}))
def a_figure_that_skates(rig):
    """A standing figure that glides forward and back; the dots are the way of its foot."""
    count = len(rig.times("Idle"))
    rig.move_keys("Idle", "Hips", lambda k: (0, 0, 0.12 * swell(k, count)))


@fault("contact/penetration", clips=["Idle"], clip="Idle", level="error", picture=MARKED)
def feet_below_the_ground(rig):
    """A figure that stands too deep: its feet are below the ground."""
    rig.move_keys("Idle", "Hips", lambda k: (0, -0.1, 0))


@fault("contact/float", clips=["Idle"], clip="Idle", level="error", picture=MARKED)
def a_figure_that_hovers(rig):
    """A figure that stands in the air."""
    rig.move_keys("Idle", "Hips", lambda k: (0, 0.1, 0))
