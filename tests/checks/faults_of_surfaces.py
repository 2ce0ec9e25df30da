"""Faults of the deformed surface."""
from faults_of_motion import FOREARM, swell
from seeding import MARKED, fault, whole


@fault("surface/nonfinite", clips=["Idle"], clip="Idle", level="error", tolerance=0.07)
def a_scale_beyond_all_numbers(rig):
    """A head whose scale is beyond all numbers."""
    times = rig.times("Idle")
    rig.write("Idle", "Head", "scale", times, [[3e38 if k == 30 else 1] * 3 for k in range(len(times))])
    rig.write("Idle", "Neck", "scale", times, [[1e30 if k == 30 else 1] * 3 for k in range(len(times))])
    return times[30]


@fault("surface/spike", clips=["Walk"], clip="Walk", picture=MARKED)
def vertices_pulled_to_a_foot(rig):
    """Vertices of the left hand that follow the right foot by half."""
    rig.follow(rig.own("LeftHand")[::40], "RightFoot", 0.5)


@fault("surface/stretch", clips=["Idle"], clip="Idle", picture=MARKED)
def an_arm_that_is_pulled_out(rig):
    """The left arm, which is pulled out of the shoulder."""
    times, rest = rig.times("Idle"), rig.node_of("LeftArm")["translation"]
    rig.write("Idle", "LeftArm", "translation", times, [
        [rest[0] + 0.7 * swell(k, len(times)), rest[1], rest[2]] for k in range(len(times))])
    return times[30]


@fault("surface/shrink", clips=["Idle"], clip="Idle", picture=MARKED)
def a_head_that_shrinks(rig):
    """The head, which shrinks to a tenth."""
    times = rig.times("Idle")
    rig.write("Idle", "Head", "scale", times, [[1 - 0.92 * swell(k, len(times))] * 3 for k in range(len(times))])
    return times[30]


@fault("surface/collapse", clips=["Idle"], clip="Idle", joint="LeftForeArm", tolerance=0.07,
       picture=MARKED)
def an_elbow_that_is_wrung_out(rig):
    """The left forearm, which is twisted by 178 degrees: the elbow is wrung out."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "LeftForeArm", FOREARM, lambda k: 178 * swell(k, count))
    return rig.times("Idle")[30]


@fault("surface/twist", clips=["Idle"], clip="Idle", joint="Head", picture=MARKED)
def a_head_that_is_turned_too_far(rig):
    """The head, which is turned by 165 degrees."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "Head", (0, 1, 0), lambda k: 165 * swell(k, count))
    return rig.times("Idle")[30]


@fault("surface/inverted", rig="cyl2", clips=["bend"], clip="bend", picture=MARKED)
def a_cylinder_pushed_into_itself(rig):
    """The upper half of a cylinder, which is pushed down into the lower one: the skin turns over."""
    times = rig.times("bend")
    rig.write("bend", "J1", "translation", times, [
        [0, 1 - 0.8 * k / (len(times) - 1), 0] for k in range(len(times))])
    rig.write("bend", "J1", "rotation", times, [[0, 0, 0, 1]] * len(times))


@fault("surface/volume", clips=["Idle"], clip="Idle", picture=whole(distance=6))
def a_body_that_swells(rig):
    """A body that swells."""
    times = rig.times("Idle")
    for joint in ("Spine", "Chest", "Head"):
        rig.write("Idle", joint, "scale", times, [
            [1 + 0.4 * swell(k, len(times))] * 3 for k in range(len(times))])
    return times[30]


@fault("surface/tear", clips=["Walk"], clip="Walk", picture=MARKED)
def a_collar_that_opens(rig):
    """The seam between the shirt and the arm, which opens."""
    rig.follow(rig.own("LeftArm", 2), "Hips", 0.5, 2)


@fault("surface/bounds", clips=["Idle"], clip="Idle", level="note", picture=whole(
    distance=5, x=0.6, overlays=[{"overlay": "bounds", "of": "rest"}]))
def a_figure_that_leaves_its_bounds(rig):
    """A figure that is far from its place at rest."""
    count = len(rig.times("Idle"))
    rig.move_keys("Idle", "Hips", lambda k: (0.7 * swell(k, count), 0, 0))
    return rig.times("Idle")[30]


@fault("surface/method", clips=["Idle"], clip="Idle", level="note", picture=MARKED)
def a_body_that_is_turned(rig):
    """A body that is turned by 110 degrees about its waist, as linear skinning shows it."""
    count = len(rig.times("Idle"))
    rig.turn_keys("Idle", "Spine", (0, 1, 0), lambda k: 110 * swell(k, count))


@fault("surface/self_intersection", clips=["Idle"], clip="Idle", level="note", picture=whole(2))
def arms_in_the_body(rig):
    """Arms and legs that go through each other and the body."""
    count = len(rig.times("Idle"))
    for side, sign in (("Left", -1), ("Right", 1)):
        rig.turn_keys("Idle", f"{side}Arm", (0, 0, 1), lambda k, sign=sign: sign * 75 * swell(k, count))
        rig.turn_keys("Idle", f"{side}UpLeg", (0, 0, 1), lambda k, sign=sign: sign * 24 * swell(k, count))
