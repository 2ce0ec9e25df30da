#!/usr/bin/env python3
"""Writes collada_positions.tsv: where nodes and skinned points of COLLADA files are, read on its own.

collada_positions.py FOLDER FILE... > tests/unit/collada_positions.tsv; the files lie below the folder.
Source: Khronos, COLLADA 1.4.1: transformations of a node multiply in their order; a skin takes points by
the bind shape's matrix, the joint's inverse bind matrix, the joint's world; keys of whole matrices count
at their own times. Lines: "J file time node x y z" and "M file time mesh" with least and greatest x y z;
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
        self.keys[node] = {time: matrix_of(values[16 * i:16 * i + 16]) for i, time in enumerate(times)}

    def local(self, node, time):
        keys = self.keys.get(node.get("id"))
        if time is not None and keys:
            return keys[time]
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
        for time in [None, *sorted({times[len(times) * i // 4] for i in range(4)} if times else ())]:
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
