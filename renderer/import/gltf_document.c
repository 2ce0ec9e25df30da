// A glTF document: its JSON, its buffers and the views into them.
#include "import/gltf_document.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"
#include "base/value.h"
#include "import/data_uri.h"
#include "import/gltf_accessor.h"
#include "import/gltf_facts.h"
#include "import/json_parse.h"
#include "import/limits.h"

/* The range that the specification allows for byteStride. */
#define STRIDE_MIN 4
#define STRIDE_MAX 252

const struct json_value *gltf_document_parse(const struct gltf_source *source, struct arena *arena,
	size_t *replaced, struct error *err) {
	struct json_text text = {(const char *)source->json, source->json_size, source->json_room};
	if (text.size >= 3 && memcmp(text.bytes, "\xef\xbb\xbf", 3) == 0) {
		text.bytes += 3;
		text.size -= 3;
		text.room -= 3;
	}
	while (text.size > 0 && text.bytes[text.size - 1] == '\0') {
		text.size--; // some exporters fill up a GLB's chunk with NUL instead of spaces
	}
	return json_parse(&text, arena, replaced, err);
}

bool gltf_document_list(struct gltf *gltf, const char *name, struct gltf_item *list, int *count,
	struct error *err) {
	if (!gltf_list(&gltf->root, name, list, err)) {
		return false;
	}
	if (gltf_list_size(list) > INT_MAX) {
		return gltf_broken(list, err, "has %zu elements, too many", gltf_list_size(list));
	}
	*count = (int)gltf_list_size(list);
	return true;
}

/* The bytes of a buffer, as many as there are: byteLength is held against them afterwards. NULL
 * where there are none, which only a view without bytes of its own finds wrong. */
static bool find_buffer(struct gltf *gltf, const struct gltf_item *buffer, int i,
	struct gltf_bytes *bytes, struct error *err) {
	const struct gltf_source *source = gltf->source;
	const char *uri = NULL;
	bool fallback = false;
	if (!gltf_string(buffer, "uri", &uri, err) ||
		!gltf_meshopt_fallback(buffer, &fallback, err)) {
		return false;
	}
	*bytes = (struct gltf_bytes){0};
	if (fallback) {
		return true;
	}
	if (uri) {
		return gltf_uri_read(gltf, buffer, uri, bytes, err);
	}
	if (i == 0 && source->bin) {
		*bytes = (struct gltf_bytes){.data = source->bin, .size = source->bin_size};
	}
	return true;
}

static bool read_buffer(
	struct gltf *gltf, const struct gltf_item *buffer, int i, struct error *err) {
	struct gltf_bytes *bytes = &gltf->buffers[i];
	size_t length = 0;
	if (!gltf_size(buffer, "byteLength", &length, err) ||
		!find_buffer(gltf, buffer, i, bytes, err)) {
		return false;
	}
	if (length == 0 || (bytes->data && length > bytes->size)) {
		return gltf_broken(buffer, err,
			"byteLength is %zu, must be from 1 to the %zu bytes there are", length,
			bytes->size);
	}
	bytes->size = length;
	return true;
}

static bool read_buffers(struct gltf *gltf, struct error *err) {
	struct gltf_item list, buffer;
	if (!gltf_document_list(gltf, "buffers", &list, &gltf->buffer_count, err)) {
		return false;
	}
	gltf->buffers = arena_alloc(gltf->arena, (size_t)gltf->buffer_count, sizeof *gltf->buffers);
	for (int i = 0; i < gltf->buffer_count; i++) {
		if (!gltf_element_object(&list, (size_t)i, &buffer, err) ||
			!read_buffer(gltf, &buffer, i, err)) {
			return false;
		}
	}
	return true;
}

static bool read_view(struct gltf *gltf, const struct gltf_item *view, struct gltf_bytes *bytes,
	struct error *err) {
	int index = -1;
	size_t offset = 0, length = 0;
	if (!gltf_index(view, "buffer", gltf->buffer_count, &index, err) ||
		!gltf_size(view, "byteOffset", &offset, err) ||
		!gltf_size(view, "byteLength", &length, err) ||
		!gltf_size(view, "byteStride", &bytes->stride, err)) {
		return false;
	}
	if (index < 0 || length == 0) {
		return gltf_broken(view, err, "needs a buffer and a byteLength of at least 1");
	}
	const struct gltf_bytes *buffer = &gltf->buffers[index];
	if (offset > buffer->size || length > buffer->size - offset) {
		return gltf_broken(view, err, "bytes %zu to %zu, but buffers[%d] has only %zu",
			offset, offset + length, index, buffer->size);
	}
	if (bytes->stride != 0 && (bytes->stride < STRIDE_MIN || bytes->stride > STRIDE_MAX)) {
		return gltf_broken(view, err, "byteStride is %zu, must be from %d to %d",
			bytes->stride, STRIDE_MIN, STRIDE_MAX);
	}
	bytes->offset = offset;
	bytes->data = buffer->data ? buffer->data + offset : NULL;
	bytes->size = length;
	if (!gltf_meshopt_read(gltf, view, bytes, err)) {
		return false;
	}
	return bytes->data ||
		gltf_broken(view, err,
			"buffers[%d] has no uri, and the file has no binary chunk for it", index);
}

static bool read_views(struct gltf *gltf, struct error *err) {
	struct gltf_item list, view;
	if (!gltf_document_list(gltf, "bufferViews", &list, &gltf->view_count, err)) {
		return false;
	}
	gltf->views = arena_alloc(gltf->arena, (size_t)gltf->view_count, sizeof *gltf->views);
	for (int i = 0; i < gltf->view_count; i++) {
		if (!gltf_element_object(&list, (size_t)i, &view, err) ||
			!read_view(gltf, &view, &gltf->views[i], err)) {
			return false;
		}
	}
	return true;
}

/* Major version 2, and no feature of a later minor version needed. */
static bool check_version(const struct gltf *gltf, struct error *err) {
	struct gltf_item asset;
	const char *version = NULL, *least = NULL;
	if (!gltf_object(&gltf->root, "asset", &asset, err) ||
		!gltf_string(&asset, "version", &version, err) ||
		!gltf_string(&asset, "minVersion", &least, err)) {
		return false;
	}
	if (!version) {
		return gltf_broken(&asset, err, "has no version");
	}
	char quoted[UTF8_QUOTED_BYTES];
	if (strncmp(version, "2.", 2) != 0) {
		utf8_quote(version, quoted, sizeof quoted);
		return error_set(
			err, ERROR_UNSUPPORTED_ASSET, "asset.version: %s, must be 2.x", quoted);
	}
	if (least && strcmp(least, "2.0") != 0) {
		utf8_quote(least, quoted, sizeof quoted);
		return error_set(
			err, ERROR_UNSUPPORTED_ASSET, "asset.minVersion: %s, must be 2.0", quoted);
	}
	return true;
}

static const char *const supported_extensions[] = {
	"EXT_mesh_gpu_instancing",
	"EXT_meshopt_compression",
	"EXT_texture_webp",
	"KHR_animation_pointer",
	"KHR_draco_mesh_compression",
	"KHR_lights_punctual",
	"KHR_materials_anisotropy",
	"KHR_materials_clearcoat",
	"KHR_materials_dispersion",
	"KHR_materials_emissive_strength",
	"KHR_materials_ior",
	"KHR_materials_iridescence",
	"KHR_materials_pbrSpecularGlossiness",
	"KHR_materials_sheen",
	"KHR_materials_specular",
	"KHR_materials_transmission",
	"KHR_materials_unlit",
	"KHR_materials_variants",
	"KHR_materials_volume",
	"KHR_mesh_quantization",
	"KHR_texture_basisu",
	"KHR_texture_transform",
	"VRM",
	"VRMC_materials_hdr_emissiveMultiplier",
	"VRMC_materials_mtoon",
	"VRMC_node_constraint",
	"VRMC_springBone",
	"VRMC_springBone_extended_collider",
	"VRMC_vrm",
	NULL,
};

static bool is_supported(const char *name) {
	for (size_t i = 0; supported_extensions[i]; i++) {
		if (strcmp(name, supported_extensions[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Extensions that change what surfaces and lights look like, by how their names begin behind the
 * vendor: nothing that they say moves a vertex. */
static const char *const look_kinds[] = {
	"materials_", "texture_", "lights_", "packing_", "techniques_webgl"};

/* Those that nothing in a picture depends on, either. */
static const char *const remarks[] = {"KHR_xmp", "KHR_xmp_json_ld"};

static bool changes_look_alone(const char *name) {
	const char *kind = strchr(name, '_');
	for (size_t i = 0; kind && i < sizeof look_kinds / sizeof look_kinds[0]; i++) {
		if (strncmp(kind + 1, look_kinds[i], strlen(look_kinds[i])) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_remark(const char *name) {
	return strcmp(name, remarks[0]) == 0 || strcmp(name, remarks[1]) == 0;
}

static void look_at_used(struct gltf *gltf, const struct gltf_item *used) {
	for (size_t i = 0; i < gltf_list_size(used); i++) {
		const struct gltf_item item = gltf_element(used, i);
		const char *name = json_tree_string(item.json);
		if (name && !is_supported(name)) {
			char quoted[UTF8_QUOTED_BYTES];
			utf8_quote(name, quoted, sizeof quoted);
			gltf_warn(gltf->rig, &item, "%s is not supported; what it says is left out",
				quoted);
			if (gltf->facts) {
				gltf_facts_add_extension(gltf, name);
			}
		}
		gltf->quantized |= name && strcmp(name, "KHR_mesh_quantization") == 0;
	}
}

/* An extension that is required and not supported. */
static bool do_without(
	struct gltf *gltf, const struct gltf_item *item, const char *name, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES], supported[1024];
	utf8_quote(name, quoted, sizeof quoted);
	if (is_remark(name)) {
		return true;
	}
	if (!changes_look_alone(name)) {
		value_list_names(supported_extensions, supported, sizeof supported);
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"extensionsRequired[%zu]: %s is not supported; supported: %s", item->index,
			quoted, supported);
	}
	if (gltf->rig->look_requires[0] == '\0') {
		memcpy(gltf->rig->look_requires, quoted, sizeof quoted);
	}
	gltf_warn(gltf->rig, item,
		"%s is not supported; vertices are as they are meant, pictures of the materials "
		"are refused",
		quoted);
	return true;
}

static bool check_extensions(struct gltf *gltf, struct error *err) {
	struct gltf_item used, required;
	if (!gltf_list(&gltf->root, "extensionsUsed", &used, err) ||
		!gltf_list(&gltf->root, "extensionsRequired", &required, err)) {
		return false;
	}
	for (size_t i = 0; i < gltf_list_size(&required); i++) {
		const struct gltf_item item = gltf_element(&required, i);
		const char *name = json_tree_string(item.json);
		if (!name) {
			return gltf_broken(&item, err, "must be a string");
		}
		if (!is_supported(name) && !do_without(gltf, &item, name, err)) {
			return false;
		}
	}
	look_at_used(gltf, &used);
	return true;
}

bool gltf_document_load(struct gltf *gltf, const struct gltf_source *source, struct error *err) {
	gltf->source = source;
	gltf->bytes_left = claim_allowed(source->file_size);
	size_t replaced = 0;
	gltf->root = (struct gltf_item){
		.json = gltf_document_parse(source, gltf->arena, &replaced, err)};
	if (replaced > 0) {
		rig_warn(gltf->rig, "document: %zu characters \\u0000 in strings, read as U+FFFD",
			replaced);
	}
	if (source->extra_bytes > 0) {
		gltf_breach_at(gltf, GLTF_GLB_EXTRA_DATA, "GLB",
			"%zu bytes behind its end; left out", source->extra_bytes);
	}
	return gltf->root.json && check_version(gltf, err) && check_extensions(gltf, err) &&
		read_buffers(gltf, err) && read_views(gltf, err);
}

bool gltf_claim(struct gltf *gltf, size_t bytes, const char *what, struct error *err) {
	return claim_bytes(&gltf->bytes_left, bytes, what, err);
}

void *gltf_storage(
	struct gltf *gltf, size_t count, size_t size, const char *what, struct error *err) {
	return claim_storage(gltf->rig, &gltf->bytes_left, count, size, what, err);
}

static bool read_transform(const struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err) {
	struct gltf_item extensions, transform;
	return gltf_object(texture, "extensions", &extensions, err) &&
		gltf_object(&extensions, "KHR_texture_transform", &transform, err) &&
		gltf_numbers(&transform, "offset", 2, slot->offset, err) &&
		gltf_number(&transform, "rotation", &slot->rotation_rad, err) &&
		gltf_numbers(&transform, "scale", 2, slot->scale, err) &&
		gltf_size(&transform, "texCoord", set, err);
}

bool gltf_texture_slot_read(const struct gltf *gltf, const struct gltf_item *object,
	const char *name, struct gltf_item *texture, struct texture_slot *slot, size_t *set,
	struct error *err) {
	if (!gltf_object(object, name, texture, err)) {
		return false;
	}
	if (!texture->json) {
		return true;
	}
	if (!gltf_index(texture, "index", gltf->texture_count, &slot->texture, err) ||
		!gltf_size(texture, "texCoord", set, err) ||
		!read_transform(texture, slot, set, err)) {
		return false;
	}
	return slot->texture >= 0 || gltf_broken(texture, err, "has no index");
}

void gltf_texture_slot_drop(struct material *material, enum texture_use use) {
	material->textures[use] = material_default.textures[use];
	if (use == TEXTURE_METALLIC_ROUGHNESS) {
		material->metallic = 0;
	} else if (use == TEXTURE_EMISSIVE) {
		memset(material->emissive, 0, sizeof material->emissive);
	} else if (use == TEXTURE_SPECULAR_COLOR && material->ior == 0) {
		material->ior = material_default.ior;
	} else if (use == TEXTURE_TRANSMISSION) {
		material->transmission = 0;
	} else if (use == TEXTURE_ANISOTROPY) {
		material->anisotropy = 0;
	} else if (use == TEXTURE_IRIDESCENCE) {
		material->iridescence = 0;
	} else if (use == TEXTURE_THICKNESS) {
		material->thickness = 0;
	}
}

static const struct {
	enum topology topology;
	size_t corners; // of one triangle, line or point
	bool separate;  // each takes corners of its own; else one more than the one before
} modes[] = {
	[GLTF_POINTS] = {TOPOLOGY_POINTS, 1, true},
	[GLTF_LINES] = {TOPOLOGY_LINES, 2, true},
	[GLTF_LINE_LOOP] = {TOPOLOGY_LINES, 2, false},
	[GLTF_LINE_STRIP] = {TOPOLOGY_LINES, 2, false},
	[GLTF_TRIANGLES] = {TOPOLOGY_TRIANGLES, 3, true},
	[GLTF_TRIANGLE_STRIP] = {TOPOLOGY_TRIANGLES, 3, false},
	[GLTF_TRIANGLE_FAN] = {TOPOLOGY_TRIANGLES, 3, false},
};

enum topology gltf_topology(enum gltf_mode mode) {
	return modes[mode].topology;
}

/* Triangles, lines or points. */
static size_t piece_count(enum gltf_mode mode, size_t source_count) {
	const size_t corners = modes[mode].corners;
	if (source_count < corners) {
		return 0;
	}
	if (modes[mode].separate) {
		return source_count / corners;
	}
	const size_t closing = mode == GLTF_LINE_LOOP ? 1 : 0;
	return source_count - (corners - 1) + closing;
}

size_t gltf_topology_count(enum gltf_mode mode, size_t source_count) {
	return piece_count(mode, source_count) * modes[mode].corners;
}

/* Position in the source of a corner of a piece. */
static size_t corner_of(enum gltf_mode mode, size_t piece, size_t corner, size_t source_count) {
	switch (mode) {
	case GLTF_LINE_LOOP:
		return (piece + corner) % source_count;
	case GLTF_LINE_STRIP:
		return piece + corner;
	case GLTF_TRIANGLE_STRIP:
		// Every second triangle is turned round, so that all face the same way.
		return corner == 0 ? piece : piece + (corner == 1 ? 1 + piece % 2 : 2 - piece % 2);
	case GLTF_TRIANGLE_FAN:
		return corner == 2 ? 0 : piece + corner + 1;
	case GLTF_POINTS:
	case GLTF_LINES:
	case GLTF_TRIANGLES:
	case GLTF_MODE_COUNT:
		break;
	}
	return piece * modes[mode].corners + corner;
}

void gltf_topology_fill(
	enum gltf_mode mode, const uint32_t *source, size_t source_count, uint32_t *out) {
	const size_t pieces = piece_count(mode, source_count);
	for (size_t piece = 0; piece < pieces; piece++) {
		for (size_t corner = 0; corner < modes[mode].corners; corner++) {
			const size_t at = corner_of(mode, piece, corner, source_count);
			*out++ = source ? source[at] : (uint32_t)at;
		}
	}
}
