// Clips of a rig, and poses that are baked, to compressed files.
#include "interface/compressed_clips.h"

#include <math.h>
#include <string.h>

#include "animation/compressed_skin.h"
#include "animation/reduced_clips.h"
#include "compress/compress.h"
#include "model/prune.h"
#include "pose/find.h"
#include "pose/motion/bake_clip.h"

#define BAKED_NAME "baked"

/* Joints times samples of all clips of a file: of each there are some 500 bytes in memory. */
#define JOINT_SAMPLES_MAX ((double)(1 << 21))

/* --- What is compressed --- */

/* A rig, and its clips by position. */
struct selection {
	const struct rig *rig;
	int *clips; // [count]
	int count;
};

static bool select_named(const struct compress_job *job, struct arena *arena,
	struct selection *selection, struct error *err) {
	const struct rig *rig = selection->rig;
	bool *chosen = arena_alloc(arena, (size_t)rig->clip_count + 1, sizeof *chosen);
	for (size_t i = 0; i < job->clips->count; i++) {
		const struct value *item = &job->clips->items[i];
		const struct clip *clip = pose_find_clip(rig, item, err);
		if (!clip) {
			return false;
		}
		const int position = (int)(clip - rig->clips);
		if (chosen[position]) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"the clip \"%.80s\" is in the list twice", clip->name);
		}
		chosen[position] = true;
		selection->clips[selection->count++] = position;
	}
	return true;
}

/* The rig with the pose as its only clip. */
static bool select_pose(const struct compress_job *job, struct arena *arena,
	struct selection *selection, struct error *err) {
	struct rig *rig = arena_alloc(arena, 1, sizeof *rig);
	struct clip *clip = arena_alloc(arena, 1, sizeof *clip);
	if (!bake_clip(&job->pose, arena, clip, err)) {
		return false;
	}
	clip->name = arena_strndup(arena, BAKED_NAME, strlen(BAKED_NAME));
	*rig = *selection->rig;
	rig->clips = clip;
	rig->clip_count = 1;
	*selection = (struct selection){rig, selection->clips, 1};
	return true;
}

/* Refuses what would take too much memory and time. */
static bool check_size(
	const struct compress_job *job, const struct selection *selection, struct error *err) {
	const struct rig *rig = selection->rig;
	double samples = 0;
	for (int i = 0; i < selection->count; i++) {
		const struct clip *clip = &rig->clips[selection->clips[i]];
		samples += clip->duration_s * (job->rate > 0 ? job->rate : source_rate(clip)) + 1;
	}
	return samples * rig->joint_count <= JOINT_SAMPLES_MAX ||
		error_set(err, ERROR_TOO_LARGE,
			"the clips have %.0f samples of %d joints, %.0f joints times samples are "
			"compressed at once",
			samples, rig->joint_count, JOINT_SAMPLES_MAX);
}

static bool select_clips(const struct compress_job *job, struct arena *arena,
	struct selection *selection, struct error *err) {
	const struct rig *rig = job->pose.subject.rig;
	*selection = (struct selection){.rig = rig};
	selection->clips = arena_alloc(arena, (size_t)rig->clip_count + 1, sizeof(int));
	if (job->is_pose) {
		return select_pose(job, arena, selection, err);
	}
	if (job->clips) {
		return select_named(job, arena, selection, err);
	}
	for (int i = 0; i < rig->clip_count; i++) {
		selection->clips[selection->count++] = i;
	}
	return selection->count > 0 ||
		error_set(err, ERROR_INVALID_VALUE,
			"the rig has no clips; \"pose\" compresses a pose");
}

/* --- What came of it --- */

static double diagonal(const struct rig *rig) {
	double squares = 0;
	for (int k = 0; k < 3; k++) {
		const double side = (double)rig->bounds.max[k] - (double)rig->bounds.min[k];
		squares += side * side;
	}
	return sqrt(squares);
}

static struct compressed_error describe_error(
	const struct rig *rig, const struct shell_error *error) {
	return (struct compressed_error){
		.max_m = error->max_m,
		.p99_m = error->p99_m,
		.rms_m = error->rms_m,
		.max_at_samples_m = error->max_at_samples_m,
		.joint = rig->joint_count > 0 ? rig->joints[error->joint].name : NULL,
		.vertex = error->vertex,
		.time_s = error->time_s,
		.unskinned_m = error->unskinned_m,
	};
}

static struct compressed_clip describe(
	const struct rig *rig, const struct clip *clip, const struct compress_report *report) {
	return (struct compressed_clip){
		.name = clip->name,
		.bytes = report->bytes,
		.raw_bytes = clip->bytes,
		.samples = report->sample_count,
		.rate = report->rate,
		.duration_s = report->duration_s,
		.tolerance_m = report->tolerance_m,
		.error = describe_error(rig, &report->error),
		.other = describe_error(rig, &report->other),
	};
}

static bool make_options(
	const struct compress_job *job, struct compress_options *options, struct error *err) {
	const struct rig *rig = job->pose.subject.rig;
	*options = (struct compress_options){
		.tolerance_m = job->tolerance * (job->is_share ? diagonal(rig) : 1),
		.shell_m = job->shell_m > 0 ? job->shell_m : error_shell_default_radius(rig),
		.rate = job->rate,
		.codec = codec_at((int)job->codec),
		.segment_samples = job->segment_samples,
		.self_contained = job->self_contained,
		.names = job->names,
	};
	return options->tolerance_m > 0 ||
		value_error(job->tolerance_source, err, ERROR_INVALID_VALUE,
			"the rig has no vertices, and so no diagonal to have a share of");
}

/* Errors about values are about the tolerance, the only one that compression can find wrong. */
static bool pass(const struct compress_job *job, const struct error *why, struct error *err) {
	return why->code == ERROR_INVALID_VALUE ? value_pass(job->tolerance_source, err, why)
						: error_pass(err, why);
}

/* Refuses a tolerance that float32 is too coarse for, of which compression keeps a greater one. */
static bool check_kept(const struct compress_job *job, const struct compress_options *options,
	const struct compress_report *reports, int count, struct error *err) {
	double kept = options->tolerance_m;
	for (int i = 0; i < count; i++) {
		const struct shell_error *error = &reports[i].error;
		kept = fmax(kept, reports[i].tolerance_m);
		kept = fmax(kept, fmax(error->max_m, error->unskinned_m));
	}
	return kept <= options->tolerance_m * (1 + 1e-6) ||
		value_error(job->tolerance_source, err, ERROR_INVALID_VALUE,
			"the clips cannot be kept within %.4g m; a tolerance of %.4g m can be kept",
			options->tolerance_m, 1.01 * kept);
}

struct clip_compression {
	struct compress_job job;
	struct arena *arena; // the caller's
	struct selection selection;
	struct compress_options options;
	struct compressed_skin skin;
	bool has_skin;
	struct compression *encoder; // NULL = keys are reduced
	int encoded;
};

static bool finish_encoder(struct clip_compression *compression, struct buffer *out,
	struct compressed_clips *report, struct error *err) {
	const struct compress_job *job = &compression->job;
	const struct selection *selection = &compression->selection;
	const struct compress_options *options = &compression->options;
	struct arena *arena = compression->arena;
	const size_t count = (size_t)selection->count, before = out->size;
	struct compress_report *reports = arena_alloc(arena, count + 1, sizeof *reports);
	if (!compression_finish(compression->encoder, reports, out, err)) {
		return false;
	}
	if (!check_kept(job, options, reports, selection->count, err)) {
		out->size = before;
		return false;
	}
	struct compressed_clip *items = arena_alloc(arena, count + 1, sizeof *items);
	for (size_t i = 0; i < count; i++) {
		const struct clip *clip = &selection->rig->clips[selection->clips[i]];
		items[i] = describe(selection->rig, clip, &reports[i]);
	}
	*report = (struct compressed_clips){.items = items,
		.count = count,
		.shell_m = options->shell_m,
		.at_skin = options->at_skin,
		.has_others = options->skin,
		.file_bytes = out->size - before};
	return true;
}

static void release(void *rig) {
	rig_release(rig);
}

/* The only clip, on its rig without the joints that are needless to it. */
static bool prune(struct arena *arena, struct selection *selection, struct error *err) {
	struct clip *clip = arena_alloc(arena, 1, sizeof *clip);
	struct rig *pruned = arena_alloc(arena, 1, sizeof *pruned);
	struct rig *rig = prune_rig(
		selection->rig, &selection->rig->clips[selection->clips[0]], clip, arena, err);
	if (!rig) {
		return false;
	}
	arena_defer(arena, release, rig);
	*pruned = *rig;
	pruned->clips = clip;
	pruned->clip_count = 1;
	selection->rig = pruned;
	selection->clips[0] = 0;
	return true;
}

static struct compressed_clip describe_reduced(const struct rig *rig, const struct clip *clip,
	const struct compress_options *options, const struct optimise_clip *found) {
	return (struct compressed_clip){
		.name = clip->name,
		.bytes = found->json_after + found->data_after,
		.raw_bytes = clip->bytes,
		.samples = found->samples,
		.keys = found->keys,
		.is_left = found->is_left,
		.rate = options->rate > 0 ? options->rate : source_rate(clip),
		.duration_s = clip->duration_s,
		.tolerance_m = options->tolerance_m,
		.error = {.max_m = found->max_m,
			.p99_m = found->p99_m,
			.rms_m = found->rms_m,
			.max_at_samples_m = found->max_at_samples_m,
			.joint = rig->joint_count > 0 ? rig->joints[found->joint].name : NULL,
			.vertex = -1,
			.time_s = found->time_s},
	};
}

static bool reduce(const struct compress_job *job, const struct compress_options *options,
	struct selection *selection, struct arena *arena, struct buffer *out,
	struct compressed_clips *report, struct error *err) {
	const size_t count = (size_t)selection->count, before = out->size;
	if (job->prune && !prune(arena, selection, err)) {
		return false;
	}
	const struct reduce_job reduce = {.rig = selection->rig,
		.clips = selection->clips,
		.count = selection->count,
		.tolerance_m = options->tolerance_m,
		.shell_m = options->shell_m,
		.rate = job->is_pose ? 0 : options->rate,
		.stop = job->pose.subject.stop,
		.progress = job->progress,
		.generator = job->generator,
		.max_bytes = job->max_bytes};
	struct optimise_clip *found = arena_alloc(arena, count + 1, sizeof *found);
	if (!reduce_clips(&reduce, arena, found, out, err)) {
		return false;
	}
	struct compressed_clip *items = arena_alloc(arena, count + 1, sizeof *items);
	for (size_t i = 0; i < count; i++) {
		const struct clip *clip = &selection->rig->clips[selection->clips[i]];
		items[i] = describe_reduced(selection->rig, clip, options, &found[i]);
	}
	*report = (struct compressed_clips){.items = items,
		.count = count,
		.shell_m = options->shell_m,
		.file_bytes = out->size - before};
	return true;
}

/* --- All of it --- */

static bool make(struct clip_compression *compression, struct error *err) {
	const struct compress_job *job = &compression->job;
	struct selection *selection = &compression->selection;
	struct compress_options *options = &compression->options;
	if (!make_options(job, options, err) ||
		!select_clips(job, compression->arena, selection, err) ||
		!check_size(job, selection, err)) {
		return false;
	}
	if (job->codec == CODEC_KEYS) {
		return true;
	}
	options->at_skin = job->at_skin;
	if (job->at_skin || job->reports_skin) {
		compression->has_skin = true;
		options->skin = &compression->skin.metric;
		if (!compressed_skin_make(job, &compression->skin, err)) {
			return false;
		}
	}
	compression->encoder = compression_create(selection->rig, selection->clips,
		selection->count, options, job->pose.subject.stop);
	return true;
}

struct clip_compression *renderer_compression_create(
	const struct compress_job *job, struct arena *arena, struct error *err) {
	struct clip_compression *compression = arena_alloc(arena, 1, sizeof *compression);
	compression->job = *job;
	compression->arena = arena;
	if (!make(compression, err)) {
		renderer_compression_destroy(compression);
		return NULL;
	}
	return compression;
}

size_t renderer_compression_left(const struct clip_compression *compression) {
	return compression->encoder ? (size_t)(compression->selection.count - compression->encoded)
				    : 0;
}

const char *renderer_compression_next(const struct clip_compression *compression) {
	const struct selection *selection = &compression->selection;
	return renderer_compression_left(compression) > 0
		? selection->rig->clips[selection->clips[compression->encoded]].name
		: NULL;
}

/* Errors of the skin point to what they are about by themselves. */
static bool pass_on(
	const struct clip_compression *compression, const struct error *why, struct error *err) {
	return compression->has_skin && compression->skin.has_refused
		? error_pass(err, why)
		: pass(&compression->job, why, err);
}

bool renderer_compression_step(struct clip_compression *compression, struct error *err) {
	struct error why = {0};
	if (!compression_encode_next(compression->encoder, &why)) {
		return pass_on(compression, &why, err);
	}
	compression->encoded++;
	return true;
}

bool renderer_compression_finish(struct clip_compression *compression, struct buffer *out,
	struct compressed_clips *report, struct error *err) {
	struct error why = {0};
	const bool done = compression->encoder
		? finish_encoder(compression, out, report, &why)
		: reduce(&compression->job, &compression->options, &compression->selection,
			  compression->arena, out, report, &why);
	return done || pass_on(compression, &why, err);
}

void renderer_compression_destroy(struct clip_compression *compression) {
	if (!compression) {
		return;
	}
	compression_destroy(compression->encoder);
	if (compression->has_skin) {
		compressed_skin_finish(&compression->skin);
	}
}

bool renderer_compress_clips(const struct compress_job *job, struct arena *arena,
	struct buffer *out, struct compressed_clips *report, struct error *err) {
	struct clip_compression *compression = renderer_compression_create(job, arena, err);
	bool done = compression;
	for (size_t i = 0; done && renderer_compression_left(compression) > 0; i++) {
		clip_progress_tell(job->progress, (int)i, compression->selection.count);
		done = renderer_compression_step(compression, err);
	}
	done = done && renderer_compression_finish(compression, out, report, err);
	renderer_compression_destroy(compression);
	return done;
}
