// Rules about what points to accessors and buffer views: skins, animations and pictures, and what
// views are like. Source: glTF 2.0, 3.6 to 3.11.
#include <string.h>
#include <strings.h>

#include "import/data_uri.h"
#include "import/gltf_links.h"

struct gltf_item gltf_links_accessor(const struct gltf_links *links, int accessor) {
	return gltf_element(&links->accessor_list, (size_t)accessor);
}

bool gltf_links_has_stride(const struct gltf_links *links, int view) {
	return view >= 0 && links->gltf->views[view].stride != 0;
}

void gltf_links_use_view(
	struct gltf_links *links, const struct gltf_item *from, int view, enum gltf_user user) {
	if (view < 0) {
		return;
	}
	if (links->views[view] != GLTF_USER_NONE && links->views[view] != user) {
		gltf_breach(links->gltf, GLTF_BUFFER_VIEW_TARGET_OVERRIDE, from,
			"uses bufferViews[%d], which has another target or use", view);
	}
	links->views[view] = (unsigned char)user;
}

void gltf_links_use(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_user user) {
	if (links->accessors[accessor] != GLTF_USER_NONE && links->accessors[accessor] != user) {
		gltf_breach(links->gltf, GLTF_ACCESSOR_USAGE_OVERRIDE, from,
			"uses accessors[%d], which has another use", accessor);
	}
	links->accessors[accessor] = (unsigned char)user;
	gltf_links_use_view(links, from, links->gltf->accessors[accessor].view,
		user == GLTF_USER_TIMES || user == GLTF_USER_KEYS ? GLTF_USER_OTHER : user);
}

void gltf_links_refuse_stride(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_rule rule) {
	const int view = links->gltf->accessors[accessor].view;
	if (gltf_links_has_stride(links, view)) {
		gltf_breach(links->gltf, rule, from, "uses bufferViews[%d], which has a byteStride",
			view);
	}
}

/* True for a bound of an accessor with as many numbers as its elements. */
static bool has_bound(const struct gltf_links *links, int accessor, const char *name) {
	const struct gltf_item item = gltf_links_accessor(links, accessor);
	const struct gltf_item list = gltf_member(&item, name);
	bool sound =
		gltf_list_size(&list) == gltf_accessor_width(&links->gltf->accessors[accessor]);
	for (size_t i = 0; i < gltf_list_size(&list) && sound; i++) {
		sound = list.json->of.elements[i].kind == JSON_KIND_NUMBER;
	}
	return sound;
}

void gltf_links_expect_bounds(
	struct gltf_links *links, const struct gltf_item *from, int accessor, enum gltf_rule rule) {
	if (!has_bound(links, accessor, "min") || !has_bound(links, accessor, "max")) {
		gltf_breach(
			links->gltf, rule, from, "accessors[%d] has no min or no max", accessor);
	}
}

/* An index that the schemas allow; else -1. */
int gltf_links_index(const struct gltf_item *item, int count) {
	const struct json_value *value = item->json;
	const bool fits = value && value->kind == JSON_KIND_NUMBER && value->of.number >= 0 &&
		value->of.number < count && value->of.number == (int)value->of.number;
	return fits ? (int)value->of.number : -1;
}

/* --- Skins, animations, pictures --- */

static void check_binds(struct gltf_links *links) {
	const struct gltf_item list = gltf_member(&links->gltf->root, "skins");
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		const struct gltf_item skin = gltf_element(&list, i);
		const struct gltf_item item = gltf_member(&skin, "inverseBindMatrices");
		const int accessor = gltf_links_index(&item, links->gltf->accessor_count);
		if (accessor >= 0) {
			gltf_links_use(links, &item, accessor, GLTF_USER_BINDS);
			gltf_links_refuse_stride(
				links, &item, accessor, GLTF_SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE);
			links->uses[accessor] |= GLTF_USE_BINDS;
		}
	}
}

static void check_sampler(struct gltf_links *links, const struct gltf_item *sampler) {
	const struct gltf_item input = gltf_member(sampler, "input");
	const struct gltf_item output = gltf_member(sampler, "output");
	const struct json_value *curve = gltf_member(sampler, "interpolation").json;
	const int count = links->gltf->accessor_count;
	const int times = gltf_links_index(&input, count), keys = gltf_links_index(&output, count);
	if (times < 0 || keys < 0) {
		return;
	}
	gltf_links_use(links, &input, times, GLTF_USER_TIMES);
	gltf_links_use(links, &output, keys, GLTF_USER_KEYS);
	gltf_links_refuse_stride(
		links, &input, times, GLTF_ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE);
	gltf_links_refuse_stride(
		links, &output, keys, GLTF_ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE);
	gltf_links_expect_bounds(
		links, &input, times, GLTF_ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS);
	links->uses[times] |= GLTF_USE_TIMES;
	const char *name = json_tree_string(curve);
	if (name && strcmp(name, "CUBICSPLINE") == 0 && links->gltf->accessors[times].count < 2) {
		gltf_breach(links->gltf, GLTF_ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS,
			&input, "has one key, of which no spline is made; taken as it is");
	}
}

static void check_channel(struct gltf_links *links, const struct gltf_item *channel,
	const struct gltf_item *samplers) {
	struct gltf *gltf = links->gltf;
	const struct gltf_item target = gltf_member(channel, "target");
	const struct gltf_item node_item = gltf_member(&target, "node");
	const struct gltf_item sampler_item = gltf_member(channel, "sampler");
	const char *path = json_tree_string(gltf_member(&target, "path").json);
	const int node = gltf_links_index(&node_item, gltf->node_count);
	const int index = gltf_links_index(&sampler_item, (int)gltf_list_size(samplers));
	if (!path || index < 0) {
		return;
	}
	const bool moves = strcmp(path, "translation") == 0 || strcmp(path, "rotation") == 0 ||
		strcmp(path, "scale") == 0;
	if (moves && node >= 0 && gltf_member(&gltf->nodes[node].item, "matrix").json) {
		gltf_breach(gltf, GLTF_ANIMATION_CHANNEL_TARGET_NODE_MATRIX, channel,
			"drives nodes[%d], which has a matrix; taken apart into what is driven",
			node);
	}
	const struct gltf_item sampler = gltf_element(samplers, (size_t)index);
	const struct gltf_item output = gltf_member(&sampler, "output");
	const int keys = gltf_links_index(&output, gltf->accessor_count);
	if (keys < 0) {
		return;
	}
	const struct gltf_accessor *accessor = &gltf->accessors[keys];
	if (moves && strcmp(path, "rotation") != 0 && accessor->component != GLTF_FLOAT) {
		gltf_breach(gltf, GLTF_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, channel,
			"drives %s by integers, accessors[%d]", path, keys);
	}
	if (strcmp(path, "rotation") == 0) {
		const char *curve = json_tree_string(gltf_member(&sampler, "interpolation").json);
		links->uses[keys] |= curve && strcmp(curve, "CUBICSPLINE") == 0
			? GLTF_USE_CUBIC_ROTATIONS
			: GLTF_USE_ROTATIONS;
	}
}

static void check_animations(struct gltf_links *links) {
	const struct gltf_item list = gltf_member(&links->gltf->root, "animations");
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		const struct gltf_item animation = gltf_element(&list, i);
		const struct gltf_item samplers = gltf_member(&animation, "samplers");
		const struct gltf_item channels = gltf_member(&animation, "channels");
		for (size_t k = 0; k < gltf_list_size(&samplers); k++) {
			const struct gltf_item sampler = gltf_element(&samplers, k);
			check_sampler(links, &sampler);
		}
		for (size_t k = 0; k < gltf_list_size(&channels); k++) {
			const struct gltf_item channel = gltf_element(&channels, k);
			check_channel(links, &channel, &samplers);
		}
	}
}

static void check_images(struct gltf_links *links) {
	const struct gltf_item list = gltf_member(&links->gltf->root, "images");
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		const struct gltf_item image = gltf_element(&list, i);
		const struct gltf_item item = gltf_member(&image, "bufferView");
		const int view = gltf_links_index(&item, links->gltf->view_count);
		gltf_links_use_view(links, &item, view, GLTF_USER_IMAGE);
		if (gltf_links_has_stride(links, view)) {
			gltf_breach(links->gltf, GLTF_IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE, &item,
				"uses bufferViews[%d], which has a byteStride", view);
		}
	}
}

/* --- Accessors, views and buffers --- */

static void check_sparse(struct gltf_links *links, const struct gltf_item *accessor) {
	static const char *const names[] = {"indices", "values"};
	const struct gltf_item sparse = gltf_member(accessor, "sparse");
	for (size_t i = 0; sparse.json && i < 2; i++) {
		const struct gltf_item part = gltf_member(&sparse, names[i]);
		const struct gltf_item item = gltf_member(&part, "bufferView");
		const int view = gltf_links_index(&item, links->gltf->view_count);
		gltf_links_use_view(links, &item, view, GLTF_USER_OTHER);
		if (gltf_links_has_stride(links, view)) {
			gltf_breach(links->gltf, GLTF_BUFFER_VIEW_INVALID_BYTE_STRIDE, &item,
				"uses bufferViews[%d], which has a byteStride; left out", view);
		}
	}
}

static void check_views(struct gltf_links *links) {
	for (int i = 0; i < links->gltf->view_count; i++) {
		const struct gltf_item view = gltf_element(&links->view_list, (size_t)i);
		const struct gltf_item stride = gltf_member(&view, "byteStride");
		const size_t bytes = links->gltf->views[i].stride;
		size_t length = 0, target = 0;
		gltf_size(&view, "byteLength", &length, NULL);
		gltf_size(&view, "target", &target, NULL);
		links->views[i] = target == 34962 ? GLTF_USER_VERTICES
			: target == 34963         ? GLTF_USER_INDICES
						  : GLTF_USER_NONE;
		links->vertices_of[i] = -1;
		if (bytes % 4 != 0) {
			gltf_breach(links->gltf, GLTF_VALUE_MULTIPLE_OF, &stride,
				"is %zu, no multiple of 4", bytes);
		}
		if (bytes > length && stride.json) {
			gltf_breach(links->gltf, GLTF_BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, &stride,
				"is %zu, but the view has %zu bytes", bytes, length);
		}
		if (bytes > 0 && target == 34963) {
			gltf_breach(links->gltf, GLTF_BUFFER_VIEW_INVALID_BYTE_STRIDE, &stride,
				"stands where the target is no vertices");
		}
	}
}

static void check_buffers(struct gltf_links *links) {
	static const char *const types[] = {
		"data:application/octet-stream", "data:application/gltf-buffer"};
	const struct gltf_item list = gltf_member(&links->gltf->root, "buffers");
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		const struct gltf_item buffer = gltf_element(&list, i);
		const struct gltf_item item = gltf_member(&buffer, "uri");
		const char *uri = json_tree_string(item.json);
		bool known = !uri || !data_uri_is(uri);
		for (size_t k = 0; k < 2 && !known; k++) {
			const size_t length = strlen(types[k]);
			known = strncasecmp(uri, types[k], length) == 0 &&
				strchr(";,", uri[length]);
		}
		if (!known) {
			gltf_breach(links->gltf, GLTF_BUFFER_DATA_URI_MIME_TYPE_INVALID, &item,
				"has a media type other than application/octet-stream and "
				"application/gltf-buffer");
		}
	}
}

static void check_camera(struct gltf *gltf, const struct gltf_item *camera) {
	const struct gltf_item perspective = gltf_member(camera, "perspective");
	const struct gltf_item orthographic = gltf_member(camera, "orthographic");
	const struct gltf_item *lens = perspective.json ? &perspective : &orthographic;
	float near = 0, far = 0, x = 1, y = 1;
	gltf_number(lens, "znear", &near, NULL);
	gltf_number(&orthographic, "xmag", &x, NULL);
	gltf_number(&orthographic, "ymag", &y, NULL);
	if (gltf_member(lens, "zfar").json && gltf_number(lens, "zfar", &far, NULL) &&
		far <= near) {
		gltf_breach(gltf, GLTF_CAMERA_ZFAR_LEQUAL_ZNEAR, lens,
			"has zfar %g, which is not beyond znear %g", (double)far, (double)near);
	}
	if (x == 0 || y == 0) {
		gltf_breach(gltf, GLTF_CAMERA_XMAG_YMAG_ZERO, &orthographic,
			"has an xmag or ymag of 0");
	}
}

void gltf_check_links(struct gltf *gltf, unsigned char *uses) {
	const size_t accessors = (size_t)gltf->accessor_count, views = (size_t)gltf->view_count;
	struct gltf_links links = {
		.gltf = gltf,
		.uses = uses,
		.accessors = arena_alloc(gltf->arena, accessors, 1),
		.views = arena_alloc(gltf->arena, views, 1),
		.vertices_of = arena_alloc(gltf->arena, views, sizeof *links.vertices_of),
		.accessor_list = gltf_member(&gltf->root, "accessors"),
		.view_list = gltf_member(&gltf->root, "bufferViews"),
	};
	const struct gltf_item cameras = gltf_member(&gltf->root, "cameras");
	check_views(&links);
	check_buffers(&links);
	gltf_links_check_meshes(&links);
	check_binds(&links);
	check_animations(&links);
	check_images(&links);
	for (int i = 0; i < gltf->accessor_count; i++) {
		if (gltf->accessors[i].sparse_count > 0) {
			const struct gltf_item accessor = gltf_links_accessor(&links, i);
			check_sparse(&links, &accessor);
		}
	}
	for (size_t i = 0; i < gltf_list_size(&cameras); i++) {
		const struct gltf_item camera = gltf_element(&cameras, i);
		check_camera(gltf, &camera);
	}
}
