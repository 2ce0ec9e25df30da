/* Clips in step: each at the same phase of its cycle, averaged by weight. */
#pragma once

#include "pose/blend/average.h"
#include "pose/blend/markers.h"
#include "pose/operations.h"

/* The sources of markers for clips that have none of their own. */
enum sync_markers {
	SYNC_MARKERS_NONE, // not at all: the shares of their durations are in step
	SYNC_MARKERS_FEET, // where the feet come down
	SYNC_MARKERS_COUNT,
};

/* Their names in requests, in the order of the enum, ended by NULL. */
extern const char *const sync_markers_names[SYNC_MARKERS_COUNT + 1];

struct sync_item {
	const struct value *source; // which the run's notes know it by
	const struct clip *clip;
	const struct markers *markers; // see sync_find_markers
	double weight;                 // >= 0, of any scale
	const struct value *mask;      // NULL = 1 everywhere
	bool whole;                    // see average_input
};

/* A moment of the common cycle, as a request has it: not both. */
struct sync_moment {
	double time_s, phase;                           // phase in [0, 1]
	const struct value *time_source, *phase_source; // NULL = not said
};

/* Fills in the markers of an item with a place and a clip, which last as long as the run: those
 * that are given or, NULL, that are found. Fails with the place. */
bool sync_find_markers(struct pose_context *context, struct sync_item *item,
	const struct value *given, enum sync_markers way, struct error *err);

/* Refuses a moment that is said twice, and items whose markers do not agree, with what they are. */
bool sync_check(const struct sync_item *items, size_t count, const struct sync_moment *moment,
	struct error *err);

/* Averages checked items at a moment. The cycle lasts as long as the weighted mean of the clips,
 * and goes on and on. METHODS C.11. */
bool sync_evaluate(struct pose_context *context, const struct value *source,
	const struct sync_item *items, size_t count, const struct sync_moment *moment,
	enum average_rotation rotation, struct pose *out, struct error *err);
