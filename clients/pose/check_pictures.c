// Pictures of findings.
#include "check_pictures.h"

#include <stdlib.h>

#include "interface/evidence.h"
#include "renderer.h"

struct check_pictures {
	enum check_evidence_pictures kind;
	size_t findings;           // of a file
	struct renderer *renderer; // NULL = none can be made, or there is none yet
	struct error err;          // why
};

struct check_pictures *check_pictures_create(
	const struct check_options *options, size_t files, bool compared) {
	const struct renderer_options any = {.choice = RENDERER_AUTO};
	if (options->pictures == EVIDENCE_CAMERAS && !compared) {
		return NULL;
	}
	struct check_pictures *pictures = calloc(1, sizeof *pictures);
	if (!pictures) {
		abort();
	}
	pictures->kind = options->pictures;
	pictures->findings = evidence_findings_of(files);
	pictures->renderer = renderer_create(&any, &pictures->err);
	if (pictures->renderer) {
		const char *why = renderer_info(pictures->renderer)->why_none;
		if (*why) {
			error_set(&pictures->err, ERROR_NO_RENDERER, "%s", why);
		}
	}
	return pictures;
}

void check_pictures_destroy(struct check_pictures *pictures) {
	if (!pictures) {
		return;
	}
	if (pictures->renderer) {
		renderer_destroy(pictures->renderer);
	}
	free(pictures);
}

void check_pictures_draw(struct check_pictures *pictures, const struct check_against_job *versions,
	struct arena *arena, struct check_file *file) {
	const struct check_evidence_job job = {
		.run = versions->after,
		.before = versions->before,
		.pictures = pictures->kind,
		.max_findings = pictures->findings,
	};
	if (pictures->err.code == ERROR_NONE) {
		renderer_check_evidence(pictures->renderer, &job, arena, file, &pictures->err);
	}
}

void check_pictures_against(
	struct check_pictures *pictures, const struct check_against_job *versions) {
	struct check_against_job job = *versions;
	job.renderer = pictures->renderer;
	for (size_t i = 0; i < renderer_check_steps(job.after); i++) {
		if (pictures->err.code == ERROR_NONE) {
			renderer_check_against_pictures(&job, i, &pictures->err);
		}
	}
}

void check_pictures_approved(struct check_pictures *pictures, struct check_approved *approved,
	struct check_approved_asset *asset) {
	check_approved_compare(approved, pictures->renderer, asset, &pictures->err);
}

const char *check_pictures_lack(const struct check_pictures *pictures, struct arena *arena) {
	return pictures && pictures->err.code != ERROR_NONE
		? arena_printf(arena, "pictures are missing: %s", pictures->err.text)
		: NULL;
}
