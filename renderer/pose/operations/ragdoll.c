// {"ragdoll": P, "time": s, ...}: P let go, to fall as rigid bodies do. METHODS C.16.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pose/find.h"
#include "pose/ik/limits.h"
#include "pose/operations.h"
#include "pose/ragdoll/anatomy.h"
#include "pose/ragdoll/ragdoll.h"

/* Seconds that a rag doll is followed for: most lie still after three. */
#define TIME_MAX_S 30

struct members {
	const struct value *self, *pose, *time_source, *gravity_source, *ground, *limits, *bodies;
	double time_s, gravity[3], damping, stiffness;
};

/* Rag dolls that a run goes on with from frame to frame; where there are more, the one that has not
 * been asked for the longest is forgotten, and starts over when it is. */
#define DOLLS_MAX 16

/* The cost of finding bodies, in joints posed, as measured. */
#define FIT_JOINTS (1 << 15)

/* A rag doll of the run. */
struct kept {
	const struct value *self;
	const struct rig *rig;
	struct arena *arena; // what it lies in, and its own; NULL = none here
	struct ragdoll *doll;
	int body_count;
	bool busy;     // being asked: what is evaluated on the way may hold others
	unsigned used; // when it was asked for last, in evaluations
};

struct dolls {
	struct kept kept[DOLLS_MAX];
	unsigned evaluations;
};

struct plane {
	double point[3], normal[3];
	const struct value *source; // of the normal
};

static const struct member ground_rows[] = {
	{"point", MEMBER_VECTOR, .offset = offsetof(struct plane, point), .required = true,
		.count = 3},
	{"normal", MEMBER_VECTOR, .offset = offsetof(struct plane, normal), .required = true,
		.count = 3, .source_offset = offsetof(struct plane, source)},
};

static const struct member_table ground_members = MEMBER_TABLE(NULL, ground_rows);

#define AT(field) offsetof(struct members, field)

static const double gravity[] = {0, -9.81, 0};

static const struct member rows[] = {
	{"ragdoll", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"time", MEMBER_NUMBER, .offset = AT(time_s), .source_offset = AT(time_source)},
	{"gravity", MEMBER_VECTOR, .offset = AT(gravity), .count = 3, .standards = gravity,
		.source_offset = AT(gravity_source)},
	{"ground", MEMBER_ANY, .offset = AT(ground), .members = &ground_members},
	{"limits", MEMBER_ANY, .offset = AT(limits), .members = &limit_members},
	{"bodies", MEMBER_ANY, .offset = AT(bodies)},
	{"damping", MEMBER_NUMBER, .offset = AT(damping), .most = 100, .standard = 2},
	{"stiffness", MEMBER_NUMBER, .offset = AT(stiffness), .most = 20},
};

static const struct member_table table = MEMBER_TABLE(NULL, rows);

static bool read(const struct value *value, struct members *members, struct error *err) {
	*members = (struct members){.self = value};
	return value_read_table(value, &table, members, err);
}

static bool refuse_ground(const struct value *ground, struct error *err) {
	return value_error(ground, err, ERROR_INVALID_VALUE,
		"\"ground\" is %s, must be a height, {\"point\": [x, y, z], \"normal\": [x, y, z]} "
		"or null for none",
		value_kind_name(ground->kind));
}

static bool read_ground(
	const struct value *ground, struct ragdoll_start *start, struct error *err) {
	start->grounded = !ground || ground->kind != VALUE_NULL;
	start->ground_normal[1] = 1;
	if (!ground || ground->kind == VALUE_NULL) {
		return true;
	}
	if (ground->kind == VALUE_NUMBER) {
		start->ground_point[1] = ground->number;
		return true;
	}
	if (ground->kind != VALUE_OBJECT) {
		return refuse_ground(ground, err);
	}
	struct plane plane = {0};
	if (!value_read_table(ground, &ground_members, &plane, err)) {
		return false;
	}
	memcpy(start->ground_point, plane.point, sizeof plane.point);
	memcpy(start->ground_normal, plane.normal, sizeof plane.normal);
	return (isfinite(vec3_length(start->ground_normal)) &&
		       vec3_normalize(start->ground_normal)) ||
		value_error(plane.source, err, ERROR_INVALID_VALUE,
			"the normal has no length that can be told; it must point up from the "
			"ground");
}

/* An error of what knows no places is the whole expression's. */
static bool at_self(const struct members *members, const struct error *inner, struct error *err) {
	return value_error(members->self, err, inner->code, "%s", inner->text);
}

/* The joints that a list names. */
static bool read_bodies(
	const struct rig *rig, const struct value *list, bool *chosen, struct error *err) {
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > RAGDOLL_BODIES_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"bodies\" must be a list of 1 to %d joints", RAGDOLL_BODIES_MAX);
	}
	for (size_t i = 0; i < list->count; i++) {
		const int joint = pose_read_joint(rig, &list->items[i], err);
		if (joint < 0) {
			return false;
		}
		if (chosen[joint]) {
			return value_error(&list->items[i], err, ERROR_INVALID_VALUE,
				"the joint is in the list already");
		}
		chosen[joint] = true;
	}
	return true;
}

/* Found in the rig before the ragdoll starts, in an arena that is freed then. */
struct ragdoll_setup {
	struct arena *scratch;
	struct humanoid humanoid;
	struct ragdoll_points points;
	struct ragdoll_fit fit;
	struct joint_limit limits[RAGDOLL_BODIES_MAX];
};

static bool choose(const struct rig *rig, const struct members *members,
	const struct ragdoll_setup *setup, bool *chosen, struct error *err) {
	if (members->bodies) {
		return read_bodies(rig, members->bodies, chosen, err);
	}
	const size_t count = (size_t)rig->joint_count;
	bool *must = arena_alloc(setup->scratch, count, sizeof *must);
	bool *never = arena_alloc(setup->scratch, count, sizeof *never);
	anatomy_choose(rig, &setup->humanoid, must, never);
	ragdoll_choose(rig, &setup->points, must, never, setup->scratch, chosen);
	return true;
}

static bool fit(const struct rig *rig, const struct members *members, struct ragdoll_setup *setup,
	struct error *err) {
	struct error inner = {0};
	bool *chosen = arena_alloc(setup->scratch, (size_t)rig->joint_count, sizeof *chosen);
	humanoid_find(rig, setup->scratch, &setup->humanoid);
	if (!ragdoll_points_gather(rig, setup->scratch, &setup->points, &inner)) {
		return at_self(members, &inner, err);
	}
	if (!choose(rig, members, setup, chosen, err)) {
		return false;
	}
	if (!ragdoll_fit_bodies(rig, &setup->points, chosen, setup->scratch, &setup->fit, &inner)) {
		return at_self(members, &inner, err);
	}
	return setup->fit.count > 0 ||
		value_error(members->self, err, ERROR_MISSING_DATA,
			"no joint moves enough of the mesh to be a body; name them in \"bodies\"");
}

static bool find_limits(struct pose_context *context, const struct members *members,
	struct ragdoll_setup *setup, struct error *err) {
	const struct joint_limits *given =
		limits_read(context->run, context->rig, members->limits, err);
	if (!given) {
		return false;
	}
	for (int i = 0; i < setup->fit.count; i++) {
		const struct ragdoll_body *body = &setup->fit.bodies[i];
		const struct joint_limit *limit = limits_find(given, body->joint);
		if (limit) {
			setup->limits[i] = *limit;
		} else if (body->parent >= 0) {
			anatomy_limit(context->rig, &setup->humanoid, &setup->points, &setup->fit,
				i, &setup->limits[i]);
		}
	}
	return true;
}

/* P at the moment that it is let go at, or so much later; as it is in itself, whatever outer
 * operations do to time: those turn the knob of a recording. */
static bool evaluate(struct pose_context *context, const struct value *pose, double later_s,
	struct pose *out, struct error *err) {
	const struct pose_time time = context->time;
	context->time = (struct pose_time){.clock_s = later_s, .speed = 1};
	const bool evaluated = pose_evaluate_into(context, pose, out, err);
	context->time = time;
	return evaluated;
}

static bool let_go(struct pose_context *context, const struct members *members,
	struct ragdoll_setup *setup, const struct pose *before, const struct pose *pose,
	struct kept *kept, struct error *err) {
	struct ragdoll_start start = {
		.rig = context->rig,
		.fit = &setup->fit,
		.limits = setup->limits,
		.before = before,
		.pose = pose,
		.damping = members->damping,
		.stiffness = members->stiffness,
	};
	for (int i = 0; i < 3; i++) {
		start.gravity[i] = members->gravity[i];
	}
	if (!read_ground(members->ground, &start, err) || !fit(context->rig, members, setup, err) ||
		!find_limits(context, members, setup, err)) {
		return false;
	}
	struct error inner = {0};
	kept->body_count = setup->fit.count;
	kept->doll = ragdoll_create(&start, kept->arena, &inner);
	return kept->doll || at_self(members, &inner, err);
}

/* The pose is let go once for a run. */
static bool start(struct pose_context *context, const struct members *members,
	struct pose_slot *const slots[static 2], struct kept *kept, struct error *err) {
	if (!pose_run_spend(context->run, members->self, FIT_JOINTS, err) ||
		!evaluate(context, members->pose, -RAGDOLL_STEP_S, &slots[0]->pose, err) ||
		!evaluate(context, members->pose, 0, &slots[1]->pose, err)) {
		return false;
	}
	struct ragdoll_setup setup = {.scratch = arena_create()};
	const bool ok =
		let_go(context, members, &setup, &slots[0]->pose, &slots[1]->pose, kept, err);
	arena_destroy(setup.scratch);
	return ok;
}

static void finish(void *dolls) {
	for (int i = 0; i < DOLLS_MAX; i++) {
		arena_destroy(((struct dolls *)dolls)->kept[i].arena);
	}
}

/* The run's rag doll of this place in the expression, or an empty one. NULL with ERROR_TOO_LARGE.
 */
static struct kept *find(
	struct pose_context *context, const struct members *members, struct error *err) {
	static const struct value source; // of them all
	struct dolls *dolls = pose_run_recall(context->run, &source, sizeof *dolls);
	if (dolls->evaluations++ == 0) {
		arena_defer(context->run->arena, finish, dolls);
	}
	struct kept *oldest = NULL;
	for (int i = 0; i < DOLLS_MAX; i++) {
		struct kept *kept = &dolls->kept[i];
		if (kept->doll && kept->rig == context->rig && kept->self == members->self) {
			kept->used = dolls->evaluations;
			return kept;
		}
		if (!kept->busy && (!oldest || kept->used < oldest->used)) {
			oldest = kept;
		}
	}
	if (!oldest) {
		value_error(members->self, err, ERROR_TOO_LARGE,
			"more than %d rag dolls within one another", DOLLS_MAX);
		return NULL;
	}
	arena_destroy(oldest->arena);
	*oldest = (struct kept){.self = members->self,
		.rig = context->rig,
		.arena = arena_create(),
		.used = dolls->evaluations};
	return oldest;
}

/* The cost of a step, in joints posed, as measured: systems of equations for all bodies at once. */
static int step_cost(const struct kept *kept) {
	const int count = kept->body_count;
	return ragdoll_rests(kept->doll) ? count : count * count * count + 100 * count;
}

/* Takes steps up to one, each with the pose that the joints are driven to, if they are. */
static bool go_on(struct pose_context *context, const struct members *members, struct kept *kept,
	int step, struct pose *target, struct error *err) {
	struct ragdoll *doll = kept->doll;
	const bool driven = members->stiffness > 0;
	if (ragdoll_step_count(doll) > step) {
		ragdoll_restart(doll);
	}
	while (ragdoll_step_count(doll) < step) {
		const double at_s = (ragdoll_step_count(doll) + 1) * RAGDOLL_STEP_S;
		if (!pose_run_spend(context->run, members->self, step_cost(kept), err) ||
			(driven && !evaluate(context, members->pose, at_s, target, err))) {
			return false;
		}
		struct error inner = {0};
		if (!ragdoll_step(doll, driven ? target : NULL, &inner)) {
			kept->doll = NULL; // whoever asks again gets the same answer
			return at_self(members, &inner, err);
		}
	}
	return true;
}

static bool see(struct pose_context *context, const struct members *members, double since_s,
	struct pose_slot *const slots[static 2], struct kept *kept, struct pose *out,
	struct error *err) {
	if ((!kept->doll && !start(context, members, slots, kept, err)) ||
		!evaluate(context, members->pose, fmin(since_s, 0), out, err)) {
		return false;
	}
	if (since_s <= 0) {
		return true;
	}
	const double steps = since_s / RAGDOLL_STEP_S;
	const int step = (int)ceil(steps);
	struct error inner = {0};
	return go_on(context, members, kept, step, &slots[0]->pose, err) &&
		(ragdoll_write(kept->doll, steps - (step - 1), out, &inner) ||
			at_self(members, &inner, err));
}

static bool simulate(struct pose_context *context, const struct members *members, double since_s,
	struct pose_slot *const slots[static 2], struct pose *out, struct error *err) {
	struct kept *kept = find(context, members, err);
	if (!kept) {
		return false;
	}
	kept->busy = true;
	const bool ok = see(context, members, since_s, slots, kept, out, err);
	kept->busy = false;
	return ok;
}

static bool evaluate_ragdoll(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct members members;
	if (!read(value, &members, err)) {
		return false;
	}
	const struct pose_time *time = &context->time;
	const double since_s = time->speed * (members.time_s + time->clock_s);
	const struct value *source = members.time_source ? members.time_source : value;
	if (time->reversed) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"a rag doll has no end that its time could be counted back from; bake it "
			"into a clip");
	}
	if (!(since_s <= TIME_MAX_S)) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"%.15g s after it was let go, must be %d s or less", since_s, TIME_MAX_S);
	}
	struct pose_slot *slots[2];
	for (int i = 0; i < 2; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	const bool ok =
		slots[0] && slots[1] && simulate(context, &members, since_s, slots, out, err);
	pose_pool_give(&context->spare, slots[0]);
	pose_pool_give(&context->spare, slots[1]);
	return ok;
}

const struct operation operation_ragdoll = {"ragdoll",
	"a pose let go: its joints fall as rigid bodies", evaluate_ragdoll, &table,
	.is_quick = false};
