"""Files of spheres in materials of glTF, for kept pictures and for those beside three.js."""
import json
import math
import struct
import zlib

from case import DEMO
from picture import SIGNATURE
from tiny import Tiny, glb, split_glb

RINGS, SECTORS = 24, 48
RADIUS = 0.45
GREY = [0.8, 0.8, 0.8, 1]
RED, BLUE, GOLD = [0.8, 0.1, 0.08, 1], [0.1, 0.25, 0.8, 1], [1, 0.77, 0.34, 1]


def png(side, pixel):
    """A square PNG of RGBA from pixel(u, v), both from 0 to 1, v downwards."""

    def chunk(kind, content):
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    raw = b"".join(
        b"\0" + bytes(value for x in range(side) for value in pixel((x + 0.5) / side, (y + 0.5) / side))
        for y in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw))
            + chunk(b"IEND", b""))


def bumps(u, v):
    """A normal map of round waves: the gradient of sin(x) sin(y)."""
    x, y = u * 2 * math.pi * 8, v * 2 * math.pi * 4
    slope = (-0.6 * math.cos(x) * math.sin(y), 0.6 * math.sin(x) * math.cos(y), 1)
    length = math.hypot(*slope)
    return (*(round((part / length + 1) * 127.5) for part in slope), 255)


def half(u, v):
    """Grey on the right, nothing on the left."""
    return 200, 200, 200, 255 if u > 0.5 else 0


def holes(u, v):
    """Orange, whose alpha is waves around one half."""
    wave = math.sin(u * 2 * math.pi * 6) * math.sin(v * 2 * math.pi * 3)
    return 230, 140, 40, round(127.5 + 127.5 * wave)


def stripes(u, v):
    """Eight across, of light and dark, and red that grows downwards."""
    light = 230 if int(u * 16) % 2 else 60
    return round(v * 255), light, light, 255


def ball(u, v):
    """A sphere with a light spot above, and a ring at its edge."""
    x, y = 2 * u - 1, 2 * v - 1
    edge = math.hypot(x, y)
    spot = max(0, 1 - math.hypot(x + 0.2, y + 0.5) * 2.5)
    ring = 0.6 if edge > 0.9 else 0
    return (*(round(255 * min(1, spot + part * ring)) for part in (0.3, 0.6, 1)), 255)


class Spheres(Tiny):
    """A glTF under construction, of spheres and squares that share their vertices."""

    def __init__(self, *extensions):
        super().__init__()
        if extensions:
            self.json["extensionsUsed"] = list(extensions)
        self.ball = self._ball()

    def _ball(self):
        normals, coordinates, triangles, tangents = [], [], [], []
        for ring in range(RINGS + 1):
            for sector in range(SECTORS + 1):
                down, turn = math.pi * ring / RINGS, 2 * math.pi * sector / SECTORS
                normals.append((-math.cos(turn) * math.sin(down), math.cos(down),
                                math.sin(turn) * math.sin(down)))
                coordinates.append((sector / SECTORS, ring / RINGS))
                tangents.append(((math.sin(turn), 0, math.cos(turn)),
                                 (math.cos(turn) * math.cos(down), math.sin(down),
                                  -math.sin(turn) * math.cos(down))))
        for ring in range(RINGS):
            for sector in range(SECTORS):
                a = ring * (SECTORS + 1) + sector
                b = a + SECTORS + 1
                triangles += [a, b, a + 1] if ring else []
                triangles += [a + 1, b, b + 1] if ring < RINGS - 1 else []
        points = [tuple(RADIUS * part for part in normal) for normal in normals]
        self.along, self.up = zip(*tangents)  # unit: how u grows, and how v falls
        return self.primitive(points, triangles, NORMAL=self.normals(normals),
                              TEXCOORD_0=self.accessor(coordinates, "VEC2"))

    def texture(self, content):
        image = self.add("images", {"bufferView": self.view(content), "mimeType": "image/png"})
        return {"index": self.add("textures", {"source": image})}

    def tangents(self, directions, handedness):
        return self.accessor([(*direction, handedness) for direction in directions], "VEC4")

    def sphere(self, x, y, z=0, metallic=0, roughness=0.4, color=GREY, tangents=None, **more):
        surface = {"baseColorFactor": color, "metallicFactor": metallic,
                   "roughnessFactor": roughness, **more.pop("surface", {})}
        material = self.material(pbrMetallicRoughness=surface, **more)
        attributes = {**self.ball["attributes"], **({"TANGENT": tangents} if tangents else {})}
        mesh = self.mesh({**self.ball, "attributes": attributes, "material": material})
        self.node(root=True, name=f"sphere {x} {y}", mesh=mesh, translation=[x, y, z])

    def wall(self, z=-0.7, color=GREY, width=1.6, height=1.6):
        """A rectangle that faces +Z."""
        x, y = width, height
        square = self.primitive([(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)],
                                [0, 1, 2, 0, 2, 3], NORMAL=self.normals([(0, 0, 1)] * 4))
        square["material"] = self.material(pbrMetallicRoughness={
            "baseColorFactor": color, "metallicFactor": 0, "roughnessFactor": 0.9})
        self.node(root=True, name=f"wall {z} {width}", mesh=self.mesh(square))

    def light(self, **light):
        """light: as KHR_lights_punctual has it, and the node's translation and rotation."""
        node = {key: light.pop(key) for key in ("translation", "rotation") if key in light}
        lights = self.json.setdefault("extensions", {}).setdefault(
            "KHR_lights_punctual", {"lights": []})["lights"]
        lights.append(light)
        self.node(root=True, name=f"lamp {len(lights)}",
                  extensions={"KHR_lights_punctual": {"light": len(lights) - 1}}, **node)


def extended(name, **members):
    return {"extensions": {f"KHR_materials_{name}": members}}


def rows(spheres, *rows_of_spheres):
    """Up to three rows of three, from the upper left."""
    for y, row in zip((1, 0, -1), rows_of_spheres):
        for x, members in zip((-1, 0, 1), row):
            spheres.sphere(x, y, **members)
    return spheres


def metals():
    return rows(Spheres(), *(
        [{"metallic": metal, "roughness": rough, "color": color} for rough in (0.1, 0.4, 0.9)]
        for metal, color in ((1, GOLD), (0.5, GREY), (0, RED))))


def normal_map():
    made = Spheres()
    map_ = made.texture(png(128, bumps))
    return rows(made, *(
        [{"metallic": metal, "roughness": rough, "normalTexture": {**map_, "scale": scale}}
         for rough, scale in ((0.2, 0.5), (0.5, 1), (0.9, 1))]
        for metal in (1, 0.5, 0)))


def tangents():
    """Normal maps along tangents other than how the textures lie, and on backs."""
    made = Spheres("KHR_materials_clearcoat")
    map_ = {"normalTexture": made.texture(png(128, bumps))}
    coat = extended("clearcoat", clearcoatFactor=1, clearcoatRoughnessFactor=0.2,
                    clearcoatNormalTexture=map_["normalTexture"])
    aside, mirrored = made.tangents(made.up, 1), made.tangents(made.along, -1)
    rough = {"roughness": 0.6, **map_}
    # Only the halves behind are there, whose backs one sees.
    within = {**rough, "color": [1, 1, 1, 1], "doubleSided": True, "alphaMode": "MASK",
              "surface": {"baseColorTexture": made.texture(png(64, half))}}
    return rows(
        made,
        [{"tangents": aside, **rough}, {"tangents": mirrored, **rough}, rough],
        [{"tangents": aside, **within}, {"tangents": mirrored, **within}, within],
        # three.js wants a normal map before it looks at the tangents for that of a coat.
        [{"tangents": aside, **rough, "metallic": 1},
         {"tangents": aside, "color": RED, **rough, **coat}, {"color": RED, **rough, **coat}])


def emissive():
    made = Spheres("KHR_materials_emissive_strength", "KHR_materials_unlit")
    return rows(
        made,
        [{"emissiveFactor": factor} for factor in ([0.3, 0, 0], [0, 0.6, 0], [0.2, 0.2, 1])],
        [{"emissiveFactor": [1, 0.5, 0.1], **extended("emissive_strength", emissiveStrength=strength)}
         for strength in (0.5, 1.5, 4)],
        [{"color": color, **extended("unlit")} for color in (RED, BLUE, GOLD)])


def clearcoat():
    return rows(Spheres("KHR_materials_clearcoat"), *(
        [{"color": color, "metallic": metal, "roughness": 0.7,
          **extended("clearcoat", clearcoatFactor=factor, clearcoatRoughnessFactor=rough)}
         for factor, rough in ((0, 0), (0.6, 0.1), (1, 0.4))]
        for color, metal in ((RED, 0), (BLUE, 0), (GOLD, 1))))


def sheen():
    return rows(Spheres("KHR_materials_sheen"), *(
        [{"color": [0.12, 0.05, 0.2, 1], "roughness": 0.9,
          **extended("sheen", sheenColorFactor=color, sheenRoughnessFactor=rough)}
         for rough in (0.2, 0.5, 0.9)]
        for color in ([1, 1, 1], [0.9, 0.3, 0.2], [0.2, 0.4, 0.9])))


def behind_glass(*extensions):
    """Three walls, before which things of glass stand."""
    made = Spheres("KHR_materials_transmission", *extensions)
    for i, color in enumerate((RED, GREY, BLUE)):
        made.wall(-0.8 + 0.01 * i, color, 1.5 - 0.5 * i, 1.5)
    return made


def glass(rough=0, color=(1, 1, 1, 1), **extensions):
    """Members of a sphere through which all light goes."""
    return {"color": list(color), "roughness": rough, "extensions": {
        f"KHR_materials_{name}": members for name, members in
        {"transmission": {"transmissionFactor": 1}, **extensions}.items()}}


def transmission():
    made = behind_glass()
    return rows(made, *(
        [{"color": color, "roughness": rough, **extended("transmission", transmissionFactor=factor)}
         for factor, rough in ((0.3, 0), (1, 0), (1, 0.5))]
        for color in ([1, 1, 1, 1], [1, 0.6, 0.3, 1], [0.4, 0.8, 1, 1])))


def volume():
    made = behind_glass("KHR_materials_volume", "KHR_materials_ior")
    striped = made.texture(png(64, stripes))
    thick = {"thicknessFactor": 0.6}
    return rows(
        made,
        [glass(volume={"thicknessFactor": thickness}) for thickness in (0.2, 0.6, 1.2)],
        [glass(volume={**thick, "attenuationColor": color, "attenuationDistance": distance})
         for color, distance in (([0.9, 0.3, 0.2], 0.3), ([0.3, 0.9, 0.4], 0.6), ([0.2, 0.3, 0.9], 2))],
        [glass(ior={"ior": 1.15}, volume=thick), glass(0.3, ior={"ior": 1.8}, volume=thick),
         glass(volume={**thick, "thicknessTexture": striped, "attenuationColor": [0.9, 0.5, 0.1],
                       "attenuationDistance": 0.2})])


def dispersion():
    made = Spheres("KHR_materials_transmission", "KHR_materials_volume", "KHR_materials_ior",
                   "KHR_materials_dispersion")
    for i in range(10):  # stripes, whose edges come apart
        made.wall(-0.8 + 0.01 * i, ([0.02, 0.02, 0.02, 1], [1, 1, 1, 1])[i % 2], 1.5 - 0.15 * i, 1.5)
    return rows(made, *(
        [glass(rough, ior={"ior": index}, volume={"thicknessFactor": 0.8},
               dispersion={"dispersion": spread}) for spread in (0, 1, 5)]
        for index, rough in ((1.5, 0), (2, 0), (1.7, 0.2))))


def around(u, v):
    """Directions of anisotropy that turn with u, and its strength, that grows downwards."""
    turn = u * 2 * math.pi
    return (*(round((part + 1) * 127.5) for part in (math.cos(turn), math.sin(turn))),
            round(v * 255), 255)


def anisotropy():
    made = Spheres("KHR_materials_anisotropy")
    picture = made.texture(png(64, around))
    # Without tangents three.js turns the other way than glTF says.
    along, aside = made.tangents(made.along, 1), made.tangents(made.up, 1)
    stretched = {"metallic": 1, "color": GOLD}
    return rows(
        made,
        [{**stretched, "roughness": 0.3, **extended("anisotropy", anisotropyStrength=strength)}
         for strength in (0.3, 0.6, 1)],
        [{**stretched, "roughness": 0.2, "tangents": along,
          **extended("anisotropy", anisotropyStrength=0.8, anisotropyRotation=turn)}
         for turn in (math.pi / 4, math.pi / 2, -math.pi / 4)],
        [{"color": RED, "roughness": 0.3, "tangents": aside,
          **extended("anisotropy", anisotropyStrength=0.8)},
         {**stretched, "roughness": 0.3, "tangents": along, **extended(
             "anisotropy", anisotropyStrength=1, anisotropyTexture=picture)},
         {**stretched, "roughness": 0.2, "normalTexture": made.texture(png(128, bumps)),
          **extended("anisotropy", anisotropyStrength=0.7)}])


def iridescence():
    made = Spheres("KHR_materials_iridescence")
    striped = made.texture(png(64, stripes))
    dark, grey = [0.02, 0.02, 0.02, 1], [0.6, 0.6, 0.6, 1]
    return rows(
        made,
        [{"color": dark, "roughness": 0.15, **extended(
            "iridescence", iridescenceFactor=1, iridescenceIor=1.8,
            iridescenceThicknessMaximum=thickness)} for thickness in (250, 400, 700)],
        [{"color": grey, "metallic": 1, "roughness": 0.25, **extended(
            "iridescence", iridescenceFactor=factor, iridescenceThicknessMaximum=500)}
         for factor in (0, 0.5, 1)],
        [{"color": grey, "metallic": 0.5, "roughness": 0.3, **extended(
            "iridescence", iridescenceFactor=1, iridescenceTexture=striped)},
         {"color": grey, "metallic": 1, "roughness": 0.2, **extended(
             "iridescence", iridescenceFactor=1, iridescenceThicknessMinimum=100,
             iridescenceThicknessMaximum=800, iridescenceThicknessTexture=striped)},
         {"color": RED, "roughness": 0.2, **extended(
             "iridescence", iridescenceFactor=1, iridescenceIor=2.2,
             iridescenceThicknessMaximum=300)}])


def alphas():
    made = Spheres()
    made.wall(-0.8, BLUE, 0.6, 1.5)
    picture = {"baseColorTexture": made.texture(png(128, holes))}
    white = [1, 1, 1, 1]
    return rows(
        made,
        [{"color": white, "surface": picture},
         {"color": white, "surface": picture, "alphaMode": "MASK", "doubleSided": True},
         {"color": white, "surface": picture, "alphaMode": "MASK", "alphaCutoff": 0.8}],
        [{"color": [0.9, 0.2, 0.1, alpha], "alphaMode": "BLEND"} for alpha in (0.25, 0.5, 0.75)],
        [{"color": white, "surface": picture, "alphaMode": "BLEND"}, {"color": RED}, {}])


def lamps():
    made = Spheres("KHR_lights_punctual")
    made.wall(-0.6, GREY, 1.6, 1.6)
    made.light(type="point", color=[1, 0.6, 0.3], intensity=4, translation=[-1.2, 1.2, 1])
    made.light(type="point", color=[0.4, 0.7, 1], intensity=6, range=3, translation=[1.3, -1, 1.2])
    made.light(type="spot", color=[1, 1, 1], intensity=25, translation=[0.3, 0.3, 3],
               spot={"innerConeAngle": 0.1, "outerConeAngle": 0.35})
    return rows(made, *(
        [{"metallic": metal, "roughness": rough} for rough in (0.25, 0.5, 0.9)]
        for metal in (1, 0.5, 0)))


def toon(shade, **members):
    """Members of a sphere in MToon."""
    material = {key: members.pop(key) for key in (
        "color", "surface", "alphaMode", "alphaCutoff", "doubleSided", "emissiveFactor")
        if key in members}
    return {**material, "extensions": {"VRMC_materials_mtoon": {
        "specVersion": "1.0", "shadeColorFactor": shade, **members}}}


def mtoon():
    """Ramps with outlines; rim, sphere and textures; holes, layers and what moves with a clip."""
    made = Spheres("KHR_lights_punctual", "VRMC_materials_mtoon")
    striped = made.texture(png(64, stripes))
    line = {"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.03,
            "outlineColorFactor": [0.1, 0.05, 0.2], "outlineLightingMixFactor": 0}
    dark, white = [0.35, 0.1, 0.2], [1, 1, 1, 1]
    made.light(type="directional", intensity=math.pi, rotation=[-0.3, -0.3, 0, 0.9055])
    made.wall(-0.8, BLUE, 1.5, 0.5)
    rows(
        made,
        [toon(dark, color=RED, shadingToonyFactor=0, **line),
         toon(dark, color=RED, shadingToonyFactor=0.5, shadingShiftFactor=-0.2,
              **{**line, "outlineLightingMixFactor": 1, "outlineColorFactor": [1, 0.6, 0]}),
         toon(dark, color=RED, shadingToonyFactor=0.95, giEqualizationFactor=0,
              **{**line, "outlineWidthMode": "screenCoordinates",
                 "outlineWidthMultiplyTexture": striped})],
        [toon(dark, color=GREY, parametricRimColorFactor=[0.2, 0.8, 0.4],
              parametricRimFresnelPowerFactor=3, parametricRimLiftFactor=0.1),
         toon(dark, color=GREY, matcapTexture=made.texture(png(64, ball)),
              matcapFactor=[1, 0.9, 0.8], rimLightingMixFactor=0.5),
         toon([0.3, 0.5, 1], color=GOLD, shadeMultiplyTexture=striped,
              shadingShiftTexture={**striped, "scale": -0.8}, emissiveFactor=[0.1, 0, 0])],
        [toon(dark, color=white, surface={"baseColorTexture": made.texture(png(64, holes))},
              alphaMode="MASK", doubleSided=True, **line),
         toon(dark, color=[0.9, 0.7, 0.1, 0.6], alphaMode="BLEND", transparentWithZWrite=True,
              **line),
         toon(dark, color=white, surface={"baseColorTexture": striped},
              uvAnimationMaskTexture=striped, uvAnimationScrollXSpeedFactor=0.3,
              uvAnimationScrollYSpeedFactor=0.1, uvAnimationRotationSpeedFactor=0.5)])
    node = next(i for i, node in enumerate(made.json["nodes"]) if node["name"] == "sphere 1 -1")
    made.clip([(node, "translation", [0, 2], [(1, -1, 0)] * 2, "LINEAR")], name="clock")
    return made


def lit_humanoid():
    """The demo humanoid and a sun over its right shoulder."""
    document, binary = split_glb((DEMO / "humanoid.glb").read_bytes())
    document["extensionsUsed"] = [*document.get("extensionsUsed", []), "KHR_lights_punctual"]
    document.setdefault("extensions", {})["KHR_lights_punctual"] = {
        "lights": [{"type": "directional", "color": [1, 0.95, 0.9], "intensity": 4}]}
    half = math.radians(-35) / 2
    document["nodes"].append({
        "name": "sun", "rotation": [math.sin(half), 0, 0, math.cos(half)],
        "extensions": {"KHR_lights_punctual": {"light": 0}}})
    document["scenes"][document.get("scene", 0)]["nodes"].append(len(document["nodes"]) - 1)
    return glb(json.dumps(document).encode(), binary)


MAKERS = (metals, normal_map, tangents, emissive, clearcoat, sheen, transmission, volume, dispersion, anisotropy,
          iridescence, alphas, lamps, mtoon)


def rigs():
    """(name, GLB) of all files here."""
    for make in MAKERS:
        yield make.__name__, make().glb()
    yield "lit_humanoid", lit_humanoid()
