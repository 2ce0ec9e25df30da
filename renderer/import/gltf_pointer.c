// KHR_animation_pointer: the pointer of one target.
#include "import/gltf_pointer.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *prefix; // of pointers
} groups[GLTF_POINTER_GROUP_COUNT] = {
	[GLTF_POINTER_NODES] = {"nodes", "/nodes/"},
	[GLTF_POINTER_MATERIALS] = {"materials", "/materials/"},
	[GLTF_POINTER_CAMERAS] = {"cameras", "/cameras/"},
	[GLTF_POINTER_LIGHTS] = {"lights", "/extensions/KHR_lights_punctual/lights/"},
	[GLTF_POINTER_OTHERS] = {"others", ""},
};

const char *gltf_pointer_group_name(enum gltf_pointer_group group) {
	return groups[group].name;
}

/* "3/translation"; the index as RFC 6901 has it, without a sign or leading zeros. */
static bool split(const char *text, int node_count, struct gltf_pointer *pointer) {
	const size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 9 || text[digits] != '/' || (text[0] == '0' && digits > 1)) {
		return false;
	}
	pointer->node = (int)strtol(text, NULL, 10);
	pointer->property = text + digits + 1;
	return pointer->node < node_count;
}

bool gltf_pointer_read(const struct gltf_item *target, int node_count, struct gltf_pointer *pointer,
	struct error *err) {
	struct gltf_item extensions, extension;
	const char *text = NULL;
	if (!gltf_object(target, "extensions", &extensions, err) ||
		!gltf_object(&extensions, "KHR_animation_pointer", &extension, err) ||
		!gltf_string(&extension, "pointer", &text, err)) {
		return false;
	}
	if (!text || text[0] != '/') {
		return gltf_broken(target, err,
			"path is \"pointer\": needs extensions.KHR_animation_pointer.pointer, a "
			"JSON pointer such as \"/nodes/0/translation\"");
	}
	int group = 0;
	while (strncmp(text, groups[group].prefix, strlen(groups[group].prefix)) != 0) {
		group++; // the last one fits all
	}
	pointer->group = (enum gltf_pointer_group)group;
	if (group != GLTF_POINTER_NODES ||
		split(text + strlen(groups[group].prefix), node_count, pointer)) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(text, quoted, sizeof quoted);
	return gltf_broken(&extension, err,
		"pointer is %s, must be /nodes/, an index below %d and a property", quoted,
		node_count);
}
