// {"jacobian_transpose": P, "goals": [...]}: chains brought to their goals down the steepest slope.
#include "pose/ik/solve.h"

/* Measured against posing a joint. */
static double cost(double nodes, double goals) {
	return nodes * (1 + goals / 2);
}

bool operation_jacobian_transpose(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	return goals_evaluate(context, value, "jacobian_transpose", ik_step_jacobian_transpose, 256,
		cost, out, err);
}
