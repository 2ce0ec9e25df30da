// {"ccd": P, "goals": [...]}: chains brought to their goals joint by joint.
#include "pose/ik/solve.h"

/* Measured against posing a joint. */
static double cost(double nodes, double goals) {
	return 2 * nodes * goals;
}

bool operation_ccd(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, "ccd", ik_step_ccd, 32, cost, out, err);
}
