// A PIA -> the channels of a clip. Root motion, which the file has beside the bones, goes into the
// translations of the skeleton's roots, of which it moves the whole model.
#include <math.h>
#include <string.h>

#include "import/limits.h"
#include "import/prism_import.h"

/* Numbers by time. */
struct stream {
	size_t count, width;
	float *times;  // [count] seconds, strictly ascending from 0
	float *values; // [count][width]
};

struct animation {
	struct prism_import *import;
	const struct prism_file *file;
	struct stream movement; // the way since the beginning; count 0 = there is none
	bool *driven;           // [holder + 1]
	struct channel *channels;
	int channel_count;
};

/* --- Streams --- */

static const struct prism_section *find_stream(const struct prism_file *file,
	const struct prism_section *channel, const char *tag, const char *format, size_t count,
	struct error *err) {
	const struct prism_section *stream = prism_find(channel, "Stream");
	const char *own = NULL;
	while (stream && (!(own = prism_string(file, stream, "Tag")) || strcmp(own, tag) != 0)) {
		stream = prism_next(stream);
	}
	own = stream ? prism_string(file, stream, "Format") : NULL;
	if (!own || strcmp(own, format) != 0) {
		prism_refuse(file, stream ? stream->line : channel->line, err,
			"the channel must have a stream %s of format %s", tag, format);
		return NULL;
	}
	if (stream->row_count != count) {
		prism_refuse(file, stream->line, err,
			"stream %s has %zu keys, must have as many as KeyframeCount says, %zu", tag,
			stream->row_count, count);
		return NULL;
	}
	return stream;
}

/* Rows of so many numbers each. */
static bool read_rows(const struct prism_file *file, const struct prism_section *stream,
	size_t width, float *out, struct error *err) {
	struct prism_cursor row = prism_first_row(file, stream);
	for (size_t i = 0; i < stream->row_count; i++, row = prism_next_row(&row)) {
		struct prism_cursor inner = row;
		if (!prism_take_floats(&inner, width, &out[i * width], err) ||
			!prism_take_end(&inner, err)) {
			return false;
		}
	}
	return true;
}

/* Makes times of steps from key to key, of which the last one leads nowhere. */
static bool add_steps(const struct prism_file *file, const struct prism_section *stream,
	float *times, struct error *err) {
	double time_s = 0;
	for (size_t i = 0; i < stream->row_count; i++) {
		const double step = (double)times[i];
		times[i] = (float)time_s;
		if (!isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) {
			return prism_refuse(file, stream->line, err,
				"key %zu is at %.9g s, which must be after the one before it", i,
				time_s);
		}
		time_s += step;
	}
	return true;
}

static bool read_stream(struct animation *animation, const struct prism_section *channel,
	const char *tag, const char *format, size_t width, struct stream *out, struct error *err) {
	const struct prism_file *file = animation->file;
	struct arena *arena = animation->import->arena;
	size_t count;
	if (!prism_count(file, channel, "KeyframeCount", file->token_count, &count, err)) {
		return false;
	}
	const struct prism_section *times =
		find_stream(file, channel, "_TIME", "FLOAT", count, err);
	const struct prism_section *values =
		times ? find_stream(file, channel, tag, format, count, err) : NULL;
	// Of a bone, the transforms that its matrices become take no more than they do.
	if (!values ||
		!claim_bytes(&animation->import->bytes_left,
			count * (2 * width + 1) * sizeof(float), "keys", err)) {
		return false;
	}
	*out = (struct stream){.count = count, .width = width};
	out->times = arena_alloc(arena, count, sizeof *out->times);
	out->values = arena_alloc(arena, count * width, sizeof *out->values);
	return read_rows(file, times, 1, out->times, err) &&
		read_rows(file, values, width, out->values, err) &&
		add_steps(file, times, out->times, err);
}

/* --- Channels --- */

/* Adds a channel; where nothing moves, with the first key and the last. */
static void add_channel(
	struct animation *animation, int joint, enum channel_path path, const struct stream *keys) {
	struct channel *channel = &animation->channels[animation->channel_count++];
	const size_t bytes = keys->width * sizeof *keys->values;
	bool moves = false;
	for (size_t i = 1; i < keys->count; i++) {
		moves |= memcmp(keys->values, &keys->values[i * keys->width], bytes) != 0;
	}
	if (!moves && keys->count > 2) {
		keys->times[1] = keys->times[keys->count - 1];
	}
	*channel = (struct channel){
		.joint = joint,
		.path = path,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = (int)(moves || keys->count < 2 ? keys->count : 2),
		.width = (int)keys->width,
		.times = keys->times,
		.values = keys->values,
	};
}

/* The values at a time, linear between keys and held beyond them. *from is where to begin looking,
 * for times that ascend. */
static void sample(const struct stream *stream, float time_s, size_t *from, float *out) {
	while (*from + 1 < stream->count && stream->times[*from + 1] <= time_s) {
		++*from;
	}
	const float *a = &stream->values[*from * stream->width];
	const bool between = *from + 1 < stream->count && time_s > stream->times[*from];
	const float *b = between ? a + stream->width : a;
	const double start = (double)stream->times[*from];
	const double length = between ? (double)stream->times[*from + 1] - start : 1;
	const double share = between ? ((double)time_s - start) / length : 0;
	for (size_t i = 0; i < stream->width; i++) {
		out[i] = (float)((1 - share) * (double)a[i] + share * (double)b[i]);
	}
}

/* Two streams of vectors added up, with the keys of both. */
static bool add_movement(struct animation *animation, const struct stream *own, struct stream *out,
	struct error *err) {
	const struct stream *movement = &animation->movement;
	const size_t most = own->count + movement->count;
	struct prism_import *import = animation->import;
	if (!claim_bytes(&import->bytes_left, most * 4 * sizeof(float), "keys", err)) {
		return false;
	}
	*out = (struct stream){.width = 3};
	out->times = arena_alloc(import->arena, most, sizeof *out->times);
	out->values = arena_alloc(import->arena, most, 3 * sizeof *out->values);
	for (size_t a = 0, b = 0, at[2] = {0}; a < own->count || b < movement->count;) {
		const float x = a < own->count ? own->times[a] : INFINITY;
		const float y = b < movement->count ? movement->times[b] : INFINITY;
		float way[3], *sum = &out->values[out->count * 3];
		const float time_s = fminf(x, y);
		sample(own, time_s, &at[0], sum);
		sample(movement, time_s, &at[1], way);
		for (int k = 0; k < 3; k++) {
			sum[k] += way[k];
		}
		out->times[out->count++] = time_s;
		a += x <= y;
		b += y <= x;
	}
	return true;
}

static bool add_translation(
	struct animation *animation, int joint, const struct stream *own, struct error *err) {
	struct stream moved;
	const struct prism_import *import = animation->import;
	const bool is_root = joint == import->holder || import->skeleton.bones[joint].parent < 0;
	if (!is_root || animation->movement.count == 0) {
		add_channel(animation, joint, CHANNEL_TRANSLATION, own);
		return true;
	}
	if (!add_movement(animation, own, &moved, err)) {
		return false;
	}
	add_channel(animation, joint, CHANNEL_TRANSLATION, &moved);
	return true;
}

/* A stream with the times of another; what adds it may shorten them. */
static struct stream like(const struct stream *keys, size_t width, struct arena *arena) {
	struct stream out = {keys->count, width, arena_alloc(arena, keys->count, sizeof *out.times),
		arena_alloc(arena, keys->count * width, sizeof *out.values)};
	memcpy(out.times, keys->times, keys->count * sizeof *out.times);
	return out;
}

static bool is_rest_scale(const struct prism_bone *bone, const struct stream *scales) {
	bool same = true;
	for (size_t i = 0; i < scales->count; i++) {
		same = same && memcmp(&scales->values[i * 3], bone->rest.scale, 12) == 0;
	}
	return same;
}

static void warn(struct animation *animation, const char *name, const char *what) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(name, quoted, sizeof quoted);
	rig_warn(animation->import->rig, "%s: bone %s %s", animation->file->name, quoted, what);
}

static bool add_bone(struct animation *animation, int joint, uint32_t line,
	const struct stream *matrices, struct error *err) {
	bool sheared = false;
	struct arena *arena = animation->import->arena;
	struct stream translations = like(matrices, 3, arena), scales = like(matrices, 3, arena);
	struct stream rotations = like(matrices, 4, arena);
	for (size_t i = 0; i < matrices->count; i++) {
		double m[12];
		struct transform local;
		prism_matrix(&matrices->values[i * 16], m);
		sheared |= !prism_decompose(m, &local);
		if (!prism_is_finite(&local)) {
			return prism_refuse(animation->file, line, err,
				"key %zu of the bone is beyond what float32 holds", i);
		}
		memcpy(&translations.values[i * 3], local.translation, sizeof local.translation);
		memcpy(&rotations.values[i * 4], local.rotation, sizeof local.rotation);
		memcpy(&scales.values[i * 3], local.scale, sizeof local.scale);
	}
	if (!add_translation(animation, joint, &translations, err)) {
		return false;
	}
	add_channel(animation, joint, CHANNEL_ROTATION, &rotations);
	if (!is_rest_scale(&animation->import->skeleton.bones[joint], &scales)) {
		add_channel(animation, joint, CHANNEL_SCALE, &scales);
	}
	if (sheared) {
		warn(animation, animation->import->skeleton.bones[joint].name,
			"is sheared, which is left out");
	}
	return true;
}

/* --- The file --- */

static bool read_bone(
	struct animation *animation, const struct prism_section *channel, struct error *err) {
	const struct prism_file *file = animation->file;
	const char *name = prism_string(file, channel, "Name");
	const int joint = name ? prism_find_bone(&animation->import->skeleton, name) : -1;
	struct stream matrices;
	if (!name) {
		return prism_refuse(file, channel->line, err, "the channel has no Name");
	}
	if (!read_stream(animation, channel, "_MATRIX", "FLOAT4x4", 16, &matrices, err)) {
		return false;
	}
	if (joint < 0) {
		warn(animation, name, "is not in the skeleton; its keys are left out");
		return true;
	}
	if (animation->driven[joint]) {
		return prism_refuse(file, channel->line, err, "a second channel of the bone");
	}
	if (matrices.count == 0) {
		return true;
	}
	animation->driven[joint] = true;
	return add_bone(animation, joint, channel->line, &matrices, err);
}

/* Root motion comes as what is added at each key. */
static bool read_movement(struct animation *animation, struct error *err) {
	const struct prism_file *file = animation->file;
	const struct prism_section *channel = prism_find(&file->root, "CustomChannel");
	for (; channel; channel = prism_next(channel)) {
		const char *name = prism_string(file, channel, "Name");
		if (name && strcmp(name, "Prism Movement") == 0) {
			break;
		}
		rig_warn_besides(animation->import->rig,
			"%s: a custom channel other than Prism Movement is left out", file->name);
	}
	struct stream *movement = &animation->movement;
	if (!channel) {
		return true;
	}
	if (!read_stream(animation, channel, "_MOVEMENT", "FLOAT3", 3, movement, err)) {
		return false;
	}
	double sum[3] = {0};
	for (size_t i = 0; i < movement->count * 3; i++) {
		sum[i % 3] += (double)movement->values[i];
		movement->values[i] = (float)sum[i % 3];
		if (!isfinite(movement->values[i])) {
			return prism_refuse(file, channel->line, err,
				"the movement leads beyond what float32 holds");
		}
	}
	return true;
}

/* Moves the roots that have no keys of their own. */
static bool move_roots(struct animation *animation, struct error *err) {
	const struct prism_import *import = animation->import;
	static const struct transform origin = TRANSFORM_IDENTITY;
	for (int i = 0; animation->movement.count > 0 && i <= import->holder; i++) {
		const bool is_holder = i == import->holder;
		if (animation->driven[i] || (is_holder && !import->holder_moves) ||
			(!is_holder && import->skeleton.bones[i].parent >= 0)) {
			continue;
		}
		const struct transform *rest =
			is_holder ? &origin : &import->skeleton.bones[i].rest;
		float times[1] = {0}, values[3];
		memcpy(values, rest->translation, sizeof values);
		if (!add_translation(animation, i, &(struct stream){1, 3, times, values}, err)) {
			return false;
		}
	}
	return true;
}

/* Counts that are there must be right. */
static bool check_counts(const struct prism_file *file, struct error *err) {
	static const char *const names[] = {"BoneChannel", "CustomChannel"};
	static const char *const counts[] = {"BoneChannelCount", "CustomChannelCount"};
	const struct prism_section *facts = prism_find(&file->root, "Global");
	for (int i = 0; facts && i < 2; i++) {
		size_t count;
		if (prism_number(file, facts, counts[i]) &&
			(!prism_count(file, facts, counts[i], file->token_count, &count, err) ||
				!prism_expect_sections(file, names[i], count, err))) {
			return false;
		}
	}
	return true;
}

bool prism_read_animation(struct prism_import *import, const struct prism_file *file,
	const char *name, struct scene_clip *out, struct error *err) {
	const size_t joints = (size_t)import->holder + 1;
	const size_t bytes = joints * (1 + 3 * sizeof(struct channel));
	struct animation animation = {.import = import, .file = file};
	if (!check_counts(file, err) || !claim_bytes(&import->bytes_left, bytes, "keys", err)) {
		return false;
	}
	animation.driven = arena_alloc(import->arena, joints, sizeof *animation.driven);
	animation.channels = arena_alloc(import->arena, joints, 3 * sizeof(struct channel));
	if (!read_movement(&animation, err)) {
		return false;
	}
	const struct prism_section *channel = prism_find(&file->root, "BoneChannel");
	for (; channel; channel = prism_next(channel)) {
		if (!read_bone(&animation, channel, err)) {
			return false;
		}
	}
	*out = (struct scene_clip){.name = name};
	const bool moved = move_roots(&animation, err);
	out->channels = animation.channels;
	out->channel_count = animation.channel_count;
	return moved;
}
