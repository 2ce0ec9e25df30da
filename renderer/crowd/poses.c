// The poses of a crowd: evaluated one after another, each leaves what skinning takes.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "crowd/crowd.h"
#include "interface/pictures.h"
#include "picture/look.h"
#include "skin/displacement.h"
#include "skinned/first_person.h"
#include "skinned/for_picture.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"

/* Skinning reads palettes by whole lines of the cache. */
#define ALIGNMENT 64

/* The member's arrays in one block. */
struct block {
	size_t floats, coefficients, numbers, weights, mirrored; // where each begins, bytes
	size_t bytes;
};

static size_t after(size_t at, size_t count) {
	return (at + count * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t padded_coefficients(const struct skin_palette *palette) {
	return palette->coefficients ? ((size_t)palette->coefficient_count + 3) / 4 * 4 : 0;
}

static struct block lay_out(const struct prepared *prepared, bool morphed) {
	const struct skin_palette *palette = &prepared->palette;
	struct block block = {0};
	block.coefficients = after(0, palette->count);
	block.numbers = after(block.coefficients, padded_coefficients(palette));
	block.weights = after(block.numbers, palette->number_count);
	block.mirrored = after(block.weights, morphed ? (size_t)prepared->rig->weight_count : 0);
	block.bytes = block.mirrored + (size_t)prepared->rig->primitive_count * sizeof(bool);
	return block;
}

static char *aligned(struct arena *arena, size_t bytes) {
	char *memory = arena_alloc(arena, bytes + ALIGNMENT, 1);
	return (char *)(((uintptr_t)memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static float *copy_floats(char *to, const float *from, size_t count) {
	if (!from) {
		return NULL;
	}
	memcpy(to, from, count * sizeof *from);
	return (float *)(void *)to;
}

/* Copies what is to stay of a pose that was prepared elsewhere. */
static void keep(struct crowd *crowd, const struct prepared *prepared, struct arena *spare,
	struct crowd_member *member) {
	const struct skin_palette *from = &prepared->palette;
	const size_t primitives = (size_t)prepared->rig->primitive_count;
	const bool morphed = morph_is_active(prepared->rig, prepared->weights);
	const struct block block = lay_out(prepared, morphed);
	char *memory = aligned(crowd->arena, block.bytes);
	bool *mirrored = (bool *)(void *)(memory + block.mirrored);
	memcpy(mirrored, prepared_mirrored(prepared, spare), primitives * sizeof *mirrored);
	for (size_t i = 0; i < primitives; i++) {
		mirrored[i] ^= member->placement.mirrored;
	}
	member->palette = *from;
	member->palette.outcome = arena_alloc(crowd->arena, 1, sizeof *member->palette.outcome);
	member->palette.floats = copy_floats(memory, from->floats, from->count);
	member->palette.coefficients = copy_floats(
		memory + block.coefficients, from->coefficients, padded_coefficients(from));
	member->palette.numbers =
		copy_floats(memory + block.numbers, from->numbers, from->number_count);
	member->weights = morphed ? copy_floats(memory + block.weights, prepared->weights,
					    (size_t)prepared->rig->weight_count)
				  : NULL;
	member->mirrored = mirrored;
	crowd->member_bytes += block.bytes + ALIGNMENT;
}

/* True when the GPU's work on one copy keeps clear of the others'. */
static bool skins_at_once(const struct skin_plan *plan) {
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	size_t batches = 0;
	if (kernel->batches) {
		kernel->batches(plan->base.data, &batches);
	}
	return batches == 0 && plan->requested.method->finish.scratch_floats == 0;
}

static bool moves_by_itself(const struct rig *rig) {
	for (int i = 0; i < rig->material_count; i++) {
		const struct material_toon *toon = &rig->materials[i].toon;
		if (rig->materials[i].mtoon &&
			(toon->uv_scroll_x != 0 || toon->uv_scroll_y != 0 ||
				toon->uv_rotation != 0)) {
			return true;
		}
	}
	return false;
}

/* Keeps how the surfaces look, of which most figures have the same. */
static void keep_look(
	struct crowd *crowd, const struct prepared *prepared, struct crowd_member *member) {
	const struct rig *rig = picture_rig(prepared, crowd->arena);
	member->materials = rig->materials == prepared->rig->materials ? NULL : rig->materials;
	member->time_s = moves_by_itself(prepared->rig) ? prepared->time_s : 0;
	if (member->materials) {
		crowd->member_bytes += (size_t)rig->material_count * sizeof *rig->materials;
	}
}

/* Takes the plan over, or finishes it where there is one like it; returns its place. */
static size_t take_plan(struct crowd *crowd, struct prepared *prepared) {
	const uint64_t signature = skin_plan_signature(&prepared->plan);
	for (size_t i = crowd->plan_count; i-- > 0;) {
		if (crowd->plans[i].signature == signature &&
			crowd->plans[i].plan.rig == prepared->rig) {
			prepared_finish(prepared);
			return i;
		}
	}
	if (crowd->plan_count == crowd->plan_room) {
		crowd->plan_room = crowd->plan_room ? 2 * crowd->plan_room : 4;
		crowd->plans = xrealloc(crowd->plans, crowd->plan_room, sizeof *crowd->plans);
	}
	crowd->plans[crowd->plan_count] = (struct crowd_plan){
		.plan = prepared->plan,
		.signature = signature,
		.on_gpu = prepared->on_gpu,
		.at_once = skins_at_once(&prepared->plan),
		.rest_weights = arena_alloc(
			crowd->arena, (size_t)prepared->rig->weight_count, sizeof(float)),
	};
	return crowd->plan_count++;
}

/* Finds the meshes that the view shows, once for each plan. */
static bool show(
	struct crowd *crowd, struct crowd_plan *plan, const struct rig *known, struct error *err) {
	const struct rig *rig = plan->plan.rig;
	return plan->shown ||
		first_person_show(crowd->job->picture.view, rig, rig->indices != known->indices,
			crowd->arena, &plan->shown, err);
}

/* Keeps the lights of an instance, as many as pictures can have; the rest are only counted. */
static void keep_lights(struct crowd *crowd, const struct prepared *prepared,
	const struct placement *placement, struct arena *spare) {
	int count;
	const struct world_light *lights =
		look_lights(&crowd->job->picture, prepared, spare, &count);
	for (int i = 0; i < count; i++, crowd->light_count++) {
		if (crowd->light_count >= SHADED_LIGHTS_MAX) {
			continue;
		}
		if (crowd->light_count == crowd->light_room) {
			crowd->light_room = crowd->light_room ? 2 * crowd->light_room : 4;
			crowd->lights = xrealloc(
				crowd->lights, (size_t)crowd->light_room, sizeof *crowd->lights);
		}
		struct world_light *kept = &crowd->lights[crowd->light_count];
		*kept = lights[i];
		mat_map_point(placement->map, lights[i].place, kept->place);
		mat_map_direction(placement->map, lights[i].direction, kept->direction);
		vec3_normalize(kept->direction);
	}
}

static bool prepare_member(struct crowd *crowd, size_t i, struct arena *spare, struct error *err) {
	const struct crowd_job *job = crowd->job;
	const struct crowd_instance *instance = &job->instances[i];
	const struct prepare_params params = {.subject = instance->subject};
	struct prepared prepared;
	if (!stop_check(job->stop, err) ||
		!prepare(crowd->renderer, &params, spare, &prepared, err)) {
		return false;
	}
	struct crowd_member *member = &crowd->members[i];
	member->instance = i;
	member->placement = placement_make(instance->placement);
	crowd->vertex_count += (size_t)prepared.rig->vertex_count;
	keep(crowd, &prepared, spare, member);
	keep_lights(crowd, &prepared, &member->placement, spare);
	keep_look(crowd, &prepared, member);
	member->plan = take_plan(crowd, &prepared);
	return show(crowd, &crowd->plans[member->plan], instance->subject.rig, err) &&
		(crowd->vertex_count <= job->max_vertices ||
			error_set(err, ERROR_TOO_LARGE,
				"the instances have more than %zu vertices together",
				job->max_vertices));
}

bool crowd_prepare(struct crowd *crowd, size_t *culprit, struct error *err) {
	const size_t count = crowd->job->count;
	struct arena *spare = arena_create();
	crowd->arena = arena_create();
	crowd->members = arena_alloc(crowd->arena, count, sizeof *crowd->members);
	crowd->member_bytes = count * sizeof *crowd->members;
	bool ok = true;
	for (size_t i = 0; ok && i < count; i++) {
		ok = prepare_member(crowd, i, spare, err);
		*culprit = i;
		arena_reset(spare);
	}
	arena_destroy(spare);
	return ok;
}

void crowd_finish(struct crowd *crowd) {
	for (size_t i = 0; i < crowd->plan_count; i++) {
		skin_plan_finish(&crowd->plans[i].plan);
	}
	free(crowd->lights);
	free(crowd->plans);
	arena_destroy(crowd->arena);
}

struct prepared crowd_prepared(const struct crowd *crowd, const struct crowd_member *member) {
	const struct crowd_plan *plan = &crowd->plans[member->plan];
	return (struct prepared){
		.plan = plan->plan,
		.rig = plan->plan.rig,
		.on_gpu = plan->on_gpu,
		.palette = member->palette,
		.weights = member->weights ? member->weights : plan->rest_weights,
	};
}
