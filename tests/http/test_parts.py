"""Methods that cut the mesh into rigid parts: other vertices than the rig's, in every answer."""
import unittest

from case import DaemonCase
from client import JSON
from test_export import Mesh

GLB = "model/gltf-binary"
# cyl2 has 658 vertices and is cut at a ring of 16; a ball has 7 rings of 16 and two poles, a bridge
# 5 points for each of the ring (METHODS A3).
VERTICES = {"parts_rigid": 674, "joint_ball": 674 + 114, "bridge_blend": 674 + 5 * 16}
BEND = {"clip": "bend", "phase": 0.5}


class Parts(DaemonCase):
    needs_driver = True

    @classmethod
    def prepare(cls):
        cls.put_demo("cyl2")

    def test_octets_have_the_vertices_of_the_parts(self):
        def run(device):
            for method, count in VERTICES.items():
                reply = self.client.vertices(
                    "cyl2",
                    BEND,
                    skinning={"method": method, "device": device},
                    attributes=["position", "normal"],
                )
                self.assertStatus(reply, 200)
                self.assertEqual(reply.headers["Posed-Vertices"], str(count), method)
                self.assertEqual(len(reply.body), count * 24, method)

        self.for_each_device(run)

    def test_many_poses_have_them_each(self):
        request = {"rig": "cyl2", "poses": [BEND, "rest", BEND], "skinning": "parts_rigid"}
        reply = self.assertStatus(self.client.post("vertices", request), 200)
        self.assertEqual(len(reply.body), 3 * 674 * 12)
        self.assertEqual(reply.body[: 674 * 12], reply.body[2 * 674 * 12 :])

    def test_json_has_them_too(self):
        reply = self.client.vertices("cyl2", BEND, skinning="bridge_blend", accept=JSON)
        body = self.assertStatus(reply, 200).json()
        self.assertEqual(body["vertices"], VERTICES["bridge_blend"])
        self.assertEqual(len(body["frames"][0]["position"]), VERTICES["bridge_blend"])

    def test_a_file_has_the_triangles_for_them(self):
        for method, count in VERTICES.items():
            octets = self.client.vertices("cyl2", BEND, skinning=method)
            reply = self.client.vertices("cyl2", BEND, skinning=method, accept=GLB)
            self.assertStatus(reply, 200)
            self.assertEqual(reply.headers["Posed-Vertices"], str(count))
            mesh = Mesh(reply.body)
            self.assertEqual(mesh.octets(), octets.body, method)
            for primitive in mesh.primitives:
                rows = mesh.rows(primitive, "POSITION")
                self.assertLess(max(mesh.indices(primitive)), len(rows))

    def test_pictures_show_them(self):
        pictures = {
            method: self.assertStatus(
                self.client.frame("cyl2", BEND, width=64, height=64, skinning=method), 200
            ).body
            for method in ("lbs", *VERTICES)
        }
        self.assertEqual(len(set(pictures.values())), len(pictures))

    def test_they_cannot_be_compared_vertex_by_vertex(self):
        reply = self.client.compare("cyl2", BEND, methods=("lbs", "parts_rigid"))
        self.assertStatus(reply, 400)
        self.assertIn("parts_rigid cuts the mesh into parts", reply.json()["detail"])


if __name__ == "__main__":
    unittest.main()
