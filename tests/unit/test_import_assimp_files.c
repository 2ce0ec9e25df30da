// Real files that Assimp reads: the Fox in other formats against the glTF that it was made of.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "import/import.h"
#include "poses.h"
#include "shared_files.h"
#include "skinned.h"
#include "zip_builder.h"

#define FOLDER "derived-public-fox-formats/"

/* Of the diagonal: the formats print decimals. */
#define TOLERANCE 1e-4

static void add_file(struct zip_builder *b, const char *name) {
	char path[4096];
	struct buffer bytes = {0};
	snprintf(path, sizeof path, "%s/" FOLDER "%s", shared_files(), name);
	FILE *stream = fopen(path, "rb");
	if (!stream) {
		print_message(
			"SKIPPED: no %s (POSED_SHARED_FILES says where such files are)\n", path);
		skip();
	}
	size_t count;
	do {
		count = fread(buffer_reserve(&bytes, 1 << 16), 1, 1 << 16, stream);
		bytes.size += count;
	} while (count > 0);
	fclose(stream);
	zip_builder_add(b, name, bytes.data, bytes.size);
	buffer_finish(&bytes);
}

static struct rig *zipped(const char *const *names) {
	struct zip_builder b = {0};
	struct error err = {0};
	size_t size;
	for (; *names; names++) {
		add_file(&b, *names);
	}
	unsigned char *bytes = zip_builder_finish(&b, &size);
	struct rig *rig = import_rig(bytes, size, &err);
	free(bytes);
	assert_string_equal(err.text, "");
	return rig;
}

/* Positions of the corners of all triangles, in their order. */
static double (*corners(const struct rig *rig, struct arena *arena, const char *text))[3] {
	float *positions = arena_alloc(arena, 3 * (size_t)rig->vertex_count, sizeof *positions);
	float *normals = arena_alloc(arena, 3 * (size_t)rig->vertex_count, sizeof *normals);
	double(*out)[3] = arena_alloc(arena, (size_t)rig->index_count, sizeof *out);
	const struct pose pose = pose_of(rig, arena, text);
	skinned_as(rig, "{'method': 'lbs'}", NULL, &pose, positions, normals);
	for (int i = 0; i < rig->index_count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i][k] = (double)positions[3 * rig->indices[i] + (uint32_t)k];
		}
	}
	return out;
}

static double diagonal_of(double (*points)[3], int count) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		for (int i = 0; i < count; i++) {
			least = fmin(least, points[i][k]);
			most = fmax(most, points[i][k]);
		}
		sum += (most - least) * (most - least);
	}
	return sqrt(sum);
}

/* Of two triangles that go round in the same sense, from whichever corner. */
static double triangle_distance(double (*a)[3], double (*b)[3]) {
	double least = INFINITY;
	for (int turn = 0; turn < 3; turn++) {
		double worst = 0;
		for (int i = 0; i < 9; i++) {
			worst = fmax(worst, fabs(a[i / 3][i % 3] - b[(i / 3 + turn) % 3][i % 3]));
		}
		least = fmin(least, worst);
	}
	return least;
}

static void expect_same_place(
	const struct rig *rig, const char *text, const struct rig *fox, const char *fox_text) {
	struct arena *arena = arena_create();
	assert_int_equal(rig->index_count, fox->index_count);
	double(*own)[3] = corners(rig, arena, text), (*right)[3] = corners(fox, arena, fox_text);
	double worst = 0;
	for (int i = 0; i < rig->index_count; i += 3) {
		worst = fmax(worst, triangle_distance(&own[i], &right[i]));
	}
	worst /= diagonal_of(right, fox->index_count);
	if (!(worst <= TOLERANCE)) {
		fail_msg("%s: off by %g of the diagonal", text, worst);
	}
	arena_destroy(arena);
}

/* On frames of the clip and between them. */
static void expect_same_clips(const struct rig *rig, const struct rig *fox,
	const char *const *clips, const char *const *fox_clips) {
	expect_same_place(rig, "'rest'", fox, "'rest'");
	for (; *clips; clips++, fox_clips++) {
		static const double times[] = {0, 0.125, 5 / 24.0, 0.5, 0.66};
		for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
			char text[128], fox_text[128];
			snprintf(text, sizeof text, "{'clip': '%s', 'time': %.17g}", *clips,
				times[i]);
			snprintf(fox_text, sizeof fox_text, "{'clip': '%s', 'time': %.17g}",
				*fox_clips, times[i]);
			expect_same_place(rig, text, fox, fox_text);
		}
	}
}

static void md5_is_where_gltf_is(void **state) {
	(void)state;
	static const char *const names[] = {"fox.md5mesh", "fox_walk.md5anim",
		"fox_walk_full.md5anim", "fox_run.md5anim", "fox_run_full.md5anim", NULL};
	static const char *const clips[] = {"walk", "walk_full", "run", "run_full", NULL};
	static const char *const same[] = {"Walk", "Walk", "Run", "Run", NULL};
	struct rig *fox = shared_rig("khronos-Fox/glTF-Binary/Fox.glb");
	struct rig *rig = zipped(names);
	expect_same_clips(rig, fox, clips, same);
	rig_release(rig);
	rig_release(fox);
}

static void ogre_is_where_gltf_is(void **state) {
	(void)state;
	static const char *const binary[] = {"fox.mesh", "fox.skeleton", NULL};
	static const char *const xml[] = {"fox.mesh.xml", "fox.skeleton.xml", NULL};
	static const char *const clips[] = {"walk", "run", NULL};
	static const char *const same[] = {"Walk", "Run", NULL};
	struct rig *fox = shared_rig("khronos-Fox/glTF-Binary/Fox.glb");
	for (int i = 0; i < 2; i++) {
		struct rig *rig = zipped(i ? xml : binary);
		expect_same_clips(rig, fox, clips, same);
		rig_release(rig);
	}
	rig_release(fox);
}

/* --- BVH against a forward kinematics of its own, in bvh_positions.py --- */

#define BVH_TABLE "tests/unit/bvh_positions.tsv"
#define COLLADA_TABLE "tests/unit/collada_positions.tsv"

/* Of the farthest point of a file. */
#define JOINT_TOLERANCE 1e-6

struct row {
	char kind; // 'J' = a joint, 'M' = least and greatest of a mesh
	char path[128], name[64];
	double time_s, place[6]; // -1 = at rest
};

/* A name with blanks is written with lines. */
static int find_joint(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->joint_count; i++) {
		bool same = strlen(rig->joints[i].name) == strlen(name);
		for (size_t k = 0; same && name[k]; k++) {
			const char c = rig->joints[i].name[k];
			same = c == name[k] || (c == ' ' && name[k] == '_');
		}
		if (same) {
			return i;
		}
	}
	fail_msg("no joint %s", name);
	return -1;
}

static double joint_distance(
	const struct rig *rig, const struct pose *pose, const struct row *row) {
	double world[12], worst = 0;
	pose_joint_world(rig, pose, find_joint(rig, row->name), world);
	for (int k = 0; k < 3; k++) {
		worst = fmax(worst, fabs(world[k * 4 + 3] - row->place[k]));
	}
	return worst;
}

/* The first mesh with a skin. */
static double mesh_distance(
	struct rig *rig, const struct pose *pose, const struct row *row, struct arena *arena) {
	float *positions = arena_alloc(arena, 3 * (size_t)rig->vertex_count, sizeof *positions);
	float *normals = arena_alloc(arena, 3 * (size_t)rig->vertex_count, sizeof *normals);
	const struct primitive *p = rig->primitives;
	while (!p->skinned) {
		p++;
	}
	skinned_as(rig, "{'method': 'lbs'}", NULL, pose, positions, normals);
	double worst = 0;
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			least = fmin(least, (double)positions[3 * v + k]);
			most = fmax(most, (double)positions[3 * v + k]);
		}
		worst = fmax(worst, fabs(least - row->place[k]));
		worst = fmax(worst, fabs(most - row->place[3 + k]));
	}
	return worst;
}

static double distance(struct rig *rig, const struct row *row) {
	struct arena *arena = arena_create();
	char text[128] = "'rest'";
	if (row->time_s >= 0) {
		snprintf(text, sizeof text, "{'clip': '%s', 'time': %.17g}", rig->clips[0].name,
			row->time_s);
	}
	const struct pose pose = pose_of(rig, arena, text);
	const double far = row->kind == 'J' ? joint_distance(rig, &pose, row)
					    : mesh_distance(rig, &pose, row, arena);
	arena_destroy(arena);
	return far;
}

static bool read_row(FILE *table, struct row *row) {
	const int count = fscanf(table, " %c %127s %lf %63s %lf %lf %lf", &row->kind, row->path,
		&row->time_s, row->name, &row->place[0], &row->place[1], &row->place[2]);
	return count == 7 &&
		(row->kind == 'J' ||
			fscanf(table, "%lf %lf %lf", &row->place[3], &row->place[4],
				&row->place[5]) == 3);
}

static void check_table(const char *path, int rows) {
	FILE *table = fopen(path, "r");
	struct row row = {0};
	struct rig *rig = NULL;
	char last[128] = "";
	int count = 0;
	double farthest = 0;
	assert_non_null(table);
	for (; read_row(table, &row); count++) {
		if (strcmp(last, row.path) != 0) {
			rig_release(rig);
			rig = shared_rig(row.path);
			snprintf(last, sizeof last, "%s", row.path);
			farthest = 0;
		}
		for (int k = 0; k < 3; k++) {
			farthest = fmax(farthest, fabs(row.place[k]));
		}
		const double far = distance(rig, &row);
		if (!(far <= JOINT_TOLERANCE * fmax(farthest, 1))) {
			fail_msg("%s at %g s: %s off by %g", row.path, row.time_s, row.name, far);
		}
	}
	assert_int_equal(count, rows);
	rig_release(rig);
	fclose(table);
}

static void joints_of_bvh_are_where_kinematics_puts_them(void **state) {
	(void)state;
	check_table(BVH_TABLE, 140);
}

/* --- COLLADA against a reader of its own, in collada_positions.py --- */

static void collada_is_where_another_reader_has_it(void **state) {
	(void)state;
	check_table(COLLADA_TABLE, 1811);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(md5_is_where_gltf_is),
		cmocka_unit_test(ogre_is_where_gltf_is),
		cmocka_unit_test(joints_of_bvh_are_where_kinematics_puts_them),
		cmocka_unit_test(collada_is_where_another_reader_has_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
