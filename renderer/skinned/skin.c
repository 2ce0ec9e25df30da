// Prepared poses skinned, on the CPU or the GPU.
#include "skinned/skin.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "draw/skin_steps.h"
#include "skin/displacement.h"
#include "skin/method.h"
#include "state/context.h"
#include "state/state.h"

const float *skin_morphed(const struct prepared *prepared, struct scratch *scratch) {
	const struct rig *rig = prepared->rig;
	if (!morph_is_active(rig, prepared->weights)) {
		return NULL;
	}
	const size_t count = (size_t)rig->vertex_count;
	float *streams = scratch_get(scratch, gpu_rig_stream_floats(rig));
	morph_apply(rig, prepared->weights, streams, streams + count * 3,
		rig->tangents ? streams + count * 6 : NULL);
	return streams;
}

void skin_on_cpu(
	const struct prepared *prepared, const struct skin_room *room, const struct streams *out) {
	const struct rig *rig = prepared->rig;
	const size_t count = (size_t)rig->vertex_count;
	const float *streams = skin_morphed(prepared, room->morphed);
	const struct skin_job job = {
		.positions = streams ? streams : rig->positions,
		.normals = streams ? streams + count * 3 : rig->normals,
		.tangents = !out->tangents ? NULL
			: streams          ? streams + count * 6
					   : rig->tangents,
		.out_positions = out->positions,
		.out_normals = out->normals,
		.out_tangents = out->tangents,
	};
	float *spare = skin_plan_displaces(&prepared->plan)
		? scratch_get(room->displaced, count * 6)
		: NULL;
	skin_plan_run(&prepared->plan, &prepared->palette, &job, spare, false);
}

/* True when shaders know an option as a constant. */
static bool is_constant(const struct skin_option *option) {
	return option->kind == SKIN_OPTION_CHOICE || option->kind == SKIN_OPTION_BOOLEAN;
}

void skin_constants(const struct skin_option *const *list, const struct skin_options *options,
	enum normals normals, bool stretched, char out[static GPU_SKIN_CONSTANTS_BYTES]) {
	const size_t size = GPU_SKIN_CONSTANTS_BYTES;
	bool listed = list != NULL;
	size_t used = (size_t)snprintf(out, size,
		"const uint normals_by = %uu;\nconst bool stretched = %s;\n", (unsigned)normals,
		stretched ? "true" : "false");
	for (int i = 0; i < SKIN_OPTIONS_MAX; i++) {
		listed = listed && list[i];
		const bool constant = listed && is_constant(list[i]);
		used += (size_t)snprintf(out + used, size - used, "const int option%d = %d;\n", i,
			constant ? (int)options->values[i] : 0);
	}
}

/* Fills what the shader knows of the options: all as numbers, and the constants. */
static void tell_options(const struct skin_option *const *list, const struct skin_options *options,
	enum normals normals, bool stretched, struct gpu_skin_step *step) {
	for (int i = 0; i < SKIN_OPTIONS_MAX; i++) {
		step->parameters[i] = (float)options->values[i];
	}
	skin_constants(list, options, normals, stretched, step->constants);
}

/* Several poses to skin at once, all of one plan. */
struct prepared_copies {
	const struct prepared *items; // [count]
	int count;
	struct scratch *joined; // [3] for palettes, coefficients and numbers
};

/* Their palettes as gpu_skin.h wants them: all entries, then the extra floats of all. */
static const float *join_palettes(const struct prepared_copies *copies, size_t entries) {
	const size_t extra = copies->items->palette.count - entries;
	if (copies->count == 1) {
		return copies->items->palette.floats;
	}
	const size_t count = (size_t)copies->count;
	float *joined = scratch_get(&copies->joined[0], count * (entries + extra));
	for (size_t i = 0; i < count; i++) {
		const float *floats = copies->items[i].palette.floats;
		memcpy(joined + i * entries, floats, entries * sizeof *joined);
		memcpy(joined + count * entries + i * extra, floats + entries,
			extra * sizeof *joined);
	}
	return joined;
}

/* Their coefficients, each copy's padded to a multiple of 4. */
static const float *join_coefficients(const struct prepared_copies *copies, size_t padded) {
	if (copies->count == 1) {
		return copies->items->palette.coefficients;
	}
	float *joined = scratch_get(&copies->joined[1], (size_t)copies->count * padded);
	for (size_t i = 0; i < (size_t)copies->count; i++) {
		memcpy(joined + i * padded, copies->items[i].palette.coefficients,
			padded * sizeof *joined);
	}
	return joined;
}

static bool any_is_stretched(const struct prepared_copies *copies) {
	for (int i = 0; i < copies->count; i++) {
		if (skin_plan_is_stretched(&copies->items[i].plan, &copies->items[i].palette)) {
			return true;
		}
	}
	return false;
}

static struct gpu_skin_step kernel_step(const struct prepared_copies *copies) {
	const struct skin_plan *plan = &copies->items->plan;
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	const size_t entries = (size_t)kernel->entry_floats * (size_t)plan->rig->slot_count;
	struct gpu_skin_step step = {
		.shader = skin_plan_shader(plan),
		.per_primitive = true,
		.from_displaced = skin_plan_displaces(plan),
		.palette = join_palettes(copies, entries),
		.entry_floats = kernel->entry_floats,
		.extra_floats = copies->items->palette.count - entries,
		.data = plan->base.data,
		.normals_data = plan->normals == NORMALS_EXACT ? plan->normals_data : NULL,
	};
	if (kernel->batches) {
		step.batches = kernel->batches(plan->base.data, &step.batch_count);
	}
	tell_options(plan->base.method->options, &plan->base.options,
		plan->normals == NORMALS_RECOMPUTE ? NORMALS_OWN : plan->normals,
		any_is_stretched(copies), &step);
	return step;
}

static struct gpu_skin_step displacement_step(const struct prepared_copies *copies) {
	const struct skin_plan *plan = &copies->items->plan;
	const size_t padded = ((size_t)copies->items->palette.coefficient_count + 3) / 4 * 4;
	struct gpu_skin_step step = {
		.shader = "displace.comp",
		.to_displaced = true,
		.palette = join_coefficients(copies, padded),
		.extra_floats = padded,
		.data = plan->requested.data,
	};
	tell_options(NULL, &plan->requested.options, NORMALS_OWN, false, &step);
	return step;
}

/* Per-pose data of a finish stage. */
static const float *join_numbers(const struct prepared_copies *copies) {
	const size_t own = copies->items->palette.number_count;
	if (copies->count == 1) {
		return copies->items->palette.numbers;
	}
	float *joined = scratch_get(&copies->joined[2], (size_t)copies->count * own);
	for (size_t i = 0; i < (size_t)copies->count; i++) {
		memcpy(joined + i * own, copies->items[i].palette.numbers, own * sizeof *joined);
	}
	return joined;
}

/* Adds the passes of a stage, each as often as its option says. copies are NULL where the stage has
 * nothing of its own for each pose. */
static size_t add_passes(const struct skin_finish_stage *stage,
	const struct skin_option *const *list, const struct skin_part *part,
	const struct prepared_copies *copies, struct gpu_skin_step *steps, size_t count) {
	const bool numbers = copies && copies->items->palette.number_count > 0;
	const float *joined = numbers ? join_numbers(copies) : NULL;
	for (int i = 0; i < SKIN_PASSES_MAX && stage->passes[i].shader; i++) {
		const struct skin_pass *pass = &stage->passes[i];
		const int times = pass->option < 0 ? 1 : (int)part->options.values[pass->option];
		for (int k = 0; k < times; k++) {
			assert(count <
				SKIN_STEPS_MAX); // options are held against their greatest values
			steps[count] = (struct gpu_skin_step){
				.shader = pass->shader,
				.data = part->data,
				.palette = joined,
				.extra_floats = numbers ? copies->items->palette.number_count : 0,
				.pass = k,
			};
			tell_options(list, &part->options, NORMALS_OWN, false, &steps[count++]);
		}
	}
	return count;
}

static size_t make_steps(const struct prepared_copies *copies, struct gpu_skin_step *steps) {
	const struct skin_plan *plan = &copies->items->plan;
	const struct normals_mode *mode = normals_mode(plan->normals);
	size_t count = 0;
	if (skin_plan_displaces(plan)) {
		steps[count++] = displacement_step(copies);
	}
	steps[count++] = kernel_step(copies);
	count = add_passes(&plan->requested.method->finish, plan->requested.method->options,
		&plan->requested, copies, steps, count);
	if (mode) {
		const struct skin_part normals = {.data = plan->normals_data};
		count = add_passes(&mode->finish, NULL, &normals, NULL, steps, count);
	}
	return count;
}

size_t skin_steps(
	const struct prepared *prepared, struct gpu_skin_step steps[static SKIN_STEPS_MAX]) {
	const struct prepared_copies one = {prepared, 1, NULL};
	return make_steps(&one, steps);
}

/* Notes what the passes have left to say of the pose. */
static bool read_outcome(
	struct renderer *renderer, const struct prepared *prepared, struct error *err) {
	const struct skin_part *requested = &prepared->plan.requested;
	const struct skin_finish_stage *finish = &requested->method->finish;
	if (!finish->outcome) {
		return true;
	}
	size_t start, count;
	finish->outcome_span(requested->data, (size_t)prepared->rig->vertex_count, &start, &count);
	float *left = scratch_get(&renderer->joined[0], count);
	struct back_end *back_end = renderer->back_end;
	if (!back_end->kind->read_scratch(back_end, start, count, left, err)) {
		return false;
	}
	*prepared->palette.outcome |= finish->outcome(requested->data, left);
	return true;
}

bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct drawn_rig *drawn, struct error *err) {
	const float *streams = skin_morphed(prepared, &renderer->morphed);
	struct back_end *back_end = renderer->back_end;
	if (streams || drawn->morphed) {
		back_end->kind->set_vertices(drawn, prepared->rig, streams);
	}
	struct gpu_skin_step steps[SKIN_STEPS_MAX];
	const struct prepared_copies copies = {prepared, drawn->copies, renderer->joined};
	const struct gpu_skin_job job = {
		.rig = prepared->rig,
		.drawn = drawn,
		.steps = steps,
		.step_count = make_steps(&copies, steps),
		.tangents = tangents,
		.scratch_floats = (size_t)prepared->plan.requested.method->finish.scratch_floats,
	};
	return back_end->kind->skin(back_end, &job, err) && read_outcome(renderer, prepared, err);
}

static void vertices_on_cpu(
	struct renderer *renderer, const struct prepared *prepared, struct streams streams) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	// The kernels make positions and normals in one go; what is not asked goes aside.
	float *aside = scratch_get(&renderer->vertices, count * 6);
	if (!streams.positions) {
		streams.positions = aside;
	}
	if (!streams.normals) {
		streams.normals = aside + count * 3;
	}
	const struct skin_room room = {&renderer->morphed, &renderer->displaced};
	skin_on_cpu(prepared, &room, &streams);
}

static bool vertices_on_gpu(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	struct drawn_rig *drawn = drawn_rigs_get(renderer, prepared->rig, err);
	if (!drawn || !skin_on_gpu(renderer, prepared, streams->tangents != NULL, drawn, err)) {
		return false;
	}
	const struct {
		float *out;
		size_t start, count;
	} parts[] = {
		{streams->positions, 0, count * 3},
		{streams->normals, count * 3, count * 3},
		{streams->tangents, count * 6, count * 4},
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].out &&
			!renderer->back_end->kind->read_skinned(
				drawn, parts[i].start, parts[i].count, parts[i].out, err)) {
			return false;
		}
	}
	return true;
}

bool skin_streams(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err) {
	bool ok = true;
	if (prepared->on_gpu) {
		ok = vertices_on_gpu(renderer, prepared, streams, err);
		ok = context_settle(renderer, ok, err);
	} else {
		vertices_on_cpu(renderer, prepared, *streams);
	}
	if (ok) {
		counters_add_skinned(
			renderer, prepared->plan.requested.method->id, prepared->rig->vertex_count);
	}
	return ok;
}
