// A decoder of .pclip files: an open clip.
#include "pclip.h"

#include <math.h>
#include <string.h>

#include "pclip_bits.h"
#include "pclip_bspline.h"
#include "pclip_file.h"
#include "pclip_model.h"
#include "pclip_motion.h"

#define SAMPLE_NEAR 1e-5 // of the way from a sample to the next

struct pclip {
	const struct pclip_file *file;
	struct pclip_parts parts;
	struct pclip_coder coder;
	struct pclip_tables tables;
	int track_count, channel_count;
	struct pclip_track *tracks;
	struct pclip_channel *channels;
	struct pclip_state *states;
	struct pclip_bits bits;
	struct pclip_splines splines;
	int32_t *spline_numbers; // their knots and control points
	double *numbers;         // [channel_count] of the last sample, whole ones but for splines'
	struct pclip_motion motion;
	uint32_t *ticks; // [sample_count] of each; NULL = they are even
	int held[2];     // samples that motion has loaded; -1 = none
	int next;        // sample that the coder comes to; -1 = no segment is open
};

static int track_count(const struct pclip_file *file) {
	return PCLIP_KINDS * file->joint_count + file->weight_count;
}

static int channels_at_most(const struct pclip_file *file) {
	return 3 * PCLIP_KINDS * file->joint_count + file->weight_count;
}

/* Moving tracks of a clip of splines, each of which has a control point at least. */
static size_t splines_at_most(const struct pclip_file *file) {
	const size_t tracks = (size_t)track_count(file), numbers = pclip_most_spline_numbers(file);
	return tracks < numbers ? tracks : numbers;
}

size_t pclip_memory(const struct pclip_file *file) {
	const size_t tracks = (size_t)track_count(file), channels = (size_t)channels_at_most(file);
	return sizeof(struct pclip) +
		pclip_motion_memory((size_t)file->joint_count, (size_t)file->weight_count) +
		channels *
		(sizeof(struct pclip_channel) + sizeof(struct pclip_state) +
			sizeof(struct pclip_range) + sizeof(double)) +
		splines_at_most(file) * sizeof(struct pclip_spline) +
		pclip_most_spline_numbers(file) * sizeof(int32_t) +
		pclip_most_ticks(file) * sizeof(uint32_t) + 2 * tracks * sizeof(struct pclip_track);
}

/* Those with the widest members first, so that each is aligned; returns where motion's is. */
static void *lay_out(struct pclip *clip) {
	const struct pclip_file *file = clip->file;
	const size_t channels = (size_t)channels_at_most(file);
	unsigned char *motion = (unsigned char *)(clip + 1);
	clip->channels = (struct pclip_channel *)(void *)(motion +
		pclip_motion_memory((size_t)file->joint_count, (size_t)file->weight_count));
	clip->numbers = (double *)(clip->channels + channels);
	clip->splines.list = (struct pclip_spline *)(clip->numbers + channels);
	clip->states = (struct pclip_state *)(clip->splines.list + splines_at_most(file));
	clip->bits.ranges = (struct pclip_range *)(clip->states + channels);
	clip->ticks = (uint32_t *)(clip->bits.ranges + channels);
	clip->spline_numbers = (int32_t *)(clip->ticks + pclip_most_ticks(file));
	clip->tracks =
		(struct pclip_track *)(clip->spline_numbers + pclip_most_spline_numbers(file));
	memset(clip->tracks, 0, 2 * (size_t)clip->track_count * sizeof *clip->tracks);
	return motion;
}

static bool read_head(struct pclip *clip, int i) {
	const int count = clip->track_count, joints = clip->file->joint_count;
	struct pclip_track *first = NULL;
	struct pclip_parts parts;
	if (i > 0) {
		first = clip->tracks + count;
		if (!pclip_find_parts(clip->file, 0, &parts)) {
			return false;
		}
		pclip_start_reading(&clip->coder, parts.head.at, parts.head.end);
		if (!pclip_code_head(&clip->coder, first, count, joints, NULL) ||
			!pclip_ended(&clip->coder)) {
			return false;
		}
	}
	pclip_start_reading(&clip->coder, clip->parts.head.at, clip->parts.head.end);
	return pclip_code_head(&clip->coder, clip->tracks, count, joints, first) &&
		pclip_ended(&clip->coder);
}

static void sum_ticks(struct pclip *clip) {
	struct pclip_reader reader = clip->parts.ticks;
	if (clip->parts.info.even) {
		clip->ticks = NULL;
		return;
	}
	clip->ticks[0] = 0;
	for (int i = 1; i < clip->parts.info.sample_count; i++) {
		clip->ticks[i] = clip->ticks[i - 1] + pclip_take_varint(&reader);
	}
}

bool pclip_drives(const struct pclip *clip, int i, int kind) {
	const int joints = clip->file->joint_count;
	return clip->tracks[kind < PCLIP_KINDS ? PCLIP_KINDS * i + kind : PCLIP_KINDS * joints + i]
		       .class
		!= PCLIP_REST;
}

/* An entry of the index. */
static size_t size_in(const unsigned char *entry, size_t bytes) {
	const size_t low = entry[0] | (size_t)entry[1] << 8;
	return bytes == 2 ? low : low | (size_t)entry[2] << 16 | (size_t)entry[3] << 24;
}

static bool open_segment(struct pclip *clip, int segment) {
	struct pclip_reader index = clip->parts.index, bytes = clip->parts.segments;
	const size_t entry = clip->parts.flags & PCLIP_LONG_INDEX ? 4 : 2;
	const unsigned char *at = bytes.at;
	size_t size = (size_t)(bytes.end - bytes.at);
	if (clip->parts.segment_count > 1) {
		const unsigned char *sizes = pclip_take(&index, entry * ((size_t)segment + 1));
		uint64_t before = 0;
		for (int i = 0; sizes && i < segment; i++) {
			before += size_in(sizes + entry * (size_t)i, entry);
		}
		if (!sizes || before > size) {
			return false;
		}
		pclip_take(&bytes, (size_t)before);
		size = size_in(sizes + entry * (size_t)segment, entry);
		at = pclip_take(&bytes, size);
	}
	if (bytes.failed) {
		return false;
	}
	pclip_start_reading(&clip->coder, at, at + size);
	clip->next = segment * clip->parts.info.segment_samples;
	return !clip->coder.failed;
}

/* Decodes up to a sample, from where the coder is or the start of its segment. */
static bool decode(struct pclip *clip, int sample) {
	if (clip->parts.info.codec == PCLIP_BSPLINE) {
		pclip_sample_splines(&clip->splines, sample, clip->numbers);
		return true;
	}
	if (clip->parts.info.codec == PCLIP_BITS) {
		return pclip_read_bits(
			&clip->parts, &clip->bits, clip->numbers, clip->channel_count, sample);
	}
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
	for (int i = 0; i < clip->channel_count; i++) {
		clip->numbers[i] = clip->states[i].value;
	}
	const bool last = clip->next == count || (length && clip->next == start + length);
	return !last || pclip_ended(&clip->coder);
}

int pclip_numbers(struct pclip *clip, int sample, int32_t *numbers) {
	if (sample < 0 || sample >= clip->parts.info.sample_count ||
		(clip->channel_count > 0 && !decode(clip, sample))) {
		return -1;
	}
	for (int i = 0; numbers && i < clip->channel_count; i++) {
		numbers[i] = (int32_t)floor(clip->numbers[i] + 0.5);
	}
	return clip->channel_count;
}

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
		/* Rounding may be one off either way, which would be seen where a number holds. */
		const double position = time_s * clip->parts.info.rate;
		low = position < last - 1 ? (int)position : last - 1;
		low -= low > 0 && sample_s(clip, low) > time_s;
		return low + (low + 1 < last && sample_s(clip, low + 1) <= time_s);
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
	if (!(time_s > 0) || clip->parts.info.sample_count == 1) {
		return 0;
	}
	if (time_s >= clip->parts.info.duration_s) {
		return clip->parts.info.sample_count - 1;
	}
	const int sample = sample_before(clip, time_s);
	const double from = sample_s(clip, sample), to = sample_s(clip, sample + 1);
	const double way = to > from ? (time_s - from) / (to - from) : 0;
	/* Times that float32 cannot tell from a sample's are that, for tracks that hold until
	 * there.
	 */
	if (way > 1 - SAMPLE_NEAR) {
		return sample + 1;
	}
	*share = way > SAMPLE_NEAR ? way : 0;
	return sample;
}

/* Reads everything that a clip's samples need and begins with. */
static bool open_codec(struct pclip *clip) {
	const int count = clip->channel_count;
	switch (clip->parts.info.codec) {
	case PCLIP_BITS:
		return pclip_open_bits(&clip->parts, &clip->bits, count);
	case PCLIP_BSPLINE:
		return pclip_open_splines(&clip->parts, &clip->coder, clip->channels, count,
			clip->states, clip->splines.list, clip->spline_numbers, &clip->splines);
	case PCLIP_BEST:
		break;
	}
	return true;
}

struct pclip *pclip_open(const struct pclip_file *file, int i, const struct pclip_transform *rest,
	void *memory, const char **why) {
	struct pclip *clip = memory;
	memset(clip, 0, sizeof *clip);
	*why = "this clip's bytes are damaged";
	if (!pclip_find_parts(file, i, &clip->parts)) {
		return NULL;
	}
	clip->file = file;
	clip->track_count = track_count(file);
	clip->held[0] = clip->held[1] = clip->next = -1;
	pclip_fill_tables(&clip->tables);
	clip->coder.tables = &clip->tables;
	void *motion = lay_out(clip);
	if (!read_head(clip, i)) {
		return NULL;
	}
	sum_ticks(clip);
	clip->channel_count = pclip_list_channels(
		clip->tracks, clip->track_count, file->joint_count, clip->channels);
	if (!open_codec(clip)) {
		return NULL;
	}
	pclip_motion_start(
		&clip->motion, clip->tracks, file->joint_count, file->weight_count, rest, motion);
	return clip;
}

/* Decodes a sample into its place, 0 or 1. */
static bool load(struct pclip *clip, int sample) {
	const int place = sample & 1;
	if (clip->held[place] == sample || clip->channel_count == 0) {
		return true;
	}
	clip->held[place] = -1;
	if (!decode(clip, sample)) {
		return false;
	}
	pclip_motion_load(&clip->motion, clip->numbers, place);
	clip->held[place] = sample;
	return true;
}

bool pclip_sample(
	struct pclip *clip, double time_s, struct pclip_transform *joints, float *weights) {
	double share;
	const int sample = place(clip, time_s, &share);
	if (!load(clip, sample) || (share > 0 && !load(clip, sample + 1))) {
		return false;
	}
	pclip_motion_pose(&clip->motion, sample & 1, share, joints, weights);
	return true;
}
