/* The steps of displacing_fit. */
#pragma once

#include <stddef.h>

#include "fit/base.h"
#include "fit/displacing.h"
#include "fit/each_vertex.h"

/* A fit under way. */
struct fitting {
	const struct fit_input *input;
	const struct displacing_recipe *recipe;
	struct fit_report *report;
	struct displacing_model *model;
	struct base_samples *samples;
	int group_count;
	struct group *groups;     // in the model's arena
	int *owners;              // [vertex_count] the group that may move a vertex; NULL = all
	struct target *displaced; // [example_count] by each example
	struct target *list;      // [model->coefficient_count] for the model's targets
	int list_room;
};

/* Finds the rest vertices' displacements in an example of a group. An example that the base method
 * flattens gets its verdict, and no target. */
bool displacing_pull(struct fitting *f, int group, int example, struct error *err);

/* Makes the interpolation for a group's examples that are still used, with centres but without
 * weights. Examples whose poses are too close get their verdict. Returns how many are left; with
 * none, space is not to be used. used is [group's example_count]. */
int displacing_place(
	struct fitting *f, const struct group *group, struct displacing_space *space, int *used);

/* Adds the used examples' displacements to the list as they are, and solves for coefficients that
 * are 1 at one of them and 0 at the others. */
bool displacing_take(struct fitting *f, struct displacing_space *space, const int *used, int count,
	struct error *err);

/* Adds the principal modes of their displacements to the list, and solves for coefficients that
 * make up each example at its pose. */
bool displacing_take_modes(struct fitting *f, struct displacing_space *space, const int *used,
	int count, struct error *err);

/* The next targets of the list, zeroed: the model has count coefficients more. */
struct target *displacing_append(struct fitting *f, int count);

/* The number of doubles that displacing_pack writes. */
size_t displacing_pack_count(const struct displacing_model *model);

/* Writes all but the targets. */
void displacing_pack(const struct displacing_model *model, double *out);

/* The coefficients that the numbers stand for. */
int displacing_packed_coefficients(const double *packed);

/* A model without targets, whose arrays are in the numbers or in the arena: for
 * displacing_evaluate while both are there, and not to be destroyed. The numbers are trusted. */
struct displacing_model displacing_unpack(const double *packed, struct arena *arena);
