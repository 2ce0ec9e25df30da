/* Pose space deformation: rest vertices moved by offsets whose coefficients are interpolated over
 * the rotations of all joints that the examples turn, then skinned by a base method.
 * Source: Lewis, Cordner, Fong. Pose Space Deformation. SIGGRAPH 2000. METHODS A15. */
#include "fit/recipes.h"
#include "skin/fitted.h"
#include "skin/option.h"

extern const struct skinning_method psd_method;

enum { BASE, WIDTH, RIDGE };

static const struct skin_option ridge = {
	.name = "ridge",
	.title = "how much smoothness counts against meeting the examples, for each of them",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 1,
	.standard = 1e-8,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[BASE] = &skin_option_base, [WIDTH] = &fitted_option_width, [RIDGE] = &ridge, NULL};

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const double *values = job->options->values;
	struct displacing_recipe recipe = recipe_psd;
	recipe.width = values[WIDTH];
	recipe.ridge = values[RIDGE];
	return displacing_derive(job, &psd_method, skin_method((size_t)values[BASE]), &recipe, err);
}

static const struct skin_recipe recipe = {.name = "psd",
	.version = 1,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method psd_method = {
	.id = "psd",
	.title = "pose space deformation: corrections from examples, interpolated between poses",
	.options = options,
	.recipe = &recipe,
	.displacement =
		{
			.coefficients = displacing_coefficients,
			.coefficient_count = displacing_coefficient_count,
		},
};
