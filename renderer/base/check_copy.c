// Copies of results of checks.
#include "base/check_copy.h"

#include <string.h>

/* NULL for nothing. */
static void *copy(struct arena *arena, const void *from, size_t count, size_t size) {
	if (!from || count == 0) {
		return NULL;
	}
	void *to = arena_alloc(arena, count, size);
	memcpy(to, from, count * size);
	return to;
}

static const char *copy_text(struct arena *arena, const char *text) {
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static void own_measurement(struct arena *arena, struct check_measurement *own) {
	own->joint = copy_text(arena, own->joint);
	own->material = copy_text(arena, own->material);
	own->text = copy_text(arena, own->text);
	own->pointer = copy_text(arena, own->pointer);
	own->vertices = copy(arena, own->vertices, own->vertex_count, sizeof *own->vertices);
	own->triangles = copy(arena, own->triangles, own->triangle_count, sizeof *own->triangles);
	for (size_t i = 0; i < own->param_count; i++) {
		own->params[i].name = copy_text(arena, own->params[i].name);
	}
}

static void own_finding(struct arena *arena, struct check_finding *own) {
	struct check_curve *curve = &own->curve;
	own_measurement(arena, &own->at);
	own->message = copy_text(arena, own->message);
	own->fix = copy_text(arena, own->fix);
	own->suppressed = copy_text(arena, own->suppressed);
	for (size_t i = 0; i < own->picture_count; i++) {
		struct check_picture *picture = &own->pictures[i];
		picture->label = copy_text(arena, picture->label);
		picture->type = copy_text(arena, picture->type);
		picture->bytes = copy(arena, picture->bytes, picture->size, 1);
	}
	curve->times_s = copy(arena, curve->times_s, curve->count, sizeof *curve->times_s);
	curve->values = copy(arena, curve->values, curve->count, sizeof *curve->values);
}

static const struct check_clip_facts *copy_clips(
	struct arena *arena, const struct check_clip_facts *from, size_t count) {
	struct check_clip_facts *own = copy(arena, from, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own[i].name = copy_text(arena, own[i].name);
	}
	return own;
}

static const struct check_finding *copy_findings(
	struct arena *arena, const struct check_finding *from, size_t count) {
	struct check_finding *own = copy(arena, from, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own_finding(arena, &own[i]);
	}
	return own;
}

static const struct check_measurement *copy_measurements(
	struct arena *arena, const struct check_measurement *from, size_t count) {
	struct check_measurement *own = copy(arena, from, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own_measurement(arena, &own[i]);
	}
	return own;
}

static const struct check_skip *copy_skips(
	struct arena *arena, const struct check_skip *from, size_t count) {
	struct check_skip *own = copy(arena, from, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own[i].reason = copy_text(arena, own[i].reason);
	}
	return own;
}

static const char *const *copy_texts(struct arena *arena, const char *const *from, size_t count) {
	const char **own = copy(arena, from, count, sizeof *own);
	for (size_t i = 0; i < count; i++) {
		own[i] = copy_text(arena, own[i]);
	}
	return own;
}

struct check_file check_copy_file(
	const struct check_file *file, size_t suppressions, struct arena *arena) {
	struct check_file own = *file;
	own.path = copy_text(arena, file->path);
	own.content = copy_text(arena, file->content);
	own.refused = copy_text(arena, file->refused);
	own.clips = copy_clips(arena, file->clips, file->clip_count);
	own.findings = copy_findings(arena, file->findings, file->finding_count);
	own.measurements = copy_measurements(arena, file->measurements, file->measurement_count);
	own.skipped = copy_skips(arena, file->skipped, file->skip_count);
	own.more = copy(arena, file->more, file->more_count, sizeof *own.more);
	own.not_covered = copy_texts(arena, file->not_covered, file->not_covered_count);
	own.suppressions_used = copy(arena, file->suppressions_used, suppressions, 1);
	return own;
}
