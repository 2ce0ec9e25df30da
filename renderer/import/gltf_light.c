// KHR_lights_punctual -> the rig's lights. One that makes no sense costs only itself. Source:
// Khronos' registry.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_document.h"

#define EXTENSION "KHR_lights_punctual"

static bool read_kind(const struct gltf_item *object, struct light *light, struct error *err) {
	static const char *const names[] = {
		[LIGHT_DIRECTIONAL] = "directional",
		[LIGHT_POINT] = "point",
		[LIGHT_SPOT] = "spot",
		NULL,
	};
	int kind = -1;
	if (!gltf_choice(object, "type", names, &kind, err)) {
		return false;
	}
	light->kind = (enum light_kind)kind;
	return kind >= 0 || gltf_broken(object, err, "has no type");
}

static bool read_cone(const struct gltf_item *object, struct light *light, struct error *err) {
	struct gltf_item spot;
	light->outer_rad = (float)M_PI / 4;
	if (!gltf_object(object, "spot", &spot, err) ||
		!gltf_number(&spot, "innerConeAngle", &light->inner_rad, err) ||
		!gltf_number(&spot, "outerConeAngle", &light->outer_rad, err)) {
		return false;
	}
	return (light->inner_rad >= 0 && light->inner_rad < light->outer_rad &&
		       light->outer_rad <= (float)M_PI / 2) ||
		gltf_broken(object, err,
			"KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES: its cone goes from %g to %g, must "
			"be 0 <= inner < outer <= pi / 2",
			(double)light->inner_rad, (double)light->outer_rad);
}

static bool check_brightness(
	const struct gltf_item *object, const struct light *light, struct error *err) {
	for (int i = 0; i < 3; i++) {
		if (!(light->color[i] >= 0 && light->color[i] <= 1)) {
			return gltf_broken(object, err, "color has %g, must be from 0 to 1",
				(double)light->color[i]);
		}
	}
	return (light->intensity >= 0 && light->range >= 0) ||
		gltf_broken(object, err, "intensity %g and range %g must not be negative",
			(double)light->intensity, (double)light->range);
}

/* One of the file's list; the name is borrowed. */
static bool read_light(const struct gltf_item *object, struct light *light, struct error *err) {
	const char *name = "";
	*light = (struct light){.color = {1, 1, 1}, .intensity = 1};
	if (!gltf_string(object, "name", &name, err) || !read_kind(object, light, err) ||
		!gltf_numbers(object, "color", 3, light->color, err) ||
		!gltf_number(object, "intensity", &light->intensity, err) ||
		!gltf_number(object, "range", &light->range, err) ||
		!check_brightness(object, light, err)) {
		return false;
	}
	light->name = (char *)name;
	if (light->kind == LIGHT_DIRECTIONAL) {
		light->range = 0;
	}
	return light->kind != LIGHT_SPOT || read_cone(object, light, err);
}

/* The light that a node holds: its index in the list, -1 = none. */
static bool find_held(struct gltf *gltf, const struct gltf_node *node, int light_count, int *index,
	struct error *err) {
	struct gltf_item extensions, held;
	*index = -1;
	if (!gltf_object(&node->item, "extensions", &extensions, err) ||
		!gltf_object(&extensions, EXTENSION, &held, err) ||
		!gltf_index(&held, "light", light_count, index, err)) {
		return false;
	}
	if (held.json && *index < 0) {
		gltf_breach(gltf, GLTF_UNDEFINED_PROPERTY, &held, "has no light");
	}
	return true;
}

static bool place_lights(struct gltf *gltf, const struct gltf_item *list, struct error *err) {
	struct rig *rig = gltf->rig;
	const int light_count = (int)gltf_list_size(list);
	for (int joint = 0; joint < rig->joint_count; joint++) {
		const struct gltf_node *node = &gltf->nodes[rig->joints[joint].index];
		struct gltf_item object;
		struct error why = {0};
		struct light light;
		int index;
		if (!find_held(gltf, node, light_count, &index, err)) {
			return false;
		}
		if (index < 0 || !node->in_scene) {
			continue;
		}
		if (!gltf_element_object(list, (size_t)index, &object, &why) ||
			!read_light(&object, &light, &why)) {
			rig_warn(rig, "%s; left out", why.text);
			continue;
		}
		if (light.kind == LIGHT_SPOT && !gltf_member(&object, "spot").json) {
			gltf_breach(gltf, GLTF_UNDEFINED_PROPERTY, &object,
				"has no spot; taken as one of 45 degrees");
		}
		light.index = index;
		light.joint = joint;
		light.name = xstrndup(light.name, strlen(light.name));
		rig->lights[rig->light_count++] = light;
	}
	return true;
}

bool gltf_read_lights(struct gltf *gltf, struct error *err) {
	struct gltf_item extensions, extension, list;
	if (!gltf_object(&gltf->root, "extensions", &extensions, err) ||
		!gltf_object(&extensions, EXTENSION, &extension, err) ||
		!gltf_list(&extension, "lights", &list, err)) {
		return false;
	}
	struct rig *rig = gltf->rig;
	const size_t most = gltf_list_size(&list) > 0 ? (size_t)rig->joint_count : 0;
	rig->lights = gltf_storage(gltf, most, sizeof *rig->lights, "lights", err);
	return rig->lights && place_lights(gltf, &list, err);
}
