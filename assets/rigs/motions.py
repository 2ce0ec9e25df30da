"""Turns the humanoid's figures into clips of the GLB."""

import numpy as np

from . import gait, gestures, glb, quat, skeleton


def add_clips(doc, nodes, sole):
    """sole: the left shoe's points at rest, which the gaits keep out of the ground."""
    standing = {"ground_speed": 0.0}
    add(doc, nodes, "Idle", standing,
        *gestures.keys(gestures.idle, gestures.IDLE_SECONDS, gestures.IDLE_KEYS))
    for name, plan in (("Walk", gait.WALK), ("Run", gait.RUN)):
        add(doc, nodes, name, {"ground_speed": plan.speed}, *gait.keys(plan, sole))
    add(doc, nodes, "Wave", standing,
        *gestures.keys(gestures.wave, gestures.WAVE_SECONDS, gestures.WAVE_KEYS))


def add(doc, nodes, name, extras, times, figures):
    hips = np.round([figure.hips for figure in figures], 6)
    tracks = [(nodes[0], "translation", hips)]
    for node, joint in zip(nodes, skeleton.NAMES):
        turns = quat.continuous([figure.local[joint] for figure in figures])
        assert (turns[0] * turns[-1]).sum() > 0, f"{name}: {joint} turns once round"
        tracks.append((node, "rotation", np.round(turns, 6)))
    glb.add_clip(doc, name, times, tracks, extras)
