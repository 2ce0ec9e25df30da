// Clips in bytes: a head, a row for each channel, the numbers of all keys, the joints' names.
#include "model/clip_pack.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "model/clip_unpack.h"

static const char magic[] = "posed clip 1\n\0\0";

struct head {
	char magic[16];
	uint32_t channels, floats, name_bytes, unused;
};

_Static_assert(sizeof magic == 16 && sizeof(struct head) == 32, "the head has no gaps");

/* One channel. Positions of numbers are counted in floats from the first, those of names in bytes.
 */
struct row {
	uint32_t name_at, path, interpolation, width, key_count, times_at, values_at;
};

/* Channels whose times are looked for among those before them: most have the same as one of the
 * last few, or as the first. */
#define TIMES_KNOWN 8

static size_t value_floats(const struct channel *channel) {
	const size_t values = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	return (size_t)channel->key_count * values * (size_t)channel->width;
}

void clip_sum_up(struct clip *clip) {
	clip->duration_s = 0;
	clip->bytes = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const double last = (double)channel->times[channel->key_count - 1];
		clip->duration_s = last > clip->duration_s ? last : clip->duration_s;
		clip->bytes += ((size_t)channel->key_count + value_floats(channel)) * sizeof(float);
	}
}

/* --- Packing --- */

struct packing {
	const struct rig *rig;
	struct buffer rows, floats, names;
	const float *times[TIMES_KNOWN]; // where they lie in memory, and in the floats
	uint32_t times_at[TIMES_KNOWN];
	int times_lengths[TIMES_KNOWN];
	int times_count; // ever seen
};

static uint32_t add_floats(struct packing *packing, const float *floats, size_t count) {
	const uint32_t at = (uint32_t)(packing->floats.size / sizeof *floats);
	buffer_append(&packing->floats, floats, count * sizeof *floats);
	return at;
}

/* Times that channels share are there once. */
static uint32_t add_times(struct packing *packing, const struct channel *channel) {
	const int known = packing->times_count < TIMES_KNOWN ? packing->times_count : TIMES_KNOWN;
	for (int i = 0; i < known; i++) {
		if (packing->times[i] == channel->times &&
			packing->times_lengths[i] == channel->key_count) {
			return packing->times_at[i];
		}
	}
	const int slot = packing->times_count++ % TIMES_KNOWN;
	packing->times[slot] = channel->times;
	packing->times_lengths[slot] = channel->key_count;
	packing->times_at[slot] = add_floats(packing, channel->times, (size_t)channel->key_count);
	return packing->times_at[slot];
}

static void add_channel(struct packing *packing, const struct channel *channel) {
	const char *name = packing->rig->joints[channel->joint].name;
	struct row row = {
		.name_at = (uint32_t)packing->names.size,
		.path = channel->path,
		.interpolation = channel->interpolation,
		.width = (uint32_t)channel->width,
		.key_count = (uint32_t)channel->key_count,
		.times_at = add_times(packing, channel),
	};
	row.values_at = add_floats(packing, channel->values, value_floats(channel));
	buffer_append(&packing->names, name, strlen(name) + 1);
	buffer_append(&packing->rows, &row, sizeof row);
}

static bool finish(struct packing *packing, struct buffer *out, struct error *err) {
	struct head head = {
		.channels = (uint32_t)(packing->rows.size / sizeof(struct row)),
		.floats = (uint32_t)(packing->floats.size / sizeof(float)),
		.name_bytes = (uint32_t)packing->names.size,
	};
	memcpy(head.magic, magic, sizeof head.magic);
	const struct buffer *const parts[] = {&packing->rows, &packing->floats, &packing->names};
	const size_t size = sizeof head + parts[0]->size + parts[1]->size + parts[2]->size;
	if (!buffer_try_reserve(out, size, "the clip", err)) {
		return false;
	}
	buffer_append(out, &head, sizeof head);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buffer_append(out, parts[i]->data, parts[i]->size);
	}
	return true;
}

bool clip_pack(
	const struct rig *rig, const struct clip *clip, struct buffer *out, struct error *err) {
	struct packing packing = {.rig = rig};
	bool ok = clip->bytes / sizeof(float) <= UINT32_MAX ||
		error_set(err, ERROR_TOO_LARGE, "the clip's keys take %zu bytes", clip->bytes);
	if (ok) {
		for (int i = 0; i < clip->channel_count; i++) {
			add_channel(&packing, &clip->channels[i]);
		}
		ok = finish(&packing, out, err);
	}
	buffer_finish(&packing.rows);
	buffer_finish(&packing.floats);
	buffer_finish(&packing.names);
	return ok;
}

/* --- Unpacking --- */

struct unpacking {
	const struct rig *rig;
	const struct row *rows; // [head.channels]
	const float *floats;    // [head.floats]
	const char *names;      // [head.name_bytes] the last one is 0
	struct head head;
	uint64_t floats_left; // that may still be looked at: a true clip has each twice at most
	const char *name;     // of the joint found last
	int joint;
	struct error *err;
};

static bool broken(struct unpacking *unpacking, int channel, const char *flaw) {
	return error_set(
		unpacking->err, ERROR_BROKEN_ASSET, "packed clip: channel %d %s", channel, flaw);
}

/* Sets where the parts lie; false when the bytes have no such parts. */
static bool find_parts(struct unpacking *unpacking, const void *bytes, size_t size) {
	struct head *head = &unpacking->head;
	if (size < sizeof *head) {
		return false;
	}
	memcpy(head, bytes, sizeof *head);
	const uint64_t rows = (uint64_t)head->channels * sizeof(struct row);
	const uint64_t floats = (uint64_t)head->floats * sizeof(float);
	if (memcmp(head->magic, magic, sizeof head->magic) != 0 ||
		head->channels > (uint32_t)INT32_MAX ||
		sizeof *head + rows + floats + head->name_bytes != size) {
		return false;
	}
	const char *start = bytes;
	unpacking->rows = (const struct row *)(start + sizeof *head);
	unpacking->floats = (const float *)(start + sizeof *head + rows);
	unpacking->names = start + sizeof *head + rows + floats;
	unpacking->floats_left = 2 * (uint64_t)head->floats;
	return head->channels == 0 || (head->name_bytes > 0 && bytes && start[size - 1] == '\0');
}

/* Numbers by their position; NULL where they are not there. */
static const float *find_floats(struct unpacking *unpacking, uint32_t at, uint64_t count) {
	if (at > unpacking->head.floats || count > unpacking->head.floats - at ||
		count > unpacking->floats_left) {
		return NULL;
	}
	unpacking->floats_left -= count;
	return unpacking->floats + at;
}

/* Channels of one joint mostly follow each other. */
static int find_joint(struct unpacking *unpacking, const char *name) {
	if (!unpacking->name || strcmp(unpacking->name, name) != 0) {
		unpacking->name = name;
		unpacking->joint = rig_find_joint(unpacking->rig, name);
	}
	return unpacking->joint;
}

static bool take_keys(struct unpacking *unpacking, int i, struct channel *channel) {
	const struct row *row = &unpacking->rows[i];
	const uint64_t values = row->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	if (row->path > CHANNEL_WEIGHTS || row->interpolation > INTERPOLATION_CUBIC_SPLINE ||
		row->key_count < 1 || row->key_count > (uint32_t)INT32_MAX || row->width < 1 ||
		row->width > (uint32_t)INT32_MAX) {
		return broken(unpacking, i, "has no such path, interpolation or keys");
	}
	uint64_t count;
	if (__builtin_mul_overflow(row->key_count * values, (uint64_t)row->width, &count)) {
		return broken(unpacking, i, "has too many keys");
	}
	*channel = (struct channel){
		.path = (enum channel_path)row->path,
		.interpolation = (enum interpolation)row->interpolation,
		.key_count = (int)row->key_count,
		.width = (int)row->width,
		.times = find_floats(unpacking, row->times_at, row->key_count),
		.values = find_floats(unpacking, row->values_at, count),
	};
	return (channel->times && channel->values) ||
		broken(unpacking, i, "has keys that are not there");
}

static bool take_channel(struct unpacking *unpacking, int i, struct channel *channel) {
	const uint32_t at = unpacking->rows[i].name_at;
	if (!take_keys(unpacking, i, channel)) {
		return false;
	}
	if (at >= unpacking->head.name_bytes) {
		return broken(unpacking, i, "has no joint");
	}
	channel->joint = find_joint(unpacking, unpacking->names + at);
	if (channel->joint < 0) {
		char name[160];
		utf8_quote(unpacking->names + at, name, sizeof name);
		return error_set(unpacking->err, ERROR_BROKEN_ASSET,
			"packed clip: it drives joint %s, which the rig does not have", name);
	}
	return true;
}

bool clip_unpack(const struct rig *rig, const void *bytes, size_t size, struct arena *arena,
	struct clip *out, struct error *err) {
	struct unpacking unpacking = {.rig = rig, .err = err};
	*out = (struct clip){0};
	if (clip_is_compressed(bytes, size)) {
		return clip_unpack_compressed(rig, bytes, size, arena, out, err);
	}
	if (!find_parts(&unpacking, bytes, size)) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"packed clip: the head does not fit its %zu bytes", size);
	}
	out->channel_count = (int)unpacking.head.channels;
	out->channels = arena_alloc(arena, unpacking.head.channels, sizeof *out->channels);
	for (int i = 0; i < out->channel_count; i++) {
		if (!take_channel(&unpacking, i, &out->channels[i])) {
			return false;
		}
	}
	clip_sum_up(out);
	return rig_check_clip(rig, out, err);
}
