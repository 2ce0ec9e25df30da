// The meshes of the scene -> the rig's vertices, indices and slots: sizes first, then the data.
#include <stdio.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "import/gltf_document.h"
#include "import/gltf_facts.h"
#include "import/gltf_primitive.h"
#include "import/limits.h"

/* The totals of all primitives of the scene. */
struct totals {
	size_t primitives, vertices, indices, slots, targets;
	size_t influences; // at most: fewer where a second set is empty
	bool texcoords[TEXCOORD_SETS], colors, mixes, tangents;
};

/* True when a node's skin moves a primitive: it needs influences for that. */
static bool is_skinned(const struct gltf_node *node, const struct gltf_primitive *primitive) {
	return node->skin >= 0 && primitive->set_count > 0;
}

static bool within(const struct totals *t, struct error *err) {
	const struct {
		size_t count, most;
		const char *what;
	} rows[] = {
		{t->primitives, IMPORT_PRIMITIVES_MAX, "primitives"},
		{t->vertices, IMPORT_VERTICES_MAX, "vertices"},
		{t->indices, IMPORT_INDICES_MAX, "indices"},
		{t->targets, IMPORT_MORPHS_MAX, "morph targets"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].count > rows[i].most) {
			return error_set(err, ERROR_TOO_LARGE, "the scene has more than %zu %s",
				rows[i].most, rows[i].what);
		}
	}
	return true;
}

/* A mesh in the places where it is drawn. */
struct drawn_mesh {
	const struct gltf_node *node;
	const double *place; // of an instance, within the node; NULL = at the node itself
};

typedef bool each_primitive(void *context, struct gltf *gltf, const struct drawn_mesh *drawn,
	int primitive, struct error *err);

static bool visit_mesh(struct gltf *gltf, const struct drawn_mesh *drawn, each_primitive *call,
	void *context, struct error *err) {
	const struct gltf_mesh *mesh = &gltf->meshes[drawn->node->mesh];
	for (int k = 0; k < mesh->primitive_count; k++) {
		if (mesh->primitives[k].position >= 0 && !call(context, gltf, drawn, k, err)) {
			return false;
		}
	}
	return true;
}

/* All primitives that are drawn, in the order of the rig's: of each instance all of the mesh. */
static bool visit_all(struct gltf *gltf, each_primitive *call, void *context, struct error *err) {
	for (int i = 0; i < gltf->drawn_count; i++) {
		const struct gltf_node *node = &gltf->nodes[gltf->drawn[i]];
		struct drawn_mesh drawn = {node, NULL};
		if (node->instance_count == 0 && !visit_mesh(gltf, &drawn, call, context, err)) {
			return false;
		}
		for (int k = 0; k < node->instance_count; k++) {
			drawn.place = node->instances[k];
			if (!visit_mesh(gltf, &drawn, call, context, err)) {
				return false;
			}
		}
	}
	return true;
}

static bool add_primitive(void *context, struct gltf *gltf, const struct drawn_mesh *drawn, int k,
	struct error *err) {
	struct totals *t = context;
	const struct gltf_node *node = drawn->node;
	const struct gltf_primitive *primitive = &gltf->meshes[node->mesh].primitives[k];
	const bool skinned = is_skinned(node, primitive);
	if (primitive->vertex_count > IMPORT_VERTICES_MAX ||
		primitive->source_count > IMPORT_INDICES_MAX) {
		return error_set(err, ERROR_TOO_LARGE,
			"accessors[%d]: more than %zu vertices or %zu indices", primitive->position,
			IMPORT_VERTICES_MAX, IMPORT_INDICES_MAX);
	}
	t->primitives++;
	t->vertices += primitive->vertex_count;
	t->indices += gltf_topology_count(primitive->mode, primitive->source_count);
	t->targets += (size_t)primitive->target_count;
	t->influences += primitive->vertex_count * (skinned ? 4 * (size_t)primitive->set_count : 1);
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		t->texcoords[set] |= primitive->texcoords[set] >= 0;
	}
	t->colors |= primitive->color >= 0;
	t->mixes |= primitive->dqs_mix >= 0;
	t->tangents |= primitive->tangent >= 0;
	if (!skinned) {
		t->slots++;
	} else if (gltf->skins[node->skin].first_slot < 0) {
		gltf->skins[node->skin].first_slot = (int)t->slots;
		t->slots += (size_t)gltf->skins[node->skin].joint_count;
	}
	return within(t, err);
}

static bool allocate(struct gltf *gltf, const struct totals *t, struct error *err) {
	struct rig *rig = gltf->rig;
	const struct {
		void *array; // the pointer to fill
		size_t count, size;
		const char *what;
		bool needed;
	} rows[] = {
		{&rig->slots, t->slots, sizeof *rig->slots, "slots", true},
		{&rig->primitives, t->primitives, sizeof *rig->primitives, "primitives", true},
		{&rig->positions, t->vertices, 3 * sizeof(float), "positions", true},
		{&rig->normals, t->vertices, 3 * sizeof(float), "normals", true},
		{&rig->tangents, t->vertices, 4 * sizeof(float), "tangents", t->tangents},
		{&rig->texcoords[0], t->vertices, 2 * sizeof(float), "texcoords", t->texcoords[0]},
		{&rig->texcoords[1], t->vertices, 2 * sizeof(float), "texcoords", t->texcoords[1]},
		{&rig->colors, t->vertices, 4 * sizeof(float), "colours", t->colors},
		{&rig->dqs_mix, t->vertices, sizeof(float), "mixes", t->mixes},
		{&rig->influence_slots, t->influences, sizeof(uint16_t), "influences", true},
		{&rig->influence_weights, t->influences, sizeof(float), "influences", true},
		{&rig->indices, t->indices, sizeof(uint32_t), "indices", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (!rows[i].needed) {
			continue;
		}
		void *array = gltf_storage(gltf, rows[i].count, rows[i].size, rows[i].what, err);
		if (!array) {
			return false;
		}
		memcpy(rows[i].array, &array, sizeof array);
	}
	return true;
}

/* The slots of the skins that primitives use, where add_primitive has put them. */
static void fill_skin_slots(struct gltf *gltf) {
	for (int i = 0; i < gltf->skin_count; i++) {
		const struct gltf_skin *skin = &gltf->skins[i];
		for (int k = 0; skin->first_slot >= 0 && k < skin->joint_count; k++) {
			struct palette_slot *slot = &gltf->rig->slots[skin->first_slot + k];
			slot->joint = gltf->nodes[skin->nodes[k]].joint;
			gltf->rig->joints[slot->joint].in_skin = true;
			memcpy(slot->inverse_bind, skin->inverse_bind[k],
				sizeof slot->inverse_bind);
		}
	}
}

/* Running positions in the rig's arrays. */
struct cursor {
	int slot; // counted as add_primitive did
	bool *skin_counted;
};

static void place_slots(struct gltf *gltf, struct cursor *cursor, const double *place,
	struct primitive *target, int skin) {
	if (skin >= 0) {
		target->first_slot = gltf->skins[skin].first_slot;
		target->slot_count = gltf->skins[skin].joint_count;
		cursor->slot += cursor->skin_counted[skin] ? 0 : target->slot_count;
		cursor->skin_counted[skin] = true;
		return;
	}
	target->first_slot = cursor->slot++;
	target->slot_count = 1;
	struct palette_slot *slot = &gltf->rig->slots[target->first_slot];
	*slot = (struct palette_slot){.joint = target->joint, .inverse_bind = MAT_IDENTITY};
	if (place) {
		memcpy(slot->inverse_bind, place, sizeof slot->inverse_bind);
	}
}

static bool fill(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	return gltf_fill_indices(gltf, piece, err) && gltf_fill_vertices(gltf, piece, err) &&
		gltf_fill_targets(gltf, piece, err) && gltf_fill_influences(gltf, piece, err) &&
		(!gltf->facts || gltf_facts_add_primitive(gltf, piece, err));
}

/* Appends one primitive to the rig. */
static bool append(void *context, struct gltf *gltf, const struct drawn_mesh *drawn, int k,
	struct error *err) {
	struct rig *rig = gltf->rig;
	const struct gltf_node *node = drawn->node;
	const struct gltf_primitive *source = &gltf->meshes[node->mesh].primitives[k];
	const bool skinned = is_skinned(node, source);
	const enum topology topology = gltf_topology(source->mode);
	struct primitive *target = &rig->primitives[rig->primitive_count++];
	*target = (struct primitive){
		.joint = node->joint,
		.mesh = node->mesh,
		.primitive = k,
		.material = source->material,
		.variant_materials = source->variant_materials,
		.topology = topology,
		.skinned = skinned,
		.unlit = topology != TOPOLOGY_TRIANGLES && source->normal < 0,
		.first_vertex = rig->vertex_count,
		.vertex_count = (int)source->vertex_count,
		.first_index = rig->index_count,
		.index_count = (int)gltf_topology_count(source->mode, source->source_count),
	};
	rig->vertex_count += target->vertex_count;
	rig->index_count += target->index_count;
	struct gltf_piece piece = {source, target, skinned ? node->skin : -1, ""};
	snprintf(piece.place, sizeof piece.place, "meshes[%d].primitives[%d]", node->mesh, k);
	place_slots(gltf, context, drawn->place, target, piece.skin);
	return fill(gltf, &piece, err);
}

bool gltf_build_primitives(struct gltf *gltf, struct error *err) {
	struct totals totals = {0};
	if (!visit_all(gltf, add_primitive, &totals, err) || !allocate(gltf, &totals, err)) {
		return false;
	}
	if (gltf->facts &&
		!gltf_facts_begin_primitives(gltf, totals.primitives, totals.vertices, err)) {
		return false;
	}
	fill_skin_slots(gltf);
	gltf->rig->slot_count = (int)totals.slots;
	struct cursor cursor = {
		.skin_counted = arena_alloc(gltf->arena, (size_t)gltf->skin_count, sizeof(bool))};
	return visit_all(gltf, append, &cursor, err);
}
