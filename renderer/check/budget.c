// Sizes and counts held against the budgets of profiles.
#include <math.h>

#include "check/rules.h"

static double count_triangles(const struct rig *rig) {
	double count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		count += p->topology == TOPOLOGY_TRIANGLES ? p->index_count / 3 : 0;
	}
	return count;
}

static double most_joints(const struct asset_facts *facts) {
	int most = 0;
	for (int i = 0; i < facts->skin_count; i++) {
		most = facts->skins[i].joint_count > most ? facts->skins[i].joint_count : most;
	}
	return most;
}

static double most_targets(const struct asset_facts *facts) {
	int most = 0;
	for (int i = 0; i < facts->mesh_count; i++) {
		most = facts->morph_targets[i] > most ? facts->morph_targets[i] : most;
	}
	return most;
}

/* Materials that primitives use; the default one counts as one. */
static double count_materials(const struct rig *rig, struct arena *arena) {
	bool *used = arena_alloc(arena, (size_t)rig->material_count + 1, sizeof *used);
	double count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		bool *one = &used[rig->primitives[i].material + 1];
		count += !*one;
		*one = true;
	}
	return count;
}

static double largest_texture(const struct asset_facts *facts) {
	int largest = 0;
	for (int i = 0; i < facts->image_count; i++) {
		const struct image_facts *image = &facts->images[i];
		const int side = image->width > image->height ? image->width : image->height;
		largest = side > largest ? side : largest;
	}
	return largest;
}

static double bytes_of_textures(const struct asset_facts *facts) {
	double bytes = 0;
	for (int i = 0; i < facts->image_count; i++) {
		bytes += (double)facts->images[i].gpu_bytes;
	}
	return bytes;
}

static void look(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	const struct rig *rig = asset->rig;
	const struct asset_facts *facts = asset->facts;
	const struct {
		const struct check_rule *rule;
		double value;
	} rows[] = {
		{&check_rule_budget_vertices, rig->vertex_count},
		{&check_rule_budget_triangles, count_triangles(rig)},
		{&check_rule_budget_joints, most_joints(facts)},
		{&check_rule_budget_draw_calls, rig->primitive_count},
		{&check_rule_budget_materials, count_materials(rig, arena)},
		{&check_rule_budget_texture_size, largest_texture(facts)},
		{&check_rule_budget_texture_bytes, bytes_of_textures(facts)},
		{&check_rule_budget_bytes, (double)facts->file_bytes},
		{&check_rule_budget_morph_targets, most_targets(facts)},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct check_value value = check_value(rows[i].value);
		// A value equal to the budget keeps it: all these are whole numbers.
		value.judged = rows[i].value - 0.5;
		check_value_param(&value, "mib", rows[i].value / 1048576);
		check_value_param(&value, "mb", rows[i].value / 1e6);
		check_emit(sink, rows[i].rule, &value);
	}
}

static const struct check_pass pass = {.asset = look};

const struct check_rule check_rule_budget_vertices = {
	.info =
		{
			.id = "budget/vertices",
			.unit = "vertices",
			.catches = "too many vertices",
			.definition = "The number of vertices of all meshes in the scene.",
			.effect = "Skinning takes longer than the budget of the platform allows.",
			.fix = "Reduce the mesh, or give far away figures a simpler one.",
			.blender = "Add a Decimate modifier; shade smooth and join UV islands "
				   "where vertices are split.",
			.maya = "Use Mesh > Reduce; soften edges (Mesh Display > Soften Edge) and "
				"sew UVs where vertices are split.",
			.message = "{value:#} {value|vertex|vertices}; the budget is {threshold:#}",
			.example = "52740 vertices; the budget is 40000",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 40e3, 150e3},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_triangles = {
	.info =
		{
			.id = "budget/triangles",
			.unit = "triangles",
			.catches = "too many triangles",
			.definition = "The number of triangles of all meshes in the scene.",
			.effect = "Drawing takes longer than the budget of the platform allows.",
			.fix = "Reduce the mesh, or give far away figures a simpler one.",
			.blender = "Add a Decimate modifier.",
			.maya = "Use Mesh > Reduce.",
			.message =
				"{value:#} {value|triangle|triangles}; the budget is {threshold:#}",
			.example = "72234 triangles; the budget is 70000",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 70e3, 200e3},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_joints = {
	.info =
		{
			.id = "budget/joints",
			.unit = "joints",
			.catches = "too many joints in a skin",
			.definition = "The number of joints of the skin that has most.",
			.effect = "Some platforms cut the skin into pieces, or leave joints out.",
			.fix = "Export fewer joints, or split the mesh.",
			.blender = "Turn on Data > Armature > Export Deformation Bones Only in the "
				   "export, and merge small bones.",
			.maya = "Run Skin > Edit Influences > Remove Unused Influences, and leave "
				"joints without influence out of the export.",
			.message = "A skin has {value:#} {value|joint|joints}; the budget is "
				   "{threshold:#}",
			.example = "A skin has 130 joints; the budget is 128",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 128, 256},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_draw_calls = {
	.info =
		{
			.id = "budget/draw_calls",
			.unit = "primitives",
			.catches = "too many draw calls",
			.definition = "The number of mesh primitives in the scene, each of which "
				      "is drawn apart.",
			.effect = "Each draw call costs time, whatever its size.",
			.fix = "Join meshes of the same material.",
			.blender = "Join the objects (Ctrl+J) and share materials.",
			.maya = "Use Mesh > Combine and share materials.",
			.message = "{value:#} {value|draw call|draw calls}; the budget is "
				   "{threshold:#}",
			.example = "10 draw calls; the budget is 8",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 8, 32},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_materials = {
	.info =
		{
			.id = "budget/materials",
			.unit = "materials",
			.catches = "too many materials",
			.definition = "The number of materials that the scene's primitives use.",
			.effect = "Each material is a change of state and often a draw call of its "
				  "own.",
			.fix = "Bake textures into one atlas.",
			.blender = "Bake the materials into one image (Render properties > Bake, "
				   "in Cycles), and assign one material.",
			.maya = "Bake the materials with Lighting/Shading > Transfer Maps, and "
				"assign one material.",
			.message =
				"{value:#} {value|material|materials}; the budget is {threshold:#}",
			.example = "10 materials; the budget is 8",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 8, 32},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_texture_size = {
	.info =
		{
			.id = "budget/texture_size",
			.unit = "px",
			.catches = "textures with too many pixels a side",
			.definition =
				"The longer side of the largest texture that a material uses.",
			.effect = "Platforms shrink the texture, or run out of memory.",
			.fix = "Scale the texture down.",
			.blender = "Use Image > Resize in the Image Editor.",
			.maya = "Resize the file in an image editor, and reload it in Hypershade.",
			.message = "A texture has {value:#} {value|pixel|pixels} a side; the "
				   "budget is {threshold:#}",
			.example = "A texture has 5000 pixels a side; the budget is 4096",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 4096, 8192},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_texture_bytes = {
	.info =
		{
			.id = "budget/texture_bytes",
			.unit = "bytes",
			.catches = "too much texture memory",
			.definition = "The bytes of all textures that materials use on the GPU: "
				      "four for each "
				      "pixel, and a third more for mip levels, or the blocks of "
				      "compressed formats.",
			.effect = "The figure is loaded late, or not at all where memory is short.",
			.fix = "Scale textures down, or compress them for the GPU (KTX2).",
			.blender = "Use Image > Resize in the Image Editor, and pack several grey "
				   "textures into the channels of one.",
			.maya = "Resize the textures in an image editor, and pack several grey "
				"ones into the channels of one.",
			.message = "The textures take {mib:1} MiB on the GPU, which is beyond the "
				   "budget",
			.example =
				"The textures take 21.3 MiB on the GPU, which is beyond the budget",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 128 * 1048576.0, 512 * 1048576.0},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_bytes = {
	.info =
		{
			.id = "budget/bytes",
			.unit = "bytes",
			.catches = "files that are too large",
			.definition = "The bytes of the asset's file.",
			.effect = "The asset takes long to load.",
			.fix = "Compress textures and geometry, and leave out keys and clips that "
			       "are not "
			       "needed.",
			.blender = "Turn on Export > Compression, and Optimize Animation Size.",
			.maya = "Use a glTF optimiser after the export.",
			.message = "The file has {mb:1} MB, which is beyond the budget",
			.example = "The file has 4.0 MB, which is beyond the budget",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 25e6, 100e6},
		},
	.pass = &pass,
};

const struct check_rule check_rule_budget_morph_targets = {
	.info =
		{
			.id = "budget/morph_targets",
			.unit = "targets",
			.catches = "too many morph targets in a mesh",
			.definition = "The number of morph targets of the mesh that has most.",
			.effect = "Engines drop targets, or take memory for all of them.",
			.fix = "Leave out morph targets that nothing drives.",
			.blender = "Delete shape keys that are not needed (Data properties > Shape "
				   "Keys).",
			.maya = "Delete targets that are not needed in Windows > Animation Editors "
				"> Shape Editor.",
			.message = "A mesh has {value:#} {value|morph target|morph targets}; the "
				   "budget is {threshold:#}",
			.example = "A mesh has 60 morph targets; the budget is 52",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 52, 256},
		},
	.pass = &pass,
};
