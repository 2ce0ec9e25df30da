"""The libraries that processes load: none that a command does not use."""
import io
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

from case import DEMO, DaemonCase
from daemon import ROOT, binary
from debian import debian_module
from tiny import Tiny

POSE = pathlib.Path(os.environ.get("POSE_BINARY", ROOT / "build" / "pose")).resolve()
# Of packages that only some commands and some files need, with what some of them bring.
RARE = re.compile(r"/lib(archive|assimp|bz2|crypto|curl|gif|icu\w*|jpeg|krb5|ldap\S*|lzma|microhttpd|nghttp2|ode|seccomp|sixel|ssl|webp\w*|"
                  r"xml2|zip|zstd|lapack\w*|cholmod|openblas|av\w+|swscale|LLVM\S*)[-.]")


def loaded(folder, *command):
    """The paths of all libraries that a command loads while it runs."""
    trace = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "trace"
    done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(trace)})
    text = "".join(path.read_text() for path in trace.parent.iterdir())
    return done, set(re.findall(r"calling init: (\S+)", text))


class Start(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="posed-start-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = str(self.folder / "out.png")

    def archive(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as file:
            file.write(DEMO / "humanoid.glb", "humanoid.glb")
        path = self.folder / "humanoid.zip"
        path.write_bytes(data.getvalue())
        return str(path)

    def broken(self, name):
        """An environment with a library that is none."""
        libraries = self.folder / "libraries"
        libraries.mkdir(exist_ok=True)
        (libraries / name).write_text("this is no library" * 100)
        return {**os.environ, "LD_LIBRARY_PATH": str(libraries)}

    def test_commands_load_nothing_that_they_do_not_use(self):
        for command in ((POSE, "--help"), (binary(), "--help"), (binary(), "--check-config"),
                        (POSE, "frame", DEMO / "humanoid.glb", "-o", self.out, "--size", "32"),
                        (POSE, "check", DEMO / "humanoid.glb")):
            with self.subTest(command=[str(word) for word in command[:2]]):
                done, libraries = loaded(self.folder, *command)
                self.assertGreater(len(libraries), 5, done.stderr)
                self.assertEqual(sorted(path for path in libraries if RARE.search(path)), [])

    def test_an_archive_loads_what_it_needs(self):
        done, libraries = loaded(self.folder, POSE, "frame", self.archive(), "-o", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue([path for path in libraries if "/libzip." in path], libraries)

    def test_a_library_that_cannot_be_loaded_is_named_with_its_package(self):
        done = subprocess.run([POSE, "frame", self.archive(), "-o", self.out], capture_output=True,
                              text=True, timeout=300, env=self.broken("libzip.so.4"))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"libzip\.so\.4 of the package libzip4 cannot be loaded: .*invalid ELF")
        done = subprocess.run([POSE, "list"], capture_output=True, text=True, timeout=300,
                              env=self.broken("libcurl.so.4"))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"libcurl\.so\.4 of the package libcurl4 cannot be loaded: .*invalid ELF")

    def test_the_package_depends_on_what_is_loaded_on_demand(self):
        made = [path for folder in (binary().parent / "release" / "delayed", binary().parent / "delayed")
                for path in folder.glob("*.c")]
        self.assertGreater(len(made), 3)
        control = (ROOT / "server/deploy/debian/control").read_text()
        depends = re.search(r"(?ms)^Depends: (.*?)\n\w", control)[1].replace("\n", "").split(", ")
        for path in made:
            package = re.search(r'struct delayed_library delayed_\w+ = \{"[^"]+", "([^"]+)"', path.read_text())
            self.assertIsNotNone(package, path)
            if path.stem != "sixel":
                self.assertIn(package[1], depends)


EXTENSIONS = {"webp": "EXT_texture_webp", "ktx2": "KHR_texture_basisu"}
ZSTANDARD = ROOT / "tests/fuzz/seeds/fuzz_texture/uastc-zstandard.ktx2"


class Sandboxed(DaemonCase):
    def picture(self, kind):
        if kind == "ktx2":
            return ZSTANDARD.read_bytes()
        data = io.BytesIO()
        debian_module("PIL.Image").new("RGB", (8, 8), (200, 40, 40)).save(data, kind)
        return data.getvalue()

    def textured(self, kind):
        tiny = Tiny()
        image = {"bufferView": tiny.view(self.picture(kind)), "mimeType": f"image/{kind}"}
        texture = {"source": tiny.add("images", image)}
        if kind in EXTENSIONS:
            texture = {"extensions": {EXTENSIONS[kind]: texture}}
            tiny.json["extensionsUsed"] = [EXTENSIONS[kind]]
        material = tiny.material(pbrMetallicRoughness={
            "baseColorTexture": {"index": tiny.add("textures", texture)}})
        places = tiny.accessor([(0, 0), (1, 0), (0, 1)], "VEC2")
        primitive = tiny.primitive([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
        primitive["attributes"]["TEXCOORD_0"] = places
        primitive["material"] = material
        tiny.node(root=True, mesh=tiny.mesh(primitive))
        return tiny.glb()

    def test_imports_have_their_libraries_before_they_can_load_none(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("a.glb", self.textured("jpeg"))
        for name, body in (("png", self.textured("png")), ("jpeg", self.textured("jpeg")),
                           ("webp", self.textured("webp")), ("ktx2", self.textured("ktx2")), ("zip", archive.getvalue())):
            with self.subTest(name):
                self.put_rig(name, body)
                self.assertEqual(self.description(name)["warnings"], [])
                reply = self.client.get(f"/v1/rigs/{name}/frame.png?width=16&height=16")
                self.assertEqual(reply.status, 200, reply)


if __name__ == "__main__":
    unittest.main()
