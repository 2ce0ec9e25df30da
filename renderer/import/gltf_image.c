// glTF's images, samplers and textures -> the rig's. Whatever a picture suffers from only costs the
// picture: a rig without its texture is still good for posing.
#include <stdlib.h>
#include <string.h>

#include "import/data_uri.h"
#include "import/gltf_document.h"
#include "import/gltf_facts.h"
#include "import/image.h"

/* The encoded picture that an image names by bufferView or by URI. */
static bool find_bytes(struct gltf *gltf, const struct gltf_item *object, struct gltf_bytes *bytes,
	struct error *err) {
	const char *uri = NULL;
	int view = -1;
	if (!gltf_string(object, "uri", &uri, err) ||
		!gltf_index(object, "bufferView", gltf->view_count, &view, err)) {
		return false;
	}
	if (view >= 0) {
		*bytes = gltf->views[view];
		return true;
	}
	if (!uri) {
		return gltf_broken(object, err, "has neither bufferView nor uri");
	}
	return gltf_uri_read(gltf, object, uri, bytes, err);
}

/* A copy of the file's own bytes: the file is gone when the rig is exported. */
static bool keep_encoded(
	struct gltf *gltf, const struct gltf_bytes *bytes, struct image *image, struct error *err) {
	if (image->kind == IMAGE_PIXELS) {
		return true;
	}
	unsigned char *copy = gltf_storage(gltf, bytes->size, 1, "image", err);
	if (!copy) {
		return false;
	}
	memcpy(copy, bytes->data, bytes->size);
	image->encoded = copy;
	image->encoded_bytes = bytes->size;
	return true;
}

static void check_mime_type(
	struct gltf *gltf, const struct gltf_item *object, const struct gltf_bytes *bytes) {
	const char *is = image_media_type(bytes->data, bytes->size);
	const struct gltf_item item = gltf_member(object, "mimeType");
	const char *type = json_tree_string(item.json);
	if (type && strcmp(type, is) != 0) {
		gltf_breach(
			gltf, GLTF_IMAGE_MIME_TYPE_INVALID, &item, "is not the %s that it is", is);
	}
}

static bool read_image(
	struct gltf *gltf, const struct gltf_item *object, struct image *image, struct error *err) {
	struct gltf_bytes bytes = {0};
	struct error why = {0};
	if (!find_bytes(gltf, object, &bytes, err)) {
		return false;
	}
	if (!image_decode(bytes.data, bytes.size, gltf->bytes_left, image, &why)) {
		return gltf_broken(object, err, "%s", why.text);
	}
	check_mime_type(gltf, object, &bytes);
	return gltf_claim(gltf, (size_t)image->width * (size_t)image->height * 4, "image", err) &&
		keep_encoded(gltf, &bytes, image, err);
}

/* One of the numbers that glTF took from GL, and what it means here. */
struct gl_name {
	size_t gl;
	int meaning;
};

static bool read_gl_name(const struct gltf_item *object, const char *name,
	const struct gl_name *names, int *meaning, struct error *err) {
	size_t gl = names[0].gl;
	if (!gltf_size(object, name, &gl, err)) {
		return false;
	}
	for (const struct gl_name *row = names; row->gl; row++) {
		if (row->gl == gl) {
			*meaning = row->meaning;
			return true;
		}
	}
	const struct gltf_item item = gltf_member(object, name);
	return gltf_broken(&item, err, "is %zu, which glTF does not know", gl);
}

/* First rows are the defaults. */
static const struct gl_name wraps[] = {
	{10497, WRAP_REPEAT}, {33071, WRAP_CLAMP}, {33648, WRAP_MIRROR}, {0, 0}};
static const struct gl_name nearest_when_magnified[] = {{9729, false}, {9728, true}, {0, 0}};
static const struct gl_name no_mipmaps[] = {{9987, false}, {9984, false}, {9985, false},
	{9986, false}, {9728, true}, {9729, true}, {0, 0}};

static bool read_sampler(
	const struct gltf_item *object, struct texture *texture, struct error *err) {
	int wrap_u = 0, wrap_v = 0, nearest = 0, plain = 0;
	if (!read_gl_name(object, "wrapS", wraps, &wrap_u, err) ||
		!read_gl_name(object, "wrapT", wraps, &wrap_v, err) ||
		!read_gl_name(object, "magFilter", nearest_when_magnified, &nearest, err) ||
		!read_gl_name(object, "minFilter", no_mipmaps, &plain, err)) {
		return false;
	}
	texture->wrap_u = (enum wrap)wrap_u;
	texture->wrap_v = (enum wrap)wrap_v;
	texture->nearest = nearest;
	texture->no_mipmaps = plain;
	return true;
}

/* Instead of a position in the rig: not yet tried, or cannot be had. */
#define UNTRIED (-1)
#define LOST (-2)

/* The lists that a texture points into. */
struct lists {
	struct gltf_item textures, samplers, images;
	int texture_count, sampler_count, image_count;
	int *decoded; // [image_count] position in rig->images; UNTRIED or LOST
};

/* Position in rig->images, decoding the image where nobody asked for it before. */
static int need_image(struct gltf *gltf, struct lists *lists, int index) {
	if (lists->decoded[index] != UNTRIED) {
		return lists->decoded[index];
	}
	struct rig *rig = gltf->rig;
	struct gltf_item object;
	struct error why = {0};
	struct image *image = &rig->images[rig->image_count];
	if (gltf_element_object(&lists->images, (size_t)index, &object, &why) &&
		read_image(gltf, &object, image, &why)) {
		if (gltf->facts) {
			gltf_facts_add_image(gltf, index, image);
		}
		return lists->decoded[index] = rig->image_count++;
	}
	free(image->rgba);
	*image = (struct image){0};
	rig_warn(rig, "%s; drawn without it", why.text);
	return lists->decoded[index] = LOST;
}

/* The image: an extension's if there is one, for then `source` is only for other readers. */
static bool read_source(const struct lists *lists, const struct gltf_item *texture, int *source,
	struct error *err) {
	static const char *const names[] = {"EXT_texture_webp", "KHR_texture_basisu"};
	struct gltf_item extensions;
	bool ok = gltf_index(texture, "source", lists->image_count, source, err) &&
		gltf_object(texture, "extensions", &extensions, err);
	for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++) {
		struct gltf_item extension;
		ok = gltf_object(&extensions, names[i], &extension, err) &&
			gltf_index(&extension, "source", lists->image_count, source, err);
	}
	return ok;
}

static bool read_texture(struct gltf *gltf, struct lists *lists, int index, struct error *err) {
	struct rig *rig = gltf->rig;
	struct gltf_item object, sampler;
	int source = -1, sampler_index = -1;
	struct texture *texture = &rig->textures[rig->texture_count];
	*texture = (struct texture){0};
	if (!gltf_element_object(&lists->textures, (size_t)index, &object, err) ||
		!read_source(lists, &object, &source, err) ||
		!gltf_index(&object, "sampler", lists->sampler_count, &sampler_index, err)) {
		return false;
	}
	if (sampler_index >= 0 &&
		(!gltf_element_object(&lists->samplers, (size_t)sampler_index, &sampler, err) ||
			!read_sampler(&sampler, texture, err))) {
		return false;
	}
	if (gltf->facts) {
		gltf_facts_add_compressed(gltf, &object, lists->image_count);
	}
	if (source < 0) {
		gltf_warn(rig, &object,
			"has no source that is a PNG, a JPEG, a WebP or a KTX 2; drawn without it");
		gltf->textures[index] = LOST;
		return true;
	}
	texture->image = need_image(gltf, lists, source);
	gltf->textures[index] = texture->image >= 0 ? rig->texture_count++ : LOST;
	return true;
}

static bool open_lists(struct gltf *gltf, struct lists *lists, struct error *err) {
	if (!gltf_document_list(gltf, "textures", &lists->textures, &lists->texture_count, err) ||
		!gltf_document_list(
			gltf, "samplers", &lists->samplers, &lists->sampler_count, err) ||
		!gltf_document_list(gltf, "images", &lists->images, &lists->image_count, err)) {
		return false;
	}
	const size_t textures = (size_t)lists->texture_count, images = (size_t)lists->image_count;
	gltf->textures = arena_alloc(gltf->arena, textures, sizeof *gltf->textures);
	for (size_t i = 0; i < textures; i++) {
		gltf->textures[i] = UNTRIED;
	}
	lists->decoded = arena_alloc(gltf->arena, images, sizeof *lists->decoded);
	for (size_t i = 0; i < images; i++) {
		lists->decoded[i] = UNTRIED;
	}
	struct rig *rig = gltf->rig;
	rig->textures = gltf_storage(gltf, textures, sizeof *rig->textures, "textures", err);
	rig->images = gltf_storage(gltf, images, sizeof *rig->images, "images", err);
	return rig->textures && rig->images;
}

/* Puts the rig's texture in the place of the file's. */
static void resolve(const struct gltf *gltf, struct material *material, enum texture_use use) {
	struct texture_slot *slot = &material->textures[use];
	slot->texture = gltf->textures[slot->texture];
	if (slot->texture < 0) {
		gltf_texture_slot_drop(material, use);
	}
}

/* Base colours of all materials come first: if there is no room for all, they are worth most. */
bool gltf_read_textures(struct gltf *gltf, struct error *err) {
	struct lists lists = {0};
	if (!open_lists(gltf, &lists, err)) {
		return false;
	}
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		for (int i = 0; i < gltf->rig->material_count; i++) {
			struct material *material = &gltf->rig->materials[i];
			const int index = material->textures[use].texture;
			if (index < 0) {
				continue;
			}
			if (gltf->textures[index] == UNTRIED &&
				!read_texture(gltf, &lists, index, err)) {
				return false;
			}
			resolve(gltf, material, use);
		}
	}
	if (gltf->avatar && gltf->thumbnail >= 0) {
		gltf->avatar->thumbnail = need_image(gltf, &lists, gltf->thumbnail);
		if (gltf->avatar->thumbnail == LOST) {
			gltf->avatar->thumbnail = -1;
		}
	}
	return true;
}
