"""Assets of several files: a hundred folders of a .gltf with its buffers and pictures, and each as one
GLB. What is nasty about them are their names: spaces, percent signs, other scripts, folders, dots."""
import copy
import io
import json
import pathlib
import random
import struct
import tempfile
import urllib.parse
import zipfile
import zlib

import rigs
from case import DEMO, DaemonCase
from client import OCTETS, rig_path
from tiny import split_glb

COUNT = 100
SMALL = {"width": 24, "height": 24, "samples": 1}
NAMES = ("scene", "with space", "ümläut ß", "日本語", "100%", "a+b&c=d", "quo\"te", "semi;colon", "#hash?",
         "fox 🦊", "UPPER Case", "%41bc", "two  spaces", "comma,", "'single'", "[brackets]", "x" * 120)
FOLDERS = ("", "", "textures/", "Sub Folder/", "a/b/c/", "übung/", "%20/", "dots.gltf.d/")


class Folder:
    """An asset as files by path, and as one GLB."""

    def __init__(self, name, document, files, whole, clip):
        self.name = name  # of the rig
        self.document = document  # path of the .gltf
        self.files = files  # {path: bytes}, with the document
        self.whole = whole  # the GLB
        self.clip = clip  # a clip's name, or None

    @property
    def pose(self):
        return {"clip": self.clip, "time": 0.3} if self.clip else "rest"

    def write(self, parent):
        """Writes the files into a folder of their own; returns the path of the document."""
        root = pathlib.Path(parent, self.name)
        for path, body in self.files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(body)
        return root / self.document

    def archive(self):
        """The archive that every door is to make of the files: stored, sorted, without dates."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
            for path in sorted(self.files, key=str.encode):
                info = zipfile.ZipInfo(path)
                info.create_system = 3
                info.external_attr = 0o100644 << 16
                packed.writestr(info, self.files[path])
        return out.getvalue()


def form(files, boundary="----posed-tests"):
    """(Content-Type, body) of a multipart/form-data with a part for each of (filename, bytes), as
    browsers write it."""
    body = b""
    for path, content in files:
        name = path.replace('"', "%22").encode()
        body += (b"--" + boundary.encode() + b'\r\nContent-Disposition: form-data; name="file"; filename="' +
                 name + b'"\r\nContent-Type: application/octet-stream\r\n\r\n' + content + b"\r\n")
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def picture(rng):
    """A PNG of some pixels, each another."""
    side = rng.choice((2, 4, 8))
    rows = b"".join(b"\0" + rng.randbytes(3 * side) for _ in range(side))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def spelled(path, rng):
    """One of the URIs that mean a path."""
    uri = rng.choice((
        urllib.parse.quote,
        lambda text: text.replace("%", "%25"),  # as many exporters leave it
        lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    ))(path)
    return rng.choice(("", "", "./", "folder/../", ".//")) + uri


def unused(taken, ending, rng):
    """A path that no file has."""
    while True:
        path = rng.choice(FOLDERS) + rng.choice(NAMES) + ending
        if path not in taken:
            return path


def spread_views(document, binary, rng):
    """Moves the buffer views into several buffers; returns these."""
    buffers = [bytearray() for _ in range(rng.randint(1, 4))]
    for i, view in enumerate(document.get("bufferViews", [])):
        start = view.get("byteOffset", 0)
        k = i if i < len(buffers) else rng.randrange(len(buffers))  # so that none is empty
        view["buffer"], view["byteOffset"] = k, len(buffers[k])
        body = binary[start:start + view["byteLength"]]
        buffers[k] += body + bytes(-len(body) % 4)
    return [buffer for buffer in buffers if buffer]


def take_apart(name, whole, rng, clip=None):
    """The folder of a GLB."""
    document, binary = split_glb(whole)
    document = copy.deepcopy(document)
    files = {}
    for image in document.get("images", []):
        view = document["bufferViews"][image.pop("bufferView")]
        start = view.get("byteOffset", 0)
        body = binary[start:start + view["byteLength"]]
        shared = next((path for path, other in files.items() if other == body), None)
        path = shared or unused(files, ".png", rng)
        files[path] = body
        image["uri"] = spelled(path, rng)
    document["buffers"] = []
    for body in spread_views(document, binary, rng):
        path = unused(files, rng.choice((".bin", ".BIN", ".glbin", "")), rng)
        files[path] = bytes(body)
        document["buffers"].append({"byteLength": len(body), "uri": spelled(path, rng)})
    path = rng.choice(NAMES) + rng.choice((".gltf", ".GLTF"))
    files[path] = rng.choice((b"", b"\xef\xbb\xbf")) + json.dumps(document).encode()
    return Folder(name, path, files, whole, clip)


def textured(rng):
    """A square in pictures of its own, one of which is named twice."""
    tiny = rigs.square(1 + rng.random(), 1 + rng.random())
    pictures = [picture(rng) for _ in range(rng.randint(1, 3))]
    for body in (*pictures, pictures[0]):
        tiny.add("images", {"bufferView": tiny.view(body), "mimeType": "image/png"})
    tiny.add("textures", {"source": len(pictures)})
    tiny.add("textures", {"source": 0})
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    corners = [(rng.random(), rng.random()) for _ in range(4)]
    attributes["TEXCOORD_0"] = tiny.accessor(corners, "VEC2")
    tiny.json["meshes"][0]["primitives"][0]["material"] = tiny.material(
        pbrMetallicRoughness={"baseColorTexture": {"index": 0}}, emissiveTexture={"index": 1},
        emissiveFactor=[0.1, 0.1, 0.1], doubleSided=True)
    return tiny.glb(), None


def bending(rng):
    """Triangles on two joints."""
    points = [(rng.random(), 2 * rng.random(), rng.random()) for _ in range(3 * rng.randint(2, 40))]
    return rigs.column(points).glb(), "bend"


def folders():
    """All of them, the same each time."""
    rng = random.Random(15)
    found = []
    for path in sorted(DEMO.glob("*.glb")):
        document, _ = split_glb(path.read_bytes())
        clip = document["animations"][0]["name"]
        found.append(take_apart(f"demo {path.stem}", path.read_bytes(), rng, clip))
    while len(found) < COUNT:
        whole, clip = rng.choice((textured, bending))(rng)
        found.append(take_apart(f"folder {len(found)}", whole, rng, clip))
    return found


def single(files, document="scene.gltf"):
    """A triangle whose buffer is in a file; files are more of them."""
    tiny = rigs.triangle()
    return Folder("single", document, {document: tiny.text("scene.bin"), "scene.bin": bytes(tiny.bin),
                                       **files}, tiny.glb(), None)


class FolderCase(DaemonCase):
    """A daemon, and a folder for those of tests."""

    @classmethod
    def prepare(cls):
        cls.server = f"http://127.0.0.1:{cls.daemon.port}"
        folder = tempfile.TemporaryDirectory(prefix="posed-folders-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def assertSame(self, folder, rig):
        """A rig against the GLB of the same model, which is put for it: vertices and pixels; and
        what is stored against the archive that every door makes."""
        self.put_rig("whole", folder.whole)
        members = {"poses": ["rest", folder.pose], "attributes": ["position", "normal"]}
        got, want = (self.assertStatus(self.client.post("vertices", {"rig": name, **members}), 200)
                     for name in (rig, "whole"))
        self.assertTrue(got.body == want.body, f"vertices of {folder.name}")
        # Bare pixels: ISA-L packs the same ones to other bytes in one process of some hundreds.
        members = {"pose": folder.pose, **SMALL}
        got, want = (self.assertStatus(self.client.post("frame", {"rig": name, **members}, accept=OCTETS), 200)
                     for name in (rig, "whole"))
        self.assertTrue(got.body == want.body, f"pixels of {folder.name}")
        source = self.assertStatus(self.client.get(rig_path(rig, "/source")), 200).body
        self.assertTrue(source == folder.archive(), f"the archive of {folder.name} is another")
