// Exact normals of methods that blend rotations, with gradients made here: checked against finite
// differences of the skinned positions (METHODS B3).
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"

#define JOINTS 5
#define INFLUENCES 4
#define POINTS 24 // where a normal is looked at
#define STEP 0.01 // between a point and those beside it, as far as the middle
#define STENCIL 7 // a point, then one to either side along each axis
#define VERTICES (POINTS * STENCIL)

static const char *const ids[] = {"lbs", "dqs", "sjb", "sbs"};

/* Weights that are smooth in space: w_k proportional to exp(slope_k . v + height_k). The first is
 * always the greatest. */
struct field_of_weights {
	double slopes[INFLUENCES][3], heights[INFLUENCES];
	int count; // influences that have weight
};

static struct field_of_weights random_field(unsigned *seed, int count) {
	struct field_of_weights field = {.count = count};
	for (int k = 0; k < count; k++) {
		for (int i = 0; i < 3; i++) {
			field.slopes[k][i] = 0.2 * random_number(seed);
		}
		field.heights[k] = k == 0 ? 3 : 1 + 0.2 * random_number(seed);
	}
	return field;
}

static void weights_at(
	const struct field_of_weights *field, const double v[static 3], double *weights) {
	double sum = 0;
	for (int k = 0; k < INFLUENCES; k++) {
		weights[k] = k < field->count
			? exp(vec3_dot(field->slopes[k], v) + field->heights[k])
			: 0;
		sum += weights[k];
	}
	for (int k = 0; k < INFLUENCES; k++) {
		weights[k] /= sum;
	}
}

static void gradients_at(
	const struct field_of_weights *field, const double v[static 3], float (*gradients)[3]) {
	double weights[INFLUENCES], mean[3] = {0};
	weights_at(field, v, weights);
	for (int k = 0; k < INFLUENCES; k++) {
		for (int i = 0; i < 3; i++) {
			mean[i] += weights[k] * field->slopes[k][i];
		}
	}
	for (int k = 0; k < INFLUENCES; k++) {
		for (int i = 0; i < 3; i++) {
			gradients[k][i] = (float)(weights[k] * (field->slopes[k][i] - mean[i]));
		}
	}
}

struct scene {
	struct rig *rig;
	float gradients[VERTICES * INFLUENCES][3];
	double matrices[JOINTS][12];
};

/* Vertices in stencils, with the weights of a field; joints turned, and scaled by up to stretch. */
static void scene_start(struct scene *scene, unsigned seed, int influences, double stretch) {
	struct rig *rig = scene->rig = rig_random(seed, JOINTS, VERTICES, INFLUENCES);
	const struct field_of_weights field = random_field(&seed, influences);
	for (int i = 0; i < VERTICES; i++) {
		const float *middle = rig->positions + i / STENCIL * STENCIL * 3;
		const int beside = i % STENCIL - 1;
		double v[3] = {middle[0], middle[1], middle[2]}, weights[INFLUENCES];
		if (beside >= 0) {
			v[beside / 2] += beside % 2 ? STEP : -STEP;
		}
		for (int k = 0; k < 3; k++) {
			v[k] = rig->positions[i * 3 + k] = (float)v[k];
			rig->normals[i * 3 + k] = rig->normals[i / STENCIL * STENCIL * 3 + k];
		}
		weights_at(&field, v, weights);
		gradients_at(&field, v, &scene->gradients[i * INFLUENCES]);
		for (int k = 0; k < INFLUENCES; k++) {
			rig->influence_weights[i * INFLUENCES + k] = (float)weights[k];
			rig->influence_slots[i * INFLUENCES + k] =
				(uint16_t)(k < influences ? (k + 1) % JOINTS : 1);
		}
	}
	for (int j = 0; j < JOINTS; j++) {
		float translation[3], rotation[4], scale[3];
		for (int k = 0; k < 4; k++) {
			rotation[k] = (float)(0.5 * random_number(&seed) + (k == 3));
			translation[k % 3] = 0.3f * (float)random_number(&seed);
			scale[k % 3] = (float)(1 + stretch * random_number(&seed));
		}
		mat_from_transform(translation, rotation, scale, scene->matrices[j]);
	}
}

static void skin(const struct scene *scene, const char *id, float *positions, float *normals) {
	const struct value name = {.kind = VALUE_STRING, .string = id};
	struct skin_library *library = skin_library_create(NULL, 0);
	struct arena *arena = arena_create();
	struct skin_plan plan = plan_of(skin_method_find(&name, NULL), scene->rig, library);
	const struct skin_palette palette =
		palette_of(&plan, (const double(*)[12])scene->matrices, arena);
	const struct skin_job job = {.rig = scene->rig,
		.positions = scene->rig->positions,
		.normals = scene->rig->normals,
		.palette = palette.floats,
		.options = &plan.base.options,
		.data = plan.base.data,
		.normals_by = NORMALS_EXACT,
		.gradients = &scene->gradients[0][0],
		.out_positions = positions,
		.out_normals = normals};
	plan.base.method->kernel.skin(&job, &scene->rig->primitives[0]);
	skin_plan_finish(&plan);
	arena_destroy(arena);
	skin_library_destroy(library);
}

/* The normal of a deformed surface at a stencil: the rest normal under the cofactors of what the
 * differences say. */
static void normal_by_differences(
	const float *stencil, const float *rest, double normal[static 3]) {
	double columns[3][3], cofactors[3][3];
	for (int axis = 0; axis < 3; axis++) {
		const float *low = stencil + (1 + axis * 2) * 3, *high = low + 3;
		for (int i = 0; i < 3; i++) {
			columns[axis][i] = ((double)high[i] - low[i]) / (2 * STEP);
		}
	}
	vec3_cross(columns[1], columns[2], cofactors[0]);
	vec3_cross(columns[2], columns[0], cofactors[1]);
	vec3_cross(columns[0], columns[1], cofactors[2]);
	for (int i = 0; i < 3; i++) {
		normal[i] = 0;
		for (int axis = 0; axis < 3; axis++) {
			normal[i] += cofactors[axis][i] * rest[axis];
		}
	}
	vec3_normalize(normal);
}

/* Without the weights' part, normals are ten times farther away than this allows, and more. */
static void check_scene(const char *id, unsigned seed, int influences, double stretch) {
	struct scene scene;
	scene_start(&scene, seed, influences, stretch);
	static float positions[VERTICES * 3], normals[VERTICES * 3];
	skin(&scene, id, positions, normals);
	for (int i = 0; i < POINTS; i++) {
		const int at = i * STENCIL * 3;
		double expected[3];
		normal_by_differences(positions + at, scene.rig->normals + at, expected);
		for (int k = 0; k < 3; k++) {
			// Positions of up to 5 in floats, 0.02 apart: 3e-5 of each difference.
			assert_near(normals[at + k], expected[k], 2e-4);
		}
	}
	rig_release(scene.rig);
}

static void for_each(int influences, double stretch) {
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		for (unsigned seed = 1; seed <= 5; seed++) {
			check_scene(ids[i], seed, influences, stretch);
		}
	}
}

static void normals_are_those_of_the_deformed_surface(void **state) {
	(void)state;
	for_each(INFLUENCES, 0);
}

static void joints_that_meet_have_them_too(void **state) {
	(void)state;
	for_each(2, 0); // slots 1 and 2, parent and child: sjb's own vertices
}

static void stretched_joints_have_them_too(void **state) {
	(void)state;
	for_each(INFLUENCES, 0.3);
	for_each(2, 0.3);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normals_are_those_of_the_deformed_surface),
		cmocka_unit_test(joints_that_meet_have_them_too),
		cmocka_unit_test(stretched_joints_have_them_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
