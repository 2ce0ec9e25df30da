// VRM's extensions in files that are built here: what each member becomes, and what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

/* The bones that every avatar has are nodes 0 to 14; 15 to 19 are a chain below the head. */
#define BODY_NODES \
	"{\"children\":[1,3,6]},{\"children\":[2,9,12]},{\"children\":[15]}," \
	"{\"children\":[4]},{\"children\":[5]},{}," \
	"{\"children\":[7]},{\"children\":[8]},{}," \
	"{\"children\":[10]},{\"children\":[11]},{}," \
	"{\"children\":[13]},{\"children\":[14]},{}"

#define CHAIN_NODES \
	"{\"children\":[16],\"translation\":[0,1,0]},{\"children\":[17],\"translation\":[0,0.5,0]" \
	"," \
	"\"scale\":[2,2,2]},{\"children\":[18],\"translation\":[0,0,0.25]}," \
	"{\"children\":[19],\"translation\":[0.25,0,0]},{\"translation\":[0,-2,0]}"

static const char *const body[] = {"hips", "spine", "head", "leftUpperLeg", "leftLowerLeg",
	"leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot", "leftUpperArm", "leftLowerArm",
	"leftHand", "rightUpperArm", "rightLowerArm", "rightHand"};
#define BODY_BONES ((int)(sizeof body / sizeof body[0]))

#define TEXT_BYTES 16384

/* The bones of a body with more of them behind, as 1.0 or 0.x has them. */
static const char *humanoid(bool is_0x, const char *more) {
	static char text[TEXT_BYTES];
	size_t used = (size_t)snprintf(
		text, sizeof text, "\"humanoid\":{\"humanBones\":%s", is_0x ? "[" : "{");
	for (int i = 0; i < BODY_BONES; i++) {
		used += (size_t)snprintf(text + used, sizeof text - used,
			is_0x ? "%s{\"bone\":\"%s\",\"node\":%d}" : "%s\"%s\":{\"node\":%d}",
			i ? "," : "", body[i], i);
	}
	snprintf(text + used, sizeof text - used, "%s%s}", more, is_0x ? "]" : "}");
	return text;
}

/* A document of a body whose extension has these members. */
struct document {
	bool is_0x;
	const char *bones, *members, *extensions, *nodes, *lists;
};

static char *write_document(const struct document *d) {
	char *json = malloc(TEXT_BYTES);
	assert_non_null(json);
	const int length = snprintf(json, TEXT_BYTES,
		"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[" BODY_NODES ",%s],"
		"\"extensions\":{\"%s\":{\"specVersion\":\"%s\",%s%s}%s}%s}",
		d->nodes ? d->nodes : CHAIN_NODES, d->is_0x ? "VRM" : "VRMC_vrm",
		d->is_0x ? "0.0" : "1.0", humanoid(d->is_0x, d->bones ? d->bones : ""),
		d->members ? d->members : "", d->extensions ? d->extensions : "",
		d->lists ? d->lists : "");
	assert_in_range(length, 1, TEXT_BYTES - 1);
	return json;
}

static struct rig *read_document(const struct document *d) {
	char *json = write_document(d);
	struct error err = {0};
	struct rig *rig = import_text(json, &err);
	free(json);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

static struct rig *import_avatar(const struct document *d) {
	struct rig *rig = read_document(d);
	if (!rig->avatar) {
		fail_msg("%s", rig->warning_count ? rig->warnings[rig->warning_count - 1] : "?");
	}
	return rig;
}

/* The document is imported without its avatar, and says why. */
static void expect_no_avatar(const struct document *d, const char *why) {
	struct rig *rig = read_document(d);
	assert_null(rig->avatar);
	assert_int_equal(rig->joint_count, 20);
	if (!has_warning(rig, why) || !has_warning(rig, "imported without its VRM avatar")) {
		fail_msg("no \"%s\" but \"%s\"", why, rig->warnings[rig->warning_count - 1]);
	}
	rig_release(rig);
}

static int joint_of(const struct rig *rig, int node) {
	return rig_find_joint_by_index(rig, node);
}

static void broken_bodies_cost_the_avatar(void **state) {
	(void)state;
	expect_no_avatar(&(struct document){.bones = ",\"jaw\":{\"node\":2}"},
		"is the node of head already");
	expect_no_avatar(&(struct document){.bones = ",\"jaw\":{\"node\":20}"}, "is 20");
	expect_no_avatar(&(struct document){.bones = ",\"head\":{\"node\":-1}"}, "has no head");
	expect_no_avatar(
		&(struct document){.is_0x = true, .bones = ",{\"bone\":\"jaw\",\"node\":2}"},
		"is the node of head already");
	expect_no_avatar(
		&(struct document){.is_0x = true, .bones = ",{\"bone\":\"head\",\"node\":15}"},
		"head has a node already");
	expect_no_avatar(
		&(struct document){.is_0x = true, .bones = ",{\"bone\":\"jaw\",\"node\":20}"},
		"is 20");
	expect_no_avatar(&(struct document){.members = ",\"specVersion\":\"2.0\""},
		"specVersion is \"2.0\", must be 1.0");
	expect_no_avatar(&(struct document){.members = ",\"lookAt\":[]"}, "must be an object");
	expect_no_avatar(&(struct document){.members = ",\"meta\":7"}, "must be an object");
}

static void the_later_version_wins(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){.extensions = ",\"VRM\":{}"});
	assert_false(rig->avatar->is_0x);
	assert_string_equal(rig->avatar->version, "1.0");
	assert_int_equal(rig->avatar->thumbnail, -1);
	rig_release(rig);
	rig = import_avatar(&(struct document){.members = ",\"specVersion\":\"1.0-beta\""});
	assert_string_equal(rig->avatar->version, "1.0-beta");
	rig_release(rig);
}

static void thumbs_of_0x_begin_with_the_metacarpal(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){.is_0x = true,
		.bones = ",{\"bone\":\"leftThumbProximal\",\"node\":15}"
			 ",{\"bone\":\"leftThumbIntermediate\",\"node\":16}"
			 ",{\"bone\":\"leftThumbDistal\",\"node\":17},{\"bone\":\"chest\",\"node\":"
			 "-1}"});
	const int *bones = rig->avatar->bones;
	assert_int_equal(bones[AVATAR_BONE_leftThumbMetacarpal], joint_of(rig, 15));
	assert_int_equal(bones[AVATAR_BONE_leftThumbProximal], joint_of(rig, 16));
	assert_int_equal(bones[AVATAR_BONE_leftThumbDistal], joint_of(rig, 17));
	assert_int_equal(bones[AVATAR_BONE_chest], -1);
	rig_release(rig);
}

static void presets_come_first_in_their_order(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){
		.members = ",\"expressions\":{\"custom\":{\"zz\":{},\"happy\":{},\"my own\":"
			   "{\"isBinary\":true,\"overrideMouth\":\"blend\"}},"
			   "\"preset\":{\"blink\":{},\"happy\":{\"overrideBlink\":\"block\"}}}"});
	const struct avatar *avatar = rig->avatar;
	static const char *const names[] = {"happy", "blink", "zz", "my own"};
	assert_int_equal(avatar->expression_count, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(avatar->expressions[i].name, names[i]);
	}
	assert_int_equal(avatar->expressions[0].overrides[AVATAR_BLINKS], AVATAR_OVERRIDE_BLOCK);
	assert_int_equal(avatar->expressions[3].overrides[AVATAR_MOUTHS], AVATAR_OVERRIDE_BLEND);
	assert_true(avatar->expressions[3].binary);
	assert_true(has_warning(rig, "has the name of another expression"));
	rig_release(rig);
	expect_no_avatar(&(struct document){.members = ",\"expressions\":{\"preset\":{\"aa\":{"
						       "\"overrideBlink\":\"no\"}}}"},
		"must be one of");
}

/* Two meshes at three nodes: mesh 0 has two targets, mesh 1 has one. */
static struct rig *import_faces(const struct document *d) {
	struct gltf_builder b = quad();
	char *json = write_document(d);
	struct error err = {0};
	// The builder writes the asset itself.
	char *members = strchr(json, ',') + 1;
	members[strlen(members) - 1] = '\0';
	struct rig *rig = import_built(&b, members, &err);
	free(json);
	if (!rig || !rig->avatar) {
		fail_msg("%s %s", err.text,
			rig && rig->warning_count ? rig->warnings[rig->warning_count - 1] : "");
	}
	return rig;
}

#define FACE_NODES "{\"mesh\":1},{\"mesh\":0},{\"mesh\":0}"
#define FACE_LISTS \
	",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0," \
	"\"targets\":[{\"POSITION\":0},{\"POSITION\":0}]}]}," \
	"{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":0}]}]}]," \
	"\"materials\":[{\"name\":\"skin\"},{\"name\":\"hair\"},{\"name\":\"skin\"}]"

static void binds_of_1_0_name_nodes(void **state) {
	(void)state;
	struct rig *rig = import_faces(&(struct document){.nodes = FACE_NODES,
		.lists = FACE_LISTS,
		.members = ",\"expressions\":{\"preset\":{\"aa\":{\"morphTargetBinds\":["
			   "{\"node\":16,\"index\":1,\"weight\":0.5},{\"node\":15,\"index\":1},"
			   "{\"node\":15,\"index\":0}],\"materialColorBinds\":[{\"material\":1,"
			   "\"type\":\"shadeColor\",\"targetValue\":[1,0.5,0.25,0]},"
			   "{\"material\":9,\"type\":\"color\"}],\"textureTransformBinds\":["
			   "{\"material\":2,\"offset\":[0.5,0.25]}]}}}"});
	const struct avatar_expression *e = &rig->avatar->expressions[0];
	assert_int_equal(e->morph_count, 2);
	assert_int_equal(e->morphs[0].weight, rig->joints[joint_of(rig, 16)].first_weight + 1);
	assert_true(e->morphs[0].amount == 0.5f && e->morphs[1].amount == 1);
	assert_int_equal(e->morphs[1].weight, rig->joints[joint_of(rig, 15)].first_weight);
	assert_int_equal(e->tint_count, 1);
	assert_int_equal(e->tints[0].material, 1);
	assert_int_equal(e->tints[0].color, AVATAR_COLOR_SHADE);
	assert_true(e->tints[0].target[2] == 0.25f);
	assert_int_equal(e->shift_count, 1);
	assert_true(e->shifts[0].scale[1] == 1 && e->shifts[0].offset[1] == 0.25f);
	assert_true(has_warning(rig, "morphTargetBinds[1].index: is 1, but there are only 1"));
	assert_true(has_warning(rig, "materialColorBinds[1].material: is 9"));
	rig_release(rig);
}

static void binds_of_0x_name_meshes_and_materials(void **state) {
	(void)state;
	struct rig *rig = import_faces(&(struct document){.is_0x = true,
		.nodes = FACE_NODES,
		.lists = FACE_LISTS,
		.members =
			",\"blendShapeMaster\":{\"blendShapeGroups\":["
			"{\"presetName\":\"unknown\",\"name\":\"Mine\"},"
			"{\"presetName\":\"A\",\"name\":\"x\",\"binds\":[{\"mesh\":0,\"index\":1,"
			"\"weight\":25},{\"mesh\":1,\"index\":0},{\"mesh\":-1,\"index\":0}],"
			"\"materialValues\":[{\"materialName\":\"skin\",\"propertyName\":"
			"\"_MainTex_ST\",\"targetValue\":[0.5,0.25,0.125,0.5]},"
			"{\"materialName\":\"hair\",\"propertyName\":\"_RimColor\","
			"\"targetValue\":[1,0,0,1]}]},{\"presetName\":\"a\"},"
			"{\"presetName\":\"joy\",\"isBinary\":true}]}"});
	const struct avatar *avatar = rig->avatar;
	assert_int_equal(avatar->expression_count, 3);
	assert_string_equal(avatar->expressions[0].name, "happy");
	assert_true(avatar->expressions[0].binary);
	assert_string_equal(avatar->expressions[2].name, "Mine");
	assert_int_equal(avatar->expressions[2].preset, AVATAR_CUSTOM);
	const struct avatar_expression *e = &avatar->expressions[1];
	assert_string_equal(e->name, "aa");
	assert_int_equal(e->morph_count, 3);
	assert_int_equal(e->morphs[0].weight, rig->joints[joint_of(rig, 16)].first_weight + 1);
	assert_int_equal(e->morphs[1].weight, rig->joints[joint_of(rig, 17)].first_weight + 1);
	assert_true(e->morphs[1].amount == 0.25f && e->morphs[2].amount == 1);
	assert_int_equal(e->shift_count, 2);
	assert_int_equal(e->shifts[1].material, 2);
	assert_true(e->shifts[1].scale[0] == 0.5f && e->shifts[1].offset[0] == 0.125f);
	assert_true(e->shifts[1].offset[1] == 1 - 0.5f - 0.25f);
	assert_int_equal(e->tint_count, 1);
	assert_int_equal(e->tints[0].color, AVATAR_COLOR_RIM);
	rig_release(rig);
}

static void views_are_of_nodes_or_of_meshes(void **state) {
	(void)state;
	struct rig *rig = import_faces(&(struct document){.nodes = FACE_NODES,
		.lists = FACE_LISTS,
		.members = ",\"firstPerson\":{\"meshAnnotations\":["
			   "{\"node\":16,\"type\":\"firstPersonOnly\"}]}"});
	assert_int_equal(rig->avatar->views[joint_of(rig, 16)], AVATAR_VIEW_FIRST);
	assert_int_equal(rig->avatar->views[joint_of(rig, 17)], AVATAR_VIEW_AUTO);
	rig_release(rig);
	rig = import_faces(&(struct document){.is_0x = true,
		.nodes = FACE_NODES,
		.lists = FACE_LISTS,
		.members = ",\"firstPerson\":{\"meshAnnotations\":["
			   "{\"mesh\":0,\"firstPersonFlag\":\"ThirdPersonOnly\"},"
			   "{\"mesh\":1,\"firstPersonFlag\":\"Both\"}]}"});
	assert_int_equal(rig->avatar->views[joint_of(rig, 15)], AVATAR_VIEW_BOTH);
	assert_int_equal(rig->avatar->views[joint_of(rig, 16)], AVATAR_VIEW_THIRD);
	assert_int_equal(rig->avatar->views[joint_of(rig, 17)], AVATAR_VIEW_THIRD);
	rig_release(rig);
}

static void gazes_have_defaults_and_0x_flips_z(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){
		.members = ",\"lookAt\":{\"type\":\"expression\",\"rangeMapVerticalUp\":"
			   "{\"inputMaxValue\":0,\"outputScale\":2}}"});
	const struct avatar_look_at *look = &rig->avatar->look_at;
	assert_true(rig->avatar->has_look_at && look->by_expressions);
	assert_true(look->head_offset[1] == 0.06);
	assert_true(look->inner.input_max_deg == 90 && look->inner.output == 1);
	assert_true(look->up.input_max_deg == 0.01 && look->up.output == 2);
	rig_release(rig);
	rig = import_avatar(&(struct document){.is_0x = true,
		.members = ",\"firstPerson\":{\"firstPersonBoneOffset\":{\"x\":1,\"y\":2,\"z\":3},"
			   "\"lookAtVerticalDown\":{\"xRange\":30,\"yRange\":5,"
			   "\"curve\":[0,0,0,1,1,1,1,0]},"
			   "\"lookAtVerticalUp\":{\"curve\":[0,0,0,2,1,1,1,0]}}"});
	look = &rig->avatar->look_at;
	assert_true(rig->avatar->has_look_at && !look->by_expressions);
	assert_true(look->head_offset[0] == 1 && look->head_offset[1] == 2 &&
		look->head_offset[2] == -3);
	assert_true(look->down.input_max_deg == 30 && look->down.output == 5);
	assert_true(look->outer.output == 10);
	assert_true(has_warning(rig, "lookAtVerticalUp: its curve is read as a straight line"));
	assert_false(has_warning(rig, "lookAtVerticalDown"));
	rig_release(rig);
	rig = import_avatar(&(struct document){0});
	assert_false(rig->avatar->has_look_at);
	rig_release(rig);
}

#define CONSTRAINED(children, constraint) \
	"{\"children\":[" children "],\"extensions\":{\"VRMC_node_constraint\":" \
	"{\"specVersion\":\"1.0\",\"constraint\":{" constraint "}}}}"

static void constraints_follow_those_that_they_read(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){
		.nodes = CONSTRAINED("16", "\"rotation\":{\"source\":17,\"weight\":0.5}") "," //
		CONSTRAINED("17", "\"aim\":{\"source\":3,\"aimAxis\":\"NegativeY\"}") ","     //
		CONSTRAINED("18", "\"roll\":{\"source\":2,\"rollAxis\":\"Z\"}") ",{}"});
	const struct avatar *avatar = rig->avatar;
	assert_int_equal(avatar->constraint_count, 3);
	assert_int_equal(avatar->constraints[0].joint, joint_of(rig, 17));
	assert_int_equal(avatar->constraints[0].kind, AVATAR_ROLL);
	assert_true(avatar->constraints[0].axis[2] == 1 && avatar->constraints[0].weight == 1);
	assert_int_equal(avatar->constraints[1].joint, joint_of(rig, 15));
	assert_true(avatar->constraints[1].weight == 0.5);
	assert_int_equal(avatar->constraints[2].joint, joint_of(rig, 16));
	assert_true(avatar->constraints[2].axis[1] == -1);
	rig_release(rig);
}

static void constraints_in_a_circle_cost_the_avatar(void **state) {
	(void)state;
	static const char *const circles[] = {
		CONSTRAINED("16", "\"rotation\":{\"source\":16}") "," //
		CONSTRAINED("17", "\"rotation\":{\"source\":17}") "," //
		CONSTRAINED("", "\"rotation\":{\"source\":15}") ",{},{}",
		// It aims at what hangs on it.
		CONSTRAINED(
			"16", "\"aim\":{\"source\":17,\"aimAxis\":\"PositiveX\"}") ",{\"children\":"
										   "[17]},{},{},{}",
		// Two aim at what hangs on the other.
		CONSTRAINED("16", "\"aim\":{\"source\":18,\"aimAxis\":\"PositiveX\"}") ",{}," //
		CONSTRAINED("18", "\"aim\":{\"source\":16,\"aimAxis\":\"PositiveX\"}") ",{},{}",
	};
	for (size_t i = 0; i < sizeof circles / sizeof circles[0]; i++) {
		expect_no_avatar(&(struct document){.nodes = circles[i]},
			"its constraint depends on itself");
	}
	expect_no_avatar(&(struct document){.nodes = CONSTRAINED("16",
						    "\"rotation\":{\"source\":15}") ",{},{},{},{}"},
		"needs another node as its source");
	expect_no_avatar(&(struct document){.nodes = CONSTRAINED("16",
						    "\"roll\":{\"source\":2}") ",{},{},{},{}"},
		"has no rollAxis");
	expect_no_avatar(
		&(struct document){
			.nodes = CONSTRAINED(
				"16", "\"rotation\":{\"source\":2,\"weight\":2}") ",{},{},{},{}"},
		"weight is 2, must be from 0 to 1");
}

static void springs_of_1_0_are_chains(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){
		.extensions =
			",\"VRMC_springBone\":{\"specVersion\":\"1.0\",\"colliders\":["
			"{\"node\":2,\"shape\":{\"sphere\":{\"offset\":[1,2,3],\"radius\":0.5}}},"
			"{\"node\":1,\"shape\":{\"sphere\":{}},\"extensions\":{"
			"\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\","
			"\"shape\":{\"capsule\":{\"tail\":[0,1,0],\"inside\":true}}}}},"
			"{\"node\":0,\"shape\":{},\"extensions\":{"
			"\"VRMC_springBone_extended_collider\":{\"specVersion\":\"1.0\","
			"\"shape\":{\"plane\":{\"normal\":[0,2,0]}}}}}],"
			"\"colliderGroups\":[{\"colliders\":[2,0]},{\"colliders\":[1]}],"
			"\"springs\":[{\"name\":\"hair\",\"center\":1,\"colliderGroups\":[1,0],"
			"\"joints\":[{\"node\":15,\"stiffness\":2,\"dragForce\":0.25},"
			"{\"node\":17},{\"node\":18,\"hitRadius\":3}]},{\"joints\":[{\"node\":19}]}"
			","
			"{\"joints\":[{\"node\":17},{\"node\":19}]}]}"});
	const struct avatar *avatar = rig->avatar;
	assert_int_equal(avatar->collider_count, 3);
	assert_int_equal(avatar->colliders[0].kind, AVATAR_SPHERE);
	assert_true(avatar->colliders[0].offset[2] == 3 && avatar->colliders[0].radius == 0.5);
	assert_int_equal(avatar->colliders[1].kind, AVATAR_CAPSULE);
	assert_true(avatar->colliders[1].inside && avatar->colliders[1].tail[1] == 1);
	assert_int_equal(avatar->colliders[2].kind, AVATAR_PLANE);
	assert_true(avatar->colliders[2].normal[1] == 1 && avatar->colliders[2].normal[2] == 0);
	assert_int_equal(avatar->spring_count, 1);
	const struct avatar_spring *spring = avatar->springs;
	assert_string_equal(spring->name, "hair");
	assert_int_equal(spring->center, joint_of(rig, 1));
	assert_int_equal(spring->joint_count, 2);
	assert_int_equal(spring->collider_count, 3);
	assert_int_equal(spring->colliders[0], 1);
	assert_int_equal(spring->colliders[1], 2);
	assert_int_equal(spring->colliders[2], 0);
	// From node 15 to 17: 16 is (0, 0.5, 0) away and twice as large, so that 17 is (0, 0, 0.5)
	// further.
	assert_int_equal(spring->joints[0].joint, joint_of(rig, 15));
	assert_true(spring->joints[0].stiffness == 2 && spring->joints[0].drag == 0.25);
	assert_near(spring->joints[0].tail[1], 0.5, 0);
	assert_near(spring->joints[0].tail[2], 0.5, 0);
	assert_true(spring->joints[1].stiffness == 1 && spring->joints[1].drag == 0.5);
	assert_true(spring->joints[1].gravity[1] == -1 && spring->joints[1].hit_radius == 0);
	assert_near(spring->joints[1].tail[0], 0.25, 0);
	assert_true(has_warning(rig, "nodes[17] is in two springs"));
	rig_release(rig);
}

static void broken_springs_cost_the_avatar(void **state) {
	(void)state;
	static const struct {
		const char *members, *why;
	} cases[] = {
		{"\"springs\":[{\"joints\":[{\"node\":17},{\"node\":16}]}]", "is not below"},
		{"\"springs\":[{\"joints\":[{\"node\":17},{\"node\":17}]}]", "is not below"},
		{"\"springs\":[{\"joints\":[{\"node\":20}]}]", "is 20"},
		{"\"springs\":[{\"joints\":[{}]}]", "has no node"},
		{"\"springs\":[{\"colliderGroups\":[0]}]", "is 0, but there are only 0"},
		{"\"colliderGroups\":[{\"colliders\":[0]}]", "is 0, but there are only 0"},
		{"\"colliders\":[{\"node\":1,\"shape\":{}}]", "has no node or no shape"},
		{"\"colliders\":[{\"node\":1,\"shape\":{\"sphere\":{\"radius\":-1}}}]",
			"radius is below 0"},
		{"\"colliders\":[{\"node\":1,\"shape\":{\"sphere\":{\"radius\":1e300}}}]",
			"float32 cannot hold"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[512];
		snprintf(text, sizeof text, ",\"VRMC_springBone\":{%s}", cases[i].members);
		expect_no_avatar(&(struct document){.extensions = text}, cases[i].why);
	}
}

static void springs_of_0x_are_trees(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){.is_0x = true,
		.members =
			",\"secondaryAnimation\":{\"colliderGroups\":[{\"node\":2,\"colliders\":["
			"{\"offset\":{\"x\":1,\"y\":2,\"z\":3},\"radius\":0.5},{}]}],"
			"\"boneGroups\":[{\"comment\":\"tail\",\"stiffiness\":0.75,"
			"\"gravityPower\":2,\"gravityDir\":{\"x\":0,\"y\":-1,\"z\":0.5},"
			"\"dragForce\":0.25,\"center\":-1,\"hitRadius\":0.125,\"bones\":[18,16],"
			"\"colliderGroups\":[0]},{\"bones\":[15]},{\"bones\":[]},{}]}"});
	const struct avatar *avatar = rig->avatar;
	assert_int_equal(avatar->collider_count, 2);
	assert_true(avatar->colliders[0].offset[1] == 2 && avatar->colliders[0].offset[2] == -3);
	assert_int_equal(avatar->spring_count, 2);
	// They are sorted by their first joints: that of the second group is node 15.
	assert_int_equal(avatar->springs[0].joint_count, 1);
	assert_int_equal(avatar->springs[0].joints[0].joint, joint_of(rig, 15));
	const struct avatar_spring *spring = &avatar->springs[1];
	assert_string_equal(spring->name, "tail");
	assert_int_equal(spring->center, -1);
	assert_int_equal(spring->collider_count, 2);
	assert_int_equal(spring->joint_count, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(spring->joints[i].joint, joint_of(rig, 16 + i));
		assert_true(spring->joints[i].stiffness == 0.75 && spring->joints[i].drag == 0.25);
		assert_true(spring->joints[i].hit_radius == 0.125);
		// Directions of gravity are in glTF's axes already, as three-vrm reads them.
		assert_true(spring->joints[i].gravity[2] == 0.5);
	}
	assert_near(spring->joints[1].tail[0], 0.25, 0);
	// 7 cm along the direction in which the last node lies.
	assert_near(spring->joints[3].tail[1], -0.07, 1e-15);
	rig_release(rig);
}

static void facts_are_what_meta_says(void **state) {
	(void)state;
	struct rig *rig = import_avatar(&(struct document){
		.members = ",\"meta\":{\"name\":\"f\\u00e9\",\"authors\":[\"a\",\"b\"],"
			   "\"allowRedistribution\":true,\"thumbnailImage\":7,\"a b\":1,\"x\":null,"
			   "\"references\":[],\"y\":{}}"});
	const struct avatar *avatar = rig->avatar;
	assert_int_equal(avatar->fact_count, 5);
	assert_string_equal(avatar_find_fact(avatar, "name")->text, "f\xc3\xa9");
	assert_string_equal(avatar->facts[1].text, "a");
	assert_string_equal(avatar->facts[2].key, "authors");
	assert_int_equal(avatar->facts[2].kind, AVATAR_TEXT_OF_LIST);
	assert_int_equal(avatar->facts[3].kind, AVATAR_TRUTH);
	assert_true(avatar->facts[3].number == 1 && avatar->facts[4].number == 7);
	assert_null(avatar_find_fact(avatar, "a b"));
	assert_true(has_warning(rig, "without its thumbnail"));
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_bodies_cost_the_avatar),
		cmocka_unit_test(the_later_version_wins),
		cmocka_unit_test(thumbs_of_0x_begin_with_the_metacarpal),
		cmocka_unit_test(presets_come_first_in_their_order),
		cmocka_unit_test(binds_of_1_0_name_nodes),
		cmocka_unit_test(binds_of_0x_name_meshes_and_materials),
		cmocka_unit_test(views_are_of_nodes_or_of_meshes),
		cmocka_unit_test(gazes_have_defaults_and_0x_flips_z),
		cmocka_unit_test(constraints_follow_those_that_they_read),
		cmocka_unit_test(constraints_in_a_circle_cost_the_avatar),
		cmocka_unit_test(springs_of_1_0_are_chains),
		cmocka_unit_test(broken_springs_cost_the_avatar),
		cmocka_unit_test(springs_of_0x_are_trees),
		cmocka_unit_test(facts_are_what_meta_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
