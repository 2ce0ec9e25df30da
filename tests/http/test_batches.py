"""The batches that lbs cuts a mesh into for few matrices: what answers say of them, and the shading that
shows them, checked against METHODS' partition made here."""
import random
import unittest

from client import JSON
from picture import Picture
from test_fits import EXACT, FitCase
from test_shading import FRONT, NOTHING
from tiny import Tiny

LIMITS = {"ffp1": 4, "ffp2": 57, "cg4m": 24}
SIZE = 256
GREY = (150, 150, 150, 255)


def partition(triangles, sets, limit):
    """The batch of each triangle, None for those that are taken apart, and the joints and vertices of
    each batch. sets: the joints of each vertex.

    Triangles go in the order of their joint sets to the open batch that needs the fewest joints more,
    the oldest of several; where none has room a new one is opened. Vertices of no such triangle go
    likewise, each by itself.
    """
    pieces, placed = [], set()
    for i, corners in enumerate(triangles):
        joints = sorted(set().union(*(sets[v] for v in corners)))
        if len(joints) <= limit:
            pieces.append((joints, corners, i))
            placed.update(corners)
    pieces += [(sorted(s), (v,), None) for v, s in enumerate(sets) if v not in placed]
    batches, vertices, batch_of = [], [], [None] * len(triangles)
    for joints, corners, i in sorted(pieces, key=lambda piece: piece[0]):
        room = [(len(set(joints) - batch), at) for at, batch in enumerate(batches)
                if len(batch | set(joints)) <= limit]
        at = min(room)[1] if room else len(batches)
        if not room:
            batches.append(set())
            vertices.append(set())
        batches[at] |= set(joints)
        vertices[at].update(corners)
        if i is not None:
            batch_of[i] = at
    return batch_of, batches, vertices


def patchwork(seed, joint_count, side, most, indexed=True):
    """A square of side x side cells, two triangles each, whose vertices follow random joints, up to
    so many; near ones follow near ones. Also the triangles and each vertex's joints."""
    rng = random.Random(seed)
    tiny = Tiny()
    points, sets = [], []
    for y in range(side + 1):
        for x in range(side + 1):
            points.append((-0.9 + 1.8 * x / side, -0.9 + 1.8 * y / side, 0))
            middle = (x + y) * joint_count / (2 * side + 2)
            sets.append({min(max(int(rng.gauss(middle, joint_count / 8)), 0), joint_count - 1)
                         for _ in range(rng.randint(1, most))})
    triangles = []
    for y in range(side):
        for x in range(side):
            a = y * (side + 1) + x
            triangles += [(a, a + 1, a + side + 2), (a, a + side + 2, a + side + 1)]
    if not indexed:
        points = [points[v] for corners in triangles for v in corners]
        sets = [sets[v] for corners in triangles for v in corners]
        triangles = [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(triangles))]
    joints = [(*sorted(s), 0, 0, 0, 0)[:4] for s in sets]
    weights = [(*[1 / len(s)] * len(s), 0, 0, 0, 0)[:4] for s in sets]
    nodes = [tiny.node(root=True, name=f"j{i}") for i in range(joint_count)]
    j, w = tiny.influences(joints, weights)
    order = [v for corners in triangles for v in corners] if indexed else None
    normals = tiny.normals([(0, 0, 1)] * len(points))
    mesh = tiny.mesh(tiny.primitive(points, order, NORMAL=normals, JOINTS_0=j, WEIGHTS_0=w))
    tiny.node(root=True, mesh=mesh, skin=tiny.skin(nodes))
    return tiny, points, triangles, sets


class Batches(FitCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("tube23")
        cls.put_demo("cyl2")

    def said(self, rig, impl, device="cpu"):
        skinning = {"method": "lbs", "impl": impl, "device": device}
        reply = self.client.vertices(rig, skinning=skinning, accept=JSON)
        self.assertStatus(reply, 200)
        batches = reply.json()["skinning"].get("batches")
        header = reply.headers["Posed-Skinning"]
        if batches:
            self.assertIn(f"; batches={batches['count']}; gained_vertices={batches['gained']}",
                          header)
        else:
            self.assertNotIn("batches", header)
        return batches

    def test_the_tube_of_the_thesis_has_twenty(self):
        def check(device):
            self.assertEqual(self.said("tube23", "ffp1", device),
                             {"count": 20, "vertices": 13206, "gained": 0,
                              "fewest_joints": 4, "most_joints": 4})

        self.for_each_device(check)
        for impl in ("ffp2", "cg4m"):
            self.assertEqual(self.said("tube23", impl),
                             {"count": 1, "vertices": 13206, "gained": 0,
                              "fewest_joints": 23, "most_joints": 23})
        for impl in ("vsp3", "vsp1", "vsp2", "sw"):
            self.assertIsNone(self.said("tube23", impl), impl)

    def test_batches_are_those_of_the_partition(self):
        gained = 0
        for seed, joints, most, indexed in (
            (1, 9, 2, True), (2, 40, 2, True), (3, 30, 4, True), (4, 130, 3, True), (5, 12, 2, False)
        ):
            tiny, points, triangles, sets = patchwork(seed, joints, 10, most, indexed)
            self.put_rig("patchwork", tiny.glb())
            for impl, limit in LIMITS.items():
                with self.subTest(seed=seed, impl=impl):
                    _, batches, vertices = partition(triangles, sets, limit)
                    rows = sum(map(len, vertices))
                    self.assertEqual(self.said("patchwork", impl),
                                     {"count": len(batches), "vertices": rows,
                                      "gained": rows - len(points),
                                      "fewest_joints": min(map(len, batches)),
                                      "most_joints": max(map(len, batches))})
                    gained += rows - len(points)
        self.assertGreater(gained, 100)

    def test_fits_and_comparisons_tell_them(self):
        want = self.said("tube23", "ffp1")
        fit = self.await_end("tube23", self.begin("tube23", {"method": "lbs", "impl": "ffp1"}))
        self.assertEqual(fit["batches"], want)
        self.assertNotIn("batches", self.await_end("cyl2", self.begin("cyl2", EXACT)))
        methods = [{"method": "lbs", "impl": "ffp1"}, "lbs"]
        compared = self.client.compare("tube23", methods=methods).json()["methods"]
        self.assertEqual(compared[0]["batches"], want)
        self.assertNotIn("batches", compared[1])

    def picture(self, rig, **shading):
        reply = self.client.frame(rig, shading={"mode": "batches", **shading}, samples=1,
                                  width=SIZE, height=SIZE, camera=FRONT)
        return Picture(self.assertStatus(reply, 200).body)

    def test_each_triangle_has_the_colour_of_its_batch(self):
        for seed, joints, most, indexed in ((2, 40, 2, True), (3, 30, 4, True), (5, 60, 2, False)):
            tiny, points, triangles, sets = patchwork(seed, joints, 10, most, indexed)
            self.put_rig("patchwork", tiny.glb())
            for impl, limit in LIMITS.items():
                batch_of, _, _ = partition(triangles, sets, limit)
                picture = self.picture("patchwork", impl=impl)
                colours = {}
                for batch, corners in zip(batch_of, triangles):
                    x, y = (sum(points[v][k] for v in corners) / 3 for k in (0, 1))
                    pixel = picture[int((1 + x) * SIZE / 2), int((1 - y) * SIZE / 2)]
                    self.assertEqual(colours.setdefault(batch, pixel), pixel, (seed, impl, batch))
                self.assertEqual(len(set(colours.values())), len(colours), (seed, impl))
                self.assertEqual(colours.get(None, GREY), GREY)
                # Nothing else is there: triangles have their colour up to their edges.
                self.assertEqual(set(picture.pixels()), {*colours.values(), NOTHING})
            if most == 4:
                self.assertIn(None, partition(triangles, sets, 4)[0])

    def test_copies_in_a_crowd_have_the_same(self):
        tiny, *_ = patchwork(2, 40, 10, 2)
        self.put_rig("patchwork", tiny.glb())
        alone = self.picture("patchwork")
        instances = [{"rig": "patchwork", "translation": [x, 0, 0], "scale": 0.5} for x in (-0.5, 0.5)]
        reply = self.client.crowd(instances, shading="batches", samples=1, width=SIZE,
                                  height=SIZE, camera=FRONT)
        crowd = Picture(self.assertStatus(reply, 200).body)
        for x in range(4, SIZE, 12):
            for y in range(4, SIZE, 12):
                for left in (0, SIZE // 2):
                    at = (left + x // 2, SIZE // 4 + y // 2)
                    near = {alone[x + dx, y + dy] for dx in range(-1, 3) for dy in range(-1, 3)
                            if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE}
                    self.assertIn(crowd[at], near)

    def test_points_and_lines_are_grey(self):
        tiny, *_ = patchwork(1, 9, 4, 2)
        for mode in (0, 1):
            tiny.json["meshes"][0]["primitives"][0]["mode"] = mode
            self.put_rig("loose", tiny.glb())
            self.assertLessEqual({p[:3] for p in self.picture("loose").pixels()} - {(0, 0, 0)},
                                 {GREY[:3]})

    def test_rigs_of_more_influences_are_refused(self):
        tiny, points, *_ = patchwork(1, 9, 2, 2)
        joints, weights = tiny.influences([(5, 6, 7, 8)] * len(points), [(0.1,) * 4] * len(points))
        attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
        attributes.update(JOINTS_1=joints, WEIGHTS_1=weights)
        self.put_rig("eight", tiny.glb())
        reply = self.client.frame("eight", shading="batches")
        self.assertProblem(reply, 400, "invalid-value", pointer="/shading", says="4 influences")

    def test_wrong_options_are_named(self):
        for shading, pointer, piece in (
            ({"mode": "batches", "impl": "vsp1"}, "/shading/impl", "ffp1, ffp2, cg4m"),
            ({"mode": "batches", "joint": "J1"}, "/shading/joint", "mode, legend, impl"),
            ({"mode": "weights", "impl": "ffp1"}, "/shading/impl", "mode, joint, legend"),
        ):
            reply = self.client.frame("cyl2", shading=shading)
            self.assertEqual(reply.status, 400, reply)
            self.assertEqual(reply.json()["pointer"], pointer)
            self.assertIn(piece, reply.json()["detail"])

    def test_legends_and_links(self):
        shading = {"mode": "batches", "impl": "ffp1", "legend": True}
        size = {"width": 256, "height": 400}
        frame = self.client.frame("tube23", shading=shading, **size)
        plain = self.client.frame("tube23", shading="batches", **size)
        self.assertNotEqual(self.assertStatus(frame, 200).body, self.assertStatus(plain, 200).body)
        link = self.client.picture_link("tube23", shading="batches", impl="ffp1", legend="true", **size)
        self.assertEqual(self.assertStatus(link, 200).body, frame.body)


if __name__ == "__main__":
    unittest.main()
