/* Spherical joint blending by example: corrections from examples that turn one joint each, on the
 * joint's support, by how far its bone has turned from theirs; then sjb. A bone's twist about
 * itself counts for nothing: sjb does that well by itself.
 * Source: Houska. Skinning of Skeletal Animation, 2005, 5.3. METHODS A8. */
#include "fit/recipes.h"
#include "skin/fitted.h"

extern const struct skinning_method sjb_method, sjbbe_method;

enum { KERNEL, WIDTH, CLAMP };

static const char *const kernels[] = {[RBF_ARC] = "arc", [RBF_CHORD] = "chord", NULL};

static const struct skin_option kernel = {
	.name = "kernel",
	.title =
		"the distance of two directions of a bone: along the sphere, or straight, which is "
		"always solvable",
	.kind = SKIN_OPTION_CHOICE,
	.choices = kernels,
	.standard = RBF_ARC,
	.derives = true,
};

static const struct skin_option width = {
	.name = "width",
	.title = "of the Gaussians over that distance; 0: the mean distance of examples to their "
		 "nearest",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 100,
	.standard = 1,
	.derives = true,
};

static const struct skin_option clamp = {
	.name = "clamp",
	.title = "keep each example's share within -0.25 and 1.25",
	.kind = SKIN_OPTION_BOOLEAN,
	.standard = 0,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[KERNEL] = &kernel, [WIDTH] = &width, [CLAMP] = &clamp, NULL};

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const double *values = job->options->values;
	struct displacing_recipe recipe = recipe_sjbbe;
	recipe.metric = (enum rbf_metric)values[KERNEL];
	recipe.width = values[WIDTH];
	recipe.clamped = values[CLAMP] != 0;
	return displacing_derive(job, &sjbbe_method, &sjb_method, &recipe, err);
}

static const struct skin_recipe recipe = {.name = "sjbbe",
	.version = 1,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method sjbbe_method = {
	.id = "sjbbe",
	.title = "spherical joint blending by example: sjb with corrections from examples",
	.options = options,
	.base = &sjb_method,
	.recipe = &recipe,
	.displacement =
		{
			.coefficients = displacing_coefficients,
			.coefficient_count = displacing_coefficient_count,
		},
};
