#!/usr/bin/env python3
"""Makes the harnesses' seeds: small inputs that reach many of the readers' branches.

seeds.py writes tests/fuzz/seeds/<harness>/; the files are committed, so that this needs to run only
after a change here. What no library of Python's makes (*.jpg, *.webp, *.ktx2, draco-*.glb, meshopt.glb)
was made once with that format's own library (*.ktx2 with npm's ktx2-encoder 0.6.0) and stays as it is.
So do compressed clips, which the daemon stored: fuzz_compressed_clip/ has them.
"""
import hashlib
import io
import json
import pathlib
import struct
import sys
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))
import rigs  # noqa: E402
from tiny import BYTE, SHORT, UBYTE, UINT, USHORT, Tiny  # noqa: E402


def png(width, height, depth, colour, rows, interlace=0, *chunks):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            *[chunk(kind, data) for kind, data in chunks],
            chunk(b"IDAT", zlib.compress(rows, 9)),
            chunk(b"IEND", b""),
        ]
    )


def pngs():
    rgba = b"".join(b"\0" + bytes([40 * x, 90, 20 * x, 255 - x]) * 3 for x in range(3))
    return {
        "rgba": png(3, 3, 8, 6, rgba),
        "rgb": png(2, 2, 8, 2, b"\0abcdef\1ghijkl"),
        "rgb16": png(1, 2, 16, 2, b"\0abcdef\2ghijkl"),
        "grey1": png(9, 2, 1, 0, b"\0\xaa\x80\0\x55\0"),
        "grey8-trns": png(2, 2, 8, 0, b"\0\1\2\4\3\4", 0, (b"tRNS", b"\0\2")),
        "grey-alpha16": png(1, 1, 16, 4, b"\0abcd"),
        "palette4": png(
            3, 2, 4, 3, b"\0\x01\x20\0\x21\0", 0, (b"PLTE", b"abcdefghi"), (b"tRNS", b"\x80")
        ),
        "interlaced": png(2, 2, 8, 0, b"\0\1\0\2\0\3\4", 1),
        "gamma": png(1, 1, 8, 2, b"\0abc", 0, (b"gAMA", b"\0\0\xb1\x8f"), (b"tEXt", b"a\0b")),
    }


def morphing():
    tiny = rigs.triangle()
    primitive = tiny.json["meshes"][0]["primitives"][0]
    deltas = [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    primitive["targets"] = [
        {"POSITION": tiny.accessor(deltas, "VEC3", bounds=True), "NORMAL": tiny.normals(deltas)},
        {"POSITION": tiny.accessor(deltas, "VEC3", BYTE, True, padded=True)},
    ]
    tiny.json["meshes"][0]["weights"] = [0.5, 0.25]
    tiny.json["nodes"][0]["weights"] = [0.1, 0.2]
    tiny.clip([(0, "weights", [0, 1], [0, 1, 1, 0], "LINEAR")])
    return tiny


def moving():
    turn, way = [(0, 0, 0, 1), (0, 0.6, 0, 0.8)], [(0, 0, 0), (1, 2, 3)]
    tiny = rigs.mover(
        linear=("rotation", [0, 1], turn, "LINEAR"),
        step=("translation", [0.5, 1], way, "STEP"),
        cubic=("scale", [0, 2], way * 3, "CUBICSPLINE"),
    )
    tiny.json["nodes"][0].update(translation=[1, 2, 3], rotation=[0, 0, 0, 1], scale=[1, 1, 2])
    return tiny


def vrm_motion():
    """An animation of VRM: hips that move, a head and an expression."""
    tiny = moving()
    tiny.json["nodes"] += [{"name": "head"}, {"name": "happy"}]
    tiny.json["extensionsUsed"] = ["VRMC_vrm_animation"]
    tiny.json["extensions"] = {"VRMC_vrm_animation": {
        "specVersion": "1.0",
        "humanoid": {"humanBones": {"hips": {"node": 0}, "head": {"node": 1}}},
        "expressions": {"preset": {"happy": {"node": 2}}, "custom": {"own": {"node": 2}}},
        "lookAt": {"node": 1, "offsetFromHeadBone": [0, 0.06, 0]},
    }}
    return tiny


def sparse():
    tiny = Tiny()
    position = tiny.accessor(rigs.TRIANGLE, "VEC3", bounds=True)
    tiny.json["accessors"][position]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": tiny.view(struct.pack("<H", 1)), "componentType": USHORT},
        "values": {"bufferView": tiny.view(struct.pack("<3f", 0, 0, 2))},
    }
    mesh = tiny.mesh({"attributes": {"POSITION": position}})
    tiny.node(root=True, mesh=mesh, matrix=[2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 1, 1, 1])
    return tiny


def quantised():
    tiny = Tiny()
    tiny.json["extensionsUsed"] = tiny.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    primitive = {
        "attributes": {
            "POSITION": tiny.accessor(
                [(0, 0, 0), (900, 0, 0), (0, 900, 0)], "VEC3", SHORT, bounds=True, padded=True
            ),
            "NORMAL": tiny.accessor([(0, 0, 127)] * 3, "VEC3", BYTE, True, padded=True),
            "TANGENT": tiny.accessor([(127, 0, 0, 127)] * 3, "VEC4", BYTE, True),
            "TEXCOORD_0": tiny.accessor([(0, 0)] * 3, "VEC2", USHORT, True),
            "COLOR_0": tiny.accessor([(255, 128, 0, 255)] * 3, "VEC4", UBYTE, True),
        },
        "indices": tiny.accessor([0, 1, 2], "SCALAR", UINT),
        "mode": 5,
    }
    tiny.node(root=True, mesh=tiny.mesh(primitive))
    return tiny


def painted():
    tiny = rigs.square(material={"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
    view = tiny.view(pngs()["rgba"])
    tiny.json["images"] = [{"bufferView": view, "mimeType": "image/png"}]
    tiny.json["samplers"] = [{"wrapS": 33071, "magFilter": 9728, "minFilter": 9985}]
    tiny.json["textures"] = [{"source": 0, "sampler": 0}]
    tiny.json["materials"][0].update(alphaMode="MASK", alphaCutoff=0.4, doubleSided=True)
    return tiny


EXTENSIONS = {
    "emissive_strength": {"emissiveStrength": 5},
    "ior": {"ior": 1.4},
    "specular": {"specularFactor": 0.5, "specularColorFactor": [1, 2, 0],
                 "specularTexture": {"index": 0}, "specularColorTexture": {"index": 0}},
    "clearcoat": {"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.2,
                  "clearcoatTexture": {"index": 0}, "clearcoatRoughnessTexture": {"index": 0},
                  "clearcoatNormalTexture": {"index": 0, "scale": 2}},
    "sheen": {"sheenColorFactor": [0, 0.5, 1], "sheenRoughnessFactor": 0.3,
              "sheenColorTexture": {"index": 0}, "sheenRoughnessTexture": {"index": 0}},
    "transmission": {"transmissionFactor": 1, "transmissionTexture": {"index": 0}},
    "anisotropy": {"anisotropyStrength": 0.5, "anisotropyRotation": 1,
                   "anisotropyTexture": {"index": 0}},
    "iridescence": {"iridescenceFactor": 1, "iridescenceIor": 1.4,
                    "iridescenceThicknessMinimum": 50, "iridescenceThicknessMaximum": 500,
                    "iridescenceTexture": {"index": 0},
                    "iridescenceThicknessTexture": {"index": 0}},
    "volume": {"thicknessFactor": 1, "attenuationDistance": 2, "attenuationColor": [1, 0.5, 0],
               "thicknessTexture": {"index": 0}},
    "dispersion": {"dispersion": 0.3},
}


def lit():
    """All extensions of materials, lights and cameras."""
    tiny = painted()
    moved = {"KHR_texture_transform": {"offset": [0, 1], "rotation": 1, "scale": [2, 3],
                                       "texCoord": 1}}
    tiny.json["materials"][0].update(
        normalTexture={"index": 0, "scale": 0.5, "extensions": moved},
        occlusionTexture={"index": 0, "strength": 0.25, "texCoord": 1},
        emissiveTexture={"index": 0},
        emissiveFactor=[1, 0.5, 0],
        extensions={"KHR_materials_" + name: value for name, value in EXTENSIONS.items()},
    )
    attributes = tiny.json["meshes"][0]["primitives"][0]["attributes"]
    for i in range(2):
        attributes[f"TEXCOORD_{i}"] = tiny.accessor([(0, 1), (1, 1), (1, 0), (0, i)], "VEC2")
    cone = {"innerConeAngle": 0.1, "outerConeAngle": 0.5}
    lights = [{"type": "directional", "color": [1, 0.5, 0]}, {"type": "point", "range": 3},
              {"type": "spot", "intensity": 9, "name": "Lamp", "spot": cone}]
    tiny.json["extensions"] = {"KHR_lights_punctual": {"lights": lights}}
    tiny.json["cameras"] = [
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 1, "zfar": 9}},
        {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 2, "znear": 0, "zfar": 9}},
    ]
    for i in range(3):
        held = {"KHR_lights_punctual": {"light": i}}
        tiny.node(root=True, extensions=held, **({"camera": i} if i < 2 else {}))
    return tiny


def eight_influences():
    tiny = rigs.column([(0.1, 1, 0)] * 3)
    joints, weights = tiny.influences(
        [(1, 0, 0, 0)] * 3, [(9000, 0, 0, 0)] * 3, USHORT, USHORT
    )
    tiny.json["meshes"][0]["primitives"][0]["attributes"].update(
        JOINTS_1=joints, WEIGHTS_1=weights
    )
    return tiny


BONES = ("hips", "spine", "head", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg",
         "rightLowerLeg", "rightFoot", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm",
         "rightLowerArm", "rightHand")


def body():
    """A face with two morph targets at the head, and below it a chain of three joints: nodes 15 to 19."""
    tiny = Tiny()
    for name in ("skin", "hair"):
        tiny.material(name=name)
    face = tiny.primitive([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    raised = tiny.accessor([(0, 0, 1)] * 3, "VEC3", bounds=True)
    mesh = tiny.mesh({**face, "material": 0, "targets": [{"POSITION": raised}] * 2})
    tiny.json["nodes"] = [{"name": name, "children": [i + 1]} for i, name in enumerate(BONES)]
    tiny.json["nodes"] += [{"mesh": mesh, "children": [16]},
                           *({"translation": [0, 0.1, 0.1], "children": [17 + i]} for i in range(3)),
                           {"translation": [0, 0.1, 0]}]
    tiny.json["scenes"][0]["nodes"] = [0]
    return tiny


def vrm():
    tiny = body()
    constraints = ({"roll": {"source": 3, "rollAxis": "Y", "weight": 0.5}},
                   {"aim": {"source": 2, "aimAxis": "NegativeZ"}}, {"rotation": {"source": 1}})
    for node, constraint in zip((5, 8, 11), constraints):
        extension = {"specVersion": "1.0", "constraint": constraint}
        tiny.json["nodes"][node]["extensions"] = {"VRMC_node_constraint": extension}
    shapes = ({"sphere": {"offset": [0, 1, 0], "radius": 0.5}}, {"capsule": {"tail": [0, 1, 0], "radius": 0.1}})
    colliders = [{"node": node, "shape": shape} for node, shape in enumerate(shapes)]
    extended = {"specVersion": "1.0", "shape": {"plane": {"normal": [0, 1, 0]}}}
    colliders.append({"node": 2, "shape": shapes[0],
                      "extensions": {"VRMC_springBone_extended_collider": extended}})
    joints = [{"node": node, "stiffness": 2, "gravityPower": 0.5, "hitRadius": 0.1} for node in (16, 17, 19)]
    face = {"morphTargetBinds": [{"node": 15, "index": 1, "weight": 0.5}], "isBinary": True,
            "overrideMouth": "blend",
            "materialColorBinds": [{"material": 0, "type": "shadeColor", "targetValue": [1, 0, 0, 1]}],
            "textureTransformBinds": [{"material": 1, "scale": [2, 2], "offset": [0, 0.5]}]}
    tiny.json["extensions"] = {
        "VRMC_vrm": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {name: {"node": i} for i, name in enumerate(BONES)}},
            "meta": {"name": "A", "authors": ["b", "c"], "allowRedistribution": True, "thumbnailImage": 0},
            "expressions": {"preset": {"aa": face, "blink": {}}, "custom": {"own": face}},
            "lookAt": {"type": "bone", "offsetFromHeadBone": [0, 0.1, 0],
                       "rangeMapVerticalUp": {"inputMaxValue": 30, "outputScale": 5}},
            "firstPerson": {"meshAnnotations": [{"node": 15, "type": "thirdPersonOnly"}]}},
        "VRMC_springBone": {
            "specVersion": "1.0", "colliders": colliders, "colliderGroups": [{"colliders": [2, 0]}],
            "springs": [{"name": "tail", "center": 0, "joints": joints, "colliderGroups": [0]}]}}
    return tiny


def vrm_0x():
    tiny = body()
    point = {"x": 0, "y": 0.1, "z": 0.2}
    values = [{"materialName": "skin", "propertyName": name, "targetValue": [1, 0.5, 0, 1]}
              for name in ("_Color", "_MainTex_ST")]
    groups = [{"presetName": "a", "binds": [{"mesh": 0, "index": 1, "weight": 50}], "materialValues": values},
              {"name": "own", "isBinary": True}]
    bones = [{"bone": name, "node": i} for i, name in enumerate(BONES)]
    tiny.json["extensions"] = {"VRM": {
        "humanoid": {"humanBones": [*bones, {"bone": "leftThumbIntermediate", "node": 16}]},
        "meta": {"title": "A", "licenseName": "CC0", "texture": 0},
        "blendShapeMaster": {"blendShapeGroups": groups},
        "firstPerson": {"firstPersonBoneOffset": point, "lookAtTypeName": "BlendShape",
                        "lookAtVerticalUp": {"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 90, "yRange": 1},
                        "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}]},
        "secondaryAnimation": {
            "colliderGroups": [{"node": 2, "colliders": [{"offset": point, "radius": 0.1}]}],
            "boneGroups": [{"comment": "tail", "stiffiness": 1, "gravityDir": point, "center": -1,
                            "bones": [17, 16], "colliderGroups": [0]}]}}}
    return tiny


def instances():
    tiny = rigs.triangle()
    places = [(0, 0, 0), (1, 2, 3), (-1, 0, 0.5)]
    turns = [(0, 0, 0, 32767), (0, 32767, 0, 0), (23170, 0, 0, 23170)]
    node = next(node for node in tiny.json["nodes"] if "mesh" in node)
    node["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {
        "TRANSLATION": tiny.accessor(places, "VEC3"),
        "ROTATION": tiny.accessor(turns, "VEC4", SHORT, normalized=True),
        "SCALE": tiny.accessor([(1, 1, 1), (-1, 2, 1), (0.5, 0.5, 0.5)], "VEC3")}}}
    tiny.json["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    return tiny


def assets():
    made = {
        "column": rigs.column([(0.1, 1, 0), (0, 0.8, 0.1), (0, 1.2, 0)]),
        "triangle": rigs.triangle(),
        "moving": moving(),
        "vrm-motion": vrm_motion(),
        "morphing": morphing(),
        "sparse": sparse(),
        "quantised": quantised(),
        "painted": painted(),
        "lit": lit(),
        "eight-influences": eight_influences(),
        "instances": instances(),
        "vrm": vrm(),
        "vrm-0x": vrm_0x(),
    }
    for name, tiny in made.items():
        yield name + ".glb", tiny.glb()
    for name in ("column", "moving", "morphing"):
        yield name + ".gltf", made[name].gltf()
    yield "painted.zip", archive(made["painted"])


def archive(tiny):
    """A document in a folder with its buffer beside it: stored and deflated entries."""
    document = {**tiny.json, "buffers": [{"byteLength": len(tiny.bin), "uri": "data/a%20b.bin"}]}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as files:
        for name, data, how in (
            ("rig/painted.gltf", json.dumps(document).encode(), zipfile.ZIP_DEFLATED),
            ("rig/data/a b.bin", bytes(tiny.bin), zipfile.ZIP_STORED),
        ):
            files.writestr(zipfile.ZipInfo(name), data, how)
    return out.getvalue()


def requests():
    clip = {"clip": "Turn", "time": 0.25, "loop": "ping_pong"}
    slide = {"clip": 1, "phase": 0.5, "loop": "repeat"}
    whole = {
        "rest": {"rig": "fox", "pose": "rest"},
        "clip": {"rig": "fox", "pose": clip, "space": "local"},
        "poses": {"rig": "fox", "poses": ["rest", clip, slide], "skinning": "dqs"},
        "vertices": {
            "rig": "fox",
            "pose": slide,
            "attributes": ["normal", "position", "tangent"],
            "skinning": {"method": "lbs", "device": "cpu", "normals": "cof"},
        },
        "stream": {
            "rig": "fox",
            "pose": slide,
            "attributes": ["position:u16x3"],
            "compression": "meshopt",
            "fps": 60,
            "speed": 0.5,
            "time": 1.5,
            "duration": 2,
            "paused": False,
        },
        "patch": {"pose": clip, "fps": 10, "speed": 2, "time": 3, "paused": True},
        "packed": {
            "rig": "fox",
            "poses": [slide, clip],
            "attributes": ["position:u16x3", "normal:oct8x2"],
            "bits": 12,
            "compression": {"codec": "meshopt", "delta": "previous", "order": "strip"},
        },
        "blend": {
            "rig": "fox",
            "pose": {
                "blend": [
                    {"pose": clip, "weight": 0.7, "mask": {"K": 1, "J": 0}},
                    {"pose": "rest", "weight": 2},
                ],
                "rotation": "slerp",
            },
        },
        "add": {"rig": "fox", "pose": {"add": clip, "to": slide, "reference": "rest", "weight": 1}},
        "set": {
            "rig": "fox",
            "pose": {
                "set": clip,
                "joints": {"K": {"rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 3]}},
            },
        },
        "orbit": {
            "rig": "fox",
            "pose": clip,
            "width": 64,
            "height": 32,
            "background": "#ff00ff80",
            "samples": 4,
            "fit": "clip",
            "camera": {"yaw": 30, "pitch": -10, "distance": 3, "fov": 40, "target": [0, 1, 0]},
        },
        "look": {"rig": "fox", "camera": {"eye": [1, 2, 3], "target": [0, 0, 0], "up": [0, 1, 0]}},
        "preset": {"rig": "fox", "camera": "bust", "margin": 0.1},
        "light": {
            "rig": "fox",
            "environment": "soft",
            "exposure": -1.5,
            "tone_mapping": "aces",
            "lights": False,
        },
        "ground": {"rig": "fox", "shadow": True, "grid": True},
        "drawing": {
            "rig": "fox",
            "camera": {"preset": "side", "orthographic": True, "height": 2, "target": [0, 1, 0]},
        },
        "node": {"rig": "fox", "camera": {"node": "Camera"}, "fit": "clip"},
        "overlays": {
            "rig": "fox",
            "pose": {"clip": "Run", "time": 0.2},
            "overlays": [
                {"overlay": "skeleton", "joints": ["Hips", 3], "names": True, "axes": False},
                {"overlay": "wireframe", "color": "#10182880"},
                {"overlay": "normals", "length": 0.1},
                {"overlay": "bounds", "of": "clip"},
                {"overlay": "trails", "times": {"start": -0.5, "end": 0.5, "count": 9}},
                {"overlay": "onion", "count": 3, "spread": 0.5},
            ],
        },
        "overlays-times": {
            "rig": "fox",
            "overlays": [
                "bounds",
                {"overlay": "trails", "joints": ["Head"], "times": [0, 0.5, -1]},
                {"overlay": "onion", "times": [-0.1, 0.1]},
            ],
        },
        "shaded": {"rig": "fox", "shading": {"mode": "weights", "joint": "K"}},
        "outlined": {"rig": "fox", "shading": {"mode": "silhouette", "color": "#0f1e2d"}},
        "coded": {"rig": "fox", "background": "#ffffff", "quality": 70, "lossless": False},
        "matrices": {
            "rig": "fox",
            "camera": {"view": rigs.IDENTITY, "projection": rigs.IDENTITY},
        },
        "example": {
            "pose": {"set": clip, "joints": {"K": {"scale": [1, 2, 3]}}},
            "positions": [[0, 1.5, -2e-3], [1, 2, 3]],
            "normals": [[0, 0.6, 0.8], [0, 0, 1]],
        },
        "targets": {"pose": "rest", "targets": {"J": [0, 1]}},
        "baked": {"pose": clip, "duration": 1.5, "rate": 20},
        "bake": {"rig": "r", "pose": clip, "as": "vertex_texture", "duration": 1.5, "rate": 20,
                 "name": "n", "precision": "float", "skinning": "lbs"},
        "crowd": {
            "instances": [
                {"rig": "fox", "pose": clip, "translation": [1, 2, 3], "scale": 2},
                {"rig": "hen", "rotation": [0, 1, 0, 0]},
            ],
            "attributes": ["positions"],
            "width": 8,
        },
        "frames": {
            "rig": "fox",
            "pose": clip,
            "times": {"start": 0.5, "end": 2, "fps": 12},
            "turntable": {"count": 8, "start_yaw": 30, "degrees": -180},
            "format": "apng",
            "fps": 12.5,
            "loops": 3,
        },
        "moments": {"rig": "fox", "poses": ["rest", clip], "times": [0, 0.5], "turntable": 36},
        "compare": {
            "rig": "fox",
            "pose": clip,
            "methods": ["lbs", {"method": "dqs", "device": "cpu"}, {}],
            "worst": 3,
            "view": "heat",
            "scale": 0.5,
        },
    }
    for name, request in whole.items():
        yield name + ".json", json.dumps(request).encode()
    yield "escapes.json", rb'{"rig": "\u00e9\ud83e\udd8a\/\n", "pose": {"clip": -1.5e-3}}'


def queries():
    for name, text in {
        "clip": "clip=Walk&time=0.4&loop=repeat&width=256&height=256",
        "overlays": "clip=Run&overlays=skeleton,wireframe,,bones",
        "camera": "yaw=30&pitch=10&distance=2.5&fov=35&background=%23ffffff&skinning=dqs",
        "drawing": "camera=front&orthographic=true&view_height=2&margin=0.1&node=3",
        "shading": "shading=depth&near=1&far=2.5",
        "coding": "quality=70&lossless=false&background=%23ffffff",
        "phase": "clip=0&phase=0.25&samples=1&fit=rest",
        "escapes": "clip=%C3%A9%20%F0%9F%A6%8A+x&width",
        "taken": "clip=Walk&map=auto&rate=24",
        "mapped": "map=%7B%22Hips%22:%22hips%22%7D&scale=0.01",
        "compatibility": "with=fox&map=name",
        "sequence": "clip=Walk&start=0.1&end=1&count=7&turntable=4&fps=12&loops=2",
        "twice": "width=1&width=2&&=",
    }.items():
        yield name, text.encode()


def write(harness, name, data):
    folder = HERE / "seeds" / harness
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def decisions(count, length):
    """Bytes without any meaning: each chooses one thing after the other."""
    for i in range(count):
        yield f"{i:02}", hashlib.shake_256(bytes([i])).digest(length)


def packed_clip(*channels):
    """Encodes a clip like clip_pack.c; channels: (joint, path, interpolation, times, rows)."""
    rows, floats, names = b"", [], b""
    for joint, path, interpolation, times, values in channels:
        flat = [number for row in values for number in row]
        rows += struct.pack("<7I", len(names), path, interpolation, len(values[0]), len(times),
                            len(floats), len(floats) + len(times))
        floats += times + flat
        names += joint.encode() + b"\0"
    head = struct.pack("<16s4I", b"posed clip 1\n", len(channels), len(floats), len(names), 0)
    return head + rows + struct.pack(f"<{len(floats)}f", *floats) + names


def clips():
    vectors, turns = [(1, 2, 3), (4, 5, 6)], [(0, 0, 0, 1), (0, 0.6, 0, 0.8)]
    linear = ("J0", 0, 1, [0, 1], vectors), ("J1", 1, 1, [0, 0.5], turns)
    steps = ("J1", 2, 0, [0.25], vectors[:1])
    spline = ("J0", 1, 2, [0, 2], turns * 3)
    return {"empty": (), "linear": linear, "steps": (steps,), "spline": (spline,),
            "all": (*linear, steps, spline), "weights": (("J0", 3, 1, [0], [(1, 2)]),)}


def forms():
    head = b'Content-Disposition: form-data; name="file"; filename='
    part = b"--B\r\n" + head + b'"scene.gltf"\r\nContent-Type: model/gltf+json\r\n\r\n{}\r\n'
    named = [b"--B\r\n" + head + name + b"\r\n\r\nx\r\n"
             for name in (b"plain", b'"a \\"b\\".bin"', b'"%22.bin"', b'"a/\xc3\xa4.bin"; x=y')]
    kind = b"multipart/form-data; boundary=B\n"
    return {"one": kind + part + b"--B--\r\n", "many": kind + part + b"".join(named) + b"--B--",
            "quoted": b'multipart/form-data; charset=a; boundary="B"\nbefore\r\n' + part + b"--B-- \r\nafter",
            "nested": kind + b"--B\r\n" + head + b"a\r\nContent-Type: multipart/mixed\r\n\r\n--C--\r\n--B--",
            "cut": kind + part, "encoded": kind + b"--B\r\nContent-Transfer-Encoding: base64\r\n\r\n"}


def check_files():
    limits = {"motion/pop": {"note": 0.001, "warning": "off", "error": 0.1, "source": "a", "as_of": "b"},
              "clip/*": {"level_at_most": "note"}, "*": "off"}
    settings = {"ground": 0.5, "skinning": "dqs", "loops": ["Walk*"], "airborne": ["?"], "still": [],
                "height": [1, 2], "required_joints": ["Hips"], "influences": 8, "unused_share": 0.2,
                "self_intersection_ms": 2000, "surface_samples": 64}
    accepted = {"rule": "motion/*", "file": "*", "clip": "W", "joint": "l*", "material": "m",
                "reason": "never seen", "until": "2028-02-29", "by": "mk", "at_most": 0.8}
    rules = {"version": 1, "extends": "strict", "settings": settings, "rules": limits,
             "for": [{"clips": ["W*"], "files": ["**"], "rules": limits}], "suppress": [accepted]}
    known = {"rule": "motion/pop", "level": "note", "clip": "Walk", "value": 0.004,
             "threshold": 0.006, "fingerprint": "9f2c000000000001", "state": "new",
             "message": "\ud83e\udd8a <\"&'>\n|", "joint": "a\u0001b"}
    gone = {**known, "fingerprint": "9f2c000000000002", "suppressed": "x\ty", "material": "@m"}
    report = {"schema": "posed-check/1", "build": "b", "skinning": "dqs", "profile": {"digest": "d"},
              "files": [{"path": "fox.glb", "findings": [known, gone]},
                        {"path": "a.glb", "findings": []}]}
    words = {"ground": "auto", "required_joints": "vrm", "influences": "any"}
    return {"rules": rules, "report": report, "least": {"version": 1},
            "words": {"version": 1, "settings": words},
            "falling": {"version": 1, "rules": {"motion/pop": {"note": 2, "error": 1}}},
            "unknown": {"version": 1, "rules": {"motion/pip": "off"}},
            "sarif": {"version": "2.1.0", "runs": []}}


PRISM_TURN = "0 &3f800000 0 0 -1 0 0 0 0 0 1 0"
PRISM_PLAIN = "1 0 0 0 0 1 0 0 0 0 1 0"


def prism_stream(kind, tag, rows):
    lines = "".join(f"{i} ( {row} )\n" for i, row in enumerate(rows))
    return f'Stream {{ Format: {kind} Tag: "{tag}"\n{lines}}}\n'


def prism_files():
    """Files of Prism one by one, and together behind NUL bytes as fuzz_prism.c takes them."""
    def head(version, kind):
        return f'Header {{\n FormatVersion: {version}\n Type: "{kind}"\n Name: "two"\n}}\n'

    def keys(kind, name, tag, values, rows):
        return (f'{kind} {{ Name: "{name}" StreamCount: 2 KeyframeCount: {len(rows)}\n'
                + prism_stream("FLOAT", "_TIME", ["&3e800000"] * len(rows))
                + prism_stream(values, tag, rows) + "}\n")

    pis = head(1, "Skeleton") + "Global { BoneCount: 2 }\nBones {\n" + "".join(
        f'{i} ( Name: "{name}" Parent: "{parent}" Matrix: ( {PRISM_TURN} {i} {i} 0 1 ) )\n'
        for i, (name, parent) in enumerate((("up", "root"), ("root", "")))) + "}\n"
    pia = (head(3, "Animation") + 'Global { Skeleton: "two.pis" TotalTime: 0.5 BoneChannelCount: 1'
           " CustomChannelCount: 1 }\n"
           + keys("BoneChannel", "up", "_MATRIX", "FLOAT4x4",
                  [f"{PRISM_PLAIN} 0 1 0 1", f"{PRISM_TURN} 0 2 0 1", f"{PRISM_PLAIN} 0 3 0 1"])
           + keys("CustomChannel", "Prism Movement", "_MOVEMENT", "FLOAT3", ["0 0 0", "0 0 &bf800000"]))
    pim = (head(5, "Model") + "Global { VertexCount: 3 TriangleCount: 1 MaterialCount: 1 PieceCount: 1 "
           'PartCount: 1 BoneCount: 2 LocatorCount: 0 Skeleton: "two.pis" }\n'
           'Material { Alias: "m" Effect: "eut2.dif" }\n'
           "Piece { Index: 0 Material: 0 VertexCount: 3 TriangleCount: 1 StreamCount: 3\n"
           + prism_stream("FLOAT3", "_POSITION", ["0 0 0", "0 1 0", "1 0 0"])
           + prism_stream("FLOAT3", "_NORMAL", ["0 0 1"] * 3)
           + prism_stream("FLOAT2", "_UV0", ["0 0", "0 1", "1 0"])
           + "Triangles { 0 ( 0 1 2 ) }\n}\nPart { Name: \"p\" Pieces: 0 Locators: }\n"
           'Bones { 0 ( "root" ) 1 ( "up" ) }\n')
    new = ('PieceSkin { Piece: 0 StreamCount: 1 PieceSkinStream { Format: FLOAT3 Tag: "_POSITION" ItemCount: 2'
           " 0 ( ( 0 0 0 ) Weights: 1 0 1 VertexIndices: 1 0 )"
           " 1 ( ( 0 1 0 ) Weights: 2 0 0.25 1 0.75 VertexIndices: 2 1 2 ) } }\n")
    old = ('Skin { StreamCount: 1 SkinStream { Format: FLOAT3 Tag: "_POSITION" ItemCount: 1'
           " 0 ( ( 0 1 0 ) Weights: 2 0 0.25 1 0.75 Clones: 2 0 1 0 2 ) } }\n")
    together = {"pieces": [pim + new, pis, pia], "clones": [pim + old, pis, pia, pia],
                "skeleton": [pis], "motion": [pia, pis], "model": [pim + new]}
    return {name: "\0".join(files).encode() for name, files in together.items()}


def md5_motions():
    text = """MD5Version 10
commandline "by hand"

numFrames 2
numJoints 2
frameRate 24
numAnimatedComponents %d

hierarchy {
\t"hips" -1 %d 0
\t"knee" 0 %d %d\t// hips
}

bounds {
\t( 0 0 0 ) ( 1 1 1 )
\t( 0 0 0 ) ( 1 1 1 )
}

baseframe {
\t( 0 1 0 ) ( 0 0 0 )
\t( 0 1 0 ) ( 0.6 0 0 )
}

frame 0 {
\t%s
}

frame 1 {
\t%s
}
"""
    mesh = """MD5Version 10
commandline "by hand"

numJoints 2
numMeshes 1

joints {
\t"hips" -1 ( 0 0 0 ) ( 0 0 0 )
\t"knee" 0 ( 0 1 0 ) ( 0.6 0 0 )\t// hips
}

mesh {
\tshader "skin"

\tnumverts 3
\tvert 0 ( 0 0 ) 0 1
\tvert 1 ( 1 0.5 ) 1 2
\tvert 2 ( 0 1 ) 0 0

\tnumtris 1
\ttri 0 0 2 1

\tnumweights 3
\tweight 0 0 1 ( 0 0 0 )
\tweight 1 0 0.25 ( 2 0 0 )
\tweight 2 1 0.75 ( 0 2 0.5 )
}
"""
    return {
        "mesh": mesh,
        "both": mesh + "\0" + text % (2, 33, 0, 2, "1 0.5", "2 -0.5"),
        "full": text % (12, 63, 63, 6, "0 1 0 0 0 0 " * 2, "1 2 3 0.5 0 0 " * 2),
        "still": text % (2, 33, 0, 2, "1 0.5", "2 -0.5"),
        "empty": text % (0, 0, 0, 0, "", ""),
    }


def many_vertices():
    """So many that packing them is worth it."""
    points = [(0.1 * (i % 7), 0.03 * (i // 7), 0.05 * (i % 5)) for i in range(150)]
    return rigs.column(points, [(0, 0, 1)] * len(points)).glb()


def main():
    for name, data in prism_files().items():
        write("fuzz_prism", name, data)
    for name, data in check_files().items():
        write("fuzz_check", name + ".json", json.dumps(data).encode())
    for name, data in assets():
        write("fuzz_glb", name, data)
        if name.endswith(".zip"):
            write("fuzz_zip", name, data)
    write("fuzz_optimise", "vertices.glb", many_vertices())
    for name, data in requests():
        write("fuzz_request", name, data)
    for name, data in queries():
        write("fuzz_query", name, data)
    for name, data in decisions(32, 256):
        write("fuzz_pose", name, data)
    for name, data in decisions(24, 1024):
        write("fuzz_draw_list", name, data)
    for name, data in decisions(16, 1024):
        write("fuzz_assimp", name, data)
    for name, data in md5_motions().items():
        write("fuzz_md5", name, data.encode())
    for name, channels in clips().items():
        write("fuzz_clip", name, packed_clip(*channels))
    for name, data in forms().items():
        write("fuzz_form_data", name, data)
    for name, data in pngs().items():
        write("fuzz_texture", name + ".png", data)


if __name__ == "__main__":
    main()
