// Properties that every row of the table of skinning methods has: METHODS 0.9, T1 to T8.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/method.h"

#define JOINTS 7
#define VERTICES 203 // no multiple of a kernel's step

struct skinned {
	float positions[VERTICES * 3], normals[VERTICES * 3];
};

static const double identity[12] = MAT_IDENTITY;

/* Rigid motions about random axes, one per slot. */
static void random_motions(unsigned seed, double (*matrices)[12]) {
	for (int i = 0; i < JOINTS; i++) {
		const float scale[3] = {1, 1, 1};
		float translation[3], rotation[4];
		for (int k = 0; k < 3; k++) {
			translation[k] = (float)random_number(&seed);
		}
		for (int k = 0; k < 4; k++) {
			rotation[k] = (float)random_number(&seed);
		}
		mat_from_transform(translation, rotation, scale, matrices[i]);
	}
}

static void map_vertex(const double m[static 12], const float *v, double out[static 3]) {
	const double at[3] = {v[0], v[1], v[2]};
	mat_map_point(m, at, out);
}

/* True if a method skins any rig, without examples and in any pose. */
static bool is_general(const struct skinning_method *method) {
	return !method->recipe || (!method->recipe->needs_examples && !method->recipe->needs_clip);
}

/* Runs a check for every such method, on rigs of 4 and of 8 influences. */
static void for_each(void (*check)(const struct skinning_method *method, struct rig *rig)) {
	for (size_t i = 0; skin_method(i); i++) {
		for (int influences = 4; is_general(skin_method(i)) && influences <= 8;
			influences += 4) {
			struct rig *rig =
				rig_random((unsigned)(7 * i) + 3, JOINTS, VERTICES, influences);
			check(skin_method(i), rig);
			rig_release(rig);
		}
	}
}

static void check_identity(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	for (int i = 0; i < JOINTS; i++) {
		memcpy(matrices[i], identity, sizeof identity);
	}
	struct skinned out;
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, out.positions, out.normals);
	for (int i = 0; i < VERTICES * 3; i++) {
		assert_near(out.positions[i], rig->positions[i], 8 * 0x1p-24 * 2);
		assert_near(out.normals[i], rig->normals[i], 1e-6);
	}
}

static void identity_changes_nothing_t1(void **state) {
	(void)state;
	for_each(check_identity);
}

static void check_bind_pose(const struct skinning_method *method, struct rig *rig) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	struct skinned out;
	skin_pose(rig, method, &pose, false, out.positions, out.normals);
	for (int i = 0; i < VERTICES * 3; i++) {
		// METHODS: 1e-6 (1 + |v| + |c|); the chain reaches |c| = 12.
		assert_near(out.positions[i], rig->positions[i], 1e-6 * (1 + 3.5 + 12));
	}
	arena_destroy(arena);
}

static void bind_pose_changes_nothing_t1(void **state) {
	(void)state;
	for_each(check_bind_pose);
}

static void check_rigid_motion(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12], moved[JOINTS][12], motion[JOINTS][12];
	random_motions(11, matrices);
	random_motions(99, motion);
	for (int i = 0; i < JOINTS; i++) {
		mat_multiply(motion[0], matrices[i], moved[i]);
	}
	struct skinned before, after;
	skin_matrices(rig, method, (const double(*)[12])matrices, false, before.positions,
		before.normals);
	skin_matrices(
		rig, method, (const double(*)[12])moved, false, after.positions, after.normals);
	for (int i = 0; i < VERTICES; i++) {
		double expected[3];
		map_vertex(motion[0], before.positions + i * 3, expected);
		for (int k = 0; k < 3; k++) {
			assert_near(after.positions[i * 3 + k], expected[k], 1e-5 * (1 + 4 + 2));
		}
	}
}

static void rigid_motion_commutes_t2(void **state) {
	(void)state;
	for_each(check_rigid_motion);
}

/* Gives each vertex the one influence of its pivot. */
static void keep_pivot(struct rig *rig) {
	const int count = rig->primitives[0].influence_count;
	for (int i = 0; i < VERTICES * count; i++) {
		rig->influence_weights[i] = i % count == 0 ? 1 : 0;
	}
}

static void check_single(const struct skinning_method *method, struct rig *rig) {
	if (strcmp(method->id, "stbs") == 0) {
		return; // it spreads a joint's own twist and stretch over the bone
	}
	double matrices[JOINTS][12];
	random_motions(5, matrices);
	// Sheared and scaled: two-phase methods have to take it apart and give it back.
	matrices[2][0] *= 2, matrices[2][1] += 0.5, matrices[4][10] *= -1;
	keep_pivot(rig);
	struct skinned out;
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, out.positions, out.normals);
	for (int i = 0; i < VERTICES; i++) {
		const int slot = rig->influence_slots[i * rig->primitives[0].influence_count];
		double expected[3];
		map_vertex(matrices[slot], rig->positions + i * 3, expected);
		for (int k = 0; k < 3; k++) {
			assert_near(out.positions[i * 3 + k], expected[k], 1e-5 * (1 + 8));
		}
	}
}

static void single_influence_is_its_matrix_t3(void **state) {
	(void)state;
	for_each(check_single);
}

/* The same surface with a bind space of other units, which its inverse bind matrices undo. */
static void scale_bind_space(struct rig *rig, double unit) {
	for (int i = 0; i < VERTICES * 3; i++) {
		rig->positions[i] = (float)(rig->positions[i] / unit);
	}
	for (int i = 0; i < JOINTS; i++) {
		for (int k = 0; k < 12; k++) {
			rig->slots[i].inverse_bind[k] *= k % 4 == 3 ? 1 : unit;
		}
	}
}

static void check_bind_units(const struct skinning_method *method, struct rig *rig) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	unsigned seed = 4;
	for (int i = 0; i < JOINTS * 4; i++) {
		pose.local[i / 4].rotation[i % 4] += 0.4f * (float)random_number(&seed);
	}
	struct skinned before, after;
	skin_pose(rig, method, &pose, false, before.positions, before.normals);
	// As files with quantised vertices have it.
	scale_bind_space(rig, 1.0 / 16384);
	rig->id++; // what is known of the rig does not hold any more
	skin_pose(rig, method, &pose, false, after.positions, after.normals);
	for (int i = 0; i < VERTICES * 3; i++) {
		if (fabs(after.positions[i] - before.positions[i]) > 4e-5) {
			fail_msg("%s: number %d is %g, was %g", method->id, i,
				(double)after.positions[i], (double)before.positions[i]);
		}
	}
	arena_destroy(arena);
}

static void units_of_the_bind_space_do_not_matter(void **state) {
	(void)state;
	for_each(check_bind_units);
}

static void check_permutation(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	random_motions(21, matrices);
	struct skinned before, after;
	skin_matrices(rig, method, (const double(*)[12])matrices, false, before.positions,
		before.normals);
	const int count = rig->primitives[0].influence_count;
	for (int i = 0; i < VERTICES; i++) {
		// The pivot stays first; the others change places.
		float *w = rig->influence_weights + i * count;
		uint16_t *s = rig->influence_slots + i * count;
		const float weight = w[1];
		const uint16_t slot = s[1];
		w[1] = w[3], s[1] = s[3], w[3] = weight, s[3] = slot;
	}
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, after.positions, after.normals);
	for (int i = 0; i < VERTICES * 3; i++) {
		assert_near(after.positions[i], before.positions[i], 2e-6);
	}
}

static void order_of_influences_does_not_matter_t4(void **state) {
	(void)state;
	for_each(check_permutation);
}

static void check_equal_joints(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	random_motions(31, matrices);
	for (int i = 1; i < JOINTS; i++) {
		memcpy(matrices[i], matrices[0], sizeof matrices[0]);
	}
	struct skinned out;
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, out.positions, out.normals);
	for (int i = 0; i < VERTICES; i++) {
		double expected[3];
		map_vertex(matrices[0], rig->positions + i * 3, expected);
		for (int k = 0; k < 3; k++) {
			assert_near(out.positions[i * 3 + k], expected[k], 1e-5);
		}
	}
}

static void equal_joints_move_as_one_t5(void **state) {
	(void)state;
	for_each(check_equal_joints);
}

static void assert_sane(const struct skinned *out) {
	for (int i = 0; i < VERTICES; i++) {
		const float *n = out->normals + i * 3;
		assert_near(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-5);
		for (int k = 0; k < 3; k++) {
			assert_true(isfinite(out->positions[i * 3 + k]));
		}
	}
}

static void check_robust(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	random_motions(41, matrices);
	memset(matrices[0], 0, sizeof matrices[0]); // scaled to nothing
	memset(matrices[1], 0, 9 * sizeof *matrices[1]);
	matrices[3][0] = matrices[3][1] = matrices[3][2] = 0; // flattened
	for (int i = 0; i < 12; i++) {
		// Turned by 180 degrees against slot 4: antipodal in the blend.
		matrices[5][i] = (i % 4 == 1 || i % 4 == 3 ? 1 : -1) * matrices[4][i];
	}
	struct skinned out;
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, out.positions, out.normals);
	assert_sane(&out);
	for (size_t i = 0; i < rig->influence_count; i++) {
		rig->influence_weights[i] = i % 4 < 2 ? 0.5f : 0;
	}
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, out.positions, out.normals);
	assert_sane(&out);
}

static void degenerate_joints_give_finite_vertices_t7(void **state) {
	(void)state;
	for_each(check_robust);
}

static void check_partition(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	random_motions(51, matrices);
	const int count = rig->primitives[0].influence_count;
	struct skinned whole, split;
	for (int i = 0; i < VERTICES; i++) {
		float *w = rig->influence_weights + i * count;
		memset(w, 0, (size_t)count * sizeof *w);
		w[0] = 0.625f, w[1] = 0.375f;
	}
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, whole.positions, whole.normals);
	for (int i = 0; i < VERTICES; i++) {
		float *w = rig->influence_weights + i * count;
		w[1] = w[2] = 0.375f / 2;
		rig->influence_slots[i * count + 2] = rig->influence_slots[i * count + 1];
	}
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, split.positions, split.normals);
	for (int i = 0; i < VERTICES * 3; i++) {
		assert_near(split.positions[i], whole.positions[i], 2e-6);
	}
}

static void splitting_an_influence_changes_nothing_t8(void **state) {
	(void)state;
	for_each(check_partition);
}

static void check_same_bits(const struct skinning_method *method, struct rig *rig) {
	double matrices[JOINTS][12];
	random_motions(61, matrices);
	matrices[2][0] *= 3;
	memset(matrices[6], 0, sizeof matrices[6]); // some normals vanish
	struct skinned fast, plain;
	skin_matrices(
		rig, method, (const double(*)[12])matrices, false, fast.positions, fast.normals);
	skin_matrices(
		rig, method, (const double(*)[12])matrices, true, plain.positions, plain.normals);
	assert_memory_equal(fast.positions, plain.positions, sizeof fast.positions);
	assert_memory_equal(fast.normals, plain.normals, sizeof fast.normals);
}

static void fast_instructions_give_the_bits_of_plain_c(void **state) {
	(void)state;
	for_each(check_same_bits);
}

/* Streams of a whole rig, each an allocation of its own so that the sanitizers see its ends. */
struct outputs {
	float *positions, *normals, *tangents;
};

static struct outputs outputs_create(int vertex_count) {
	const size_t count = (size_t)vertex_count;
	const struct outputs out = {xcalloc(count * 3, sizeof(float)),
		xcalloc(count * 3, sizeof(float)), xcalloc(count * 4, sizeof(float))};
	// No number that skinning gives: where it is left, nothing was written.
	memset(out.positions, 0xff, count * 3 * sizeof(float));
	memset(out.normals, 0xff, count * 3 * sizeof(float));
	memset(out.tangents, 0xff, count * 4 * sizeof(float));
	return out;
}

static void outputs_destroy(struct outputs *out) {
	free(out->positions);
	free(out->normals);
	free(out->tangents);
}

/* A method on a rig in one pose. */
struct subject {
	const struct rig *rig;
	struct skin_library *library;
	struct arena *arena;
	struct skin_plan plan;
	struct skin_palette palette;
};

/* Skins count vertices of the rig as if they were a primitive. */
static struct outputs skin_span(const struct subject *subject, bool plain, int first, int count) {
	const struct rig *rig = subject->rig;
	const struct outputs out = outputs_create(rig->vertex_count);
	const struct skin_job job = {
		.rig = rig,
		.positions = rig->positions,
		.normals = rig->normals,
		.tangents = rig->tangents,
		.palette = subject->palette.floats,
		.options = &subject->plan.base.options,
		.data = subject->plan.base.data,
		.out_positions = out.positions,
		.out_normals = out.normals,
		.out_tangents = rig->tangents ? out.tangents : NULL,
	};
	const struct skin_kernel_stage *kernel = &subject->plan.base.method->kernel;
	struct primitive primitive = rig->primitives[0];
	primitive.first_vertex = first;
	primitive.vertex_count = count;
	primitive.first_influence = (size_t)(first * primitive.influence_count);
	(plain || !__builtin_cpu_supports("avx2") ? kernel->skin : kernel->skin_avx2)(
		&job, &primitive);
	return out;
}

/* In a stream of stride floats a vertex the span is the whole's, and the rest was not touched. */
static void assert_span(const float *span, const float *whole, int stride, int first, int count) {
	for (int i = 0; i < VERTICES * stride; i++) {
		const bool inside = first * stride <= i && i < (first + count) * stride;
		const unsigned untouched = ~0u;
		assert_memory_equal(
			&span[i], inside ? (const void *)&whole[i] : &untouched, sizeof *span);
	}
}

static void check_spans_of(const struct subject *subject) {
	const struct rig *rig = subject->rig;
	struct outputs whole = skin_span(subject, true, 0, VERTICES);
	for (int count = 0; count <= 18; count++) {
		for (int plain = 0; plain <= 1; plain++) {
			const int first = count % 2 ? 5 : VERTICES - count; // inside, at the end
			struct outputs span = skin_span(subject, plain, first, count);
			assert_span(span.positions, whole.positions, 3, first, count);
			assert_span(span.normals, whole.normals, 3, first, count);
			assert_span(
				span.tangents, whole.tangents, 4, first, rig->tangents ? count : 0);
			outputs_destroy(&span);
		}
	}
	outputs_destroy(&whole);
}

/* Random tangents in an array of the rig's own size, some along their normals. */
static float *random_tangents(const struct rig *rig) {
	float *tangents = xcalloc((size_t)rig->vertex_count * 4, sizeof *tangents);
	unsigned seed = 17;
	for (int i = 0; i < rig->vertex_count; i++) {
		for (int k = 0; k < 3; k++) {
			tangents[i * 4 + k] =
				i % 9 == 0 ? rig->normals[i * 3 + k] : (float)random_number(&seed);
		}
		tangents[i * 4 + 3] = i % 2 ? 1 : -1;
	}
	return tangents;
}

/* Joints of every kind: rigid, sheared, mirrored, flattened, scaled to nothing, antipodal. */
static void mixed_matrices(double (*matrices)[12]) {
	random_motions(71, matrices);
	matrices[1][0] *= 2, matrices[1][1] += 0.5;
	matrices[2][10] *= -1;
	memset(matrices[3], 0, 4 * sizeof *matrices[3]);
	memset(matrices[4], 0, sizeof matrices[4]);
	for (int i = 0; i < 12; i++) {
		matrices[6][i] = (i % 4 == 1 || i % 4 == 3 ? 1 : -1) * matrices[5][i];
	}
}

/* Runs a check on a rig in a pose of mixed matrices. */
static void check_subject(void (*check)(const struct subject *subject),
	const struct skinning_method *method, const struct rig *rig) {
	double matrices[JOINTS][12];
	mixed_matrices(matrices);
	struct subject subject = {
		.rig = rig, .library = skin_library_create(NULL, 0), .arena = arena_create()};
	subject.plan = plan_of(method, rig, subject.library);
	subject.rig = subject.plan.rig;
	subject.palette = palette_of(&subject.plan, (const double(*)[12])matrices, subject.arena);
	check(&subject);
	skin_plan_finish(&subject.plan);
	arena_destroy(subject.arena);
	skin_library_destroy(subject.library);
}

/* Runs a check with every kernel, on rigs of any number of influences, with tangents or without. */
static void for_each_kernel(void (*check)(const struct subject *subject)) {
	for (size_t i = 0; skin_method(i); i++) {
		const struct skinning_method *method = skin_method(i);
		for (int influences = 1; is_general(method) && influences <= 9; influences++) {
			struct rig *rig = rig_random(5, JOINTS, VERTICES, influences);
			check_subject(check, method, rig);
			float *tangents = rig->tangents = random_tangents(rig);
			check_subject(check, method, rig);
			rig->tangents = NULL;
			free(tangents);
			rig_release(rig);
		}
	}
}

static void bits_depend_on_the_vertex_alone(void **state) {
	(void)state;
	for_each_kernel(check_spans_of);
}

static void check_tangents(const struct subject *subject) {
	const struct rig *rig = subject->rig;
	if (!rig->tangents) {
		return;
	}
	struct outputs out = skin_span(subject, false, 0, VERTICES);
	for (int i = 0; i < VERTICES; i++) {
		const float *n = out.normals + i * 3, *t = out.tangents + i * 4;
		assert_near(sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]), 1, 1e-5);
		// A tangent 1e-3 rad from its normal loses three of seven digits.
		assert_near(n[0] * t[0] + n[1] * t[1] + n[2] * t[2], 0, 5e-4);
		assert_true(t[3] == rig->tangents[i * 4 + 3]);
	}
	outputs_destroy(&out);
}

static void tangents_are_unit_across_the_normal(void **state) {
	(void)state;
	for_each_kernel(check_tangents);
}

static void unknown_method_is_refused_with_the_list(void **state) {
	(void)state;
	const struct value id = {.kind = VALUE_STRING, .string = "lsb", .key = "skinning"};
	struct error err = {0};
	assert_null(skin_method_find(&id, &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_METHOD);
	for (size_t i = 0; skin_method(i); i++) {
		assert_non_null(strstr(err.text, skin_method(i)->id));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_method_is_refused_with_the_list),
		cmocka_unit_test(identity_changes_nothing_t1),
		cmocka_unit_test(bind_pose_changes_nothing_t1),
		cmocka_unit_test(rigid_motion_commutes_t2),
		cmocka_unit_test(single_influence_is_its_matrix_t3),
		cmocka_unit_test(units_of_the_bind_space_do_not_matter),
		cmocka_unit_test(order_of_influences_does_not_matter_t4),
		cmocka_unit_test(equal_joints_move_as_one_t5),
		cmocka_unit_test(degenerate_joints_give_finite_vertices_t7),
		cmocka_unit_test(splitting_an_influence_changes_nothing_t8),
		cmocka_unit_test(fast_instructions_give_the_bits_of_plain_c),
		cmocka_unit_test(bits_depend_on_the_vertex_alone),
		cmocka_unit_test(tangents_are_unit_across_the_normal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
