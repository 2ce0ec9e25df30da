"""Faults of files and rigs."""
import math

from oracle import turn
from seeding import MARKED, fault, named, whole
from tiny import UBYTE

HANDS = (8, 17)  # by their places in the file


@fault("file/refused", level="error")
def a_joint_below_itself(rig):
    """A file in which a joint hangs below itself."""
    rig.node_of("LeftHand")["children"].append(rig.joint("LeftArm"))


@fault("rig/weight_sum", picture=MARKED)
def weights_of_an_arm_that_sum_to_less(rig):
    """The vertices of the left forearm, whose weights sum to 0.8."""
    chosen = set(rig.own("LeftForeArm"))
    rig.change("WEIGHTS_0", lambda i, row: [0.8 * w for w in row] if i in chosen else row)


@fault("rig/weight_sum_strict", level="note", options=["--profile", "strict"])
def weights_that_were_rounded(rig):
    """Weights that sum to 1.00001."""
    rig.change("WEIGHTS_0", lambda i, row: [1.00001 * w for w in row])


@fault("rig/weight_zero", picture=MARKED, level="error")
def a_hand_without_weights(rig):
    """The vertices of the left hand, which have no weights and follow the root."""
    chosen = set(rig.own("LeftHand"))
    rig.change("WEIGHTS_0", lambda i, row: [0, 0, 0, 0] if i in chosen else row)


@fault("rig/weight_invalid", level="error")
def a_weight_that_is_no_number(rig):
    """Three vertices with a weight that is no number."""
    rig.change("WEIGHTS_0", lambda i, row: [math.nan, *row[1:]] if i < 3 else row)


@fault("rig/joint_index", level="error")
def a_joint_beyond_the_skin_s(rig):
    """Five vertices that follow joint 40 of a skin with 23."""
    rig.change("JOINTS_0", lambda i, row: [40, *row[1:]] if i < 5 else row)
    rig.change("WEIGHTS_0", lambda i, row: [1, 0, 0, 0] if i < 5 else row)


@fault("rig/weight_duplicate", picture=MARKED)
def a_joint_twice(rig):
    """Vertices of the head that name it twice, with half of the weight each."""
    chosen = set(rig.own("Head")[:40])
    head = rig.json["skins"][0]["joints"].index(rig.joint("Head"))
    rig.change("JOINTS_0", lambda i, row: [head, head, 0, 0] if i in chosen else row)
    rig.change("WEIGHTS_0", lambda i, row: [0.5, 0.5, 0, 0] if i in chosen else row)


@fault("rig/influences", clips=["Walk"], level="note", picture=MARKED)
def five_influences(rig):
    """Vertices of the shirt that follow six joints."""
    joints, weights = (rig.rows(rig.attribute(name, 2)) for name in ("JOINTS_0", "WEIGHTS_0"))
    more = [rig.json["skins"][0]["joints"].index(rig.joint(name)) for name in ("Head", "LeftHand")]
    chosen = set(rig.own("Chest", 2)[::3])
    rig.change("WEIGHTS_0", lambda i, row: [0.8 * w for w in row] if i in chosen else row, 2)
    rig.replace("JOINTS_1", [[*more, 0, 0]] * len(joints), "VEC4", UBYTE, 2)
    rig.replace("WEIGHTS_1", [[0.1, 0.1, 0, 0] if i in chosen else [0, 0, 0, 0]
                              for i in range(len(weights))], "VEC4", primitive=2)


@fault("rig/joint_unused")
def leaf_bones(rig):
    """Eight leaf bones that carry nothing."""
    skin = rig.json["skins"][0]
    binds = rig.rows(skin["inverseBindMatrices"])
    for name in ("Head", "LeftFingers", "RightFingers", "LeftToe", "RightToe", "LeftHand", "RightHand", "Hips"):
        leaf = rig.node(name=f"{name}_end", translation=[0, 0.1, 0])
        rig.node_of(name).setdefault("children", []).append(leaf)
        skin["joints"].append(leaf)
        binds.append(binds[0])
    skin["inverseBindMatrices"] = rig.accessor(binds, "MAT4")


@fault("rig/name_duplicate", picture=named(*HANDS))
def two_joints_of_one_name(rig):
    """Two joints of the right arm with the names of the left one's."""
    for part in ("Hand", "ForeArm"):
        rig.node_of(f"Right{part}")["name"] = f"Left{part}"


@fault("rig/name_missing", level="error", picture=named(*HANDS), rules={"settings": {"required_joints": [
    "Hips", "Head", "LeftHand", "RightHand"]}})
def a_hand_of_another_name(rig):
    """Hands that are called paws."""
    for side in ("Left", "Right"):
        rig.node_of(f"{side}Hand")["name"] = f"{side}Paw"


@fault("rig/side", level="error", picture=named(*HANDS))
def swapped_hands(rig):
    """The left hand and forearm called right ones, and the right ones left ones."""
    for part in ("Hand", "ForeArm"):
        left, right = rig.node_of(f"Left{part}"), rig.node_of(f"Right{part}")
        left["name"], right["name"] = right["name"], left["name"]


@fault("rig/symmetry", joint="LeftForeArm", level="note", picture=whole(overlays=["skeleton"]))
def a_longer_arm(rig):
    """A left upper arm that is longer than the right one."""
    node = rig.node_of("LeftForeArm")
    node["translation"] = [1.5 * x for x in node["translation"]]


@fault("rig/height")
def centimetres(rig):
    """A figure 173 units high, exported in centimetres."""
    rig.node(root=True, name="centimetres", scale=[100] * 3, children=rig.json["scenes"][0]["nodes"][:])
    rig.json["scenes"][0]["nodes"] = rig.json["scenes"][0]["nodes"][-1:]


@fault("rig/nonuniform_scale", joint="LeftArm", picture=whole())
def a_scaled_axis(rig):
    """A left arm that is twice as large along one axis, and sheared below the elbow."""
    rig.node_of("LeftArm")["scale"] = [2, 1, 1]


@fault("rig/bind_rest", level="note", picture=whole())
def a_rest_pose_with_a_raised_arm(rig):
    """A left arm raised in the rest pose, while the mesh was bound with it down."""
    rig.node_of("LeftArm")["rotation"] = turn((0, 0, 1), 60)


@fault("rig/weight_island", joint="Head", picture=MARKED)
def vertices_that_follow_a_foot(rig):
    """Three vertices of the head that follow the left foot."""
    rig.follow(rig.own("Head")[100:400:100], "LeftFoot", 0.3)
