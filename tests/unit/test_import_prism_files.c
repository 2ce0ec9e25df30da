// Prism's Fox against the glTF that it was made of: every vertex, in both layouts of the skin, at
// rest and at times of its clips, on keys and between them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "poses.h"
#include "prism_files.h"
#include "shared_files.h"
#include "skinned.h"

#define FOLDER "derived-public-fox-formats/"

/* Of the diagonal. */
#define TOLERANCE 1e-5

static void load(const char *name, struct buffer *out) {
	char path[4096];
	snprintf(path, sizeof path, "%s/" FOLDER "%s", shared_files(), name);
	FILE *stream = fopen(path, "rb");
	if (!stream) {
		print_message(
			"SKIPPED: no %s (POSED_SHARED_FILES says where such files are)\n", path);
		skip();
	}
	size_t count;
	do {
		count = fread(buffer_reserve(out, 1 << 16), 1, 1 << 16, stream);
		out->size += count;
	} while (count > 0);
	fclose(stream);
}

static struct rig *import_fox(const char *model) {
	static const char *const others[] = {"fox.pis", "fox_walk.pia", "fox_run.pia"};
	struct buffer bytes[4] = {0};
	struct prism_part parts[4];
	struct error err = {0};
	for (size_t i = 0; i < 4; i++) {
		load(i == 0 ? model : others[i - 1], &bytes[i]);
		parts[i] = (struct prism_part){
			i == 0 ? "fox.pim" : others[i - 1], bytes[i].data, bytes[i].size};
	}
	struct rig *rig = prism_import_parts(parts, 4, &err);
	for (size_t i = 0; i < 4; i++) {
		buffer_finish(&bytes[i]);
	}
	if (!rig) {
		fail_msg("%s: %s", model, err.text);
	}
	return rig;
}

static float *posed(const struct rig *rig, struct arena *arena, const char *expression) {
	const size_t numbers = 3 * (size_t)rig->vertex_count;
	float *positions = arena_alloc(arena, 2 * numbers, sizeof *positions);
	const struct pose pose = pose_of(rig, arena, expression);
	skinned_as(rig, "{'method': 'lbs'}", NULL, &pose, positions, positions + numbers);
	return positions;
}

static double diagonal_of(const float *positions, int count) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double min = INFINITY, max = -INFINITY;
		for (int i = 0; i < count; i++) {
			min = fmin(min, (double)positions[3 * i + k]);
			max = fmax(max, (double)positions[3 * i + k]);
		}
		sum += (max - min) * (max - min);
	}
	return sqrt(sum);
}

/* The greatest distance along an axis, of the diagonal. */
static double distance(const struct rig *fox, const char *clip, const struct rig *gltf,
	const char *gltf_clip, double time_s) {
	struct arena *arena = arena_create();
	char own[64] = "'rest'", other[64] = "'rest'";
	if (clip) {
		snprintf(own, sizeof own, "{'clip': '%s', 'time': %.9g}", clip, time_s);
		snprintf(other, sizeof other, "{'clip': '%s', 'time': %.9g}", gltf_clip, time_s);
	}
	const float *a = posed(fox, arena, own), *b = posed(gltf, arena, other);
	double worst = 0;
	for (int i = 0; i < 3 * gltf->vertex_count; i++) {
		worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
	}
	worst /= diagonal_of(b, gltf->vertex_count);
	arena_destroy(arena);
	return worst;
}

/* The walk has the glTF's keys, so that all times are the same; the run was sampled at 24 frames a
 * second from uneven keys, so that those frames are. */
static void check_model(const char *model) {
	struct rig *gltf = shared_rig("khronos-Fox/glTF-Binary/Fox.glb");
	struct rig *fox = import_fox(model);
	assert_int_equal(fox->vertex_count, gltf->vertex_count);
	assert_int_equal(fox->clip_count, 2);
	double worst = distance(fox, NULL, gltf, NULL, 0);
	for (int i = 0; i < 29; i++) {
		const double frame_s = (double)i / 24, between_s = (double)i / 40;
		worst = fmax(worst, distance(fox, "run", gltf, "Run", frame_s));
		worst = fmax(worst, distance(fox, "walk", gltf, "Walk", between_s));
	}
	print_message("%s: within %.2g of the diagonal\n", model, worst);
	assert_near(worst, 0, TOLERANCE);
	rig_release(fox);
	rig_release(gltf);
}

static void piece_skins_are_where_gltf_has_them(void **state) {
	(void)state;
	check_model("fox.pim");
}

static void skins_with_clones_are_where_gltf_has_them(void **state) {
	(void)state;
	check_model("fox_clones.pim");
}

/* Triangles of glTF are counter-clockwise, as those of the rig must be. */
static void triangles_are_turned_round(void **state) {
	(void)state;
	struct rig *gltf = shared_rig("khronos-Fox/glTF-Binary/Fox.glb");
	struct rig *fox = import_fox("fox.pim");
	assert_int_equal(fox->index_count, gltf->index_count);
	for (int i = 0; i < fox->index_count; i += 3) {
		const uint32_t *a = &fox->indices[i], *b = &gltf->indices[i];
		int turn = 0;
		while (turn < 3 && a[turn] != b[0]) {
			turn++;
		}
		assert_true(turn < 3);
		assert_int_equal(a[(turn + 1) % 3], b[1]);
		assert_int_equal(a[(turn + 2) % 3], b[2]);
	}
	rig_release(fox);
	rig_release(gltf);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(piece_skins_are_where_gltf_has_them),
		cmocka_unit_test(skins_with_clones_are_where_gltf_has_them),
		cmocka_unit_test(triangles_are_turned_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
