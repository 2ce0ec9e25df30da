// The ways of linear blend skinning checked against one another, and the batches of some of them
// against METHODS A5.1 to A5.3.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/batches.h"
#include "skinned.h"
#include "tube23.h"

static const char *const ways[] = {"sw", "ffp1", "ffp2", "vsp1", "vsp2", "cg4m"};

#define WAYS (sizeof ways / sizeof *ways)

static struct batches cut(const struct rig *rig, int limit) {
	struct batches batches;
	struct error err = {0};
	assert_true(batches_make(rig, limit, NULL, &batches, &err));
	return batches;
}

static void tube23_has_the_known_batches(void **state) {
	(void)state;
	static const struct {
		int limit;
		size_t batches;
	} rows[] = {{4, 20}, {57, 1}, {8, 4}};
	struct rig *rig = rig_tube23();
	assert_int_equal(rig->vertex_count, 13206);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct batches batches = cut(rig, rows[i].limit);
		assert_int_equal(batches.count, rows[i].batches);
		assert_int_equal(batches.row_count, 13206);
		for (size_t k = 0; rows[i].limit == 4 && k < batches.count; k++) {
			assert_int_equal(batches.list[k].matrix_count, 4);
		}
		batches_finish(&batches);
	}
	rig_release(rig);
}

/* A rig with an indexed grid over random vertices of few joints each. */
static struct rig *indexed_rig(unsigned seed, int joints, int vertices) {
	struct rig *rig = rig_random(seed, joints, vertices, 4);
	const int triangles = vertices * 2;
	rig->indices = rig_storage(rig, (size_t)triangles * 3, sizeof *rig->indices, "", NULL);
	rig->index_count = rig->primitives[0].index_count = triangles * 3;
	for (int i = 0; i < triangles * 3; i++) {
		rig->indices[i] =
			(uint32_t)(i / 6 + (i % 3) * (1 + i / 3 % 2)) % (uint32_t)vertices;
	}
	for (int i = 0; i < vertices; i++) {
		// Neighbours have neighbouring joints; two in three vertices have two.
		const int first = i * (joints - 4) / vertices, kept = i % 3 == 0 ? 4 : 2;
		float *weights = rig->influence_weights + i * 4;
		const float sum = kept == 4 ? 1 : weights[0] + weights[1];
		for (int k = 0; k < 4; k++) {
			weights[k] = k < kept ? weights[k] / sum : 0;
			rig->influence_slots[i * 4 + k] = (uint16_t)(first + (k < kept ? k : 0));
		}
	}
	return rig;
}

static bool batch_has(const struct batches *batches, size_t batch, uint32_t vertex) {
	const struct skin_batch *of = &batches->list[batch];
	for (uint32_t i = of->first_row; i < of->first_row + of->row_count; i++) {
		if ((batches->rows[i] & ~BATCH_REPEATED) == vertex) {
			return true;
		}
	}
	return false;
}

static bool batch_has_slots(
	const struct rig *rig, const struct batches *batches, size_t batch, uint32_t vertex) {
	const struct skin_batch *of = &batches->list[batch];
	for (uint32_t k = vertex * 4; k < vertex * 4 + 4; k++) {
		bool found = false;
		for (uint32_t i = of->first_matrix; i < of->first_matrix + of->matrix_count; i++) {
			found |= batches->slots[i] == rig->influence_slots[k];
		}
		if (!found) {
			return false;
		}
	}
	return true;
}

static void every_vertex_is_written_once(void **state) {
	(void)state;
	struct rig *rig = indexed_rig(3, 40, 300);
	for (int limit = 4; limit <= 16; limit += 4) {
		struct batches batches = cut(rig, limit);
		int written[300] = {0};
		for (size_t i = 0; i < batches.row_count; i++) {
			if ((batches.rows[i] & BATCH_REPEATED) == 0) {
				written[batches.rows[i]]++;
			}
		}
		for (int i = 0; i < 300; i++) {
			assert_int_equal(written[i], 1);
		}
		assert_true(batches.row_count > 300); // shared by neighbouring batches
		batches_finish(&batches);
	}
	rig_release(rig);
}

static void triangles_within_the_limit_are_whole(void **state) {
	(void)state;
	struct rig *rig = indexed_rig(4, 40, 300);
	struct batches batches = cut(rig, 8);
	for (int i = 0; i < rig->index_count; i += 3) {
		bool whole = false;
		for (size_t b = 0; b < batches.count && !whole; b++) {
			whole = true;
			for (int k = i; k < i + 3; k++) {
				whole = whole && batch_has(&batches, b, rig->indices[k]);
			}
		}
		assert_true(whole);
	}
	for (size_t b = 0; b < batches.count; b++) {
		const struct skin_batch *batch = &batches.list[b];
		assert_true(batch->matrix_count <= 8);
		for (uint32_t i = batch->first_row; i < batch->first_row + batch->row_count; i++) {
			assert_true(batch_has_slots(
				rig, &batches, b, batches.rows[i] & ~BATCH_REPEATED));
		}
	}
	batches_finish(&batches);
	rig_release(rig);
}

/* Positions, normals and tangents of a rig in a pose. */
static void skin_whole(const struct rig *rig, const struct pose *pose, const char *way,
	const char *normals, float *out) {
	char skinning[128];
	snprintf(skinning, sizeof skinning, "{'method': 'lbs', 'impl': '%s'%s%s%s}", way,
		*normals ? ", 'normals': '" : "", normals, *normals ? "'" : "");
	skinned_with_tangents(rig, skinning, pose, out);
}

static double diagonal_of(const float *positions, int count) {
	double square = 0;
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		for (int i = 0; i < count; i++) {
			least = fmin(least, positions[i * 3 + k]);
			most = fmax(most, positions[i * 3 + k]);
		}
		square += (most - least) * (most - least);
	}
	return sqrt(square);
}

static void compare(const struct rig *rig, const struct pose *pose, const char *normals) {
	const size_t count = (size_t)rig->vertex_count;
	float *known = xcalloc(count * 10, sizeof *known), *out = xcalloc(count * 10, sizeof *out);
	skin_whole(rig, pose, "vsp3", normals, known);
	const double diagonal = diagonal_of(known, rig->vertex_count);
	for (size_t way = 0; way < WAYS; way++) {
		skin_whole(rig, pose, ways[way], normals, out);
		for (size_t i = 0; i < count * 10; i++) {
			// METHODS: 1e-5 of the diagonal; directions to 1e-4 where little is left.
			assert_near(out[i], known[i], i < count * 3 ? 1e-5 * diagonal : 1e-4);
		}
	}
	free(out);
	free(known);
}

static void add_tangents(struct rig *rig) {
	rig->tangents =
		rig_storage(rig, (size_t)rig->vertex_count * 4, sizeof *rig->tangents, "", NULL);
	for (int i = 0; i < rig->vertex_count; i++) {
		const float *n = rig->normals + i * 3;
		float *t = rig->tangents + i * 4;
		const double length = hypot(n[0], n[1]) + 1e-9;
		t[0] = (float)(-n[1] / length), t[1] = (float)(n[0] / length);
		t[3] = i % 2 ? 1 : -1;
	}
}

static void compare_all_normals(struct rig *rig, double degrees, float scale) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	tube23_pose(rig, degrees, &pose);
	for (int i = 0; i < rig->joint_count; i++) {
		pose.local[i].scale[i % 3] = scale;
	}
	add_tangents(rig);
	compare(rig, &pose, "");
	compare(rig, &pose, "same");
	compare(rig, &pose, "cof");
	compare(rig, &pose, "exact");
	arena_destroy(arena);
}

static void all_ways_come_to_the_same(void **state) {
	(void)state;
	struct rig *tube = rig_tube23();
	compare_all_normals(tube, 20, 1);
	compare_all_normals(tube, 10, 1.1f);
	rig_release(tube);
	struct rig *indexed = indexed_rig(7, 40, 300);
	compare_all_normals(indexed, 15, 1);
	rig_release(indexed);
	struct rig *single = rig_random(5, 7, 99, 1);
	compare_all_normals(single, 15, 1);
	rig_release(single);
}

/* True if the implementation accepts the rig; otherwise the error. */
static bool takes(const struct rig *rig, const char *skinning, struct error *err) {
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	bool ok = skin_plan_make(library, &params, &plan, err);
	if (ok) {
		double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, 96);
		const struct prepare_job job = {
			.rig = rig, .matrices = (const double(*)[12])matrices, .arena = arena};
		struct skin_palette palette;
		ok = skin_plan_prepare(&plan, &job, &palette, err);
		skin_plan_finish(&plan);
	}
	skin_library_destroy(library);
	arena_destroy(arena);
	return ok;
}

static void more_than_four_influences_are_refused(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, 12, 30, 8);
	for (size_t i = 0; i < WAYS; i++) {
		char skinning[64];
		snprintf(skinning, sizeof skinning, "{'method': 'lbs', 'impl': '%s'}", ways[i]);
		struct error err = {0};
		const bool any = strcmp(ways[i], "sw") == 0 || strcmp(ways[i], "vsp1") == 0;
		assert_int_equal(takes(rig, skinning, &err), any);
		assert_true(any || err.code == ERROR_INVALID_VALUE);
		assert_true(any || strstr(err.text, "4 influences"));
	}
	rig_release(rig);
}

static void the_cpus_way_is_refused_on_the_gpu(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct skinning_settings settings =
		settings_of(arena, "{'method': 'lbs', 'impl': 'sw', 'device': 'gpu'}");
	struct error err = {0};
	assert_true(skin_plan_check(NULL, &settings, &err));
	settings.device = DEVICE_GPU;
	assert_false(skin_plan_check(NULL, &settings, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_non_null(strstr(err.text, "CPU"));
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_than_four_influences_are_refused),
		cmocka_unit_test(the_cpus_way_is_refused_on_the_gpu),
		cmocka_unit_test(tube23_has_the_known_batches),
		cmocka_unit_test(every_vertex_is_written_once),
		cmocka_unit_test(triangles_within_the_limit_are_whole),
		cmocka_unit_test(all_ways_come_to_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
