// Clips to compressed files.
#include "compress/compress.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "compress/measure.h"
#include "compress/pclip_write.h"
#include "pclip.h"

#define TOLERANCE_MIN 1e-6 // of the rig's size
#define SHARE_SAMPLING 0.5 // of the tolerance, what sampling alone may take
#define SHARES 6           // halvings of what tracks at rest and still may take
#define DOUBLINGS 6        // rates that are tried, each twice the one before

/* Of keeping to a tolerance at the skin. */
#define ATTEMPTS 10
#define ATTEMPTS_LEARNING 3 // with more vertices, before it is with less
#define TIGHTER 0.99        // than what would do if errors were proportional
#define OFFERED 1.1         // times the least error, in place of what cannot be kept

/* Local transforms between the source's own samples. */
static bool local_of_source(
	void *decoder, int moment, struct source_transform *local, double *weights) {
	const struct source *source = decoder;
	const size_t joints = (size_t)source->joint_count, count = (size_t)source->weight_count;
	const size_t sample = (size_t)(moment / SOURCE_MOMENTS);
	const double share = (double)(moment % SOURCE_MOMENTS) / SOURCE_MOMENTS;
	const struct source_transform *from = source->local + sample * joints;
	const struct source_transform *to = share > 0 ? from + joints : from;
	for (size_t i = 0; i < joints; i++) {
		const bool *holds = &source->holds[i * SOURCE_KINDS];
		quat_slerp(from[i].rotation, to[i].rotation, holds[SOURCE_ROTATION] ? 0 : share,
			local[i].rotation);
		for (int k = 0; k < 3; k++) {
			const double move = to[i].translation[k] - from[i].translation[k];
			const double grow = to[i].scale[k] - from[i].scale[k];
			local[i].translation[k] = from[i].translation[k] +
				(holds[SOURCE_TRANSLATION] ? 0 : share * move);
			local[i].scale[k] =
				from[i].scale[k] + (holds[SOURCE_SCALE] ? 0 : share * grow);
		}
	}
	for (size_t i = 0; i < count; i++) {
		const double *now = source->weights + sample * count;
		const double next = share > 0 ? now[count + i] : now[i];
		weights[i] = now[i] + (source->weight_holds[i] ? 0 : share * (next - now[i]));
	}
	return true;
}

/* An open clip of a file, for measuring. */
struct decoder {
	const struct source *source;
	struct pclip *clip;
	struct pclip_transform *joints;
	float *weights;
};

static bool local_of_file(
	void *context, int moment, struct source_transform *local, double *weights) {
	struct decoder *decoder = context;
	const struct source *source = decoder->source;
	for (int i = 0; i < source->weight_count; i++) {
		decoder->weights[i] = source->rig->rest_weights[i];
	}
	if (!pclip_sample(decoder->clip, source_moment_s(source, moment), decoder->joints,
		    decoder->weights)) {
		return false;
	}
	for (int i = 0; i < source->joint_count; i++) {
		const struct pclip_transform *joint = &decoder->joints[i];
		for (int k = 0; k < 3; k++) {
			local[i].translation[k] = (double)joint->translation[k];
			local[i].scale[k] = (double)joint->scale[k];
		}
		for (int k = 0; k < 4; k++) {
			local[i].rotation[k] = (double)joint->rotation[k];
		}
		quat_normalize(local[i].rotation);
	}
	for (int i = 0; i < source->weight_count; i++) {
		weights[i] = (double)decoder->weights[i];
	}
	return true;
}

/* Clips of one file. */
struct job {
	const struct rig *rig;
	const struct compress_options *options;
	const struct stop *stop;
	struct error_shell shell;
	struct skin_points points; // of the skin; empty where there is none
	struct skin_probe probe;   // likewise
	double tolerance_m;
	struct buffer *parts;   // [clip_count]
	struct layout *layouts; // [clip_count]
	struct shell_error
		*at_skin; // [clip_count] errors of decoded clips that are kept at the skin
};

/* The vertices that the tolerance bounds; NULL = it bounds the shell. */
static struct skin_probe *probe_of(struct job *job) {
	return job->options->at_skin ? &job->probe : NULL;
}

static bool open_file(const struct buffer *file, struct pclip_file *opened, struct error *err) {
	const char *why;
	return pclip_read(file->data, file->size, opened, &why) ||
		error_set(err, ERROR_INTERNAL, "the compressed file does not decode: %s", why);
}

/* Decodes a clip of a file and measures it, at the skin or the shell. most_m: as struct measure. */
static bool measure_file(struct job *job, const struct pclip_file *file, int position, bool at_skin,
	double most_m, struct shell_error *error, struct error *err) {
	const struct layout *layout = &job->layouts[position];
	const struct source *source = layout->source;
	struct arena *arena = arena_create();
	struct pclip_transform *rest =
		arena_alloc(arena, (size_t)source->joint_count + 1, sizeof *rest);
	for (int i = 0; i < source->joint_count; i++) {
		_Static_assert(sizeof *rest == sizeof(struct transform), "the same layout");
		memcpy(&rest[i], &source->rig->joints[i].rest, sizeof *rest);
	}
	struct decoder decoder = {.source = source,
		.joints =
			arena_alloc(arena, (size_t)source->joint_count + 1, sizeof *decoder.joints),
		.weights = arena_alloc(arena, (size_t)source->weight_count + 1, sizeof(float))};
	struct measure measure = measure_make(source, &job->shell, layout->reaches, arena);
	const char *why;
	if (at_skin) {
		measure.skin = &job->probe;
		measure.exact = true;
		measure.most_m = most_m;
	}
	decoder.clip =
		pclip_open(file, position, rest, arena_alloc(arena, 1, pclip_memory(file)), &why);
	const bool done =
		decoder.clip && measure_all(&measure, local_of_file, &decoder, arena, error);
	arena_destroy(arena);
	if (!done && measure.why.code != ERROR_NONE) {
		return error_pass(err, &measure.why);
	}
	return done ||
		(stop_check(job->stop, err) &&
			error_set(err, ERROR_INTERNAL, "the compressed clip '%s' does not decode",
				source->clip->name));
}

/* The greatest error of what is between the samples; more than enough is as good as any. */
static double sampling_error(struct job *job, struct source *source, const double *reaches,
	double enough, struct arena *arena) {
	struct measure measure = measure_make(source, &job->shell, reaches, arena);
	measure.skin = probe_of(job);
	return measure_greatest(&measure, local_of_source, source, enough);
}

static void drop(void *arena) {
	arena_destroy(arena);
}

/* Samples evenly at a rate, or so many times from one key to the next with rate 0, in an arena of
 * its own, which is kept in the other where that is close enough. *least is its error. */
static bool try_sampling(struct job *job, const struct clip *clip, double rate, int parts,
	struct arena *arena, struct source *source, double *least, struct error *err) {
	struct arena *own = arena_create();
	const double allowed = SHARE_SAMPLING * job->tolerance_m;
	double *reaches = arena_alloc(own, (size_t)job->rig->weight_count + 1, sizeof *reaches);
	layout_find_reaches(job->rig, reaches);
	const struct source_job sampled = {job->rig, clip, job->stop};
	const bool made = rate > 0 ? source_make(&sampled, rate, own, source, err)
				   : source_make_between_keys(&sampled, parts, own, source, err);
	*least = made ? sampling_error(job, source, reaches, INFINITY, own) : INFINITY;
	if (*least <= allowed) {
		arena_defer(arena, drop, own);
	} else {
		arena_destroy(own);
	}
	return made;
}

/* Samples at the clip's own rate, at its keys, or as often as it takes and memory allows. */
static bool sample_clip(struct job *job, const struct clip *clip, struct arena *arena,
	struct source *source, struct error *err) {
	const double own = job->options->rate > 0 ? job->options->rate : source_rate(clip);
	const double allowed = SHARE_SAMPLING * job->tolerance_m;
	double least = INFINITY;
	for (int i = 0; i < 2 * DOUBLINGS; i++) {
		struct error why = {0};
		const int parts = 1 << i / 2;
		double error;
		if (!try_sampling(job, clip, i % 2 == 0 ? own * parts : 0, parts, arena, source,
			    &error, &why) &&
			isinf(least)) {
			return error_pass(err, &why);
		}
		least = fmin(least, error);
		if (error <= allowed) {
			return true;
		}
		if (!stop_check(job->stop, err)) {
			return false;
		}
	}
	return error_set(err, ERROR_INVALID_VALUE,
		"the clip '%s' cannot be kept within %g m: however often it is sampled, it is off "
		"by "
		"%g m between samples; a tolerance of %g m can be kept",
		clip->name, job->tolerance_m, least, least / SHARE_SAMPLING * 1.01);
}

/* Encodes a clip into its part, within a tolerance at what the encoder looks at. */
static bool encode_within(struct job *job, int position, const struct source *source,
	double tolerance_m, struct arena *arena, struct error *err) {
	struct layout *layout = &job->layouts[position];
	const struct codec *codec = job->options->codec ? job->options->codec : codec_at(0);
	const int segment = job->options->segment_samples;
	const struct pclip_part part = {.codec = codec,
		.segment_samples = segment < 0 ? codec->segment_samples : segment,
		.is_quick = job->options->is_quick || codec->is_quick,
		.spline_ways = job->options->spline_ways,
		.name = job->options->names ? source->clip->name : NULL,
		.counts = job->options->counts};
	const struct error_shell *shell = job->options->at_skin ? &job->points.shell : &job->shell;
	const struct pclip_track *first = position > 0 ? job->layouts[0].tracks : NULL;
	double share = 1;
	for (int i = 0; i < SHARES; i++, share /= 2) {
		if (!layout_make(source, shell, tolerance_m, share, arena, layout, err)) {
			return false;
		}
		layout->skin = probe_of(job);
		if (codec->encode(layout, &part, first, job->stop, &job->parts[position], err)) {
			return true;
		}
		if (err->code != ERROR_NONE) {
			return false;
		}
	}
	return error_set(err, ERROR_INVALID_VALUE,
		"the clip '%s' cannot be kept within %g m: its numbers would need steps that "
		"float32 does not have",
		source->clip->name, job->tolerance_m);
}

/* Measures a clip at the skin, in a file that ends with it. */
static bool measure_at_skin(struct job *job, int position, struct error *err) {
	struct buffer file = {0};
	pclip_write_file(job->rig, false, job->options->names, job->parts, position + 1, &file);
	struct pclip_file opened;
	const bool done = open_file(&file, &opened, err) &&
		measure_file(job, &opened, position, true, job->tolerance_m,
			&job->at_skin[position], err);
	buffer_finish(&file);
	return done;
}

/* One attempt within a tolerance at what the encoder looks at, in an arena of its own, which is
 * kept in the other where no vertex is off by more than the tolerance. *error_m is the greatest. */
static bool try_at_skin(struct job *job, int position, const struct source *source, double within_m,
	struct arena *arena, double *error_m, struct error *err) {
	struct arena *own = arena_create();
	const struct shell_error *found = &job->at_skin[position];
	job->parts[position].size = 0;
	const bool done = encode_within(job, position, source, within_m, own, err) &&
		measure_at_skin(job, position, err);
	*error_m = done ? fmax(found->max_m, found->unskinned_m) : INFINITY;
	if (*error_m <= job->tolerance_m) {
		arena_defer(arena, drop, own);
	} else {
		arena_destroy(own);
	}
	return done;
}

/* Encodes a clip such that no vertex is off by more than the tolerance: with those that are among
 * what the encoder looks at, or within less. */
static bool encode_at_skin(struct job *job, int position, const struct source *source,
	struct arena *arena, struct error *err) {
	double within_m = job->tolerance_m, least_m = INFINITY;
	for (int i = 0; i < ATTEMPTS; i++) {
		const int known = job->points.count;
		double error_m;
		if (!try_at_skin(job, position, source, within_m, arena, &error_m, err)) {
			return false;
		}
		if (error_m <= job->tolerance_m) {
			return true;
		}
		least_m = fmin(least_m, error_m);
		const bool learnt = job->points.count > known && !job->options->skin->skin;
		if (!learnt || i >= ATTEMPTS_LEARNING) {
			within_m *= TIGHTER * job->tolerance_m / error_m;
		}
	}
	return error_set(err, ERROR_INVALID_VALUE,
		"the clip '%s' cannot be kept within %g m at the skin; a tolerance of %g m can be "
		"kept",
		source->clip->name, job->tolerance_m, OFFERED * least_m);
}

static bool compress_clip(struct job *job, const struct clip *clip, int position,
	struct arena *arena, struct error *err) {
	struct source *source = arena_alloc(arena, 1, sizeof *source);
	return sample_clip(job, clip, arena, source, err) &&
		(job->options->at_skin ? encode_at_skin(job, position, source, arena, err)
				       : encode_within(job, position, source, job->tolerance_m,
						 arena, err));
}

/* Leaves of tracks what a decoder knows of them, for the clips that are coded against them: the
 * layout also fills in what the file does not have. */
static void keep_written(const struct layout *layout) {
	for (int i = 0; i < layout->track_count; i++) {
		struct pclip_track *track = &layout->tracks[i];
		const int joint_tracks = PCLIP_KINDS * layout->source->joint_count;
		if (track->class == PCLIP_REST) {
			*track = (struct pclip_track){.class = PCLIP_REST};
		} else if (track->moving == (i < joint_tracks ? 7 : 1)) {
			track->unit = 0;
		}
	}
}

static double rig_size(const struct rig *rig) {
	double size = 0;
	for (int k = 0; k < 3; k++) {
		size = fmax(size, rig->bounds.max[k] - rig->bounds.min[k]);
	}
	return size > 0 ? size : 1;
}

static void begin(const struct rig *rig, int clip_count, const struct compress_options *options,
	const struct stop *stop, struct arena *arena, struct job *job) {
	const double radius =
		options->shell_m > 0 ? options->shell_m : error_shell_default_radius(rig);
	*job = (struct job){.rig = rig,
		.options = options,
		.stop = stop,
		.shell = error_shell_make(rig, radius, arena),
		.tolerance_m = fmax(options->tolerance_m, TOLERANCE_MIN * rig_size(rig)),
		.parts = arena_alloc(arena, (size_t)clip_count + 1, sizeof *job->parts),
		.layouts = arena_alloc(arena, (size_t)clip_count + 1, sizeof *job->layouts),
		.at_skin = arena_alloc(arena, (size_t)clip_count + 1, sizeof *job->at_skin)};
	if (options->skin) {
		job->points = skin_points_choose(
			options->skin->rig, &job->shell, options->skin->free_unskinned, arena);
		job->probe = skin_probe_make(options->skin, &job->points, arena);
	}
}

/* Measures a clip of the finished file. */
static bool report_clip(struct job *job, const struct pclip_file *file, int position,
	struct compress_report *report, struct error *err) {
	const struct source *source = job->layouts[position].source;
	*report = (struct compress_report){.sample_count = source->sample_count,
		.rate = source->rate,
		.duration_s = source->duration_s,
		.tolerance_m = job->tolerance_m,
		.bytes = job->parts[position].size};
	if (job->options->at_skin) {
		report->error = job->at_skin[position];
		return measure_file(job, file, position, false, INFINITY, &report->other, err);
	}
	return measure_file(job, file, position, false, INFINITY, &report->error, err) &&
		(!job->options->skin ||
			measure_file(job, file, position, true, INFINITY, &report->other, err));
}

struct compression {
	struct arena *arena; // with the compression itself
	struct job job;
	const int *clips; // [count], the caller's
	int count, encoded;
};

struct compression *compression_create(const struct rig *rig, const int *clips, int clip_count,
	const struct compress_options *options, const struct stop *stop) {
	struct arena *arena = arena_create();
	struct compression *compression = arena_alloc(arena, 1, sizeof *compression);
	*compression = (struct compression){.arena = arena, .clips = clips, .count = clip_count};
	begin(rig, clip_count, options, stop, arena, &compression->job);
	return compression;
}

bool compression_encode_next(struct compression *compression, struct error *err) {
	struct job *job = &compression->job;
	const int i = compression->encoded;
	assert(i < compression->count);
	if (!compress_clip(
		    job, &job->rig->clips[compression->clips[i]], i, compression->arena, err)) {
		return false;
	}
	if (i == 0) {
		keep_written(&job->layouts[0]);
	}
	compression->encoded++;
	return true;
}

bool compression_finish(struct compression *compression, struct compress_report *reports,
	struct buffer *out, struct error *err) {
	struct job *job = &compression->job;
	const struct compress_options *options = job->options;
	assert(compression->encoded == compression->count);
	struct buffer file = {0};
	pclip_write_file(job->rig, options->self_contained, options->names, job->parts,
		compression->count, &file);
	struct pclip_file opened;
	bool done = open_file(&file, &opened, err);
	for (int i = 0; i < compression->count && done; i++) {
		done = report_clip(job, &opened, i, &reports[i], err);
	}
	buffer_append(out, file.data, done ? file.size : 0);
	buffer_finish(&file);
	return done;
}

void compression_destroy(struct compression *compression) {
	if (!compression) {
		return;
	}
	for (int i = 0; i < compression->count; i++) {
		buffer_finish(&compression->job.parts[i]);
	}
	// It lies in its own arena.
	struct arena *arena = compression->arena;
	arena_destroy(arena);
}

bool compress_clips(const struct rig *rig, const int *clips, int clip_count,
	const struct compress_options *options, const struct stop *stop,
	struct compress_report *reports, struct buffer *out, struct error *err) {
	struct compression *compression = compression_create(rig, clips, clip_count, options, stop);
	bool done = true;
	for (int i = 0; i < clip_count && done; i++) {
		done = compression_encode_next(compression, err);
	}
	done = done && compression_finish(compression, reports, out, err);
	compression_destroy(compression);
	return done;
}
