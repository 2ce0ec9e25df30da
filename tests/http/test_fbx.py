"""FBX over HTTP and by pose: pictures beside the file, the unit and the axes that a request says, the
method that skins are made for."""
import io
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

from case import DaemonCase
from daemon import ROOT
from rigs import triangle
from test_materials import png

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
SHARED = pathlib.Path(os.environ.get("POSED_SHARED_FILES", ROOT.parent / "shared" / "files"))
PNG = png([[(255, 0, 0), (0, 255, 0)]])
QUAD = r"""; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
GlobalSettings:  {
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",1
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",2
		P: "FrontAxisSign", "int", "Integer", "",1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Geometry: 1, "Geometry::quad", "Mesh" {
		Vertices: *12 { a: 0,0,0,200,0,0,200,100,0,0,100,0 }
		PolygonVertexIndex: *4 { a: 0,1,2,-4 }
	}
	Model: 2, "Model::quad", "Mesh" {
	}
	Material: 3, "Material::skin", "" {
	}
	Texture: 4, "Texture::skin", "" {
		FileName: "D:\art\of\others\Skin.PNG"
		RelativeFilename: "..\..\others\Skin.PNG"
	}
}
Connections:  {
	C: "OO",1,2
	C: "OO",2,0
	C: "OO",3,2
	C: "OP",4,3, "DiffuseColor"
}
""".encode()


def packed(**files):
    """A ZIP archive; names with a dot are written with two underscores."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return out.getvalue()


class Fbx(DaemonCase):
    def described(self, name, asset, query=""):
        reply = self.client.request("PUT", f"/v1/rigs/{name}{query}", asset)
        self.assertIn(reply.status, (200, 201), reply.body)
        return self.client.get(f"/v1/rigs/{name}").json()

    def run_pose(self, *args):
        return subprocess.run([POSE, *map(str, args)], capture_output=True, text=True, timeout=60)

    def test_a_picture_beside_is_found_by_its_name(self):
        alone = self.described("alone", QUAD)
        self.assertIn("Skin.PNG", "".join(alone["warnings"]))
        self.assertNotIn("base_color", alone["materials"][0].get("textures", {}))
        beside = self.described("beside", packed(quad__fbx=QUAD, skin__png=PNG))
        self.assertEqual(beside["warnings"], [])
        self.assertNotEqual(beside["materials"], alone["materials"])
        lacking = self.described("lacking", packed(quad__fbx=QUAD, other__png=PNG))
        self.assertIn("Skin.PNG", "".join(lacking["warnings"]))

    def test_pose_gathers_what_a_file_names(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "quad.fbx").write_bytes(QUAD)
            done = self.run_pose("convert", folder / "quad.fbx", "-o", folder / "alone.glb")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("there is no ../../others/Skin.PNG", done.stderr)
            (folder / "sKIN.png").write_bytes(PNG)
            done = self.run_pose("convert", folder / "quad.fbx", "-o", folder / "a.glb")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(PNG, (folder / "a.glb").read_bytes())

    def test_a_request_says_unit_and_axis(self):
        plain = self.described("plain", QUAD)["bounds"]
        self.assertEqual(plain, {"min": [0, 0, 0], "max": [2, 1, 0]})
        self.assertEqual(self.described("metres", QUAD, "?units=m")["bounds"],
                         {"min": [0, 0, 0], "max": [200, 100, 0]})
        turned = self.described("turned", QUAD, "?units=0.1&up=z")["bounds"]
        for found, wanted in zip(turned["min"] + turned["max"], (0, 0, -10, 20, 0, 0)):
            self.assertAlmostEqual(found, wanted, places=5)
        source = self.client.get("/v1/rigs/turned/source").body
        self.assertEqual(source, b"posed-asset units=0.1 up=z\n" + QUAD)
        self.assertEqual(self.described("again", source)["bounds"], turned)

    def test_units_and_axes_are_checked(self):
        for query, words in (("units=yd", "must be m, cm"), ("units=0", "must be m"),
                             ("units=nan", "must be m"), ("up=w", "x, y"), ("unit=m", "unit")):
            reply = self.client.request("PUT", f"/v1/rigs/refused?{query}", QUAD)
            self.assertIn(reply.status, (400, 422), query)
            self.assertIn(words, reply.json()["detail"], query)
        reply = self.client.request("PUT", "/v1/rigs/refused?units=cm", triangle().glb())
        self.assertIn("glTF is in metres", reply.json()["detail"])
        self.assertEqual(self.client.get("/v1/rigs/refused").status, 404)

    def test_pose_says_unit_and_axis(self):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "quad.fbx"
            path.write_bytes(QUAD)
            plain = self.run_pose("put", path, "by_pose", "--units", "m", "--server", f"http://127.0.0.1:{self.daemon.port}")
            self.assertEqual(plain.returncode, 0, plain.stderr)
            self.assertEqual(self.client.get("/v1/rigs/by_pose").json()["bounds"]["max"],
                             [200, 100, 0])
            for option in (("--units", "mile"), ("--up", "w")):
                self.assertEqual(self.run_pose("convert", path, *option).returncode, 2)

    def test_skins_for_dual_quaternions_are_skinned_so(self):
        path = SHARED / "ufbx-data/maya_dual_quaternion_7500_ascii.fbx"
        if not path.exists():
            self.skipTest(f"no {path} (POSED_SHARED_FILES says where such files are)")
        rig = self.described("dual", path.read_bytes())
        self.assertEqual(rig["skinning"]["default"], "dqs")
        self.assertIn("lbs", rig["skinning"]["methods"])
        joints = {joint["name"]: {"rotation": [0.5, 0.5, 0.5, 0.5]} for joint in rig["joints"][1:]}
        bent = {"set": "rest", "joints": joints}

        def vertices(**more):
            reply = self.client.post("vertices", {"rig": "dual", "pose": bent, **more})
            self.assertEqual(reply.status, 200, reply.body)
            return reply.body
        self.assertEqual(vertices(), vertices(skinning="dqs"))
        self.assertNotEqual(vertices(), vertices(skinning="lbs"))
        request = {"rig": "dual", "pose": bent, "as": "joints", "duration": 0.1}
        baked = self.client.post("bake", request)
        self.assertEqual(baked.status, 200, baked.body)


if __name__ == "__main__":
    unittest.main()
