// Compression's requests and reports, and the renderer's structs.
#include "describe/compressed.h"

#include "limits.h"

struct compress_job compressed_job(
	const struct compression_request *request, const struct posed_subject *subject) {
	return (struct compress_job){
		.pose = {.subject = *subject,
			.duration_s = request->duration_s,
			.rate = request->rate,
			.max_frames = LIMIT_CLIP_FRAMES,
			.source = request->duration_source},
		.clips = request->clips,
		.is_pose = request->is_pose,
		.rate = request->rate,
		.tolerance = request->tolerance,
		.is_share = request->is_share,
		.tolerance_source = request->tolerance_value,
		.shell_m = request->shell_m,
		.codec = request->codec,
		.segment_samples = request->segment_samples,
		.names = request->names,
		.self_contained = request->self_contained,
		.at_skin = request->metric == COMPRESSION_SKIN,
		.reports_skin = request->skinning_source,
		.free_unskinned = request->unskinned == COMPRESSION_UNSKINNED_FREE,
		.metric_source =
			request->metric_source ? request->metric_source : request->skinning_source,
		.max_bytes = LIMIT_REPLY_BYTES,
	};
}

static struct compression_error error_of(const struct compressed_error *error) {
	return (struct compression_error){
		.max_m = error->max_m,
		.p99_m = error->p99_m,
		.rms_m = error->rms_m,
		.max_at_samples_m = error->max_at_samples_m,
		.joint = error->joint,
		.vertex = error->vertex,
		.time_s = error->time_s,
		.unskinned_m = error->unskinned_m,
	};
}

struct compression_report compressed_report(const struct compress_job *job, const char *rig,
	const struct compressed_clips *found, struct arena *arena) {
	struct compression_clip *clips = arena_alloc(arena, found->count, sizeof *clips);
	for (size_t i = 0; i < found->count; i++) {
		const struct compressed_clip *clip = &found->items[i];
		clips[i] = (struct compression_clip){
			.name = clip->name,
			.bytes = clip->bytes,
			.raw_bytes = clip->raw_bytes,
			.samples = clip->samples,
			.keys = clip->keys,
			.is_left = clip->is_left,
			.rate = clip->rate,
			.duration_s = clip->duration_s,
			.tolerance_m = clip->tolerance_m,
			.error = error_of(&clip->error),
			.other = error_of(&clip->other),
		};
	}
	return (struct compression_report){
		.rig = rig,
		.codec = job->codec,
		.metric = found->at_skin ? COMPRESSION_SKIN : COMPRESSION_SHELL,
		.has_others = found->has_others,
		.clips = clips,
		.count = found->count,
		.shell_m = found->shell_m,
		.segment_samples = job->segment_samples,
		.file_bytes = found->file_bytes,
	};
}
