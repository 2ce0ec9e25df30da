"""Differences between an asset and an earlier version of it, which is the sound rig."""
import copy

from faults_of_clips import change_times
from faults_of_meshes import project
from faults_of_motion import swell
from seeding import MARKED, View, fault, named

CYLINDER = {"rig": "cyl2", "clips": ["twist", "bend"], "against": True}
COLOURS = View(0.5, shading="material")
WALK = {"clips": ["Walk"], "against": True}


@fault("diff/joints", picture=named(8, 17), **WALK)
def another_name(rig):
    """A left hand and a right hand that have other names."""
    rig.node_of("LeftHand")["name"], rig.node_of("RightHand")["name"] = "LeftPaw", "RightPaw"


@fault("diff/rest", joint="Head", picture=MARKED, **WALK)
def a_head_that_rests_elsewhere(rig):
    """A head that rests further to the side than before."""
    rig.node_of("Head")["translation"][0] += 0.06


@fault("diff/clips_removed", **CYLINDER)
def clips_that_are_gone(rig):
    """Two clips that are gone, one of them since it has another name."""
    rig.json["animations"].pop()
    rig.json["animations"][0]["name"] = "turn"


@fault("diff/clips_added", level="note", **CYLINDER)
def clips_that_are_new(rig):
    """Two clips that are new."""
    for name in ("twist 2", "twist 3"):
        rig.json["animations"].append({**copy.deepcopy(rig.animation("twist")), "name": name})


@fault("diff/duration", clip="twist", **CYLINDER)
def a_clip_that_takes_longer(rig):
    """A clip that takes a tenth longer."""
    change_times(rig, "twist", lambda time: 1.1 * time)


@fault("diff/rate", clip="Walk", level="note", **WALK)
def half_of_the_keys(rig):
    """A clip with half of the keys."""
    for sampler in rig.animation("Walk")["samplers"]:
        for name in ("input", "output"):
            kind = rig.json["accessors"][sampler[name]]["type"]
            sampler[name] = rig.accessor(rig.rows(sampler[name])[::2], kind, bounds=name == "input")


@fault("diff/motion", clip="Walk", joint="LeftArm", picture=MARKED, **WALK)
def an_arm_that_is_lifted(rig):
    """A walk with the left arm lifted higher than before."""
    count = len(rig.times("Walk"))
    rig.turn_keys("Walk", "LeftArm", (0, 0, 1), lambda k: 45 * swell(k, count))
    return rig.times("Walk")[18]


@fault("diff/shape", picture=MARKED, **WALK)
def hair_of_another_shape(rig):
    """Hair of another shape than before."""
    rig.change("POSITION", lambda i, row: [1.5 * row[0], row[1] + 0.05, row[2]], 1)


@fault("diff/surface", clip="Walk", picture=MARKED, **WALK)
def a_hand_that_stays_behind(rig):
    """A left hand whose vertices follow the forearm instead."""
    rig.follow(rig.own("LeftHand"), "Head", 0.3)


@fault("diff/topology", level="note", picture=COLOURS, **CYLINDER)
def a_mesh_with_fewer_triangles(rig):
    """A mesh with fewer triangles than before."""
    rig.set_triangles(rig.triangles()[:-200])


@fault("diff/uv", level="note", picture=View(shading="checker"), **CYLINDER)
def other_texture_coordinates(rig):
    """Texture coordinates that were not there."""
    project(rig, 0)


@fault("diff/materials", level="note", picture=COLOURS, **CYLINDER)
def another_colour(rig):
    """A material of another colour."""
    rig.json["materials"][0]["name"] = "blue"
    rig.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0.05, 0.3, 0.7, 1]


@fault("picture/difference", level="note", picture=COLOURS, **CYLINDER)
def a_blue_cylinder(rig):
    """A material of another colour."""
    another_colour(rig)


@fault("picture/ssim", picture=COLOURS, **CYLINDER)
def a_cylinder_of_another_shape(rig):
    """A mesh with dents that it did not have."""
    rig.change("POSITION", lambda i, row: [row[0] * (0.5 + 0.5 * (row[1] * 5 % 1)), row[1],
                                           row[2] * (0.5 + 0.5 * (row[1] * 5 % 1))])


@fault("picture/flip", picture=COLOURS, **CYLINDER)
def a_dark_cylinder(rig):
    """A material that is darker than before."""
    rig.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0.02, 0.02, 0.02, 1]
