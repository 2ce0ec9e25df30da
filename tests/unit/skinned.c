// Vertices skinned on the CPU as a request says.
#include "skinned.h"

#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "json_value.h"
#include "pose/pose.h"
#include "rigs.h"
#include "skin/displacement.h"
#include "skin/palette.h"

struct skinning_settings settings_of(struct arena *arena, const char *skinning) {
	static const char *const ways[] = {"", "same", "cof", "exact", "recompute"};
	const struct value *value = json_value(arena, skinning);
	if (value->kind == VALUE_STRING) {
		return (struct skinning_settings){.method = value};
	}
	struct skinning_settings settings = {
		.method = value_member(value, "method"), .object = value};
	const struct value *normals = value_member(value, "normals");
	for (int i = 0; normals && i < NORMALS_COUNT; i++) {
		if (strcmp(ways[i], normals->string) == 0) {
			settings.normals = (enum normals)i;
		}
	}
	return settings;
}

struct rig *skinned_rig(const struct rig *rig, const char *skinning) {
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	struct error err = {0};
	if (!skin_plan_make(library, &params, &plan, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	struct rig *skinned = rig_retain((struct rig *)plan.rig);
	skin_plan_finish(&plan);
	skin_library_destroy(library);
	arena_destroy(arena);
	return skinned;
}

/* tangents may be NULL. */
static void skin(const struct rig *rig, const char *skinning, const struct examples *examples,
	const struct pose *pose, float *positions, float *normals, float *tangents) {
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings, .examples = examples},
		.clip = -1,
	};
	struct skin_plan plan;
	struct error err = {0};
	if (!skin_plan_make(library, &params, &plan, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, sizeof *matrices);
	pose_to_world(rig, pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	const struct prepare_job job = {.rig = plan.rig,
		.matrices = (const double(*)[12])matrices,
		.world = (const double(*)[12])world,
		.local = pose->local,
		.arena = arena};
	struct skin_palette palette;
	if (!skin_plan_prepare(&plan, &job, &palette, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	const struct skin_job skin = {.positions = plan.rig->positions,
		.normals = plan.rig->normals,
		.tangents = tangents ? plan.rig->tangents : NULL,
		.out_positions = positions,
		.out_normals = normals,
		.out_tangents = tangents};
	float *spare = xcalloc((size_t)plan.rig->vertex_count * 6, sizeof *spare);
	skin_plan_run(&plan, &palette, &skin, spare, false);
	free(spare);
	skin_plan_finish(&plan);
	skin_library_destroy(library);
	arena_destroy(arena);
}

void skinned_as(const struct rig *rig, const char *skinning, const struct examples *examples,
	const struct pose *pose, float *positions, float *normals) {
	skin(rig, skinning, examples, pose, positions, normals, NULL);
}

const float *deformed(struct rig *rig, const struct pose *pose, struct arena *arena) {
	const size_t numbers = 3 * (size_t)rig->vertex_count;
	float *morphed = arena_alloc(arena, numbers + 1, sizeof *morphed);
	float *normals = arena_alloc(arena, numbers + 1, sizeof *normals);
	float *positions = arena_alloc(arena, numbers + 1, sizeof *positions);
	float *own = rig->positions;
	morph_apply(rig, pose->weights, morphed, normals, NULL);
	rig->positions = morphed;
	skinned_as(rig, "{'method': 'lbs'}", NULL, pose, positions, normals);
	rig->positions = own;
	return positions;
}

void skinned_with_tangents(
	const struct rig *rig, const char *skinning, const struct pose *pose, float *out) {
	const size_t count = (size_t)rig->vertex_count;
	skin(rig, skinning, NULL, pose, out, out + count * 3, out + count * 6);
}

void skinned_cyl2_vertex(const char *skinning, const float position[static 3], float weight,
	const double axis[static 3], double degrees, float out[static 3], float normal[static 3]) {
	float at[1][3];
	memcpy(at[0], position, sizeof at[0]);
	struct rig *rig = rig_cyl2_vertices(1, (const float(*)[3])at, &weight);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	skinned_as(rig, skinning, NULL, &pose, out, normal);
	arena_destroy(arena);
	rig_release(rig);
}

double skinned_cyl2_volume(const char *skinning, const double axis[static 3], double degrees) {
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	float *positions = xcalloc((size_t)rig->vertex_count * 6, sizeof *positions);
	skinned_as(
		rig, skinning, NULL, &pose, positions, positions + (size_t)rig->vertex_count * 3);
	const double share = mesh_volume(rig, positions) / mesh_volume(rig, rig->positions);
	free(positions);
	arena_destroy(arena);
	rig_release(rig);
	return share;
}
