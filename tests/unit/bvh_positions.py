#!/usr/bin/env python3
"""Writes bvh_positions.tsv: where the joints of BVH files are, by a forward kinematics of its own.

bvh_positions.py FOLDER FILE... > tests/unit/bvh_positions.tsv; the files lie below the folder.
Source: Meredith and Maddock, Motion Capture File Formats Explained, 2001: a joint's matrix is the
product of its channels in their order, behind its offset; positions of the root take the place of it.
"""
import math
import pathlib
import sys


def rotation(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i = "XYZ".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    m = [[float(a == b) for b in range(3)] for a in range(3)]
    m[j][j] = m[k][k] = c
    m[k][j], m[j][k] = s, -s
    return m


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def read(text):
    """The joints, the seconds of a frame, and the numbers of each frame."""
    words = text.split()
    joints, stack, at = [], [], 1
    while words[at] != "MOTION":
        word = words[at]
        if word in ("ROOT", "JOINT", "End"):
            joints.append({"name": words[at + 1] if word != "End" else None,
                           "parent": stack[-1] if stack else None, "channels": []})
            at += 2
        elif word == "{":
            stack.append(len(joints) - 1)
            at += 1
        elif word == "}":
            stack.pop()
            at += 1
        elif word == "OFFSET":
            joints[stack[-1]]["offset"] = [float(x) for x in words[at + 1:at + 4]]
            at += 4
        elif word == "CHANNELS":
            count = int(words[at + 1])
            joints[stack[-1]]["channels"] = words[at + 2:at + 2 + count]
            at += 2 + count
        else:
            raise ValueError(word)
    frames, step = int(words[at + 2]), float(words[at + 5])
    numbers = [float(x) for x in words[at + 6:]]
    width = len(numbers) // frames
    return joints, step, [numbers[i * width:(i + 1) * width] for i in range(frames)]


def places(joints, row):
    turns, positions, numbers = [], [], iter(row)
    for joint in joints:
        place, turn = list(joint["offset"]), rotation("X", 0)
        for channel in joint["channels"]:
            value = next(numbers)
            if channel.endswith("position"):
                place["XYZ".index(channel[0])] = value
            else:
                turn = product(turn, rotation(channel[0], value))
        if joint["parent"] is not None:
            above, origin = turns[joint["parent"]], positions[joint["parent"]]
            place = [origin[i] + sum(above[i][k] * place[k] for k in range(3)) for i in range(3)]
            turn = product(above, turn)
        turns.append(turn)
        positions.append(place)
    return positions


def main():
    for name in sys.argv[2:]:
        joints, step, rows = read((pathlib.Path(sys.argv[1]) / name).read_text())
        for frame in sorted({0, 1, len(rows) // 3, len(rows) - 1}):
            for joint, place in zip(joints, places(joints, rows[frame])):
                if joint["name"]:
                    print("J", name, f"{frame * step:.9g}", joint["name"], *(f"{x:.9g}" for x in place))


main()
