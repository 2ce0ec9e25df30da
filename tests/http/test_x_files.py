"""Skins and motion of DirectX .x against a reader of the text, written here after Microsoft's description of
the templates: vectors are rows, space is left-handed (posed mirrors z), a vertex goes by the bone's offset
matrix and the bone's world. A rotation's key holds w x y z of the transposed turn, as the file's own frame
and first key show, which are of the same moment."""
import math
import re
import unittest

from case import DaemonCase, shared_file

IDENTITY = [[float(i == k) for k in range(4)] for i in range(4)]
MOTION = """xof 0303txt 0032
AnimTicksPerSecond { 10; }
Frame Above { FrameTransformMatrix { 0,0,-1,0, 0,1,0,0, 1,0,0,0, 0,1,0,1;; }
Frame Bone { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 2,0,0,1;; } } }
Mesh m { 3; 0;0;0;, 1;0;2;, 2;3;0;; 1; 3;0,1,2;;
XSkinMeshHeader { 2; 2; 2; }
SkinWeights { "Above"; 2; 0, 1; 1.0, 0.25; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-1,0,1;; }
SkinWeights { "Bone"; 2; 1, 2; 0.75, 1.0; 0,1,0,0, -1,0,0,0, 0,0,1,0, 0,-1,3,1;; } }
AnimationSet walk {
Animation { {Bone}
AnimationKey { 0; 2; 0;4;1,0,0,0;;, 10;4;0.8,0,0.6,0;;; }
AnimationKey { 1; 2; 0;3;1,1,1;;, 10;3;2,1,1;;; }
AnimationKey { 2; 3; 0;3;2,0,0;;, 5;3;0,1,4;;, 10;3;2,2,0;;; } }
Animation { {Above}
AnimationKey { 4; 2; 0;16;0,0,-1,0, 0,1,0,0, 1,0,0,0, 0,1,0,1;;, 10;16;1,0,0,0, 0,1,0,0, 0,0,1,0, 5,1,0,1;;; } } }
"""


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def numbers(text):
    return [float(word) for word in re.findall(r"[-+.\deE]+", text)]


def rows(values):
    return [list(values[4 * i:4 * i + 4]) for i in range(4)]


class Block:
    """`Name own { text, blocks }`."""

    def __init__(self, kind, name):
        self.kind, self.name, self.text, self.blocks = kind, name, "", []

    def all(self, kind):
        return [block for block in self.blocks if block.kind == kind]

    def below(self, kind):
        return [found for block in self.blocks for found in ([block] if block.kind == kind else []) + block.below(kind)]


def parse(text):
    """The blocks of a file in text."""
    root = Block("", "")
    open_blocks, at = [root], 0
    for match in re.finditer(r"(?:(\w+)[ \t]*(\w*)\s*)?\{\s*(?:(\w+)\s*\})?|\}", text):
        open_blocks[-1].text += text[at:match.start()]
        at = match.end()
        if match.group() == "}":
            open_blocks.pop()
        elif match[3] and not match[1]:
            open_blocks[-1].text += f" @{match[3]} "  # a reference
        elif match[1]:
            block = Block(match[1], match[2])
            open_blocks[-1].blocks.append(block)
            if match[3]:
                block.text = match[3]
            else:
                open_blocks.append(block)
    return root


def quaternion(q):
    """A row-vector matrix of a key's w x y z, which are of the transposed turn."""
    length = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (value / length for value in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0], [0, 0, 0, 1]]


class File:
    def __init__(self, text):
        root = parse(re.sub(r"//[^\n]*", "", text))
        ticks = root.all("AnimTicksPerSecond")
        self.ticks = numbers(ticks[0].text)[0] if ticks else 4800
        self.frames = {}  # by name: (parent, rest)
        self.find_frames(root, None)
        self.keys = {}  # by frame: {kind: {tick: values}}
        for animation in root.below("Animation"):
            kinds = {}
            for key in animation.all("AnimationKey"):
                kind, count, *rest = numbers(key.text)
                size = len(rest) // int(count)
                kinds[int(kind)] = {rest[i]: rest[i + 2:i + size] for i in range(0, len(rest), size)}
            self.keys[re.search(r"@(\w+)", animation.text)[1]] = kinds
        self.mesh, = root.below("Mesh")
        values = numbers(self.mesh.text)
        self.points = [values[1 + 3 * i:4 + 3 * i] for i in range(int(values[0]))]
        self.bones = []  # name, {vertex: weight}, offset
        for skin in self.mesh.all("SkinWeights"):
            name = re.search(r'"(.*?)"', skin.text)[1]
            count, *rest = numbers(skin.text.partition('";')[2])
            count = int(count)
            weights = dict(zip(map(int, rest[:count]), rest[count:2 * count]))
            self.bones.append((name, weights, rows(rest[2 * count:])))

    def find_frames(self, block, parent):
        for frame in block.all("Frame"):
            own = frame.all("FrameTransformMatrix")
            self.frames[frame.name] = (parent, rows(numbers(own[0].text)) if own else IDENTITY)
            self.find_frames(frame, frame.name)

    def local(self, name, tick):
        """tick: of a key of each kind; None = at rest."""
        kinds = self.keys.get(name)
        if tick is None or not kinds:
            return self.frames[name][1]
        if 4 in kinds:
            return rows(kinds[4][tick])
        scale, place = kinds[1][tick], kinds[2][tick]
        turned = quaternion(kinds[0][tick])
        out = [[scale[i] * x for x in turned[i]] for i in range(3)]
        return out + [[*place, 1.0]]

    def world(self, name, tick):
        own, parent = self.local(name, tick), self.frames[name][0]
        return product(own, self.world(parent, tick)) if parent else own

    def skinned(self, tick):
        """By vertex; bones that are no frame of the file do not move."""
        out = []
        maps = [product(offset, self.world(name, tick)) if name in self.frames else IDENTITY
                for name, _, offset in self.bones]
        for i, point in enumerate(self.points):
            total, sum_of = [0.0, 0.0, 0.0], 0.0
            for (_, weights, _), m in zip(self.bones, maps):
                weight = weights.get(i, 0)
                sum_of += weight
                for k in range(3):
                    total[k] += weight * sum(x * m[r][k] for r, x in enumerate([*point, 1.0]))
            out.append((total[0] / sum_of, total[1] / sum_of, -total[2] / sum_of))
        return out


class XFiles(DaemonCase):
    daemon_args = ("--renderer", "none")

    def assertMoves(self, rig, file, ticks):
        clip = self.description(rig)["clips"][0]["name"]
        size = max(abs(x) for point in file.points for x in point)
        for tick in (None, *ticks):
            pose = "rest" if tick is None else {"clip": clip, "time": tick / file.ticks}
            joints = self.joints(rig, pose)
            for name in file.frames:
                world = file.world(name, tick)
                place = (world[3][0], world[3][1], -world[3][2])
                self.assertNumbers(joints[name]["world"][12:15], place, 2e-6 * size, f"{name} at {tick}")
            # Corners may be shared or split: some of each list, as the other has them.
            want, got = file.skinned(tick), [tuple(point) for point in self.positions(rig, pose)]
            for some, others in ((want[::37], got), (got[::37], want)):
                for point in some:
                    self.assertLess(min(math.dist(point, other) for other in others), 1e-5 * size, f"{point} at {tick}")

    def test_all_kinds_of_keys(self):
        self.put_rig("made", MOTION.encode())
        self.assertMoves("made", File(MOTION), (0, 10))

    def test_a_real_cylinder_bends(self):
        data = shared_file("assimp-bsd/X/anim_test.x").read_bytes()
        self.put_rig("cylinder", data)
        file = File(data.decode("latin-1"))
        # The frames are of the moment of the first key.
        for name in ("joint1", "joint2"):
            for a, b in zip(file.local(name, None), file.local(name, 1)):
                self.assertNumbers(a, b, 1e-5)
        self.assertMoves("cylinder", file, (1, 6, 10, 18, 24))


if __name__ == "__main__":
    unittest.main()
