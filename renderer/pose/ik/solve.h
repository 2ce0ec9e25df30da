/* Chains of any number of joints brought to targets, step by step: what the solvers have in common.
 * METHODS C.15. */
#pragma once

#include <math.h>

#include "pose/ik/tree.h"
#include "pose/operations.h"

/* One bit of a node's goals each. */
#define IK_GOALS_MAX 64

struct ik_goal {
	int root, end;    // positions in the tree: from root on joints turn to bring end there
	double target[3]; // world
	double weight;    // > 0, against the other goals where they share joints
	bool has_rotation;
	double rotation[4]; // unit, world: the end's afterwards
};

struct ik_problem {
	struct ik_tree *tree;
	const struct ik_goal *goals; // [count]
	int count;                   // [1, IK_GOALS_MAX]
	double *reach;               // [count] world distances from joint to joint, summed
	struct arena *arena;         // for solvers
	void *scratch;               // the solver's own; NULL before its first step
};

/* One step of a solver: turns nodes that have goals, and updates the tree. */
typedef void ik_step(struct ik_problem *problem);

/* From end to root, each joint turns by the least angle that brings the end on its line to the
 * target, by 30 degrees at most; joints with several goals by the mean of those turns.
 * Source: Wang, Chen. A combined optimization method for solving the inverse kinematics problem of
 * mechanical manipulators. IEEE Trans. Robotics and Automation 7 (1991). */
ik_step ik_step_ccd;

/* Positions are pulled to the targets from the ends to the roots, and back, with bones of the same
 * length; where bones meet, to the mean. Then joints turn to where their children are. Lengths,
 * limits and what hangs together rigidly are as they were again before the next step.
 * Source: Aristidou, Lasenby. FABRIK: A fast, iterative solver for the inverse kinematics problem.
 * Graphical Models 73 (2011). */
ik_step ik_step_fabrik;

/* Damped least squares over all goals and joints: turns = J^T (J J^T + l^2)^-1 e. Of a goal farther
 * away than a fifth of its reach only as much is asked for at a time, and l is a twentieth of the
 * reach, less where little is left.
 * Source: Buss, Kim. Selectively damped least squares for inverse kinematics. Journal of Graphics
 * Tools 10 (2005); the damping by what is left: Sugihara, IEEE Trans. Robotics 27 (2011). */
ik_step ik_step_jacobian;

/* The Jacobian's transpose: turns = a J^T e, with the a that brings the ends nearest to their
 * targets if turns were small, less where a node would turn by more than 30 degrees. No equations
 * to solve, and many more steps.
 * Source: Wolovich, Elliott. A computational technique for inverse kinematics. IEEE Conf. Decision
 * and Control (1984); a: Buss, Introduction to inverse kinematics (2004), section 4. */
ik_step ik_step_jacobian_transpose;

/* Steps until every end is within the tolerance of its target, at most so many times, and leaves
 * the tree as it was when the ends were nearest by the sum of distances times weights. Then ends
 * get their rotations, as far as their limits go. Marks the nodes that turn. Limits hold after
 * every turn, and from the beginning.
 *
 * A single target out of reach has its chain stretched towards it first. A chain that is straight,
 * with its target within reach on the same line, is bent by a degree first: that is where all
 * solvers stand still. tolerance is in world units; 0 or less = a thousandth of a goal's reach. */
void ik_solve(struct ik_problem *problem, ik_step *step, int iterations, double tolerance);

/* The members of a solver's operation. */
struct goals_request {
	const struct value *pose, *goals, *limits;
	int iterations;
	double tolerance, weight;
};

/* The members of a goal. */
extern const struct member_table goal_members;

#define OF_GOALS(field) offsetof(struct goals_request, field)

/* The rows of a solver's operation. steps: its iterations when the request does not say. */
#define SOLVER_MEMBERS(name, steps) \
	{name, MEMBER_ANY, .offset = OF_GOALS(pose), .required = true}, \
		{"goals", MEMBER_ANY, .offset = OF_GOALS(goals), .required = true, \
			.members = &goal_members}, \
		{"limits", MEMBER_ANY, .offset = OF_GOALS(limits), .members = &limit_members}, \
		{"iterations", MEMBER_INTEGER, .offset = OF_GOALS(iterations), .least = 1, \
			.most = 256, .standard = steps}, \
		{"tolerance", MEMBER_NUMBER, .offset = OF_GOALS(tolerance), .most = INFINITY, \
			.above_min = true}, \
	{ \
		"weight", MEMBER_NUMBER, .offset = OF_GOALS(weight), .most = 1, .standard = 1 \
	}

/* Evaluates {NAME: P, "goals": [{"end", "root", "target", "rotation", "weight"}, ...], "limits",
 * "iterations", "tolerance", "weight"}.
 *
 * members  the operation's SOLVER_MEMBERS
 * step     of its solver
 * cost     of one step for so many nodes and goals, as joints posed */
bool goals_evaluate(struct pose_context *context, const struct value *value,
	const struct member_table *members, ik_step *step,
	double (*cost)(double nodes, double goals), struct pose *out, struct error *err);

/* The columns of one node: where the ends go when it turns about the three axes of its parent.
 *
 * column  [goals][3][3], rows first; zero for goals that the node does not turn for */
void ik_columns(const struct ik_problem *problem, int node, double *column);

/* From a goal's end to its target, by the root of its weight. */
void ik_error(const struct ik_problem *problem, int goal, double error[static 3]);
