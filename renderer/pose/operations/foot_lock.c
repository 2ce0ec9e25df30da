// {"foot_lock": P, "feet", "ground", ...}: feet that stand still on the ground where they touch it.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/find.h"
#include "pose/humanoid/humanoid.h"
#include "pose/ik/contacts.h"
#include "pose/ik/two_bone.h"
#include "pose/operations.h"
#include "pose/read.h"

#define FEET_MAX 8
/* Of one foot, in reach of one duration. */
#define CONTACTS_MAX 128
/* Moments that are looked at. */
#define RATE_HZ 60
/* Of motion that is looked at together: 20,000 moments. The API promises 110 s. */
#define DURATION_MAX_S (20000 / 3.0 / RATE_HZ - 1)

/* METHODS F's 5 cm and 0.6 m/s, of a human of 1.8 m: what the rig's height makes of them holds
 * where the request does not say. */
#define HEIGHT_SHARE (0.05 / 1.8)
#define SPEED_SHARE (0.6 / 1.8)

struct request {
	const struct value *pose, *feet, *ground_source, *point, *normal, *velocity;
	const struct value *duration_source, *height_source, *speed_source;
	double duration_s, height, speed, fade_s, weight;
	struct ground ground;
	int count;
	int legs[FEET_MAX][3]; // positions in rig->joints of each leg's root, middle and foot
};

struct foot {
	double sole; // height of the joint where the foot stands
	int count;
	struct contact contacts[CONTACTS_MAX];
};

/* The known motion around the present duration. */
struct locks {
	bool known;
	double duration_s;
	double segment; // which duration, counted from the expression's moment
	struct foot feet[];
};

static bool add_leg(const struct rig *rig, const struct value *source, int foot,
	const struct humanoid *humanoid, struct request *r, struct error *err) {
	int *leg = r->legs[r->count];
	leg[2] = foot;
	for (int i = 1; i >= 0; i--) {
		leg[i] = rig->joints[leg[i + 1]].parent;
		if (leg[i] < 0) {
			return value_error(source, err, ERROR_INVALID_VALUE,
				"the joint has no two joints above it that could be a leg");
		}
	}
	for (int side = 0; side < 2; side++) {
		const int *roles = humanoid->joints + side * HUMANOID_SIDE_ROLES;
		if (roles[HUMANOID_LEFT_FOOT] == foot &&
			!humanoid->apart[HUMANOID_LEFT_FOOT + side * HUMANOID_SIDE_ROLES] &&
			roles[HUMANOID_LEFT_LOWER_LEG] >= 0 &&
			roles[HUMANOID_LEFT_UPPER_LEG] >= 0) {
			leg[0] = roles[HUMANOID_LEFT_UPPER_LEG];
			leg[1] = roles[HUMANOID_LEFT_LOWER_LEG];
		}
	}
	for (int i = 0; i < r->count; i++) {
		if (r->legs[i][2] == foot) {
			return value_error(
				source, err, ERROR_INVALID_VALUE, "the foot is named twice");
		}
	}
	r->count++;
	return true;
}

static bool read_feet(const struct rig *rig, const struct value *value, struct arena *scratch,
	struct request *r, struct error *err) {
	struct humanoid humanoid;
	humanoid_find(rig, scratch, &humanoid);
	if (!r->feet) {
		const int *left = humanoid.joints;
		const int feet[2] = {
			left[HUMANOID_LEFT_FOOT], left[HUMANOID_LEFT_FOOT + HUMANOID_SIDE_ROLES]};
		if (feet[0] < 0 || feet[1] < 0 || humanoid.apart[HUMANOID_LEFT_FOOT] ||
			humanoid.apart[HUMANOID_RIGHT_FOOT]) {
			return value_error(value, err, ERROR_INVALID_VALUE,
				"the rig's feet are not known to be below its legs; give \"feet\"");
		}
		return add_leg(rig, value, feet[0], &humanoid, r, err) &&
			add_leg(rig, value, feet[1], &humanoid, r, err);
	}
	if (r->feet->kind != VALUE_LIST || r->feet->count == 0 || r->feet->count > FEET_MAX) {
		return value_error(r->feet, err, ERROR_INVALID_VALUE,
			"\"feet\" must be a list of 1 to %d joints", FEET_MAX);
	}
	for (size_t i = 0; i < r->feet->count; i++) {
		const int foot = pose_read_joint(rig, &r->feet->items[i], err);
		if (foot < 0 || !add_leg(rig, &r->feet->items[i], foot, &humanoid, r, err)) {
			return false;
		}
	}
	return true;
}

#define AT(field) offsetof(struct request, field)

static const double upwards[] = {0, 1, 0}, nowhere[] = {0, 0, 0};

static const struct member ground_rows[] = {
	{"point", MEMBER_VECTOR, .offset = AT(ground.point), .count = 3, .standards = nowhere,
		.source_offset = AT(point)},
	{"normal", MEMBER_VECTOR, .offset = AT(ground.normal), .count = 3, .standards = upwards,
		.source_offset = AT(normal)},
};

static const struct member_table ground_members = MEMBER_TABLE(NULL, ground_rows);

static bool read_ground(struct request *r, struct error *err) {
	const struct value *source = r->ground_source;
	memcpy(r->ground.normal, upwards, sizeof upwards);
	if (source && source->kind == VALUE_NUMBER) {
		r->ground.point[1] = source->number;
		return isfinite((float)source->number) ||
			value_error(source, err, ERROR_INVALID_VALUE,
				"%g is farther than float32 reaches", source->number);
	}
	return !source ||
		(value_read_table(source, &ground_members, r, err) &&
			read_point(r->point, r->ground.point, err) &&
			read_direction(r->normal, r->ground.normal, err));
}

static bool check(struct request *r, struct error *err) {
	return read_ground(r, err) && read_point(r->velocity, r->ground.velocity, err);
}

static double rest_height(const struct rig *rig, const struct pose *rest, int joint) {
	double world[12];
	ik_joint_world(rig, rest, joint, world);
	return world[7];
}

/* From where to where a rig reaches at rest, by its vertices, or joints where there are none. */
static void rest_extent(const struct rig *rig, const struct pose *rest, double extent[static 2]) {
	if (rig->bounds.min[1] < rig->bounds.max[1]) {
		extent[0] = rig->bounds.min[1];
		extent[1] = rig->bounds.max[1];
		return;
	}
	extent[0] = extent[1] = rest_height(rig, rest, 0);
	for (int i = 1; i < rig->joint_count; i++) {
		const double height = rest_height(rig, rest, i);
		extent[0] = fmin(extent[0], height);
		extent[1] = fmax(extent[1], height);
	}
}

/* Looks at the motion for three durations, the middle one that of the clock, so that contacts which
 * reach into it are whole. positions is [count][samples][3]. */
static bool look(struct pose_context *context, const struct request *r, double start_s, int samples,
	double step_s, double (*positions)[3], struct error *err) {
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	bool ok = slot != NULL;
	for (int i = 0; ok && i < samples; i++) {
		const double later_s = start_s + i * step_s - context->time.clock_s;
		ok = pose_evaluate_later(context, r->pose, later_s, &slot->pose, err);
		for (int foot = 0; ok && foot < r->count; foot++) {
			double world[12];
			ik_joint_world(context->rig, &slot->pose, r->legs[foot][2], world);
			for (int k = 0; k < 3; k++) {
				positions[foot * samples + i][k] = world[k * 4 + 3];
			}
		}
	}
	pose_pool_give(&context->spare, slot);
	return ok;
}

static bool find_contacts(struct pose_context *context, const struct request *r, double segment,
	struct arena *scratch, struct locks *locks, struct error *err) {
	const double from_s = segment * r->duration_s, start_s = from_s - r->duration_s;
	const int samples = (int)ceil(3 * r->duration_s * RATE_HZ) + 2;
	const double step_s = 3 * r->duration_s / (samples - 1);
	double(*positions)[3] =
		arena_alloc(scratch, (size_t)r->count * (size_t)samples, sizeof *positions);
	if (!look(context, r, start_s, samples, step_s, positions, err)) {
		return false;
	}
	const struct pose rest = pose_rest(context->rig, scratch);
	double extent[2];
	rest_extent(context->rig, &rest, extent);
	const double tall = extent[1] - extent[0];
	for (int i = 0; i < r->count; i++) {
		struct foot *foot = &locks->feet[i];
		const struct contact_rule rule = {
			.height = r->height_source ? r->height : HEIGHT_SHARE * tall,
			.speed = r->speed_source ? r->speed : SPEED_SHARE * tall,
			.sole = rest_height(context->rig, &rest, r->legs[i][2]) - extent[0],
		};
		foot->sole = rule.sole;
		foot->count = contacts_find((const double(*)[3])positions + i * samples, samples,
			start_s, step_s, &r->ground, &rule, from_s - r->fade_s,
			from_s + r->duration_s + r->fade_s, foot->contacts, CONTACTS_MAX);
		if (foot->count > CONTACTS_MAX) {
			return value_error(r->pose, err, ERROR_TOO_LARGE,
				"a foot touches the ground %d times; %d are allowed, a shorter "
				"\"duration\" has fewer",
				foot->count, CONTACTS_MAX);
		}
	}
	locks->known = true;
	locks->duration_s = r->duration_s;
	locks->segment = segment;
	return true;
}

static bool place_foot(struct pose_context *context, const struct request *r, int i,
	const struct foot *foot, struct arena *scratch, struct pose *out, struct error *err) {
	static const struct joint_limits none = {.read = true};
	const struct ik_chain chain = {r->legs[i][0], r->legs[i][2]};
	struct ik_tree tree;
	double offset[3];
	if (!ik_tree_make(&tree, context->rig, out, &none, &chain, 1, r->pose, scratch, err)) {
		return false;
	}
	struct two_bone limb = {
		.root = ik_tree_find(&tree, r->legs[i][0]),
		.middle = ik_tree_find(&tree, r->legs[i][1]),
		.end = ik_tree_find(&tree, r->legs[i][2]),
		.soft = 1,
		.has_rotation = true,
	};
	ik_position(&tree, limb.end, limb.target);
	contacts_offset(foot->contacts, foot->count, &r->ground, foot->sole, r->fade_s,
		context->time.clock_s, limb.target, offset);
	if (vec3_length(offset) > 0) {
		for (int k = 0; k < 3; k++) {
			limb.target[k] += offset[k];
		}
		ik_world_rotation(&tree, limb.end, limb.rotation);
		two_bone_solve(&tree, context->rig, &limb);
		ik_tree_write(&tree, r->weight, out);
	}
	return true;
}

/* The duration of the clip that the pose showed last, by the clock. */
static bool settle_duration(
	const struct pose_context *context, struct request *r, struct error *err) {
	if (r->duration_source) {
		return true;
	}
	if (context->clip < 0) {
		return value_error(r->pose, err, ERROR_INVALID_VALUE,
			"the pose has no clip of the rig; give \"duration\", the seconds of motion "
			"to "
			"look at");
	}
	const double speed = fabs(context->time.speed);
	r->duration_s = context->rig->clips[context->clip].duration_s / (speed > 0 ? speed : 1);
	if (!(r->duration_s > 1.0 / RATE_HZ)) {
		r->duration_s = 1;
	}
	return r->duration_s <= DURATION_MAX_S ||
		value_error(r->pose, err, ERROR_TOO_LARGE,
			"the clip takes %.6g s; give \"duration\", the seconds of motion to look "
			"at",
			r->duration_s);
}

static bool lock(struct pose_context *context, const struct value *value, struct request *r,
	struct arena *scratch, struct pose *out, struct error *err) {
	if (!settle_duration(context, r, err) || !read_feet(context->rig, value, scratch, r, err)) {
		return false;
	}
	struct locks *locks = pose_run_recall(
		context->run, value, sizeof *locks + (size_t)r->count * sizeof *locks->feet);
	const double segment = floor(context->time.clock_s / r->duration_s);
	const bool fits = locks->duration_s == r->duration_s && locks->segment == segment;
	if (!(locks->known && fits) && !find_contacts(context, r, segment, scratch, locks, err)) {
		return false;
	}
	for (int i = 0; r->weight > 0 && i < r->count; i++) {
		if (!place_foot(context, r, i, &locks->feet[i], scratch, out, err)) {
			return false;
		}
	}
	return true;
}

static const struct member rows[] = {
	{"foot_lock", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"feet", MEMBER_ANY, .offset = AT(feet)},
	{"ground", MEMBER_ANY, .offset = AT(ground_source), .members = &ground_members},
	{"ground_velocity", MEMBER_VECTOR, .offset = AT(ground.velocity), .count = 3,
		.standards = nowhere, .source_offset = AT(velocity)},
	{"duration", MEMBER_NUMBER, .offset = AT(duration_s), .most = DURATION_MAX_S,
		.above_min = true, .source_offset = AT(duration_source)},
	{"height", MEMBER_NUMBER, .offset = AT(height), .most = 1e9, .above_min = true,
		.source_offset = AT(height_source)},
	{"speed", MEMBER_NUMBER, .offset = AT(speed), .most = 1e9, .above_min = true,
		.source_offset = AT(speed_source)},
	{"fade", MEMBER_NUMBER, .offset = AT(fade_s), .most = 1e3, .above_min = true,
		.standard = 0.1},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = 1, .standard = 1},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_foot_lock(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request r = {0};
	if (!value_read_table(value, &members, &r, err) || !check(&r, err)) {
		return false;
	}
	const int clip_before = context->clip;
	context->clip = -1;
	const bool posed = pose_evaluate_into(context, r.pose, out, err);
	const int clip = context->clip;
	const double time_s = context->time_s;
	struct arena *scratch = arena_create();
	const bool locked = posed && lock(context, value, &r, scratch, out, err);
	arena_destroy(scratch);
	context->clip = clip < 0 ? clip_before : clip;
	context->time_s = time_s;
	return locked;
}

const struct operation operation_foot_lock = {"foot_lock",
	"feet that stand still on the ground where they touch it", evaluate_foot_lock, &members,
	.is_quick = false};
