// Rigs for tests, made in memory without any importer.
#include "rigs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/value.h"
#include "skin/palette.h"

#define PI 3.14159265358979323846

double random_number(unsigned *seed) {
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / 8388607.5 - 1;
}

void set_rotation(struct transform *transform, double x, double y, double z, double degrees) {
	const double half = degrees * PI / 360;
	transform->rotation[0] = (float)(x * sin(half));
	transform->rotation[1] = (float)(y * sin(half));
	transform->rotation[2] = (float)(z * sin(half));
	transform->rotation[3] = (float)cos(half);
}

static void *take(struct rig *rig, size_t count, size_t size) {
	void *memory = rig_storage(rig, count, size, "a test rig", NULL);
	assert(memory);
	return memory;
}

/* A rig with joints in a chain, one skinned primitive and room for its vertices. */
static struct rig *chain_create(int joint_count, int vertex_count, int influence_count) {
	struct rig *rig = rig_create();
	rig->joint_count = rig->slot_count = joint_count;
	rig->joints = take(rig, (size_t)joint_count, sizeof *rig->joints);
	for (int i = 0; i < joint_count; i++) {
		char name[16];
		const int length = snprintf(name, sizeof name, "J%d", i);
		rig->joints[i] = (struct joint){
			.name = xstrndup(name, (size_t)length),
			.index = i,
			.parent = i - 1,
			.rest = TRANSFORM_IDENTITY,
		};
	}
	rig->slots = take(rig, (size_t)joint_count, sizeof *rig->slots);
	rig->vertex_count = vertex_count;
	const size_t vertices = (size_t)vertex_count;
	rig->positions = take(rig, vertices * 3, sizeof *rig->positions);
	rig->normals = take(rig, vertices * 3, sizeof *rig->normals);
	rig->influence_count = vertices * (size_t)influence_count;
	rig->influence_slots = take(rig, rig->influence_count, sizeof *rig->influence_slots);
	rig->influence_weights = take(rig, rig->influence_count, sizeof *rig->influence_weights);
	rig->primitive_count = 1;
	rig->primitives = take(rig, 1, sizeof *rig->primitives);
	rig->primitives[0] = (struct primitive){
		.material = -1,
		.skinned = true,
		.vertex_count = vertex_count,
		.slot_count = joint_count,
		.influence_count = influence_count,
	};
	return rig;
}

void rig_bind(struct rig *rig) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, &pose, world);
	for (int i = 0; i < rig->slot_count; i++) {
		rig->slots[i].joint = i;
		const bool invertible = mat_invert(world[i], rig->slots[i].inverse_bind);
		assert(invertible);
	}
	arena_destroy(arena);
}

/* Weight w on joint 1, the rest on joint 0, the greater first. */
static void set_two_influences(struct rig *rig, int vertex, float w) {
	const int first = w > 0.5f ? 1 : 0;
	const float weights[2] = {1 - w, w};
	uint16_t *slots = rig->influence_slots + vertex * 4;
	for (int k = 0; k < 4; k++) {
		slots[k] = (uint16_t)first;
	}
	slots[1] = (uint16_t)(1 - first);
	rig->influence_weights[vertex * 4] = weights[first];
	rig->influence_weights[vertex * 4 + 1] = weights[1 - first];
}

static void set3(float *out, double x, double y, double z) {
	out[0] = (float)x, out[1] = (float)y, out[2] = (float)z;
}

struct rig *rig_cyl2_vertices(int count, const float (*positions)[3], const float *weights) {
	struct rig *rig = chain_create(2, count, 4);
	rig->joints[1].rest.translation[1] = 1;
	rig_bind(rig);
	for (int i = 0; i < count; i++) {
		memcpy(rig->positions + i * 3, positions[i], sizeof positions[i]);
		set3(rig->normals + i * 3, 1, 0, 0);
		set_two_influences(rig, i, weights[i]);
	}
	return rig;
}

#define SEGMENTS 16
#define RINGS 41

static void add_triangle(struct rig *rig, int a, int b, int c) {
	uint32_t *out = rig->indices + rig->index_count;
	out[0] = (uint32_t)a, out[1] = (uint32_t)b, out[2] = (uint32_t)c;
	rig->index_count += 3;
}

struct rig *rig_cyl2(void) {
	const int bottom = RINGS * SEGMENTS, top = bottom + 1;
	struct rig *rig = chain_create(2, top + 1, 4);
	rig->joints[1].rest.translation[1] = 1;
	rig_bind(rig);
	for (int ring = 0; ring < RINGS; ring++) {
		for (int s = 0; s < SEGMENTS; s++) {
			const int i = ring * SEGMENTS + s;
			const double angle = 2 * PI * s / SEGMENTS, y = ring * 0.05;
			set3(rig->positions + i * 3, 0.1 * cos(angle), y, 0.1 * sin(angle));
			set3(rig->normals + i * 3, cos(angle), 0, sin(angle));
			set_two_influences(rig, i, (float)fmin(fmax((y - 0.75) / 0.5, 0), 1));
		}
	}
	set3(rig->positions + bottom * 3, 0, 0, 0);
	set3(rig->normals + bottom * 3, 0, -1, 0);
	set_two_influences(rig, bottom, 0);
	set3(rig->positions + top * 3, 0, 2, 0);
	set3(rig->normals + top * 3, 0, 1, 0);
	set_two_influences(rig, top, 1);
	rig->indices = take(rig, (size_t)(RINGS * SEGMENTS * 6), sizeof *rig->indices);
	for (int s = 0; s < SEGMENTS; s++) {
		const int next = (s + 1) % SEGMENTS, last = (RINGS - 1) * SEGMENTS;
		add_triangle(rig, bottom, s, next);
		add_triangle(rig, top, last + next, last + s);
		for (int ring = 0; ring + 1 < RINGS; ring++) {
			const int low = ring * SEGMENTS, high = low + SEGMENTS;
			add_triangle(rig, low + s, high + s, low + next);
			add_triangle(rig, low + next, high + s, high + next);
		}
	}
	rig->primitives[0].index_count = rig->index_count;
	return rig;
}

struct rig *rig_random(unsigned seed, int joint_count, int vertex_count, int influence_count) {
	struct rig *rig = chain_create(joint_count, vertex_count, influence_count);
	for (int i = 0; i < joint_count; i++) {
		struct transform *rest = &rig->joints[i].rest;
		for (int k = 0; k < 3; k++) {
			rest->translation[k] = (float)random_number(&seed);
		}
		for (int k = 0; k < 4; k++) {
			rest->rotation[k] = (float)(random_number(&seed) + 0.01);
		}
	}
	rig_bind(rig);
	for (int i = 0; i < vertex_count; i++) {
		double length = 0, sum = 0;
		for (int k = 0; k < 3; k++) {
			rig->positions[i * 3 + k] = (float)(2 * random_number(&seed));
			rig->normals[i * 3 + k] = (float)(random_number(&seed) + 0.01);
			length += pow(rig->normals[i * 3 + k], 2);
		}
		for (int k = 0; k < 3; k++) {
			rig->normals[i * 3 + k] /= (float)sqrt(length);
		}
		float *weights = rig->influence_weights + i * influence_count;
		uint16_t *slots = rig->influence_slots + i * influence_count;
		const int start = (int)((random_number(&seed) + 1) * 0.49999 * joint_count);
		for (int k = 0; k < influence_count; k++) {
			// Falling weights, as policy W leaves them.
			weights[k] = (float)((2 + random_number(&seed)) / pow(4, k));
			slots[k] = (uint16_t)((start + k) % joint_count);
			sum += weights[k];
		}
		for (int k = 0; k < influence_count; k++) {
			weights[k] = (float)(weights[k] / sum);
		}
	}
	return rig;
}

struct rig *rig_hub(unsigned seed, int joint_count, int vertex_count, int influence_count) {
	struct rig *rig = rig_random(seed, joint_count, vertex_count, influence_count);
	for (int j = 1; j < joint_count; j++) {
		rig->joints[j].parent = 0;
		memcpy(rig->joints[j].rest.translation, rig->joints[1].rest.translation,
			sizeof rig->joints[j].rest.translation);
	}
	rig_bind(rig);
	return rig;
}

struct skin_plan plan_of(
	const struct skinning_method *method, const struct rig *rig, struct skin_library *library) {
	const struct value id = {.kind = VALUE_STRING, .string = method->id};
	const struct skinning_settings settings = {.method = &id};
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	struct error err = {0};
	if (!skin_plan_make(library, &params, &plan, &err)) {
		fprintf(stderr, "%s: %s\n", method->id, err.text);
		abort();
	}
	return plan;
}

struct skin_palette palette_of(
	const struct skin_plan *plan, const double (*matrices)[12], struct arena *arena) {
	const struct rig *rig = plan->rig;
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	struct transform *local = arena_alloc(arena, (size_t)rig->joint_count, sizeof *local);
	for (int i = 0; i < rig->joint_count; i++) {
		local[i] = rig->joints[i].rest;
	}
	for (int i = 0; i < rig->slot_count; i++) {
		double bind[12];
		if (mat_invert(rig->slots[i].inverse_bind, bind)) {
			mat_multiply(matrices[i], bind, world[rig->slots[i].joint]);
		}
	}
	const struct prepare_job job = {.rig = rig,
		.matrices = matrices,
		.world = (const double(*)[12])world,
		.local = local,
		.arena = arena};
	struct skin_palette palette;
	struct error err = {0};
	if (!skin_plan_prepare(plan, &job, &palette, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	return palette;
}

void skin_matrices(const struct rig *rig, const struct skinning_method *method,
	const double (*matrices)[12], bool plain, float *positions, float *normals) {
	struct skin_library *library = skin_library_create(NULL, 0);
	struct arena *arena = arena_create();
	struct skin_plan plan = plan_of(method, rig, library);
	const struct skin_palette palette = palette_of(&plan, matrices, arena);
	const struct skin_job job = {
		.positions = plan.rig->positions,
		.normals = plan.rig->normals,
		.out_positions = positions,
		.out_normals = normals,
	};
	float *spare = xcalloc((size_t)plan.rig->vertex_count * 6, sizeof *spare);
	skin_plan_run(&plan, &palette, &job, spare, plain);
	free(spare);
	skin_plan_finish(&plan);
	arena_destroy(arena);
	skin_library_destroy(library);
}

void skin_pose(const struct rig *rig, const struct skinning_method *method, const struct pose *pose,
	bool plain, float *positions, float *normals) {
	double(*world)[12] = xcalloc((size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = xcalloc((size_t)rig->slot_count, sizeof *matrices);
	pose_to_world(rig, pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	skin_matrices(rig, method, (const double(*)[12])matrices, plain, positions, normals);
	free(matrices);
	free(world);
}

double mesh_volume(const struct rig *rig, const float *positions) {
	double sum = 0;
	for (int i = 0; i < rig->index_count; i += 3) {
		const float *a = positions + rig->indices[i] * 3;
		const float *b = positions + rig->indices[i + 1] * 3;
		const float *c = positions + rig->indices[i + 2] * 3;
		sum += a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
			a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
			a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
	}
	return sum / 6;
}

double cylinder_volume(
	const struct skinning_method *method, double x, double y, double z, double degrees) {
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], x, y, z, degrees);
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	skin_pose(rig, method, &pose, false, out, out + rig->vertex_count * 3);
	const double volume = mesh_volume(rig, out);
	free(out);
	arena_destroy(arena);
	rig_release(rig);
	return volume;
}

void rig_add_clip(struct rig *rig, const char *name, int channel_count,
	const struct constant_channel *constants) {
	assert(rig->clip_count < TEST_CLIPS_MAX);
	static const float zero[1] = {0};
	if (!rig->clips) {
		rig->clips = take(rig, TEST_CLIPS_MAX, sizeof *rig->clips);
	}
	struct channel *channels = xcalloc((size_t)channel_count, sizeof *channels);
	for (int i = 0; i < channel_count; i++) {
		float *values = take(rig, 4, sizeof *values);
		memcpy(values, constants[i].values, sizeof constants[i].values);
		channels[i] = (struct channel){
			.joint = constants[i].joint,
			.path = constants[i].path,
			.interpolation = INTERPOLATION_LINEAR,
			.key_count = 1,
			.width = constants[i].path == CHANNEL_ROTATION ? 4
				: constants[i].path == CHANNEL_WEIGHTS
				? rig->joints[constants[i].joint].weight_count
				: 3,
			.times = zero,
			.values = values,
		};
	}
	rig->clips[rig->clip_count++] = (struct clip){
		.name = xstrndup(name, strlen(name)),
		.index = rig->clip_count,
		.channel_count = channel_count,
		.channels = channels,
	};
}
