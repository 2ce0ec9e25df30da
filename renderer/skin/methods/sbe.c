/* Shape by example: example shapes in the rest pose, blended by weights that are linear in the
 * joints' rotation vectors but for what splines add, then skinned by a base method.
 * Source: Sloan, Rose, Cohen. Shape by Example. I3D 2001. METHODS A16. */
#include "fit/recipes.h"
#include "skin/fitted.h"
#include "skin/option.h"

extern const struct skinning_method sbe_method;

enum { BASE, CLAMP };

static const struct skin_option clamp = {
	.name = "clamp",
	.title = "keep each example's share within 0 and 1, also beyond its pose",
	.kind = SKIN_OPTION_BOOLEAN,
	.standard = 1,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[BASE] = &skin_option_base, [CLAMP] = &clamp, NULL};

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const double *values = job->options->values;
	struct displacing_recipe recipe = recipe_sbe;
	recipe.clamped = values[CLAMP] != 0;
	return displacing_derive(job, &sbe_method, skin_method((size_t)values[BASE]), &recipe, err);
}

static const struct skin_recipe recipe = {.name = "sbe",
	.version = 2,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method sbe_method = {
	.id = "sbe",
	.title = "shape by example: example shapes blended in the rest pose",
	.options = options,
	.recipe = &recipe,
	.displacement =
		{
			.coefficients = displacing_coefficients,
			.coefficient_count = displacing_coefficient_count,
		},
};
