#!/usr/bin/env python3
"""Writes collada_positions.tsv: where nodes and skinned points of COLLADA files are, read on its own.

collada_positions.py FOLDER FILE... > tests/unit/collada_positions.tsv; the files lie below the folder.
Source: Khronos, COLLADA 1.4.1: transformations of a node multiply in their order; a skin takes points by
the bind shape's matrix, the joint's inverse bind matrix, the joint's world; keys of whole matrices count
at their own times. Between LINEAR ones, the file's own interpolation, translation and scale are linear and the
rotation takes the shorter way round evenly, as readers have it: a matrix of means would shrink what turns. Lines: "J file time node x y z" and "M file time mesh" with least and greatest x y z;
time -1 is at rest.
"""
import math
import pathlib
import sys
import xml.etree.ElementTree

NAMESPACE = "{http://www.collada.org/2005/11/COLLADASchema}"
IDENTITY = [[float(i == j) for j in range(4)] for i in range(4)]
# x y z of the file in rows, to those with y up.
TURNS = {"Y_UP": IDENTITY, "Z_UP": [[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]],
         "X_UP": [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def mapped(m, p):
    return [sum(m[i][k] * p[k] for k in range(3)) + m[i][3] for i in range(3)]


def matrix_of(numbers):
    return [list(numbers[4 * i:4 * i + 4]) for i in range(4)]


def floats(element):
    return [float(word) for word in (element.text or "").split()]


def transformation(element):
    tag, values = element.tag.removeprefix(NAMESPACE), floats(element)
    if tag == "matrix":
        return matrix_of(values)
    m = [row[:] for row in IDENTITY]
    for i in range(3):
        if tag == "translate":
            m[i][3] = values[i]
        elif tag == "scale":
            m[i][i] = values[i]
    if tag == "rotate":
        length = math.sqrt(sum(x * x for x in values[:3]))
        x, y, z = (value / length for value in values[:3])
        c, s = math.cos(math.radians(values[3])), math.sin(math.radians(values[3]))
        rows = ((c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s),
                (y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s),
                (z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)))
        for i in range(3):
            m[i][:3] = rows[i]
    return m


def parts_of(m):
    """Translation, quaternion w x y z, and scale of a matrix without shear; by the largest of the four."""
    scale = [math.sqrt(sum(m[i][k] ** 2 for i in range(3))) for k in range(3)]
    r = [[m[i][k] / scale[k] for k in range(3)] for i in range(3)]
    cross = [r[(i + 1) % 3][0] * r[(i + 2) % 3][1] - r[(i + 2) % 3][0] * r[(i + 1) % 3][1] for i in range(3)]
    if sum(a * r[i][2] for i, a in enumerate(cross)) < 0:
        # A mirror: which axis has it makes no difference between two keys that both are one.
        r, scale = [[-x for x in row] for row in r], [-x for x in scale]
    assert min(math.dist(cross, [sign * r[i][2] for i in range(3)]) for sign in (1, -1)) < 1e-4, "sheared"
    squares = [1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
               1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]]
    d = 2 * math.sqrt(max(squares))
    q = {0: lambda: [d / 4, (r[2][1] - r[1][2]) / d, (r[0][2] - r[2][0]) / d, (r[1][0] - r[0][1]) / d],
         1: lambda: [(r[2][1] - r[1][2]) / d, d / 4, (r[0][1] + r[1][0]) / d, (r[0][2] + r[2][0]) / d],
         2: lambda: [(r[0][2] - r[2][0]) / d, (r[0][1] + r[1][0]) / d, d / 4, (r[1][2] + r[2][1]) / d],
         3: lambda: [(r[1][0] - r[0][1]) / d, (r[0][2] + r[2][0]) / d, (r[1][2] + r[2][1]) / d, d / 4],
         }[squares.index(max(squares))]()
    return [m[i][3] for i in range(3)], q, scale


def between(first, second, share):
    """A matrix between two keys."""
    (t, p, s), (u, q, v) = parts_of(first), parts_of(second)
    dot = sum(a * b for a, b in zip(p, q))
    q = [-x for x in q] if dot < 0 else q
    angle = math.acos(min(abs(dot), 1))
    a, b = ((math.sin((1 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle))
            if angle > 1e-6 else (1 - share, share))
    w, x, y, z = (a * m + b * n for m, n in zip(p, q))
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    place = [(1 - share) * m + share * n for m, n in zip(t, u)]
    scale = [(1 - share) * m + share * n for m, n in zip(s, v)]
    return [[rows[i][k] * scale[k] for k in range(3)] + [place[i]] for i in range(3)] + [[0.0, 0.0, 0.0, 1.0]]


class File:
    def __init__(self, path):
        self.root = xml.etree.ElementTree.parse(path).getroot()
        self.ids = {e.get("id"): e for e in self.root.iter() if e.get("id")}
        unit = self.root.find(f"{NAMESPACE}asset/{NAMESPACE}unit")
        axis = self.root.findtext(f"{NAMESPACE}asset/{NAMESPACE}up_axis", "Y_UP")
        scale = float(unit.get("meter", "1")) if unit is not None else 1
        self.turn = [[x * scale if i < 3 else x for x in row] for i, row in enumerate(TURNS[axis])]
        self.keys = {}  # of a node: [(time, matrix)]
        for channel in self.root.iter(NAMESPACE + "channel"):
            self.read_channel(channel)

    def named(self, element, tag):
        return next((e for e in element.iter(NAMESPACE + tag)), None)

    def source(self, reference):
        found = self.ids[reference.removeprefix("#")]
        array = next(e for e in found if e.tag in (NAMESPACE + "float_array", NAMESPACE + "Name_array",
                                                   NAMESPACE + "IDREF_array"))
        return floats(array) if array.tag == NAMESPACE + "float_array" else (array.text or "").split()

    def inputs(self, element):
        return {e.get("semantic"): e for e in element.iter(NAMESPACE + "input")}

    def read_channel(self, channel):
        node, _, member = channel.get("target").partition("/")
        if member != "matrix":
            return
        inputs = self.inputs(self.ids[channel.get("source").removeprefix("#")])
        times = self.source(inputs["INPUT"].get("source"))
        values = self.source(inputs["OUTPUT"].get("source"))
        assert set(self.source(inputs["INTERPOLATION"].get("source"))) == {"LINEAR"}
        self.keys[node] = {time: matrix_of(values[16 * i:16 * i + 16]) for i, time in enumerate(times)}

    def local(self, node, time):
        keys = self.keys.get(node.get("id"))
        if time is not None and keys:
            if time in keys:
                return keys[time]
            before = max((key for key in keys if key < time), default=min(keys))
            after = min((key for key in keys if key > time), default=max(keys))
            return between(keys[before], keys[after], (time - before) / (after - before)) if before < after else keys[before]
        m = IDENTITY
        for child in node:
            if child.tag.removeprefix(NAMESPACE) in ("matrix", "rotate", "scale", "translate"):
                m = product(m, transformation(child))
        return m

    def worlds(self, time):
        """(node, world) of each node, in the file's own units and axes."""
        out = []

        def visit(element, above):
            for node in element.findall(NAMESPACE + "node"):
                world = product(above, self.local(node, time))
                out.append((node, world))
                visit(node, world)
        visit(self.named(self.root, "visual_scene"), IDENTITY)
        return out

    def skinned(self, controller, worlds):
        skin = self.named(self.ids[controller], "skin")
        geometry = self.ids[skin.get("source").removeprefix("#")]
        places = self.source(self.inputs(self.named(geometry, "vertices"))["POSITION"].get("source"))
        shape = skin.find(NAMESPACE + "bind_shape_matrix")
        bind = matrix_of(floats(shape)) if shape is not None else IDENTITY
        inputs = self.inputs(self.named(skin, "joints"))
        names = self.source(inputs["JOINT"].get("source"))
        numbers = self.source(inputs["INV_BIND_MATRIX"].get("source"))
        by_name = {key: world for node, world in worlds for key in (node.get("sid"), node.get("id")) if key}
        maps = [product(by_name[name], matrix_of(numbers[16 * i:16 * i + 16])) for i, name in enumerate(names)]
        listed = self.named(skin, "vertex_weights")
        weights = self.source(next(e for e in listed.findall(NAMESPACE + "input")
                                   if e.get("semantic") == "WEIGHT").get("source"))
        counts = [int(x) for x in listed.findtext(NAMESPACE + "vcount").split()]
        pairs = iter([int(x) for x in listed.findtext(NAMESPACE + "v").split()])
        points = []
        for i, count in enumerate(counts):
            base, out, total = mapped(bind, places[3 * i:3 * i + 3]), [0.0, 0.0, 0.0], 0.0
            for _ in range(count):
                joint, weight = next(pairs), weights[next(pairs)]
                moved = mapped(maps[joint], base)
                out = [a + weight * b for a, b in zip(out, moved)]
                total += weight
            points.append([x / total for x in out])
        return points


def show(kind, *words):
    print(kind, *(f"{w:.9g}" if isinstance(w, float) else w for w in words))


def main():
    for path in sys.argv[2:]:
        file = File(pathlib.Path(sys.argv[1]) / path)
        times = sorted(set.intersection(*(set(keys) for keys in file.keys.values()))) if file.keys else []
        chosen = {times[len(times) * i // 4] for i in range(4)} if times else set()
        # Between keys, in float32's reach of both.
        chosen |= {round(times[i] + 0.37 * (times[i + 1] - times[i]), 6)
                   for i in (len(times) // 8, len(times) // 2, len(times) - 2)} if len(times) > 2 else set()
        for time in [None, *sorted(chosen)]:
            label, worlds = -1 if time is None else time, file.worlds(time)
            for node, world in worlds:
                if node.get("id"):
                    place = mapped(file.turn, [world[i][3] for i in range(3)])
                    show("J", path, label, node.get("id").replace(" ", "_"), *place)
            for instance in file.root.iter(NAMESPACE + "instance_controller"):
                name = instance.get("url").removeprefix("#")
                skin = file.named(file.ids[name], "skin")
                if skin is None or skin.get("source").removeprefix("#") not in file.ids:
                    continue
                points = [mapped(file.turn, p) for p in file.skinned(name, worlds)]
                show("M", path, label, name, *(min(p[i] for p in points) for i in range(3)),
                     *(max(p[i] for p in points) for i in range(3)))


main()
