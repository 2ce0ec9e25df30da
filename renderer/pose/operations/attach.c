/* {"attach": P, "rig": name, "to": Q, "joint": J, "translation", "rotation", "scale" |
 * "transform"}: P as a whole where a joint of another rig is in its pose Q. */
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/placement_members.h"
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"

struct request {
	const char *rig_name;
	const struct value *pose, *rig, *to, *joint;
	struct placement_members placement;
	double offset[12]; // rows: from where P is by itself to the joint's axes
};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"attach", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"rig", MEMBER_STRING, .offset = AT(rig_name), .required = true, .source_offset = AT(rig)},
	{"to", MEMBER_ANY, .offset = AT(to)},
	{"joint", MEMBER_ANY, .offset = AT(joint), .required = true},
	PLACEMENT_MEMBERS(AT(placement)),
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read_request(const struct value *value, struct request *request, struct error *err) {
	return value_read_table(value, &members, request, err) &&
		placement_read(&request->placement, request->offset, err);
}

/* The matrix of the other rig's joint, rows. */
static bool find_way(struct pose_context *context, const struct request *request,
	const struct rig *theirs, double way[static 12], struct error *err) {
	const int joint = pose_read_joint(theirs, request->joint, err);
	struct pose_context *other = pose_context_other(context, theirs);
	struct pose_slot *slot =
		joint >= 0 ? pose_pool_take(&other->spare, theirs, other->arena, err) : NULL;
	const bool ok = slot && pose_evaluate_into(other, request->to, &slot->pose, err);
	if (ok) {
		pose_joint_world(theirs, &slot->pose, joint, way);
		mat_multiply(way, request->offset, way);
	}
	pose_pool_give(&other->spare, slot);
	return ok;
}

/* Shear that is dropped: what roundings of files leave where there is to be none. */
#define SHEAR_MAX 1e-5

/* Axes thinner than this share of the thickest are flat. */
#define FLAT 1e-12

/* True when a stretch is along the axes. */
static bool is_straight(const double stretch[static 9]) {
	double thickest = 0;
	for (int i = 0; i < 3; i++) {
		thickest = fmax(thickest, fabs(stretch[i * 4]));
	}
	bool straight = true;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < i; k++) {
			const double thinner = fmin(fabs(stretch[i * 4]), fabs(stretch[k * 4]));
			straight = straight &&
				fabs(stretch[i * 3 + k]) <= SHEAR_MAX * thinner + FLAT * thickest;
		}
	}
	return straight;
}

enum placed { PLACED, PLACED_SHEARED, PLACED_TOO_FAR };

/* way * local, as far as a translation, a rotation and a scale can say it. */
static enum placed place_root(const double way[static 12], struct transform *local) {
	double m[12], rotation[4], stretch[9];
	mat_from_transform(local->translation, local->rotation, local->scale, m);
	mat_multiply(way, m, m);
	for (int i = 0; i < 12; i++) {
		if (!isfinite((float)m[i])) {
			return PLACED_TOO_FAR;
		}
	}
	mat_polar(m, rotation, stretch);
	if (!is_straight(stretch)) {
		return PLACED_SHEARED;
	}
	for (int i = 0; i < 4; i++) {
		local->rotation[i] = (float)rotation[i];
	}
	for (int i = 0; i < 3; i++) {
		local->translation[i] = (float)m[i * 4 + 3];
		local->scale[i] = (float)stretch[i * 4];
	}
	return PLACED;
}

static bool refuse(
	const struct request *request, enum placed placed, const char *root, struct error *err) {
	char name[160];
	utf8_quote(root, name, sizeof name);
	if (placed == PLACED_SHEARED) {
		return value_error(request->joint, err, ERROR_INVALID_VALUE,
			"the joint, with the placement, stretches joint %s unevenly across its "
			"axes, which no translation, rotation and scale can say; \"attach\" of an "
			"instance in a crowd can",
			name);
	}
	return value_error(request->joint, err, ERROR_INVALID_VALUE,
		"the joint, with the placement, takes joint %s farther than float32 reaches", name);
}

/* Places a whole pose: its roots, and with them all that hangs on them. Numbers stay to the bit
 * where there is no way to go. */
static bool place(const struct pose_context *context, const struct request *request,
	const double way[static 12], struct pose *out, struct error *err) {
	const struct rig *rig = context->rig;
	const bool stays = memcmp(way, (const double[12])MAT_IDENTITY, 12 * sizeof *way) == 0;
	for (int i = 0; i < rig->joint_count; i++) {
		if (rig->joints[i].parent >= 0) {
			continue;
		}
		const enum placed placed = stays ? PLACED : place_root(way, &out->local[i]);
		if (placed != PLACED) {
			return refuse(request, placed, rig->joints[i].name, err);
		}
		out->driven[i] |= DRIVEN_TRANSFORM;
	}
	return true;
}

static bool evaluate_attach(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!read_request(value, &request, err)) {
		return false;
	}
	const struct rig *theirs = pose_sources_find(context->run->sources, request.rig, err);
	double way[12];
	return theirs && pose_evaluate_into(context, request.pose, out, err) &&
		find_way(context, &request, theirs, way, err) &&
		place(context, &request, way, out, err);
}

const struct operation operation_attach = {"attach", "a pose that goes with a joint of another rig",
	evaluate_attach, &members, .is_quick = false};
