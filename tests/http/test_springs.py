"""Spring bones against an implementation of VRMC_springBone 1.0 and its extended colliders written for this
test from the specification: runs of a clip over 3 s at 1/60 s, and settled ones, which are where a run of a
pose held still ends."""
import math
import random

from case import DaemonCase
from test_vrm import avatar

RATE = 60
# Shares of the figure's height, 2: what the numbers of files and answers, float32, leave.
RUN, SETTLED = 1e-6, 1e-5


def add(a, b, by=1.0):
    return [x + by * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    length = math.sqrt(dot(a, a))
    return [x / length for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def multiply(p, q):
    return [*add(add(cross(p[:3], q[:3]), q[:3], p[3]), p[:3], q[3]), p[3] * q[3] - dot(p[:3], q[:3])]


def inverse(q):
    return [-q[0], -q[1], -q[2], q[3]]


def turned(q, v):
    twice = [2 * x for x in cross(q[:3], v)]
    return add(add(v, twice, q[3]), cross(q[:3], twice))


def arc(a, b):
    """The shortest rotation from one direction to another, which is not opposite."""
    return unit([*cross(a, b), 1 + dot(a, b)])


def slerp(p, q, share):
    cosine = dot(p, q)
    q = q if cosine >= 0 else [-x for x in q]
    angle = math.acos(min(abs(cosine), 1))
    if angle < 1e-7:
        return p
    return unit([(math.sin((1 - share) * angle) * x + math.sin(share * angle) * y) / math.sin(angle)
                 for x, y in zip(p, q)])


class Model:
    """The springs of one avatar. nodes: name -> (parent, translation, rotation), parents first."""

    def __init__(self, nodes, chain, numbers, colliders, center):
        self.nodes, self.chain, self.numbers = nodes, chain, numbers
        self.colliders, self.center = colliders, center

    def worlds(self, moved):
        """name -> (rotation, place) with other locals for some."""
        out = {}
        for name, (parent, *rest) in self.nodes.items():
            place, turn = moved.get(name, rest)
            if parent:
                above, origin = out[parent]
                place, turn = add(origin, turned(above, place)), multiply(above, turn)
            out[name] = (turn, place)
        return out

    def inward(self, worlds, point):
        turn, place = worlds[self.center] if self.center else ([0, 0, 0, 1], [0, 0, 0])
        return turned(inverse(turn), add(point, place, -1))

    def outward(self, worlds, point):
        turn, place = worlds[self.center] if self.center else ([0, 0, 0, 1], [0, 0, 0])
        return add(turned(turn, point), place)

    def pushed(self, worlds, tail, head, length, radius):
        for kind, node, shape in self.colliders:
            turn, place = worlds[node]
            if kind == "plane":
                away = turned(turn, shape["normal"])
                gap = dot(add(tail, add(turned(turn, shape["offset"]), place), -1), away) - radius
            else:
                start = add(turned(turn, shape["offset"]), place)
                way = add(tail, start, -1)
                if "tail" in shape:
                    line = add(add(turned(turn, shape["tail"]), place), start, -1)
                    along = min(max(dot(line, way) / dot(line, line), 0), 1)
                    way = add(way, line, -along)
                distance = math.sqrt(dot(way, way))
                inside = shape.get("inside", False)
                gap = shape["radius"] - radius - distance if inside else distance - radius - shape["radius"]
                away = [x / distance * (-1 if inside else 1) for x in way]
            if gap < 0:
                tail = add(tail, away, -gap)
                tail = add(head, unit(add(tail, head, -1)), length)
        return tail

    def start(self, moved):
        worlds = self.worlds(moved)
        tails = [self.inward(worlds, worlds[below][1]) for below in self.chain[1:]]
        return [list(tail) for tail in tails], [list(tail) for tail in tails]

    def step(self, state, moved, seconds=1 / RATE):
        """Moves the tails; the locals with the rotations of the joints."""
        now, before = state
        moved = dict(moved)
        for i, (name, below) in enumerate(zip(self.chain, self.chain[1:])):
            worlds = self.worlds(moved)
            parent, place, rest = self.nodes[name]
            axis = self.nodes[below][1]
            above, head = worlds[parent][0], worlds[name][1]
            stiffness, gravity, drag, radius = self.numbers[i]
            length = math.sqrt(dot(axis, axis))
            tail = self.outward(worlds, add(now[i], add(now[i], before[i], -1), 1 - drag))
            tail = add(tail, turned(multiply(above, rest), unit(axis)), seconds * stiffness)
            tail = add(tail, [0, -1, 0], seconds * gravity)
            tail = add(head, unit(add(tail, head, -1)), length)
            tail = self.pushed(worlds, tail, head, length, radius)
            before[i], now[i] = now[i], self.inward(worlds, tail)
            way = turned(inverse(multiply(above, rest)), add(tail, head, -1))
            moved[name] = (place, multiply(rest, arc(unit(axis), unit(way))))
        return moved


class Springs(DaemonCase):
    @classmethod
    def prepare(cls):
        cls.models = [cls.make(seed) for seed in range(4)]

    @classmethod
    def make(cls, seed):
        """An avatar with a chain of five joints at its head, among colliders of every kind."""
        rand = random.Random(seed)
        tiny = avatar()
        index = {node["name"]: i for i, node in enumerate(tiny.json["nodes"]) if "name" in node}
        nodes, places = {}, {"j_hips": [0, 1, 0], "j_spine": [0, 0.4, 0], "j_head": [0, 0.4, 0]}
        turn = lambda size: unit([*(rand.uniform(-size, size) for _ in range(3)), 1])
        parents = {"j_hips": None, "j_spine": "j_hips", "j_head": "j_spine"}
        for name, place in places.items():
            nodes[name] = (parents[name], place, turn(0.1))
            tiny.json["nodes"][index[name]].update(translation=place, rotation=nodes[name][2])
        chain = [f"hair{i}" for i in range(6)]
        for i, name in enumerate(chain):
            place = [rand.uniform(-0.03, 0.03), 0.05 if i == 0 else -0.12, -0.1 if i == 0 else rand.uniform(-0.03, 0)]
            above = chain[i - 1] if i else "j_head"
            nodes[name] = (above, place, turn(0.2))
            index[name] = tiny.node(name=name, translation=place, rotation=nodes[name][2])
            tiny.json["nodes"][index[above]].setdefault("children", []).append(index[name])
        numbers = [(rand.uniform(0.3, 2), rand.uniform(0, 1), rand.uniform(0.3, 0.7), rand.uniform(0.01, 0.04))
                   for _ in chain[:-1]]
        colliders = [] if seed == 0 else [
            ("sphere", "j_head", {"offset": [0, -0.05, -0.05], "radius": 0.1}),
            ("capsule", "j_spine", {"offset": [0, 0, -0.02], "tail": [0, 0.3, -0.05], "radius": 0.12}),
            ("sphere", "j_spine", {"offset": [0, 0.2, 0], "radius": 0.9, "inside": True}),
            ("plane", "j_spine", {"offset": [0, 0, -0.08], "normal": unit([0.1, 0.1, -1])})][:seed + 1]
        center = "j_hips" if seed % 2 else None
        cls.write(tiny, index, chain, numbers, colliders, center)
        keys = [[0, 1, 0], [0.3, 1.1, 0.1], [-0.2, 1, 0.2], [0, 1, 0]]
        turns = [[0, 0, 0, 1], turn(0.5), turn(0.5), turn(0.5)]
        times = [0, 0.7, 1.6, 3]
        tiny.clip([(index["j_hips"], "translation", times, keys, "LINEAR"),
                   (index["j_head"], "rotation", times, turns, "LINEAR")], name="sway")
        name = cls.put_rig(f"springs{seed}", tiny.glb())
        return name, Model(nodes, chain, numbers, colliders, center), (times, keys, turns)

    @staticmethod
    def write(tiny, index, chain, numbers, colliders, center):
        written = []
        for kind, node, shape in colliders:
            shape = {key: value for key, value in shape.items()}
            plain = {"sphere": {"offset": [0, 0, 0], "radius": 0}}
            if kind == "plane" or shape.get("inside"):
                extended = {"specVersion": "1.0", "shape": {kind: shape}}
                written.append({"node": index[node], "shape": plain,
                                "extensions": {"VRMC_springBone_extended_collider": extended}})
            else:
                written.append({"node": index[node], "shape": {kind: shape}})
        joints = [{"node": index[name], "stiffness": s, "gravityPower": g, "dragForce": d, "hitRadius": r}
                  for name, (s, g, d, r) in zip(chain, numbers)] + [{"node": index[chain[-1]]}]
        spring = {"joints": joints, "colliderGroups": [0]}
        if center:
            spring["center"] = index[center]
        tiny.json["extensionsUsed"].append("VRMC_springBone_extended_collider")
        tiny.json["extensions"]["VRMC_springBone"] = {
            "specVersion": "1.0", "colliders": written, "springs": [spring],
            "colliderGroups": [{"colliders": list(range(len(written)))}]}
        if not written:
            del spring["colliderGroups"], tiny.json["extensions"]["VRMC_springBone"]["colliderGroups"]
            del tiny.json["extensions"]["VRMC_springBone"]["colliders"]

    @staticmethod
    def moved(model, clip, time):
        times, keys, turns = clip
        time = min(max(time, 0), times[-1])
        i = next(i for i in range(len(times) - 1) if time <= times[i + 1])
        share = (time - times[i]) / (times[i + 1] - times[i])
        place = add(keys[i], add(keys[i + 1], keys[i], -1), share)
        return {"j_hips": (place, model.nodes["j_hips"][2]),
                "j_head": (model.nodes["j_head"][1], slerp(turns[i], turns[i + 1], share))}

    def farthest(self, name, model, moved, pose):
        """From the places of the chain's joints to those of the daemon, in heights."""
        worlds, joints = model.worlds(moved), self.joints(name, pose)
        return max(math.dist(worlds[tail][1], joints[tail]["world"][12:15]) / 2 for tail in model.chain)

    def run_model(self, model, clip, time, seconds):
        state = model.start(self.moved(model, clip, time - seconds))
        moved = None
        for k in range(1, round(seconds * RATE) + 1):
            moved = model.step(state, self.moved(model, clip, time - seconds + k / RATE))
        return moved

    def test_runs_of_a_clip(self):
        """Over 3 s; and where the clip begins on the way, and stands at its start before."""
        for name, model, clip in self.models:
            for time, seconds in ((3, 3), (1.3, 1), (0.5, 1.5)):
                with self.subTest(name, time=time, seconds=seconds):
                    moved = self.run_model(model, clip, time, seconds)
                    pose = {"springs": {"clip": "sway", "time": time}, "seconds": seconds, "rate": RATE}
                    self.assertLess(self.farthest(name, model, moved, pose), RUN)
                    still = {"clip": "sway", "time": time}
                    self.assertGreater(self.farthest(name, model, moved, still), 0.005)

    def test_settled_springs_are_where_runs_end(self):
        for name, model, clip in self.models:
            for time in (0.7,):
                with self.subTest(name, time=time):
                    still = self.moved(model, clip, time)
                    state = model.start(still)
                    for _ in range(12 * RATE):
                        moved = model.step(state, still)
                    pose = {"springs": {"clip": "sway", "time": time}}
                    self.assertLess(self.farthest(name, model, moved, pose), SETTLED)
