"""`units` and `up` of formats other than FBX, for rigs and for clips: every vertex and joint, at rest and in a
clip, is that of the file read as it stands, turned and scaled. Turns are of whole right angles, written out."""
import io
import pathlib
import struct
import unittest
import zipfile

from case import SHARED, DaemonCase
from client import rig_path

FOX = SHARED / "derived-public-fox-formats"
# From a file whose axis points up to y up: as FBX and glTF turn it, the shortest way.
TURNS = {"x": lambda p: (-p[1], p[0], p[2]), "y": lambda p: p, "z": lambda p: (p[0], p[2], -p[1])}
METRES = {"m": 1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048, "2.5": 2.5}
OBJ = b"v 0 0 0\nv 1 2 3\nv 0 1 0\nf 1 2 3\n"
STL = b"by nobody".ljust(80) + struct.pack("<I12fH", 1, 0, 0, 1, 0, 2, 1, 1, 0, 5, 0, 1, 3, 0)
PLY = (b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
       b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 4\n1 2 0\n0 1 0\n3 0 1 2\n")
X = b"xof 0303txt 0032\nMesh m { 3; 0;0;1;, 1;3;0;, 0;1;2;; 1; 3;0,1,2;; }\n"
BVH = (b"HIERARCHY\nROOT hips\n{\nOFFSET 0 3 1\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
       b"Yrotation\nJOINT knee\n{\nOFFSET 0 1 2\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
       b"OFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 1 0 10 20 0 0 30 0\n1 2 3 90 0 40 50 0 0\n")
MD5 = (b'MD5Version 10\ncommandline ""\nnumJoints 2\nnumMeshes 1\njoints {\n"root" -1 ( 0 2 0 ) ( 0.5 0 0 )\n'
       b'"tip" 0 ( 0 0 1 ) ( 0 0.3 0 )\n}\nmesh {\nshader "skin.tga"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\n'
       b'vert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\nnumtris 1\ntri 0 0 1 2\nnumweights 3\n'
       b'weight 0 0 1 ( 0 0 4 )\nweight 1 0 1 ( 1 0 0 )\nweight 2 1 1 ( 0 2 0 )\n}\n')
MD5_MOTION = (b'MD5Version 10\ncommandline ""\nnumFrames 2\nnumJoints 2\nframeRate 1\nnumAnimatedComponents 2\n'
              b'hierarchy {\n"root" -1 1 0\n"tip" 0 8 1\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\n'
              b'baseframe {\n( 0 2 0 ) ( 0.5 0 0 )\n( 0 0 1 ) ( 0 0.3 0 )\n}\nframe 0 {\n0 0\n}\nframe 1 {\n0.5 0.4\n}\n')
COLLADA = (b'<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
           b'<unit name="inch" meter="0.0254"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>'
           b'<source id="p"><float_array id="a" count="9">0 0 1 2 0 0 0 3 0</float_array><technique_common>'
           b'<accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>'
           b'<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">'
           b'<input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" '
           b'offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>'
           b'<visual_scene id="s"><node id="n"><translate>1 2 3</translate><instance_geometry url="#g"/></node></visual_scene>'
           b'</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>')


def packed(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def real(*names):
    return packed({name: pathlib.Path(FOX, name).read_bytes() for name in names})


# The file, the unit in metres that it says or is taken as, and its axis that points up.
MADE = {"obj": (OBJ, 1, "y"), "stl": (STL, 1, "y"), "ply": (PLY, 1, "y"), "x": (X, 1, "y"), "bvh": (BVH, 1, "y"),
        "md5": (packed({"a.md5mesh": MD5, "a_b.md5anim": MD5_MOTION}), 1, "y"), "collada": (COLLADA, 0.0254, "z")}
REAL = {"ogre": ("fox.mesh.xml", "fox.skeleton.xml"), "ogre binary": ("fox.mesh", "fox.skeleton"),
        "md5": ("fox.md5mesh", "fox_walk.md5anim"), "prism": ("fox.pim", "fox.pis", "fox_walk.pia")}


def flattened(points):
    return [number for point in points for number in point]


class Units(DaemonCase):
    def put(self, name, body, query=""):
        reply = self.client.request("PUT", rig_path(name, query), body, {"Content-Type": "application/octet-stream"})
        self.assertIn(reply.status, (200, 201), str(reply))
        return self.description(name)

    def points(self, rig, pose):
        """Those of all vertices, and the places of all joints, in the order of their names."""
        joints = self.joints(rig, pose)
        return [tuple(point) for point in (self.positions(rig, pose) if self.description(rig)["vertices"] else [])] + [
            tuple(joints[name]["world"][12:15]) for name in sorted(joints)]

    def assertTurned(self, got, plain, metres, axes, what):
        """axes: which points up in the file that is read plainly, and in the other."""
        def turn(point):
            own = point  # back to the file's axes: three more of the turn's four
            for _ in range(3):
                own = TURNS[axes[0]](own)
            return TURNS[axes[1]](own)
        want = [tuple(metres * number for number in turn(point)) for point in plain]
        size = max(abs(number) for number in flattened(want))
        self.assertNumbers(flattened(got), flattened(want), 2e-6 * size, what)
        self.assertGreater(size, 0)

    def check(self, name, body, unit, up):
        rig = self.put("plain", body)
        poses = ["rest"] + [{"clip": clip["name"], "time": clip["duration"] * share}
                            for clip in rig["clips"] for share in (0, 0.37, 1)]
        plain = [self.points("plain", pose) for pose in poses]
        for units, axis in (("cm", None), (None, "z"), (None, "x"), ("in", "y"), ("2.5", "z"), ("mm", "x"), ("ft", None)):
            query = "&".join(f"{key}={value}" for key, value in (("units", units), ("up", axis)) if value)
            with self.subTest(name, query=query):
                self.put("other", body, "?" + query)
                for pose, points in zip(poses, plain):
                    self.assertTurned(self.points("other", pose), points, METRES[units] / unit if units else 1,
                                      (up, axis or up), f"{name} {query} {pose}")

    def test_files_that_are_made_here(self):
        for name, (body, unit, up) in MADE.items():
            self.check(name, body, unit, up)

    @unittest.skipUnless(FOX.is_dir(), f"{FOX} is not here")
    def test_real_files(self):
        for name, names in REAL.items():
            self.check(name, real(*names), 1, "y")

    def test_motion_in_other_units_fits_a_rig_in_these(self):
        """The clip of a file that is said to be in inches with z up, on the rig of the same words: its keys
        are the rig's own. As it stands it has another skeleton."""
        self.put("pole", BVH, "?units=in&up=z")
        own = self.description("pole")["clips"][0]["name"]
        path = rig_path("pole", "/clips/again")
        reply = self.client.request("PUT", f"{path}?units=in&up=z", BVH, {"Content-Type": "application/octet-stream"})
        self.assertEqual(self.assertStatus(reply, 201).json()["retargeted"], False)
        for time in (0, 0.2, 0.5):
            again, first = (self.points("pole", {"clip": clip, "time": time}) for clip in ("again", own))
            self.assertNumbers(flattened(again), flattened(first), 0)
        reply = self.client.request("PUT", path, BVH, {"Content-Type": "application/octet-stream"})
        self.assertEqual(self.assertStatus(reply, 200).json()["retargeted"], True)

    def test_what_a_clip_s_query_may_not_say(self):
        self.put("pole", BVH)
        for query, words in (("units=yd", "must be m, cm"), ("up=w", "x, y"), ("units=0", "must be m")):
            reply = self.client.request("PUT", rig_path("pole", f"/clips/no?{query}"), BVH,
                                        {"Content-Type": "application/octet-stream"})
            self.assertProblem(reply, 400, "invalid-value", says=words)
        self.put_demo("humanoid")
        glb = self.client.get(rig_path("humanoid", "/clips/Walk"), accept="model/gltf-binary").body
        reply = self.client.request("PUT", rig_path("humanoid", "/clips/no?units=cm"), glb,
                                    {"Content-Type": "application/octet-stream"})
        self.assertEqual(reply.status, 422, str(reply))
        self.assertIn("glTF is in metres", reply.json()["detail"])


if __name__ == "__main__":
    unittest.main()
