// .pclip files as bytes.
#include "pclip.h"

#include <string.h>

#include "pclip_file.h"

enum {
	VERSION = 1,
	FILE_SELF_CONTAINED = 1,
	FILE_NAMES = 2,
	CLIP_TICKS = 2,
	JOINTS_MAX = 65535,
	SAMPLES_MAX = 1 << 24,
	NUMBERS_A_BYTE = 64, // knots and control points at most, for each byte of a clip
};

static const char past_end[] = "it ends before its contents do";

const unsigned char *pclip_take(struct pclip_reader *reader, size_t count) {
	if ((size_t)(reader->end - reader->at) < count) {
		reader->failed = true;
		return NULL;
	}
	reader->at += count;
	return reader->at - count;
}

uint64_t pclip_take_number(struct pclip_reader *reader, int bytes) {
	const unsigned char *at = pclip_take(reader, (size_t)bytes);
	uint64_t number = 0;
	for (int i = 0; at && i < bytes; i++) {
		number |= (uint64_t)at[i] << (8 * i);
	}
	return number;
}

static float take_float(struct pclip_reader *reader) {
	const uint32_t bits = (uint32_t)pclip_take_number(reader, 4);
	float number;
	memcpy(&number, &bits, sizeof number);
	return number;
}

uint32_t pclip_take_varint(struct pclip_reader *reader) {
	uint32_t number = 0;
	for (int shift = 0; shift < 32; shift += 7) {
		const uint32_t byte = (uint32_t)pclip_take_number(reader, 1);
		number |= (byte & 127) << shift;
		if (byte < 128) {
			return number;
		}
	}
	reader->failed = true;
	return 0;
}

uint32_t pclip_checksum(const void *bytes, size_t size) {
	static const uint32_t steps[16] = {0, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190,
		0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	const unsigned char *at = bytes;
	uint32_t sum = 0xffffffff;
	for (size_t i = 0; i < size; i++) {
		sum ^= at[i];
		sum = (sum >> 4) ^ steps[sum & 15];
		sum = (sum >> 4) ^ steps[sum & 15];
	}
	return ~sum;
}

static void take_rest(struct pclip_reader *reader, struct pclip_transform *rest) {
	float *numbers[3] = {rest->translation, rest->rotation, rest->scale};
	for (int i = 0; i < 10; i++) {
		*(i < 3                 ? &numbers[0][i]
				: i < 7 ? &numbers[1][i - 3]
					: &numbers[2][i - 7]) = take_float(reader);
	}
}

static bool take_joint(struct pclip_reader *reader, int i, const char **name, int *name_bytes,
	int *parent, struct pclip_transform *rest) {
	const uint32_t up = pclip_take_varint(reader), length = pclip_take_varint(reader);
	*name = (const char *)pclip_take(reader, length);
	*name_bytes = (int)(length & INT32_MAX);
	*parent = up == 0 || up > (uint32_t)i ? -1 : i - (int)up;
	take_rest(reader, rest);
	return !reader->failed && up <= (uint32_t)i;
}

static struct pclip_reader skeleton_of(const struct pclip_file *file) {
	return (struct pclip_reader){
		file->bytes + file->skeleton_at, file->bytes + file->clips_at, false};
}

static bool skeleton_is_sound(const struct pclip_file *file) {
	struct pclip_reader reader = skeleton_of(file);
	bool sound = true;
	for (int i = 0; i < file->joint_count && file->self_contained && sound; i++) {
		struct pclip_transform rest;
		const char *name;
		int name_bytes, parent;
		sound = take_joint(&reader, i, &name, &name_bytes, &parent, &rest);
	}
	return sound;
}

bool pclip_read(const void *bytes, size_t size, struct pclip_file *file, const char **why) {
	const unsigned char *start = bytes;
	struct pclip_reader reader = {start, start + size, false};
	const unsigned char *magic = pclip_take(&reader, 4);
	*why = "it does not begin with PCLP";
	if (!magic || memcmp(magic, "PCLP", 4) != 0) {
		return false;
	}
	*why = "it has a version that this decoder does not know";
	if (pclip_take_number(&reader, 1) != VERSION) {
		return false;
	}
	const int flags = (int)pclip_take_number(&reader, 1);
	const int clips = (int)pclip_take_number(&reader, 2);
	const uint32_t checksum = (uint32_t)pclip_take_number(&reader, 4);
	*why = past_end;
	if (reader.failed) {
		return false;
	}
	*why = "its checksum is not that of its contents";
	if (checksum != pclip_checksum(reader.at, (size_t)(reader.end - reader.at))) {
		return false;
	}
	*file = (struct pclip_file){.bytes = start,
		.size = size,
		.clip_count = clips,
		.self_contained = flags & FILE_SELF_CONTAINED,
		.has_names = flags & FILE_NAMES,
		.skeleton = pclip_take_number(&reader, 8)};
	const uint32_t joints = pclip_take_varint(&reader), weights = pclip_take_varint(&reader);
	const uint32_t skeleton_bytes = file->self_contained ? pclip_take_varint(&reader) : 0;
	file->skeleton_at = (size_t)(reader.at - start);
	pclip_take(&reader, skeleton_bytes);
	file->clips_at = (size_t)(reader.at - start);
	*why = reader.failed ? past_end : "it has more joints or morph weights than 65535";
	if (reader.failed || joints > JOINTS_MAX || weights > JOINTS_MAX) {
		return false;
	}
	file->joint_count = (int)joints;
	file->weight_count = (int)weights;
	for (int i = 0; i < clips; i++) {
		pclip_take(&reader, pclip_take_varint(&reader));
	}
	*why = reader.failed ? past_end : "its skeleton is damaged";
	return !reader.failed && skeleton_is_sound(file);
}

bool pclip_joint(const struct pclip_file *file, int i, const char **name, int *name_bytes,
	int *parent, struct pclip_transform *rest) {
	if (!file->self_contained || i < 0 || i >= file->joint_count) {
		return false;
	}
	struct pclip_reader reader = skeleton_of(file);
	bool found = true;
	for (int k = 0; k <= i && found; k++) {
		found = take_joint(&reader, k, name, name_bytes, parent, rest);
	}
	return found;
}

static void read_index(struct pclip_parts *parts, struct pclip_reader *reader) {
	const struct pclip_info *info = &parts->info;
	parts->segment_count = info->segment_samples && info->codec == PCLIP_BEST
		? (info->sample_count + info->segment_samples - 1) / info->segment_samples
		: 1;
	const size_t entry = parts->flags & PCLIP_LONG_INDEX ? 4 : 2;
	const size_t index_bytes =
		parts->segment_count > 1 ? entry * (size_t)parts->segment_count : 0;
	const unsigned char *at = pclip_take(reader, index_bytes);
	if (at) {
		parts->index = (struct pclip_reader){at, at + index_bytes, false};
		parts->segments = *reader;
	}
}

/* The number of the splines' numbers stands before them, unless nothing in the clip moves. */
static void read_spline_numbers(struct pclip_parts *parts, size_t clip_bytes) {
	struct pclip_reader *reader = &parts->segments;
	parts->spline_numbers = 0;
	if (parts->info.codec == PCLIP_BSPLINE && reader->at < reader->end) {
		parts->spline_numbers = pclip_take_varint(reader);
		if (parts->spline_numbers > NUMBERS_A_BYTE * clip_bytes) {
			parts->spline_numbers = 0;
		}
	}
}

static bool sensible(const struct pclip_info *info) {
	const double end = (info->sample_count - 1) / info->rate;
	return info->sample_count >= 1 && info->sample_count <= SAMPLES_MAX && info->rate > 0 &&
		info->rate < 1e9 && info->duration_s >= 0 && info->duration_s < 1e9 &&
		(!info->even || info->sample_count == 1 ||
			(info->duration_s <= end * (1 + 1e-5) &&
				info->duration_s > end - 1 / info->rate));
}

/* Ticks from each sample to the next; the first is at 0. */
static void read_ticks(struct pclip_parts *parts, struct pclip_reader *reader) {
	const int count = parts->info.even ? 0 : parts->info.sample_count - 1;
	parts->ticks = *reader;
	uint64_t sum = 0;
	for (int i = 0; i < count && !reader->failed; i++) {
		const uint32_t ticks = pclip_take_varint(reader);
		sum += ticks;
		reader->failed |= ticks == 0 || sum > UINT32_MAX;
	}
	parts->info.duration_s = parts->info.even || reader->failed
		? parts->info.duration_s
		: (double)sum / parts->info.rate;
}

static bool read_parts(struct pclip_reader *reader, bool has_names, struct pclip_parts *parts) {
	const size_t clip_bytes = (size_t)(reader->end - reader->at);
	const int codec = (int)pclip_take_number(reader, 1);
	parts->flags = (int)pclip_take_number(reader, 1);
	struct pclip_info *info = &parts->info;
	*info = (struct pclip_info){.codec = (enum pclip_codec)(codec & 15),
		.segment_samples = codec >> 4 ? 1 << (codec >> 4) : 0};
	info->sample_count = (int)(pclip_take_varint(reader) & INT32_MAX);
	info->rate = take_float(reader);
	info->duration_s = take_float(reader);
	info->tolerance_m = take_float(reader);
	info->name_bytes = has_names ? (int)(pclip_take_varint(reader) & INT32_MAX) : 0;
	info->name = (const char *)pclip_take(reader, (size_t)info->name_bytes);
	info->even = !(parts->flags & CLIP_TICKS);
	if (reader->failed || info->codec < PCLIP_BEST || info->codec > PCLIP_BSPLINE ||
		!sensible(info)) {
		return false;
	}
	read_ticks(parts, reader);
	const uint32_t head_bytes = pclip_take_varint(reader);
	const unsigned char *head = pclip_take(reader, head_bytes);
	if (!head) {
		return false;
	}
	parts->head = (struct pclip_reader){head, head + head_bytes, false};
	read_index(parts, reader);
	read_spline_numbers(parts, clip_bytes);
	return !reader->failed;
}

static bool take_part(struct pclip_reader *reader, struct pclip_reader *part) {
	const uint32_t bytes = pclip_take_varint(reader);
	const unsigned char *at = pclip_take(reader, bytes);
	if (at) {
		*part = (struct pclip_reader){at, at + bytes, false};
	}
	return at;
}

bool pclip_find_parts(const struct pclip_file *file, int i, struct pclip_parts *parts) {
	struct pclip_reader reader = {
		file->bytes + file->clips_at, file->bytes + file->size, false};
	struct pclip_reader part = {0};
	for (int k = 0; k <= i && k < file->clip_count; k++) {
		if (!take_part(&reader, &part)) {
			return false;
		}
	}
	return i >= 0 && i < file->clip_count && read_parts(&part, file->has_names, parts);
}

bool pclip_describe(const struct pclip_file *file, int i, struct pclip_info *info) {
	struct pclip_parts parts;
	const bool found = pclip_find_parts(file, i, &parts);
	*info = found ? parts.info : (struct pclip_info){0};
	if (found && !file->has_names) {
		info->name = NULL;
	}
	return found;
}

/* The most that a count is among all clips. */
static size_t most_of(const struct pclip_file *file, size_t (*count)(const struct pclip_parts *)) {
	struct pclip_reader reader = {
		file->bytes + file->clips_at, file->bytes + file->size, false};
	size_t most = 0;
	for (int i = 0; i < file->clip_count && !reader.failed; i++) {
		struct pclip_reader part = {0};
		struct pclip_parts parts;
		if (take_part(&reader, &part) && read_parts(&part, file->has_names, &parts) &&
			count(&parts) > most) {
			most = count(&parts);
		}
	}
	return most;
}

static size_t ticks_of(const struct pclip_parts *parts) {
	return parts->info.even ? 0 : (size_t)parts->info.sample_count;
}

static size_t spline_numbers_of(const struct pclip_parts *parts) {
	return parts->spline_numbers;
}

size_t pclip_most_ticks(const struct pclip_file *file) {
	return most_of(file, ticks_of);
}

size_t pclip_most_spline_numbers(const struct pclip_file *file) {
	return most_of(file, spline_numbers_of);
}
