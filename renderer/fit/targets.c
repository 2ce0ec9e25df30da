// Displacements of rest vertices.
#include "fit/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool target_init(struct target *target, int count, struct error *err) {
	const char *what = "a fit to examples";
	const size_t room = (size_t)count + 1;
	*target = (struct target){.count = count};
	target->vertices = try_calloc(room, sizeof *target->vertices, what, err);
	target->positions = try_calloc(room, 3 * sizeof *target->positions, what, err);
	target->normals = try_calloc(room, 3 * sizeof *target->normals, what, err);
	if (!target->vertices || !target->positions || !target->normals) {
		target_finish(target);
		return false;
	}
	return true;
}

void target_finish(struct target *target) {
	free(target->vertices);
	free(target->positions);
	free(target->normals);
	*target = (struct target){0};
}

static bool is_zero(const struct target *target, int i) {
	for (int k = i * 3; k < i * 3 + 3; k++) {
		if (target->positions[k] != 0 || target->normals[k] != 0) {
			return false;
		}
	}
	return true;
}

/* starts[v + 1] = where the entries of vertex v end. */
static void set_starts(struct targets *targets, const struct target *list, int count) {
	for (int t = 0; t < count; t++) {
		for (int i = 0; i < list[t].count; i++) {
			targets->starts[list[t].vertices[i] + 1] += !is_zero(&list[t], i);
		}
	}
	for (int v = 0; v < targets->vertex_count; v++) {
		targets->starts[v + 1] += targets->starts[v];
	}
}

static void put_entries(
	struct targets *targets, const struct target *target, int coefficient, uint32_t *next) {
	for (int i = 0; i < target->count; i++) {
		if (is_zero(target, i)) {
			continue;
		}
		const size_t entry = next[target->vertices[i]]++;
		float *offset = targets->offsets + entry * 6;
		targets->coefficients[entry] = (uint32_t)coefficient;
		memcpy(offset, target->positions + (size_t)i * 3, 3 * sizeof *offset);
		memcpy(offset + 3, target->normals + (size_t)i * 3, 3 * sizeof *offset);
	}
}

/* True when the numbers of entries fit their 32 bits. */
static bool check_count(const struct target *list, int count, struct error *err) {
	uint64_t sum = 0;
	for (int t = 0; t < count; t++) {
		sum += (uint64_t)list[t].count;
	}
	return sum < UINT32_MAX ||
		error_set(err, ERROR_TOO_LARGE,
			"the examples displace more than 4294967294 vertices");
}

bool targets_init(struct targets *targets, int vertex_count, const struct target *list, int count,
	struct error *err) {
	const char *what = "a fit to examples";
	*targets = (struct targets){.vertex_count = vertex_count};
	if (!check_count(list, count, err)) {
		return false;
	}
	uint32_t *next = NULL;
	targets->starts = try_calloc((size_t)vertex_count + 1, sizeof *targets->starts, what, err);
	if (!targets->starts) {
		goto fail;
	}
	set_starts(targets, list, count);
	const size_t entries = targets->starts[vertex_count];
	targets->coefficients = try_calloc(entries + 1, sizeof *targets->coefficients, what, err);
	targets->offsets = try_calloc(entries + 1, 6 * sizeof *targets->offsets, what, err);
	next = try_calloc((size_t)vertex_count + 1, sizeof *next, what, err);
	if (!targets->coefficients || !targets->offsets || !next) {
		goto fail;
	}
	memcpy(next, targets->starts, (size_t)vertex_count * sizeof *next);
	for (int t = 0; t < count; t++) {
		put_entries(targets, &list[t], t, next);
	}
	free(next);
	return true;
fail:
	free(next);
	targets_finish(targets);
	return false;
}

void targets_finish(struct targets *targets) {
	free(targets->starts);
	free(targets->coefficients);
	free(targets->offsets);
	*targets = (struct targets){0};
}
