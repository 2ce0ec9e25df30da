// The search for the coarsest splines that keep a tolerance.
#include "compress/spline_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/search.h"
#include "compress/sensitivity.h"
#include "compress/spline_find.h"
#include "compress/trial.h"

/* Of each number in its steps: a coarser tolerance takes fewer control points, but more bits of
 * each. 0.75 is the best of 0.6 to 2 for the rigs of docs/clips.md. */
#define TRACK_TOLERANCE 0.75
#define TRIALS 8
#define BRACKET_TRIALS 12
#define RATIO_DONE 1.02 // between scales that keep the tolerance and that do not
#define STEPS_AN_OCTAVE 6
#define STEP_UNIT 32     // steps are 2^(code / 6 - 32)
#define TOLERANCE 0.9995 // what is left is for float32

/* A moving track. */
struct moving {
	int first, width; // channels
	double share;     // of its part of the tolerance
	double bits;      // that its spline takes, about
};

struct search {
	struct layout *layout;
	struct sensitivity sensitivity;
	struct measure measure;
	struct trial trial;
	struct spline_finder *finder;
	const struct stop *stop;
	struct moving *tracks; // [track_count]
	int track_count;
	double scale;                // of all tracks' tolerances
	const uint8_t *weight_steps; // [tracks of the layout] of morph weights
	double *samples;             // [sample_count][3] a track's numbers in steps
	double *numbers;             // [sample_count][channel_count] of the trial that is under way
	double *interior, *knots, *points; // scratch
	struct spline *splines;            // [track_count] of the trial
	struct arena *arena;               // theirs
};

static uint8_t step_code(double step) {
	const double code = floor(STEPS_AN_OCTAVE * (log2(step) + STEP_UNIT));
	return (uint8_t)fmax(0, fmin(255, code));
}

/* Steps that leave the numbers of a track their part of the tolerance. Morph weights are bounded
 * one by one. */
static void set_steps(const struct search *search, const struct moving *moving) {
	const struct layout *layout = search->layout;
	const double tolerance_m = search->scale * moving->share * layout->tolerance_m;
	/* At vertices weights add up with joints. */
	const double weights_part = layout->skin ? fmin(1, search->scale) / 2 : 0.5;
	for (int i = moving->first; i < moving->first + moving->width; i++) {
		struct pclip_channel *channel = &layout->channels[i];
		struct pclip_track *track = &layout->tracks[channel->track];
		const double part = i < layout->joint_channel_count
			? tolerance_m / exp(search->sensitivity.log_length[i])
			: weights_part *
				exp2(search->weight_steps[channel->track] / 6.0 - STEP_UNIT);
		track->step[channel->axis] = step_code(part / TRACK_TOLERANCE);
		channel->step = pclip_step(track, channel->axis);
	}
}

/* The numbers that a decoder makes of a spline. */
static void evaluate(const struct search *search, const struct spline *spline, int channel) {
	const struct layout *layout = search->layout;
	const int count = layout->source->sample_count;
	struct bspline basis;
	spline_interior(spline, count, search->interior);
	bspline_make(&basis, spline->degree, spline->periodic, search->interior, spline->knot_count,
		count - 1, search->knots);
	for (int i = 0; i < spline->point_count * spline->width; i++) {
		search->points[i] = spline->points[i];
	}
	for (int s = 0; s < count; s++) {
		double *out = search->numbers + (size_t)s * (size_t)layout->channel_count + channel;
		bspline_evaluate(&basis, search->points, spline->width,
			spline->periodic && s == count - 1 ? 0 : s, out);
		for (int i = 0; i < spline->width; i++) {
			out[i] *= layout->channels[channel + i].step;
		}
	}
}

/* Finds a track's spline. */
static bool find_track(const struct search *search, int i) {
	const struct layout *layout = search->layout;
	struct moving *moving = &search->tracks[i];
	const int count = layout->source->sample_count, width = moving->width;
	const struct bspline_samples samples = {
		.count = count, .width = width, .values = search->samples};
	set_steps(search, moving);
	for (int s = 0; s < count; s++) {
		const double *exact =
			layout->exact + (size_t)s * (size_t)layout->channel_count + moving->first;
		for (int c = 0; c < width; c++) {
			search->samples[s * width + c] =
				exact[c] / layout->channels[moving->first + c].step;
		}
	}
	if (!spline_find(search->finder, &samples, TRACK_TOLERANCE, search->arena,
		    &search->splines[i], &moving->bits)) {
		return false;
	}
	evaluate(search, &search->splines[i], moving->first);
	return true;
}

static bool keeps(struct search *search) {
	const double allowed = search->layout->tolerance_m * TOLERANCE;
	trial_changed(&search->trial);
	return measure_greatest(&search->measure, trial_local_at, &search->trial, allowed) <=
		allowed;
}

/* Finds all splines at a scale. True when they keep the tolerance. */
static bool try_scale(struct search *search, double scale) {
	arena_reset(search->arena);
	search->scale = scale;
	for (int i = 0; i < search->track_count; i++) {
		if (!find_track(search, i)) {
			return false;
		}
	}
	return keeps(search);
}

/* Gives a track another share, if that takes fewer bits and all poses still keep the tolerance. */
static bool try_share(struct search *search, int i, double share) {
	struct moving *moving = &search->tracks[i];
	const struct moving old = *moving;
	const struct spline spline = search->splines[i];
	moving->share = share;
	if (find_track(search, i) && moving->bits < old.bits && keeps(search)) {
		return true;
	}
	*moving = old;
	search->splines[i] = spline;
	set_steps(search, moving);
	evaluate(search, &spline, moving->first);
	return false;
}

/* One joint at one moment ends the search of the scale: most other tracks can be coarser. */
static bool loosen(struct search *search, struct error *err) {
	static const double more[] = {2, 1.4, 1.2};
	for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
		for (int i = 0; i < search->track_count; i++) {
			if (!stop_check(search->stop, err)) {
				return false;
			}
			try_share(search, i, search->tracks[i].share * more[k]);
		}
	}
	return true;
}

/* The coarsest scale that keeps the tolerance; 0 when none does. */
static double search_scale(struct search *search, struct error *err) {
	double good = 0, bad = 0, scale = 2;
	for (int i = 0; i < BRACKET_TRIALS && (good == 0 || bad == 0); i++) {
		if (!stop_check(search->stop, err)) {
			return 0;
		}
		if (try_scale(search, scale)) {
			good = scale;
			scale *= 2;
		} else {
			bad = scale;
			scale /= good > 0 ? 1 : 2;
		}
	}
	for (int i = 0; i < TRIALS && good > 0 && bad / good > RATIO_DONE; i++) {
		if (!stop_check(search->stop, err)) {
			return 0;
		}
		scale = sqrt(good * bad);
		*(try_scale(search, scale) ? &good : &bad) = scale;
	}
	return good;
}

static void drop_arena(void *arena) {
	arena_destroy(arena);
}

/* Channels of a track follow one another. */
static void list_tracks(struct search *search) {
	const struct layout *layout = search->layout;
	for (int i = 0; i < layout->channel_count; i++) {
		const bool begins =
			i == 0 || layout->channels[i].track != layout->channels[i - 1].track;
		if (begins) {
			search->tracks[search->track_count++] =
				(struct moving){.first = i, .share = 1};
		}
		search->tracks[search->track_count - 1].width++;
	}
}

static bool make_search(struct layout *layout, const struct stop *stop, int ways,
	struct arena *arena, struct search *search, struct error *err) {
	const size_t channels = (size_t)layout->channel_count + 1;
	const size_t samples = (size_t)layout->source->sample_count;
	const size_t room = samples + 4 * (BSPLINE_DEGREE_MAX + 1);
	uint8_t *weight_steps = arena_alloc(arena, (size_t)layout->track_count + 1, 1);
	for (int i = 0; i < layout->track_count; i++) {
		weight_steps[i] = layout->tracks[i].step[0];
	}
	*search = (struct search){.layout = layout,
		.stop = stop,
		.weight_steps = weight_steps,
		.finder = spline_finder_make((int)samples, ways, stop, arena),
		.trial = trial_make(layout, arena),
		.measure = measure_make(layout->source, layout->shell, layout->reaches, arena),
		.samples = arena_alloc(arena, samples * BSPLINE_WIDTH_MAX, sizeof(double)),
		.interior = arena_alloc(arena, room, sizeof(double)),
		.knots = arena_alloc(arena, room, sizeof(double)),
		.points = arena_alloc(arena, room * BSPLINE_WIDTH_MAX, sizeof(double)),
		.tracks = arena_alloc(arena, channels, sizeof *search->tracks),
		.splines = arena_alloc(arena, channels, sizeof *search->splines),
		.arena = arena_create()};
	arena_defer(arena, drop_arena, search->arena);
	search->numbers = try_calloc(samples * channels, sizeof(double), "the clip's numbers", err);
	arena_defer(arena, free, search->numbers);
	search->trial.numbers = search->numbers;
	list_tracks(search);
	search->measure.skin = layout->skin;
	sensitivity_make(layout, arena, &search->sensitivity);
	layout->splines = search->splines;
	return search->numbers;
}

/* Writes the coarsest splines; false when none keep the tolerance. */
static bool write_splines(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const struct stop *stop, struct buffer *out,
	struct error *err) {
	struct arena *arena = arena_create();
	struct pclip_part whole = *part;
	struct search search;
	const int ways = part->spline_ways ? part->spline_ways : SPLINE_ALL;
	const size_t before = out->size;
	double scale = 0;
	whole.segment_samples = 0;
	if (make_search(layout, stop, ways, arena, &search, err)) {
		scale = search_scale(&search, err);
	}
	if (scale > 0 && try_scale(&search, scale) && loosen(&search, err)) {
		pclip_write_part(layout, &whole, first, NULL, out);
	}
	layout->splines = NULL;
	arena_destroy(arena);
	return out->size > before;
}

bool spline_search_encode(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const struct stop *stop, struct buffer *out,
	struct error *err) {
	const size_t track_bytes = (size_t)layout->track_count * sizeof *layout->tracks;
	struct pclip_track *in_bits = xcalloc(1, track_bytes + 1);
	const struct pclip_part bits_part = {.codec = &codec_bits,
		.segment_samples = codec_bits.segment_samples,
		.name = part->name};
	struct buffer bits = {0}, splines = {0};
	const bool kept = search_encode(layout, &bits_part, first, stop, &bits, err);
	memcpy(in_bits, layout->tracks, track_bytes);
	const bool found = write_splines(layout, part, first, stop, &splines, err);
	const bool smaller = found && (!kept || splines.size <= bits.size);
	if (!smaller) {
		memcpy(layout->tracks, in_bits, track_bytes);
	}
	if (found || kept) {
		buffer_append(out, smaller ? splines.data : bits.data,
			smaller ? splines.size : bits.size);
	}
	buffer_finish(&bits);
	buffer_finish(&splines);
	free(in_bits);
	return (found || kept) && (!err || err->code == ERROR_NONE);
}
