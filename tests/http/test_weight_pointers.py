"""Animated morph weights by KHR_animation_pointer: of a node, of a mesh and one at a time, against
glTF's formulas of interpolation, channel by channel."""
import random
import unittest

from case import DaemonCase
from tiny import Tiny

TARGETS = 3
APART_MOST = 2e-6
SAMPLES = 61


def random_keys(chance, interpolation):
    """Times that differ from channel to channel, and values; cubic ones with their tangents."""
    count = chance.randrange(1, 6)
    times = sorted(chance.sample([i / 16 for i in range(33)], count))
    numbers = 3 if interpolation == "CUBICSPLINE" else 1
    return times, [chance.uniform(-1, 2) for _ in range(count * numbers)]


def value_at(times, values, interpolation, time):
    """glTF 2.0, appendix C."""
    cubic = interpolation == "CUBICSPLINE"
    value = (lambda i: values[3 * i + 1]) if cubic else (lambda i: values[i])
    if time <= times[0] or len(times) == 1:
        return value(0)
    if time >= times[-1]:
        return value(len(times) - 1)
    i = max(k for k in range(len(times)) if times[k] <= time)
    length = times[i + 1] - times[i]
    u = (time - times[i]) / length
    if interpolation == "STEP":
        return value(i)
    if not cubic:
        return value(i) + u * (value(i + 1) - value(i))
    return ((2 * u**3 - 3 * u**2 + 1) * value(i) + (3 * u**2 - 2 * u**3) * value(i + 1)
            + length * (u**3 - 2 * u**2 + u) * values[3 * i + 2]
            + length * (u**3 - u**2) * values[3 * i + 3])


class Faces:
    """Triangles whose vertex K is moved by weight K along +X, on nodes of one mesh."""

    def __init__(self, nodes=({},), weights=None):
        self.tiny = Tiny()
        targets = []
        for k in range(TARGETS):
            moved = [(1.0 if i == k else 0.0, 0, 0) for i in range(3)]
            targets.append({"POSITION": self.tiny.accessor(moved, "VEC3", bounds=True)})
        primitive = self.tiny.primitive([(0, 0, 0), (0, 1, 0), (0, 0, 1)])
        primitive["targets"] = targets
        mesh = self.tiny.mesh(primitive, **({"weights": weights} if weights else {}))
        for i, members in enumerate(nodes):
            self.tiny.node(root=True, name=f"face{i}", mesh=mesh, **members)
        self.channels, self.samplers = [], []
        self.tiny.json["animations"] = [{"name": "talk", "channels": self.channels,
                                         "samplers": self.samplers}]
        self.tiny.json["extensionsUsed"] = ["KHR_animation_pointer"]

    def drive(self, pointer, times, values, interpolation="LINEAR"):
        self.samplers.append({
            "input": self.tiny.accessor([(time,) for time in times], "SCALAR", bounds=True),
            "output": self.tiny.accessor([(value,) for value in values], "SCALAR"),
            "interpolation": interpolation})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {
            "path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})


class WeightPointers(DaemonCase):
    def weights(self, rig, times):
        """For each time the weights of each face."""
        found = []
        for time in times:
            points = self.positions(rig, {"clip": "talk", "time": time})
            found.append([x for x, _, _ in points])
        return found

    def hold(self, faces, expected, times):
        rig = self.put_rig("faces", faces.tiny.glb())
        for got, time in zip(self.weights(rig, times), times):
            self.assertNumbers(got, expected(time), APART_MOST, f"at {time}")

    def test_single_weights_of_a_node_go_each_their_way(self):
        chance = random.Random(3)
        kinds = ("LINEAR", "STEP", "CUBICSPLINE")
        for number in range(24):
            faces = Faces(weights=[0.25, 0.5, 0.75])
            driven = {}
            for k in chance.sample(range(TARGETS), chance.randrange(1, TARGETS + 1)):
                interpolation = chance.choice(kinds)
                times, values = random_keys(chance, interpolation)
                faces.drive(f"/nodes/0/weights/{k}", times, values, interpolation)
                driven[k] = (times, values, interpolation)
            end = max(keys[0][-1] for keys in driven.values())
            # Between the moments of keys: at a step itself float32 decides.
            times = [end * (i + 0.37) / SAMPLES for i in range(SAMPLES)] if end else [0]
            with self.subTest(number=number, kinds=[keys[2] for keys in driven.values()]):
                self.hold(faces, lambda time: [
                    value_at(*driven[k], time) if k in driven else 0.25 * (k + 1)
                    for k in range(TARGETS)], times)

    def test_steps_beside_others_happen_at_their_time(self):
        faces = Faces()
        faces.drive("/nodes/0/weights/0", [0, 1, 2], [0, 1, 0.5], "STEP")
        faces.drive("/nodes/0/weights/1", [0, 2], [0, 1])
        self.hold(faces, lambda time: [1 if 1 <= time < 2 else 0.5 if time >= 2 else 0, time / 2, 0],
                  [0, 0.9999, 1, 1.0001, 1.5, 1.9999, 2])

    def test_weights_of_a_mesh_are_those_of_its_nodes_that_have_none(self):
        faces = Faces(({}, {"weights": [0.1, 0.2, 0.3]}, {"translation": [0, 5, 0]}),
                      weights=[0.5, 0.5, 0.5])
        faces.drive("/meshes/0/weights", [0, 2], [0, 1, 0.5, 1, 0, 0.5])
        self.hold(faces, lambda time: [
            time / 2, 1 - time / 2, 0.5, 0.1, 0.2, 0.3, time / 2, 1 - time / 2, 0.5],
            [0, 0.5, 1.25, 2])

    def test_one_weight_of_a_mesh(self):
        faces = Faces(({}, {}))
        faces.drive("/meshes/0/weights/2", [0, 1], [0, 1])
        self.hold(faces, lambda time: [0, 0, time] * 2, [0, 0.25, 1])

    def test_what_leads_nowhere_is_refused_with_the_place(self):
        for pointer, says in (("/nodes/0/weights/3", "weight 3, of 3"),
                              ("/meshes/0/weights/7", "weight 7, of 3"),
                              ("/meshes/4/weights", "an index below 1")):
            with self.subTest(pointer):
                faces = Faces()
                faces.drive(pointer, [0, 1], [0, 1])
                self.assertProblem(self.client.put("broken", faces.tiny.glb()), 422,
                                   "broken-asset", says=("animations[0].channels[0]", says))


if __name__ == "__main__":
    unittest.main()
