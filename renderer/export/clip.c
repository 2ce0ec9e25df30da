// A clip and the nodes that it drives -> a glTF document.
#include "export/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/glb.h"

struct exporter {
	const struct rig *rig;
	const struct clip *clip;
	struct glb glb;
	float *numbers; // all keys; owned
	size_t number_count;
	int view;
	int point;     // accessor of one vertex at the origin; -1 = none so far
	int *meshes;   // [joint_count] of one point; -1 = none; owned
	int *children; // [joint_count] the first child of each joint; -1 = none; owned
	int *siblings; // [joint_count] the next child of the same parent; owned
};

static const char *const path_names[] = {
	[CHANNEL_TRANSLATION] = "translation",
	[CHANNEL_ROTATION] = "rotation",
	[CHANNEL_SCALE] = "scale",
	[CHANNEL_WEIGHTS] = "weights",
};

static const char *const interpolation_names[] = {
	[INTERPOLATION_STEP] = "STEP",
	[INTERPOLATION_LINEAR] = "LINEAR",
	[INTERPOLATION_CUBIC_SPLINE] = "CUBICSPLINE",
};

/* --- Meshes of a point, which targets hang on --- */

static void add_point(struct exporter *exporter) {
	static const float origin[3] = {0};
	const struct glb_accessor accessor = {
		.view = glb_add_view(
			&exporter->glb, origin, sizeof origin, sizeof origin, GLB_VERTICES),
		.component = GLB_F32,
		.type = "VEC3",
		.count = 1,
		.min = origin,
		.max = origin,
	};
	exporter->point = glb_add_accessor(&exporter->glb, &accessor);
}

static void write_position(struct exporter *exporter, struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_integer(json, "POSITION", exporter->point);
	json_write_end_object(json);
}

static void add_mesh(struct exporter *exporter, int joint) {
	if (exporter->meshes[joint] >= 0) {
		return;
	}
	if (exporter->point < 0) {
		add_point(exporter);
	}
	struct json_writer *json = glb_begin(&exporter->glb, GLB_MESHES);
	exporter->meshes[joint] = exporter->glb.lists[GLB_MESHES].count - 1;
	json_write_key(json, "primitives");
	json_write_begin_list(json);
	json_write_begin_object(json);
	json_write_key(json, "attributes");
	write_position(exporter, json);
	json_write_member_integer(json, "mode", 0);
	json_write_key(json, "targets");
	json_write_begin_list(json);
	for (int i = 0; i < exporter->rig->joints[joint].weight_count; i++) {
		write_position(exporter, json);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	json_write_end_list(json);
	json_write_end_object(json);
}

/* --- Nodes --- */

static void find_children(struct exporter *exporter) {
	const struct rig *rig = exporter->rig;
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		exporter->meshes[i] = -1;
		exporter->children[i] = exporter->children[i] ? exporter->children[i] : -1;
		exporter->siblings[i] = -1;
		if (parent >= 0) {
			const int next = exporter->children[parent];
			exporter->siblings[i] = next > 0 ? next : -1;
			exporter->children[parent] = i;
		}
	}
}

static void write_children(const struct exporter *exporter, int joint, struct json_writer *json) {
	int child = exporter->children[joint];
	if (child < 0) {
		return;
	}
	json_write_key(json, "children");
	json_write_begin_list(json);
	for (; child >= 0; child = exporter->siblings[child]) {
		json_write_integer(json, child);
	}
	json_write_end_list(json);
}

/* A node has the joint's position as its index. */
static void add_node(struct exporter *exporter, int i) {
	const struct joint *joint = &exporter->rig->joints[i];
	struct json_writer *json = glb_begin(&exporter->glb, GLB_NODES);
	json_write_member_string(json, "name", joint->name);
	write_children(exporter, i, json);
	json_write_member_floats(json, "translation", joint->rest.translation, 3);
	json_write_member_floats(json, "rotation", joint->rest.rotation, 4);
	json_write_member_floats(json, "scale", joint->rest.scale, 3);
	if (exporter->meshes[i] >= 0) {
		json_write_member_integer(json, "mesh", exporter->meshes[i]);
		json_write_member_floats(json, "weights",
			exporter->rig->rest_weights + joint->first_weight,
			(size_t)joint->weight_count);
	}
	json_write_end_object(json);
	if (joint->parent < 0) {
		glb_add_root(&exporter->glb, i);
	}
}

/* --- The animation --- */

static size_t value_count(const struct channel *channel) {
	const size_t values = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	return (size_t)channel->key_count * values;
}

/* Where numbers went that were added to all others. */
static size_t add_numbers(struct exporter *exporter, const float *numbers, size_t count) {
	const size_t at = exporter->number_count;
	memcpy(exporter->numbers + at, numbers, count * sizeof *numbers);
	exporter->number_count += count;
	return at * sizeof *numbers;
}

static int add_times(struct exporter *exporter, const struct channel *channel) {
	const struct glb_accessor accessor = {
		.view = exporter->view,
		.offset = add_numbers(exporter, channel->times, (size_t)channel->key_count),
		.component = GLB_F32,
		.type = "SCALAR",
		.count = (size_t)channel->key_count,
		.min = &channel->times[0],
		.max = &channel->times[channel->key_count - 1],
	};
	return glb_add_accessor(&exporter->glb, &accessor);
}

/* glTF has morph weights as so many scalars. */
static int add_values(struct exporter *exporter, const struct channel *channel) {
	const size_t count = value_count(channel), width = (size_t)channel->width;
	const bool weights = channel->path == CHANNEL_WEIGHTS;
	const struct glb_accessor accessor = {
		.view = exporter->view,
		.offset = add_numbers(exporter, channel->values, count * width),
		.component = GLB_F32,
		.type = weights                             ? "SCALAR"
			: channel->path == CHANNEL_ROTATION ? "VEC4"
							    : "VEC3",
		.count = weights ? count * width : count,
	};
	return glb_add_accessor(&exporter->glb, &accessor);
}

/* Accessors of key times, by where these lie in memory. */
struct known_times {
	const float *times;
	int key_count, accessor;
};

static int by_place(const void *a, const void *b) {
	const struct known_times *x = a, *y = b;
	if (x->times != y->times) {
		return x->times < y->times ? -1 : 1;
	}
	return (x->key_count > y->key_count) - (x->key_count < y->key_count);
}

/* One entry for each axis of times; returns how many there are. */
static size_t collect_times(struct exporter *exporter, struct known_times *known) {
	const struct clip *clip = exporter->clip;
	size_t count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		known[i] = (struct known_times){
			clip->channels[i].times, clip->channels[i].key_count, i};
	}
	qsort(known, (size_t)clip->channel_count, sizeof *known, by_place);
	for (int i = 0; i < clip->channel_count; i++) {
		if (count == 0 || by_place(&known[count - 1], &known[i]) != 0) {
			known[count] = known[i];
			known[count].accessor =
				add_times(exporter, &clip->channels[known[i].accessor]);
			count++;
		}
	}
	return count;
}

static void write_samplers(struct exporter *exporter, struct json_writer *json) {
	const struct clip *clip = exporter->clip;
	struct known_times *known = xcalloc((size_t)clip->channel_count, sizeof *known);
	const size_t count = collect_times(exporter, known);
	json_write_key(json, "samplers");
	json_write_begin_list(json);
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const struct known_times wanted = {channel->times, channel->key_count, 0};
		const struct known_times *found =
			bsearch(&wanted, known, count, sizeof *known, by_place);
		json_write_begin_object(json);
		json_write_member_integer(json, "input", found->accessor);
		json_write_member_integer(json, "output", add_values(exporter, channel));
		json_write_member_string(
			json, "interpolation", interpolation_names[channel->interpolation]);
		json_write_end_object(json);
	}
	json_write_end_list(json);
	free(known);
}

static void write_channels(const struct exporter *exporter, struct json_writer *json) {
	json_write_key(json, "channels");
	json_write_begin_list(json);
	for (int i = 0; i < exporter->clip->channel_count; i++) {
		const struct channel *channel = &exporter->clip->channels[i];
		json_write_begin_object(json);
		json_write_member_integer(json, "sampler", i);
		json_write_key(json, "target");
		json_write_begin_object(json);
		json_write_member_integer(json, "node", channel->joint);
		json_write_member_string(json, "path", path_names[channel->path]);
		json_write_end_object(json);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

/* A clip without channels is none in glTF, where lists are not empty. */
static bool add_animation(struct exporter *exporter, struct error *err) {
	const struct clip *clip = exporter->clip;
	size_t most = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		most += (size_t)channel->key_count + value_count(channel) * (size_t)channel->width;
	}
	exporter->numbers = try_calloc(most + 1, sizeof(float), "the keys", err);
	if (!exporter->numbers || clip->channel_count == 0) {
		return exporter->numbers;
	}
	exporter->view = exporter->glb.lists[GLB_VIEWS].count;
	struct json_writer *json = glb_begin(&exporter->glb, GLB_ANIMATIONS);
	json_write_member_string(json, "name", clip->name);
	write_samplers(exporter, json);
	write_channels(exporter, json);
	json_write_end_object(json);
	glb_add_view(&exporter->glb, exporter->numbers,
		exporter->number_count * sizeof *exporter->numbers, 0, GLB_NO_TARGET);
	return true;
}

bool export_clip(const struct rig *rig, const struct clip *clip, const char *generator,
	size_t most_bytes, struct buffer *out, struct error *err) {
	struct exporter exporter = {.rig = rig, .clip = clip, .point = -1};
	int *joints = xcalloc(3 * (size_t)rig->joint_count, sizeof *joints);
	exporter.meshes = joints;
	exporter.children = joints + rig->joint_count;
	exporter.siblings = exporter.children + rig->joint_count;
	find_children(&exporter);
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].path == CHANNEL_WEIGHTS) {
			add_mesh(&exporter, clip->channels[i].joint);
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		add_node(&exporter, i);
	}
	const bool written = add_animation(&exporter, err) &&
		glb_write(&exporter.glb, generator, most_bytes, out, err);
	glb_finish(&exporter.glb);
	free(exporter.numbers);
	free(joints);
	return written;
}
