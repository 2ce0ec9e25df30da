// What a check has found in each file, complete, and pictures of it.
#include <string.h>

#include "api/asset_check_internal.h"
#include "interface/against.h"
#include "metrics/metrics.h"

/* Vertices that pictures of two versions take at most: some ten seconds' worth. */
#define PICTURE_WORK 250e6

void asset_check_count(const struct asset_check *work, const struct check_file *file) {
	struct metrics *metrics = work->service->metrics;
	const struct check_summary summary = check_summarise(file, 1);
	metrics_count_check(metrics, file->refused ? METRICS_VERDICT_REFUSED : (int)summary.worst,
		file->seconds);
	for (size_t i = 0; i < file->finding_count; i++) {
		metrics_count_finding(
			metrics, (size_t)file->findings[i].at.rule, file->findings[i].level);
	}
}

static bool wants_pictures(const struct asset_check *work) {
	return work->request.evidence != CHECK_EVIDENCE_NONE;
}

void asset_check_leave_out_cameras(struct asset_check *work) {
	work->without_cameras = !wants_pictures(work);
}

enum executor asset_check_executor(const struct asset_check *work) {
	return work->draws ? EXECUTOR_RENDER : EXECUTOR_CPU;
}

static bool compare(struct asset_check *work, const struct check_turn *turn, struct error *err) {
	const struct check_against_job job = {
		.before = work->before_run, .after = work->run, .stop = turn->stop};
	work->compared = !work->before_run || renderer_check_against(&job, err);
	return work->compared;
}

/* What was found, with its cameras. */
static bool measure(struct asset_check *work, struct check_file *file,
	const struct check_turn *turn, struct error *err) {
	const struct check_evidence_job cameras = {
		.run = work->run, .pictures = EVIDENCE_CAMERAS, .stop = turn->stop};
	renderer_check_finish(work->run, file);
	if (work->before_run) {
		struct check_file before;
		renderer_check_finish(work->before_run, &before);
		renderer_check_compare(&before, work->arena, file);
	}
	work->measured = true;
	return work->without_cameras ||
		renderer_check_evidence(NULL, &cameras, work->arena, file, err);
}

/* --- Pictures --- */

static bool are_versions_drawn(const struct asset_check *work) {
	return !work->before_run || work->steps_drawn == renderer_check_steps(work->run);
}

/* Pictures of both versions of the next clip. */
static bool draw_versions(
	struct asset_check *work, const struct check_turn *turn, struct error *err) {
	const struct check_against_job job = {
		.before = work->before_run,
		.after = work->run,
		.stop = turn->stop,
		.renderer = turn->renderer,
		.picture_work = PICTURE_WORK,
	};
	const bool drawn = renderer_check_against_pictures(&job, work->steps_drawn, err);
	work->steps_drawn += drawn;
	return drawn;
}

static bool draw_findings(struct asset_check *work, struct check_file *file,
	const struct check_turn *turn, struct error *err) {
	const struct check_evidence_job job = {
		.run = work->run,
		.before = work->before_run,
		.pictures = work->request.evidence == CHECK_EVIDENCE_ANIMATED ? EVIDENCE_ANIMATED
									      : EVIDENCE_STILLS,
		.max_findings = evidence_findings_of(work->input_count),
		.seconds = turn->seconds,
		.progress = &work->drawn,
		.stop = turn->stop,
	};
	return renderer_check_evidence(turn->renderer, &job, work->arena, file, err);
}

/* The reason why a renderer draws nothing, for the remarks. */
static const char *find_lack(const struct asset_check *work, const struct renderer *renderer) {
	const struct renderer_info *info = renderer_info(renderer);
	const char *why = *info->why_none ? info->why_none : "this daemon has no renderer";
	return strcmp(info->device, "none") == 0 ? arena_strndup(work->arena, why, strlen(why))
						 : NULL;
}

/* Takes the next of the parts that pictures are of. */
static bool end(
	struct asset_check *work, const struct check_turn *turn, bool *done, struct error *err) {
	struct check_file *file = &work->files[work->file_count];
	const bool draws = work->draws && !work->lack;
	if (draws && !are_versions_drawn(work)) {
		return draw_versions(work, turn, err);
	}
	if (!work->measured && !measure(work, file, turn, err)) {
		return false;
	}
	if (draws && !draw_findings(work, file, turn, err)) {
		return false;
	}
	*done = !draws || work->drawn.done;
	return true;
}

bool asset_check_end_run(
	struct asset_check *work, const struct check_turn *turn, bool *done, struct error *err) {
	*done = false;
	if (!work->compared && !compare(work, turn, err)) {
		return false;
	}
	work->draws = wants_pictures(work);
	if (work->draws && !turn->renderer) {
		return true;
	}
	if (work->draws && !work->lack) {
		work->lack = find_lack(work, turn->renderer);
	}
	return end(work, turn, done, err);
}
