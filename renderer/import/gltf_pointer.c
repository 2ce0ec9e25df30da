// KHR_animation_pointer: the pointer of one target.
#include "import/gltf_pointer.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *prefix; // of pointers
} groups[GLTF_POINTER_GROUP_COUNT] = {
	[GLTF_POINTER_NODES] = {"nodes", "/nodes/"},
	[GLTF_POINTER_MESHES] = {"meshes", "/meshes/"},
	[GLTF_POINTER_MATERIALS] = {"materials", "/materials/"},
	[GLTF_POINTER_CAMERAS] = {"cameras", "/cameras/"},
	[GLTF_POINTER_LIGHTS] = {"lights", "/extensions/KHR_lights_punctual/lights/"},
	[GLTF_POINTER_OTHERS] = {"others", ""},
};

const char *gltf_pointer_group_name(enum gltf_pointer_group group) {
	return groups[group].name;
}

/* An index as RFC 6901 has it, without a sign or leading zeros; the text after it, NULL = none. */
static const char *read_index(const char *text, int *index) {
	const size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 9 || (text[0] == '0' && digits > 1)) {
		return NULL;
	}
	*index = (int)strtol(text, NULL, 10);
	return text + digits;
}

/* "3/translation" */
static bool split(const char *text, int count, struct gltf_pointer *pointer) {
	const char *rest = read_index(text, &pointer->index);
	if (!rest || rest[0] != '/') {
		return false;
	}
	pointer->property = rest + 1;
	return pointer->index < count;
}

bool gltf_pointer_read(const struct gltf *gltf, const struct gltf_item *target,
	struct gltf_pointer *pointer, struct error *err) {
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
	*pointer = (struct gltf_pointer){.text = text, .group = (enum gltf_pointer_group)group};
	const int counts[] = {
		[GLTF_POINTER_NODES] = gltf->node_count,
		[GLTF_POINTER_MESHES] = gltf->mesh_count,
	};
	const char *prefix = groups[group].prefix;
	if (group > GLTF_POINTER_MESHES || split(text + strlen(prefix), counts[group], pointer)) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(text, quoted, sizeof quoted);
	return gltf_broken(&extension, err,
		"pointer is %s, must be %s, an index below %d and a property", quoted, prefix,
		counts[group]);
}

bool gltf_pointer_to_weights(const struct gltf_pointer *pointer, int *weight) {
	static const char name[] = "weights";
	const size_t length = strlen(name);
	if (strncmp(pointer->property, name, length) != 0) {
		return false;
	}
	const char *rest = pointer->property + length;
	*weight = -1;
	if (rest[0] == '/') {
		rest = read_index(rest + 1, weight);
	}
	return rest && rest[0] == '\0';
}
