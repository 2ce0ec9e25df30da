// Rules on triangles and vertices, on a flat grid with faults put in by hand.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "gltf_builder.h"

/* Squares on a side, of two triangles each, facing +z; the normals, too. */
#define SIDE 10
#define ROW (SIDE + 1)
#define VERTICES (ROW * ROW)
#define TRIANGLES (SIDE * SIDE * 2)
#define MORE 40

struct grid {
	float positions[VERTICES + MORE][3], normals[VERTICES + MORE][3];
	float texcoords[VERTICES + MORE][2];
	uint16_t indices[TRIANGLES + MORE][3];
	size_t vertex_count, triangle_count;
	bool double_sided;
};

static struct grid make_grid(void) {
	struct grid grid = {.vertex_count = VERTICES};
	for (int i = 0; i < VERTICES; i++) {
		const float x = (float)(i % ROW), y = (float)(i / ROW);
		grid.positions[i][0] = grid.texcoords[i][0] = x;
		grid.positions[i][1] = grid.texcoords[i][1] = y;
		grid.normals[i][2] = 1;
	}
	for (int i = 0; i < SIDE * SIDE; i++) {
		const int at = i / SIDE * ROW + i % SIDE;
		const uint16_t corners[2][3] = {
			{(uint16_t)at, (uint16_t)(at + 1), (uint16_t)(at + ROW)},
			{(uint16_t)(at + 1), (uint16_t)(at + ROW + 1), (uint16_t)(at + ROW)}};
		memcpy(grid.indices[grid.triangle_count], corners, sizeof corners);
		grid.triangle_count += 2;
	}
	return grid;
}

#define PNG_OF_ONE_PIXEL \
	"data:image/" \
	"png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQ" \
	"GAhKmMIQAAAABJRU5ErkJggg=="

static struct checked check_grid(const struct grid *grid) {
	struct gltf_builder b = {0};
	const size_t count = grid->vertex_count, triangles = grid->triangle_count;
	add_data(&b, "VEC3", F32, count, grid->positions, count * 12);
	add_data(&b, "VEC3", F32, count, grid->normals, count * 12);
	add_data(&b, "VEC2", F32, count, grid->texcoords, count * 8);
	add_data(&b, "SCALAR", U16, triangles * 3, grid->indices, triangles * 6);
	char members[1200];
	snprintf(members, sizeof members,
		"\"nodes\": [{\"mesh\": 0}], \"images\": [{\"uri\": \"" PNG_OF_ONE_PIXEL
		"\"}], \"textures\": [{\"source\": 0}], \"materials\": [{\"doubleSided\": %s, "
		"\"pbrMetallicRoughness\": {\"baseColorTexture\": {\"index\": 0}}}], \"meshes\": [{"
		"\"primitives\": [{\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, "
		"\"TEXCOORD_0\": 2}, \"indices\": 3, \"material\": 0}]}]",
		grid->double_sided ? "true" : "false");
	size_t size;
	unsigned char *glb = build_glb(&b, members, &size);
	const struct checked checked = checked_bytes(glb, size, CHECK_PROFILE_GAME);
	free(glb);
	gltf_builder_finish(&b);
	return checked;
}

/* Checks a grid whose only fault is one of these. */
static void expect(
	const struct grid *grid, const char *rule, double value, enum check_level level) {
	static const char *const rules[] = {"mesh/nonfinite", "mesh/normal_length", "mesh/winding",
		"mesh/degenerate", "mesh/duplicate_triangles", "mesh/duplicate_vertices",
		"mesh/unreferenced", "mesh/texel_density"};
	struct checked checked = check_grid(grid);
	assert_near(checked_value(&checked, rule, NULL), value, 1e-6);
	const struct check_finding *finding = checked_finding(&checked, rule, NULL);
	assert_int_equal(finding ? finding->level : CHECK_OK, level);
	if (finding && finding->at.triangle_count + finding->at.vertex_count > 0) {
		assert_string_equal(finding->at.pointer, "/meshes/0/primitives/0");
	}
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct check_finding *other = checked_finding(&checked, rules[i], NULL);
		if (other && strcmp(rules[i], rule) != 0) {
			fail_msg("%s speaks of a fault of %s: %s", rules[i], rule, other->message);
		}
	}
	checked_finish(&checked);
}

static void a_sound_grid_is_quiet(void **state) {
	(void)state;
	const struct grid grid = make_grid();
	expect(&grid, "mesh/winding", 0, CHECK_OK);
	expect(&grid, "mesh/texel_density", 1, CHECK_OK);
}

static void turn(uint16_t triangle[static 3]) {
	const uint16_t second = triangle[1];
	triangle[1] = triangle[2];
	triangle[2] = second;
}

static void counts_triangles_against_their_normals(void **state) {
	(void)state;
	static const struct {
		int turned;
		enum check_level level;
	} rows[] = {{1, CHECK_NOTE}, {5, CHECK_WARNING}, {41, CHECK_ERROR}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct grid grid = make_grid();
		for (int k = 0; k < rows[i].turned; k++) {
			turn(grid.indices[3 * k]);
		}
		expect(&grid, "mesh/winding", rows[i].turned / (double)TRIANGLES, rows[i].level);
	}
}

/* All corners in one point, two in one, and three on a line. */
static void counts_triangles_without_area(void **state) {
	(void)state;
	struct grid grid = make_grid();
	// Row 0 of the grid ends at vertex 10: 0, 1 and 2 are on a line.
	const uint16_t flat[3][3] = {{5, 5, 5}, {0, 1, 1}, {0, 1, 2}};
	memcpy(grid.indices[grid.triangle_count], flat, sizeof flat);
	grid.triangle_count += 3;
	expect(&grid, "mesh/degenerate", 3 / (double)(TRIANGLES + 3), CHECK_WARNING);
}

static void counts_triangles_in_one_place(void **state) {
	(void)state;
	for (int sides = 0; sides < 2; sides++) {
		for (int turned = 0; turned < 2; turned++) {
			struct grid grid = make_grid();
			grid.double_sided = sides;
			for (int i = 0; i < 4; i++) {
				uint16_t *copy = grid.indices[grid.triangle_count++];
				memcpy(copy, grid.indices[7 * i], 3 * sizeof *copy);
				if (turned) {
					turn(copy);
				}
			}
			// The backs of a single-sided surface are meant; they are no fault.
			struct checked checked = check_grid(&grid);
			assert_near(checked_value(&checked, "mesh/duplicate_triangles", NULL),
				turned && !sides ? 0 : 4 / (double)(TRIANGLES + 4), 1e-9);
			checked_finish(&checked);
		}
	}
}

/* Three of each: the third is one too many, whatever its side. */
static void counts_each_repetition(void **state) {
	(void)state;
	struct grid grid = make_grid();
	for (int i = 0; i < 2; i++) {
		uint16_t *copy = grid.indices[grid.triangle_count++];
		memcpy(copy, grid.indices[0], 3 * sizeof *copy);
		turn(copy);
	}
	struct checked checked = check_grid(&grid);
	assert_near(checked_value(&checked, "mesh/duplicate_triangles", NULL),
		1 / (double)(TRIANGLES + 2), 1e-9);
	checked_finish(&checked);
}

static void counts_vertices_that_nothing_uses(void **state) {
	(void)state;
	struct grid grid = make_grid();
	for (int i = 0; i < 2; i++) {
		const size_t at = grid.vertex_count++;
		grid.positions[at][2] = (float)(i + 1) / 8;
		grid.normals[at][2] = 1;
	}
	expect(&grid, "mesh/unreferenced", 2 / (double)(VERTICES + 2), CHECK_NOTE);
}

/* Copies that triangles use in the place of the originals. */
static void counts_vertices_that_are_there_twice(void **state) {
	(void)state;
	struct grid grid = make_grid();
	for (size_t i = 0; i < 10; i++) {
		const size_t from = 2 * i, at = grid.vertex_count++;
		memcpy(grid.positions[at], grid.positions[from], sizeof grid.positions[0]);
		memcpy(grid.normals[at], grid.normals[from], sizeof grid.normals[0]);
		memcpy(grid.texcoords[at], grid.texcoords[from], sizeof grid.texcoords[0]);
		size_t k = 0;
		while (grid.indices[k / 3][k % 3] != from) {
			k++;
		}
		grid.indices[k / 3][k % 3] = (uint16_t)at;
	}
	// Some vertices have but one triangle, whose original is then not used.
	struct checked checked = check_grid(&grid);
	assert_near(checked_value(&checked, "mesh/duplicate_vertices", NULL),
		10 / (double)(VERTICES + 10), 1e-9);
	assert_int_equal(
		checked_finding(&checked, "mesh/duplicate_vertices", NULL)->level, CHECK_NOTE);
	checked_finish(&checked);
}

static void counts_normals_of_another_length(void **state) {
	(void)state;
	struct grid grid = make_grid();
	for (int i = 0; i < 2; i++) {
		grid.normals[i][2] = 2;
	}
	expect(&grid, "mesh/normal_length", 2 / (double)VERTICES, CHECK_WARNING);
	for (int i = 0; i < 25; i++) {
		grid.normals[i][2] = i < 20 ? 0.9f : NAN;
	}
	expect(&grid, "mesh/normal_length", 25 / (double)VERTICES, CHECK_ERROR);
}

/* A half of the surface has 81 times the texels of the other: 9 times as many per length. */
static void compares_texels_per_length(void **state) {
	(void)state;
	struct grid grid = make_grid();
	for (int i = 0; i < VERTICES; i++) {
		const float y = grid.positions[i][1];
		grid.texcoords[i][1] = y <= 5 ? y : 5 + 81 * (y - 5);
	}
	expect(&grid, "mesh/texel_density", 9, CHECK_NOTE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_grid_is_quiet),
		cmocka_unit_test(counts_triangles_against_their_normals),
		cmocka_unit_test(counts_triangles_without_area),
		cmocka_unit_test(counts_triangles_in_one_place),
		cmocka_unit_test(counts_each_repetition),
		cmocka_unit_test(counts_vertices_that_nothing_uses),
		cmocka_unit_test(counts_vertices_that_are_there_twice),
		cmocka_unit_test(counts_normals_of_another_length),
		cmocka_unit_test(compares_texels_per_length),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
