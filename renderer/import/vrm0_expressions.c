// The expressions of VRM 0.x: groups of blend shapes, by mesh and by the names of materials.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "import/vrm.h"
#include "import/vrm_expressions.h"

/* A material by its name, for bsearch. */
struct named {
	const char *name;
	int material;
};

struct reader {
	struct vrm *vrm;
	struct named *named; // [named_count] by name, then by material
	size_t named_count;
};

static int by_name(const void *a, const void *b) {
	const struct named *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order ? order : x->material - y->material;
}

static void list_materials(struct reader *reader) {
	const struct rig *rig = reader->vrm->gltf->rig;
	reader->named = arena_alloc(
		reader->vrm->gltf->arena, (size_t)rig->material_count + 1, sizeof *reader->named);
	for (int i = 0; i < rig->material_count; i++) {
		if (rig->materials[i].name) {
			reader->named[reader->named_count++] =
				(struct named){rig->materials[i].name, i};
		}
	}
	qsort(reader->named, reader->named_count, sizeof *reader->named, by_name);
}

/* The first material of a name; [*count] of them have it. */
static const struct named *find_materials(
	const struct reader *reader, const char *name, size_t *count) {
	size_t low = 0, high = reader->named_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(reader->named[middle].name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*count = 0;
	while (low + *count < reader->named_count &&
		strcmp(reader->named[low + *count].name, name) == 0) {
		++*count;
	}
	return &reader->named[low];
}

/* A preset by its name in 0.x; AVATAR_CUSTOM = none. */
static int preset_of_0x(const char *name) {
	static const struct {
		const char *name;
		enum avatar_preset preset;
	} names[] = {
		{"joy", AVATAR_PRESET_happy},
		{"angry", AVATAR_PRESET_angry},
		{"sorrow", AVATAR_PRESET_sad},
		{"fun", AVATAR_PRESET_relaxed},
		{"a", AVATAR_PRESET_aa},
		{"i", AVATAR_PRESET_ih},
		{"u", AVATAR_PRESET_ou},
		{"e", AVATAR_PRESET_ee},
		{"o", AVATAR_PRESET_oh},
		{"blink", AVATAR_PRESET_blink},
		{"blink_l", AVATAR_PRESET_blinkLeft},
		{"blink_r", AVATAR_PRESET_blinkRight},
		{"lookup", AVATAR_PRESET_lookUp},
		{"lookdown", AVATAR_PRESET_lookDown},
		{"lookleft", AVATAR_PRESET_lookLeft},
		{"lookright", AVATAR_PRESET_lookRight},
		{"neutral", AVATAR_PRESET_neutral},
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcasecmp(name, names[i].name) == 0) {
			return (int)names[i].preset;
		}
	}
	return AVATAR_CUSTOM;
}

/* The preset of a group, and the name that it then has. An author's own that is called like a
 * preset of 1.0 is that one. */
static int name_group(const struct gltf_item *group, const char **name, struct error *err) {
	const char *preset_name = "";
	*name = NULL;
	if (!vrm_string(group, "presetName", &preset_name, err) ||
		!vrm_string(group, "name", name, err)) {
		return AVATAR_CUSTOM;
	}
	int preset = preset_of_0x(preset_name);
	for (int i = 0; *name && preset == AVATAR_CUSTOM && i < AVATAR_PRESET_COUNT; i++) {
		preset = strcmp(*name, avatar_preset_names[i]) == 0 ? i : AVATAR_CUSTOM;
	}
	if (preset != AVATAR_CUSTOM) {
		*name = avatar_preset_names[preset];
	}
	return preset;
}

/* A bind: a target of a mesh, for all nodes that hold it. */
struct bind {
	int mesh, index;
	float amount;
};

static bool read_bind(const struct reader *reader, const struct gltf_item *list, size_t i,
	struct bind *bind, struct error *err) {
	const struct gltf *gltf = reader->vrm->gltf;
	struct gltf_item item;
	double weight = 100;
	*bind = (struct bind){-1, -1, 0};
	if (!gltf_element_object(list, i, &item, err) ||
		!vrm_index(&item, "mesh", gltf->mesh_count, &bind->mesh, err) ||
		!vrm_number(&item, "weight", &weight, err)) {
		return false;
	}
	if (bind->mesh < 0) {
		return gltf_broken(&item, err, "has no mesh");
	}
	const int targets = gltf->meshes[bind->mesh].target_count;
	bind->amount = (float)(weight / 100);
	return vrm_index(&item, "index", targets, &bind->index, err) &&
		(bind->index >= 0 || gltf_broken(&item, err, "has no index"));
}

/* The morphs of a group; a broken bind costs itself. */
static bool read_binds(const struct reader *reader, const struct gltf_item *group,
	struct avatar_expression *e, struct error *err) {
	struct vrm *vrm = reader->vrm;
	struct gltf_item list;
	if (!vrm_list(group, "binds", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	struct bind *binds = xcalloc(count + 1, sizeof *binds);
	size_t morphs = 0;
	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		if (!read_bind(reader, &list, i, &binds[i], &why)) {
			binds[i].mesh = -1;
			rig_warn(vrm->gltf->rig, "%s; left out", why.text);
			continue;
		}
		const int *first = &vrm->first_joint[binds[i].mesh];
		morphs += (size_t)(first[1] - first[0]);
	}
	e->morphs =
		morphs < (size_t)1 << 30 ? vrm_storage(vrm, morphs, sizeof *e->morphs, err) : NULL;
	for (size_t i = 0; e->morphs && i < count; i++) {
		const int mesh = binds[i].mesh;
		const int end = mesh >= 0 ? vrm->first_joint[mesh + 1] : 0;
		for (int k = mesh >= 0 ? vrm->first_joint[mesh] : 0; k < end; k++) {
			const struct joint *joint = &vrm->gltf->rig->joints[vrm->mesh_joints[k]];
			e->morphs[e->morph_count++] = (struct avatar_morph){
				joint->first_weight + binds[i].index, binds[i].amount};
		}
	}
	free(binds);
	return e->morphs || error_set(err, ERROR_TOO_LARGE, "too many morph binds");
}

/* A colour by the name of the shader's property; -1 = none. */
static int color_of(const char *property) {
	static const struct {
		const char *name;
		enum avatar_color color;
	} names[] = {
		{"_Color", AVATAR_COLOR_BASE},
		{"_EmissionColor", AVATAR_COLOR_EMISSION},
		{"_ShadeColor", AVATAR_COLOR_SHADE},
		{"_RimColor", AVATAR_COLOR_RIM},
		{"_OutlineColor", AVATAR_COLOR_OUTLINE},
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(property, names[i].name) == 0) {
			return (int)names[i].color;
		}
	}
	return -1;
}

/* A value of a group; of no property that VRM knows color is -1 and shifts is false. */
struct value_of_group {
	const struct named *materials;
	size_t count;
	int color;
	bool shifts;
	float target[4];
};

static bool read_value(const struct reader *reader, const struct gltf_item *list, size_t i,
	struct value_of_group *value, struct error *err) {
	struct gltf_item item;
	const char *material = "", *property = "";
	*value = (struct value_of_group){.color = -1};
	if (!gltf_element_object(list, i, &item, err) ||
		!vrm_string(&item, "materialName", &material, err) ||
		!vrm_string(&item, "propertyName", &property, err) ||
		!gltf_numbers(&item, "targetValue", 4, value->target, err)) {
		return false;
	}
	value->color = color_of(property);
	value->shifts = strcmp(property, "_MainTex_ST") == 0;
	value->materials = find_materials(reader, material, &value->count);
	if (value->color < 0 && !value->shifts) {
		return gltf_broken(&item, err, "propertyName is none that is read");
	}
	return value->count > 0 || gltf_broken(&item, err, "materialName is no material's");
}

/* What a value says of one material. */
static void add_value(
	struct avatar_expression *e, const struct value_of_group *value, int material) {
	const float *target = value->target;
	if (value->shifts) {
		// The file counts from the bottom left.
		e->shifts[e->shift_count++] = (struct avatar_shift){
			.material = material,
			.scale = {target[0], target[1]},
			.offset = {target[2], 1 - target[3] - target[1]},
		};
		return;
	}
	e->tints[e->tint_count++] = (struct avatar_tint){
		.material = material,
		.color = (enum avatar_color)value->color,
		.target = {target[0], target[1], target[2], target[3]},
	};
}

static bool read_values(const struct reader *reader, const struct gltf_item *group,
	struct avatar_expression *e, struct error *err) {
	struct vrm *vrm = reader->vrm;
	struct gltf_item list;
	if (!vrm_list(group, "materialValues", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	struct value_of_group *values = xcalloc(count + 1, sizeof *values);
	size_t tints = 0, shifts = 0;
	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		if (!read_value(reader, &list, i, &values[i], &why)) {
			values[i].count = 0;
			rig_warn(vrm->gltf->rig, "%s; left out", why.text);
		}
		*(values[i].shifts ? &shifts : &tints) += values[i].count;
	}
	e->tints = vrm_storage(vrm, tints, sizeof *e->tints, err);
	e->shifts = vrm_storage(vrm, shifts, sizeof *e->shifts, err);
	for (size_t i = 0; e->tints && e->shifts && i < count; i++) {
		for (size_t k = 0; k < values[i].count; k++) {
			add_value(e, &values[i], values[i].materials[k].material);
		}
	}
	free(values);
	return e->tints && e->shifts;
}

static bool read_group(
	const struct reader *reader, const struct gltf_item *group, struct error *err) {
	struct vrm *vrm = reader->vrm;
	struct avatar *avatar = vrm->avatar;
	struct avatar_expression *e = &avatar->expressions[avatar->expression_count];
	const char *name;
	e->preset = name_group(group, &name, err);
	if (!name || name[0] == '\0' || avatar_find_expression(avatar, name) >= 0) {
		if (!err || err->code == ERROR_NONE) {
			gltf_warn(vrm->gltf->rig, group,
				"has no name, or that of another expression; left out");
			return true;
		}
		return false;
	}
	e->name = vrm_text(vrm, name, err);
	if (!e->name || !gltf_boolean(group, "isBinary", &e->binary, err) ||
		!read_binds(reader, group, e, err) || !read_values(reader, group, e, err)) {
		return false;
	}
	avatar->expression_count++;
	return true;
}

/* Presets in their order, then the others in the file's: each is put before the greater ones. */
static void sort_expressions(struct avatar *avatar) {
	for (int i = 1; i < avatar->expression_count; i++) {
		const struct avatar_expression e = avatar->expressions[i];
		int at = i;
		while (e.preset != AVATAR_CUSTOM && at > 0 &&
			(avatar->expressions[at - 1].preset == AVATAR_CUSTOM ||
				avatar->expressions[at - 1].preset > e.preset)) {
			avatar->expressions[at] = avatar->expressions[at - 1];
			at--;
		}
		avatar->expressions[at] = e;
	}
}

bool vrm0_read_expressions(struct vrm *vrm, struct error *err) {
	struct gltf_item master, groups, group;
	if (!vrm_object(&vrm->extension, "blendShapeMaster", &master, err) ||
		!vrm_list(&master, "blendShapeGroups", &groups, err) ||
		!vrm_expressions_begin(vrm, gltf_list_size(&groups), err)) {
		return false;
	}
	struct reader reader = {.vrm = vrm};
	list_materials(&reader);
	for (size_t i = 0; i < gltf_list_size(&groups); i++) {
		if (!gltf_element_object(&groups, i, &group, err) ||
			!read_group(&reader, &group, err)) {
			return false;
		}
	}
	sort_expressions(vrm->avatar);
	return true;
}
