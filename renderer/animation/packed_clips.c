// Clips as the store keeps them.
#include "interface/packed_clips.h"

#include <math.h>
#include <string.h>

#include "compress/compress.h"
#include "compress/pclip_write.h"
#include "interface/optimise.h"
#include "model/clip_motion.h"
#include "model/clip_pack.h"
#include "pose/sample/expand.h"

/* Samples that are decoded at once when one of them is asked for. */
#define SEGMENT_SAMPLES 64

/* Shares of the tolerance that are left to roundings of float32, one tried after the other: a clip
 * that misses the tolerance by one would keep all its keys. */
static const double rooms[] = {1e-3, 2e-2};

/* A tolerance that was kept may be off by a rounding. */
#define SAME_TOLERANCE 1e-6

static double tolerance_m(const struct pack_job *job) {
	switch (job->kind) {
	case PACK_RAW:
	case PACK_METRES:
		break;
	case PACK_SHARE:
		return job->tolerance * renderer_optimise_diagonal(job->rig);
	case PACK_FIGURE:
		return job->tolerance * error_shell_scale(job->rig);
	}
	return job->tolerance;
}

/* The clip with a frame for a second: keys of many at even times are at whole seconds, but for the
 * last one. */
static struct clip count_in_frames(const struct pack_job *job, struct arena *arena) {
	struct clip clip = *job->clip;
	const size_t count = (size_t)clip.channel_count;
	clip.name = (char *)job->name;
	clip.channels = arena_alloc(arena, count + 1, sizeof *clip.channels);
	float *times = NULL;
	for (size_t i = 0; i < count; i++) {
		struct channel *channel = &clip.channels[i];
		*channel = job->clip->channels[i];
		const int keys = channel->key_count;
		if (times && channel->times == job->clip->channels[i - 1].times &&
			keys == job->clip->channels[i - 1].key_count) {
			channel->times = times;
			continue;
		}
		times = arena_alloc(arena, (size_t)keys, sizeof *times);
		for (int k = 0; k < keys; k++) {
			const double frame = (double)channel->times[k] * job->rate;
			times[k] = (float)(k + 1 < keys || fabs(frame - k) < 1e-2 ? k : frame);
		}
		channel->times = times;
	}
	clip_sum_up(&clip);
	return clip;
}

static double joint_samples(const struct pack_job *job) {
	return (job->clip->duration_s * job->rate + 1) * job->rig->joint_count;
}

/* Of these nobody waits for the search of the last bytes unasked. */
static bool is_long(const struct pack_job *job) {
	return job->kind == PACK_FIGURE && joint_samples(job) > PACK_SEARCHED_MAX;
}

/* Compresses the clip, as the only one of the rig. */
static bool compress_within(const struct pack_job *job, double tolerance, struct arena *arena,
	struct buffer *file, struct compress_report *report, struct error *err) {
	struct rig rig = *job->rig;
	struct clip clip = count_in_frames(job, arena);
	rig.clips = &clip;
	rig.clip_count = 1;
	const int first = 0;
	const struct compress_options options = {
		.tolerance_m = tolerance,
		.rate = 1,
		.is_quick = is_long(job),
		.segment_samples = SEGMENT_SAMPLES,
		.self_contained = true,
		.names = true,
	};
	return compress_clips(&rig, &first, 1, &options, job->stop, report, file, err);
}

static double kept_m(const struct compress_report *found) {
	return fmax(found->tolerance_m, found->error.max_m);
}

static bool compress(const struct pack_job *job, double tolerance, struct arena *arena,
	struct buffer *file, struct compress_report *report, struct error *err) {
	bool done = true;
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms && done; i++) {
		file->size = 0;
		done = compress_within(job, tolerance * (1 - rooms[i]), arena, file, report, err);
		if (done && (kept_m(report) <= tolerance || report->tolerance_m > tolerance)) {
			break;
		}
	}
	return done;
}

static bool has_many_keys(const struct clip *clip) {
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].key_count > CLIP_PLAIN_KEYS_MAX) {
			return true;
		}
	}
	return false;
}

/* A reason not to try; NULL = none. */
static const char *find_reason(const struct pack_job *job, double tolerance, struct arena *arena) {
	if (!(tolerance > 0)) {
		return "the rig has no vertices, and so no diagonal to have a share of";
	}
	if (!has_many_keys(job->clip)) {
		return "no channel has more than two keys";
	}
	return job->kind == PACK_FIGURE && joint_samples(job) > PACK_UNASKED_MAX
		? arena_printf(arena,
			  "more than %d frames times joints take long: they are compressed if a "
			  "\"tolerance\" is given",
			  PACK_UNASKED_MAX)
		: NULL;
}

/* A reason against what compression has made; NULL = none. */
static const char *find_flaw(const struct pack_job *job, const struct compress_report *found,
	const struct clip_compressed *compressed, struct arena *arena) {
	const double kept = kept_m(found);
	if (kept > compressed->tolerance_m * (1 + SAME_TOLERANCE)) {
		return arena_printf(arena,
			"the clip cannot be kept within %.4g m; a tolerance of %.4g m can be kept",
			compressed->tolerance_m, 1.01 * kept);
	}
	return clip_has_samples_of(job->clip, compressed) ? NULL : "its keys are at uneven times";
}

/* Appends the compressed clip, or says why there is none. False with *err when the work has to
 * stop. */
static bool try_compressing(const struct pack_job *job, struct arena *arena, struct buffer *out,
	struct packed_clip *report, struct error *err) {
	const double tolerance = tolerance_m(job);
	struct compress_report found;
	struct buffer file = {0};
	struct error why = {0};
	report->why_raw = find_reason(job, tolerance, arena);
	if (report->why_raw) {
		return true;
	}
	if (!compress(job, tolerance, arena, &file, &found, &why)) {
		buffer_finish(&file);
		report->why_raw = arena_strndup(arena, why.text, strlen(why.text));
		return why.code == ERROR_INVALID_VALUE || why.code == ERROR_TOO_LARGE ||
			error_pass(err, &why);
	}
	const struct clip_compressed compressed = {
		.bytes = file.data,
		.size = file.size,
		.rate = job->rate,
		.duration_s = job->clip->duration_s,
		.tolerance_m = tolerance,
		.error_m = found.error.max_m,
		.shell_m = error_shell_default_radius(job->rig),
	};
	report->why_raw = find_flaw(job, &found, &compressed, arena);
	const bool ok =
		report->why_raw || clip_pack_compressed(job->rig, job->clip, &compressed, out, err);
	report->is_compressed = ok && !report->why_raw;
	report->tolerance_m = compressed.tolerance_m;
	report->error_m = compressed.error_m;
	report->shell_m = compressed.shell_m;
	buffer_finish(&file);
	return ok;
}

bool renderer_pack_clip(const struct pack_job *job, struct arena *arena, struct buffer *out,
	struct packed_clip *report, struct error *err) {
	const size_t before = out->size;
	struct buffer raw = {0};
	*report = (struct packed_clip){0};
	bool packed = clip_pack(job->rig, job->clip, &raw, err) &&
		(job->kind == PACK_RAW || try_compressing(job, arena, out, report, err));
	if (packed && report->is_compressed && out->size - before >= raw.size) {
		*report = (struct packed_clip){.why_raw = "compressed it would take more room"};
		out->size = before;
	}
	if (packed && !report->is_compressed) {
		packed = buffer_try_append(out, raw.data, raw.size, "the clip", err);
	}
	report->bytes = out->size - before;
	buffer_finish(&raw);
	return packed;
}

bool renderer_stored_file(const struct rig *rig, const struct clip *clip, double tolerance_m,
	int segment_samples, struct buffer *out, double *error_m) {
	const struct clip_motion *motion = clip->motion;
	if (!motion || motion->tolerance_m != tolerance_m ||
		segment_samples != motion->segment_samples ||
		motion->file.skeleton != pclip_skeleton_hash(rig)) {
		return false;
	}
	pclip_write_as(&motion->file, motion->rate, motion->duration_s, out);
	*error_m = motion->error_m;
	return true;
}

bool renderer_describe_packed(const struct clip *clip, struct packed_clip *out) {
	const struct clip_motion *motion = clip->motion;
	*out = (struct packed_clip){0};
	if (motion) {
		*out = (struct packed_clip){
			.is_compressed = true,
			.bytes = motion->packed_bytes,
			.tolerance_m = motion->tolerance_m,
			.error_m = motion->error_m,
			.shell_m = motion->shell_m,
		};
	}
	return motion;
}

const struct clip *renderer_expand_clip(
	const struct rig *rig, const struct clip *clip, struct arena *arena) {
	return clip_expand(rig, clip, arena);
}
