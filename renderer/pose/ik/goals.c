// What operations that bring ends of chains to goals have in common.
#include "pose/ik/goals.h"

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/read.h"

#define ITERATIONS_MAX 256

struct request {
	const struct value *pose, *goals, *limits, *weight_place, *tolerance_place;
	int iterations;
	double tolerance, weight;
	struct ik_chain *chains; // [count]
	struct ik_goal *solved;  // [count], root and end not yet in the tree
	int count;               // of those with a weight
};

static bool read_chain(const struct rig *rig, const struct value *end, const struct value *root,
	struct ik_chain *chain, struct error *err) {
	chain->end = pose_read_joint(rig, end, err);
	chain->root = chain->end < 0 ? -1 : pose_read_joint(rig, root, err);
	if (chain->root < 0) {
		return false;
	}
	if (chain->root == chain->end || !rig_is_below(rig, chain->end, chain->root)) {
		char name[160];
		utf8_quote(rig->joints[chain->end].name, name, sizeof name);
		return value_error(root, err, ERROR_INVALID_VALUE,
			"the chain's root must be above its end, %s", name);
	}
	return true;
}

static bool read_goal(
	const struct rig *rig, const struct value *item, struct request *r, struct error *err) {
	const struct value *end = NULL, *root = NULL, *target = NULL, *rotation = NULL;
	const struct value *weight_place = NULL;
	struct ik_goal *goal = &r->solved[r->count];
	*goal = (struct ik_goal){.weight = 1};
	const struct member members[] = {
		{"end", MEMBER_ANY, &end, .required = true},
		{"root", MEMBER_ANY, &root, .required = true},
		{"target", MEMBER_VECTOR, goal->target, .required = true, .count = 3,
			.place = &target},
		{"rotation", MEMBER_VECTOR, goal->rotation, .count = 4, .place = &rotation},
		{"weight", MEMBER_NUMBER, &goal->weight, .place = &weight_place},
	};
	if (!value_read_members(item, members, sizeof members / sizeof *members, err) ||
		!read_chain(rig, end, root, &r->chains[r->count], err) ||
		!read_point(target, goal->target, err) ||
		!read_rotation(rotation, goal->rotation, err) ||
		!read_share(weight_place, goal->weight, err)) {
		return false;
	}
	goal->has_rotation = rotation != NULL;
	r->count += goal->weight > 0;
	return true;
}

/* Two goals for one end contradict each other, and an end that is given a rotation would take
 * another goal's end along. */
static bool check_ends(const struct rig *rig, const struct request *r, struct error *err) {
	for (int i = 0; i < r->count; i++) {
		for (int k = 0; k < r->count; k++) {
			if (i == k || !rig_is_below(rig, r->chains[k].end, r->chains[i].end)) {
				continue;
			}
			if (r->chains[i].end == r->chains[k].end || r->solved[i].has_rotation) {
				char name[160];
				utf8_quote(rig->joints[r->chains[i].end].name, name, sizeof name);
				return value_error(r->goals, err, ERROR_INVALID_VALUE,
					"joint %s is the end of %s", name,
					r->solved[i].has_rotation &&
							r->chains[i].end != r->chains[k].end
						? "one goal with a rotation and above that of "
						  "another"
						: "two goals");
			}
		}
	}
	return true;
}

static bool read_goals(
	const struct rig *rig, struct request *r, struct arena *scratch, struct error *err) {
	const struct value *list = r->goals;
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > IK_GOALS_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"goals\" must be a list of 1 to %d {\"end\", \"root\", \"target\"}",
			IK_GOALS_MAX);
	}
	r->chains = arena_alloc(scratch, list->count, sizeof *r->chains);
	r->solved = arena_alloc(scratch, list->count, sizeof *r->solved);
	for (size_t i = 0; i < list->count; i++) {
		if (!read_goal(rig, &list->items[i], r, err)) {
			return false;
		}
	}
	return check_ends(rig, r, err);
}

static bool check(const struct request *r, struct error *err) {
	if (r->tolerance_place && !(r->tolerance > 0)) {
		return value_error(r->tolerance_place, err, ERROR_INVALID_VALUE,
			"\"tolerance\" is %.15g, must be above 0", r->tolerance);
	}
	return read_share(r->weight_place, r->weight, err);
}

static bool spend(
	struct pose_context *context, const struct request *r, double joints, struct error *err) {
	if (!(joints < POSE_RUN_JOINTS)) {
		return value_error(r->goals, err, ERROR_TOO_LARGE,
			"%d iterations for %d goals take more than a request may; ask for fewer of "
			"either",
			r->iterations, r->count);
	}
	return pose_run_spend(context->run, r->goals, (int)joints + 1, err);
}

static bool solve(struct pose_context *context, struct request *r, ik_step *step,
	double (*cost)(double nodes, double goals), struct arena *scratch, struct pose *out,
	struct error *err) {
	const struct joint_limits *limits = limits_read(context->run, context->rig, r->limits, err);
	if (!limits || !read_goals(context->rig, r, scratch, err) ||
		!pose_evaluate_into(context, r->pose, out, err)) {
		return false;
	}
	struct ik_tree tree;
	if (r->count == 0) {
		return true;
	}
	if (!ik_tree_make(
		    &tree, context->rig, out, limits, r->chains, r->count, r->pose, scratch, err)) {
		return false;
	}
	if (!spend(context, r, r->iterations * cost(tree.count, r->count), err)) {
		return false;
	}
	for (int i = 0; i < r->count; i++) {
		r->solved[i].root = ik_tree_find(&tree, r->chains[i].root);
		r->solved[i].end = ik_tree_find(&tree, r->chains[i].end);
	}
	struct ik_problem problem = {
		.tree = &tree, .goals = r->solved, .count = r->count, .arena = scratch};
	ik_solve(&problem, step, r->iterations, r->tolerance);
	ik_tree_write(&tree, r->weight, out);
	return true;
}

bool goals_evaluate(struct pose_context *context, const struct value *value, const char *name,
	ik_step *step, int iterations, double (*cost)(double nodes, double goals), struct pose *out,
	struct error *err) {
	struct request r = {.weight = 1, .iterations = iterations};
	const struct member members[] = {
		{name, MEMBER_ANY, &r.pose, .required = true},
		{"goals", MEMBER_ANY, &r.goals, .required = true},
		{"limits", MEMBER_ANY, &r.limits, .required = false},
		{"iterations", MEMBER_INTEGER, &r.iterations, .least = 1, .most = ITERATIONS_MAX},
		{"tolerance", MEMBER_NUMBER, &r.tolerance, .place = &r.tolerance_place},
		{"weight", MEMBER_NUMBER, &r.weight, .place = &r.weight_place},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err) ||
		!check(&r, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	const bool solved = solve(context, &r, step, cost, scratch, out, err);
	arena_destroy(scratch);
	return solved;
}
