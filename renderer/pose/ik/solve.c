// Functions that the solvers for chains share.
#include "pose/ik/solve.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "pose/find.h"
#include "pose/read.h"

/* Steps without getting nearer after which nothing more is expected. */
#define PATIENCE 12

#define DEGREE (3.14159265358979323846 / 180)

static void mark_goals(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		const uint64_t bit = (uint64_t)1 << g;
		double from[3], to[3];
		bool turns = false;
		tree->nodes[goal->end].turns = tree->nodes[goal->end].turns || goal->has_rotation;
		for (int i = goal->end; i >= 0; i = tree->nodes[i].parent) {
			struct ik_node *node = &tree->nodes[i];
			node->below |= bit;
			if (turns) {
				node->goals |= bit;
				node->turns = true;
				ik_position(tree, i, from);
				vec3_sub(from, to, to);
				problem->reach[g] += vec3_length(to);
			}
			ik_position(tree, i, to);
			turns = (turns || i == goal->end) && i != goal->root;
		}
	}
}

static double miss(const struct ik_problem *problem, int g) {
	double at[3];
	ik_position(problem->tree, problem->goals[g].end, at);
	vec3_sub(at, problem->goals[g].target, at);
	return vec3_length(at);
}

/* The sum of distances times weights; 0 when all are within the tolerance. */
static double missing(const struct ik_problem *problem, double tolerance) {
	double sum = 0;
	bool there = true;
	for (int g = 0; g < problem->count; g++) {
		const double distance = miss(problem, g);
		const double within = tolerance > 0 ? tolerance : 1e-3 * problem->reach[g];
		there = there && distance <= within;
		sum += problem->goals[g].weight * distance;
	}
	return there ? 0 : sum;
}

static void keep_limits(struct ik_tree *tree) {
	for (int i = 0; i < tree->count; i++) {
		struct ik_node *node = &tree->nodes[i];
		if (node->turns && node->limit) {
			limit_apply(node->limit, node->rotation);
		}
	}
	ik_tree_update(tree, 0);
}

/* The next node on the way to the goal's end. */
static int step_down(const struct ik_tree *tree, int node, uint64_t bit) {
	int child = tree->nodes[node].first_child;
	while ((tree->nodes[child].below & bit) == 0) {
		child = tree->nodes[child].sibling;
	}
	return child;
}

static void stretch(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	const struct ik_goal *goal = &problem->goals[0];
	double at[3];
	ik_position(tree, goal->root, at);
	vec3_sub(goal->target, at, at);
	if (problem->count > 1 || !(vec3_length(at) > problem->reach[0])) {
		return;
	}
	for (int i = goal->root; i != goal->end; i = step_down(tree, i, 1)) {
		ik_position(tree, step_down(tree, i, 1), at);
		ik_aim(tree, i, at, goal->target);
		ik_tree_update(tree, i);
	}
}

/* True when every node of a chain lies on the line from its root to its target, and the target is
 * within reach. */
static bool is_stuck(const struct ik_problem *problem, int g, double line[static 3]) {
	const struct ik_tree *tree = problem->tree;
	const struct ik_goal *goal = &problem->goals[g];
	double root[3], v[3], across[3];
	ik_position(tree, goal->root, root);
	vec3_sub(goal->target, root, line);
	if (!(vec3_length(line) < problem->reach[g])) {
		return false;
	}
	if (!vec3_normalize(line)) { // the target is the root: along the chain then
		ik_position(tree, goal->end, line);
		vec3_sub(line, root, line);
		if (!vec3_normalize(line)) {
			return false;
		}
	}
	for (int i = goal->end; i != goal->root; i = tree->nodes[i].parent) {
		ik_position(tree, i, v);
		vec3_sub(v, root, v);
		vec3_cross(v, line, across);
		if (vec3_length(across) > 1e-4 * problem->reach[g]) {
			return false;
		}
	}
	return true;
}

/* A degree about an axis of the world, or of the node's hinge; the other way round where the limit
 * does not let it. */
static void bend(struct ik_tree *tree, int i, const double axis[static 3]) {
	struct ik_node *node = &tree->nodes[i];
	double inverse[12], vector[3], turned[4], moved[3];
	if (node->limit && node->limit->kind == LIMIT_HINGE) {
		quat_rotate(node->limit->rest, node->limit->axis, vector);
	} else if (mat_invert(ik_parent_world(tree, i), inverse)) {
		mat_map_direction(inverse, axis, vector);
	} else {
		return;
	}
	if (!vec3_normalize(vector)) {
		return;
	}
	vec3_scale(vector, DEGREE, vector);
	ik_turn_by(node, vector, DEGREE, turned);
	quat_to_vector(turned, moved);
	if (vec3_length(moved) < 0.5 * DEGREE) {
		vec3_scale(vector, -1, vector);
		ik_turn_by(node, vector, DEGREE, turned);
	}
}

static void bend_straight(struct ik_problem *problem) {
	struct ik_tree *tree = problem->tree;
	for (int g = 0; g < problem->count; g++) {
		double line[3], axis[3], x[3] = {0};
		if (!is_stuck(problem, g, line)) {
			continue;
		}
		x[fabs(line[0]) < 0.7 ? 0 : 2] = 1;
		vec3_cross(line, x, axis);
		vec3_cross(axis, line, x); // mostly x, which is what knees turn about
		vec3_normalize(x);
		for (int i = tree->nodes[problem->goals[g].end].parent;;
			i = tree->nodes[i].parent) {
			bend(tree, i, x);
			if (i == problem->goals[g].root) {
				break;
			}
		}
	}
	ik_tree_update(tree, 0);
}

static void save(const struct ik_tree *tree, double (*best)[4]) {
	for (int i = 0; i < tree->count; i++) {
		memcpy(best[i], tree->nodes[i].rotation, sizeof *best);
	}
}

static void restore(struct ik_tree *tree, const double (*best)[4]) {
	for (int i = 0; i < tree->count; i++) {
		memcpy(tree->nodes[i].rotation, best[i], sizeof *best);
	}
	ik_tree_update(tree, 0);
}

static void turn_ends(struct ik_problem *problem) {
	for (int g = 0; g < problem->count; g++) {
		const struct ik_goal *goal = &problem->goals[g];
		if (goal->has_rotation) {
			ik_set_world_rotation(problem->tree, goal->end, goal->rotation);
			ik_tree_update(problem->tree, goal->end);
		}
	}
}

void ik_solve(struct ik_problem *problem, ik_step *step, int iterations, double tolerance) {
	struct ik_tree *tree = problem->tree;
	const size_t count = (size_t)tree->count;
	double(*best)[4] = arena_alloc(problem->arena, count, sizeof *best);
	problem->reach = arena_alloc(problem->arena, (size_t)problem->count, sizeof(double));
	mark_goals(problem);
	keep_limits(tree);
	save(tree, best);
	double least = missing(problem, tolerance);
	if (least > 0) {
		stretch(problem);
		bend_straight(problem);
	}
	for (int i = 0, idle = 0; least > 0 && i <= iterations && idle < PATIENCE; i++) {
		if (i > 0) {
			step(problem);
		}
		const double now = missing(problem, tolerance);
		idle = now < least * (1 - 1e-9) ? 0 : idle + 1;
		if (now < least) {
			least = now;
			save(tree, best);
		}
	}
	restore(tree, (const double(*)[4])best);
	turn_ends(problem);
}

struct request {
	struct goals_request said;
	struct ik_chain *chains; // [count]
	struct ik_goal *solved;  // [count], root and end not yet in the tree
	int count;               // of those with a weight
};

/* One goal. */
struct goal {
	const struct value *end, *root, *target_source, *rotation_source;
	double target[3], rotation[4], weight;
};

#define AT(field) offsetof(struct goal, field)

static const struct member goal_rows[] = {
	{"end", MEMBER_ANY, .offset = AT(end), .required = true},
	{"root", MEMBER_ANY, .offset = AT(root), .required = true},
	{"target", MEMBER_VECTOR, .offset = AT(target), .required = true, .count = 3,
		.source_offset = AT(target_source)},
	{"rotation", MEMBER_VECTOR, .offset = AT(rotation), .count = 4,
		.source_offset = AT(rotation_source)},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = 1, .standard = 1},
};

const struct member_table goal_members = MEMBER_TABLE(NULL, goal_rows);

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
	struct goal said = {0};
	if (!value_read_table(item, &goal_members, &said, err) ||
		!read_chain(rig, said.end, said.root, &r->chains[r->count], err) ||
		!read_point(said.target_source, said.target, err) ||
		!read_rotation(said.rotation_source, said.rotation, err)) {
		return false;
	}
	struct ik_goal *goal = &r->solved[r->count];
	*goal = (struct ik_goal){
		.weight = said.weight, .has_rotation = said.rotation_source != NULL};
	memcpy(goal->target, said.target, sizeof goal->target);
	memcpy(goal->rotation, said.rotation, sizeof goal->rotation);
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
				return value_error(r->said.goals, err, ERROR_INVALID_VALUE,
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
	const struct value *list = r->said.goals;
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

static bool spend(
	struct pose_context *context, const struct request *r, double joints, struct error *err) {
	if (!(joints < POSE_RUN_JOINTS)) {
		return value_error(r->said.goals, err, ERROR_TOO_LARGE,
			"%d iterations for %d goals take more than a request may; ask for fewer of "
			"either",
			r->said.iterations, r->count);
	}
	return pose_run_spend(context->run, r->said.goals, (int)joints + 1, err);
}

static bool solve(struct pose_context *context, struct request *r, ik_step *step,
	double (*cost)(double nodes, double goals), struct arena *scratch, struct pose *out,
	struct error *err) {
	const struct joint_limits *limits =
		limits_read(context->run, context->rig, r->said.limits, err);
	if (!limits || !read_goals(context->rig, r, scratch, err) ||
		!pose_evaluate_into(context, r->said.pose, out, err)) {
		return false;
	}
	struct ik_tree tree;
	if (r->count == 0) {
		return true;
	}
	if (!ik_tree_make(&tree, context->rig, out, limits, r->chains, r->count, r->said.pose,
		    scratch, err)) {
		return false;
	}
	if (!spend(context, r, r->said.iterations * cost(tree.count, r->count), err)) {
		return false;
	}
	for (int i = 0; i < r->count; i++) {
		r->solved[i].root = ik_tree_find(&tree, r->chains[i].root);
		r->solved[i].end = ik_tree_find(&tree, r->chains[i].end);
	}
	struct ik_problem problem = {
		.tree = &tree, .goals = r->solved, .count = r->count, .arena = scratch};
	ik_solve(&problem, step, r->said.iterations, r->said.tolerance);
	ik_tree_write(&tree, r->said.weight, out);
	return true;
}

bool goals_evaluate(struct pose_context *context, const struct value *value,
	const struct member_table *members, ik_step *step,
	double (*cost)(double nodes, double goals), struct pose *out, struct error *err) {
	struct request r = {0};
	if (!value_read_table(value, members, &r.said, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	const bool solved = solve(context, &r, step, cost, scratch, out, err);
	arena_destroy(scratch);
	return solved;
}

void ik_columns(const struct ik_problem *problem, int node, double *column) {
	const struct ik_node *at = &problem->tree->nodes[node];
	const double *parent = ik_parent_world(problem->tree, node);
	double inverse[12];
	const bool turns = mat_invert(parent, inverse);
	memset(column, 0, (size_t)problem->count * 9 * sizeof *column);
	for (int g = 0; g < problem->count && turns; g++) {
		double end[3];
		if ((at->goals >> g & 1) == 0) {
			continue;
		}
		ik_position(problem->tree, problem->goals[g].end, end);
		mat_map_point(inverse, end, end);
		vec3_sub(end, at->translation, end);
		for (int k = 0; k < 3; k++) {
			double axis[3] = {0}, moved[3];
			axis[k] = 1;
			vec3_cross(axis, end, moved);
			mat_map_direction(parent, moved, moved);
			for (int row = 0; row < 3; row++) {
				column[(g * 3 + row) * 3 + k] =
					sqrt(problem->goals[g].weight) * moved[row];
			}
		}
	}
}

void ik_error(const struct ik_problem *problem, int goal, double error[static 3]) {
	const struct ik_goal *of = &problem->goals[goal];
	ik_position(problem->tree, of->end, error);
	vec3_sub(of->target, error, error);
	vec3_scale(error, sqrt(of->weight), error);
}
