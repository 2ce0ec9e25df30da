// Chains brought to their goals: one operation for each solver. Costs are measured against posing a
// joint.
#include "pose/ik/solve.h"

/* {"ccd": P, "goals": [...]}: chains brought to their goals joint by joint. */
static double ccd_cost(double nodes, double goals) {
	return 2 * nodes * goals;
}

bool operation_ccd(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, "ccd", ik_step_ccd, 32, ccd_cost, out, err);
}

/* {"fabrik": P, "goals": [...]}: chains brought to their goals by reaching back and forth. */
static double fabrik_cost(double nodes, double goals) {
	(void)goals;
	return nodes;
}

bool operation_fabrik(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, "fabrik", ik_step_fabrik, 32, fabrik_cost, out, err);
}

/* {"jacobian": P, "goals": [...]}: chains brought to their goals by damped least squares. */
static double jacobian_cost(double nodes, double goals) {
	return nodes * (1 + goals * goals / 2) + goals * goals * goals / 16;
}

bool operation_jacobian(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(
		context, value, "jacobian", ik_step_jacobian, 50, jacobian_cost, out, err);
}

/* {"jacobian_transpose": P, "goals": [...]}: chains brought to their goals down the steepest slope.
 */
static double jacobian_transpose_cost(double nodes, double goals) {
	return nodes * (1 + goals / 2);
}

bool operation_jacobian_transpose(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	return goals_evaluate(context, value, "jacobian_transpose", ik_step_jacobian_transpose, 256,
		jacobian_transpose_cost, out, err);
}
