// {"mirror": P, "pairs": {"LeftArm": "RightArm", ...}, "axis": "x"}: P with left and right changed.
#include "pose/mirror.h"

#include <string.h>

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"

/* Kept for a place in the expression. */
struct note {
	struct mirror *mirror; // NULL = not made yet
};

static bool refuse_twice(const struct rig *rig, const struct value *source, int joint, int partner,
	struct error *err) {
	char name[160], other[160];
	utf8_quote(rig->joints[joint].name, name, sizeof name);
	utf8_quote(rig->joints[partner].name, other, sizeof other);
	return value_error(source, err, ERROR_INVALID_VALUE,
		"joint %s is in a pair with %s already", name, other);
}

static bool read_pair(
	const struct rig *rig, const struct value *member, int *partners, struct error *err) {
	const int left = pose_find_joint(rig, member, err);
	const int right = left < 0 ? -1 : pose_read_joint(rig, member, err);
	if (right < 0) {
		return false;
	}
	// Both ways of writing one pair down are one pair.
	const bool known = partners[left] == right && partners[right] == left;
	if (!known && partners[left] >= 0) {
		return refuse_twice(rig, member, left, partners[left], err);
	}
	if (!known && partners[right] >= 0) {
		return refuse_twice(rig, member, right, partners[right], err);
	}
	partners[left] = right;
	partners[right] = left;
	return true;
}

static bool read_pairs(
	const struct rig *rig, const struct value *pairs, int *partners, struct error *err) {
	for (int i = 0; i < rig->joint_count; i++) {
		partners[i] = -1;
	}
	if (pairs && pairs->kind != VALUE_OBJECT) {
		return value_error(pairs, err, ERROR_INVALID_VALUE,
			"\"pairs\" is %s, must be an object from joints to their partners",
			value_kind_name(pairs->kind));
	}
	for (size_t i = 0; pairs && i < pairs->count; i++) {
		if (!read_pair(rig, &pairs->items[i], partners, err)) {
			return false;
		}
	}
	return true;
}

static int opposite_bone(int bone) {
	static const char left[] = "left", right[] = "right";
	const char *name = avatar_bone_names[bone];
	if (strncmp(name, left, sizeof left - 1) != 0) {
		return -1;
	}
	int i = 0;
	while (strncmp(avatar_bone_names[i], right, sizeof right - 1) != 0 ||
		strcmp(avatar_bone_names[i] + sizeof right - 1, name + sizeof left - 1) != 0) {
		i++;
	}
	return i;
}

/* Pairs the bones that a VRM file names, whatever their joints are called, where neither is in a
 * pair. */
static void pair_bones(const struct rig *rig, int *partners) {
	for (int i = 0; rig->avatar && i < AVATAR_BONE_COUNT; i++) {
		const int other = opposite_bone(i);
		const int a = rig->avatar->bones[i];
		const int b = other < 0 ? -1 : rig->avatar->bones[other];
		if (a >= 0 && b >= 0 && partners[a] < 0 && partners[b] < 0) {
			partners[a] = b;
			partners[b] = a;
		}
	}
}

/* Made once per run; NULL with *err. */
static struct mirror *find_mirror(struct pose_context *context, const struct value *source,
	const struct value *pairs, int axis, struct error *err) {
	const struct rig *rig = context->rig;
	struct arena *arena = context->run->arena;
	struct note *note = pose_run_recall(context->run, source, sizeof *note);
	if (!note->mirror) {
		int *partners = arena_alloc(arena, (size_t)rig->joint_count, sizeof *partners);
		if (!read_pairs(rig, pairs, partners, err)) {
			return NULL;
		}
		pair_bones(rig, partners);
		pairs_by_name(rig, partners, arena);
		note->mirror = mirror_make(rig, partners, axis, arena);
	}
	return note->mirror;
}

struct request {
	const struct value *pose, *pairs;
	int axis;
};

static const char *const axes[] = {"x", "y", "z", NULL};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"mirror", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"pairs", MEMBER_ANY, .offset = AT(pairs)},
	{"axis", MEMBER_CHOICE, .offset = AT(axis), .choices = axes},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_mirror(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	int joint = 0;
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	struct mirror *mirror = find_mirror(context, value, request.pairs, request.axis, err);
	struct pose_slot *slot =
		mirror ? pose_pool_take(&context->spare, context->rig, context->arena, err) : NULL;
	if (!slot || !pose_evaluate_into(context, request.pose, &slot->pose, err)) {
		return false;
	}
	const bool ok = mirror_pose(mirror, &slot->pose, out, &joint);
	pose_pool_give(&context->spare, slot);
	if (!ok) {
		char name[160];
		utf8_quote(context->rig->joints[joint].name, name, sizeof name);
		return value_error(request.pose, err, ERROR_INVALID_VALUE,
			"mirrored, joint %s is farther than float32 reaches", name);
	}
	return true;
}

const struct operation operation_mirror = {"mirror", "a pose with left and right changed",
	evaluate_mirror, &members, .is_quick = true};
