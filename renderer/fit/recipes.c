// The differences between the methods that displace rest vertices.
#include "fit/recipes.h"

const struct displacing_recipe recipe_psd = {
	.method = "psd",
	.metric = RBF_ANGLE,
	.kernel = RBF_GAUSSIAN,
	.ridge = 1e-8,
	.min_move = 1e-6,
};

const struct displacing_recipe recipe_sbe = {
	.method = "sbe",
	.metric = RBF_ANGLE,
	.kernel = RBF_BSPLINE,
	.linear = true,
	.clamped = true,
	.least = 0,
	.greatest = 1,
	.min_move = 1e-6,
};

const struct displacing_recipe recipe_eigenskin = {
	.method = "eigenskin",
	.one_joint = true,
	.metric = RBF_ANGLE,
	.kernel = RBF_GAUSSIAN,
	.mode_max = 4,
	.mode_share = 0.99,
	.min_move = 1e-4,
};

const struct displacing_recipe recipe_sjbbe = {
	.method = "sjbbe",
	.one_joint = true,
	.supports = true,
	.metric = RBF_ARC,
	.kernel = RBF_GAUSSIAN,
	.width = 1,
	.least = -0.25,
	.greatest = 1.25,
	.min_move = 1e-6,
};
