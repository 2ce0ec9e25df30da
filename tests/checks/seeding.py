"""Demo rigs to seed faults into, and the list of faults.

A fault is a function that changes a sound rig. Its docstring is the text of its picture. It may return the time,
in seconds, at which the rule has to speak."""
import copy
import functools
import pathlib
import struct

from makers import product
from oracle import turn
from tiny import FLOAT, PACK, UINT, WIDTH, Tiny, split_glb

DEMO = pathlib.Path(__file__).resolve().parents[2] / "assets" / "demo"
FIGURE = 1.73011  # length of the demo humanoid
FAULTS = []


class View:
    """The picture of a fault: the sound rig beside the faulty one, from the same side.

    frame     members of a request for a frame, which both are drawn with; by default the faulty rig is drawn as
              reports show the finding, with marks, and the sound one from there without them
    time      of the pose, in seconds; None = the one that the fault returns, or the rest pose
    """

    def __init__(self, time=None, **frame):
        self.time, self.frame = time, frame


MARKED = View()


def whole(time=None, yaw=0, distance=3.9, x=0, **frame):
    """All of the humanoid, the same size in both; x: the middle between left and right."""
    return View(time, camera={"target": [x, 0.87, 0], "yaw": yaw, "distance": distance}, **frame)


def named(*joints):
    """The names of joints, given by their places in the file, which stay the same when names change."""
    return whole(distance=2.4, overlays=[{"overlay": "skeleton", "names": list(joints)}])


def trails(joints, start=0, end=10, count=64, **frame):
    """The ways of joints during a clip, from its first moment on."""
    return View(0, overlays=[{"overlay": "trails", "joints": joints, "times": {
        "start": start, "end": end, "count": count}}], **frame)


class Fault:
    """A rule, the rig that the fault is seeded into, and where the rule has to speak.

    rig       a demo rig's name
    clips     those that it keeps
    clip, joint  that the finding has to name; None = any, or none
    level     the least that the finding has to have
    tolerance of its time, in seconds
    options   of `pose check`, for rules that speak in certain profiles only
    rules     a rules file that extends the profile, likewise
    against   the rule speaks of a difference from the sound rig
    picture   a View; None = there is nothing to see
    """

    def __init__(self, seed, rule, rig="humanoid", clips=(), clip=None, joint=None, level="warning",
                 tolerance=0.001, options=(), rules=None, against=False, picture=None):
        self.seed, self.rule, self.rig, self.clips = seed, rule, rig, tuple(clips)
        self.clip, self.joint, self.level = clip, joint, level
        self.tolerance, self.options, self.rules = tolerance, tuple(options) or usual_options(rule), rules
        self.against, self.picture = against, picture
        self.name = rule.replace("/", "-").replace("_", "-")
        self.shown = " ".join(seed.__doc__.split())

    def sound(self):
        """The rig as it was."""
        return Rig(self.rig, self.clips).glb()

    def seeded(self):
        """(the rig with the fault, the time at which the rule has to speak or None)"""
        rig = Rig(self.rig, self.clips)
        time = self.seed(rig)
        return rig.glb(), time


def usual_options(rule):
    """Leaves out those rules of the surface that a fault is not about, which take most of a check's time."""
    if rule == "surface/self_intersection":
        return ("--only", rule)
    group = "surface/*"
    return ("--only", group, "--skip", "surface/self_intersection") if rule.startswith("surface/") else (
        "--skip", group)


def fault(rule, **facts):
    """Lists the function that follows as the fault that a rule has to find."""
    def add(seed):
        FAULTS.append(Fault(seed, rule, **facts))
        return seed
    return add


@functools.cache
def demo(name):
    return split_glb((DEMO / f"{name}.glb").read_bytes())


class Rig(Tiny):
    """A demo rig with some of its clips."""

    def __init__(self, name, clips):
        super().__init__()
        document, binary = demo(name)
        self.json, self.bin = copy.deepcopy(document), bytearray(binary)
        self.json["animations"] = [clip for clip in self.json["animations"] if clip["name"] in clips]
        if not clips:
            del self.json["animations"]

    # Arrays

    def place(self, accessor):
        """(the first byte, the layout of a row, the number of rows) of an accessor without gaps"""
        accessor = self.json["accessors"][accessor]
        view = self.json["bufferViews"][accessor["bufferView"]]
        row = struct.Struct(f"<{WIDTH[accessor['type']]}{PACK[accessor['componentType']]}")
        return view.get("byteOffset", 0) + accessor.get("byteOffset", 0), row, accessor["count"]

    def rows(self, accessor):
        at, row, count = self.place(accessor)
        return [list(values) for values in row.iter_unpack(self.bin[at:at + count * row.size])]

    def put(self, accessor, rows):
        """Writes as many rows as there were. Bounds stay as they are."""
        at, row, count = self.place(accessor)
        assert len(rows) == count
        self.bin[at:at + count * row.size] = b"".join(row.pack(*values) for values in rows)

    # Joints and clips

    def joint(self, name):
        return next(i for i, node in enumerate(self.json["nodes"]) if node.get("name") == name)

    def node_of(self, name):
        return self.json["nodes"][self.joint(name)]

    def below(self, name):
        """A joint and all that hang on it."""
        found = [self.joint(name)]
        for node in found:
            found += self.json["nodes"][node].get("children", [])
        return found

    def animation(self, clip):
        return next(a for a in self.json["animations"] if a["name"] == clip)

    def sampler(self, clip, joint, path):
        """None where the clip does not drive it."""
        animation = self.animation(clip)
        target = {"node": self.joint(joint), "path": path}
        found = [channel["sampler"] for channel in animation["channels"] if channel["target"] == target]
        return animation["samplers"][found[0]] if found else None

    def times(self, clip):
        return [time for time, in self.rows(self.animation(clip)["samplers"][0]["input"])]

    def keys(self, clip, joint, path="rotation"):
        return self.rows(self.sampler(clip, joint, path)["output"])

    def write(self, clip, joint, path, times, rows, interpolation="LINEAR"):
        """Replaces a channel, or adds one."""
        animation, sampler = self.animation(clip), self.sampler(clip, joint, path)
        if sampler is None:
            sampler = {}
            animation["channels"].append({"sampler": len(animation["samplers"]),
                                          "target": {"node": self.joint(joint), "path": path}})
            animation["samplers"].append(sampler)
        sampler.update(input=self.accessor(times, "SCALAR", bounds=True), interpolation=interpolation,
                       output=self.accessor(rows, "VEC4" if path == "rotation" else "VEC3"))

    def turn_keys(self, clip, joint, axis, degrees):
        """Turns keys about an axis of the joint, each by degrees(its position)."""
        rows = [product(row, turn(axis, degrees(k))) for k, row in enumerate(self.keys(clip, joint))]
        self.put(self.sampler(clip, joint, "rotation")["output"], rows)

    def move_keys(self, clip, joint, offset):
        """Moves keys in the frame of the joint's parent, each by offset(its position), a share of the
        figure's length along each axis."""
        rows = [[x + FIGURE * by for x, by in zip(row, offset(k))]
                for k, row in enumerate(self.keys(clip, joint, "translation"))]
        self.put(self.sampler(clip, joint, "translation")["output"], rows)

    def drop(self, clip, joint):
        """Removes the channels of a joint and of all below it."""
        gone, animation = self.below(joint), self.animation(clip)
        animation["channels"] = [channel for channel in animation["channels"]
                                 if channel["target"]["node"] not in gone]

    # Meshes

    def primitives(self):
        return self.json["meshes"][0]["primitives"]

    def attribute(self, name, primitive=0):
        return self.primitives()[primitive]["attributes"][name]

    def change(self, name, function, primitive=0):
        """Replaces each row of an attribute by function(its position, row)."""
        accessor = self.attribute(name, primitive)
        self.put(accessor, [function(i, row) for i, row in enumerate(self.rows(accessor))])

    def replace(self, name, rows, kind, component=FLOAT, primitive=0):
        """A new accessor for an attribute, of as many rows as there are."""
        self.primitives()[primitive]["attributes"][name] = self.accessor(
            rows, kind, component, bounds=name == "POSITION", padded=True)

    def own(self, joint, primitive=0):
        """Vertices that follow a joint more than any other."""
        me = self.json["skins"][0]["joints"].index(self.joint(joint))
        joints, weights = (self.rows(self.attribute(name, primitive)) for name in ("JOINTS_0", "WEIGHTS_0"))
        return [i for i, row in enumerate(joints) if row[weights[i].index(max(weights[i]))] == me]

    def follow(self, vertices, joint, share, primitive=0):
        """Gives a share of the weights of vertices to a joint."""
        me = self.json["skins"][0]["joints"].index(self.joint(joint))
        joints, weights = (self.rows(self.attribute(name, primitive)) for name in ("JOINTS_0", "WEIGHTS_0"))
        for i in vertices:
            slot = joints[i].index(me) if me in joints[i] else weights[i].index(min(weights[i]))
            joints[i][slot], weights[i][slot] = me, 0
            rest = sum(weights[i])
            weights[i] = [weight * (1 - share) / rest for weight in weights[i]]
            weights[i][slot] = share
        self.put(self.attribute("JOINTS_0", primitive), joints)
        self.put(self.attribute("WEIGHTS_0", primitive), weights)

    def triangles(self, primitive=0):
        indices = [i for i, in self.rows(self.primitives()[primitive]["indices"])]
        return [indices[i:i + 3] for i in range(0, len(indices), 3)]

    def set_triangles(self, triangles, primitive=0):
        self.primitives()[primitive]["indices"] = self.accessor(
            [i for triangle in triangles for i in triangle], "SCALAR", UINT)
