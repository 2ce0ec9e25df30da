#!/usr/bin/env python3
"""Pictures of every skinning method in one pose, for docs/methods.md.

methods_pictures.py OUT_FOLDER. Starts a daemon (POSED_BINARY or build/posed), gives it the demo
humanoid with examples of its own, and asks it to compare the methods that it lists, a sheet of eight
at a time: OUT_FOLDER/methods-1.png and so on. A method that cannot skin the pose is named with the
daemon's reason.
"""
import json
import math
import pathlib
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/http"))
from client import OCTETS, PNG, Client, rig_path  # noqa: E402  (the one of the tests)
from daemon import Daemon  # noqa: E402

RIG = "humanoid"
SHEET = 8  # methods that one comparison takes
# A forearm bent and its hand twisted: what methods differ in.
JOINTS = {"LeftArm": ((0, 0, 1), 20), "LeftForeArm": ((0, 1, 0), -110), "LeftHand": ((0.75, -0.66, 0), 150)}
EXAMPLES = {"LeftForeArm": ((0, 1, 0), (-55, -110)), "LeftHand": ((0.75, -0.66, 0), (75, 150))}
PICTURE = {"width": 1200, "height": 640, "samples": 4, "background": "#f4f2ee",
           "camera": {"yaw": 50, "pitch": 20, "target": [0.39, 1.17, 0.14], "distance": 0.75}}


def rotation(axis, degrees):
    half = math.radians(degrees) / 2
    return [math.sin(half) * x for x in axis] + [math.cos(half)]


def pose(joints):
    return {"set": "rest",
            "joints": {name: {"rotation": rotation(*turn)} for name, turn in joints.items()}}


def checked(reply, status):
    if reply.status != status:
        raise SystemExit(f"the daemon answers {reply}")
    return reply


def put_examples(client):
    """Each joint turned alone, with vertices as dual quaternions skin them."""
    for joint, (axis, angles) in EXAMPLES.items():
        for degrees in angles:
            turned = pose({joint: (axis, degrees)})
            vertices = checked(client.vertices(RIG, turned, skinning="dqs",
                                               attributes=["position", "normal"]), 200)
            query = urllib.parse.urlencode(
                {"pose": json.dumps(turned), "attributes": "position,normal"})
            path = rig_path(RIG, f"/examples/{joint}%20{degrees}?{query}")
            checked(client.request("PUT", path, vertices.body, {"Content-Type": OCTETS}), 201)


def able(client, methods):
    """Those that can skin the pose beside others; says of the rest why not."""
    for method in methods:
        reply = client.compare(RIG, pose(JOINTS), [methods[0], method])
        if reply.status == 200:
            yield method
        else:
            print(f"{method}: {reply.json()['detail']}")


def draw(client, methods, path):
    reply = client.compare(RIG, pose(JOINTS), methods, accept=PNG, **PICTURE)
    path.write_bytes(checked(reply, 200).body)
    print(f"{path}: {', '.join(methods)}")


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    daemon = Daemon().start()
    try:
        client = Client(daemon.port)
        checked(client.put(RIG, (ROOT / "assets/demo/humanoid.glb").read_bytes()), 201)
        put_examples(client)
        listed = [method["id"] for method in client.get("/v1").json()["skinning_methods"]]
        methods = list(able(client, listed))
        for sheet, first in enumerate(range(0, len(methods), SHEET)):
            chosen = methods[first:first + SHEET]
            if len(chosen) == 1:
                chosen.insert(0, methods[0])  # two are the least
            draw(client, chosen, out / f"methods-{sheet + 1}.png")
    finally:
        daemon.stop()


if __name__ == "__main__":
    main()
