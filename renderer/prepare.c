// One frame on the way from a pose expression to skinned vertices.
#include <stdint.h>

#include "base/mat.h"
#include "renderer_internal.h"
#include "skin/morph.h"
#include "skin/palette.h"

/* A place in the arena for count floats at a multiple of 64 bytes. */
static float *aligned_floats(struct arena *arena, size_t count) {
	char *memory = arena_alloc(arena, count * sizeof(float) + 64, 1);
	return (float *)(((uintptr_t)memory + 63) / 64 * 64);
}

void prepare_from_pose(const struct rig *rig, const struct pose *pose,
	const struct skinning_method *method, struct arena *arena, struct prepared *out) {
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, sizeof *matrices);
	float *palette =
		aligned_floats(arena, (size_t)rig->slot_count * (size_t)method->entry_floats);
	pose_to_world(rig, pose, world);
	palette_build(rig, world, matrices);
	method->prepare(rig, matrices, palette);
	*out = (struct prepared){
		.rig = rig,
		.method = method,
		.matrices = matrices,
		.palette = palette,
		.weights = pose->weights,
	};
}

bool prepare(const struct renderer *renderer, const struct rig *rig, const struct value *pose,
	const struct skinning_settings *settings, struct arena *arena, struct prepared *out,
	struct error *err) {
	struct pose_context context = {.rig = rig, .arena = arena};
	const struct skinning_method *method = skin_method_find(settings->method, err);
	struct pose posed;
	if (!method || !pose_evaluate(&context, pose, &posed, err)) {
		return false;
	}
	if (settings->device == DEVICE_GPU && !renderer->egl) {
		return error_set(err, ERROR_NO_RENDERER,
			"device \"gpu\" is asked for, and the daemon has no graphics driver");
	}
	prepare_from_pose(rig, &posed, method, arena, out);
	out->on_gpu = renderer_uses_gpu(renderer_info(renderer), settings);
	return !out->on_gpu || context_check(renderer, err);
}

struct skinning_report prepared_report(const struct prepared *prepared) {
	return (struct skinning_report){
		.method = prepared->method->id,
		.device = prepared->on_gpu ? "gpu" : "cpu",
	};
}

const bool *prepared_mirrored(const struct prepared *prepared, struct arena *arena) {
	const struct rig *rig = prepared->rig;
	bool *mirrored = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *mirrored);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const int slot = primitive->vertex_count > 0
			? rig->influence_slots[primitive->first_influence]
			: 0;
		mirrored[i] = mat_determinant(prepared->matrices[primitive->first_slot + slot]) < 0;
	}
	return mirrored;
}

/* The vertices after morphing, in streams as gpu_rig.h has them; NULL where no target is active. */
static const float *morph_streams(const struct prepared *prepared, struct scratch *scratch) {
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
	const struct prepared *prepared, struct scratch *morphed, const struct streams *out) {
	const struct rig *rig = prepared->rig;
	const size_t count = (size_t)rig->vertex_count;
	const float *streams = morph_streams(prepared, morphed);
	const struct skin_job job = {
		.rig = rig,
		.positions = streams ? streams : rig->positions,
		.normals = streams ? streams + count * 3 : rig->normals,
		.tangents = !out->tangents ? NULL
			: streams          ? streams + count * 6
					   : rig->tangents,
		.palette = prepared->palette,
		.out_positions = out->positions,
		.out_normals = out->normals,
		.out_tangents = out->tangents,
	};
	for (int i = 0; i < rig->primitive_count; i++) {
		prepared->method->skin(&job, &rig->primitives[i]);
	}
}

bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct gpu_rig *gpu, struct error *err) {
	const float *streams = morph_streams(prepared, &renderer->morphed);
	if (streams || gpu->morphed) {
		gpu_rig_set_vertices(gpu, prepared->rig, streams);
	}
	const struct gpu_skin_job job = {
		.rig = prepared->rig,
		.gpu = gpu,
		.shader = prepared->method->shader,
		.palette = prepared->palette,
		.entry_floats = prepared->method->entry_floats,
		.tangents = tangents,
	};
	return gpu_skin_run(renderer->skin, &job, err);
}
