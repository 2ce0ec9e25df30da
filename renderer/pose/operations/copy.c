/* {"copy": P, "rig": name, "unmatched": way}: a pose of another rig with the same joints, taken as
 * it is. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "pose/pose.h"

enum unmatched { UNMATCHED_REFUSE, UNMATCHED_IGNORE };

static const char *const unmatched_names[] = {
	[UNMATCHED_REFUSE] = "refuse",
	[UNMATCHED_IGNORE] = "ignore",
	NULL,
};

struct request {
	const struct value *pose;
	const char *rig;
	const struct value *rig_source;
	int unmatched;
};

/* A joint of theirs. */
struct partner {
	int ours;      // of the same name; -1 = none
	bool is_bone;  // skins list it, or a joint below it
	bool is_apart; // ours hangs on another joint
};

/* Found once for all poses of a run. */
struct plan {
	struct partner *partners; // [theirs->joint_count]; NULL = not made yet
};

struct name {
	const char *text;
	int joint;
};

static int compare_names(const void *a, const void *b) {
	const struct name *x = a, *y = b;
	return strcmp(x->text, y->text);
}

/* The joints of a rig by name, sorted. */
static struct name *sort_names(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	struct name *names = arena_alloc(arena, count + 1, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		names[i] = (struct name){rig->joints[i].name, (int)i};
	}
	qsort(names, count, sizeof *names, compare_names);
	return names;
}

static bool *mark_skinned(const struct rig *rig, struct arena *arena) {
	bool *skinned = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *skinned);
	skeleton_mark_skinned(rig, skinned);
	return skinned;
}

/* The joint that one of a skeleton hangs on; -1 where it is a root of the skeleton. */
static int joint_above(const struct rig *rig, const bool *skinned, int joint) {
	const int parent = rig->joints[joint].parent;
	return parent >= 0 && skinned[parent] ? parent : -1;
}

static struct partner *make_partners(
	const struct rig *ours, const struct rig *theirs, struct arena *arena) {
	const size_t count = (size_t)theirs->joint_count;
	struct partner *partners = arena_alloc(arena, count + 1, sizeof *partners);
	struct arena *scratch = arena_create();
	const struct name *names = sort_names(ours, scratch);
	const bool *our_bones = mark_skinned(ours, scratch);
	const bool *bones = mark_skinned(theirs, scratch);
	for (size_t i = 0; i < count; i++) {
		const struct name wanted = {.text = theirs->joints[i].name};
		const struct name *found = bsearch(
			&wanted, names, (size_t)ours->joint_count, sizeof wanted, compare_names);
		partners[i] = (struct partner){.ours = found ? found->joint : -1};
	}
	for (size_t i = count; i-- > 0;) {
		const int above = joint_above(theirs, bones, (int)i), ours_at = partners[i].ours;
		const int parent = theirs->joints[i].parent;
		partners[i].is_bone |= bones[i];
		if (partners[i].is_bone && parent >= 0) {
			partners[parent].is_bone = true;
		}
		const int wanted = above < 0 ? -1 : partners[above].ours;
		partners[i].is_apart = ours_at >= 0 &&
			((above >= 0 && wanted < 0) ||
				joint_above(ours, our_bones, ours_at) != wanted);
	}
	arena_destroy(scratch);
	return partners;
}

static bool refuse_missing(const struct pose_context *context, const struct request *request,
	const char *joint, struct error *err) {
	char name[160], rig[160];
	utf8_quote(joint, name, sizeof name);
	utf8_quote(request->rig, rig, sizeof rig);
	struct error why = {0};
	error_set(&why, ERROR_UNKNOWN_JOINT,
		"the pose drives joint %s of rig %s, which this rig does not have; with "
		"\"unmatched\": \"ignore\" such joints are left out",
		name, rig);
	pose_suggest_joints(context->rig, joint, &why);
	return value_pass(request->pose, err, &why);
}

static const char *name_above(const struct rig *rig, int joint, char *out, size_t size) {
	const int parent = rig->joints[joint].parent;
	if (parent < 0) {
		return "no joint";
	}
	utf8_quote(rig->joints[parent].name, out, size);
	return out;
}

static bool refuse_apart(const struct pose_context *context, const struct request *request,
	const struct rig *theirs, int joint, struct error *err) {
	char name[160], above[160], there[160];
	const int ours = rig_find_joint(context->rig, theirs->joints[joint].name);
	utf8_quote(theirs->joints[joint].name, name, sizeof name);
	return value_error(request->pose, err, ERROR_INVALID_VALUE,
		"the pose drives joint %s, which hangs on %s in this rig and on %s in the other; "
		"\"retarget\" takes poses of rigs whose joints differ",
		name, name_above(context->rig, ours, above, sizeof above),
		name_above(theirs, joint, there, sizeof there));
}

/* The channels that are driven. */
static void copy_joint(const struct rig *ours, int joint, const struct pose *from,
	const struct rig *theirs, int namesake, struct pose *out) {
	for (int path = 0; path <= CHANNEL_WEIGHTS; path++) {
		int width, there;
		float *to = pose_channel(ours, out, joint, (enum channel_path)path, &width);
		const float *numbers =
			pose_channel(theirs, from, namesake, (enum channel_path)path, &there);
		if ((from->driven[namesake] & 1 << path) && width == there) {
			memcpy(to, numbers, (size_t)width * sizeof *to);
			out->driven[joint] |= (unsigned char)(1 << path);
		}
	}
}

static bool copy(const struct pose_context *context, const struct request *request,
	const struct plan *plan, const struct rig *theirs, const struct pose *from,
	struct pose *out, struct error *err) {
	pose_set_rest(context->rig, 0, out);
	for (int i = 0; i < theirs->joint_count; i++) {
		const struct partner *partner = &plan->partners[i];
		const bool fits = partner->ours >= 0 && !partner->is_apart;
		if (from->driven[i] && fits) {
			copy_joint(context->rig, partner->ours, from, theirs, i, out);
		} else if (from->driven[i] && partner->is_bone &&
			request->unmatched == UNMATCHED_REFUSE) {
			return partner->ours < 0
				? refuse_missing(context, request, theirs->joints[i].name, err)
				: refuse_apart(context, request, theirs, i, err);
		}
	}
	if (from->root.carried && plan->partners[from->root.joint].ours >= 0) {
		out->root = from->root;
		out->root.joint = plan->partners[from->root.joint].ours;
	}
	return true;
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"copy", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"rig", MEMBER_STRING, .offset = AT(rig), .required = true,
		.source_offset = AT(rig_source)},
	{"unmatched", MEMBER_CHOICE, .offset = AT(unmatched), .choices = unmatched_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_copy(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct rig *theirs =
		pose_sources_find(context->run->sources, request.rig_source, err);
	if (!theirs) {
		return false;
	}
	struct plan *plan = pose_run_recall(context->run, value, sizeof *plan);
	if (!plan->partners) {
		plan->partners = make_partners(context->rig, theirs, context->run->arena);
	}
	struct pose_context *other = pose_context_other(context, theirs);
	struct pose_slot *slot = pose_pool_take(&other->spare, theirs, other->arena, err);
	const bool ok = slot && pose_evaluate_into(other, request.pose, &slot->pose, err) &&
		copy(context, &request, plan, theirs, &slot->pose, out, err);
	pose_pool_give(&other->spare, slot);
	return ok;
}

const struct operation operation_copy = {"copy",
	"a pose of another rig with the same joints, as it is", evaluate_copy, &members,
	.is_quick = false};
