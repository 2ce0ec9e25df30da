// {"jacobian": P, "goals": [...]}: chains brought to their goals by damped least squares.
#include "pose/ik/solve.h"

/* Measured against posing a joint. */
static double cost(double nodes, double goals) {
	return nodes * (1 + goals * goals / 2) + goals * goals * goals / 16;
}

bool operation_jacobian(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, "jacobian", ik_step_jacobian, 50, cost, out, err);
}
