/* EigenSkin: the principal modes of the corrections that examples ask for, joint by joint; a base
 * method skins what they moved.
 * Source: Kry, James, Pai. EigenSkin: Real Time Large Deformation Character Skinning in Hardware.
 * SCA 2002. METHODS A17. */
#include "fit/recipes.h"
#include "skin/fitted.h"
#include "skin/option.h"

extern const struct skinning_method eigenskin_method;

enum { BASE, MODES, SHARE, WIDTH };

static const struct skin_option modes = {
	.name = "modes",
	.title = "the most that a joint has, for positions and for normals each",
	.kind = SKIN_OPTION_INTEGER,
	.least = 1,
	.most = 32,
	.standard = 4,
	.derives = true,
};

static const struct skin_option share = {
	.name = "share",
	.title = "of the squared corrections that the modes are to make up, if there are enough",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0.5,
	.most = 1,
	.standard = 0.99,
	.derives = true,
};

static const struct skin_option *const options[] = {[BASE] = &skin_option_base,
	[MODES] = &modes,
	[SHARE] = &share,
	[WIDTH] = &fitted_option_width,
	NULL};

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const double *values = job->options->values;
	struct displacing_recipe recipe = recipe_eigenskin;
	recipe.mode_max = (int)values[MODES];
	recipe.mode_share = values[SHARE];
	recipe.width = values[WIDTH];
	return displacing_derive(
		job, &eigenskin_method, skin_method((size_t)values[BASE]), &recipe, err);
}

static const struct skin_recipe recipe = {.name = "eigenskin",
	.version = 1,
	.needs_examples = true,
	.uses_algebra = true,
	.derive = derive};

const struct skinning_method eigenskin_method = {
	.id = "eigenskin",
	.title = "EigenSkin: principal modes of corrections from examples, joint by joint",
	.options = options,
	.recipe = &recipe,
	.displacement =
		{
			.coefficients = displacing_coefficients,
			.coefficient_count = displacing_coefficient_count,
		},
};
