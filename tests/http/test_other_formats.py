"""Formats that a library reads: in the sandbox, alone and as archives, hostile ones refused."""
import io
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import zipfile

from case import SHARED, DaemonCase
from client import Client
from daemon import ROOT, Daemon
from debian import debian_module

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
FOX = SHARED / "derived-public-fox-formats"
OBJ = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"
MTL = b"newmtl red\nKd 1 0 0\nmap_Kd pictures\\wood.png\n"
STL = b"by nobody".ljust(80) + struct.pack("<I12fH", 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
PLY = (b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
       b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
X = b"xof 0303txt 0032\nMesh m { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }\n"
BVH = (b"HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
       b"Yrotation\nJOINT knee\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
       b"OFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0 0 0 0\n1 2 3 90 0 0 0 0 0\n")
MADE = {"obj": OBJ, "stl": STL, "ply": PLY, "x": X, "bvh": BVH}


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


class OtherFormats(DaemonCase):
    daemon_args = ("--renderer", "none")

    def server(self):
        return f"http://127.0.0.1:{self.client.port}"

    def read(self, name, body):
        self.put_rig(name, body)
        return self.assertStatus(self.client.get(f"/v1/rigs/{name}"), 200).json()

    def test_small_files_are_read_by_their_content(self):
        for name, body in MADE.items():
            with self.subTest(name):
                rig = self.read(f"made-{name}", body)
                self.assertEqual(rig["triangles"], 0 if name == "bvh" else 1)

    def test_clips_of_3ds(self):
        """Keys of a node: places, turns by an axis and an angle against the key before, clockwise as lib3ds has
        them, and scales. Frames have no length in the file, and are taken as 25 a second."""
        def chunk(kind, *parts):
            body = b"".join(parts)
            return struct.pack("<HI", kind, 6 + len(body)) + body

        def track(kind, keys):
            rows = [struct.pack(f"<IH{len(values)}f", frame, 0, *values) for frame, values in keys]
            return chunk(kind, struct.pack("<HIII", 0, 0, 0, len(keys)), *rows)
        points = chunk(0x4110, struct.pack("<H9f", 3, 0, 0, 0, 1, 0, 0, 0, 1, 0))
        faces = chunk(0x4120, struct.pack("<5H", 1, 0, 1, 2, 7))
        place = chunk(0x4160, struct.pack("<12f", 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0))
        mesh = chunk(0x4000, b"box\0", chunk(0x4100, points, faces, place))
        node = chunk(0xB002, chunk(0xB030, struct.pack("<H", 0)), chunk(0xB010, b"box\0", struct.pack("<HHh", 0, 0, -1)),
                     chunk(0xB013, struct.pack("<3f", 0, 0, 0)),
                     track(0xB020, [(0, (0, 0, 0)), (30, (5, 0, 0)), (60, (5, 3, 0))]),
                     track(0xB021, [(frame, (angle, 0, 0, 1)) for frame, angle in ((0, 0), (30, math.pi / 2), (60, math.pi / 2))]),
                     track(0xB022, [(0, (1, 1, 1)), (60, (2, 2, 2))]))
        rig = self.read("three_ds", chunk(0x4D4D, chunk(0x0002, struct.pack("<I", 3)), chunk(0x3D3D, mesh),
                                          chunk(0xB000, chunk(0xB008, struct.pack("<II", 0, 60)), node)))
        clip, = rig["clips"]
        self.assertAlmostEqual(clip["duration"], 60 / 25, 5)
        # In the file z is up: (x, y, z) is (x, z, -y).
        for frame, want in ((0, [(0, 0, 0), (1, 0, 0), (0, 0, -1)]), (30, [(5, 0, 0), (5, 0, 1.5), (6.5, 0, 0)]),
                            (60, [(5, 0, -3), (3, 0, -3), (5, 0, -1)])):
            found = self.positions("three_ds", {"clip": clip["name"], "time": frame / 25})
            self.assertNumbers(sorted(map(tuple, found)), sorted(want), 1e-5, frame)

    def test_morphs_of_collada_are_left_out_and_told_of(self):
        """Assimp 5.2 loses the mesh, or refuses the file; what refers to the controller has its geometry."""
        def floats(name, numbers, kind="float_array", param="float"):
            count = len(numbers.split())
            return (f'<source id="{name}"><{kind} id="{name}-a" count="{count}">{numbers}</{kind}><technique_common>'
                    f'<accessor source="#{name}-a" count="{count}" stride="1"><param name="A" type="{param}"/></accessor>'
                    '</technique_common></source>')

        def geometry(name, numbers):
            array = floats(f"{name}-p", numbers).replace('count="9" stride="1"><param name="A" type="float"/>',
                                                         'count="3" stride="3"><param name="X" type="float"/>'
                                                         '<param name="Y" type="float"/><param name="Z" type="float"/>')
            return (f'<geometry id="{name}"><mesh>{array}<vertices id="{name}-v"><input semantic="POSITION" '
                    f'source="#{name}-p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#{name}-v" '
                    'offset="0"/><p>0 1 2</p></triangles></mesh></geometry>')
        document = (
            '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
            '<library_animations><animation id="an">' + floats("t", "0 1") + floats("w", "0 1")
            + floats("ip", "LINEAR LINEAR", "Name_array", "name") + '<sampler id="s"><input semantic="INPUT" source="#t"/>'
            '<input semantic="OUTPUT" source="#w"/><input semantic="INTERPOLATION" source="#ip"/></sampler>'
            '<channel source="#s" target="weights(0)"/></animation></library_animations><library_geometries>'
            + geometry("base shape", "0 0 0 1 0 0 0 2 0") + geometry("smile", "0 0 1 1 0 0 0 2 0")
            + geometry("plain", "5 0 0 6 0 0 5 3 0") + '</library_geometries><library_controllers><controller id="m">'
            '<morph method="NORMALIZED" source="#base shape">' + floats("targets", "smile", "IDREF_array", "IDREF")
            + floats("weights", "1") + '<targets><input semantic="MORPH_TARGET" source="#targets"/>'
            '<input semantic="MORPH_WEIGHT" source="#weights"/></targets></morph></controller></library_controllers>'
            '<library_visual_scenes><visual_scene id="sc"><node id="n"><instance_controller url="#m"/></node>'
            '<node id="o"><instance_geometry url="#plain"/></node></visual_scene></library_visual_scenes>'
            '<scene><instance_visual_scene url="#sc"/></scene></COLLADA>')
        rig = self.read("morphs", document.encode())
        self.assertEqual((rig["triangles"], rig["bounds"]), (2, {"min": [0, 0, 0], "max": [6, 3, 0]}))
        self.assertIn("morph targets of COLLADA are not read; meshes have their base shape", rig["warnings"])
        for cut in range(len(document) // 2, len(document), 97):
            self.assertIn(self.client.put("cut", document[:cut].encode()).status, (200, 201, 415, 422))

    def test_only_the_child_that_reads_has_the_library(self):
        self.read("read", OBJ)
        processes = [self.daemon.process.pid]
        for process in processes:
            for task in pathlib.Path("/proc", str(process), "task").iterdir():
                processes += [int(word) for word in (task / "children").read_text().split()]
        self.assertGreater(len(processes), 1)
        for process in processes:
            maps = pathlib.Path("/proc", str(process), "maps").read_text()
            self.assertNotIn("libassimp", maps)

    def test_archives_bring_what_the_document_names(self):
        picture = io.BytesIO()
        debian_module("PIL.Image").new("RGB", (2, 2), (200, 40, 40)).save(picture, "png")
        files = {"a/model.obj": OBJ, "a/a.mtl": MTL, "a/pictures/wood.png": picture.getvalue()}
        rig = self.read("whole", zipped(files))
        self.assertFalse([words for words in rig["warnings"] if "did not come" in words], rig["warnings"])
        del files["a/pictures/wood.png"]
        rig = self.read("torn", zipped(files))
        self.assertTrue([words for words in rig["warnings"] if "wood.png" in words], rig["warnings"])
        rig = self.read("alone", OBJ)
        self.assertTrue([words for words in rig["warnings"] if "a.mtl" in words], rig["warnings"])

    def test_motions_beside_a_mesh_are_its_clips(self):
        if not FOX.is_dir():
            self.skipTest(f"{FOX} is not here")
        names = ("fox.md5mesh", "fox_walk.md5anim", "fox_run.md5anim")
        body = zipped({name: (FOX / name).read_bytes() for name in names})
        rig = self.read("md5", body)
        self.assertEqual(sorted(clip["name"] for clip in rig["clips"]), ["run", "walk"])
        for kind in ("", ".xml"):
            names = (f"fox.mesh{kind}", f"fox.skeleton{kind}")
            body = zipped({name: (FOX / name).read_bytes() for name in names})
            rig = self.read("ogre", body)
            self.assertEqual(sorted(clip["name"] for clip in rig["clips"]), ["run", "walk"])

    def test_pose_gathers_what_a_document_names(self):
        picture = io.BytesIO()
        debian_module("PIL.Image").new("RGB", (2, 2), (200, 40, 40)).save(picture, "png")
        with tempfile.TemporaryDirectory(prefix="posed-formats-") as name:
            folder = pathlib.Path(name)
            (folder / "pictures").mkdir()
            (folder / "model.obj").write_bytes(OBJ)
            (folder / "a.mtl").write_bytes(MTL.replace(b"\\", b"/"))
            (folder / "pictures" / "wood.png").write_bytes(picture.getvalue())
            put = (POSE, "put", folder / "model.obj", "gathered", "--server", self.server())
            done = subprocess.run(put, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            rig = self.assertStatus(self.client.get("/v1/rigs/gathered"), 200).json()
            self.assertFalse([words for words in rig["warnings"] if "did not come" in words], rig["warnings"])
            (folder / "pictures" / "wood.png").unlink()
            done = subprocess.run(put, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('there is no pictures/wood.png, which map_Kd "pictures/wood.png" names', done.stderr)

    def test_pose_gathers_motions_by_their_names(self):
        if not FOX.is_dir():
            self.skipTest(f"{FOX} is not here")
        for file, clips in (("fox.md5mesh", ["fox", "run", "run_full", "walk", "walk_full"]),
                            ("fox.mesh", ["run", "walk"]), ("fox.mesh.xml", ["run", "walk"])):
            with self.subTest(file):
                done = subprocess.run([POSE, "put", FOX / file, "gathered-fox", "--server", self.server()],
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                rig = self.assertStatus(self.client.get("/v1/rigs/gathered-fox"), 200).json()
                self.assertEqual(sorted(clip["name"] for clip in rig["clips"]), clips)

    def test_nothing_is_printed_beside_a_picture(self):
        if not FOX.is_dir():
            self.skipTest(f"{FOX} is not here")
        with tempfile.TemporaryDirectory(prefix="posed-formats-") as folder:
            path = pathlib.Path(folder, "fox.zip")
            path.write_bytes(zipped({name: (FOX / name).read_bytes()
                                     for name in ("fox.mesh.xml", "fox.skeleton.xml")}))
            done = subprocess.run([POSE, "frame", path, "-o", "-", "--size", "32"], capture_output=True,
                                  timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith(b"\x89PNG"), done.stdout[:40])


class Hostile(unittest.TestCase):
    def test_broken_files_cost_nothing_but_their_own_reader(self):
        if not SHARED.is_dir():
            self.skipTest(f"{SHARED} is not here")
        endings = {".dae", ".bvh", ".md5mesh", ".md5anim", ".x", ".mesh", ".obj", ".ply", ".stl", ".3ds", ""}
        files = [path for path in sorted((SHARED / "malformed").rglob("*"))
                 if path.is_file() and path.suffix.lower() in endings and "LICENCES" not in path.parts]
        self.assertGreater(len(files), 40)
        table = (SHARED / "malformed/derived-malformed-public/EXPECT.tsv").read_text()
        refused = {line.split("\t")[0] for line in table.splitlines() if "\tR" in line}
        # The library crashes on some of them.
        daemon = Daemon(args=("--renderer", "none"), may_lose_readers=True).start()
        self.addCleanup(daemon.stop)
        client = Client(daemon.port)
        for path in files:
            with self.subTest(file=path.name):
                reply = client.put("hostile", path.read_bytes())
                fine = () if path.name in refused else (200, 201)
                self.assertIn(reply.status, (413, 415, 422, *fine), reply)
        self.assertEqual(client.put("after", OBJ).status, 201)
        self.assertIn("ended by signal", "\n".join(daemon.log_lines()))
