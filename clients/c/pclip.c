// A decoder of .pclip files.
#include "pclip.h"

#include <math.h>
#include <string.h>

#include "pclip_model.h"

enum {
	VERSION = 1,
	FILE_SELF_CONTAINED = 1,
	FILE_NAMES = 2,
	CLIP_LONG_INDEX = 1,
	CLIP_TICKS = 2,
	JOINTS_MAX = 65535,
	SAMPLES_MAX = 1 << 24,
};

static const char past_end[] = "it ends before its contents do";

/* ---- Bytes ---- */

struct reader {
	const unsigned char *at, *end;
	bool failed;
};

static const unsigned char *take(struct reader *reader, size_t count) {
	if ((size_t)(reader->end - reader->at) < count) {
		reader->failed = true;
		return NULL;
	}
	reader->at += count;
	return reader->at - count;
}

static uint64_t take_number(struct reader *reader, int bytes) {
	const unsigned char *at = take(reader, (size_t)bytes);
	uint64_t number = 0;
	for (int i = 0; at && i < bytes; i++) {
		number |= (uint64_t)at[i] << (8 * i);
	}
	return number;
}

static float take_float(struct reader *reader) {
	const uint32_t bits = (uint32_t)take_number(reader, 4);
	float number;
	memcpy(&number, &bits, sizeof number);
	return number;
}

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
static uint32_t take_varint(struct reader *reader) {
	uint32_t number = 0;
	for (int shift = 0; shift < 32; shift += 7) {
		const uint32_t byte = (uint32_t)take_number(reader, 1);
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

/* ---- Files ---- */

static void take_rest(struct reader *reader, struct pclip_transform *rest) {
	float *numbers[3] = {rest->translation, rest->rotation, rest->scale};
	for (int i = 0; i < 10; i++) {
		*(i < 3                 ? &numbers[0][i]
				: i < 7 ? &numbers[1][i - 3]
					: &numbers[2][i - 7]) = take_float(reader);
	}
}

bool pclip_read(const void *bytes, size_t size, struct pclip_file *file, const char **why) {
	const unsigned char *start = bytes;
	struct reader reader = {start, start + size, false};
	const unsigned char *magic = take(&reader, 4);
	*why = "it does not begin with PCLP";
	if (!magic || memcmp(magic, "PCLP", 4) != 0) {
		return false;
	}
	*why = "it has a version that this decoder does not know";
	if (take_number(&reader, 1) != VERSION) {
		return false;
	}
	const int flags = (int)take_number(&reader, 1);
	const int clips = (int)take_number(&reader, 2);
	const uint32_t checksum = (uint32_t)take_number(&reader, 4);
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
		.skeleton = take_number(&reader, 8)};
	const uint32_t joints = take_varint(&reader), weights = take_varint(&reader);
	const uint32_t skeleton_bytes = file->self_contained ? take_varint(&reader) : 0;
	file->skeleton_at = (size_t)(reader.at - start);
	take(&reader, skeleton_bytes);
	file->clips_at = (size_t)(reader.at - start);
	*why = reader.failed ? past_end : "it has more joints or morph weights than 65535";
	file->joint_count = (int)(joints & JOINTS_MAX);
	file->weight_count = (int)(weights & JOINTS_MAX);
	return !reader.failed && joints <= JOINTS_MAX && weights <= JOINTS_MAX;
}

bool pclip_joint(const struct pclip_file *file, int i, const char **name, int *name_bytes,
	int *parent, struct pclip_transform *rest) {
	struct reader reader = {
		file->bytes + file->skeleton_at, file->bytes + file->clips_at, false};
	for (int k = 0; k <= i && k < file->joint_count && file->self_contained; k++) {
		const uint32_t up = take_varint(&reader), length = take_varint(&reader);
		*name = (const char *)take(&reader, length);
		*name_bytes = (int)length;
		*parent = up == 0 ? -1 : k - (int)(up & JOINTS_MAX);
		take_rest(&reader, rest);
		if (reader.failed || (up > 0 && *parent < 0)) {
			return false;
		}
	}
	return file->self_contained && i >= 0 && i < file->joint_count;
}

/* Where the parts of a clip lie. */
struct parts {
	struct pclip_info info;
	int flags;
	struct reader ticks, head, index, segments;
	int segment_count;
};

static void read_index(struct parts *parts, struct reader *reader) {
	const struct pclip_info *info = &parts->info;
	parts->segment_count = info->segment_samples
		? (info->sample_count + info->segment_samples - 1) / info->segment_samples
		: 1;
	const size_t entry = parts->flags & CLIP_LONG_INDEX ? 4 : 2;
	const size_t index_bytes =
		parts->segment_count > 1 ? entry * (size_t)parts->segment_count : 0;
	parts->index = (struct reader){reader->at, reader->at + index_bytes, false};
	if (take(reader, index_bytes)) {
		parts->segments = *reader;
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
static void read_ticks(struct parts *parts, struct reader *reader) {
	const int count = parts->info.even ? 0 : parts->info.sample_count - 1;
	parts->ticks = *reader;
	uint64_t sum = 0;
	for (int i = 0; i < count && !reader->failed; i++) {
		const uint32_t ticks = take_varint(reader);
		sum += ticks;
		reader->failed |= ticks == 0 || sum > UINT32_MAX;
	}
	parts->info.duration_s = parts->info.even || reader->failed
		? parts->info.duration_s
		: (double)sum / parts->info.rate;
}

static bool read_parts(struct reader *reader, bool has_names, struct parts *parts) {
	const int codec = (int)take_number(reader, 1);
	parts->flags = (int)take_number(reader, 1);
	struct pclip_info *info = &parts->info;
	*info = (struct pclip_info){.codec = (enum pclip_codec)(codec & 15),
		.segment_samples = codec >> 4 ? 1 << (codec >> 4) : 0};
	info->sample_count = (int)(take_varint(reader) & INT32_MAX);
	info->rate = take_float(reader);
	info->duration_s = take_float(reader);
	info->tolerance_m = take_float(reader);
	info->name_bytes = has_names ? (int)(take_varint(reader) & INT32_MAX) : 0;
	info->name = (const char *)take(reader, (size_t)info->name_bytes);
	info->even = !(parts->flags & CLIP_TICKS);
	if (reader->failed || info->codec != PCLIP_BEST || !sensible(info)) {
		return false;
	}
	read_ticks(parts, reader);
	const uint32_t head_bytes = take_varint(reader);
	const unsigned char *head = take(reader, head_bytes);
	if (!head) {
		return false;
	}
	parts->head = (struct reader){head, head + head_bytes, false};
	read_index(parts, reader);
	return !reader->failed;
}

static bool take_part(struct reader *reader, struct reader *part) {
	const uint32_t bytes = take_varint(reader);
	const unsigned char *at = take(reader, bytes);
	if (at) {
		*part = (struct reader){at, at + bytes, false};
	}
	return at;
}

static bool find_parts(const struct pclip_file *file, int i, struct parts *parts) {
	struct reader reader = {file->bytes + file->clips_at, file->bytes + file->size, false};
	struct reader part = {0};
	for (int k = 0; k <= i && k < file->clip_count; k++) {
		if (!take_part(&reader, &part)) {
			return false;
		}
	}
	return i >= 0 && i < file->clip_count && read_parts(&part, file->has_names, parts);
}

bool pclip_describe(const struct pclip_file *file, int i, struct pclip_info *info) {
	struct parts parts;
	const bool found = find_parts(file, i, &parts);
	*info = found ? parts.info : (struct pclip_info){0};
	if (found && !file->has_names) {
		info->name = NULL;
	}
	return found;
}

/* ---- An open clip ---- */

struct pclip {
	const struct pclip_file *file;
	const struct pclip_transform *rest;
	struct parts parts;
	struct pclip_coder coder;
	uint16_t tables[PCLIP_TABLES][PCLIP_SYMBOLS];
	int track_count, channel_count;
	struct pclip_track *tracks;
	struct pclip_channel *channels;
	struct pclip_state *states;
	int32_t *values[2]; // of two samples
	uint32_t *ticks;    // [sample_count] of each; NULL = they are even
	int held[2];        // which ones; -1 = none
	int next;           // sample that the coder comes to; -1 = no segment is open
};

static int track_count(const struct pclip_file *file) {
	return PCLIP_KINDS * file->joint_count + file->weight_count;
}

static int channels_at_most(const struct pclip_file *file) {
	return 3 * PCLIP_KINDS * file->joint_count + file->weight_count;
}

/* Samples of the clip that has most of them among those with times of their own. */
static size_t most_ticks(const struct pclip_file *file) {
	struct reader reader = {file->bytes + file->clips_at, file->bytes + file->size, false};
	size_t most = 0;
	for (int i = 0; i < file->clip_count && !reader.failed; i++) {
		struct reader part = {0};
		struct parts parts;
		if (take_part(&reader, &part) && read_parts(&part, file->has_names, &parts) &&
			!parts.info.even && (size_t)parts.info.sample_count > most) {
			most = (size_t)parts.info.sample_count;
		}
	}
	return most;
}

size_t pclip_memory(const struct pclip_file *file) {
	const size_t tracks = (size_t)track_count(file), channels = (size_t)channels_at_most(file);
	return sizeof(struct pclip) + channels * sizeof(struct pclip_channel) +
		channels * (sizeof(struct pclip_state) + 2 * sizeof(int32_t)) +
		2 * tracks * sizeof(struct pclip_track) + most_ticks(file) * sizeof(uint32_t);
}

/* Those with the widest members first, so that each is aligned. */
static void lay_out(struct pclip *clip) {
	const size_t channels = (size_t)channels_at_most(clip->file);
	clip->channels = (struct pclip_channel *)(clip + 1);
	clip->states = (struct pclip_state *)(clip->channels + channels);
	clip->values[0] = (int32_t *)(clip->states + channels);
	clip->values[1] = clip->values[0] + channels;
	clip->ticks = (uint32_t *)(clip->values[1] + channels);
	clip->tracks = (struct pclip_track *)(clip->ticks + most_ticks(clip->file));
	memset(clip->tracks, 0, 2 * (size_t)clip->track_count * sizeof *clip->tracks);
}

static bool read_head(struct pclip *clip, int i) {
	const int count = clip->track_count, joints = clip->file->joint_count;
	struct pclip_track *first = NULL;
	struct parts parts;
	if (i > 0) {
		first = clip->tracks + count;
		if (!find_parts(clip->file, 0, &parts)) {
			return false;
		}
		pclip_start_reading(&clip->coder, parts.head.at, parts.head.end);
		if (!pclip_code_head(&clip->coder, first, count, joints, NULL)) {
			return false;
		}
	}
	pclip_start_reading(&clip->coder, clip->parts.head.at, clip->parts.head.end);
	return pclip_code_head(&clip->coder, clip->tracks, count, joints, first) &&
		pclip_ended(&clip->coder);
}

static void sum_ticks(struct pclip *clip) {
	struct reader reader = clip->parts.ticks;
	if (clip->parts.info.even) {
		clip->ticks = NULL;
		return;
	}
	clip->ticks[0] = 0;
	for (int i = 1; i < clip->parts.info.sample_count; i++) {
		clip->ticks[i] = clip->ticks[i - 1] + take_varint(&reader);
	}
}

struct pclip *pclip_open(const struct pclip_file *file, int i, const struct pclip_transform *rest,
	void *memory, const char **why) {
	struct pclip *clip = memory;
	memset(clip, 0, sizeof *clip);
	*why = "this clip's bytes are damaged";
	if (!find_parts(file, i, &clip->parts)) {
		return NULL;
	}
	clip->file = file;
	clip->rest = rest;
	clip->track_count = track_count(file);
	clip->held[0] = clip->held[1] = clip->next = -1;
	pclip_tables(clip->tables);
	clip->coder.tables = (const uint16_t(*)[PCLIP_SYMBOLS])clip->tables;
	lay_out(clip);
	if (!read_head(clip, i)) {
		return NULL;
	}
	sum_ticks(clip);
	clip->channel_count = pclip_list_channels(
		clip->tracks, clip->track_count, file->joint_count, clip->channels);
	return clip;
}

bool pclip_drives(const struct pclip *clip, int i, int kind) {
	const int joints = clip->file->joint_count;
	return clip->tracks[kind < PCLIP_KINDS ? PCLIP_KINDS * i + kind : PCLIP_KINDS * joints + i]
		       .class
		!= PCLIP_REST;
}

static bool open_segment(struct pclip *clip, int segment) {
	struct reader index = clip->parts.index, bytes = clip->parts.segments;
	const int entry = clip->parts.flags & CLIP_LONG_INDEX ? 4 : 2;
	const unsigned char *at = bytes.at;
	size_t size = (size_t)(bytes.end - bytes.at);
	for (int i = 0; clip->parts.segment_count > 1 && i <= segment; i++) {
		size = (size_t)take_number(&index, entry);
		at = take(&bytes, size);
	}
	if (bytes.failed || index.failed) {
		return false;
	}
	pclip_start_reading(&clip->coder, at, at + size);
	clip->next = segment * clip->parts.info.segment_samples;
	return !clip->coder.failed;
}

/* Decodes up to a sample, from where the coder is or the start of its segment. */
static bool decode(struct pclip *clip, int sample) {
	const int length = clip->parts.info.segment_samples, count = clip->parts.info.sample_count;
	const int segment = length ? sample / length : 0;
	const int start = segment * length;
	if ((clip->next < start + 1 || clip->next > sample) && !open_segment(clip, segment)) {
		clip->next = -1;
		return false;
	}
	while (clip->next <= sample) {
		if (!pclip_code_sample(&clip->coder, clip->channels, clip->channel_count,
			    clip->states, NULL, clip->next - start)) {
			clip->next = -1;
			return false;
		}
		clip->next++;
	}
	const bool last = clip->next == count || (length && clip->next == start + length);
	return !last || pclip_ended(&clip->coder);
}

static const int32_t *load(struct pclip *clip, int sample) {
	const int place = sample & 1;
	if (clip->held[place] != sample && clip->channel_count > 0) {
		clip->held[place] = -1;
		if (!decode(clip, sample)) {
			return NULL;
		}
		for (int i = 0; i < clip->channel_count; i++) {
			clip->values[place][i] = clip->states[i].value;
		}
		clip->held[place] = sample;
	}
	return clip->values[place];
}

/* ---- From numbers to transforms ---- */

static double sample_s(const struct pclip *clip, int sample) {
	const struct pclip_info *info = &clip->parts.info;
	if (clip->ticks) {
		return clip->ticks[sample] / info->rate;
	}
	return sample + 1 < info->sample_count ? sample / info->rate : info->duration_s;
}

/* The last of the samples up to a time; another one follows. */
static int sample_before(const struct pclip *clip, double time_s) {
	const int last = clip->parts.info.sample_count - 1;
	int low = 0, high = last;
	if (!clip->ticks) {
		const double position = time_s * clip->parts.info.rate;
		return position < last - 1 ? (int)position : last - 1;
	}
	while (high - low > 1) {
		const int middle = (low + high) / 2;
		*(sample_s(clip, middle) <= time_s ? &low : &high) = middle;
	}
	return low;
}

/* The sample before a time, and the share of the way to the next. */
static int place(const struct pclip *clip, double time_s, double *share) {
	*share = 0;
	if (!(time_s > 0)) {
		return 0;
	}
	if (time_s >= clip->parts.info.duration_s) {
		return clip->parts.info.sample_count - 1;
	}
	const int sample = sample_before(clip, time_s);
	const double from = sample_s(clip, sample), to = sample_s(clip, sample + 1);
	const double way = (time_s - from) / (to - from);
	*share = way < 0 ? 0 : way > 1 ? 1 : way;
	return sample;
}

static void multiply(const double a[4], const double b[4], double out[4]) {
	out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
	out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
	out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
	out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void normalise(double q[4]) {
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++) {
		q[i] = length > 0 ? q[i] / length : i == 3;
	}
}

/* base * exp(vector). */
static void turn(const struct pclip_track *track, const struct pclip_transform *rest,
	const double vector[3], double out[4]) {
	const double angle =
		sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
	const double half = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
	const double by[4] = {vector[0] * half, vector[1] * half, vector[2] * half, cos(angle / 2)};
	double base[4];
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		sum |= track->base[i];
	}
	for (int i = 0; i < 4; i++) {
		base[i] = sum ? track->base[i] : rest->rotation[i];
	}
	normalise(base);
	multiply(base, by, out);
}

static void slerp(const double a[4], const double b[4], double share, double out[4]) {
	double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const double sign = dot < 0 ? -1 : 1;
	dot = dot * sign > 1 ? 1 : dot * sign;
	const double angle = acos(dot);
	const double from = angle < 1e-4 ? 1 - share : sin((1 - share) * angle) / sin(angle);
	const double to = angle < 1e-4 ? share : sin(share * angle) / sin(angle);
	for (int i = 0; i < 4; i++) {
		out[i] = from * a[i] + to * sign * b[i];
	}
	normalise(out);
}

/* The numbers of a track's axes in a sample; *next is where its channels end. */
static void numbers(const struct pclip *clip, const struct pclip_track *track,
	const int32_t *values, int channel, double out[3]) {
	for (int axis = 0; axis < 3; axis++) {
		out[axis] = track->moving >> axis & 1
			? values[channel] * clip->channels[channel].step
			: pclip_still(track, axis);
		channel += track->moving >> axis & 1;
	}
}

static int moving_count(const struct pclip_track *track) {
	return (track->moving & 1) + (track->moving >> 1 & 1) + (track->moving >> 2 & 1);
}

struct moment {
	const int32_t *from, *to; // numbers of the two samples
	double share;
	int channel; // the next one
};

static void pose_rotation(const struct pclip *clip, const struct pclip_track *track,
	const struct moment *moment, const struct pclip_transform *rest, float out[4]) {
	double vector[3], from[4], to[4];
	numbers(clip, track, moment->from, moment->channel, vector);
	turn(track, rest, vector, from);
	if (moment->share > 0 && !track->hold && track->moving) {
		numbers(clip, track, moment->to, moment->channel, vector);
		turn(track, rest, vector, to);
		slerp(from, to, moment->share, from);
	}
	for (int i = 0; i < 4; i++) {
		out[i] = (float)from[i];
	}
}

static void pose_vector(const struct pclip *clip, const struct pclip_track *track,
	const struct moment *moment, const float *rest, int width, float *out) {
	double from[3], to[3];
	numbers(clip, track, moment->from, moment->channel, from);
	numbers(clip, track, moment->to, moment->channel, to);
	const double share = track->hold ? 0 : moment->share;
	for (int i = 0; i < width; i++) {
		out[i] = (float)(rest[i] + from[i] + share * (to[i] - from[i]));
	}
}

static void pose_joint(
	const struct pclip *clip, int joint, struct moment *moment, struct pclip_transform *out) {
	const struct pclip_transform *rest = &clip->rest[joint];
	const struct pclip_track *tracks = &clip->tracks[PCLIP_KINDS * joint];
	*out = *rest;
	if (tracks[0].class != PCLIP_REST) {
		pose_rotation(clip, &tracks[0], moment, rest, out->rotation);
	}
	moment->channel += moving_count(&tracks[0]);
	if (tracks[1].class != PCLIP_REST) {
		pose_vector(clip, &tracks[1], moment, rest->translation, 3, out->translation);
	}
	moment->channel += moving_count(&tracks[1]);
	if (tracks[2].class != PCLIP_REST) {
		pose_vector(clip, &tracks[2], moment, rest->scale, 3, out->scale);
	}
	moment->channel += moving_count(&tracks[2]);
}

bool pclip_sample(
	struct pclip *clip, double time_s, struct pclip_transform *joints, float *weights) {
	struct moment moment = {0};
	const int sample = place(clip, time_s, &moment.share);
	moment.from = load(clip, sample);
	moment.to = moment.share > 0 ? load(clip, sample + 1) : moment.from;
	if (!moment.from || !moment.to) {
		return false;
	}
	for (int i = 0; i < clip->file->joint_count; i++) {
		pose_joint(clip, i, &moment, &joints[i]);
	}
	static const float zero[3];
	for (int i = 0; i < clip->file->weight_count; i++) {
		const struct pclip_track *track =
			&clip->tracks[PCLIP_KINDS * clip->file->joint_count + i];
		if (track->class != PCLIP_REST) {
			pose_vector(clip, track, &moment, zero, 1, &weights[i]);
		}
		moment.channel += moving_count(track);
	}
	return true;
}
