"""Faults of clips as the file has them."""
import math

from oracle import turn
from seeding import MARKED, fault, trails, whole
from makers import product

HAND = trails(["LeftHand"], end=1.08, count=73, camera={"yaw": 60})


def drop_last(rig, clip):
    """Leaves out the last key of every channel."""
    for sampler in rig.animation(clip)["samplers"]:
        for name, bounds in (("input", True), ("output", False)):
            kind = rig.json["accessors"][sampler[name]]["type"]
            sampler[name] = rig.accessor(rig.rows(sampler[name])[:-1], kind, bounds=bounds)


def change_times(rig, clip, function):
    """Replaces the times of every channel."""
    times = [function(time) for time in rig.times(clip)]
    shared = rig.accessor(times, "SCALAR", bounds=True)
    for sampler in rig.animation(clip)["samplers"]:
        sampler["input"] = shared


def cubic(rig, clip, joint, tangent, rows=None):
    """A cubic channel through the keys of a rotation, all of whose tangents are the same."""
    rows = rows or rig.keys(clip, joint)
    rig.write(clip, joint, "rotation", rig.times(clip),
              [row for key in rows for row in (tangent, key, tangent)], "CUBICSPLINE")


@fault("clip/still", clips=["Walk"], clip="Walk", picture=trails(["LeftHand", "LeftFoot"], end=1.08, camera={"yaw": 60}))
def a_walk_without_motion(rig):
    """A walk whose keys are all the same."""
    for sampler in rig.animation("Walk")["samplers"]:
        rows = rig.rows(sampler["output"])
        rig.put(sampler["output"], rows[:1] * len(rows))


@fault("clip/duration", rig="cyl2", clips=["bend"], clip="bend")
def a_clip_of_minutes(rig):
    """A clip of 160 seconds."""
    change_times(rig, "bend", lambda time: 40 * time)


@fault("clip/start_offset", clips=["Walk"], clip="Walk")
def a_walk_that_begins_late(rig):
    """A walk whose first key is at half a second."""
    change_times(rig, "Walk", lambda time: time + 0.5)


@fault("clip/name_duplicate", clips=["Walk", "Run", "Wave"])
def clips_of_one_name(rig):
    """Three clips called Walk."""
    for clip in ("Run", "Wave"):
        rig.animation(clip)["name"] = "Walk"


@fault("clip/missing_track", clips=["Walk", "Run", "Idle"], clip="Run", picture=whole(0.2, yaw=60))
def arms_that_are_not_driven(rig):
    """A run that does not drive the arms."""
    rig.drop("Run", "LeftArm")
    rig.drop("Run", "RightArm")


@fault("clip/one_sided", clips=["Walk"], clip="Walk", picture=whole(0.54, yaw=60))
def one_arm_that_is_not_driven(rig):
    """A walk that does not drive the left arm, which stays as it is at rest."""
    rig.drop("Walk", "LeftArm")


@fault("clip/key_order", clips=["Walk"], clip="Walk", joint="LeftArm", level="error")
def keys_that_go_back(rig):
    """Keys of the left arm in the wrong order."""
    times = rig.times("Walk")
    for k in (10, 20):
        times[k], times[k + 1] = times[k + 1], times[k]
    rig.write("Walk", "LeftArm", "rotation", times, rig.keys("Walk", "LeftArm"))


@fault("clip/nonfinite", clips=["Walk"], clip="Walk", joint="LeftArm", level="error")
def keys_that_are_no_numbers(rig):
    """Two keys of the left arm that are no numbers."""
    rows = rig.keys("Walk", "LeftArm")
    rows[5][0] = rows[6][0] = math.nan
    rig.write("Walk", "LeftArm", "rotation", rig.times("Walk"), rows)
    return rig.times("Walk")[5]


@fault("clip/quat_length", clips=["Walk"], clip="Walk", joint="LeftArm", level="error")
def a_key_that_is_too_long(rig):
    """A rotation key of length 1.1."""
    rows = rig.keys("Walk", "LeftArm")
    rows[5] = [1.1 * x for x in rows[5]]
    rig.write("Walk", "LeftArm", "rotation", rig.times("Walk"), rows)
    return rig.times("Walk")[5]


@fault("clip/quat_sign", clips=["Walk"], clip="Walk", joint="LeftArm", level="note")
def a_key_of_the_other_sign(rig):
    """A rotation key of the other sign."""
    rows = rig.keys("Walk", "LeftArm")
    rows[5] = [-x for x in rows[5]]
    rig.write("Walk", "LeftArm", "rotation", rig.times("Walk"), rows)


@fault("clip/quat_sign_cubic", clips=["Walk"], clip="Walk", joint="LeftForeArm", level="error", picture=HAND)
def a_cubic_key_of_the_other_sign(rig):
    """The way of the left hand, whose forearm spins between two cubic keys."""
    rows = rig.keys("Walk", "LeftForeArm")
    rows[5] = [-x for x in rows[5]]
    cubic(rig, "Walk", "LeftForeArm", [0] * 4, rows)


@fault("clip/overshoot", clips=["Walk"], clip="Walk", joint="LeftForeArm", picture=HAND)
def tangents_that_are_too_long(rig):
    """The way of the left hand, whose forearm swings out between two cubic keys."""
    times = rig.times("Walk")
    cubic(rig, "Walk", "LeftForeArm", [0] * 4)
    output = rig.sampler("Walk", "LeftForeArm", "rotation")["output"]
    values = rig.rows(output)
    values[3 * 5 + 2], values[3 * 6] = [150, 0, 0, 0], [-150, 0, 0, 0]  # out of one key, into the next
    rig.put(output, values)
    return (times[5] + times[6]) / 2


@fault("clip/redundant", clips=["Run"], clip="Run", level="note")
def keys_between_keys(rig):
    """A run with a key between each two of its keys."""
    times = rig.times("Run")
    half = [(a + b) / 2 for a, b in zip(times, times[1:])]
    every = sorted(times + half)
    for node in list(rig.json["nodes"]):
        if rig.json["nodes"].index(node) != rig.joint("humanoid"):
            rows = rig.keys("Run", node["name"])
            middle = [middle_of(a, b) for a, b in zip(rows, rows[1:])]
            mixed = [row for pair in zip(rows, middle) for row in pair] + rows[-1:]
            rig.write("Run", node["name"], "rotation", every, mixed)


def middle_of(a, b):
    sign = 1 if sum(x * y for x, y in zip(a, b)) >= 0 else -1
    total = [x + sign * y for x, y in zip(a, b)]
    return product(total, (0, 0, 0, 1))


@fault("clip/frame_short", clips=["Walk"], clip="Walk", picture=MARKED)
def a_walk_without_its_last_frame(rig):
    """The last frame of a walk, and its first one as a shade: it is one step short."""
    drop_last(rig, "Walk")


@fault("clip/rest_frame", clips=["Walk"], clip="Walk", picture=MARKED)
def a_walk_that_begins_with_the_rest_pose(rig):
    """The first frame of a walk, which is the rest pose."""
    for channel in rig.animation("Walk")["channels"]:
        path, node = channel["target"]["path"], rig.json["nodes"][channel["target"]["node"]]
        output = rig.animation("Walk")["samplers"][channel["sampler"]]["output"]
        rows = rig.rows(output)
        rows[0] = node.get(path, turn((0, 0, 1), 0))
        rig.put(output, rows)
    return rig.times("Walk")[0]
