// Linear key reduction within a bound at the shell.
#include "compress/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "compress/keys_value.h"
#include "compress/layout.h"

#define SAMPLES_BETWEEN 1024 // of two keys at most, so that choosing takes linear time
#define REPAIRS 12           // rounds
#define TRIES 16             // keys that are added for one moment at a time
#define CONSTANT_TRIES 4

/* Metres that two values of a track are apart, at most. */
static double distance(
	const struct keys *keys, const struct key_track *track, const double *a, const double *b) {
	double sum = 0;
	if (track->kind == SOURCE_ROTATION) {
		double same = 0, other = 0;
		for (int i = 0; i < 4; i++) {
			same += (a[i] - b[i]) * (a[i] - b[i]);
			other += (a[i] + b[i]) * (a[i] + b[i]);
		}
		const double chord = sqrt(fmin(same, other));
		return 4 * asin(fmin(1, chord / 2)) * keys->levers[SOURCE_ROTATION][track->joint];
	}
	if (track->kind == KEYS_WEIGHTS) {
		const double *reaches =
			keys->reaches + keys->source->rig->joints[track->joint].first_weight;
		for (int i = 0; i < track->width; i++) {
			sum += fabs(a[i] - b[i]) * reaches[i];
		}
		return sum;
	}
	for (int i = 0; i < 3; i++) {
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	}
	return sqrt(sum) * keys->levers[track->kind][track->joint];
}

/* Time of a sample as float32, in which files have it. */
static double key_s(const struct source *source, int sample) {
	return (double)(float)source_sample_s(source, sample);
}

/* Between two keys: share of the way. */
static void between(const struct key_track *track, const double *a, const double *b, double share,
	double *out) {
	if (track->hold || share <= 0) {
		memcpy(out, a, (size_t)track->width * sizeof *out);
	} else if (track->kind == SOURCE_ROTATION) {
		quat_slerp(a, b, fmin(1, share), out);
	} else {
		for (int i = 0; i < track->width; i++) {
			out[i] = a[i] + share * (b[i] - a[i]);
		}
	}
}

/* Interpolates between keys at samples from and to. */
static void interpolate(const struct keys *keys, const struct key_track *track, int from, int to,
	double time_s, double *out) {
	double a[KEYS_WIDTH_MAX], b[KEYS_WIDTH_MAX];
	const double first = key_s(keys->source, from), last = key_s(keys->source, to);
	keys_read_value(keys, track, from, a);
	keys_read_value(keys, track, to, b);
	const double share = to > from ? (time_s - first) / (last - first) : 0;
	between(track, a, b, share >= 1 && track->hold ? 0 : share, out);
	if (share >= 1) {
		memcpy(out, b, (size_t)track->width * sizeof *out);
	}
}

static void find_keys(const struct keys *keys, struct key_track *track, int sample) {
	if (track->from >= 0 && track->from <= sample && sample < track->to) {
		return;
	}
	int from = sample, to = sample + 1;
	while (!track->marks[from]) {
		from--;
	}
	while (to < keys->source->sample_count && !track->marks[to]) {
		to++;
	}
	track->from = from;
	track->to = to < keys->source->sample_count ? to : from;
}

/* A track's value at a time from a sample on, before the next sample. */
static void track_value(
	const struct keys *keys, struct key_track *track, int sample, double time_s, double *out) {
	if (track->class == KEYS_REST) {
		keys_rest_value(keys, track, out);
	} else if (track->class == KEYS_CONSTANT) {
		keys_read_value(keys, track, track->constant, out);
	} else {
		find_keys(keys, track, sample);
		interpolate(keys, track, track->from, track->to, time_s, out);
	}
}

bool keys_local(void *decoder, int moment, struct source_transform *local, double *weights) {
	struct keys *keys = decoder;
	const int sample = moment / SOURCE_MOMENTS;
	const double time_s = moment % SOURCE_MOMENTS ? source_moment_s(keys->source, moment)
						      : key_s(keys->source, sample);
	for (int i = 0; i < keys->track_count; i++) {
		struct key_track *track = &keys->tracks[i];
		struct source_transform *joint = &local[track->joint];
		double *out = track->kind == KEYS_WEIGHTS
			? weights + keys->source->rig->joints[track->joint].first_weight
			: track->kind == SOURCE_ROTATION    ? joint->rotation
			: track->kind == SOURCE_TRANSLATION ? joint->translation
							    : joint->scale;
		track_value(keys, track, sample, time_s, out);
	}
	return true;
}

double keys_error(struct keys *keys) {
	struct arena *arena = arena_create();
	struct measure measure = measure_make(keys->source, keys->shell, keys->reaches, arena);
	const double error = measure_greatest(&measure, keys_local, keys, INFINITY);
	arena_destroy(arena);
	return error;
}

/* Marks the samples that a straight way between two keys is too far from. */
static void split(const struct keys *keys, struct key_track *track, int from, int to,
	double allowed, int *stack) {
	int depth = 0;
	stack[depth++] = to;
	while (depth > 0) {
		double value[KEYS_WIDTH_MAX], exact[KEYS_WIDTH_MAX], greatest = allowed;
		int worst = -1;
		to = stack[depth - 1];
		for (int i = from + 1; i < to; i++) {
			interpolate(keys, track, from, to, key_s(keys->source, i), value);
			keys_exact_value(keys, track, i, exact);
			const double off = distance(keys, track, value, exact);
			if (off > greatest) {
				greatest = off;
				worst = i;
				if (track->hold) {
					break;
				}
			}
		}
		if (worst < 0) {
			from = stack[--depth];
		} else {
			track->marks[worst] = 1;
			stack[depth++] = worst;
		}
	}
}

static void choose_keys(const struct keys *keys, struct key_track *track, double allowed) {
	const int count = keys->source->sample_count;
	int *stack = xcalloc(SAMPLES_BETWEEN + 2, sizeof *stack);
	track->class = KEYS_MOVING;
	keys_store_moving(keys, track);
	track->from = -1;
	track->marks = arena_alloc(keys->arena, (size_t)count, 1);
	for (int from = 0; from + 1 < count && !source_is_stopped(keys->source);
		from += SAMPLES_BETWEEN) {
		const int to = from + SAMPLES_BETWEEN < count ? from + SAMPLES_BETWEEN : count - 1;
		track->marks[from] = track->marks[to] = 1;
		split(keys, track, from, to, allowed, stack);
	}
	track->marks[0] = 1;
	free(stack);
}

/* True when all samples are within `allowed` of a value. */
static bool is_within(const struct keys *keys, const struct key_track *track, const double *value,
	double allowed) {
	double exact[KEYS_WIDTH_MAX];
	for (int i = 0; i < keys->source->sample_count; i++) {
		keys_exact_value(keys, track, i, exact);
		if (!(distance(keys, track, value, exact) <= allowed)) {
			return false;
		}
	}
	return true;
}

/* The sample nearest to the middle of all. */
static int middle_sample(const struct keys *keys, const struct key_track *track) {
	const int count = keys->source->sample_count;
	double low[KEYS_WIDTH_MAX], high[KEYS_WIDTH_MAX], exact[KEYS_WIDTH_MAX], least = INFINITY;
	int middle = 0;
	for (int i = 0; i < count; i++) {
		keys_exact_value(keys, track, i, exact);
		for (int k = 0; k < track->width; k++) {
			low[k] = i ? fmin(low[k], exact[k]) : exact[k];
			high[k] = i ? fmax(high[k], exact[k]) : exact[k];
		}
	}
	for (int i = 0; i < count; i++) {
		double sum = 0;
		keys_exact_value(keys, track, i, exact);
		for (int k = 0; k < track->width; k++) {
			const double off = exact[k] - (low[k] + high[k]) / 2;
			sum += off * off;
		}
		if (sum < least) {
			least = sum;
			middle = i;
		}
	}
	return middle;
}

/* Gives a track one value: of the coarsest steps that do, so that clips have the same. */
static bool make_constant(const struct keys *keys, struct key_track *track, double allowed) {
	double value[KEYS_WIDTH_MAX];
	track->class = KEYS_CONSTANT;
	for (int finer = 0; finer < CONSTANT_TRIES; finer++) {
		keys_store_constant(keys, track, finer);
		keys_read_value(keys, track, track->constant, value);
		if (is_within(keys, track, value, allowed)) {
			return true;
		}
	}
	return false;
}

static void reduce(const struct keys *keys, struct key_track *track, double allowed) {
	double value[KEYS_WIDTH_MAX];
	track->class = KEYS_REST;
	keys_rest_value(keys, track, value);
	if (is_within(keys, track, value, allowed)) {
		return;
	}
	track->constant = middle_sample(keys, track);
	if (!make_constant(keys, track, allowed)) {
		choose_keys(keys, track, allowed);
	}
}

static void mark(struct keys *keys, struct key_track *track, int sample) {
	track->marks[sample] = 1;
	for (int i = 0; i < keys->track_count; i++) {
		if (keys->tracks[i].marks == track->marks) {
			keys->tracks[i].from = -1;
		}
	}
}

/* The error of a track itself at a sample. */
static double own_error(const struct keys *keys, struct key_track *track, int sample) {
	double value[KEYS_WIDTH_MAX], exact[KEYS_WIDTH_MAX];
	track_value(keys, track, sample, key_s(keys->source, sample), value);
	keys_exact_value(keys, track, sample, exact);
	return distance(keys, track, value, exact);
}

/* Makes a track better at a sample. False where it is as good as it gets. */
static bool improve(struct keys *keys, struct key_track *track, int sample) {
	if (track->class != KEYS_MOVING) {
		const bool was_rest = track->class == KEYS_REST;
		choose_keys(keys, track, keys->tolerance_m / 4);
		if (was_rest) {
			unsigned char *marks = track->marks;
			track->constant = middle_sample(keys, track);
			const bool still = make_constant(keys, track, keys->tolerance_m / 8);
			track->class = still ? KEYS_CONSTANT : KEYS_MOVING;
			track->marks = still ? NULL : marks;
		}
		if (track->class == KEYS_MOVING) {
			keys_store_moving(keys, track);
		}
		return true;
	}
	if (!track->marks[sample]) {
		mark(keys, track, sample);
		return true;
	}
	return keys_store_finer(keys, track);
}

/* The track of a joint by its place: its kinds, then its weights. NULL = it has none. */
static struct key_track *track_of(const struct keys *keys, int joint, int kind) {
	if (kind < SOURCE_KINDS) {
		return &keys->tracks[SOURCE_KINDS * joint + kind];
	}
	const int at = keys->first_of_joint[joint];
	return at < 0 ? NULL : &keys->tracks[at];
}

/* Improves the track that is most at fault for a joint at a moment. */
static bool improve_worst(struct keys *keys, int joint, int moment) {
	struct key_track *worst = NULL;
	const int first = moment / SOURCE_MOMENTS, last = first + (moment % SOURCE_MOMENTS != 0);
	int at = first;
	double greatest = 0;
	for (int i = joint; i >= 0; i = keys->shell->parents[i]) {
		for (int kind = 0; kind <= KEYS_WEIGHTS; kind++) {
			struct key_track *track = track_of(keys, i, kind);
			for (int s = first; track && s <= last; s++) {
				const double off = own_error(keys, track, s);
				const bool is_whole = track->class == KEYS_MOVING &&
					track->marks[s] && keys_is_finest(keys, track);
				if (off > greatest && !is_whole) {
					greatest = off;
					worst = track;
					at = s;
				}
			}
		}
	}
	return worst && improve(keys, worst, at);
}

bool keys_repair(struct keys *keys) {
	struct arena *arena = arena_create();
	struct measure measure = measure_make(keys->source, keys->shell, keys->reaches, arena);
	bool clean = false, possible = true;
	for (int round = 0; round < REPAIRS && !clean && possible; round++) {
		clean = true;
		const int moments = keys->source->moment_count;
		for (int i = 0; i < moments && !source_is_stopped(keys->source); i++) {
			int joint, tries = 0;
			while (!(measure_moment(&measure, keys_local, keys, i, &joint) <=
				       keys->tolerance_m) &&
				tries++ < TRIES && possible) {
				clean = false;
				possible = improve_worst(keys, joint, i);
			}
		}
	}
	arena_destroy(arena);
	return clean && !source_is_stopped(keys->source);
}

int keys_list(const struct keys *keys, const struct key_track *track, int *samples) {
	int count = 0;
	if (track->class == KEYS_CONSTANT) {
		samples[count++] = track->constant;
	}
	for (int i = 0; track->class == KEYS_MOVING && i < keys->source->sample_count; i++) {
		if (track->marks[i]) {
			samples[count++] = i;
		}
	}
	return count;
}

/* Bytes of what a reduction makes, about. */
static double cost(const struct keys *keys) {
	double sum = 0;
	for (int i = 0; i < keys->track_count; i++) {
		const struct key_track *track = &keys->tracks[i];
		const double bytes = keys_value_bytes(keys, track);
		sum += track->class == KEYS_REST ? 0 : 160;
		for (int s = 0; track->marks && s < keys->source->sample_count; s++) {
			sum += track->marks[s] * bytes;
		}
	}
	return sum;
}

static void list_tracks(struct keys *keys) {
	const struct source *source = keys->source;
	const size_t joints = (size_t)source->joint_count;
	keys->tracks =
		arena_alloc(keys->arena, (SOURCE_KINDS + 1) * joints + 1, sizeof *keys->tracks);
	keys->first_of_joint = arena_alloc(keys->arena, joints + 1, sizeof(int));
	for (int i = 0; i < SOURCE_KINDS * source->joint_count; i++) {
		const int joint = i / SOURCE_KINDS, kind = i % SOURCE_KINDS;
		keys->tracks[i] = (struct key_track){.joint = joint,
			.kind = kind,
			.width = kind == SOURCE_ROTATION ? 4 : 3,
			.hold = source->holds[i]};
	}
	keys->track_count = SOURCE_KINDS * source->joint_count;
	for (int i = 0; i < source->joint_count; i++) {
		const struct joint *joint = &source->rig->joints[i];
		keys->first_of_joint[i] = joint->weight_count > 0 ? keys->track_count : -1;
		if (joint->weight_count > 0) {
			keys->tracks[keys->track_count++] = (struct key_track){.joint = i,
				.kind = KEYS_WEIGHTS,
				.width = joint->weight_count,
				.hold = source->weight_holds[joint->first_weight]};
		}
	}
}

static bool check_widths(const struct keys *keys, struct error *err) {
	for (int i = 0; i < keys->track_count; i++) {
		if (keys->tracks[i].width > KEYS_WIDTH_MAX) {
			return error_set(err, ERROR_TOO_LARGE,
				"the joint '%s' has %d morph weights; at most %d can be reduced",
				keys->source->rig->joints[keys->tracks[i].joint].name,
				keys->tracks[i].width, KEYS_WIDTH_MAX);
		}
	}
	return true;
}

static void copy_tracks(
	const struct keys *keys, const struct key_track *from, struct key_track *to) {
	memcpy(to, from, (size_t)keys->track_count * sizeof *to);
}

/* Tries one share of the tolerance for each track alone. */
static bool try_share(struct keys *keys, double share) {
	for (int i = 0; i < keys->track_count && !source_is_stopped(keys->source); i++) {
		keys->tracks[i].marks = NULL;
		reduce(keys, &keys->tracks[i], share * keys->tolerance_m);
	}
	return keys_repair(keys);
}

static bool make(const struct source *source, const struct error_shell *shell,
	const double *reaches, double tolerance_m, bool filtered, struct arena *arena,
	struct keys *out, struct error *err) {
	static const double shares[] = {0.9, 0.6, 0.4, 0.25, 0.1, 0};
	*out = (struct keys){.source = source,
		.shell = shell,
		.reaches = reaches,
		.tolerance_m = tolerance_m,
		.filtered = filtered,
		.arena = arena,
		.joint_count = source->joint_count};
	double *levers[SOURCE_KINDS];
	for (int kind = 0; kind < SOURCE_KINDS; kind++) {
		levers[kind] = arena_alloc(arena, (size_t)source->joint_count + 1, sizeof(double));
		out->levers[kind] = levers[kind];
	}
	layout_find_levers(source, shell, levers);
	list_tracks(out);
	struct key_track *best = arena_alloc(arena, (size_t)out->track_count + 1, sizeof *best);
	double least = INFINITY;
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		const bool is_last = i > 3 && least < INFINITY;
		if (!check_widths(out, err)) {
			return false;
		}
		if (!is_last && try_share(out, shares[i]) && cost(out) < least) {
			least = cost(out);
			copy_tracks(out, out->tracks, best);
		}
	}
	if (!stop_check(source->stop, err)) {
		return false;
	}
	if (isinf(least)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the clip '%s' cannot be kept within %g m by keys: it is off by %g m",
			source->clip->name, tolerance_m, keys_error(out));
	}
	copy_tracks(out, best, out->tracks);
	return true;
}

bool keys_make(const struct source *source, const struct error_shell *shell, const double *reaches,
	double tolerance_m, struct arena *arena, struct keys *out, struct error *err) {
	return make(source, shell, reaches, tolerance_m, false, arena, out, err);
}

bool keys_make_filtered(const struct source *source, const struct error_shell *shell,
	const double *reaches, double tolerance_m, struct arena *arena, struct keys *out,
	struct error *err) {
	return make(source, shell, reaches, tolerance_m, true, arena, out, err);
}
