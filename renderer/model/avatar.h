/* The things that a VRM file says of its avatar and glTF does not: which joints are which bones,
 * expressions, gaze, constraints, spring bones, the meshes of a first person's view, the licence.
 * Plain data, checked by rig_check(); all arrays and texts are rig_storage. Vectors are in glTF's
 * axes also where the file has Unity's; joints are positions in rig->joints.
 *
 * Source: VRM 1.0 (VRMC_vrm, VRMC_springBone with its extended colliders, VRMC_node_constraint) and
 * VRM 0.x, github.com/vrm-c/vrm-specification. */
#pragma once

#include <stdbool.h>

/* The bones by VRM 1.0's names, in its order; parents before children. */
#define AVATAR_BONES(X) \
	X(hips), X(spine), X(chest), X(upperChest), X(neck), X(head), X(leftEye), X(rightEye), \
		X(jaw), X(leftUpperLeg), X(leftLowerLeg), X(leftFoot), X(leftToes), \
		X(rightUpperLeg), X(rightLowerLeg), X(rightFoot), X(rightToes), X(leftShoulder), \
		X(leftUpperArm), X(leftLowerArm), X(leftHand), X(rightShoulder), X(rightUpperArm), \
		X(rightLowerArm), X(rightHand), X(leftThumbMetacarpal), X(leftThumbProximal), \
		X(leftThumbDistal), X(leftIndexProximal), X(leftIndexIntermediate), \
		X(leftIndexDistal), X(leftMiddleProximal), X(leftMiddleIntermediate), \
		X(leftMiddleDistal), X(leftRingProximal), X(leftRingIntermediate), \
		X(leftRingDistal), X(leftLittleProximal), X(leftLittleIntermediate), \
		X(leftLittleDistal), X(rightThumbMetacarpal), X(rightThumbProximal), \
		X(rightThumbDistal), X(rightIndexProximal), X(rightIndexIntermediate), \
		X(rightIndexDistal), X(rightMiddleProximal), X(rightMiddleIntermediate), \
		X(rightMiddleDistal), X(rightRingProximal), X(rightRingIntermediate), \
		X(rightRingDistal), X(rightLittleProximal), X(rightLittleIntermediate), \
		X(rightLittleDistal)

#define AVATAR_BONE(name) AVATAR_BONE_##name
enum avatar_bone { AVATAR_BONES(AVATAR_BONE), AVATAR_BONE_COUNT };
#undef AVATAR_BONE

/* The expressions that VRM 1.0 names; others are the author's own. */
#define AVATAR_PRESETS(X) \
	X(happy), X(angry), X(sad), X(relaxed), X(surprised), X(aa), X(ih), X(ou), X(ee), X(oh), \
		X(blink), X(blinkLeft), X(blinkRight), X(lookUp), X(lookDown), X(lookLeft), \
		X(lookRight), X(neutral)

#define AVATAR_PRESET(name) AVATAR_PRESET_##name
enum avatar_preset { AVATAR_PRESETS(AVATAR_PRESET), AVATAR_PRESET_COUNT, AVATAR_CUSTOM = -1 };
#undef AVATAR_PRESET

/* Kinds of expressions that others override. */
enum avatar_kind { AVATAR_BLINKS, AVATAR_LOOKS, AVATAR_MOUTHS, AVATAR_KIND_COUNT };

enum avatar_override { AVATAR_OVERRIDE_NONE, AVATAR_OVERRIDE_BLOCK, AVATAR_OVERRIDE_BLEND };

/* At full weight the expression adds `amount` to a morph weight, which begins at 0. */
struct avatar_morph {
	int weight; // position in rig->rest_weights
	float amount;
};

enum avatar_color {
	AVATAR_COLOR_BASE, // with its alpha
	AVATAR_COLOR_EMISSION,
	AVATAR_COLOR_SHADE,
	AVATAR_COLOR_MATCAP,
	AVATAR_COLOR_RIM,
	AVATAR_COLOR_OUTLINE,
};

/* At full weight the material's colour is the target; linear. */
struct avatar_tint {
	int material;
	enum avatar_color color;
	float target[4];
};

/* At full weight the textures of the material that are looked up by texture coordinates have this
 * transform. */
struct avatar_shift {
	int material;
	float scale[2], offset[2];
};

struct avatar_expression {
	const char *name; // unique; of a preset its name in VRM 1.0
	int preset;       // enum avatar_preset
	int joint;        // of motion: its translation's x is the weight; else 0
	bool binary;      // on above 0.5, or off
	enum avatar_override overrides[AVATAR_KIND_COUNT];
	int morph_count, tint_count, shift_count;
	struct avatar_morph *morphs;
	struct avatar_tint *tints;
	struct avatar_shift *shifts;
};

/* From an angle of the gaze to a turn of the eyes in degrees, or to an expression's weight:
 * min(|angle|, input_max_deg) / input_max_deg * output. */
struct avatar_range {
	double input_max_deg, output; // input_max_deg >= 0.01
};

struct avatar_look_at {
	int joint;             // of motion: its rotation is the gaze; else 0
	bool by_expressions;   // else the eyes turn
	double head_offset[3]; // the eye point, in the axes of the head
	struct avatar_range inner, outer, down, up;
};

enum avatar_constraint_kind { AVATAR_ROTATION, AVATAR_ROLL, AVATAR_AIM };

struct avatar_constraint {
	enum avatar_constraint_kind kind;
	int joint, source; // the joint is turned by the source; they differ
	double axis[3];    // unit, of a roll or an aim, in the joint's axes
	double weight;     // [0, 1]
};

enum avatar_collider_kind { AVATAR_SPHERE, AVATAR_CAPSULE, AVATAR_PLANE };

/* A collider in the axes of a joint. */
struct avatar_collider {
	enum avatar_collider_kind kind;
	int joint;
	bool inside;      // holds tails in, not out; not of a plane
	double offset[3]; // the centre, or one end, or a point of the plane
	double tail[3];   // the other end of a capsule
	double normal[3]; // unit, of a plane
	double radius;    // of a sphere or a capsule
};

struct avatar_spring_joint {
	int joint;
	double tail[3];                                    // at rest, in the joint's axes; not 0
	double hit_radius, stiffness, gravity_power, drag; // hit_radius >= 0
	double gravity[3];                                 // direction
};

struct avatar_spring {
	const char *name; // "" = none
	int center;       // whose axes inertia is felt in; -1 = the world's
	int joint_count;
	/* Ascending, so from root to tip; of VRM 0.x a whole tree of them. No joint is in two
	 * springs. */
	struct avatar_spring_joint *joints;
	int collider_count;
	int *colliders; // positions in avatar->colliders, in the order of the file's groups
};

/* Who sees the meshes at a joint. */
enum avatar_view {
	AVATAR_VIEW_AUTO, // triangles that the head moves count as AVATAR_VIEW_THIRD, others as
			  // both
	AVATAR_VIEW_BOTH,
	AVATAR_VIEW_THIRD,
	AVATAR_VIEW_FIRST,
};

enum avatar_fact_kind { AVATAR_TEXT, AVATAR_TEXT_OF_LIST, AVATAR_NUMBER, AVATAR_TRUTH };

/* A member of the file's `meta`, under the file's own key. The texts of a list follow one another
 * as facts of one key. */
struct avatar_fact {
	const char *key, *text; // text is "" of a number and of a truth
	enum avatar_fact_kind kind;
	double number; // of a truth 1 or 0
};

struct avatar {
	/* A VRM animation (VRMA): the clips drive bones, expressions and gaze of whatever avatar
	 * plays them, and it has nothing else. */
	bool is_motion;
	bool is_0x;                   // VRM 0.x, which faces -Z; else 1.0, which faces +Z
	const char *version;          // "1.0", as the file says
	int bones[AVATAR_BONE_COUNT]; // joints; -1 = it has none
	int expression_count;
	struct avatar_expression
		*expressions; // presets in their order, then the others in the file's
	bool has_look_at;
	struct avatar_look_at look_at;
	int constraint_count;
	struct avatar_constraint *constraints; // each after those that move what it reads
	int collider_count;
	struct avatar_collider *colliders;
	int spring_count;
	struct avatar_spring *springs; // by their first joints
	unsigned char *views; // [rig->joint_count] enum avatar_view; NULL = AUTO everywhere
	int fact_count;
	struct avatar_fact *facts; // of the file's `meta`, in its order
	int thumbnail;             // position in rig->images; -1 = none
};

/* "hips", ..., [AVATAR_BONE_COUNT]; "happy", ..., [AVATAR_PRESET_COUNT]. */
extern const char *const avatar_bone_names[AVATAR_BONE_COUNT];
extern const char *const avatar_preset_names[AVATAR_PRESET_COUNT];

/* The nearest bone above one in VRM's tree of bones that the tree knows, whether or not an avatar
 * has it; -1 above the hips. */
int avatar_bone_parent(enum avatar_bone bone);

/* The kind of an expression by its preset; -1 = none. */
int avatar_preset_kind(int preset);

/* True for the bones that no avatar lacks. */
bool avatar_bone_is_required(enum avatar_bone bone);

/* Position of an expression by its name; -1 = it has none. */
int avatar_find_expression(const struct avatar *avatar, const char *name);

/* The first fact of a key; NULL = there is none. */
const struct avatar_fact *avatar_find_fact(const struct avatar *avatar, const char *key);
