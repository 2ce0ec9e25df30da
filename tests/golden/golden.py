"""The pictures that are kept: their requests, how they are asked for, and how far apart two may be."""
import hashlib
import json
import pathlib

import materials
from case import DEMO
from client import PNG
from picture import Picture

HERE = pathlib.Path(__file__).resolve().parent
TABLE = json.loads((HERE / "golden.json").read_text())
SIZE = {"width": 128, "height": 128}
OWN = HERE / "own_pixels.json"  # of posed's rasteriser: a fingerprint of each scene, and one ETag


def kept(scene):
    """The path of a scene's picture."""
    return HERE / "pictures" / f"{scene['name']}.png"


def own():
    return json.loads(OWN.read_text())


def rigs():
    """(name, GLB) of all rigs in the scenes."""
    for path in sorted(DEMO.glob("*.glb")):
        yield path.stem, path.read_bytes()
    yield from materials.rigs()


def reply(client, scene):
    """The reply to a scene's request."""
    found = client.post(scene["route"], {**SIZE, **scene["request"]}, accept=PNG)
    assert found.status == 200, f"{scene['name']}: {found}"
    return found


def ask(client, scene):
    """The picture as the daemon draws it now."""
    return reply(client, scene).body


def fingerprint(picture):
    """The start of a hash of a picture's pixels, whatever the file."""
    pixels = Picture(picture)
    data = b"".join(bytes(pixel) for pixel in pixels.pixels())
    return hashlib.sha256(data).hexdigest()[:16]


def premultiplied(pixel):
    alpha = pixel[3]
    return (*(channel * alpha / 255 for channel in pixel[:3]), alpha)


def differences(picture, other):
    """(most, mean) of the channels' differences, 0 to 255, colours times alpha."""
    ours, theirs = Picture(picture), Picture(other)
    assert (ours.width, ours.height) == (theirs.width, theirs.height), "of other sizes"
    most, total = 0, 0
    for a, b in zip(ours.pixels(), theirs.pixels()):
        if a != b:
            apart = [abs(x - y) for x, y in zip(premultiplied(a), premultiplied(b))]
            most, total = max(most, *apart), total + sum(apart)
    return most, total / (4 * ours.width * ours.height)
