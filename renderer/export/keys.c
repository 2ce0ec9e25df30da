// A clip's keys -> an animation of a glTF document.
#include "export/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct exporter {
	const struct clip *clip;
	struct glb *glb;
	float *numbers; // all keys
	size_t number_count;
	int view;
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

static size_t value_count(const struct channel *channel) {
	const size_t values = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	return (size_t)channel->key_count * values;
}

/* Appends numbers to the exporter's; returns their offset in bytes. */
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
	return glb_add_accessor(exporter->glb, &accessor);
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
	return glb_add_accessor(exporter->glb, &accessor);
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

static float *make_room(const struct clip *clip, struct error *err) {
	size_t most = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		most += (size_t)channel->key_count + value_count(channel) * (size_t)channel->width;
	}
	return try_calloc(most + 1, sizeof(float), "the keys", err);
}

bool keys_add(struct glb *glb, const struct clip *clip, float **numbers, struct error *err) {
	struct exporter exporter = {.clip = clip, .glb = glb, .numbers = make_room(clip, err)};
	*numbers = exporter.numbers;
	if (!exporter.numbers || clip->channel_count == 0) {
		return exporter.numbers;
	}
	exporter.view = glb->lists[GLB_VIEWS].count;
	struct json_writer *json = glb_begin(glb, GLB_ANIMATIONS);
	json_write_member_string(json, "name", clip->name);
	write_samplers(&exporter, json);
	write_channels(&exporter, json);
	json_write_end_object(json);
	glb_add_view(glb, exporter.numbers, exporter.number_count * sizeof *exporter.numbers, 0,
		GLB_NO_TARGET);
	return true;
}
