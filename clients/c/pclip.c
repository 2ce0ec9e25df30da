// A decoder of .pclip files: an open clip.
#include "pclip.h"

#include <math.h>
#include <string.h>

#include "pclip_bits.h"
#include "pclip_file.h"
#include "pclip_model.h"

#define SAMPLE_NEAR 1e-5 // of the way from a sample to the next

/* A joint's local transform in a sample, before it becomes float32. */
struct numbers {
	double rotation[4], translation[3], scale[3];
};

struct pclip {
	const struct pclip_file *file;
	const struct pclip_transform *rest;
	struct pclip_parts parts;
	struct pclip_coder coder;
	struct pclip_tables tables;
	int track_count, channel_count;
	struct pclip_track *tracks;
	struct pclip_channel *channels;
	struct pclip_state *states;
	struct numbers *samples[2]; // [joint_count] of two samples
	double *weights[2];         // [weight_count] likewise
	double (*bases)[4];         // [joint_count] that rotations are about
	uint32_t *ticks;            // [sample_count] of each; NULL = they are even
	int held[2];                // which ones; -1 = none
	int next;                   // sample that the coder comes to; -1 = no segment is open
};

static int track_count(const struct pclip_file *file) {
	return PCLIP_KINDS * file->joint_count + file->weight_count;
}

static int channels_at_most(const struct pclip_file *file) {
	return 3 * PCLIP_KINDS * file->joint_count + file->weight_count;
}

size_t pclip_memory(const struct pclip_file *file) {
	const size_t tracks = (size_t)track_count(file), channels = (size_t)channels_at_most(file);
	const size_t joints = (size_t)file->joint_count, weights = (size_t)file->weight_count;
	return sizeof(struct pclip) + joints * (2 * sizeof(struct numbers) + 4 * sizeof(double)) +
		weights * 2 * sizeof(double) +
		channels * (sizeof(struct pclip_channel) + sizeof(struct pclip_state)) +
		pclip_most_ticks(file) * sizeof(uint32_t) + 2 * tracks * sizeof(struct pclip_track);
}

/* Those with the widest members first, so that each is aligned. */
static void lay_out(struct pclip *clip) {
	const size_t channels = (size_t)channels_at_most(clip->file);
	const size_t joints = (size_t)clip->file->joint_count;
	clip->samples[0] = (struct numbers *)(clip + 1);
	clip->samples[1] = clip->samples[0] + joints;
	clip->bases = (double(*)[4])(clip->samples[1] + joints);
	clip->weights[0] = (double *)(clip->bases + joints);
	clip->weights[1] = clip->weights[0] + clip->file->weight_count;
	clip->channels = (struct pclip_channel *)(clip->weights[1] + clip->file->weight_count);
	clip->states = (struct pclip_state *)(clip->channels + channels);
	clip->ticks = (uint32_t *)(clip->states + channels);
	clip->tracks = (struct pclip_track *)(clip->ticks + pclip_most_ticks(clip->file));
	memset(clip->tracks, 0, 2 * (size_t)clip->track_count * sizeof *clip->tracks);
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

static bool open_segment(struct pclip *clip, int segment) {
	struct pclip_reader index = clip->parts.index, bytes = clip->parts.segments;
	const int entry = clip->parts.flags & PCLIP_LONG_INDEX ? 4 : 2;
	const unsigned char *at = bytes.at;
	size_t size = (size_t)(bytes.end - bytes.at);
	for (int i = 0; clip->parts.segment_count > 1 && i <= segment; i++) {
		size = (size_t)pclip_take_number(&index, entry);
		at = pclip_take(&bytes, size);
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
	if (clip->parts.info.codec == PCLIP_BITS) {
		return pclip_read_bits(&clip->parts, clip->states, clip->channel_count, sample);
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
	const bool last = clip->next == count || (length && clip->next == start + length);
	return !last || pclip_ended(&clip->coder);
}

int pclip_numbers(struct pclip *clip, int sample, int32_t *numbers) {
	if (sample < 0 || sample >= clip->parts.info.sample_count ||
		(clip->channel_count > 0 && !decode(clip, sample))) {
		return -1;
	}
	for (int i = 0; numbers && i < clip->channel_count; i++) {
		numbers[i] = clip->states[i].value;
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
static void turn(const double base[4], const double vector[3], double out[4]) {
	const double angle =
		sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
	const double half = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
	const double by[4] = {vector[0] * half, vector[1] * half, vector[2] * half, cos(angle / 2)};
	multiply(base, by, out);
}

/* The share of an angle's sine, sin(share * angle) / sin(angle), as a series in cosine - 1.
 * Source: Eberly, A Fast and Accurate Algorithm for Computing SLERP, JGT 15 (2011). */
static double sine_share(double share, double cosine_less_1) {
	double term = share, sum = share;
	for (int i = 1; i <= 9; i++) {
		term *= (share * share / (i * (2 * i + 1)) - (double)i / (2 * i + 1)) *
			cosine_less_1;
		sum += term;
	}
	return sum;
}

static void slerp(const double a[4], const double b[4], double share, double out[4]) {
	double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	const double sign = dot < 0 ? -1 : 1;
	double from, to;
	dot = dot * sign > 1 ? 1 : dot * sign;
	if (dot > 0.9) {
		from = sine_share(1 - share, dot - 1);
		to = sine_share(share, dot - 1);
	} else {
		const double angle = acos(dot);
		from = sin((1 - share) * angle) / sin(angle);
		to = sin(share * angle) / sin(angle);
	}
	for (int i = 0; i < 4; i++) {
		out[i] = from * a[i] + to * sign * b[i];
	}
	normalise(out);
}

/* The numbers of a track's axes; channel is its first one. */
static void axes_of(
	const struct pclip *clip, const struct pclip_track *track, int channel, double out[3]) {
	for (int axis = 0; axis < 3; axis++) {
		const bool moves = track->moving >> axis & 1;
		out[axis] = moves ? clip->states[channel].value * clip->channels[channel].step
				  : pclip_still(track, axis);
		channel += moves;
	}
}

/* Sets what a track of a joint, or of a morph weight, says in the sample that the coder is at, or
 * what is still. */
static void set_track(struct pclip *clip, int place, int track, int channel) {
	const int joint = track / PCLIP_KINDS, joints = clip->file->joint_count;
	double axes[3];
	axes_of(clip, &clip->tracks[track], channel, axes);
	if (joint >= joints) {
		clip->weights[place][track - PCLIP_KINDS * joints] = axes[0];
		return;
	}
	struct numbers *numbers = &clip->samples[place][joint];
	const struct pclip_transform *rest = &clip->rest[joint];
	if (track % PCLIP_KINDS == 0) {
		turn(clip->bases[joint], axes, numbers->rotation);
		return;
	}
	for (int axis = 0; axis < 3; axis++) {
		if (track % PCLIP_KINDS == 1) {
			numbers->translation[axis] = rest->translation[axis] + axes[axis];
		} else {
			numbers->scale[axis] = rest->scale[axis] + axes[axis];
		}
	}
}

/* Sets the bases of rotations, and everything that does not move, in both samples. */
static void set_still(struct pclip *clip) {
	for (int i = 0; i < clip->file->joint_count; i++) {
		const int8_t *base = clip->tracks[PCLIP_KINDS * i].base;
		const bool own = base[0] | base[1] | base[2] | base[3];
		for (int k = 0; k < 4; k++) {
			clip->bases[i][k] = own ? base[k] : clip->rest[i].rotation[k];
		}
		normalise(clip->bases[i]);
	}
	for (int i = 0; i < clip->track_count; i++) {
		if (clip->tracks[i].class == PCLIP_STILL) {
			set_track(clip, 0, i, 0);
			set_track(clip, 1, i, 0);
		}
	}
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
	clip->rest = rest;
	clip->track_count = track_count(file);
	clip->held[0] = clip->held[1] = clip->next = -1;
	pclip_fill_tables(&clip->tables);
	clip->coder.tables = &clip->tables;
	lay_out(clip);
	if (!read_head(clip, i)) {
		return NULL;
	}
	sum_ticks(clip);
	clip->channel_count = pclip_list_channels(
		clip->tracks, clip->track_count, file->joint_count, clip->channels);
	if (clip->parts.info.codec == PCLIP_BITS &&
		!pclip_open_bits(&clip->parts, clip->states, clip->channel_count)) {
		return NULL;
	}
	set_still(clip);
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
	for (int i = 0; i < clip->channel_count; i++) {
		if (i == 0 || clip->channels[i - 1].track != clip->channels[i].track) {
			set_track(clip, place, clip->channels[i].track, i);
		}
	}
	clip->held[place] = sample;
	return true;
}

static void pose_vector(const struct pclip_track *track, const double *from, const double *to,
	double share, float *out) {
	const double way = track->hold ? 0 : share;
	for (int i = 0; i < 3; i++) {
		out[i] = (float)(from[i] + way * (to[i] - from[i]));
	}
}

static void pose_joint(
	const struct pclip *clip, int joint, int place, double share, struct pclip_transform *out) {
	const struct numbers *from = &clip->samples[place][joint];
	const struct numbers *to = &clip->samples[share > 0 ? !place : place][joint];
	const struct pclip_track *tracks = &clip->tracks[PCLIP_KINDS * joint];
	*out = clip->rest[joint];
	if (tracks[0].class != PCLIP_REST) {
		double rotation[4];
		memcpy(rotation, from->rotation, sizeof rotation);
		if (share > 0 && !tracks[0].hold && tracks[0].moving) {
			slerp(from->rotation, to->rotation, share, rotation);
		}
		for (int i = 0; i < 4; i++) {
			out->rotation[i] = (float)rotation[i];
		}
	}
	if (tracks[1].class != PCLIP_REST) {
		pose_vector(
			&tracks[1], from->translation, to->translation, share, out->translation);
	}
	if (tracks[2].class != PCLIP_REST) {
		pose_vector(&tracks[2], from->scale, to->scale, share, out->scale);
	}
}

bool pclip_sample(
	struct pclip *clip, double time_s, struct pclip_transform *joints, float *weights) {
	double share;
	const int sample = place(clip, time_s, &share), side = sample & 1;
	if (!load(clip, sample) || (share > 0 && !load(clip, sample + 1))) {
		return false;
	}
	for (int i = 0; i < clip->file->joint_count; i++) {
		pose_joint(clip, i, side, share, &joints[i]);
	}
	for (int i = 0; i < clip->file->weight_count; i++) {
		const struct pclip_track *track =
			&clip->tracks[PCLIP_KINDS * clip->file->joint_count + i];
		const double from = clip->weights[side][i];
		const double to = clip->weights[share > 0 ? !side : side][i];
		if (track->class != PCLIP_REST) {
			weights[i] = (float)(from + (track->hold ? 0 : share * (to - from)));
		}
	}
	return true;
}
