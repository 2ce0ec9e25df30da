"""One body under the joint names, hierarchies and helpers of many makers' rigs, as glTF files.

A tree is written as chains from above, `place=Name/place=Name; place/place=Name`, of which all but the
first begin at a joint that is there. The place says what the joint is; from that follow where it is
at rest and what it must pair with. The left side is written, and the right side made from it."""
import json
import math
import random
import re

from oracle import rotate, turn, unit

HEIGHT = {  # of the places on the middle line: (y, z)
    "root": (0, 0), "centre": (0.55, 0), "hips": (0.95, 0), "pelvis": (0.93, 0),
    "waist": (0.97, 0), "spine": (1.05, 0), "spine2": (1.13, -0.01), "spine3": (1.2, -0.02),
    "spine4": (1.25, -0.02), "chest": (1.32, -0.02), "ribs": (1.33, 0.05), "neck": (1.47, -0.02),
    "neck2": (1.51, -0.01), "neck3": (1.54, -0.01), "head": (1.58, 0), "skull": (1.7, 0),
    "top": (1.78, 0), "jaw": (1.6, 0.04), "face": (1.62, 0.04), "nose": (1.63, 0.11),
    "hair1": (1.74, -0.08), "hair2": (1.65, -0.12), "hair3": (1.55, -0.14),
    "hair4": (1.42, -0.15), "hair5": (1.3, -0.15),
    "tail1": (0.93, -0.1), "tail2": (0.8, -0.2), "tail3": (0.65, -0.3), "tail4": (0.5, -0.4),
    "gun": (0, 0), "chest_helper": (1.35, -0.1),
}
LEFT = {  # and of those on the left
    "eye": (0.03, 1.65, 0.08), "ear": (0.08, 1.62, 0), "breast": (0.09, 1.27, 0.09),
    "rib_twist": (0.06, 1.3, 0.05), "shoulder": (0.03, 1.42, -0.01),
    "shoulder_helper": (0.05, 1.42, -0.01), "upper_arm": (0.17, 1.42, -0.02),
    "upper_arm_cancel": (0.17, 1.42, -0.02), "upper_arm_twist": (0.3, 1.42, -0.03),
    "lower_arm": (0.43, 1.42, -0.04), "elbow_share": (0.43, 1.42, -0.04),
    "lower_arm_twist": (0.55, 1.42, -0.02), "hand": (0.67, 1.42, 0), "palm": (0.72, 1.42, 0),
    "palm_index": (0.7, 1.42, 0.02), "hand_tip": (0.85, 1.42, 0),
    "thumb_1": (0.69, 1.41, 0.03), "thumb_2": (0.72, 1.4, 0.06), "thumb_3": (0.74, 1.39, 0.08),
    "index_1": (0.76, 1.42, 0.03), "index_2": (0.8, 1.42, 0.03), "index_3": (0.83, 1.42, 0.03),
    "middle_1": (0.77, 1.42, 0.01), "middle_2": (0.81, 1.42, 0.01), "middle_3": (0.84, 1.42, 0.01),
    "ring_1": (0.76, 1.42, -0.01), "ring_2": (0.8, 1.42, -0.01), "ring_3": (0.83, 1.42, -0.01),
    "little_1": (0.75, 1.41, -0.03), "little_2": (0.78, 1.41, -0.03),
    "little_3": (0.8, 1.41, -0.03),
    "finger_tip": (0.86, 1.42, 0.01), "weapon": (0.75, 1.36, 0),
    "hip_joint": (0.05, 0.93, 0), "buttock": (0.09, 0.93, -0.02), "upper_leg": (0.1, 0.9, 0),
    "upper_leg_twist": (0.1, 0.7, 0.01), "lower_leg": (0.1, 0.5, 0.02),
    "knee_share": (0.1, 0.5, 0.02), "lower_leg_twist": (0.1, 0.3, 0), "foot": (0.1, 0.09, -0.03),
    "heel": (0.1, 0.02, -0.07), "instep": (0.1, 0.06, 0.04), "toes": (0.1, 0.02, 0.1),
    "big_toe": (0.08, 0.02, 0.13), "small_toe": (0.13, 0.02, 0.12), "toe_tip": (0.1, 0.02, 0.18),
    "foot_ik": (0.1, 0.09, -0.03), "hand_ik": (0.67, 1.42, 0), "knee_pole": (0.1, 0.5, 0.8),
    "skirt1": (0.12, 0.9, 0.1), "skirt2": (0.15, 0.7, 0.12), "skirt3": (0.17, 0.5, 0.13),
    "skirt4": (0.18, 0.3, 0.13), "wing1": (0.08, 1.4, -0.15), "wing2": (0.4, 1.6, -0.25),
    "wing3": (0.8, 1.7, -0.3), "wing4": (1.2, 1.6, -0.3),
}
ARM = {"upper_arm_twist", "lower_arm", "elbow_share", "lower_arm_twist", "hand", "palm",
       "palm_index", "hand_tip", "finger_tip", "weapon", "hand_ik",
       *(f"{finger}_{i}" for finger in ("thumb", "index", "middle", "ring", "little")
         for i in (1, 2, 3))}
BODY = ["hips", "spine", "chest", "neck", "head"]
SIDED = ["shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes"]


def five(before, after="", middle="Middle"):
    """Three joints of five fingers below the hand."""
    return "; ".join("hand/" + "/".join(
        f"{place}_{i}={before}{name}{i}{after}" for i in (1, 2, 3)) for place, name in (
            ("thumb", "Thumb"), ("index", "Index"), ("middle", middle), ("ring", "Ring"),
            ("little", "Pinky")))


def mixamo(p, *more, hand=True):
    """The names that Mixamo, HumanIK, Perception Neuron and others share, after a prefix."""
    return "; ".join([
        f"hips={p}Hips/spine={p}Spine/spine2={p}Spine1/chest={p}Spine2/neck={p}Neck/head={p}Head",
        f"chest/shoulder={p}LeftShoulder/upper_arm={p}LeftArm/lower_arm={p}LeftForeArm/"
        f"hand={p}LeftHand",
        f"hips/upper_leg={p}LeftUpLeg/lower_leg={p}LeftLeg/foot={p}LeftFoot",
        *([five(f"{p}LeftHand"), f"foot/toes={p}LeftToeBase/toe_tip={p}LeftToe_End",
           f"head/top={p}HeadTop_End"] if hand else []), *more])


def biped(p, legs="hips"):
    return (f"root={p}/hips={p} Pelvis/spine={p} Spine/spine2={p} Spine1/chest={p} Spine2/"
            f"neck={p} Neck/head={p} Head/top={p} HeadNub; neck/shoulder={p} L Clavicle/"
            f"upper_arm={p} L UpperArm/lower_arm={p} L Forearm/hand={p} L Hand/"
            f"thumb_1={p} L Finger0/thumb_2={p} L Finger01; "
            f"hand/index_1={p} L Finger1/index_2={p} L Finger11; "
            f"{legs}/upper_leg={p} L Thigh/lower_leg={p} L Calf/foot={p} L Foot/toes={p} L Toe0/"
            f"toe_tip={p} L Toe0Nub")


def smpl(p):
    return (f"hips={p}Pelvis/spine={p}Spine1/spine2={p}Spine2/chest={p}Spine3/neck={p}Neck/"
            f"head={p}Head; chest/shoulder={p}L_Collar/upper_arm={p}L_Shoulder/"
            f"lower_arm={p}L_Elbow/hand={p}L_Wrist/palm={p}L_Hand; "
            f"hips/upper_leg={p}L_Hip/lower_leg={p}L_Knee/foot={p}L_Ankle/toes={p}L_Foot")


UNREAL = ("root=root/hips=pelvis/spine=spine_01/spine2=spine_02/chest=spine_03/neck=neck_01/"
          "head=head; chest/shoulder=clavicle_l/upper_arm=upperarm_l/"
          "upper_arm_twist=upperarm_twist_01_l; upper_arm/lower_arm=lowerarm_l/"
          "lower_arm_twist=lowerarm_twist_01_l; lower_arm/hand=hand_l/index_1=index_01_l/"
          "index_2=index_02_l/index_3=index_03_l; hand/thumb_1=thumb_01_l/thumb_2=thumb_02_l/"
          "thumb_3=thumb_03_l; hips/upper_leg=thigh_l/upper_leg_twist=thigh_twist_01_l; "
          "upper_leg/lower_leg=calf_l/lower_leg_twist=calf_twist_01_l; lower_leg/foot=foot_l/"
          "toes=ball_l")
RIGIFY = ("root=root/hips=DEF-spine/spine=DEF-spine.001/spine2=DEF-spine.002/chest=DEF-spine.003/"
          "neck=DEF-spine.004/neck3=DEF-spine.005/head=DEF-spine.006; hips/hip_joint=DEF-pelvis.L; "
          "chest/breast=DEF-breast.L; chest/shoulder=DEF-shoulder.L/upper_arm=DEF-upper_arm.L/"
          "upper_arm_twist=DEF-upper_arm.L.001/lower_arm=DEF-forearm.L/"
          "lower_arm_twist=DEF-forearm.L.001/hand=DEF-hand.L/palm_index=DEF-palm.01.L/"
          "index_1=DEF-f_index.01.L/index_2=DEF-f_index.02.L/index_3=DEF-f_index.03.L; "
          "hand/thumb_1=DEF-thumb.01.L/thumb_2=DEF-thumb.02.L/thumb_3=DEF-thumb.03.L; "
          "hips/upper_leg=DEF-thigh.L/upper_leg_twist=DEF-thigh.L.001/lower_leg=DEF-shin.L/"
          "lower_leg_twist=DEF-shin.L.001/foot=DEF-foot.L/toes=DEF-toe.L")
CC = ("root=CC_Base_BoneRoot/hips=CC_Base_Hip/pelvis=CC_Base_Pelvis/upper_leg=CC_Base_L_Thigh/"
      "upper_leg_twist=CC_Base_L_ThighTwist01; upper_leg/lower_leg=CC_Base_L_Calf/"
      "lower_leg_twist=CC_Base_L_CalfTwist01; lower_leg/knee_share=CC_Base_L_KneeShareBone; "
      "lower_leg/foot=CC_Base_L_Foot/toes=CC_Base_L_ToeBase/big_toe=CC_Base_L_BigToe1; "
      "toes/small_toe=CC_Base_L_PinkyToe1; hips/waist=CC_Base_Waist/spine=CC_Base_Spine01/"
      "chest=CC_Base_Spine02/rib_twist=CC_Base_L_RibsTwist/breast=CC_Base_L_Breast; "
      "chest/neck=CC_Base_NeckTwist01/neck2=CC_Base_NeckTwist02/head=CC_Base_Head/"
      "face=CC_Base_FacialBone/jaw=CC_Base_JawRoot; face/eye=CC_Base_L_Eye; "
      "chest/shoulder=CC_Base_L_Clavicle/upper_arm=CC_Base_L_Upperarm/"
      "upper_arm_twist=CC_Base_L_UpperarmTwist01; upper_arm/lower_arm=CC_Base_L_Forearm/"
      "lower_arm_twist=CC_Base_L_ForearmTwist01; lower_arm/elbow_share=CC_Base_L_ElbowShareBone; "
      "lower_arm/hand=CC_Base_L_Hand; " + five("CC_Base_L_", middle="Mid"))
LEFT_RIGHT = ("Left", "Right")
LOWER = ("left", "right")
DOT = (r"\.L", ".R")
UNDERSCORE = ("_l$", "_r")

# name, how the left becomes the right, tree
MAKERS = [
    ("Mixamo", LEFT_RIGHT, mixamo("mixamorig:")),
    ("Mixamo in three.js", LEFT_RIGHT, mixamo("mixamorig")),
    ("Rigify", DOT, RIGIFY),
    ("Unreal", UNDERSCORE, UNREAL + "; root/root=ik_foot_root/foot_ik=ik_foot_l; "
     "gun=ik_hand_gun/hand_ik=ik_hand_l"),
    ("3ds Max Biped", (" L ", " R "), biped("Bip001")),
    ("3ds Max Biped, older", (" L ", " R "), biped("Bip01", legs="spine")),
    ("Source", ("_L_", "_R_"), biped("ValveBiped.Bip01").replace(" ", "_").replace(";_", "; ")),
    ("3ds Max CAT", ("RigL", "RigR"),
     "hips=CATRigHub001/spine=CATRigSpine1/spine2=CATRigSpine2/chest=CATRigHub002/"
     "neck=CATRigNeck1/head=CATRigHub003; chest/shoulder=CATRigLArmCollarbone/"
     "upper_arm=CATRigLArm1/lower_arm=CATRigLArm2/hand=CATRigLArmPalm/hand_tip=CATRigLArmDigit21; "
     "hips/upper_leg=CATRigLLeg1/lower_leg=CATRigLLeg2/foot=CATRigLLegPalm/toes=CATRigLLegDigit11"),
    ("3ds Max CAT, named", ("HumanL", "HumanR"),
     "hips=Base HumanPelvis/spine=Base HumanSpine1/spine2=Base HumanSpine2/"
     "chest=Base HumanRibcage/neck=Base HumanNeck1/head=Base HumanHead; "
     "chest/shoulder=Base HumanLCollarbone/upper_arm=Base HumanLUpperarm/"
     "lower_arm=Base HumanLForearm/hand=Base HumanLPalm/hand_tip=Base HumanLDigit21; "
     "hips/upper_leg=Base HumanLThigh/lower_leg=Base HumanLCalf/foot=Base HumanLFoot/"
     "toes=Base HumanLToe1"),
    ("Maya HumanIK", LEFT_RIGHT, "root=Character1_Reference/" + mixamo(
        "Character1_", "upper_arm/upper_arm_twist=Character1_LeftArmRoll",
        "lower_leg/lower_leg_twist=Character1_LeafLeftLegRoll1")),
    ("Daz Genesis 8", ("^l", "r"),
     "hips=hip/pelvis=pelvis/upper_leg=lThighBend/upper_leg_twist=lThighTwist/lower_leg=lShin/"
     "foot=lFoot/instep=lMetatarsals; foot/toes=lToe/small_toe=lSmallToe1; toes/big_toe=lBigToe; "
     "hips/spine=abdomenLower/spine2=abdomenUpper/spine4=chestLower/chest=chestUpper/"
     "neck=neckLower/neck2=neckUpper/head=head/eye=lEye; spine4/breast=lPectoral; "
     "chest/shoulder=lCollar/upper_arm=lShldrBend/upper_arm_twist=lShldrTwist/"
     "lower_arm=lForearmBend/lower_arm_twist=lForearmTwist/hand=lHand/thumb_1=lThumb1/"
     "thumb_2=lThumb2; hand/palm_index=lCarpal1/index_1=lIndex1/index_2=lIndex2"),
    ("Daz Genesis 2", ("^l", "r"),
     "hips=hip/pelvis=pelvis/upper_leg=lThigh/lower_leg=lShin/foot=lFoot/toes=lToe; "
     "hips/spine=abdomen/spine2=abdomen2/chest=chest/neck=neck/head=head/eye=lEye; "
     "chest/shoulder=lCollar/upper_arm=lShldr/lower_arm=lForeArm/hand=lHand"),
    ("Daz Genesis 9", ("^l_", "r_"),
     "hips=hip/pelvis=pelvis/upper_leg=l_thigh/upper_leg_twist=l_thightwist1; "
     "upper_leg/lower_leg=l_shin/foot=l_foot/instep=l_metatarsal; foot/toes=l_toes/"
     "big_toe=l_bigtoe1; hips/spine=spine1/spine2=spine2/spine3=spine3/chest=spine4/neck=neck1/"
     "neck2=neck2/head=head; chest/breast=l_pectoral; chest/shoulder=l_shoulder/"
     "upper_arm=l_upperarm/upper_arm_twist=l_upperarmtwist1; upper_arm/lower_arm=l_forearm/"
     "lower_arm_twist=l_forearmtwist1; lower_arm/hand=l_hand/palm_index=l_indexmetacarpal/"
     "index_1=l_index1/index_2=l_index2"),
    ("MakeHuman", DOT,
     "root=root/hips=spine05/spine=spine04/spine2=spine03/spine3=spine02/chest=spine01/"
     "neck=neck01/neck2=neck02/neck3=neck03/head=head/jaw=jaw; head/eye=eye.L; "
     "spine3/breast=breast.L; chest/shoulder=clavicle.L/shoulder_helper=shoulder01.L/"
     "upper_arm=upperarm01.L/upper_arm_twist=upperarm02.L/lower_arm=lowerarm01.L/"
     "lower_arm_twist=lowerarm02.L/hand=wrist.L/thumb_1=finger1-1.L/thumb_2=finger1-2.L/"
     "thumb_3=finger1-3.L; hand/palm_index=metacarpal1.L/index_1=finger2-1.L/"
     "index_2=finger2-2.L/index_3=finger2-3.L; hips/hip_joint=pelvis.L/upper_leg=upperleg01.L/"
     "upper_leg_twist=upperleg02.L/lower_leg=lowerleg01.L/lower_leg_twist=lowerleg02.L/"
     "foot=foot.L/toes=toe1-1.L/toe_tip=toe1-2.L; foot/small_toe=toe5-1.L"),
    ("Blender's metarig", DOT,
     "hips=spine/spine=spine.001/spine2=spine.002/chest=spine.003/neck=spine.004/neck3=spine.005/"
     "head=spine.006/face=face/jaw=jaw; hips/hip_joint=pelvis.L; chest/breast=breast.L; "
     "chest/shoulder=shoulder.L/upper_arm=upper_arm.L/lower_arm=forearm.L/hand=hand.L/"
     "palm_index=palm.01.L/index_1=f_index.01.L/index_2=f_index.02.L; hips/upper_leg=thigh.L/"
     "lower_leg=shin.L/foot=foot.L/toes=toe.L; foot/heel=heel.02.L"),
    ("VRoid", ("_L_", "_R_"),
     "root=Root/hips=J_Bip_C_Hips/spine=J_Bip_C_Spine/spine2=J_Bip_C_Chest/"
     "chest=J_Bip_C_UpperChest/neck=J_Bip_C_Neck/head=J_Bip_C_Head/eye=J_Adj_L_FaceEye; "
     "head/hair1=J_Sec_Hair1_01/hair2=J_Sec_Hair2_01/hair3=J_Sec_Hair3_01/hair4=J_Sec_Hair4_01/"
     "hair5=J_Sec_Hair5_01; chest/breast=J_Sec_L_Bust1; chest/shoulder=J_Bip_L_Shoulder/"
     "upper_arm=J_Bip_L_UpperArm/lower_arm=J_Bip_L_LowerArm/hand=J_Bip_L_Hand/"
     "index_1=J_Bip_L_Index1/index_2=J_Bip_L_Index2; hand/little_1=J_Bip_L_Little1/"
     "little_2=J_Bip_L_Little2; hips/upper_leg=J_Bip_L_UpperLeg/lower_leg=J_Bip_L_LowerLeg/"
     "foot=J_Bip_L_Foot/toes=J_Bip_L_ToeBase; hips/skirt1=J_Sec_L_SkirtFront0/"
     "skirt2=J_Sec_L_SkirtFront1/skirt3=J_Sec_L_SkirtFront2/skirt4=J_Sec_L_SkirtFront3"),
    ("VRM", LOWER,
     "hips=hips/spine=spine/spine2=chest/chest=upperChest/neck=neck/head=head/jaw=jaw; "
     "head/eye=leftEye; chest/shoulder=leftShoulder/upper_arm=leftUpperArm/"
     "lower_arm=leftLowerArm/hand=leftHand/thumb_1=leftThumbMetacarpal/"
     "thumb_2=leftThumbProximal/thumb_3=leftThumbDistal; hand/index_1=leftIndexProximal/"
     "index_2=leftIndexIntermediate/index_3=leftIndexDistal; hips/upper_leg=leftUpperLeg/"
     "lower_leg=leftLowerLeg/foot=leftFoot/toes=leftToes"),
    ("MMD", ("左", "右"),
     "root=全ての親/centre=センター/centre=グルーブ/hips=腰/pelvis=下半身/upper_leg=左足/"
     "lower_leg=左ひざ/foot=左足首/toes=左つま先; hips/spine=上半身/chest=上半身2/neck=首/head=頭/"
     "eye=左目; chest/shoulder_helper=左肩P/shoulder=左肩/upper_arm_cancel=左肩C/upper_arm=左腕/"
     "upper_arm_twist=左腕捩/lower_arm=左ひじ/lower_arm_twist=左手捩/hand=左手首/"
     "thumb_1=左親指０/thumb_2=左親指１/thumb_3=左親指２; hand/index_1=左人指１/index_2=左人指２/"
     "index_3=左人指３; hand/middle_1=左中指１/middle_2=左中指２; hand/ring_1=左薬指１; "
     "hand/little_1=左小指１; root/foot_ik=左足ＩＫ/toe_tip=左つま先ＩＫ"),
    ("MMD, plain", ("左", "右"),
     "hips=センター/pelvis=下半身/upper_leg=左足/lower_leg=左ひざ/foot=左足首; hips/chest=上半身/"
     "neck=首/head=頭; chest/shoulder=左肩/upper_arm=左腕/lower_arm=左ひじ/hand=左手首; "
     "hips/foot_ik=左足ＩＫ"),
    ("SMPL", ("L_", "R_"), smpl("")),
    ("SMPL in FBX", ("L_", "R_"), smpl("m_avg_")),
    ("SMPL-X", LOWER,
     "hips=pelvis/spine=spine1/spine2=spine2/chest=spine3/neck=neck/head=head/jaw=jaw; "
     "head/eye=left_eye_smplhf; chest/shoulder=left_collar/upper_arm=left_shoulder/"
     "lower_arm=left_elbow/hand=left_wrist/index_1=left_index1/index_2=left_index2/"
     "index_3=left_index3; hand/thumb_1=left_thumb1/thumb_2=left_thumb2/thumb_3=left_thumb3; "
     "hips/upper_leg=left_hip/lower_leg=left_knee/foot=left_ankle/toes=left_foot"),
    ("Second Life", LEFT_RIGHT,
     "hips=mPelvis/spine=mSpine1/spine2=mSpine2/spine3=mTorso/spine3=mSpine3/spine4=mSpine4/"
     "chest=mChest/neck=mNeck/head=mHead/skull=mSkull; head/eye=mEyeLeft; head/face=mFaceRoot; "
     "chest/shoulder=mCollarLeft/upper_arm=mShoulderLeft/lower_arm=mElbowLeft/hand=mWristLeft/"
     "index_1=mHandIndex1Left/index_2=mHandIndex2Left; hand/thumb_1=mHandThumb1Left/"
     "thumb_2=mHandThumb2Left; chest/chest_helper=mWingsRoot/wing1=mWing1Left/wing2=mWing2Left/"
     "wing3=mWing3Left/wing4=mWing4Left; hips/upper_leg=mHipLeft/lower_leg=mKneeLeft/"
     "foot=mAnkleLeft/toes=mFootLeft/toe_tip=mToeLeft; hips/tail1=mTail1/tail2=mTail2/"
     "tail3=mTail3/tail4=mTail4; hips/pelvis=mGroin"),
    ("Kinect", LEFT_RIGHT,
     "hips=SpineBase/spine=SpineMid/chest=SpineShoulder/neck=Neck/head=Head; "
     "chest/upper_arm=ShoulderLeft/lower_arm=ElbowLeft/hand=WristLeft/palm=HandLeft/"
     "hand_tip=HandTipLeft; hand/thumb_1=ThumbLeft; hips/upper_leg=HipLeft/lower_leg=KneeLeft/"
     "foot=AnkleLeft/toes=FootLeft"),
    ("Kinect 1", LEFT_RIGHT,
     "hips=HipCenter/spine=Spine/chest=ShoulderCenter/head=Head; chest/upper_arm=ShoulderLeft/"
     "lower_arm=ElbowLeft/hand=WristLeft/palm=HandLeft; hips/upper_leg=HipLeft/"
     "lower_leg=KneeLeft/foot=AnkleLeft/toes=FootLeft"),
    ("Azure Kinect", ("LEFT", "RIGHT"),
     "hips=PELVIS/spine=SPINE_NAVEL/chest=SPINE_CHEST/neck=NECK/head=HEAD/nose=NOSE; "
     "head/eye=EYE_LEFT; head/ear=EAR_LEFT; chest/shoulder=CLAVICLE_LEFT/"
     "upper_arm=SHOULDER_LEFT/lower_arm=ELBOW_LEFT/hand=WRIST_LEFT/palm=HAND_LEFT/"
     "hand_tip=HANDTIP_LEFT; hand/thumb_1=THUMB_LEFT; hips/upper_leg=HIP_LEFT/"
     "lower_leg=KNEE_LEFT/foot=ANKLE_LEFT/toes=FOOT_LEFT"),
    ("OpenPose", ("^L", "R"),
     "hips=MidHip/neck=Neck/head=Nose/eye=LEye/ear=LEar; neck/upper_arm=LShoulder/"
     "lower_arm=LElbow/hand=LWrist; hips/upper_leg=LHip/lower_leg=LKnee/foot=LAnkle/"
     "toes=LBigToe/small_toe=LSmallToe; foot/heel=LHeel"),
    ("CMU's ASF", ("^l", "r"),
     "hips=root/hip_joint=lhipjoint/upper_leg=lfemur/lower_leg=ltibia/foot=lfoot/toes=ltoes; "
     "hips/spine=lowerback/spine2=upperback/chest=thorax/neck=lowerneck/neck2=upperneck/"
     "head=head; chest/shoulder=lclavicle/upper_arm=lhumerus/lower_arm=lradius/"
     "lower_arm_twist=lwrist/hand=lhand/hand_tip=lfingers; hand/thumb_1=lthumb"),
    ("CMU's BVH", ("Left|LH|LT", lambda m: {"Left": "Right", "LH": "RH", "LT": "RT"}[m.group()]),
     "hips=Hips/hip_joint=LHipJoint/upper_leg=LeftUpLeg/lower_leg=LeftLeg/foot=LeftFoot/"
     "toes=LeftToeBase; hips/waist=LowerBack/spine=Spine/chest=Spine1/neck=Neck/neck2=Neck1/"
     "head=Head; chest/shoulder=LeftShoulder/upper_arm=LeftArm/lower_arm=LeftForeArm/"
     "hand=LeftHand/palm=LeftFingerBase/hand_tip=LeftHandIndex1; hand/thumb_1=LThumb"),
    ("BVH of joints", LEFT_RIGHT,
     "hips=Hips/upper_leg=LeftHip/lower_leg=LeftKnee/foot=LeftAnkle/toe_tip=LeftAnkle_end; "
     "hips/spine=Chest/chest=Chest2/neck=Neck/head=Head/top=Head_end; chest/shoulder=LeftCollar/"
     "upper_arm=LeftShoulder/lower_arm=LeftElbow/hand=LeftWrist/hand_tip=LeftWrist_end"),
    ("Poser's BVH", ("^l(?!eft)|left", lambda m: {"l": "r", "left": "right"}[m.group()]),
     "hips=hip/buttock=lButtock/upper_leg=lThigh/lower_leg=lShin/foot=lFoot/toes=lToe; "
     "hips/spine=abdomen/chest=chest/neck=neck/head=head/eye=leftEye; chest/shoulder=lCollar/"
     "upper_arm=lShldr/lower_arm=lForeArm/hand=lHand"),
    ("Reallusion CC", ("_L_", "_R_"), CC),
    ("Character Creator", ("_L_", "_R_"), CC.replace("CC_Base_BoneRoot", "RL_BoneRoot")),
    ("iClone", ("^L_", "R_"),
     "root=BoneRoot/hips=Hips/pelvis=Pelvis/upper_leg=L_Thigh/lower_leg=L_Calf/foot=L_Foot/"
     "toes=L_ToeBase; hips/spine=Spine/spine2=Spine1/chest=Spine2/neck=Neck/neck2=Neck1/"
     "head=Head; chest/shoulder=L_Clavicle/upper_arm=L_UpperArm/lower_arm=L_Forearm/"
     "hand=L_Hand/thumb_1=L_Finger0/thumb_2=L_Finger01; hand/index_1=L_Finger1"),
    ("Advanced Skeleton", ("_L$", "_R"),
     "hips=Root_M/upper_leg=Hip_L/upper_leg_twist=HipPart1_L; upper_leg/lower_leg=Knee_L/"
     "foot=Ankle_L/toes=Toes_L/toe_tip=ToesEnd_L; foot/heel=Heel_L; hips/spine=Spine1_M/"
     "spine2=Spine2_M/chest=Chest_M/neck=Neck_M/head=Head_M/top=HeadEnd_M; head/jaw=Jaw_M; "
     "head/eye=Eye_L; chest/shoulder=Scapula_L/upper_arm=Shoulder_L/"
     "upper_arm_twist=ShoulderPart1_L; upper_arm/lower_arm=Elbow_L/lower_arm_twist=ElbowPart1_L; "
     "lower_arm/hand=Wrist_L/middle_1=MiddleFinger1_L/middle_2=MiddleFinger2_L; "
     "hand/thumb_1=ThumbFinger1_L/thumb_2=ThumbFinger2_L; hand/index_1=IndexFinger1_L; "
     "hand/palm=Cup_L/little_1=PinkyFinger1_L"),
    ("Cascadeur", UNDERSCORE,
     "hips=pelvis/spine=stomach/chest=chest/neck=neck/head=head; chest/shoulder=clavicle_l/"
     "upper_arm=arm_l/lower_arm=forearm_l/hand=hand_l; hips/upper_leg=thigh_l/lower_leg=calf_l/"
     "foot=foot_l/toes=toe_l"),
    ("Roblox R15", LEFT_RIGHT,
     "root=Root/root=HumanoidRootPart/hips=LowerTorso/chest=UpperTorso/head=Head; "
     "chest/upper_arm=LeftUpperArm/lower_arm=LeftLowerArm/hand=LeftHand; "
     "hips/upper_leg=LeftUpperLeg/lower_leg=LeftLowerLeg/foot=LeftFoot"),
    ("Xsens", LEFT_RIGHT,
     "hips=Pelvis/spine=L5/spine2=L3/spine3=T12/chest=T8/neck=Neck/head=Head; "
     "chest/shoulder=LeftShoulder/upper_arm=LeftUpperArm/lower_arm=LeftForeArm/hand=LeftHand; "
     "hips/upper_leg=LeftUpperLeg/lower_leg=LeftLowerLeg/foot=LeftFoot/toes=LeftToe"),
    ("Xsens' BVH", LEFT_RIGHT,
     "hips=Hips/spine=Chest/spine2=Chest2/spine3=Chest3/chest=Chest4/neck=Neck/head=Head; "
     "chest/shoulder=LeftCollar/upper_arm=LeftShoulder/lower_arm=LeftElbow/hand=LeftWrist; "
     "hips/upper_leg=LeftHip/lower_leg=LeftKnee/foot=LeftAnkle/toes=LeftToe"),
    ("Perception Neuron", LEFT_RIGHT, mixamo(
        "Robot_", "hand/thumb_1=Robot_LeftHandThumb1/thumb_2=Robot_LeftHandThumb2",
        "hand/palm_index=Robot_LeftInHandIndex/index_1=Robot_LeftHandIndex1/"
        "index_2=Robot_LeftHandIndex2", hand=False)),
    ("Rokoko", LEFT_RIGHT,
     "hips=Hips/spine=Spine1/spine2=Spine2/spine3=Spine3/chest=Spine4/neck=Neck/head=Head; "
     "chest/shoulder=LeftShoulder/upper_arm=LeftArm/lower_arm=LeftForeArm/hand=LeftHand/"
     "thumb_1=LeftFinger1Proximal/thumb_2=LeftFinger1Distal; hand/index_1=LeftFinger2Proximal/"
     "index_2=LeftFinger2Medial; hips/upper_leg=LeftThigh/lower_leg=LeftShin/foot=LeftFoot/"
     "toes=LeftToe/toe_tip=LeftToeTip"),
    ("KayKit", (r"\.l$|(?<=IK)\.l", ".r"),
     "root=root/hips=hips/spine=spine/chest=chest/upper_arm=upperarm.l/lower_arm=lowerarm.l/"
     "lower_arm_twist=wrist.l/hand=hand.l/weapon=handslot.l; chest/head=head; "
     "hips/upper_leg=upperleg.l/lower_leg=lowerleg.l/foot=foot.l/toes=toes.l; "
     "root/knee_pole=kneeIK.l; root/toe_tip=control-toe-roll.l/foot_ik=IK-foot.l; "
     "root/hand_ik=handIK.l"),
    ("Quaternius", DOT,
     "root=Bone/foot=Foot.L; root/hips=Body/waist=Hips/spine=Abdomen/chest=Torso/neck=Neck/"
     "head=Head; chest/shoulder=Shoulder.L/upper_arm=UpperArm.L/lower_arm=LowerArm.L/"
     "hand=Palm2.L/middle_1=Middle1.L/middle_2=Middle2.L; hand/thumb_1=Thumb.L/thumb_2=Thumb2.L; "
     "hips/upper_leg=UpperLeg.L/lower_leg=LowerLeg.L; root/knee_pole=PoleTarget.L"),
    ("Quaternius, hands too", DOT,
     "root=Root/hand=Fist.L/thumb_1=Thumb1.L; root/foot=Foot.L/toes=Toes.L; root/hips=Hips/"
     "spine=Abdomen/chest=Torso/neck=Neck/head=Head; chest/shoulder=Shoulder.L/"
     "upper_arm=UpperArm.L/lower_arm=LowerArm.L; hips/upper_leg=UpperLeg.L/lower_leg=LowerLeg.L"),
    ("Mesh2Motion", UNDERSCORE, UNREAL + "; head/top=head_leaf; toes/toe_tip=ball_leaf_l"),
    ("Mesh2Motion, older", ("(?<=[a-z1])L$", "R"),
     "root=root/hips=DEF-hips/spine=DEF-spine001/spine2=DEF-spine002/chest=DEF-spine003/"
     "neck=DEF-neck/head=DEF-head; chest/shoulder=DEF-shoulderL/upper_arm=DEF-upper_armL/"
     "lower_arm=DEF-forearmL/hand=DEF-handL/index_1=DEF-f_index01L; hips/upper_leg=DEF-thighL/"
     "lower_leg=DEF-shinL/foot=DEF-footL/toes=DEF-toeL"),
    ("godot's mannequiny", (r"\.l$", ".r"), UNREAL.replace("_l/", ".l/").replace(
        "_l;", ".l;").replace("ball_l", "ball.l")),
    ("Ready Player Me", LEFT_RIGHT, mixamo("", "head/eye=LeftEye")),
    ("_bind_JNT", ("^L_", "R_"),
     "root=Root_bind_JNT/hips=C_hip_bind_JNT/spine=C_spine01_bind_JNT/chest=C_chest_bind_JNT/"
     "neck=C_neck_bind_JNT/head=C_head_bind_JNT; chest/shoulder=L_clavicle_bind_JNT/"
     "upper_arm=L_upperArm_bind_JNT/lower_arm=L_lowerArm_bind_JNT/hand=L_hand_bind_JNT/"
     "thumb_1=L_thumb01_bind_JNT/thumb_2=L_thumb02_bind_JNT; hips/upper_leg=L_upperLeg_bind_JNT/"
     "lower_leg=L_lowerLeg_bind_JNT/foot=L_foot_bind_JNT/toes=L_toe_bind_JNT"),
    ("an unknown prefix", LEFT_RIGHT, mixamo("Bob_")),
    ("an unknown prefix of two words", UNDERSCORE,
     "hips=Old_King_pelvis/spine=Old_King_spine_01/chest=Old_King_spine_02/neck=Old_King_neck/"
     "head=Old_King_head; chest/shoulder=Old_King_clavicle_l/upper_arm=Old_King_upperarm_l/"
     "lower_arm=Old_King_lowerarm_l/hand=Old_King_hand_l; hips/upper_leg=Old_King_thigh_l/"
     "lower_leg=Old_King_calf_l/foot=Old_King_foot_l/toes=Old_King_ball_l"),
    ("an unknown suffix", ("_l_", "_r_"),
     "hips=pelvis_hero/spine=spine_01_hero/chest=spine_02_hero/neck=neck_hero/head=head_hero; "
     "chest/shoulder=clavicle_l_hero/upper_arm=upperarm_l_hero/lower_arm=lowerarm_l_hero/"
     "hand=hand_l_hero; hips/upper_leg=thigh_l_hero/lower_leg=calf_l_hero/foot=foot_l_hero/"
     "toes=ball_l_hero"),
    ("CesiumMan", ("_L(_.*)$", lambda m: "_R" + m.group(1)),
     "hips=Skeleton_torso_joint_1/spine=Skeleton_torso_joint_2/chest=torso_joint_3/"
     "neck=Skeleton_neck_joint_1/head=Skeleton_neck_joint_2; "
     "chest/upper_arm=Skeleton_arm_joint_L__4_/lower_arm=Skeleton_arm_joint_L__3_/"
     "hand=Skeleton_arm_joint_L__2_; hips/upper_leg=leg_joint_L_1/lower_leg=leg_joint_L_2/"
     "foot=leg_joint_L_3/toes=leg_joint_L_5"),
    ("ARKit", LOWER,
     "root=root/hips=hips_joint/upper_leg=left_upLeg_joint/lower_leg=left_leg_joint/"
     "foot=left_foot_joint/toes=left_toes_joint/toe_tip=left_toesEnd_joint; "
     "hips/spine=spine_1_joint/spine2=spine_2_joint/chest=spine_7_joint/neck=neck_1_joint/"
     "neck2=neck_2_joint/head=head_joint/jaw=jaw_joint; head/eye=left_eye_joint; "
     "chest/shoulder=left_shoulder_1_joint/upper_arm=left_arm_joint/lower_arm=left_forearm_joint/"
     "hand=left_hand_joint/palm_index=left_handIndexStart_joint/index_1=left_handIndex_1_joint/"
     "index_2=left_handIndex_2_joint"),
    ("Synty", ("_L$", "_R"),
     "root=Root/hips=Hips/spine=Spine_01/spine2=Spine_02/chest=Spine_03/neck=Neck/head=Head/"
     "eye=Eye_L; chest/shoulder=Clavicle_L/upper_arm=Shoulder_L/lower_arm=Elbow_L/hand=Hand_L/"
     "index_1=IndexFinger_01_L/index_2=IndexFinger_02_L; hand/thumb_1=Thumb_01_L; "
     "hips/upper_leg=UpperLeg_L/lower_leg=LowerLeg_L/foot=Ankle_L/toes=Ball_L/toe_tip=Toes_L"),
    ("OptiTrack", ("_L", "_R"),
     "hips=Bob_Hip/spine=Bob_Ab/chest=Bob_Chest/neck=Bob_Neck/head=Bob_Head; "
     "chest/shoulder=Bob_LShoulder/upper_arm=Bob_LUArm/lower_arm=Bob_LFArm/hand=Bob_LHand; "
     "hips/upper_leg=Bob_LThigh/lower_leg=Bob_LShin/foot=Bob_LFoot/toes=Bob_LToe"),
    ("Spanish words", ("_izq$", "_der"),
     "hips=cadera/spine=columna/chest=pecho/neck=cuello/head=cabeza; chest/shoulder=clavicula_izq/"
     "upper_arm=brazo_izq/lower_arm=antebrazo_izq/hand=mano_izq; hips/upper_leg=muslo_izq/"
     "lower_leg=pantorrilla_izq/foot=pie_izq/toes=dedos_izq"),
    ("numbers", ("$", "0"),
     "hips=joint1/spine=joint2/chest=joint3/neck=joint4/head=joint5; chest/shoulder=joint6/"
     "upper_arm=joint7/lower_arm=joint8/hand=joint9; hips/upper_leg=joint11/lower_leg=joint12/"
     "foot=joint13/toes=joint14"),
]


def parse(tree):
    """The tree's joints as (place, name, parent), parents first. Chains are separated by "; ", and
    each begins at a place that is there, or at the top."""
    joints, last = [], {}
    for chain in tree.split("; "):
        parent = -1
        for i, step in enumerate(chain.split("/")):
            place, _, name = step.partition("=")
            assert i == 0 or name, chain
            if name:
                joints.append((place, name, parent))
                last[place] = len(joints) - 1
            parent = last[place]
    return joints


def mirrored(joints, sides):
    """With the right side beside the left: (place, side, name, parent)."""
    out, left, right = [], {}, {}
    for i, (place, name, parent) in enumerate(joints):
        left[i] = len(out)
        out.append((place, "left" if place in LEFT else "", name, left.get(parent, -1)))
    for i, (place, name, parent) in enumerate(joints):
        if place in LEFT:
            right[i] = len(out)
            other = re.sub(sides[0], sides[1], name, count=1)
            assert other != name, (name, sides)
            out.append((place, "right", other, right.get(parent, left.get(parent, -1))))
    return out


def stand(place, side, slope):
    """The position of a joint at rest, for arms that hang by so many degrees."""
    if place not in LEFT:
        return (0, *HEIGHT[place])
    x, y, z = LEFT[place]
    if place in ARM:
        arm = LEFT["upper_arm"]
        dx, dy, dz = rotate(turn((0, 0, 1), -slope), [x - arm[0], y - arm[1], z - arm[2]])
        x, y, z = arm[0] + dx, arm[1] + dy, arm[2] + dz
    return (-x if side == "right" else x, y, z)


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def product(a, b):
    return unit([a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                 a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                 a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]])


def asset(maker, slope=0, facing=0, size=1, rename=None):
    """A maker's rig as a file, every joint with axes of its own.

    slope: degrees that the arms hang by
    facing: degrees that it is turned about +Y
    rename: a function of the name
    """
    name, sides, tree = maker
    chance = random.Random(name)
    world, nodes, points = [], [], []
    for place, side, joint, parent in mirrored(parse(tree), sides):
        axes = turn([chance.gauss(0, 1) for _ in range(3)], chance.uniform(0, 180))
        point = [size * x for x in rotate(turn((0, 1, 0), facing), stand(place, side, slope))]
        if parent >= 0:
            back = conjugate(world[parent])
            local, moved = product(back, axes), rotate(
                back, [p - q for p, q in zip(point, points[parent])])
            nodes[parent].setdefault("children", []).append(len(nodes))
        else:
            local, moved = axes, point
        nodes.append({"name": rename(joint) if rename else joint, "translation": moved,
                      "rotation": local})
        world.append(axes)
        points.append(point)
    children = {child for node in nodes for child in node.get("children", [])}
    return json.dumps({"asset": {"version": "2.0"}, "nodes": nodes, "scene": 0, "scenes": [
        {"nodes": [i for i in range(len(nodes)) if i not in children]}]}).encode()


def truth(maker, rename=None):
    """Role -> joint's name, for the roles that the tree has: "chest", "left_upper_arm"."""
    _, sides, tree = maker
    found = {}
    for place, side, joint, _ in mirrored(parse(tree), sides):
        if place in BODY or place in SIDED:
            found.setdefault(f"{side}_{place}" if side else place,
                             rename(joint) if rename else joint)
    return found


def angle(a, b):
    """Degrees between two directions."""
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return math.degrees(math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(a, b))))
