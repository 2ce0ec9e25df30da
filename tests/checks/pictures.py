"""Pictures of faults: the sound rig beside the faulty one, drawn by the daemon."""
import base64
import collections
import operator
import struct
import zlib

import checking
from client import PNG
from picture import SIGNATURE, Picture
from seeding import DEMO, MARKED

FOLDER = DEMO.parents[1] / "docs" / "checks"
SIDE, GAP = 240, 4
BACKGROUND = "#f1f3f6"
COLORS = 256
FAULTY = ("at", "this version")  # labels of the picture of the moment


def path_of(fault):
    return FOLDER / f"{fault.name}.png"


def ask(client, route, request, **more):
    reply = client.post(route, request, **more)
    assert reply.status == 200, str(reply)
    return reply


def find(client, fault):
    """The finding of a fault whose rigs are stored as "sound" and "faulty", with pictures."""
    request = {"rig": "faulty", "only": [fault.rule], "evidence": "pictures"}
    if fault.against:
        request["against"] = {"rig": "sound"}
    if fault.rules:
        request["profile"] = {"version": 1, **fault.rules}
    files = ask(client, "checks", request).json()["files"]
    result = checking.Result(files[0]["findings"], fault.seeded()[1], [])
    return checking.expected(fault, result)[0]


def pose_of(fault, time):
    clip = fault.clip or fault.clips[0] if fault.clips else None
    return "rest" if clip is None or time is None else {"clip": clip, "time": time}


def frame(client, rig, pose, **members):
    return ask(client, "frame", {"rig": rig, "pose": pose, "width": SIDE, "height": SIDE, "shading": "matcap",
                                 "background": BACKGROUND, "fit": "clip", **members}, accept=PNG).body


def marked(client, fault):
    """(the sound rig, the faulty one as reports show it)"""
    finding = find(client, fault)
    shown = next(p["uri"] for p in finding["evidence"]["pictures"] if p["label"] in FAULTY)
    sound = frame(client, "sound", pose_of(fault, finding.get("time")), camera={
        **finding["evidence"]["camera"], "fov": 30})
    return sound, base64.b64decode(shown.partition(",")[2])


def framed(client, fault):
    """(the sound rig, the faulty one) as a view of the fault's own has them."""
    view = fault.picture
    time = view.time if view.time is not None else fault.seeded()[1]
    return [frame(client, rig, pose_of(fault, time), **view.frame) for rig in ("sound", "faulty")]


def draw(client, fault):
    """The picture of a fault."""
    for name, glb in (("sound", fault.sound()), ("faulty", fault.seeded()[0])):
        reply = client.put(name, glb)
        assert reply.status in (200, 201), str(reply)
    pair = [Picture(picture) for picture in (marked if fault.picture is MARKED else framed)(client, fault)]
    gap = [(255, 255, 255, 255)] * GAP
    return with_palette([left + gap + right for left, right in zip(pair[0].rows, pair[1].rows)])


def cells(pixels, step):
    """The mean colour of the pixels in each cube of so many steps a side."""
    sums = {}
    for pixel, count in collections.Counter(pixels).items():
        total = sums.setdefault(tuple(x // step for x in pixel[:3]), [0, 0, 0, 0])
        for k in range(3):
            total[k] += count * pixel[k]
        total[3] += count
    return {key: [round(x / total[3]) for x in total[:3]] for key, total in sums.items()}


def with_palette(rows):
    """A PNG of few colours, as small as can be."""
    pixels, step = [pixel for row in rows for pixel in row], 1
    while len(means := cells(pixels, step)) > COLORS:
        step += 1
    order = {key: i for i, key in enumerate(means)}
    index = {pixel: order[tuple(x // step for x in pixel[:3])] for pixel in set(pixels)}
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    palette = b"".join(map(bytes, means.values()))
    packed = zlib.compress(b"".join(b"\0" + bytes(map(index.__getitem__, row)) for row in rows), 9)
    return SIGNATURE + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b"")))


def halves(picture):
    """The pixels of the sound rig, and those of the faulty one."""
    width = (picture.width - GAP) // 2
    return [row[:width] for row in picture.rows], [row[-width:] for row in picture.rows]


def differing(picture):
    """Pixels that differ between the two by more than what another driver would explain."""
    return sum(a != b and max(map(abs, map(operator.sub, a, b))) > 48
               for pair in zip(*halves(picture)) for a, b in zip(*pair))
