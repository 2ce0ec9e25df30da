// {"fabrik": P, "goals": [...]}: chains brought to their goals by reaching back and forth.
#include "pose/ik/solve.h"

/* Measured against posing a joint. */
static double cost(double nodes, double goals) {
	(void)goals;
	return nodes;
}

bool operation_fabrik(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	return goals_evaluate(context, value, "fabrik", ik_step_fabrik, 32, cost, out, err);
}
