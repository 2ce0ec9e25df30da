// Fits of the methods that displace rest vertices: from examples to coefficients and targets.
#include "fit/displacing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/displacing_internal.h"
#include "fit/joints.h"

struct target *displacing_append(struct fitting *f, int count) {
	const int first = f->model->coefficient_count;
	f->model->coefficient_count += count;
	f->list = xrealloc(f->list, (size_t)f->model->coefficient_count + 1, sizeof *f->list);
	memset(f->list + first, 0, (size_t)count * sizeof *f->list);
	return f->list + first;
}

static bool set_supports(struct fitting *f, struct error *err) {
	if (!f->recipe->supports) {
		return true;
	}
	const size_t vertices = (size_t)f->input->rig->vertex_count;
	f->owners = try_calloc(vertices + 1, sizeof *f->owners, "a fit to examples", err);
	if (!f->owners) {
		return false;
	}
	int *joints = arena_alloc(f->model->arena, (size_t)f->group_count + 1, sizeof *joints);
	for (int i = 0; i < f->group_count; i++) {
		joints[i] = f->groups[i].joints[0];
	}
	joints_assign_supports(f->input->rig, joints, f->group_count, f->owners);
	return true;
}

static bool pull_group(struct fitting *f, int group, int *done, struct error *err) {
	const struct group *g = &f->groups[group];
	for (int i = 0; i < g->example_count; i++) {
		if (!displacing_pull(f, group, g->examples[i], err) ||
			!fit_step(f->input, (double)++*done / f->input->example_count, err)) {
			return false;
		}
	}
	return true;
}

static bool fit_group(struct fitting *f, int group, struct error *err) {
	const struct group *g = &f->groups[group];
	struct displacing_space *space = &f->model->spaces[f->model->space_count];
	int *used = arena_alloc(f->model->arena, (size_t)g->example_count, sizeof *used);
	const int count = displacing_place(f, g, space, used);
	if (count == 0) {
		return true;
	}
	space->first = f->model->coefficient_count;
	const bool ok = f->recipe->mode_max > 0 ? displacing_take_modes(f, space, used, count, err)
						: displacing_take(f, space, used, count, err);
	f->model->space_count += space->rbf.output_count > 0;
	return ok;
}

static bool fit_groups(struct fitting *f, struct error *err) {
	int done = 0;
	for (int g = 0; g < f->group_count; g++) {
		if (!pull_group(f, g, &done, err) || !fit_group(f, g, err)) {
			return false;
		}
	}
	fit_report_sum(f->report);
	return fit_require_used(f->input, f->report, f->recipe->method, err) &&
		targets_init(&f->model->targets, f->input->rig->vertex_count, f->list,
			f->model->coefficient_count, err);
}

static void fitting_finish(struct fitting *f) {
	for (int i = 0; i < f->model->coefficient_count; i++) {
		target_finish(&f->list[i]);
	}
	for (int i = 0; i < f->input->example_count; i++) {
		target_finish(&f->displaced[i]);
	}
	free(f->list);
	free(f->displaced);
	free(f->owners);
	base_samples_destroy(f->samples);
}

static struct displacing_model *model_create(const struct displacing_recipe *recipe) {
	struct displacing_model *model = xcalloc(1, sizeof *model);
	model->arena = arena_create();
	model->clamped = recipe->clamped;
	model->least = recipe->least;
	model->greatest = recipe->greatest;
	return model;
}

struct displacing_model *displacing_fit(const struct fit_input *input,
	const struct displacing_recipe *recipe, struct fit_report *report, struct error *err) {
	struct displacing_model *model = model_create(recipe);
	report->example_count = input->example_count;
	memset(report->examples, 0, (size_t)input->example_count * sizeof *report->examples);
	struct fitting f = {.input = input, .recipe = recipe, .report = report, .model = model};
	f.displaced = xcalloc((size_t)input->example_count + 1, sizeof *f.displaced);
	f.group_count =
		groups_find(input, recipe->one_joint, model->arena, report->examples, &f.groups);
	model->spaces = arena_alloc(model->arena, (size_t)f.group_count + 1, sizeof *model->spaces);
	f.samples = base_samples_create(input->rig, err);
	const bool ok = f.samples && set_supports(&f, err) && fit_groups(&f, err);
	fitting_finish(&f);
	if (!ok) {
		displacing_destroy(model);
		return NULL;
	}
	return model;
}

void displacing_destroy(struct displacing_model *model) {
	if (!model) {
		return;
	}
	targets_finish(&model->targets);
	arena_destroy(model->arena);
	free(model);
}

static float clamped(const struct displacing_model *model, double coefficient) {
	return (float)(model->clamped ? fmin(fmax(coefficient, model->least), model->greatest)
				      : coefficient);
}

void displacing_evaluate(const struct displacing_model *model, const struct transform *local,
	struct arena *scratch, float *coefficients) {
	for (int i = 0; i < model->space_count; i++) {
		const struct displacing_space *space = &model->spaces[i];
		const size_t features = (size_t)space->rbf.joint_count * 4;
		const int count = space->rbf.output_count;
		double *feature = arena_alloc(scratch, features + (size_t)count, sizeof *feature);
		double *outputs = feature + features;
		rbf_evaluate(&space->rbf, local, feature, outputs);
		for (int k = 0; k < count; k++) {
			coefficients[space->first + k] = clamped(model, outputs[k]);
		}
	}
}
