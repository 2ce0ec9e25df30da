// Humanoids: the joints that names and hierarchies tell, in many makers' rigs.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pose/humanoid/humanoid.h"
#include "rigs.h"
#include "shared_files.h"
#include "trees.h"

/* The roles found, as "hips=Hips chest=Chest~ ...", ~ marking those found by position. */
static char *tell(const struct rig *rig, struct arena *arena, int roles) {
	struct humanoid humanoid;
	humanoid_find(rig, arena, &humanoid);
	char *text = arena_printf(arena, "%s", "");
	for (int i = 0; i < roles; i++) {
		assert_true((humanoid.joints[i] < 0) == (humanoid.found[i] == HUMANOID_ABSENT));
		if (humanoid.joints[i] >= 0) {
			text = arena_printf(arena, "%s%s%s=%s%s", text, *text ? " " : "",
				humanoid_role_name((enum humanoid_role)i),
				rig->joints[humanoid.joints[i]].name,
				humanoid.found[i] == HUMANOID_BY_PLACE ? "~" : "");
		}
	}
	return text;
}

/* The right side has the left side's names with the sides exchanged, so that the left says it all.
 */
static void expect(const struct rig *rig, const char *expected) {
	struct arena *arena = arena_create();
	assert_string_equal(tell(rig, arena, HUMANOID_RIGHT_SHOULDER), expected);
	struct humanoid humanoid;
	humanoid_find(rig, arena, &humanoid);
	for (int i = HUMANOID_LEFT_SHOULDER; i < HUMANOID_RIGHT_SHOULDER; i++) {
		assert_true(
			(humanoid.joints[i] < 0) == (humanoid.joints[i + HUMANOID_SIDE_ROLES] < 0));
	}
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		for (int k = 0; k < i; k++) {
			assert_true(
				humanoid.joints[i] < 0 || humanoid.joints[i] != humanoid.joints[k]);
		}
	}
	arena_destroy(arena);
}

static void expect_tree(const char *tree, const char *expected) {
	struct rig *rig = rig_tree(tree);
	expect(rig, expected);
	rig_release(rig);
}

static void mixamo(void **state) {
	(void)state;
	expect_tree(
		"mixamorig:Hips(mixamorig:Spine(mixamorig:Spine1(mixamorig:Spine2(mixamorig:Neck("
		"mixamorig:Head(mixamorig:HeadTop_End)),mixamorig:LeftShoulder(mixamorig:LeftArm("
		"mixamorig:LeftForeArm(mixamorig:LeftHand(mixamorig:LeftHandThumb1("
		"mixamorig:LeftHandThumb2(mixamorig:LeftHandThumb3(mixamorig:LeftHandThumb4))),"
		"mixamorig:LeftHandIndex1)))),mixamorig:RightShoulder(mixamorig:RightArm("
		"mixamorig:RightForeArm(mixamorig:RightHand(mixamorig:RightHandThumb1("
		"mixamorig:RightHandThumb2(mixamorig:RightHandThumb3)),mixamorig:RightHandIndex1)))"
		")"
		"))),mixamorig:LeftUpLeg(mixamorig:LeftLeg(mixamorig:LeftFoot("
		"mixamorig:LeftToeBase(mixamorig:LeftToe_End)))),mixamorig:RightUpLeg("
		"mixamorig:RightLeg(mixamorig:RightFoot(mixamorig:RightToeBase))))",
		"hips=mixamorig:Hips spine=mixamorig:Spine chest=mixamorig:Spine2~ "
		"neck=mixamorig:Neck head=mixamorig:Head left_shoulder=mixamorig:LeftShoulder "
		"left_upper_arm=mixamorig:LeftArm left_lower_arm=mixamorig:LeftForeArm "
		"left_hand=mixamorig:LeftHand left_upper_leg=mixamorig:LeftUpLeg "
		"left_lower_leg=mixamorig:LeftLeg left_foot=mixamorig:LeftFoot "
		"left_toes=mixamorig:LeftToeBase left_thumb_1=mixamorig:LeftHandThumb1 "
		"left_thumb_2=mixamorig:LeftHandThumb2 left_thumb_3=mixamorig:LeftHandThumb3 "
		"left_index_1=mixamorig:LeftHandIndex1");
	// As three.js and others write it, without the colon.
	expect_tree("mixamorigHips(mixamorigSpine(mixamorigLeftArm,mixamorigRightArm),"
		    "mixamorigLeftUpLeg,mixamorigRightUpLeg)",
		"hips=mixamorigHips chest=mixamorigSpine~ left_upper_arm=mixamorigLeftArm "
		"left_upper_leg=mixamorigLeftUpLeg");
}

static void vroid(void **state) {
	(void)state;
	expect_tree(
		"Root(J_Bip_C_Hips(J_Bip_C_Spine(J_Bip_C_Chest(J_Bip_C_UpperChest(J_Bip_C_Neck("
		"J_Bip_C_Head(J_Adj_L_FaceEye,J_Sec_Hair1_01)),J_Sec_L_Bust1,J_Bip_L_Shoulder("
		"J_Bip_L_UpperArm(J_Bip_L_LowerArm(J_Bip_L_Hand(J_Bip_L_Little1(J_Bip_L_Little2))))"
		")"
		",J_Bip_R_Shoulder(J_Bip_R_UpperArm(J_Bip_R_LowerArm(J_Bip_R_Hand(J_Bip_R_Little1("
		"J_Bip_R_Little2)))))))),J_Bip_L_UpperLeg(J_Bip_L_LowerLeg(J_Bip_L_Foot("
		"J_Bip_L_ToeBase))),J_Bip_R_UpperLeg(J_Bip_R_LowerLeg(J_Bip_R_Foot("
		"J_Bip_R_ToeBase)))))",
		"hips=J_Bip_C_Hips spine=J_Bip_C_Spine chest=J_Bip_C_UpperChest neck=J_Bip_C_Neck "
		"head=J_Bip_C_Head left_shoulder=J_Bip_L_Shoulder left_upper_arm=J_Bip_L_UpperArm "
		"left_lower_arm=J_Bip_L_LowerArm left_hand=J_Bip_L_Hand "
		"left_upper_leg=J_Bip_L_UpperLeg left_lower_leg=J_Bip_L_LowerLeg "
		"left_foot=J_Bip_L_Foot left_toes=J_Bip_L_ToeBase left_little_1=J_Bip_L_Little1 "
		"left_little_2=J_Bip_L_Little2");
}

static void unreal(void **state) {
	(void)state;
	expect_tree("root(pelvis(spine_01(spine_02(spine_03(clavicle_l(upperarm_l("
		    "upperarm_twist_01_l,lowerarm_l(lowerarm_twist_01_l,hand_l(index_metacarpal_l("
		    "index_01_l(index_02_l)))))),clavicle_r(upperarm_r(lowerarm_r(hand_r("
		    "index_metacarpal_r(index_01_r(index_02_r)))),upperarm_twist_01_r)),neck_01("
		    "head)))),thigh_l(thigh_twist_01_l,calf_l(calf_twist_01_l,foot_l(ball_l))),"
		    "thigh_r(calf_r(foot_r(ball_r)))),ik_foot_root(ik_foot_l,ik_foot_r),"
		    "ik_hand_root(ik_hand_gun(ik_hand_l,ik_hand_r)))",
		"hips=pelvis spine=spine_01 chest=spine_03~ neck=neck_01 head=head "
		"left_shoulder=clavicle_l left_upper_arm=upperarm_l left_lower_arm=lowerarm_l "
		"left_hand=hand_l left_upper_leg=thigh_l left_lower_leg=calf_l left_foot=foot_l "
		"left_toes=ball_l left_index_1=index_01_l left_index_2=index_02_l");
}

static void rigify(void **state) {
	(void)state;
	expect_tree("rig(root(DEF-spine(DEF-spine.001(DEF-spine.002(DEF-spine.003(DEF-spine.004("
		    "DEF-spine.005(DEF-spine.006)),DEF-shoulder.L(DEF-upper_arm.L("
		    "DEF-upper_arm.L.001(DEF-forearm.L(DEF-forearm.L.001(DEF-hand.L("
		    "DEF-f_index.01.L)))))),DEF-shoulder.R(DEF-upper_arm.R(DEF-upper_arm.R.001("
		    "DEF-forearm.R(DEF-forearm.R.001(DEF-hand.R(DEF-f_index.01.R))))))))),"
		    "DEF-pelvis.L,DEF-pelvis.R,DEF-thigh.L(DEF-thigh.L.001(DEF-shin.L("
		    "DEF-shin.L.001(DEF-foot.L(DEF-toe.L))))),DEF-thigh.R(DEF-thigh.R.001("
		    "DEF-shin.R(DEF-shin.R.001(DEF-foot.R(DEF-toe.R)))))),MCH-foot_ik.L))",
		"hips=DEF-spine~ spine=DEF-spine.001 chest=DEF-spine.003~ neck=DEF-spine.004~ "
		"head=DEF-spine.006~ left_shoulder=DEF-shoulder.L left_upper_arm=DEF-upper_arm.L "
		"left_lower_arm=DEF-forearm.L left_hand=DEF-hand.L left_upper_leg=DEF-thigh.L "
		"left_lower_leg=DEF-shin.L left_foot=DEF-foot.L left_toes=DEF-toe.L "
		"left_index_1=DEF-f_index.01.L");
}

static void cmu_motion_capture(void **state) {
	(void)state;
	expect_tree("Hips(LHipJoint(LeftUpLeg(LeftLeg(LeftFoot(LeftToeBase)))),RHipJoint("
		    "RightUpLeg(RightLeg(RightFoot(RightToeBase)))),LowerBack(Spine(Spine1(Neck("
		    "Neck1(Head)),LeftShoulder(LeftArm(LeftForeArm(LeftHand(LeftFingerBase("
		    "LeftHandIndex1),LThumb)))),RightShoulder(RightArm(RightForeArm(RightHand("
		    "RightFingerBase(RightHandIndex1),RThumb))))))))",
		"hips=Hips spine=Spine chest=Spine1~ neck=Neck head=Head "
		"left_shoulder=LeftShoulder left_upper_arm=LeftArm left_lower_arm=LeftForeArm "
		"left_hand=LeftHand left_upper_leg=LeftUpLeg left_lower_leg=LeftLeg "
		"left_foot=LeftFoot left_toes=LeftToeBase left_thumb_1=LThumb "
		"left_index_1=LeftHandIndex1");
	// Joints that are called after the body's.
	expect_tree("Hips(LeftHip(LeftKnee(LeftAnkle(LeftToe))),RightHip(RightKnee(RightAnkle("
		    "RightToe))),Chest(LeftCollar(LeftShoulder(LeftElbow(LeftWrist))),RightCollar("
		    "RightShoulder(RightElbow(RightWrist))),Neck(Head)))",
		"hips=Hips chest=Chest neck=Neck head=Head left_shoulder=LeftCollar "
		"left_upper_arm=LeftShoulder left_lower_arm=LeftElbow left_hand=LeftWrist "
		"left_upper_leg=LeftHip left_lower_leg=LeftKnee left_foot=LeftAnkle "
		"left_toes=LeftToe");
}

static void biped(void **state) {
	(void)state;
	// The collar bones hang from the neck.
	expect_tree("Bip01(Bip01 Pelvis(Bip01 Spine(Bip01 Spine1(Bip01 Neck(Bip01 Head(Bip01 "
		    "HeadNub),Bip01 L Clavicle(Bip01 L UpperArm(Bip01 L Forearm(Bip01 L Hand("
		    "Bip01 L Finger0(Bip01 L Finger01(Bip01 L Finger0Nub)),Bip01 L Finger1)))),"
		    "Bip01 R Clavicle(Bip01 R UpperArm(Bip01 R Forearm(Bip01 R Hand(Bip01 R "
		    "Finger0(Bip01 R Finger01),Bip01 R Finger1))))))),Bip01 L Thigh(Bip01 L Calf("
		    "Bip01 L Foot(Bip01 L Toe0))),Bip01 R Thigh(Bip01 R Calf(Bip01 R Foot(Bip01 R "
		    "Toe0)))))",
		"hips=Bip01 Pelvis spine=Bip01 Spine chest=Bip01 Spine1~ neck=Bip01 Neck "
		"head=Bip01 Head left_shoulder=Bip01 L Clavicle left_upper_arm=Bip01 L UpperArm "
		"left_lower_arm=Bip01 L Forearm left_hand=Bip01 L Hand "
		"left_upper_leg=Bip01 L Thigh left_lower_leg=Bip01 L Calf left_foot=Bip01 L Foot "
		"left_toes=Bip01 L Toe0 left_thumb_1=Bip01 L Finger0 left_thumb_2=Bip01 L Finger01 "
		"left_index_1=Bip01 L Finger1");
}

static void daz_and_a_prefix_of_ones_own(void **state) {
	(void)state;
	expect_tree("hip(pelvis(lThighBend(lThighTwist(lShin(lFoot(lToe)))),rThighBend("
		    "rThighTwist(rShin(rFoot(rToe))))),abdomenLower(chestLower(chestUpper("
		    "lCollar(lShldrBend(lShldrTwist(lForearmBend(lForearmTwist(lHand))))),rCollar("
		    "rShldrBend(rShldrTwist(rForearmBend(rForearmTwist(rHand))))),neckLower(head)"
		    "))))",
		"hips=hip spine=abdomenLower chest=chestUpper neck=neckLower head=head "
		"left_shoulder=lCollar left_upper_arm=lShldrBend left_lower_arm=lForearmBend "
		"left_hand=lHand left_upper_leg=lThighBend left_lower_leg=lShin left_foot=lFoot "
		"left_toes=lToe");
	expect_tree("Alice_Hips(Alice_Spine(Alice_Neck(Alice_Head),Alice_LeftArm(Alice_LeftForeArm)"
		    ",Alice_RightArm(Alice_RightForeArm)),Alice_LeftUpLeg,Alice_RightUpLeg)",
		"hips=Alice_Hips chest=Alice_Spine~ neck=Alice_Neck head=Alice_Head "
		"left_upper_arm=Alice_LeftArm left_lower_arm=Alice_LeftForeArm "
		"left_upper_leg=Alice_LeftUpLeg");
}

static void place_tells_what_names_do_not(void **state) {
	(void)state;
	expect_tree("a(b(c(d(e),left clavicle(left x(left y(left z))),right clavicle(right x("
		    "right y(right z))))),left thigh(left p(left q(left r))),right thigh(right p("
		    "right q(right r))))",
		"hips=a~ spine=b~ chest=c~ neck=d~ head=e~ left_shoulder=left clavicle "
		"left_upper_arm=left x~ left_lower_arm=left y~ left_hand=left z~ "
		"left_upper_leg=left thigh left_lower_leg=left p~ left_foot=left q~ "
		"left_toes=left r~");
	// Between joints that have names.
	expect_tree("hips(chest(l_upperarm(u(v(l_hand))),r_upperarm(u(v(r_hand)))))",
		"hips=hips chest=chest left_upper_arm=l_upperarm left_lower_arm=u~ "
		"left_hand=l_hand");
}

static void no_humanoid_has_no_roles(void **state) {
	(void)state;
	expect_tree("a(b(c,d),e)", "");
	expect_tree("Bone(Bone.001(Bone.002))", "");
	expect_tree("***", "");
	// Limbs that are not of one body.
	expect_tree("l_thigh(l_shin),r_thigh(r_shin)", "");
	// Feet in name that are too far away for feet.
	expect_tree("LeftFoot(a(b(c))),RightFoot(a(b(c))),x(x(x(x(x(Hips(LeftUpLeg(LeftLeg),"
		    "RightUpLeg(RightLeg)))))))",
		"hips=Hips left_upper_leg=LeftUpLeg left_lower_leg=LeftLeg");
}

static void the_demo_humanoid(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	expect(rig,
		"hips=Hips spine=Spine chest=Chest neck=Neck head=Head left_shoulder=LeftShoulder "
		"left_upper_arm=LeftArm left_lower_arm=LeftForeArm left_hand=LeftHand "
		"left_upper_leg=LeftUpLeg left_lower_leg=LeftLeg left_foot=LeftFoot "
		"left_toes=LeftToe");
	rig_release(rig);
}

static void real_rigs(void **state) {
	(void)state;
	static const struct {
		const char *path, *expected;
		bool whole;
	} rows[] = {
		{"godot-mannequiny/mannequiny.glb",
			"hips=pelvis spine=spine_01 chest=spine_02~ neck=neck_01 head=head "
			"left_shoulder=clavicle.l left_upper_arm=upperarm.l "
			"left_lower_arm=lowerarm.l left_hand=hand.l left_upper_leg=thigh.l "
			"left_lower_leg=calf.l left_foot=foot.l left_toes=ball.l "
			"left_thumb_1=thumb_01.l left_thumb_2=thumb_02.l left_thumb_3=thumb_03.l "
			"left_index_1=index_01.l left_index_2=index_02.l left_index_3=index_03.l "
			"left_middle_1=middle_01.l left_middle_2=middle_02.l "
			"left_middle_3=middle_03.l left_ring_1=ring_01.l left_ring_2=ring_02.l "
			"left_ring_3=ring_03.l",
			true},
		{"kaykit-adventurers/Characters/gltf/Knight.glb",
			"hips=hips spine=spine chest=chest head=head left_upper_arm=upperarm.l "
			"left_lower_arm=lowerarm.l left_hand=hand.l left_upper_leg=upperleg.l "
			"left_lower_leg=lowerleg.l left_foot=foot.l left_toes=toes.l",
			true},
		{"khronos-RiggedFigure/glTF-Binary/RiggedFigure.glb",
			"hips=torso_joint_1~ spine=torso_joint_2 chest=torso_joint_3 "
			"neck=neck_joint_1 head=neck_joint_2~ left_upper_arm=arm_joint_L_1 "
			"left_lower_arm=arm_joint_L_2 left_hand=arm_joint_L_3 "
			"left_upper_leg=leg_joint_L_1 left_lower_leg=leg_joint_L_2 "
			"left_foot=leg_joint_L_3 left_toes=leg_joint_L_5",
			true},
		// Its feet are no children of its legs.
		{"raylib/gltf/robot.glb",
			"hips=Body~ spine=Abdomen chest=Torso neck=Neck head=Head "
			"left_shoulder=Shoulder.L left_upper_arm=UpperArm.L "
			"left_lower_arm=LowerArm.L left_hand=Palm2.L left_upper_leg=UpperLeg.L "
			"left_lower_leg=LowerLeg.L left_foot=Foot.L left_middle_1=Middle1.L "
			"left_middle_2=Middle2.L",
			false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = shared_rig(rows[i].path);
		expect(rig, rows[i].expected);
		struct arena *arena = arena_create();
		struct humanoid humanoid;
		humanoid_find(rig, arena, &humanoid);
		assert_int_equal(humanoid_is_whole(&humanoid), rows[i].whole);
		arena_destroy(arena);
		rig_release(rig);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixamo),
		cmocka_unit_test(vroid),
		cmocka_unit_test(unreal),
		cmocka_unit_test(rigify),
		cmocka_unit_test(cmu_motion_capture),
		cmocka_unit_test(biped),
		cmocka_unit_test(daz_and_a_prefix_of_ones_own),
		cmocka_unit_test(place_tells_what_names_do_not),
		cmocka_unit_test(no_humanoid_has_no_roles),
		cmocka_unit_test(the_demo_humanoid),
		cmocka_unit_test(real_rigs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
