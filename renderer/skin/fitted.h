/* Shared by the methods that are fitted to examples: the examples' poses, the base method run in
 * them, and the fit's report. */
#pragma once

#include "fit/displacing.h"
#include "skin/plan.h"

/* A fit's surroundings. */
struct fitting_room {
	const struct derive_job *job;
	const struct skinning_method *method; // whose data is made
	struct arena *arena;
	struct skin_plan base;         // plans of the method that the kernel is of
	struct skin_palette *palettes; // [example_count] of the base
	struct fit_example rest, *examples;
	struct fit_input input; // all of the above, for the fit
	struct fit_report report;
};

/* Evaluates the examples' poses. base is the method that skins what the fitted one displaces; NULL
 * where the fitted method has a kernel of its own. close takes a room that did not open, too. */
bool fitting_room_open(struct fitting_room *room, const struct derive_job *job,
	const struct skinning_method *method, const struct skinning_method *base,
	struct error *err);
void fitting_room_close(struct fitting_room *room);

/* Skins the examples' poses with the fitted data as requests will be, and writes into it how far
 * that is from the examples, and the flags. */
bool fitting_room_measure(struct fitting_room *room, struct skin_data *data, struct error *err);

/* The width of Gaussians over angles between poses; 0 = from the examples. */
extern const struct skin_option fitted_option_width;

/* The pull of a fit of weights towards linear blending: a share of the mean square of its
 * equations' columns. */
extern const struct skin_option fitted_option_ridge;

/* Fills the data that a method with a kernel of its own was laid out for. */
typedef bool (*fitted_fill)(struct fitting_room *room, struct skin_data *data, struct error *err);

/* Data with sections of these lengths, filled and measured. */
struct skin_data *fitted_derive(const struct derive_job *job, const struct skinning_method *method,
	const size_t *lengths, int section_count, fitted_fill fill, struct error *err);

/* The stage of the methods that displace rest vertices (see fit/displacing.h): makes their data,
 * and evaluates it. base: as above. */
struct skin_data *displacing_derive(const struct derive_job *job,
	const struct skinning_method *method, const struct skinning_method *base,
	const struct displacing_recipe *recipe, struct error *err);
void displacing_coefficients(const struct prepare_job *job, float *coefficients);
int displacing_coefficient_count(const struct skin_data *data);
