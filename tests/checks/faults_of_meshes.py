"""Faults of meshes, levels of detail, and budgets."""
import copy
import math
import struct
import zlib

from seeding import MARKED, View, fault
from tiny import UBYTE, UINT


def nearest(rig, point, count, primitive=0):
    """The triangles of a primitive that are nearest to a point: their places in its list."""
    positions = rig.rows(rig.attribute("POSITION", primitive))
    triangles = rig.triangles(primitive)
    return sorted(range(len(triangles)), key=lambda t: sum(
        math.dist(point, positions[i]) for i in triangles[t]))[:count]


def png(width, height):
    """A grey picture without any detail, as a file."""
    def chunk(kind, content):
        return struct.pack(">I4s", len(content), kind) + content + struct.pack(
            ">I", zlib.crc32(kind + content))
    rows = (b"\0" + b"\x80" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def add_texture(rig, width, height, material=0):
    """A base colour texture for a material."""
    image = rig.add("images", {"bufferView": rig.view(png(width, height)), "mimeType": "image/png"})
    texture = rig.add("textures", {"source": image})
    rig.json["materials"][material]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": texture}


def project(rig, primitive, fine_from=math.inf):
    """Texture coordinates projected from the front, and finer above a height."""
    positions = rig.rows(rig.attribute("POSITION", primitive))
    rig.replace("TEXCOORD_0", [[x, y] if y < fine_from else [20 * x, 20 * y] for x, y, _ in positions], "VEC2",
                primitive=primitive)


def append_vertices(rig, vertices, moved=(0, 0, 0), primitive=0):
    """Copies of vertices behind the last one; returns the first one's place."""
    attributes = rig.primitives()[primitive]["attributes"]
    first = None
    for name, accessor in list(attributes.items()):
        rows = rig.rows(accessor)
        first = len(rows)
        more = [list(rows[i]) for i in vertices]
        if name == "POSITION":
            more = [[x + by for x, by in zip(row, moved)] for row in more]
        kind = rig.json["accessors"][accessor]
        rig.replace(name, rows + more, kind["type"], kind["componentType"], primitive)
    return first


@fault("mesh/nonfinite", level="error")
def positions_that_are_no_numbers(rig):
    """Three vertices whose position is no number."""
    rig.change("POSITION", lambda i, row: [math.nan] * 3 if i < 3 else row)


@fault("mesh/normal_length", picture=MARKED)
def normals_that_are_too_short(rig):
    """Normals of half the length on the head."""
    chosen = set(rig.own("Head"))
    rig.change("NORMAL", lambda i, row: [0.5 * x for x in row] if i in chosen else row)


@fault("mesh/winding", picture=MARKED)
def a_patch_inside_out(rig):
    """A patch of the shirt that faces inwards."""
    triangles = rig.triangles(2)
    for t in nearest(rig, (0, 1.3, 0.2), 900, 2):
        triangles[t].reverse()
    rig.set_triangles(triangles, 2)


@fault("mesh/degenerate", picture=MARKED)
def triangles_without_area(rig):
    """Triangles of the chest with two corners in one place."""
    triangles = rig.triangles(2)
    for t in nearest(rig, (0, 1.3, 0.2), 400, 2):
        triangles[t][2] = triangles[t][1]
    rig.set_triangles(triangles, 2)


@fault("mesh/duplicate_triangles", picture=MARKED)
def a_patch_twice(rig):
    """A patch of the shirt that is there twice."""
    triangles = rig.triangles(2)
    rig.set_triangles(triangles + [triangles[t] for t in nearest(rig, (0, 1.3, 0.2), 400, 2)], 2)


@fault("mesh/duplicate_vertices", level="note", picture=MARKED)
def vertices_twice(rig):
    """A shirt each of whose triangles has corners of its own."""
    triangles = rig.triangles(2)
    first = append_vertices(rig, [i for triangle in triangles for i in triangle], primitive=2)
    rig.set_triangles([[first + 3 * t + k for k in range(3)] for t in range(len(triangles))], 2)


@fault("mesh/unreferenced", level="note", picture=MARKED)
def vertices_without_triangles(rig):
    """Six hundred vertices that no triangle uses."""
    append_vertices(rig, range(600), moved=(0, 0.001, 0))


@fault("mesh/texel_density", level="note", picture=View(shading="checker"))
def a_texture_finer_on_the_head(rig):
    """A texture that is twenty times as fine on the head as on the body."""
    for primitive in range(len(rig.primitives())):
        project(rig, primitive, 1.45)
        add_texture(rig, 64, 64, primitive)


def with_levels(rig, change):
    """The mesh as level 0 and, changed by change(its primitives), as level 1."""
    mesh = copy.deepcopy(rig.json["meshes"][0])
    level = rig.add("meshes", mesh)
    node = next(node for node in rig.json["nodes"] if "mesh" in node)
    node["name"] = "Body_LOD0"
    rig.node(root=True, name="Body_LOD1", mesh=level, skin=node["skin"])
    for primitive in mesh["primitives"]:
        order = rig.rows(primitive["indices"])
        half = [i for t in range(0, len(order), 6) for i, in order[t:t + 3]]
        primitive["indices"] = rig.accessor(half, "SCALAR", UINT)
        change(primitive["attributes"], primitive)


@fault("lod/shape", rig="cyl2", clips=["bend"], picture=View(camera={
    "target": [0, 1, 0], "distance": 4.2}))
def a_level_that_is_thicker(rig):
    """A level of detail that is 0.06 thicker than level 0."""
    def thicken(attributes, _):
        positions, normals = (rig.rows(attributes[name]) for name in ("POSITION", "NORMAL"))
        attributes["POSITION"] = rig.accessor(
            [[x + 0.06 * n for x, n in zip(*pair)] for pair in zip(positions, normals)], "VEC3", bounds=True)
    with_levels(rig, thicken)


@fault("lod/joints", rig="cyl2", clips=["bend"])
def a_level_that_follows_other_joints(rig):
    """A level of detail that follows two joints which level 0 leaves out."""
    skin = rig.json["skins"][0]
    binds = rig.rows(skin["inverseBindMatrices"])
    count = len(binds)
    for name, parent in (("J0 twist", "J0"), ("J1 twist", "J1")):
        extra = rig.node(name=name, translation=[0, 0, 0])
        rig.node_of(parent).setdefault("children", []).append(extra)
        skin["joints"].append(extra)
    skin["inverseBindMatrices"] = rig.accessor(binds + binds, "MAT4")

    def follow(attributes, _):
        joints = rig.rows(attributes["JOINTS_0"])
        attributes["JOINTS_0"] = rig.accessor(
            [[j + count for j in row] for row in joints], "VEC4", UBYTE, padded=True)
    with_levels(rig, follow)


@fault("lod/order", rig="cyl2", clips=["bend"])
def a_level_that_is_no_simpler(rig):
    """A level of detail with all the triangles of level 0."""
    def complete(_, primitive):
        index = rig.json["meshes"][-1]["primitives"].index(primitive)
        primitive["indices"] = rig.primitives()[index]["indices"]
    with_levels(rig, complete)


@fault("budget/vertices")
def crowd_of_vertices(rig):
    """The mesh four times."""
    for _ in range(3):
        rig.node(root=True, **{**rig.node_of("humanoid"), "name": "another"})


@fault("budget/triangles")
def crowd_of_triangles(rig):
    """The mesh three times."""
    for _ in range(2):
        rig.node(root=True, **{**rig.node_of("humanoid"), "name": "another"})


@fault("budget/joints", rig="cyl2")
def a_skin_of_many_joints(rig):
    """A skin with 130 joints."""
    skin = rig.json["skins"][0]
    binds = rig.rows(skin["inverseBindMatrices"])
    more = [rig.node(name=f"extra{i}", translation=[0, 0, 0]) for i in range(128)]
    rig.node_of("J0")["children"] += more
    skin["joints"] += more
    skin["inverseBindMatrices"] = rig.accessor(binds + binds[:1] * len(more), "MAT4")


@fault("budget/draw_calls", rig="cyl2")
def a_mesh_in_pieces(rig):
    """A mesh of ten primitives."""
    triangles = rig.triangles()
    share = len(triangles) // 10 + 1
    whole = rig.primitives()[0]
    rig.json["meshes"][0]["primitives"] = [{**whole, "indices": rig.accessor(
        [i for triangle in triangles[t:t + share] for i in triangle], "SCALAR", UINT)}
        for t in range(0, len(triangles), share)]


@fault("budget/materials", rig="cyl2")
def a_material_for_each_piece(rig):
    """A mesh of ten materials."""
    a_mesh_in_pieces(rig)
    for i, primitive in enumerate(rig.primitives()):
        primitive["material"] = rig.material(name=f"amber {i}")


@fault("budget/texture_size", rig="cyl2")
def a_wide_texture(rig):
    """A texture 5000 pixels wide."""
    project(rig, 0)
    add_texture(rig, 5000, 8)


@fault("budget/texture_bytes", rig="cyl2", options=["--profile", "mobile"])
def a_texture_that_takes_memory(rig):
    """A texture of 22 MB for a phone."""
    project(rig, 0)
    add_texture(rig, 2048, 2048)


@fault("budget/bytes", rig="cyl2", options=["--profile", "mobile"])
def a_large_file(rig):
    """A file of 4 MB for a phone."""
    rig.view(bytes(4_000_000))


@fault("budget/morph_targets", rig="cyl2")
def many_morph_targets(rig):
    """A mesh with 60 morph targets."""
    offsets = rig.accessor([[0, 0, 0]] * len(rig.rows(rig.attribute("POSITION"))), "VEC3", bounds=True)
    rig.primitives()[0]["targets"] = [{"POSITION": offsets}] * 60
