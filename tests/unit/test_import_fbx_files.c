// Real FBX files against ufbx, an independent reader: how far their vertices reach at rest and at
// times of each stack, on frames and between them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check.h"
#include "poses.h"
#include "shared_files.h"
#include "skinned.h"

#define TABLE "tests/unit/fbx_extents.tsv"
#define DIRECTIONS 7

/* Of the file's greatest extent: 1e-5 for keys, the rest for float32. */
#define TOLERANCE 2e-5

static const double directions[DIRECTIONS][3] = {
	{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, -1, 0.5}, {-0.5, 1, 1}, {1, 0.25, -1}};

struct row {
	char path[128];
	int stack;
	double time_s;
	double extents[DIRECTIONS][2];
};

static bool read_row(FILE *table, struct row *row) {
	char line[1024];
	do {
		if (!fgets(line, sizeof line, table)) {
			return false;
		}
	} while (line[0] == '#');
	int at;
	if (sscanf(line, "%127s %d %lf%n", row->path, &row->stack, &row->time_s, &at) != 3) {
		return false;
	}
	char *text = line + at;
	for (int d = 0; d < 2 * DIRECTIONS; d++) {
		row->extents[d / 2][d % 2] = strtod(text, &text);
	}
	return true;
}

static void find_extents(const struct rig *rig, const float *positions, double out[][2]) {
	for (int d = 0; d < DIRECTIONS; d++) {
		out[d][0] = INFINITY;
		out[d][1] = -INFINITY;
		for (int i = 0; i < rig->index_count; i++) {
			const struct primitive *p = rig->primitives;
			while (i >= p->first_index + p->index_count) {
				p++;
			}
			const float *v = &positions[3 * (p->first_vertex + (int)rig->indices[i])];
			double along = 0;
			for (int k = 0; k < 3; k++) {
				along += directions[d][k] * (double)v[k];
			}
			out[d][0] = fmin(out[d][0], along);
			out[d][1] = fmax(out[d][1], along);
		}
	}
}

static void check_row(struct rig *rig, const struct row *row) {
	struct arena *arena = arena_create();
	char text[64 + 256] = "'rest'";
	if (row->stack >= 0) {
		assert_true(row->stack < rig->clip_count);
		snprintf(text, sizeof text, "{'clip': '%s', 'time': %.9g}",
			rig->clips[row->stack].name, row->time_s);
	}
	const struct pose pose = pose_of(rig, arena, text);
	double extents[DIRECTIONS][2], size = 0;
	find_extents(rig, deformed(rig, &pose, arena), extents);
	for (int d = 0; d < 2 * DIRECTIONS; d++) {
		size = fmax(size, row->extents[d / 2][1] - row->extents[d / 2][0]);
	}
	for (int d = 0; d < 2 * DIRECTIONS; d++) {
		if (!(fabs(extents[d / 2][d % 2] - row->extents[d / 2][d % 2]) <=
			    TOLERANCE * size)) {
			fail_msg("%s, stack %d at %g s: reaches to %.9g along direction %d, not "
				 "%.9g",
				row->path, row->stack, row->time_s, extents[d / 2][d % 2], d / 2,
				row->extents[d / 2][d % 2]);
		}
	}
	arena_destroy(arena);
}

static void vertices_of_real_files_are_where_ufbx_has_them(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	struct row row = {0};
	struct rig *rig = NULL;
	char path[128] = "";
	int count = 0;
	assert_non_null(table);
	while (read_row(table, &row)) {
		if (strcmp(path, row.path) != 0) {
			rig_release(rig);
			rig = shared_rig(row.path);
			snprintf(path, sizeof path, "%s", row.path);
		}
		check_row(rig, &row);
		count++;
	}
	assert_true(count > 80);
	rig_release(rig);
	fclose(table);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vertices_of_real_files_are_where_ufbx_has_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
