// Clips in bytes whose moving channels are compressed: a head, a row for each channel, the numbers
// of what does not move, then a .pclip file with the skeleton, which the rows refer to.
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "model/clip_motion.h"
#include "model/clip_unpack.h"

static const char magic[] = "posed clip 2\n\0\0";

struct head {
	char magic[16];
	uint32_t channels, floats, file_bytes, unused;
	double rate, duration_s, tolerance_m, error_m, shell_m;
};

_Static_assert(sizeof magic == 16 && sizeof(struct head) == 72, "the head has no gaps");

/* One channel. Positions of numbers are counted in floats from the first. */
struct row {
	uint32_t joint, path, interpolation, width;
	uint32_t key_count; // 0 = they are in the file
	uint32_t times_at;
	uint32_t values_at;    // of weights in the file: what they are at rest
	uint32_t first_weight; // of weights in the file: where they begin there
};

static bool is_plain(const struct channel *channel) {
	return channel->key_count <= CLIP_PLAIN_KEYS_MAX;
}

/* --- Packing --- */

float clip_frame_s(double rate, double duration_s, int frame, int count) {
	return (float)(frame + 1 < count ? frame / rate : duration_s);
}

static bool times_agree(
	const struct channel *channel, const struct clip_compressed *compressed, int count) {
	bool same = channel->interpolation == INTERPOLATION_LINEAR && channel->key_count == count;
	for (int i = 0; same && i < count; i++) {
		same = channel->times[i] ==
			clip_frame_s(compressed->rate, compressed->duration_s, i, count);
	}
	return same;
}

bool clip_has_samples_of(const struct clip *clip, const struct clip_compressed *compressed) {
	struct pclip_file file;
	struct pclip_info info;
	const char *why;
	bool same = pclip_read(compressed->bytes, compressed->size, &file, &why) &&
		pclip_describe(&file, 0, &info) && info.even;
	for (int i = 0; same && i < clip->channel_count; i++) {
		same = is_plain(&clip->channels[i]) ||
			times_agree(&clip->channels[i], compressed, info.sample_count);
	}
	return same;
}

static uint32_t add_floats(struct buffer *out, const float *floats, size_t count) {
	const uint32_t at = (uint32_t)(out->size / sizeof *floats);
	buffer_append(out, floats, count * sizeof *floats);
	return at;
}

static struct row make_row(
	const struct rig *rig, const struct channel *channel, struct buffer *floats) {
	const int first_weight = rig->joints[channel->joint].first_weight;
	struct row row = {
		.joint = (uint32_t)channel->joint,
		.path = channel->path,
		.interpolation = channel->interpolation,
		.width = (uint32_t)channel->width,
	};
	const size_t width = (size_t)channel->width;
	if (is_plain(channel)) {
		const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
		const size_t keys = (size_t)channel->key_count;
		row.key_count = (uint32_t)channel->key_count;
		row.times_at = add_floats(floats, channel->times, keys);
		row.values_at = add_floats(floats, channel->values, keys * width * (cubic ? 3 : 1));
	} else if (channel->path == CHANNEL_WEIGHTS) {
		row.values_at = add_floats(floats, rig->rest_weights + first_weight, width);
		row.first_weight = (uint32_t)first_weight;
	}
	return row;
}

bool clip_pack_compressed(const struct rig *rig, const struct clip *clip,
	const struct clip_compressed *compressed, struct buffer *out, struct error *err) {
	struct buffer rows = {0}, floats = {0};
	for (int i = 0; i < clip->channel_count; i++) {
		const struct row row = make_row(rig, &clip->channels[i], &floats);
		buffer_append(&rows, &row, sizeof row);
	}
	struct head head = {
		.channels = (uint32_t)clip->channel_count,
		.floats = (uint32_t)(floats.size / sizeof(float)),
		.file_bytes = (uint32_t)compressed->size,
		.rate = compressed->rate,
		.duration_s = compressed->duration_s,
		.tolerance_m = compressed->tolerance_m,
		.error_m = compressed->error_m,
		.shell_m = compressed->shell_m,
	};
	memcpy(head.magic, magic, sizeof head.magic);
	const size_t size = sizeof head + rows.size + floats.size + compressed->size;
	const bool fits = compressed->size <= UINT32_MAX ||
		error_set(err, ERROR_TOO_LARGE, "the compressed clip takes %zu bytes",
			compressed->size);
	const bool packed = fits && buffer_try_reserve(out, size, "the clip", err);
	if (packed) {
		buffer_append(out, &head, sizeof head);
		buffer_append(out, rows.data, rows.size);
		buffer_append(out, floats.data, floats.size);
		buffer_append(out, compressed->bytes, compressed->size);
	}
	buffer_finish(&rows);
	buffer_finish(&floats);
	return packed;
}

/* --- Unpacking --- */

struct unpacking {
	const struct rig *rig;
	const struct row *rows; // [head.channels]
	const float *floats;    // [head.floats]
	const unsigned char *file;
	struct head head;
	const int *joints; // [motion->file.joint_count] of the rig; -1 = it has none of that name
	struct clip_motion *motion;
	struct motion_channel *channels; // [head.channels] of the motion
	struct arena *arena;
	struct error *err;
};

static bool broken(struct unpacking *unpacking, const char *flaw) {
	return error_set(unpacking->err, ERROR_BROKEN_ASSET, "compressed clip: %s", flaw);
}

bool clip_is_compressed(const void *bytes, size_t size) {
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static bool find_parts(struct unpacking *unpacking, const void *bytes, size_t size) {
	struct head *head = &unpacking->head;
	if (size < sizeof *head) {
		return false;
	}
	memcpy(head, bytes, sizeof *head);
	const uint64_t rows = (uint64_t)head->channels * sizeof(struct row);
	const uint64_t floats = (uint64_t)head->floats * sizeof(float);
	const unsigned char *start = bytes;
	if (head->channels > (uint32_t)INT32_MAX ||
		sizeof *head + rows + floats + head->file_bytes != size) {
		return false;
	}
	unpacking->rows = (const struct row *)(start + sizeof *head);
	unpacking->floats = (const float *)(start + sizeof *head + rows);
	unpacking->file = start + sizeof *head + rows + floats;
	return true;
}

static int find_joint(const struct rig *rig, const char *name, int length) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (strlen(rig->joints[i].name) == (size_t)length &&
			memcmp(rig->joints[i].name, name, (size_t)length) == 0) {
			return i;
		}
	}
	return -1;
}

/* The file's joints: where they rest there, and the rig's of the same names. */
static void take_skeleton(struct unpacking *unpacking) {
	struct clip_motion *motion = unpacking->motion;
	const size_t count = (size_t)motion->file.joint_count;
	struct pclip_transform *rest = arena_alloc(unpacking->arena, count, sizeof *rest);
	int *joints = arena_alloc(unpacking->arena, count, sizeof *joints);
	for (int i = 0; i < motion->file.joint_count; i++) {
		const char *name;
		int length, parent;
		pclip_joint(&motion->file, i, &name, &length, &parent, &rest[i]);
		joints[i] = find_joint(unpacking->rig, name, length);
	}
	motion->rest = rest;
	unpacking->joints = joints;
}

static bool take_file(struct unpacking *unpacking) {
	struct clip_motion *motion = unpacking->motion;
	struct pclip_info info;
	const char *why;
	if (!pclip_read(unpacking->file, unpacking->head.file_bytes, &motion->file, &why)) {
		return broken(unpacking, why);
	}
	if (motion->file.clip_count != 1 || !motion->file.self_contained ||
		!pclip_describe(&motion->file, 0, &info) || !info.even || info.sample_count < 2) {
		return broken(unpacking, "it is not a file of one clip at even times");
	}
	motion->sample_count = info.sample_count;
	const struct head *head = &unpacking->head;
	if (!(head->rate > 0 && head->rate < 1e9 && head->duration_s >= 0 &&
		    head->duration_s < 1e9)) {
		return broken(unpacking, "its rate or duration is none");
	}
	motion->rate = head->rate;
	motion->duration_s = head->duration_s;
	motion->end = info.duration_s;
	motion->codec = (int)info.codec;
	motion->segment_samples =
		info.segment_samples > 0 ? info.segment_samples : info.sample_count;
	motion->segment_count =
		(info.sample_count - 2 + motion->segment_samples) / motion->segment_samples;
	motion->tolerance_m = unpacking->head.tolerance_m;
	motion->error_m = unpacking->head.error_m;
	motion->shell_m = unpacking->head.shell_m;
	float *times = arena_alloc(unpacking->arena, (size_t)info.sample_count, sizeof *times);
	for (int i = 0; i < info.sample_count; i++) {
		times[i] = clip_frame_s(head->rate, head->duration_s, i, info.sample_count);
	}
	motion->times = times;
	take_skeleton(unpacking);
	return true;
}

/* Numbers by their position; NULL where they are not there. */
static const float *find_floats(const struct unpacking *unpacking, uint32_t at, uint64_t count) {
	return at > unpacking->head.floats || count > unpacking->head.floats - at
		? NULL
		: unpacking->floats + at;
}

static bool take_plain(
	struct unpacking *unpacking, const struct row *row, struct channel *channel) {
	const bool cubic = row->interpolation == INTERPOLATION_CUBIC_SPLINE;
	const uint64_t values = (uint64_t)row->key_count * row->width * (cubic ? 3 : 1);
	channel->key_count = (int)row->key_count;
	channel->times = find_floats(unpacking, row->times_at, row->key_count);
	channel->values = find_floats(unpacking, row->values_at, values);
	return (channel->times && channel->values) ||
		broken(unpacking, "a channel has keys that are not there");
}

static int width_of(const struct rig *rig, const struct channel *channel) {
	return channel->path == CHANNEL_WEIGHTS     ? rig->joints[channel->joint].weight_count
		: channel->path == CHANNEL_ROTATION ? 4
						    : 3;
}

static bool take_moving(
	struct unpacking *unpacking, const struct row *row, struct channel *channel) {
	struct clip_motion *motion = unpacking->motion;
	const bool weights = channel->path == CHANNEL_WEIGHTS;
	const uint64_t end = (uint64_t)row->first_weight + row->width;
	struct motion_channel *moving = &unpacking->channels[motion->channel_count++];
	*moving = (struct motion_channel){
		.joint = channel->joint,
		.path = channel->path,
		.width = channel->width,
		.first_weight = unpacking->rig->joints[channel->joint].first_weight,
		.source = (int)(weights ? row->first_weight : row->joint),
		.rest = weights ? find_floats(unpacking, row->values_at, row->width) : NULL,
	};
	channel->interpolation = INTERPOLATION_LINEAR;
	channel->key_count = motion->sample_count;
	channel->times = motion->times;
	motion->floats += channel->width;
	motion->rotation_count += channel->path == CHANNEL_ROTATION;
	motion->vector_count += !weights && channel->path != CHANNEL_ROTATION;
	if (channel->width != width_of(unpacking->rig, channel)) {
		return broken(unpacking, "a channel has another number of weights than the rig");
	}
	return !weights || (moving->rest && end <= (uint64_t)motion->file.weight_count) ||
		broken(unpacking, "a channel has weights that are not there");
}

static bool take_channel(
	struct unpacking *unpacking, const struct row *row, struct channel *channel) {
	if (row->path > CHANNEL_WEIGHTS || row->interpolation > INTERPOLATION_CUBIC_SPLINE ||
		row->width < 1 || row->width > UINT16_MAX || row->key_count > CLIP_PLAIN_KEYS_MAX ||
		row->joint >= (uint32_t)unpacking->motion->file.joint_count) {
		return broken(unpacking, "a channel has no such path, joint or keys");
	}
	*channel = (struct channel){
		.joint = unpacking->joints[row->joint],
		.path = (enum channel_path)row->path,
		.interpolation = (enum interpolation)row->interpolation,
		.width = (int)row->width,
	};
	if (channel->joint < 0) {
		const char *text;
		int length, parent;
		struct pclip_transform rest;
		char name[160];
		pclip_joint(
			&unpacking->motion->file, (int)row->joint, &text, &length, &parent, &rest);
		utf8_quote(
			arena_strndup(unpacking->arena, text, (size_t)length), name, sizeof name);
		return error_set(unpacking->err, ERROR_BROKEN_ASSET,
			"compressed clip: it drives joint %s, which the rig does not have", name);
	}
	return row->key_count > 0 ? take_plain(unpacking, row, channel)
				  : take_moving(unpacking, row, channel);
}

/* The motion's channels, by kind. */
static void sort_moving(struct unpacking *unpacking) {
	struct clip_motion *motion = unpacking->motion;
	struct motion_channel *sorted =
		arena_alloc(unpacking->arena, (size_t)motion->channel_count + 1, sizeof *sorted);
	int at[3] = {0, motion->rotation_count, motion->rotation_count + motion->vector_count};
	for (int i = 0; i < motion->channel_count; i++) {
		const struct motion_channel *channel = &unpacking->channels[i];
		const int kind = channel->path == CHANNEL_ROTATION ? 0
			: channel->path == CHANNEL_WEIGHTS         ? 2
								   : 1;
		sorted[at[kind]++] = *channel;
	}
	motion->channels = sorted;
}

/* Channels that have values pass rig_check_clip(). */
static bool check_plain(struct unpacking *unpacking, const struct clip *clip) {
	struct clip plain = {.duration_s = clip->duration_s,
		.channels = arena_alloc(
			unpacking->arena, (size_t)clip->channel_count + 1, sizeof *plain.channels)};
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].values) {
			plain.channels[plain.channel_count++] = clip->channels[i];
		}
	}
	return rig_check_clip(unpacking->rig, &plain, unpacking->err);
}

static bool check_sizes(struct unpacking *unpacking) {
	const struct clip_motion *motion = unpacking->motion;
	const double bytes = (double)motion->sample_count * motion->floats * sizeof(float);
	if (motion->channel_count == 0 || bytes > (double)CLIP_MOTION_BYTES_MAX) {
		return broken(unpacking, "it has no keys, or too many");
	}
	return true;
}

bool clip_unpack_compressed(const struct rig *rig, const void *bytes, size_t size,
	struct arena *arena, struct clip *out, struct error *err) {
	struct unpacking unpacking = {.rig = rig, .arena = arena, .err = err};
	*out = (struct clip){0};
	if (!find_parts(&unpacking, bytes, size)) {
		return broken(&unpacking, "the head does not fit its bytes");
	}
	unpacking.motion = arena_alloc(arena, 1, sizeof *unpacking.motion);
	if (!take_file(&unpacking)) {
		return false;
	}
	const size_t count = unpacking.head.channels;
	unpacking.channels = arena_alloc(arena, count + 1, sizeof *unpacking.channels);
	out->channels = arena_alloc(arena, count + 1, sizeof *out->channels);
	for (size_t i = 0; i < count; i++) {
		if (!take_channel(&unpacking, &unpacking.rows[i], &out->channels[i])) {
			return false;
		}
	}
	out->channel_count = (int)count;
	out->motion = unpacking.motion;
	unpacking.motion->packed_bytes = size;
	sort_moving(&unpacking);
	clip_sum_up(out);
	return check_sizes(&unpacking) && check_plain(&unpacking, out) &&
		clip_motion_check(rig, out, err);
}
