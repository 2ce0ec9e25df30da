"""Work that takes seconds on any machine: the box around a clip that lasts an hour."""
import itertools

import rigs
from client import rig_path
from daemon import is_instrumented
from oracle import turn

_numbers = itertools.count()


def slow_rig(number, share):
    """Some 30,000 moments of all vertices are looked at. Each number is another content."""
    vertices = 900 if is_instrumented() else 12000
    tiny = rigs.triangle([(i % 100, i // 100, i % 7) for i in range(int(vertices * share))])
    tiny.clip([(0, "rotation", [0, 1800, 3600], [turn((0, 0, 1), d) for d in (0, 90, 180)],
                "LINEAR")], name="hour")
    tiny.json["extras"] = {"number": number}
    return tiny.glb()


def put_slow(client, share=1, **headers):
    """Puts such a rig of its own: what was found for others says nothing about it. share: of the work,
    for cases that wait for its end."""
    number = next(_numbers)
    name = f"slow{number}"
    reply = client.put(name, slow_rig(number, share), **headers)
    assert reply.status == 201, str(reply)
    return name


def slow_picture(client, rig, **headers):
    """A picture that waits for the box: work for a render thread."""
    request = {"rig": rig, "pose": {"clip": "hour"}, "fit": "clip", "width": 16, "height": 16}
    return client.post("frame", request, accept="image/png", **headers)


def slow_description(client, rig, **headers):
    """The same for a thread of the CPU's pool."""
    return client.get(rig_path(rig, "?bounds=clips"), **headers)
