// A scene -> a rig.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "import/foreign.h"
#include "import/image.h"
#include "import/limits.h"
#include "import/scene_build.h"
#include "model/clip_pack.h"
#include "model/normals.h"

struct build {
	const struct scene *scene;
	struct rig *rig;
	size_t bytes_left;
};

static void *storage(
	struct build *build, size_t count, size_t size, const char *what, struct error *err) {
	return claim_storage(build->rig, &build->bytes_left, count, size, what, err);
}

/* --- Joints --- */

/* Unique names in malloc memory, by an array of structs that begin with a name. */
static void name_all(const struct scene *scene, const void *items, size_t count, size_t size,
	const char *stem, char **unique) {
	const char **own = arena_alloc(scene->arena, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		memcpy(&own[i], (const char *)items + i * size, sizeof own[i]);
	}
	names_make_unique(own, count, stem, unique);
}

static bool build_joints(struct build *build, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	const size_t count = (size_t)scene->joint_count;
	rig->joints = storage(build, count, sizeof *rig->joints, "joints", err);
	if (!rig->joints) {
		return false;
	}
	char **names = arena_alloc(scene->arena, count, sizeof *names);
	name_all(scene, scene->joints, count, sizeof *scene->joints, "node", names);
	rig->joint_count = scene->joint_count;
	for (int i = 0; i < scene->joint_count; i++) {
		rig->joints[i] = (struct joint){
			.name = names[i],
			.index = i,
			.parent = scene->joints[i].parent,
			.rest = scene->joints[i].rest,
		};
	}
	return true;
}

/* Gives the joints with morph targets their weights. */
static bool build_weights(struct build *build, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	for (int i = 0; i < scene->mesh_count; i++) {
		rig->joints[scene->meshes[i].joint].weight_count = scene->meshes[i].target_count;
	}
	size_t total = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		rig->joints[i].first_weight = (int)total;
		total += (size_t)rig->joints[i].weight_count;
		if (total > IMPORT_MORPHS_MAX) {
			return error_set(err, ERROR_TOO_LARGE,
				"the scene has more than %zu morph weights", IMPORT_MORPHS_MAX);
		}
	}
	rig->rest_weights = storage(build, total, sizeof(float), "weights", err);
	rig->weight_count = (int)total;
	for (int i = 0; rig->rest_weights && i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		if (scene->rest_weights && scene->rest_weights[i] && joint->weight_count > 0) {
			memcpy(&rig->rest_weights[joint->first_weight], scene->rest_weights[i],
				(size_t)joint->weight_count * sizeof(float));
		}
	}
	return rig->rest_weights;
}

/* --- Meshes --- */

struct totals {
	size_t vertices, indices, slots, influences, targets;
	bool texcoords[TEXCOORD_SETS], colors, mixes;
};

static int max_influences(const struct scene_mesh *mesh) {
	size_t most = 1;
	for (size_t i = 0; mesh->slot_count > 0 && i < mesh->vertex_count; i++) {
		const size_t count = mesh->first_influence[i + 1] - mesh->first_influence[i];
		most = count > most ? count : most;
	}
	return mesh->slot_count > 0 ? (int)((most + 3) / 4 * 4) : 1;
}

/* The piece before this one whose slots are the same; -1 = there is none. */
static int same_slots(const struct scene *scene, int mesh) {
	const struct scene_mesh *own = &scene->meshes[mesh];
	const bool shares =
		own->slot_count > 0 && mesh > 0 && scene->meshes[mesh - 1].slots == own->slots;
	return shares ? mesh - 1 : -1;
}

static bool within(size_t count, size_t most, const char *what, struct error *err) {
	return count <= most ||
		error_set(err, ERROR_TOO_LARGE, "the scene has more than %zu %s", most, what);
}

static bool add_up(const struct scene *scene, struct totals *t, struct error *err) {
	for (int i = 0; i < scene->mesh_count; i++) {
		const struct scene_mesh *mesh = &scene->meshes[i];
		t->vertices += mesh->vertex_count;
		t->indices += mesh->index_count;
		t->influences += mesh->vertex_count * (size_t)max_influences(mesh);
		t->targets += (size_t)mesh->target_count;
		t->colors |= mesh->colors != NULL;
		t->mixes |= mesh->dqs_mix != NULL;
		for (int set = 0; set < TEXCOORD_SETS; set++) {
			t->texcoords[set] |= mesh->texcoords[set] != NULL;
		}
		if (same_slots(scene, i) < 0) {
			t->slots += mesh->slot_count > 0 ? mesh->slot_count : 1;
		}
		if (!within(mesh->slot_count, IMPORT_SKIN_JOINTS_MAX, "joints of one skin", err)) {
			return false;
		}
	}
	return within((size_t)scene->mesh_count, IMPORT_PRIMITIVES_MAX, "primitives", err) &&
		within(t->vertices, IMPORT_VERTICES_MAX, "vertices", err) &&
		within(t->indices, IMPORT_INDICES_MAX, "indices", err) &&
		within(t->targets, IMPORT_MORPHS_MAX, "morph targets", err);
}

static bool allocate(struct build *build, const struct totals *t, struct error *err) {
	struct rig *rig = build->rig;
	const struct {
		void *array; // the pointer to fill
		size_t count, size;
		const char *what;
		bool needed;
	} rows[] = {
		{&rig->slots, t->slots, sizeof *rig->slots, "slots", true},
		{&rig->primitives, (size_t)build->scene->mesh_count, sizeof *rig->primitives,
			"primitives", true},
		{&rig->positions, t->vertices, 3 * sizeof(float), "positions", true},
		{&rig->normals, t->vertices, 3 * sizeof(float), "normals", true},
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
		void *array = storage(build, rows[i].count, rows[i].size, rows[i].what, err);
		if (!array) {
			return false;
		}
		memcpy(rows[i].array, &array, sizeof array);
	}
	return true;
}

static void place_slots(struct build *build, int index, struct primitive *target) {
	const struct scene_mesh *mesh = &build->scene->meshes[index];
	struct rig *rig = build->rig;
	const int same = same_slots(build->scene, index);
	target->slot_count = mesh->slot_count > 0 ? (int)mesh->slot_count : 1;
	if (same >= 0) {
		target->first_slot = rig->primitives[same].first_slot;
		return;
	}
	target->first_slot = rig->slot_count;
	rig->slot_count += target->slot_count;
	struct palette_slot *slots = &rig->slots[target->first_slot];
	if (mesh->slot_count == 0) {
		slots[0] = (struct palette_slot){mesh->joint, MAT_IDENTITY};
		return;
	}
	memcpy(slots, mesh->slots, mesh->slot_count * sizeof *slots);
	for (size_t i = 0; i < mesh->slot_count; i++) {
		rig->joints[slots[i].joint].in_skin = true;
	}
}

/* One vertex's influences by the weight policy, in a list with room for them. */
static void fill_influences(struct build *build, const struct scene_mesh *mesh,
	struct primitive *target, const char *place) {
	struct rig *rig = build->rig;
	const size_t width = (size_t)max_influences(mesh);
	uint16_t *slots = &rig->influence_slots[rig->influence_count];
	float *weights = &rig->influence_weights[rig->influence_count];
	struct influence *list = arena_alloc(build->scene->arena, width, sizeof *list);
	struct weight_flaws flaws = {0};
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		int used = 1;
		list[0] = (struct influence){0, 1};
		if (mesh->slot_count > 0) {
			const size_t first = mesh->first_influence[v];
			const int count = (int)(mesh->first_influence[v + 1] - first);
			memcpy(list, &mesh->influences[first], (size_t)count * sizeof *list);
			used = weights_apply(list, count, (uint32_t)mesh->slot_count, &flaws);
		}
		for (size_t k = 0; k < width; k++) {
			*slots++ = (uint16_t)list[k < (size_t)used ? k : 0].slot;
			*weights++ = k < (size_t)used ? (float)list[k].weight : 0;
		}
	}
	flaws.sum = 0; // formats other than glTF leave it to the reader to divide by it
	weights_warn(rig, place, &flaws);
	target->influence_count = (int)width;
	target->first_influence = rig->influence_count;
	rig->influence_count += mesh->vertex_count * width;
}

static bool fill_normals(struct build *build, const struct scene_mesh *mesh,
	const struct primitive *target, const char *place, struct error *err) {
	struct rig *rig = build->rig;
	float *normals = &rig->normals[(size_t)target->first_vertex * 3];
	if (mesh->normals) {
		memcpy(normals, mesh->normals, mesh->vertex_count * 3 * sizeof *normals);
	}
	const struct normals_job job = {
		.positions = &rig->positions[(size_t)target->first_vertex * 3],
		.indices = &rig->indices[target->first_index],
		.index_count = mesh->index_count,
		.normals = normals,
		.vertex_count = mesh->vertex_count,
	};
	size_t replaced;
	if (!normals_complete(&job, &replaced, err)) {
		return false;
	}
	if (mesh->normals && replaced > 0) {
		rig_warn(rig, "%s: %zu normals without a direction; computed from the faces", place,
			replaced);
	}
	return true;
}

/* Copies what the piece has of one attribute, of so many floats; nothing where it has none. */
static void fill_attribute(
	float *out, const struct primitive *target, const float *from, size_t width) {
	if (from) {
		memcpy(&out[(size_t)target->first_vertex * width], from,
			(size_t)target->vertex_count * width * sizeof *out);
	}
}

static void fill_colors(
	struct rig *rig, const struct scene_mesh *mesh, const struct primitive *target) {
	for (size_t i = 0; rig->colors && !mesh->colors && i < mesh->vertex_count * 4; i++) {
		rig->colors[(size_t)target->first_vertex * 4 + i] = 1;
	}
	fill_attribute(rig->colors, target, mesh->colors, 4);
}

/* A copy of what a target has of one attribute; *stored stays NULL where it has none. */
static bool store_deltas(struct build *build, const float *deltas, size_t vertex_count,
	const float **stored, struct error *err) {
	float *copy = deltas ? storage(build, vertex_count, 3 * sizeof *copy, "morph targets", err)
			     : NULL;
	if (copy) {
		memcpy(copy, deltas, vertex_count * 3 * sizeof *copy);
	}
	*stored = copy;
	return !deltas || copy;
}

static bool fill_targets(struct build *build, const struct scene_mesh *mesh,
	struct primitive *target, struct error *err) {
	if (mesh->target_count == 0) {
		return true;
	}
	target->targets = xcalloc((size_t)mesh->target_count, sizeof *target->targets);
	target->target_count = mesh->target_count;
	for (int i = 0; i < mesh->target_count; i++) {
		const struct morph_target *from = &mesh->targets[i];
		struct morph_target *to = &target->targets[i];
		if (!store_deltas(
			    build, from->positions, mesh->vertex_count, &to->positions, err) ||
			!store_deltas(
				build, from->normals, mesh->vertex_count, &to->normals, err)) {
			return false;
		}
	}
	return true;
}

static bool append(struct build *build, int index, struct error *err) {
	const struct scene_mesh *mesh = &build->scene->meshes[index];
	struct rig *rig = build->rig;
	struct primitive *target = &rig->primitives[rig->primitive_count++];
	*target = (struct primitive){
		.joint = mesh->joint,
		.mesh = mesh->mesh,
		.primitive = mesh->primitive,
		.material = mesh->material,
		.topology = TOPOLOGY_TRIANGLES,
		.skinned = mesh->slot_count > 0,
		.first_vertex = rig->vertex_count,
		.vertex_count = (int)mesh->vertex_count,
		.first_index = rig->index_count,
		.index_count = (int)mesh->index_count,
	};
	const char *place = arena_printf(
		build->scene->arena, "meshes[%d].primitives[%d]", mesh->mesh, mesh->primitive);
	rig->vertex_count += target->vertex_count;
	rig->index_count += target->index_count;
	place_slots(build, index, target);
	if (mesh->index_count > 0) {
		memcpy(&rig->indices[target->first_index], mesh->indices,
			mesh->index_count * sizeof *mesh->indices);
	}
	fill_attribute(rig->positions, target, mesh->positions, 3);
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		fill_attribute(rig->texcoords[set], target, mesh->texcoords[set], 2);
	}
	fill_attribute(rig->dqs_mix, target, mesh->dqs_mix, 1);
	fill_colors(rig, mesh, target);
	fill_influences(build, mesh, target, place);
	return fill_normals(build, mesh, target, place, err) &&
		fill_targets(build, mesh, target, err);
}

static bool build_meshes(struct build *build, struct error *err) {
	struct totals totals = {0};
	if (!add_up(build->scene, &totals, err) || !allocate(build, &totals, err)) {
		return false;
	}
	for (int i = 0; i < build->scene->mesh_count; i++) {
		if (!append(build, i, err)) {
			return false;
		}
	}
	return true;
}

/* --- Materials --- */

static bool decode(struct build *build, const struct scene_image *from, struct image *image,
	struct error *err) {
	if (!image_decode(from->bytes, from->size, build->bytes_left, image, err) ||
		!claim_bytes(&build->bytes_left, (size_t)image->width * (size_t)image->height * 4,
			"image", err)) {
		return false;
	}
	if (image->kind == IMAGE_PIXELS) {
		return true;
	}
	unsigned char *copy = storage(build, from->size, 1, "image", err);
	if (!copy) {
		return false;
	}
	memcpy(copy, from->bytes, from->size);
	image->encoded = copy;
	image->encoded_bytes = from->size;
	return true;
}

/* Decodes all images; *places gets where each lies in the rig, -1 for one that is lost. */
static bool build_images(struct build *build, int **places, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	*places = arena_alloc(scene->arena, (size_t)scene->image_count, sizeof **places);
	rig->images =
		storage(build, (size_t)scene->image_count, sizeof *rig->images, "images", err);
	for (int i = 0; rig->images && i < scene->image_count; i++) {
		struct image *image = &rig->images[rig->image_count];
		struct error why = {0};
		if (decode(build, &scene->images[i], image, &why)) {
			(*places)[i] = rig->image_count++;
			continue;
		}
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(scene->images[i].name, quoted, sizeof quoted);
		free(image->rgba);
		*image = (struct image){0};
		(*places)[i] = -1;
		rig_warn(rig, "image %s: %s; drawn without it", quoted, why.text);
	}
	return rig->images;
}

/* The textures whose images are there; *places gets where each lies in the rig, -1 for others. */
static bool build_textures(struct build *build, int **places, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	int *images;
	if (!build_images(build, &images, err)) {
		return false;
	}
	*places = arena_alloc(scene->arena, (size_t)scene->texture_count, sizeof **places);
	rig->textures = storage(
		build, (size_t)scene->texture_count, sizeof *rig->textures, "textures", err);
	for (int i = 0; rig->textures && i < scene->texture_count; i++) {
		const int image = images[scene->textures[i].image];
		(*places)[i] = image < 0 ? -1 : rig->texture_count;
		if (image >= 0) {
			rig->textures[rig->texture_count] = scene->textures[i];
			rig->textures[rig->texture_count++].image = image;
		}
	}
	return rig->textures;
}

static bool build_materials(struct build *build, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	int *textures;
	if (!build_textures(build, &textures, err)) {
		return false;
	}
	rig->materials = storage(
		build, (size_t)scene->material_count, sizeof *rig->materials, "materials", err);
	for (int i = 0; rig->materials && i < scene->material_count; i++) {
		struct material *material = &rig->materials[rig->material_count++];
		*material = scene->materials[i];
		material->name = xstrndup(material->name, strlen(material->name));
		for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
			struct texture_slot *slot = &material->textures[use];
			slot->texture = slot->texture < 0 ? -1 : textures[slot->texture];
		}
	}
	return rig->materials;
}

/* --- Clips --- */

static bool store_channel(
	struct build *build, const struct channel *from, struct channel *to, struct error *err) {
	const size_t keys = (size_t)from->key_count, width = (size_t)from->width;
	const size_t parts = from->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	float *times = storage(build, keys, sizeof *times, "keys", err);
	float *values = storage(build, keys * width * parts, sizeof *values, "keys", err);
	if (!times || !values) {
		return false;
	}
	memcpy(times, from->times, keys * sizeof *times);
	memcpy(values, from->values, keys * width * parts * sizeof *values);
	*to = *from;
	to->times = times;
	to->values = values;
	return true;
}

static bool build_clip(struct build *build, int index, struct error *err) {
	const struct scene_clip *from = &build->scene->clips[index];
	struct clip *clip = &build->rig->clips[index];
	clip->index = index;
	clip->channels = xcalloc((size_t)from->channel_count, sizeof *clip->channels);
	for (int i = 0; i < from->channel_count; i++) {
		if (!store_channel(build, &from->channels[i], &clip->channels[i], err)) {
			return false;
		}
		clip->channel_count++;
	}
	clip_sum_up(clip);
	return true;
}

static bool build_clips(struct build *build, struct error *err) {
	const struct scene *scene = build->scene;
	struct rig *rig = build->rig;
	const size_t count = (size_t)scene->clip_count;
	rig->clips = storage(build, count, sizeof *rig->clips, "clips", err);
	if (!rig->clips) {
		return false;
	}
	char **names = arena_alloc(scene->arena, count, sizeof *names);
	name_all(scene, scene->clips, count, sizeof *scene->clips, "clip", names);
	bool built = true;
	for (int i = 0; i < scene->clip_count; i++) {
		rig->clips[rig->clip_count++].name = names[i];
	}
	for (int i = 0; built && i < scene->clip_count; i++) {
		built = build_clip(build, i, err);
	}
	return built;
}

bool scene_build(const struct scene *scene, struct rig *rig, struct error *err) {
	static const struct file_space plain = {1, {0, 0, 0, 1}};
	struct build build = {scene, rig, scene->bytes_left};
	rig->space = scene->space.unit_m > 0 ? scene->space : plain;
	rig->dual_quaternions = scene->dual_quaternions;
	return build_joints(&build, err) && build_weights(&build, err) &&
		build_meshes(&build, err) && build_materials(&build, err) &&
		build_clips(&build, err);
}
