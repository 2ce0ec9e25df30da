#!/usr/bin/env python3
"""Prints how alike pictures of avatars are as posed draws them and as three-vrm does.

avatars_beside.py [FOLDER]. FOLDER gets the pictures: posed's, three-vrm's and their difference. The
folder of three-vrm's and three.js' packages is THREE_VRM_MODULES (tests/conformance/node_modules).
Each file gets a directional light, of the strength that is a light colour of 1 in MToon.
"""
import base64
import io
import json
import math
import os
import pathlib
import struct
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "http"), str(HERE.parent / "viewer")]

import browser  # noqa: E402
import likeness  # noqa: E402
from case import ROOT  # noqa: E402
from client import PNG, Client  # noqa: E402
from daemon import Daemon  # noqa: E402
from debian import debian_module  # noqa: E402
from host import Host  # noqa: E402
from likeness import numpy  # noqa: E402
from rigs_beside import sight  # noqa: E402

Image = debian_module("PIL.Image")
FILES = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared/files"))
MODULES = pathlib.Path(os.environ.get(
    "THREE_VRM_MODULES", ROOT / "tests/conformance/node_modules"))
SIDE = 256
BACKGROUND = "#d8d8d8"
LEAST = 0.95


def chunks(glb):
    length, = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20:20 + length]), glb[20 + length:]


COMPONENTS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


def elements(document, binary, index, width):
    """The rows of an accessor."""
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    kind = numpy.dtype(COMPONENTS[accessor["componentType"]])
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", kind.itemsize * width)
    rows = [numpy.frombuffer(binary, kind, width, start + i * stride)
            for i in range(accessor["count"])]
    return numpy.array(rows)


def add_rows(document, rows, kind):
    """An accessor of floats in a buffer of its own."""
    data = base64.b64encode(rows.astype("<f4").tobytes()).decode()
    document["buffers"].append({"byteLength": rows.size * 4,
                                "uri": "data:application/octet-stream;base64," + data})
    document["bufferViews"].append({"buffer": len(document["buffers"]) - 1,
                                    "byteLength": rows.size * 4})
    document["accessors"].append({
        "bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "type": kind,
        "count": len(rows), "min": rows.min(0).reshape(-1).tolist(),
        "max": rows.max(0).reshape(-1).tolist()})
    return len(document["accessors"]) - 1


def give_normals(document, binary):
    """Where a file has no normals, posed makes smooth ones and three.js flat ones, along which its
    outlines do not lie: both get the same."""
    for mesh in document.get("meshes", []):
        for primitive in mesh["primitives"]:
            if "NORMAL" in primitive["attributes"]:
                continue
            points = elements(document, binary, primitive["attributes"]["POSITION"], 3)
            corners = elements(document, binary, primitive["indices"], 1).reshape(-1, 3)
            a, b, c = (points[corners[:, k]].astype(float) for k in range(3))
            normals = numpy.zeros((len(points), 3))
            for k in range(3):
                numpy.add.at(normals, corners[:, k], numpy.cross(b - a, c - a))
            lengths = numpy.linalg.norm(normals, axis=1, keepdims=True)
            normals = numpy.where(lengths > 0, normals / numpy.maximum(lengths, 1e-30), (0, 0, 1))
            primitive["attributes"]["NORMAL"] = add_rows(document, normals, "VEC3")


def add_clock(document, node):
    """A clip in which nothing moves but time."""
    times = add_rows(document, numpy.array([[0.0], [10.0]]), "SCALAR")
    place = add_rows(document, numpy.zeros((2, 3)), "VEC3")
    document.setdefault("animations", []).append({
        "name": "clock", "samplers": [{"input": times, "output": place}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": "translation"}}]})


def with_lamp(glb, toward):
    """The file with a light that shines from there."""
    document, rest = chunks(glb)
    give_normals(document, rest[8:])
    lights = {"lights": [{"type": "directional", "intensity": math.pi}]}
    document.setdefault("extensions", {})["KHR_lights_punctual"] = lights
    document.setdefault("extensionsUsed", []).append("KHR_lights_punctual")
    length = math.hypot(*toward)
    x, y, z = (part / length for part in toward)
    # From +z, against which lights of files shine, on the shortest way to there.
    turn = [-y, x, 0, 1 + z]
    norm = math.hypot(*turn)
    node = {"rotation": [part / norm for part in turn],
            "extensions": {"KHR_lights_punctual": {"light": 0}}}
    document["nodes"].append(node)
    for scene in document["scenes"]:
        scene.setdefault("nodes", []).append(len(document["nodes"]) - 1)
    add_clock(document, len(document["nodes"]) - 1)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<IIIII", 0x46546C67, 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


def front(document):
    """The yaw from which one sees an avatar's face: 0.x look towards -z."""
    extensions = document.get("extensions", {})
    return 180 if "VRM" in extensions and "VRMC_vrm" not in extensions else 0


class Page:
    """three-vrm in Chromium, with the files."""

    def __init__(self, files):
        self.host = Host((HERE / "avatars.html").read_text(), {
            "three": MODULES / "three", "three-vrm": MODULES / "@pixiv/three-vrm/lib"})
        served = self.host.content
        self.host.content = lambda path: files.get(path[len("/rigs/"):]) or served(path)
        threading.Thread(target=self.host.serve_forever, daemon=True).start()
        self.page = browser.shared()[0].open(SIDE, SIDE)
        self.page.go(self.host.address)
        self.page.wait("window.ready")

    def draw(self, rig, camera, time, expressions=None):
        url = self.page.evaluate("draw(" + json.dumps({
            "file": "/rigs/" + rig, "side": SIDE, "background": BACKGROUND, "camera": camera,
            "time": time, "expressions": expressions}) + ")")
        return likeness.pixels(base64.b64decode(url.partition(",")[2]))

    def close(self):
        self.page.close()
        self.host.shutdown()
        self.host.server_close()


def ask(client, rig, camera, time, expressions=None):
    pose = "rest" if time == 0 else {"clip": "clock", "time": time}
    if expressions:
        pose = {"expression": expressions, "to": pose}
    reply = client.post("frame", {
        "rig": rig, "pose": pose, "camera": camera, "environment": "none",
        "tone_mapping": "linear", "width": SIDE, "height": SIDE, "samples": 4,
        "background": BACKGROUND}, accept=PNG)
    assert reply.status == 200, str(reply)
    return likeness.pixels(reply.body)


def keep(folder, name, ours, theirs):
    if folder:
        sheet = numpy.concatenate([ours, theirs, numpy.abs(ours - theirs)], axis=1)
        Image.fromarray(sheet.astype("uint8")).save(folder / f"{name}.png")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    avatars = sorted(FILES.glob("vrm/*/*.vrm"))
    files, yaws = {}, {}
    for path in avatars:
        glb = path.read_bytes()
        yaws[path.stem] = front(chunks(glb)[0])
        side = -1 if yaws[path.stem] else 1
        files[path.stem] = with_lamp(glb, (0.5 * side, 0.6, 0.8 * side))
    page = Page(files)
    for which in ("cpu", "software"):
        daemon = Daemon(args=("--renderer", which)).start()
        client = Client(daemon.port)
        for name, glb in files.items():
            client.put(name, glb)
            bounds = client.get(f"/v1/rigs/{name}").json()["bounds"]
            if not bounds:
                continue  # a skeleton alone
            for view, yaw, pitch, time in (("front", 0, 0, 0), ("side", 50, 15, 0.7)):
                camera = sight(bounds, yaws[name] + yaw, pitch)
                ours, theirs = ask(client, name, camera, time), page.draw(name, camera, time)
                keep(folder, f"{name}-{view}-{which}", ours, theirs)
                alike = likeness.similarity(ours, theirs)
                print(f"{which:9}{name:40}{view:6} {alike:.4f} "
                      f"{likeness.mean_difference(ours, theirs):.2f}"
                      f"{'' if alike >= LEAST else '  BELOW'}", flush=True)
        daemon.stop()
    page.close()


if __name__ == "__main__":
    main()
