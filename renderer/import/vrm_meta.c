// Who made an avatar and what may be done with it, and its picture.
#include <string.h>

#include "import/vrm.h"
#include "model/avatar_check.h"

static bool add_fact(struct vrm *vrm, const struct gltf_item *item, const char *key, bool of_list,
	struct error *err) {
	// What has no text ends with its key: all of an avatar lies in the rig's storage.
	struct avatar_fact fact = {.key = key, .text = key + strlen(key)};
	switch (item->json->kind) {
	case JSON_KIND_STRING:
		fact.kind = of_list ? AVATAR_TEXT_OF_LIST : AVATAR_TEXT;
		fact.text = vrm_text(vrm, item->json->of.string, err);
		break;
	case JSON_KIND_NUMBER:
		fact.kind = AVATAR_NUMBER;
		fact.number = item->json->of.number;
		break;
	case JSON_KIND_TRUE:
	case JSON_KIND_FALSE:
		fact.kind = AVATAR_TRUTH;
		fact.number = item->json->kind == JSON_KIND_TRUE;
		break;
	case JSON_KIND_NULL:
	case JSON_KIND_LIST:
	case JSON_KIND_OBJECT:
		return true;
	}
	if (!fact.text) {
		return false;
	}
	vrm->avatar->facts[vrm->avatar->fact_count++] = fact;
	return true;
}

/* A member, whose key is kept once for all elements of a list; of these only texts are. */
static bool add_member(struct vrm *vrm, const struct gltf_item *member, struct error *err) {
	const size_t letters = strspn(member->name, AVATAR_KEY_LETTERS);
	if (letters == 0 || member->name[letters] != '\0') {
		return true;
	}
	const char *key = vrm_text(vrm, member->name, err);
	if (!key) {
		return false;
	}
	if (member->json->kind != JSON_KIND_LIST) {
		return add_fact(vrm, member, key, false, err);
	}
	for (size_t i = 0; i < gltf_list_size(member); i++) {
		const struct gltf_item element = gltf_element(member, i);
		if (element.json->kind == JSON_KIND_STRING &&
			!add_fact(vrm, &element, key, true, err)) {
			return false;
		}
	}
	return true;
}

static size_t count_facts(const struct gltf_item *meta) {
	size_t count = 0;
	for (size_t i = 0; i < gltf_member_count(meta); i++) {
		const struct gltf_item member = gltf_member_at(meta, i);
		count += member.json->kind == JSON_KIND_LIST ? gltf_list_size(&member) : 1;
	}
	return count;
}

/* 1.0 names an image, 0.x a texture. A thumbnail that is not there costs only itself. */
static bool find_thumbnail(struct vrm *vrm, const struct gltf_item *meta, struct error *err) {
	struct gltf *gltf = vrm->gltf;
	struct gltf_item images, textures, texture;
	int image_count, texture_count, index = -1;
	if (!gltf_document_list(gltf, "images", &images, &image_count, err) ||
		!gltf_document_list(gltf, "textures", &textures, &texture_count, err)) {
		return false;
	}
	if (!vrm->avatar->is_0x) {
		return vrm_index(meta, "thumbnailImage", image_count, &gltf->thumbnail, err);
	}
	return vrm_index(meta, "texture", texture_count, &index, err) &&
		(index < 0 ||
			(gltf_element_object(&textures, (size_t)index, &texture, err) &&
				vrm_index(&texture, "source", image_count, &gltf->thumbnail, err)));
}

bool vrm_read_meta(struct vrm *vrm, struct error *err) {
	struct gltf_item meta;
	struct error why = {0};
	if (!vrm_object(&vrm->extension, "meta", &meta, err)) {
		return false;
	}
	vrm->avatar->facts = vrm_storage(vrm, count_facts(&meta), sizeof(struct avatar_fact), err);
	if (!vrm->avatar->facts) {
		return false;
	}
	if (meta.json && !find_thumbnail(vrm, &meta, &why)) {
		rig_warn(vrm->gltf->rig, "%s; without its thumbnail", why.text);
	}
	for (size_t i = 0; i < gltf_member_count(&meta); i++) {
		const struct gltf_item member = gltf_member_at(&meta, i);
		if (!add_member(vrm, &member, err)) {
			return false;
		}
	}
	return true;
}
