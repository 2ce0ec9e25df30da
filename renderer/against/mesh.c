// The sizes and texture coordinates of both versions' meshes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against/pairing.h"
#include "check/rules.h"

static int count_triangles(const struct rig *rig) {
	int count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		count += p->topology == TOPOLOGY_TRIANGLES ? p->index_count / 3 : 0;
	}
	return count;
}

static void compare_sizes(const struct against *against) {
	const struct rig *before = against->before->rig, *after = against->after->rig;
	const int triangles[2] = {count_triangles(before), count_triangles(after)};
	const int differences = abs(after->vertex_count - before->vertex_count) +
		abs(triangles[1] - triangles[0]) +
		abs(after->primitive_count - before->primitive_count);
	struct check_value value = check_value(differences);
	check_value_param(&value, "vertices_before", before->vertex_count);
	check_value_param(&value, "vertices_after", after->vertex_count);
	check_value_param(&value, "triangles_before", triangles[0]);
	check_value_param(&value, "triangles_after", triangles[1]);
	check_value_param(&value, "primitives_before", before->primitive_count);
	check_value_param(&value, "primitives_after", after->primitive_count);
	check_emit(against->figure, &check_rule_diff_topology, &value);
}

/* A vertex' place and texture coordinates: what tells it from others. */
#define PRINT_FLOATS (3 + 2 * TEXCOORD_SETS)

struct print {
	float numbers[PRINT_FLOATS];
	uint32_t vertex;
};

static int compare_prints(const void *a, const void *b) {
	return memcmp(((const struct print *)a)->numbers, ((const struct print *)b)->numbers,
		sizeof((const struct print *)a)->numbers);
}

static struct print print_of(const struct rig *rig, int vertex, bool with_place) {
	struct print print = {.vertex = (uint32_t)vertex};
	// A negative zero is a zero.
	for (int k = 0; with_place && k < 3; k++) {
		print.numbers[k] = rig->positions[3 * vertex + k] + 0.0f;
	}
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		for (int k = 0; rig->texcoords[set] && k < 2; k++) {
			print.numbers[3 + 2 * set + k] = rig->texcoords[set][2 * vertex + k] + 0.0f;
		}
	}
	return print;
}

static bool is_known(const struct against *against, const struct print *known, int vertex) {
	const struct print print = print_of(against->after->rig, vertex, !against->same_mesh);
	if (against->same_mesh) {
		return compare_prints(&print, &known[vertex]) == 0;
	}
	return bsearch(&print, known, (size_t)against->before->rig->vertex_count, sizeof *known,
		       compare_prints) != NULL;
}

static void compare_texcoords(const struct against *against) {
	const struct rig *before = against->before->rig;
	struct print *known =
		arena_alloc(against->arena, (size_t)before->vertex_count, sizeof *known);
	uint32_t vertices[CHECK_ELEMENTS_MAX];
	int count = 0;
	for (int v = 0; v < before->vertex_count; v++) {
		known[v] = print_of(before, v, !against->same_mesh);
	}
	if (!against->same_mesh && before->vertex_count > 1) {
		qsort(known, (size_t)before->vertex_count, sizeof *known, compare_prints);
	}
	for (int v = 0; v < against->after->rig->vertex_count; v++) {
		if (!is_known(against, known, v)) {
			if (count < CHECK_ELEMENTS_MAX) {
				vertices[count] = (uint32_t)v;
			}
			count++;
		}
	}
	struct check_value value = check_value(count);
	value.vertices = vertices;
	value.vertex_count = (size_t)(count < CHECK_ELEMENTS_MAX ? count : CHECK_ELEMENTS_MAX);
	check_emit(against->figure, &check_rule_diff_uv, &value);
}

void against_mesh(const struct against *against) {
	compare_sizes(against);
	compare_texcoords(against);
}
