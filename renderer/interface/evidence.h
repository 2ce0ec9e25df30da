/* Evidence of what checks have found: where it is seen best, and pictures of it. */
#pragma once

#include "interface/checks.h"
#include "interface/context.h"

enum check_evidence_pictures {
	EVIDENCE_CAMERAS,  // no pictures
	EVIDENCE_STILLS,   // the samples before, at and behind the finding
	EVIDENCE_ANIMATED, // an APNG around the moment, at a quarter of the speed, besides
};

/* Findings that have evidence, and pixels of a picture's side, where a job names no number. */
#define EVIDENCE_FINDINGS 100
#define EVIDENCE_SIDE 240

/* Findings with pictures in each of several files: a run of many has fewer of each. */
size_t evidence_findings_of(size_t file_count);

/* The state of a job that several calls do. Zero = none has been made. */
struct evidence_progress {
	size_t next; // in the order of the job's findings
	bool done;
	struct check_finding *findings; // the file's, from the first call on
};

struct check_evidence_job {
	const struct check_run *run; // that made the file
	const struct check_run
		*before; // of an earlier version, which diff/... show, too; NULL = none
	enum check_evidence_pictures pictures;
	size_t max_findings; // 0 = EVIDENCE_FINDINGS; fewer of figures of a million vertices
	int side;            // of a picture, in pixels; 0 = EVIDENCE_SIDE
	double seconds;      // after which a call begins no further finding; 0 = it does all
	struct evidence_progress *progress; // where a call goes on; NULL = at the first finding
	const struct stop *stop;            // NULL = never
};

/* Gives findings of a file their cameras and pictures, in the arena: those that are not suppressed
 * and have a moment or elements, the worst first. A camera that a finding has stays. Cameras are
 * the same on every machine, whatever the time; a picture that cannot be drawn is left out.
 *
 * renderer  NULL for cameras alone
 * False from the stop, and with ERROR_CONTEXT_LOST; what there is by then stays in the file, and
 * another call goes on with the same finding. */
bool renderer_check_evidence(struct renderer *renderer, const struct check_evidence_job *job,
	struct arena *arena, struct check_file *file, struct error *err);
