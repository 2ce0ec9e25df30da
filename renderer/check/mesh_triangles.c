// Triangles as the file has them: mesh/winding, mesh/degenerate, mesh/duplicate_triangles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "check/rules.h"
#include "check/surface.h"
#include "check/weld.h"

/* Share of the square of a primitive's largest side that a triangle without area is below. */
#define AREA_MIN 1e-10

/* Share of that side within which positions are one. */
#define WELD 1e-6

/* Triangles with a fault. */
struct faults {
	int count;
	uint32_t triangles[CHECK_ELEMENTS_MAX]; // the first ones
	size_t listed;
};

struct counts {
	int all, with_normals;
	struct faults turned, degenerate, duplicate;
};

/* A triangle by its points, the lowest first. */
struct key {
	int points[3];
	bool odd; // the other way round
	uint32_t triangle;
};

/* A primitive while it is looked at. */
struct looking {
	const struct check_asset *asset;
	const struct primitive *p;
	bool has_normals, double_sided;
	double side; // the largest of its box
	struct arena *scratch;
	struct key *keys; // [key_count] of triangles with an area
	int key_count;
};

static void add(struct faults *faults, uint32_t triangle) {
	faults->count++;
	if (faults->listed < CHECK_ELEMENTS_MAX) {
		faults->triangles[faults->listed++] = triangle;
	}
}

static void load(const float *from, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = (double)from[i];
	}
}

/* The corners of a triangle in the rig's vertices; false where one is not finite. */
static bool corners_of(const struct looking *looking, int first_index, int out[static 3]) {
	bool finite = true;
	for (int i = 0; i < 3; i++) {
		out[i] = looking->p->first_vertex +
			(int)looking->asset->rig->indices[first_index + i];
		finite = finite && !looking->asset->nonfinite[out[i]];
	}
	return finite;
}

static double largest_side(const struct check_asset *asset, const struct primitive *p) {
	double side = 0;
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			const double at = (double)asset->rig->positions[v * 3 + k];
			least = asset->nonfinite[v] ? least : fmin(least, at);
			most = asset->nonfinite[v] ? most : fmax(most, at);
		}
		side = fmax(side, most - least);
	}
	return side;
}

static bool is_turned(
	const struct rig *rig, const int corners[static 3], const double normal[static 3]) {
	double sum[3] = {0};
	for (int i = 0; i < 3; i++) {
		double own[3];
		load(&rig->normals[corners[i] * 3], own);
		for (int k = 0; k < 3; k++) {
			sum[k] += own[k];
		}
	}
	return vec3_dot(normal, sum) < 0;
}

/* Rotated so that the lowest point is first; odd where the other two descend. */
static struct key key_of(const int points[static 3], uint32_t triangle) {
	int lowest = points[1] < points[0];
	lowest = points[2] < points[lowest] ? 2 : lowest;
	const int second = points[(lowest + 1) % 3], third = points[(lowest + 2) % 3];
	const bool odd = second > third;
	return (struct key){
		{points[lowest], odd ? third : second, odd ? second : third}, odd, triangle};
}

static void look_at(
	struct looking *looking, int first_index, const int *points, struct counts *counts) {
	const struct rig *rig = looking->asset->rig;
	const uint32_t triangle = (uint32_t)first_index / 3;
	double a[3], b[3], c[3], normal[3];
	int corners[3];
	counts->all++;
	if (!corners_of(looking, first_index, corners)) {
		return;
	}
	load(&rig->positions[corners[0] * 3], a);
	load(&rig->positions[corners[1] * 3], b);
	load(&rig->positions[corners[2] * 3], c);
	check_cross(a, b, c, normal);
	if (0.5 * vec3_length(normal) < AREA_MIN * looking->side * looking->side) {
		add(&counts->degenerate, triangle);
		return;
	}
	counts->with_normals += looking->has_normals;
	if (looking->has_normals && is_turned(rig, corners, normal)) {
		add(&counts->turned, triangle);
	}
	const int welded[3] = {points[corners[0] - looking->p->first_vertex],
		points[corners[1] - looking->p->first_vertex],
		points[corners[2] - looking->p->first_vertex]};
	looking->keys[looking->key_count++] = key_of(welded, triangle);
}

static int compare_keys(const void *first, const void *second) {
	const struct key *a = first, *b = second;
	for (int i = 0; i < 3; i++) {
		if (a->points[i] != b->points[i]) {
			return a->points[i] < b->points[i] ? -1 : 1;
		}
	}
	return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Counts triangles over the same points as an earlier one. The backs of a single-sided surface are
 * made so on purpose. */
static void find_duplicates(struct looking *looking, struct counts *counts) {
	struct key *keys = looking->keys;
	if (looking->key_count > 1) {
		qsort(keys, (size_t)looking->key_count, sizeof *keys, compare_keys);
	}
	bool seen[2] = {false}; // this way round and the other
	for (int i = 0; i < looking->key_count; i++) {
		const bool first = i == 0 ||
			memcmp(keys[i].points, keys[i - 1].points, sizeof keys[i].points) != 0;
		if (first) {
			seen[0] = seen[1] = false;
		}
		if (!first && (seen[keys[i].odd] || looking->double_sided)) {
			add(&counts->duplicate, keys[i].triangle);
		}
		seen[keys[i].odd] = true;
	}
}

static int *weld(const struct looking *looking) {
	const struct primitive *p = looking->p;
	double(*positions)[3] =
		arena_alloc(looking->scratch, (size_t)p->vertex_count, sizeof *positions);
	for (int i = 0; i < p->vertex_count; i++) {
		load(&looking->asset->rig->positions[(p->first_vertex + i) * 3], positions[i]);
	}
	const double tolerance = looking->side > 0 ? WELD * looking->side : 1;
	return check_weld(
		(const double(*)[3])positions, p->vertex_count, tolerance, NULL, looking->scratch);
}

static void look_at_primitive(const struct check_asset *asset, int index, struct counts *counts) {
	const struct primitive *p = &asset->rig->primitives[index];
	struct looking looking = {
		.asset = asset,
		.p = p,
		.has_normals = asset->facts->primitives[index].has_normals,
		.double_sided = p->material >= 0 && asset->rig->materials[p->material].double_sided,
		.side = largest_side(asset, p),
		.scratch = arena_create(),
	};
	looking.keys =
		arena_alloc(looking.scratch, (size_t)p->index_count / 3, sizeof *looking.keys);
	const int *points = weld(&looking);
	for (int i = p->first_index; i + 2 < p->first_index + p->index_count; i += 3) {
		look_at(&looking, i, points, counts);
	}
	find_duplicates(&looking, counts);
	arena_destroy(looking.scratch);
}

static void emit(struct check_sink *sink, const struct check_rule *rule,
	const struct faults *faults, int all) {
	struct check_value value = check_value(all > 0 ? (double)faults->count / all : 0);
	value.triangles = faults->triangles;
	value.triangle_count = faults->listed;
	check_value_param(&value, "triangles", faults->count);
	check_emit(sink, rule, &value);
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	struct counts *counts = arena_alloc(arena, 1, sizeof *counts);
	for (int i = 0; i < asset->rig->primitive_count; i++) {
		if (asset->rig->primitives[i].topology == TOPOLOGY_TRIANGLES) {
			look_at_primitive(asset, i, counts);
		}
	}
	emit(sink, &check_rule_mesh_degenerate, &counts->degenerate, counts->all);
	emit(sink, &check_rule_mesh_duplicate_triangles, &counts->duplicate, counts->all);
	if (counts->with_normals > 0) {
		emit(sink, &check_rule_mesh_winding, &counts->turned, counts->all);
	} else {
		check_skip(sink, &check_rule_mesh_winding, "no normals in the file");
	}
}

static const struct check_pass pass = {.needs = CHECK_NEEDS_TRIANGLES, .asset = look};

const struct check_rule check_rule_mesh_winding = {
	.info =
		{
			.id = "mesh/winding",
			.unit = "share",
			.catches = "triangles that face against their normals",
			.definition = "The share of triangles whose own normal points away from "
				      "the sum of the "
				      "normals of their corners. Only triangles with normals in "
				      "the file and with "
				      "an area can be wrong.",
			.effect = "Patches of the surface are dark, or vanish where players leave "
				  "out "
				  "triangles seen from behind.",
			.fix = "Turn {triangles:#} {triangles|triangle|triangles} round.",
			.blender = "In Edit Mode choose Mesh > Normals > Recalculate Outside.",
			.maya = "Choose Mesh Display > Conform, or Reverse.",
			.message = "{triangles:#} {triangles|triangle|triangles} ({value:%}) "
				   "{triangles|faces against its|face against their} normals",
			.example = "900 triangles (3.74 %) face against their normals",
			.cost = CHECK_COST_TABLE,
			.limits = {0.002, 0.02, 0.2},
		},
	.pass = &pass,
};

const struct check_rule check_rule_mesh_degenerate = {
	.info =
		{
			.id = "mesh/degenerate",
			.unit = "share",
			.catches = "triangles without area",
			.definition = "The share of triangles whose area is below 1e-10 of the "
				      "square of the "
				      "largest side of their primitive's box.",
			.effect = "They cost time and draw nothing; normals computed from them are "
				  "no "
				  "numbers.",
			.fix = "Delete {triangles:#} {triangles|triangle|triangles} without area.",
			.blender = "Choose Mesh > Clean Up > Degenerate Dissolve.",
			.maya = "Run Mesh > Cleanup with Faces with zero geometry area.",
			.message = "{triangles:#} {triangles|triangle|triangles} ({value:%}) "
				   "{triangles|has|have} no area",
			.example = "400 triangles (1.66 %) have no area",
			.khronos = "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
			.cost = CHECK_COST_TABLE,
			.limits = {0.001, 0.01, 0.1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_mesh_duplicate_triangles = {
	.info =
		{
			.id = "mesh/duplicate_triangles",
			.unit = "share",
			.catches = "two triangles in one place",
			.definition = "The share of triangles whose three corners lie where those "
				      "of an earlier "
				      "triangle of the primitive lie. The backs of single-sided "
				      "surfaces are left "
				      "out: they are made so on purpose.",
			.effect = "The surface flickers where the two fight for the same pixels.",
			.fix = "Delete {triangles:#} duplicate {triangles|triangle|triangles}.",
			.blender = "Choose Mesh > Merge > By Distance, or Select > Select All by "
				   "Trait > "
				   "Interior Faces, and delete them.",
			.maya = "Run Mesh > Cleanup with Lamina faces.",
			.message = "{triangles:#} {triangles|triangle|triangles} ({value:%}) "
				   "{triangles|lies|lie} exactly on another one",
			.example = "400 triangles (1.63 %) lie exactly on another one",
			.cost = CHECK_COST_TABLE,
			.limits = {0.001, 0.01, 0.1},
		},
	.pass = &pass,
};
