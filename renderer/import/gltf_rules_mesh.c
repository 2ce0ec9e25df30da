// Rules about what meshes are made of. Source: glTF 2.0, 3.7.2, and KHR_mesh_quantization.
#include <string.h>

#include "import/gltf_links.h"

#define FLOATS GLTF_BIT(GLTF_FLOAT)
#define SMALL (GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_UNSIGNED_SHORT))

/* Attributes that glTF knows, and what they are made of where KHR_mesh_quantization is not used. */
enum semantic {
	POSITION,
	NORMAL,
	TANGENT,
	TEXCOORD,
	COLOR,
	JOINTS,
	WEIGHTS,
	SEMANTIC_COUNT,
	CUSTOM = SEMANTIC_COUNT,
	UNKNOWN,
};

static const struct {
	const char *name;
	bool numbered, quantizable;
	unsigned types, plain, normalized; // components
	enum gltf_accessor_use use;
} semantics[] = {
	[POSITION] = {"POSITION", false, true, GLTF_BIT(GLTF_VEC3), FLOATS, 0, 0},
	[NORMAL] = {"NORMAL", false, true, GLTF_BIT(GLTF_VEC3), FLOATS, 0, GLTF_USE_NORMALS},
	[TANGENT] = {"TANGENT", false, true, GLTF_BIT(GLTF_VEC4), FLOATS, 0, GLTF_USE_TANGENTS},
	[TEXCOORD] = {"TEXCOORD_", true, true, GLTF_BIT(GLTF_VEC2), FLOATS, SMALL, 0},
	[COLOR] = {"COLOR_", true, false, GLTF_BIT(GLTF_VEC3) | GLTF_BIT(GLTF_VEC4), FLOATS, SMALL,
		GLTF_USE_COLORS},
	[JOINTS] = {"JOINTS_", true, false, GLTF_BIT(GLTF_VEC4), SMALL, 0, 0},
	[WEIGHTS] = {"WEIGHTS_", true, false, GLTF_BIT(GLTF_VEC4), FLOATS, SMALL, 0},
};

/* A number without leading zeros and below a million; -1 = it is none. */
static int number_of(const char *digits) {
	const size_t length = strspn(digits, "0123456789");
	if (length == 0 || length > 6 || digits[length] != '\0' ||
		(digits[0] == '0' && length > 1)) {
		return -1;
	}
	int number = 0;
	for (size_t i = 0; i < length; i++) {
		number = number * 10 + (digits[i] - '0');
	}
	return number;
}

static enum semantic semantic_of(const char *name, int *number) {
	*number = 0;
	for (int i = 0; i < SEMANTIC_COUNT; i++) {
		const size_t length = strlen(semantics[i].name);
		if (strncmp(name, semantics[i].name, length) == 0) {
			*number = semantics[i].numbered ? number_of(name + length)
							: -(name[length] != '\0');
			return *number < 0 ? UNKNOWN : (enum semantic)i;
		}
	}
	return name[0] == '_' ? CUSTOM : UNKNOWN;
}

/* True where an accessor has a type and components that the vertex attribute may have. */
static bool fits(
	const struct gltf *gltf, enum semantic semantic, const struct gltf_accessor *accessor) {
	return (semantics[semantic].types & GLTF_BIT(accessor->type)) &&
		((gltf->quantized && semantics[semantic].quantizable) ||
			((accessor->normalized ? semantics[semantic].normalized
					       : semantics[semantic].plain) &
				GLTF_BIT(accessor->component)));
}

/* The same of a target's attribute, whose deltas have signs. */
static bool fits_target(
	const struct gltf *gltf, enum semantic semantic, const struct gltf_accessor *accessor) {
	struct gltf_accessor other = *accessor;
	if (semantic == TANGENT) {
		return fits(gltf, NORMAL, accessor);
	}
	if (accessor->normalized && accessor->component == GLTF_BYTE) {
		other.component = GLTF_UNSIGNED_BYTE;
	} else if (accessor->normalized && accessor->component == GLTF_SHORT) {
		other.component = GLTF_UNSIGNED_SHORT;
	}
	return fits(gltf, semantic, &other);
}

static void check_format(struct gltf_links *links, const struct gltf_item *item,
	enum semantic semantic, bool of_target, int accessor) {
	struct gltf *gltf = links->gltf;
	const struct gltf_accessor *found = &gltf->accessors[accessor];
	if (semantic >= SEMANTIC_COUNT) {
		if (found->component == GLTF_UNSIGNED_INT) {
			gltf_breach(gltf, GLTF_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT,
				item, "is made of 32-bit integers");
		}
	} else if (!(of_target ? fits_target : fits)(gltf, semantic, found)) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, item,
			"accessors[%d] has a type that this attribute must not have", accessor);
	}
}

/* Checks the layout of vertices in their view: offset, stride and alignment. */
static void check_layout(struct gltf_links *links, const struct gltf_item *item, int accessor) {
	struct gltf *gltf = links->gltf;
	const int view = gltf->accessors[accessor].view;
	const size_t offset = gltf->accessors[accessor].offset;
	if (view < 0) {
		return;
	}
	if (offset % 4 != 0 ||
		(!gltf_links_has_stride(links, view) &&
			gltf->accessors[accessor].stride % 4 != 0)) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_ACCESSOR_UNALIGNED, item,
			"accessors[%d] has elements that do not begin at multiples of 4 bytes",
			accessor);
	}
	if (links->vertices_of[view] >= 0 && links->vertices_of[view] != accessor &&
		!gltf_links_has_stride(links, view)) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, item,
			"shares bufferViews[%d] with accessors[%d], and it has no byteStride", view,
			links->vertices_of[view]);
	}
	links->vertices_of[view] = accessor;
}

/* The attributes of a primitive or of a morph target, as far as they are counted. */
struct attributes {
	size_t vertex_count;        // 0 = not known
	int counts[SEMANTIC_COUNT]; // of each semantic
	int ends[SEMANTIC_COUNT];   // behind the greatest number
};

static void check_attribute(struct gltf_links *links, const struct gltf_item *item, bool of_target,
	struct attributes *found) {
	struct gltf *gltf = links->gltf;
	int number;
	const enum semantic semantic = semantic_of(item->name, &number);
	const int accessor = gltf_links_index(item, gltf->accessor_count);
	if (semantic == UNKNOWN) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_INVALID_ATTRIBUTE, item,
			"is no attribute of glTF, and has no underscore in front");
	} else if (semantic != CUSTOM) {
		found->counts[semantic]++;
		found->ends[semantic] =
			number >= found->ends[semantic] ? number + 1 : found->ends[semantic];
	}
	if (accessor < 0) {
		return;
	}
	gltf_links_use(links, item, accessor, GLTF_USER_VERTICES);
	check_format(links, item, semantic, of_target, accessor);
	check_layout(links, item, accessor);
	if (found->vertex_count > 0 && gltf->accessors[accessor].count != found->vertex_count) {
		gltf_breach(gltf,
			of_target ? GLTF_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT
				  : GLTF_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT,
			item, "accessors[%d] has %zu elements for %zu vertices", accessor,
			gltf->accessors[accessor].count, found->vertex_count);
	}
	if (semantic == POSITION) {
		gltf_links_expect_bounds(links, item, accessor,
			GLTF_MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS);
	}
	if (semantic < SEMANTIC_COUNT && !of_target) {
		links->uses[accessor] |= (unsigned char)semantics[semantic].use;
	}
}

static void check_together(struct gltf_links *links, const struct gltf_item *attributes,
	const struct attributes *found) {
	struct gltf *gltf = links->gltf;
	for (int i = 0; i < SEMANTIC_COUNT; i++) {
		if (found->ends[i] > found->counts[i]) {
			gltf_breach(gltf, GLTF_MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY,
				attributes, "has %s%d, but not all below it", semantics[i].name,
				found->ends[i] - 1);
		}
	}
	if (found->counts[JOINTS] != found->counts[WEIGHTS]) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, attributes,
			"has %d sets of joints and %d of weights", found->counts[JOINTS],
			found->counts[WEIGHTS]);
	}
	if (found->counts[TANGENT] > 0 && found->counts[NORMAL] == 0) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, attributes,
			"has TANGENT without NORMAL; left out");
	}
}

static void check_targets(struct gltf_links *links, const struct gltf_item *object,
	const struct gltf_item *base, size_t vertex_count) {
	const struct gltf_item targets = gltf_member(object, "targets");
	for (size_t i = 0; i < gltf_list_size(&targets); i++) {
		const struct gltf_item target = gltf_element(&targets, i);
		struct attributes found = {.vertex_count = vertex_count};
		for (size_t k = 0; k < gltf_member_count(&target); k++) {
			const struct gltf_item item = gltf_member_at(&target, k);
			check_attribute(links, &item, true, &found);
			if (!gltf_member(base, item.name).json) {
				gltf_breach(links->gltf,
					GLTF_MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, &item,
					"morphs what the primitive does not have");
			}
		}
	}
}

/* Texture coordinates that the material asks for. */
static void check_texcoords(struct gltf_links *links, const struct gltf_item *object,
	const struct gltf_primitive *primitive) {
	const struct gltf_texcoords *texcoords =
		gltf_texcoords_of(links->gltf, primitive->material);
	for (int i = 0; i < texcoords->used; i++) {
		if (primitive->texcoords[i] < 0) {
			gltf_breach(links->gltf, GLTF_MESH_PRIMITIVE_TOO_FEW_TEXCOORDS, object,
				"has no TEXCOORD_%zu, which materials[%d] uses; taken as 0",
				texcoords->sets[i], primitive->material);
		}
	}
}

static void check_indices(struct gltf_links *links, const struct gltf_item *object,
	const struct gltf_primitive *primitive) {
	struct gltf *gltf = links->gltf;
	const struct gltf_item item = gltf_member(object, "indices");
	if (primitive->indices < 0) {
		return;
	}
	gltf_links_use(links, &item, primitive->indices, GLTF_USER_INDICES);
	gltf_links_refuse_stride(links, &item, primitive->indices,
		GLTF_MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE);
	if (gltf->accessors[primitive->indices].normalized) {
		gltf_breach(gltf, GLTF_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, &item,
			"accessors[%d] is normalized; taken as if it were not", primitive->indices);
	}
}

/* Checks that the number of corners makes whole primitives. */
static void check_mode(struct gltf_links *links, const struct gltf_item *object,
	const struct gltf_primitive *primitive) {
	static const struct {
		size_t least, multiple;
	} modes[] = {
		[GLTF_POINTS] = {1, 1},
		[GLTF_LINES] = {2, 2},
		[GLTF_LINE_LOOP] = {2, 1},
		[GLTF_LINE_STRIP] = {2, 1},
		[GLTF_TRIANGLES] = {3, 3},
		[GLTF_TRIANGLE_STRIP] = {3, 1},
		[GLTF_TRIANGLE_FAN] = {3, 1},
	};
	const size_t count = primitive->source_count;
	if (count < modes[primitive->mode].least || count % modes[primitive->mode].multiple != 0) {
		gltf_breach(links->gltf, GLTF_MESH_PRIMITIVE_INCOMPATIBLE_MODE, object,
			"has %zu corners, which its mode leaves some of over; left out", count);
	}
}

static void check_primitive(struct gltf_links *links, const struct gltf_item *object,
	const struct gltf_primitive *primitive) {
	const struct gltf_item base = gltf_member(object, "attributes");
	struct attributes found = {.vertex_count = primitive->vertex_count};
	for (size_t i = 0; i < gltf_member_count(&base); i++) {
		const struct gltf_item item = gltf_member_at(&base, i);
		check_attribute(links, &item, false, &found);
	}
	check_together(links, &base, &found);
	check_targets(links, object, &base, primitive->vertex_count);
	if (primitive->position >= 0) {
		check_indices(links, object, primitive);
		check_texcoords(links, object, primitive);
		check_mode(links, object, primitive);
	}
}

void gltf_links_check_meshes(struct gltf_links *links) {
	const struct gltf_item list = gltf_member(&links->gltf->root, "meshes");
	for (int i = 0; i < links->gltf->mesh_count; i++) {
		const struct gltf_item mesh = gltf_element(&list, (size_t)i);
		const struct gltf_item primitives = gltf_member(&mesh, "primitives");
		for (int k = 0; k < links->gltf->meshes[i].primitive_count; k++) {
			const struct gltf_item object = gltf_element(&primitives, (size_t)k);
			check_primitive(links, &object, &links->gltf->meshes[i].primitives[k]);
		}
	}
}
