"""The content of the daemons: rigs that the project contains, with examples and clips, and broken files."""
import json
import pathlib

import folders
import makers
import materials
import rigs
import seeds
from case import DEMO, SHARED
from client import JSON, OCTETS, rig_path
from exchange import Request
from test_foreign import MADE
from tiny import Tiny, glb, split_glb

SHARED_LIMIT_BYTES = 300_000  # of one file: many small ones find more than few large ones
SHARED_ENDINGS = {".glb", ".gltf", ".vrm", ".zip", ".fbx", ".bvh", ".dae"}
FUZZ = pathlib.Path(seeds.__file__).parent


def put(rig, body, kind=OCTETS, **more):
    return Request(f"put {rig}", "putRig", "PUT", rig_path(rig), (("Content-Type", kind),), body, **more)


def scene():
    """A rig with a camera, and a joint that nothing needs."""
    tiny = rigs.column([(0, 0, 0), (1, 1, 0), (0, 2, 0)], [(0, 0, 1)] * 3)
    tiny.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}]
    tiny.node(root=True, name="Lens", camera=0, translation=[0, 1, 4])
    tiny.node(root=True, name="nothing")
    return tiny


def holding():
    """(name, content) of the rigs that other requests name."""
    for path in sorted(DEMO.glob("*.glb")):
        yield path.stem, path.read_bytes()
    yield from materials.rigs()
    yield "scene", scene().glb()
    yield "tube", rigs.centimetre_tube(before=1, tip=True).glb()
    yield "armour", rigs.armour()
    yield "changing", scene().glb()
    yield "fitted", (DEMO / "cyl3.glb").read_bytes()


def imported():
    """(name, content, media type) of files that are only put, described, drawn and exported."""
    yield from ((name, body, OCTETS) for name, body in seeds.assets())
    for path in sorted((FUZZ / "seeds" / "fuzz_glb").iterdir()):
        yield f"seed {path.name}", path.read_bytes(), OCTETS
    for path in sorted((FUZZ / "crashers" / "fuzz_glb").iterdir()):
        yield f"crasher {path.name}", path.read_bytes(), OCTETS
    for folder in folders.folders()[5:25]:
        kind, body = folders.form(folder.files.items())
        yield f"form {folder.name}", body, kind
        yield f"zip {folder.name}", folder.archive(), OCTETS
    for maker in makers.MAKERS:
        yield f"maker {maker[0]}", makers.asset(maker, slope=40), OCTETS


def broken():
    """(name, content) of assets that are refused, or read with warnings."""
    sound = rigs.square(material={"doubleSided": True}).glb()
    yield from MADE.items()
    for size in (0, 4, 12, 20, 100, len(sound) - 1):
        yield f"cut at {size}", sound[:size]
    for version in (0, 1, 3):
        yield f"version {version}", glb(json.dumps(rigs.triangle().json).encode(), b"", version)
    yield from ((f"with {name}", changed(*change)) for name, change in BREACHES.items())


def changed(place, value):
    """A square with one value of its JSON replaced, or added."""
    document, data = split_glb(rigs.square(material={"name": "paint"}).glb())
    node = document
    *way, last = place
    for step in way:
        node = node[step]
    node[last] = value
    return glb(json.dumps(document).encode(), data)


ATTRIBUTES = ("meshes", 0, "primitives", 0, "attributes")
BREACHES = {
    "asset version 1": (("asset", "version"), "1.0"),
    "no meshes": (("meshes",), []),
    "a mesh that is not there": (("nodes", 0, "mesh"), 7),
    "a material that is not there": (("meshes", 0, "primitives", 0, "material"), 9),
    "an accessor that is not there": ((*ATTRIBUTES, "POSITION"), 99),
    "joints without a skin": ((*ATTRIBUTES, "JOINTS_0"), 0),
    "a mode that is not there": (("meshes", 0, "primitives", 0, "mode"), 12),
    "a count of 0": (("accessors", 0, "count"), 0),
    "a count that is too large": (("accessors", 0, "count"), 1 << 40),
    "a negative offset": (("accessors", 0, "byteOffset"), -4),
    "an odd offset": (("accessors", 0, "byteOffset"), 1),
    "a component type that is not there": (("accessors", 0, "componentType"), 5124),
    "a type that is not there": (("accessors", 0, "type"), "VEC9"),
    "a view that is not there": (("accessors", 0, "bufferView"), 50),
    "a view beyond its buffer": (("bufferViews", 0, "byteLength"), 1 << 30),
    "a text for a number": (("bufferViews", 0, "byteLength"), "12"),
    "a node in itself": (("nodes", 0, "children"), [0]),
    "a root that is not there": (("scenes", 0, "nodes"), [4]),
    "a rotation that is not unit": (("nodes", 0, "rotation"), [0, 0, 0, 2]),
    "a rotation of zero": (("nodes", 0, "rotation"), [0, 0, 0, 0]),
    "a matrix that shears": (("nodes", 0, "matrix"), [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    "a matrix and a scale": (("nodes", 0), {"mesh": 0, "scale": [1, 1, 1], "matrix": [1] * 16}),
    "a colour beyond 1": (("materials", 0, "pbrMetallicRoughness"), {"baseColorFactor": [2, 0, 0, 1]}),
    "an alpha mode that is not there": (("materials", 0, "alphaMode"), "GLASS"),
    "a texture that is not there": (("materials", 0, "emissiveTexture"), {"index": 3}),
    "an extension that nobody has": (("extensionsRequired",), ["EXT_no_such"]),
    "variants": (("extensionsRequired",), ["KHR_materials_variants"]),
    "a skin that is not there": (("nodes", 0, "skin"), 2),
    "a skin without joints": (("skins",), [{"joints": []}]),
    "a camera without a type": (("cameras",), [{}]),
    "a buffer elsewhere": (("buffers", 0, "uri"), "../../etc/passwd"),
    "a buffer on the net": (("buffers", 0, "uri"), "http://localhost/a.bin"),
    "a buffer that is not base64": (("buffers", 0, "uri"), "data:;base64,????"),
    "an animation of nothing": (("animations",), [{"channels": [], "samplers": []}]),
    "an animation of a node that is not there": (("animations",), [
        {"channels": [{"sampler": 0, "target": {"node": 9, "path": "scale"}}],
         "samplers": [{"input": 0, "output": 0}]}]),
}


def shared():
    """(name, content) of real files that are not part of the project; none where they are not here."""
    for path in sorted(SHARED.rglob("*")) if SHARED.is_dir() else ():
        if path.suffix.lower() in SHARED_ENDINGS and path.stat().st_size <= SHARED_LIMIT_BYTES:
            yield str(path.relative_to(SHARED)), path.read_bytes()


def examples():
    """Puts the demo rigs' examples, which methods are fitted to."""
    for path in sorted((DEMO / "examples").rglob("*.json")):
        for rig in (path.parent.name, "fitted") if path.parent.name == "cyl3" else (path.parent.name,):
            yield Request(f"put example {rig}/{path.stem}", "putExample", "PUT",
                          rig_path(rig, f"/examples/{path.stem}"), (("Content-Type", JSON),),
                          path.read_bytes())


def moving():
    """A GLB of nothing but a column's joints and a clip."""
    tiny = Tiny()
    tiny.node(root=True, name="J0", children=[1])
    upper = tiny.node(name="J1", translation=[0, 1, 0])
    tiny.clip([(upper, "rotation", [0, 1], [(0, 0, 0, 1), (0.6, 0, 0, 0.8)], "LINEAR")], name="nod")
    return tiny.glb()
