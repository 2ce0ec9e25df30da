// Methods fitted to examples: what is around the fits.
#include "skin/fitted.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/displacing_internal.h"
#include "fit/example.h"
#include "fit/sculpt_normals.h"
#include "model/examples.h"
#include "skin/displacement.h"

const struct skin_option fitted_option_width = {
	.name = "width",
	.title = "of the Gaussians over the angle between poses, in radians; 0: the mean "
		 "distance of examples to their nearest",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 100,
	.standard = 0,
	.derives = true,
};

const struct skin_option fitted_option_ridge = {
	.name = "ridge",
	.title = "how much staying near linear blending counts against meeting the examples",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 1e6,
	.standard = 1e-4,
	.derives = true,
};

/* Gives a pose's rest vertices its morph targets. */
static void morph(struct fitting_room *room, const float *weights, struct fit_example *out) {
	const struct rig *rig = room->job->rig;
	if (morph_is_active(rig, weights)) {
		const size_t floats = (size_t)rig->vertex_count * 3;
		float *streams = arena_alloc(room->arena, floats * 2, sizeof *streams);
		morph_apply(rig, weights, streams, streams + floats, NULL);
		out->rest_positions = streams;
		out->rest_normals = streams + floats;
	}
}

static bool evaluate(struct fitting_room *room, const struct example *example,
	struct fit_example *out, struct error *err) {
	const float *weights;
	if (!fit_pose_example(room->job->rig, example, room->arena, out, &weights, err)) {
		return false;
	}
	morph(room, weights, out);
	return true;
}

static bool evaluate_all(struct fitting_room *room, struct error *err) {
	const struct examples *examples = room->job->examples;
	const size_t count = (size_t)examples->count;
	room->examples = arena_alloc(room->arena, count, sizeof *room->examples);
	for (int i = 0; i < examples->count; i++) {
		if (!evaluate(room, &examples->items[i], &room->examples[i], err)) {
			return false;
		}
	}
	room->report.example_count = examples->count;
	room->report.examples = arena_alloc(room->arena, count, sizeof *room->report.examples);
	return evaluate(room, NULL, &room->rest, err);
}

static bool prepare(const struct fitting_room *room, const struct skin_plan *plan, int example,
	struct skin_palette *palette, struct error *err) {
	const struct fit_example *e = &room->examples[example];
	const struct prepare_job job = {
		.rig = plan->rig,
		.matrices = e->matrices,
		.world = e->world,
		.local = e->local,
		.arena = room->arena,
	};
	return skin_plan_prepare(plan, &job, palette, err);
}

/* Plans the base method and its palettes in all the examples' poses. */
static bool plan_base(
	struct fitting_room *room, const struct skinning_method *base, struct error *err) {
	const struct value id = {.kind = VALUE_STRING, .string = (char *)base->id};
	const struct skinning_settings settings = {.method = &id};
	const struct skin_plan_params params = {
		.subject = {.rig = room->job->rig, .skinning = settings, .stop = room->job->stop},
		.clip = -1,
	};
	if (!skin_plan_make(room->job->library, &params, &room->base, err)) {
		return false;
	}
	if (room->base.rig != room->job->rig) {
		return error_set(err, ERROR_INVALID_VALUE,
			"%s makes a rig of its own, on which no examples fit", base->id);
	}
	const size_t count = (size_t)room->job->examples->count;
	room->palettes = arena_alloc(room->arena, count, sizeof *room->palettes);
	for (int i = 0; i < room->job->examples->count; i++) {
		if (!prepare(room, &room->base, i, &room->palettes[i], err)) {
			return false;
		}
	}
	return true;
}

static void run(const struct skin_plan *plan, const struct skin_palette *palette,
	const float *positions, const float *normals, float *spare, float *out_positions,
	float *out_normals) {
	const struct skin_job job = {
		.positions = positions,
		.normals = normals,
		.out_positions = out_positions,
		.out_normals = out_normals,
	};
	skin_plan_run(plan, palette, &job, spare, false);
}

static bool run_base(void *context, int example, const float *positions, const float *normals,
	float *out_positions, float *out_normals, struct error *err) {
	const struct fitting_room *room = context;
	run(&room->base, &room->palettes[example], positions, normals, NULL, out_positions,
		out_normals);
	return stop_check(room->job->stop, err);
}

static bool lacks_normals(const struct fitting_room *room) {
	for (int i = 0; i < room->job->examples->count; i++) {
		if (!room->examples[i].normals) {
			return true;
		}
	}
	return false;
}

/* Gives normals to the examples that have none: the base method's, turned with the faces. */
static bool complete_normals(struct fitting_room *room, struct error *err) {
	if (!lacks_normals(room)) {
		return true;
	}
	const size_t floats = (size_t)room->job->rig->vertex_count * 3;
	float *base = arena_alloc(room->arena, floats, sizeof *base);
	struct sculpt_faces faces;
	const bool ok = sculpt_faces_init(&faces, room->job->rig, err);
	for (int i = 0; ok && i < room->job->examples->count; i++) {
		struct fit_example *e = &room->examples[i];
		if (!e->normals) {
			float *normals = arena_alloc(room->arena, floats, sizeof *normals);
			run(&room->base, &room->palettes[i], e->rest_positions, e->rest_normals,
				NULL, base, normals);
			sculpt_turn_normals(&faces, base, e->positions, normals);
			e->normals = normals;
		}
	}
	sculpt_faces_finish(&faces);
	return ok;
}

bool fitting_room_open(struct fitting_room *room, const struct derive_job *job,
	const struct skinning_method *method, const struct skinning_method *base,
	struct error *err) {
	*room = (struct fitting_room){.job = job, .method = method, .arena = arena_create()};
	if (!evaluate_all(room, err) ||
		(base && !(plan_base(room, base, err) && complete_normals(room, err)))) {
		return false;
	}
	room->input = (struct fit_input){
		.rig = job->rig,
		.example_count = job->examples->count,
		.examples = room->examples,
		.rest = &room->rest,
		.skin = base ? run_base : NULL,
		.context = room,
		.stop = job->stop,
		.progress = &job->progress->share,
	};
	return true;
}

void fitting_room_close(struct fitting_room *room) {
	skin_plan_finish(&room->base);
	arena_destroy(room->arena);
}

/* --- What came of it --- */

/* The plan that requests for the fitted method will have. Its data is borrowed. */
static struct skin_plan fitted_plan(const struct fitting_room *room, const struct skin_data *data) {
	const struct skin_part requested = {room->method, *room->job->options, data};
	return (struct skin_plan){
		.rig = room->job->rig,
		.requested = requested,
		.base = room->base.base.method ? room->base.base : requested,
		.clip = -1,
	};
}

/* Above it, small changes of an example are large ones of its displacements (METHODS A15). */
#define WARN_CONDITION 1e4

static void tell(const struct fitting_room *room, struct skin_data *data) {
	data->residual_max = room->report.residual_max;
	data->residual_rms = room->report.residual_rms;
	for (int i = 0; i < room->report.example_count; i++) {
		switch (room->report.examples[i].verdict) {
		case FIT_USED:
			break;
		case FIT_SINGULAR:
			data->flags |= SKIN_FLAG_PSD_SINGULAR;
			break;
		case FIT_MOVES_NOTHING:
		case FIT_MOVES_SEVERAL:
		case FIT_NO_BONE:
		case FIT_TOO_CLOSE:
			data->flags |= SKIN_FLAG_EXAMPLE_UNUSED;
			break;
		}
		if (room->report.examples[i].condition > WARN_CONDITION) {
			data->flags |= SKIN_FLAG_PSD_CONDITION;
		}
		if (room->report.examples[i].outside_count > 0) {
			data->flags |= SKIN_FLAG_OUTSIDE_SUPPORT;
		}
	}
}

bool fitting_room_measure(struct fitting_room *room, struct skin_data *data, struct error *err) {
	const struct skin_plan plan = fitted_plan(room, data);
	const size_t floats = (size_t)room->job->rig->vertex_count * 3;
	float *out = try_calloc(floats + 1, 4 * sizeof *out, "a fit to examples", err);
	bool ok = out;
	for (int i = 0; ok && i < room->report.example_count; i++) {
		const struct fit_example *e = &room->examples[i];
		struct skin_palette palette;
		ok = prepare(room, &plan, i, &palette, err);
		if (ok) {
			run(&plan, &palette, e->rest_positions, e->rest_normals, out + 2 * floats,
				out, out + floats);
			fit_compare(&room->input, i, out, &room->report.examples[i]);
			ok = stop_check(room->job->stop, err);
		}
	}
	free(out);
	fit_report_sum(&room->report);
	tell(room, data);
	return ok;
}

struct skin_data *fitted_derive(const struct derive_job *job, const struct skinning_method *method,
	const size_t *lengths, int section_count, fitted_fill fill, struct error *err) {
	struct fitting_room room;
	struct skin_data *data = NULL;
	if (fitting_room_open(&room, job, method, NULL, err)) {
		data = skin_data_create(lengths, section_count, err);
	}
	if (data && (!fill(&room, data, err) || !fitting_room_measure(&room, data, err))) {
		skin_data_release(data);
		data = NULL;
	}
	fitting_room_close(&room);
	return data;
}

/* --- Displacements --- */

/* The section with the interpolation, behind those of the displacement stage. */
#define SECTION_SPACES DISPLACEMENT_SECTIONS

static struct skin_data *lay_out(const struct displacing_model *model, struct error *err) {
	const struct targets *targets = &model->targets;
	const size_t vertices = (size_t)targets->vertex_count;
	const size_t entries = targets->starts[vertices];
	const size_t lengths[] = {[DISPLACEMENT_STARTS] = vertices + 1,
		[DISPLACEMENT_COEFFICIENTS] = entries,
		[DISPLACEMENT_OFFSETS] = entries * 6,
		[SECTION_SPACES] = displacing_pack_count(model) * 2};
	struct skin_data *data = skin_data_create(lengths, sizeof lengths / sizeof *lengths, err);
	if (!data) {
		return NULL;
	}
	memcpy(skin_data_words(data, DISPLACEMENT_STARTS), targets->starts,
		(vertices + 1) * sizeof *targets->starts);
	memcpy(skin_data_words(data, DISPLACEMENT_COEFFICIENTS), targets->coefficients,
		entries * sizeof *targets->coefficients);
	memcpy(skin_data_floats(data, DISPLACEMENT_OFFSETS), targets->offsets,
		entries * 6 * sizeof *targets->offsets);
	displacing_pack(model, (double *)(void *)skin_data_words(data, SECTION_SPACES));
	return data;
}

struct skin_data *displacing_derive(const struct derive_job *job,
	const struct skinning_method *method, const struct skinning_method *base,
	const struct displacing_recipe *recipe, struct error *err) {
	struct fitting_room room;
	struct skin_data *data = NULL;
	struct displacing_model *model = NULL;
	if (fitting_room_open(&room, job, method, base, err)) {
		model = displacing_fit(&room.input, recipe, &room.report, err);
		data = model ? lay_out(model, err) : NULL;
	}
	if (data && !fitting_room_measure(&room, data, err)) {
		skin_data_release(data);
		data = NULL;
	}
	displacing_destroy(model);
	fitting_room_close(&room);
	return data;
}

static const double *spaces_of(const struct skin_data *data) {
	return (const double *)(const void *)skin_data_read_words(data, SECTION_SPACES);
}

void displacing_coefficients(const struct prepare_job *job, float *coefficients) {
	const struct displacing_model model = displacing_unpack(spaces_of(job->data), job->arena);
	displacing_evaluate(&model, job->local, job->arena, coefficients);
}

int displacing_coefficient_count(const struct skin_data *data) {
	return displacing_packed_coefficients(spaces_of(data));
}
