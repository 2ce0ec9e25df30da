// Evidence of what checks have found, the worst first.
#include "interface/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/rules.h"
#include "check/run.h"
#include "evidence/camera.h"
#include "evidence/pictures.h"

/* The camera for findings on the ground is a little above it. */
#define GROUND_RULES "contact/*"
#define GROUND_PITCH_DEG 15

/* Vertices and triangles that are looked at for cameras, those of the first finding in any case:
 * some seconds' worth. */
#define WORK_MAX 20e6

/* Findings with pictures of a file in a run of very many. */
#define FINDINGS_MIN 4

/* A finding's place among those that want evidence. */
struct rank {
	size_t finding;
	enum check_level level;
	double excess; // value over threshold
};

/* True for a finding that there is something to see of: a moment, or elements at rest. */
static bool is_visible(const struct check_finding *finding) {
	return !isnan(finding->at.time_s) ||
		(finding->at.clip < 0 &&
			(finding->at.vertex_count > 0 || finding->at.triangle_count > 0 ||
				finding->at.joint));
}

static double excess_of(const struct check_finding *finding) {
	const bool below = renderer_check_rule((size_t)finding->at.rule)->below;
	const double excess = below ? finding->threshold / finding->at.value
				    : finding->at.value / finding->threshold;
	return isnan(excess) ? INFINITY : excess;
}

static int compare_ranks(const void *first, const void *second) {
	const struct rank *a = first, *b = second;
	if (a->level != b->level) {
		return a->level > b->level ? -1 : 1;
	}
	if (a->excess != b->excess) {
		return a->excess > b->excess ? -1 : 1;
	}
	return a->finding < b->finding ? -1 : 1;
}

/* Findings that have evidence: fewer of a large figure, whose every camera takes longer. */
static size_t limit_findings(const struct check_evidence_job *job) {
	const struct rig *rig = job->run->job.rig;
	const size_t most = job->max_findings > 0 ? job->max_findings : EVIDENCE_FINDINGS;
	const double affordable =
		fmax(floor(WORK_MAX / (1 + (double)rig->vertex_count + rig->index_count / 3.0)), 1);
	return (double)most < affordable ? most : (size_t)affordable;
}

/* The findings that are to have evidence, the worst first. */
static struct rank *rank_findings(const struct check_evidence_job *job,
	const struct check_file *file, struct arena *arena, size_t *count) {
	struct rank *ranks = arena_alloc(arena, file->finding_count, sizeof *ranks);
	const size_t most = limit_findings(job);
	*count = 0;
	for (size_t i = 0; i < file->finding_count; i++) {
		const struct check_finding *finding = &file->findings[i];
		if (!finding->suppressed && is_visible(finding)) {
			ranks[(*count)++] = (struct rank){i, finding->level, excess_of(finding)};
		}
	}
	if (*count > 1) {
		qsort(ranks, *count, sizeof *ranks, compare_ranks);
	}
	*count = *count < most ? *count : most;
	return ranks;
}

static void aim(const struct evidence_scene *scene, struct check_finding *finding) {
	finding->camera = evidence_camera(scene);
	finding->has_camera = true;
	if (check_glob(GROUND_RULES, renderer_check_rule((size_t)finding->at.rule)->id)) {
		finding->camera.pitch_deg = GROUND_PITCH_DEG;
	}
}

/* The pictures that a finding is about; NULL = it is about none. */
static const struct check_shown *find_shown(
	const struct check_run *run, const struct check_finding *finding) {
	const struct check_step *step = &run->steps[finding->at.clip + 1];
	for (size_t i = 0; i < step->shown_count; i++) {
		if (check_rules[finding->at.rule] == step->shown[i].rule) {
			return &step->shown[i];
		}
	}
	return NULL;
}

/* Evidence of one finding that there are pictures of already. */
static void take_shown(
	const struct check_shown *shown, bool with_pictures, struct check_finding *finding) {
	finding->camera = shown->camera;
	finding->has_camera = true;
	if (with_pictures) {
		memcpy(finding->pictures, shown->pictures, sizeof shown->pictures);
		finding->picture_count = shown->count;
	}
}

/* Evidence of one finding; none where its pose cannot be skinned. */
static bool show(struct renderer *renderer, const struct check_evidence_job *job,
	struct evidence_stage *stage, struct arena *arena, struct check_finding *finding,
	struct error *err) {
	struct evidence_scene scene;
	struct error why = {0};
	const struct check_shown *shown = find_shown(job->run, finding);
	if (shown) {
		take_shown(shown, renderer, finding);
		return true;
	}
	if (!evidence_stage_set(stage, finding, &scene, &why)) {
		return true;
	}
	if (!finding->has_camera) {
		aim(&scene, finding);
	}
	finding->picture_count = 0;
	return !renderer || evidence_draw(renderer, job, &scene, arena, finding, err);
}

size_t evidence_findings_of(size_t file_count) {
	const size_t share = EVIDENCE_FINDINGS / (file_count > 0 ? file_count : 1);
	return share < FINDINGS_MIN ? FINDINGS_MIN : share;
}

/* Findings of a file that may be changed, in the arena. */
static struct check_finding *copy_findings(const struct check_file *file, struct arena *arena) {
	struct check_finding *findings = arena_alloc(arena, file->finding_count, sizeof *findings);
	if (file->finding_count > 0) {
		memcpy(findings, file->findings, file->finding_count * sizeof *findings);
	}
	return findings;
}

/* Shows findings from the progress on, at least one. */
static bool show_all(struct renderer *renderer, const struct check_evidence_job *job,
	const struct rank *ranks, size_t count, struct evidence_progress *progress,
	struct arena *arena, struct error *err) {
	const double begin_s = clock_now_s();
	struct arena *scratch = arena_create();
	struct evidence_stage *stage =
		progress->next < count ? evidence_stage_create(job->run, scratch) : NULL;
	struct renderer *drawing = job->pictures == EVIDENCE_CAMERAS ? NULL : renderer;
	bool ok = true, in_time = true;
	while (ok && in_time && progress->next < count) {
		struct check_finding *finding = &progress->findings[ranks[progress->next].finding];
		ok = stop_check(job->stop, err) && show(drawing, job, stage, arena, finding, err);
		progress->next += ok;
		in_time = job->seconds <= 0 || clock_now_s() - begin_s < job->seconds;
	}
	progress->done = progress->next >= count;
	arena_destroy(scratch);
	return ok;
}

bool renderer_check_evidence(struct renderer *renderer, const struct check_evidence_job *job,
	struct arena *arena, struct check_file *file, struct error *err) {
	struct evidence_progress whole = {0};
	struct evidence_progress *progress = job->progress ? job->progress : &whole;
	struct arena *scratch = arena_create();
	size_t count;
	const struct rank *ranks = rank_findings(job, file, scratch, &count);
	if (!progress->findings) {
		progress->findings = copy_findings(file, arena);
	}
	const bool ok = show_all(renderer, job, ranks, count, progress, arena, err);
	file->findings = progress->findings;
	arena_destroy(scratch);
	return ok;
}
