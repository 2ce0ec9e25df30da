// {NAME: P, "goals": [...]}: chains brought to their goals, one operation for each solver. Costs
// are measured against posing a joint.
#include "pose/ik/solve.h"

static double ccd_cost(double nodes, double goals) {
	return 2 * nodes * goals;
}

static const struct member ccd_rows[] = {SOLVER_MEMBERS("ccd", 32)};

static const struct member_table ccd_members = MEMBER_TABLE(NULL, ccd_rows);

static bool evaluate_ccd(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, &ccd_members, ik_step_ccd, ccd_cost, out, err);
}

const struct operation operation_ccd = {"ccd", "chains brought to their goals joint by joint",
	evaluate_ccd, &ccd_members, .is_quick = false};

static double fabrik_cost(double nodes, double goals) {
	(void)goals;
	return nodes;
}

static const struct member fabrik_rows[] = {SOLVER_MEMBERS("fabrik", 32)};

static const struct member_table fabrik_members = MEMBER_TABLE(NULL, fabrik_rows);

static bool evaluate_fabrik(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	return goals_evaluate(
		context, value, &fabrik_members, ik_step_fabrik, fabrik_cost, out, err);
}

const struct operation operation_fabrik = {"fabrik",
	"chains brought to their goals by reaching back and forth", evaluate_fabrik,
	&fabrik_members, .is_quick = false};

static double jacobian_cost(double nodes, double goals) {
	return nodes * (1 + goals * goals / 2) + goals * goals * goals / 16;
}

static const struct member jacobian_rows[] = {SOLVER_MEMBERS("jacobian", 50)};

static const struct member_table jacobian_members = MEMBER_TABLE(NULL, jacobian_rows);

static bool evaluate_jacobian(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	return goals_evaluate(
		context, value, &jacobian_members, ik_step_jacobian, jacobian_cost, out, err);
}

const struct operation operation_jacobian = {"jacobian",
	"chains brought to their goals by damped least squares", evaluate_jacobian,
	&jacobian_members, .is_quick = false};

static double jacobian_transpose_cost(double nodes, double goals) {
	return nodes * (1 + goals / 2);
}

static const struct member jacobian_transpose_rows[] = {SOLVER_MEMBERS("jacobian_transpose", 256)};

static const struct member_table jacobian_transpose_members =
	MEMBER_TABLE(NULL, jacobian_transpose_rows);

static bool evaluate_jacobian_transpose(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	return goals_evaluate(context, value, &jacobian_transpose_members,
		ik_step_jacobian_transpose, jacobian_transpose_cost, out, err);
}

const struct operation operation_jacobian_transpose = {"jacobian_transpose",
	"chains brought to their goals down the steepest slope", evaluate_jacobian_transpose,
	&jacobian_transpose_members, .is_quick = false};
