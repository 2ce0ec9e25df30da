// Vertices as the file has them: mesh/nonfinite, normal_length, duplicate_vertices, unreferenced.
#include <math.h>

#include "check/flaws.h"
#include "check/rules.h"

static bool is_mesh(const struct primitive *p) {
	return p->topology == TOPOLOGY_TRIANGLES && p->vertex_count > 0;
}

/* Vertices that no triangle uses. */
static void look_at_references(
	const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	unsigned char *used = arena_alloc(arena, (size_t)rig->vertex_count, 1);
	struct check_flaw flaw = {0};
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int k = 0; is_mesh(p) && k < p->index_count; k++) {
			used[(uint32_t)p->first_vertex + rig->indices[p->first_index + k]] = 1;
		}
		for (int k = 0; is_mesh(p) && k < p->vertex_count; k++) {
			const int vertex = p->first_vertex + k;
			flaw.of++;
			flaw.count += !used[vertex];
			if (!used[vertex] && flaw.listed < CHECK_ELEMENTS_MAX) {
				flaw.vertices[flaw.listed++] = (uint32_t)vertex;
			}
		}
	}
	check_emit_flaw_share(sink, &check_rule_mesh_unreferenced, &flaw);
}

static void look_at_normals(const struct check_asset *asset, struct check_sink *sink) {
	struct check_flaw wrong = check_flaw_of(asset, VERTEX_NORMAL_LENGTH, false);
	const struct check_flaw nonfinite = check_flaw_of(asset, VERTEX_NORMAL_NONFINITE, false);
	wrong.count += nonfinite.count;
	for (size_t i = 0; i < nonfinite.listed && wrong.listed < CHECK_ELEMENTS_MAX; i++) {
		wrong.vertices[wrong.listed++] = nonfinite.vertices[i];
	}
	check_emit_flaw_share(sink, &check_rule_mesh_normal_length, &wrong);
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct check_flaw nonfinite = check_flaw_of(asset, VERTEX_POSITION_NONFINITE, false);
	const struct check_flaw duplicate = check_flaw_of(asset, VERTEX_DUPLICATE, false);
	check_emit_flaw(sink, &check_rule_mesh_nonfinite, &nonfinite);
	check_emit_flaw_share(sink, &check_rule_mesh_duplicate_vertices, &duplicate);
	look_at_normals(asset, sink);
	look_at_references(asset, arena, sink);
}

static const struct check_pass pass = {.needs = CHECK_NEEDS_VERTICES, .asset = look};

const struct check_rule check_rule_mesh_nonfinite = {
	.info =
		{
			.id = "mesh/nonfinite",
			.unit = "vertices",
			.catches = "positions that are no numbers",
			.definition = "The number of vertices with a coordinate that is infinite "
				      "or no number.",
			.effect = "The vertices and all triangles around them vanish, or the whole "
				  "mesh does.",
			.fix = "Set the {vertices|position|positions} of {vertices:#} "
			       "{vertices|vertex|vertices} again.",
			.blender = "Delete the vertices, or apply the modifier that makes them "
				   "(Ctrl+A in the Modifiers tab), and export again.",
			.maya = "Run Mesh > Cleanup, then Edit > Delete by Type > History, and "
				"export again.",
			.message = "{vertices:#} {vertices|vertex|vertices} {vertices|has|have} a "
				   "position that is no number",
			.example = "3 vertices have a position that is no number",
			.khronos = "ACCESSOR_INVALID_FLOAT",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, INFINITY, 1},
		},
	.pass = &pass,
};

const struct check_rule check_rule_mesh_normal_length = {
	.info =
		{
			.id = "mesh/normal_length",
			.unit = "share",
			.catches = "normals that are not of length 1",
			.definition = "The share of vertices whose normal differs from length 1 by "
				      "more than 0.05, "
				      "or is no number.",
			.effect = "Light is too dark or too bright there in players that do not "
				  "normalise.",
			.fix = "Normalise the {vertices|normal|normals} of {vertices:#} "
			       "{vertices|vertex|vertices}.",
			.blender = "In Edit Mode choose Mesh > Normals > Reset Vectors, and apply "
				   "the object's scale (Ctrl+A > Scale) before exporting.",
			.maya = "Choose Mesh Display > Unlock Normals, and run Modify > Freeze "
				"Transformations for the scale before exporting.",
			.message = "The {vertices|normal|normals} of {vertices:#} "
				   "{vertices|vertex|vertices} ({value:%}) {vertices|is|are} not "
				   "of length 1: {vertices|it|the worst} is off by {worst}",
			.example = "The normals of 1699 vertices (12.9 %) are not of length 1: the "
				   "worst is off by 0.5",
			.khronos = "ACCESSOR_VECTOR3_NON_UNIT",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 0.01, 0.2},
		},
	.pass = &pass,
};

const struct check_rule check_rule_mesh_duplicate_vertices = {
	.info =
		{
			.id = "mesh/duplicate_vertices",
			.unit = "share",
			.catches = "vertices that are there twice",
			.definition = "The share of vertices of indexed primitives whose bytes in "
				      "all attributes "
				      "are those of an earlier vertex.",
			.effect = "The file is larger and skinned more slowly than it need be.",
			.fix = "Merge {vertices:#} {vertices|vertex with its duplicate|vertices}.",
			.blender = "In Edit Mode choose Mesh > Merge > By Distance, with Sharp "
				   "Edges turned on, which keeps hard edges.",
			.maya = "Choose Edit Mesh > Merge, with a small Distance Threshold.",
			.message = "{vertices:#} {vertices|vertex|vertices} ({value:%}) "
				   "{vertices|repeats|repeat} another one in every attribute",
			.example = "12510 vertices (48.7 %) repeat another one in every attribute",
			.cost = CHECK_COST_TABLE,
			.limits = {0.05, INFINITY, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_mesh_unreferenced = {
	.info =
		{
			.id = "mesh/unreferenced",
			.unit = "share",
			.catches = "vertices that no triangle uses",
			.definition =
				"The share of vertices of triangle meshes that no triangle uses.",
			.effect = "The file is larger than it need be.",
			.fix = "Delete {vertices:#} loose {vertices|vertex|vertices}.",
			.blender = "In Edit Mode choose Mesh > Clean Up > Delete Loose.",
			.maya = "Run Mesh > Cleanup, then Edit > Delete by Type > History, and "
				"export again.",
			.message = "No triangle uses {vertices:#} {vertices|vertex|vertices} "
				   "({value:%})",
			.example = "No triangle uses 600 vertices (4.35 %)",
			.cost = CHECK_COST_TABLE,
			.limits = {0.01, INFINITY, INFINITY},
		},
	.pass = &pass,
};
