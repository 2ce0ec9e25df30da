// The search for the coarsest steps that keep a tolerance.
#include "compress/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/skin_probe.h"
#include "compress/trial.h"

#define TRIALS 10
#define BRACKET_TRIALS 12
#define RATIO_DONE 1.01 // between scales that keep the tolerance and that do not
#define STEPS_AN_OCTAVE 6
#define STEP_UNIT 32 // steps are 2^(code / 6 - 32)
#define QUICK_TRIALS 8
#define QUICK_FIRST 4.0   // scale
#define QUICK_ENOUGH 0.92 // of the tolerance: no coarser scale is looked for
#define QUICK_AIM 0.97    // of it, for the next trial
#define QUICK_CHANGE 100  // of the scale from one trial to the next, at most
#define TOLERANCE 0.9995  // what is left is for float32

/* Of the tolerance at a skin, what morph weights alone may take where joints move, too. */
#define SHARE_OF_WEIGHTS 0.5
#define WEIGHT_STEPS_MORE \
	32 // their steps may become up to twice so many sixths of an octave coarser

struct search {
	struct layout *layout;
	struct sensitivity sensitivity;
	struct rounding *rounding;
	struct measure measure;
	const struct stop *stop;
	int32_t *values; // of the trial that is under way
	struct trial trial;
};

static int step_code(double step) {
	const double code = round(STEPS_AN_OCTAVE * (log2(step) + STEP_UNIT));
	return (int)fmax(0, fmin(255, code));
}

static void set_steps(const struct search *search, bool lattice, double scale) {
	struct layout *layout = search->layout;
	const double *gains =
		lattice ? search->sensitivity.log_gain : search->sensitivity.log_length;
	for (int i = 0; i < layout->joint_channel_count; i++) {
		const struct pclip_channel *channel = &layout->channels[i];
		layout->tracks[channel->track].step[channel->axis] =
			(uint8_t)step_code(scale * layout->tolerance_m / exp(gains[i]));
	}
	pclip_list_channels(
		layout->tracks, layout->track_count, layout->source->joint_count, layout->channels);
}

/* Rounds all samples at a scale. False once the job is to stop. */
static bool round_samples(struct search *search, enum rounding_way way, double scale) {
	const struct layout *layout = search->layout;
	set_steps(search, way == ROUNDING_LATTICE, scale);
	for (int s = 0; s < layout->source->sample_count; s++) {
		if (source_is_stopped(layout->source)) {
			return false;
		}
		rounding_sample(search->rounding, s, way,
			search->values + (size_t)s * (size_t)layout->channel_count);
	}
	trial_changed(&search->trial);
	return true;
}

/* The greatest error at a scale in metres; more than enough is as good as any. NAN once the job is
 * to stop. */
static double try_scale(struct search *search, enum rounding_way way, double scale, double enough) {
	return round_samples(search, way, scale)
		? measure_greatest(&search->measure, trial_local_at, &search->trial, enough)
		: NAN;
}

/* The coarsest scale that keeps the tolerance; 0 when none does. */
static double search_scale(struct search *search, enum rounding_way way, struct error *err) {
	const double allowed = search->layout->tolerance_m * TOLERANCE;
	double good = 0, bad = 0, scale = way == ROUNDING_LATTICE ? 1.5 : 8;
	for (int i = 0; i < BRACKET_TRIALS && (good == 0 || bad == 0); i++) {
		if (!stop_check(search->stop, err)) {
			return 0;
		}
		if (try_scale(search, way, scale, allowed) <= allowed) {
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
		*(try_scale(search, way, scale, allowed) <= allowed ? &good : &bad) = scale;
	}
	return good;
}

/* A scale that keeps the tolerance, in few trials: what repair does not touch is off about in
 * proportion to the steps. 0 when none does. */
static double find_scale(struct search *search, struct error *err) {
	const double allowed = search->layout->tolerance_m * TOLERANCE;
	double good = 0, scale = QUICK_FIRST;
	for (int i = 0; i < QUICK_TRIALS; i++) {
		const double error = try_scale(search, ROUNDING_NEAREST, scale, INFINITY);
		if (!stop_check(search->stop, err)) {
			return 0;
		}
		good = error <= allowed ? fmax(good, scale) : good;
		if (error <= allowed && error >= QUICK_ENOUGH * allowed) {
			break;
		}
		const double change = QUICK_AIM * allowed / error;
		scale *= fmax(1.0 / QUICK_CHANGE, fmin(QUICK_CHANGE, change));
	}
	return good;
}

/* The same, with repair where that allows a coarser scale. */
static double find_scale_quickly(struct search *search, enum rounding_way *way, struct error *err) {
	static const double coarser[] = {2, 1.6, 1.3};
	const double allowed = search->layout->tolerance_m * TOLERANCE;
	const double good = find_scale(search, err);
	*way = ROUNDING_REPAIRED;
	for (size_t i = 0; good > 0 && i < sizeof coarser / sizeof *coarser; i++) {
		if (!stop_check(search->stop, err)) {
			return 0;
		}
		if (try_scale(search, *way, coarser[i] * good, allowed) <= allowed) {
			return coarser[i] * good;
		}
	}
	*way = ROUNDING_NEAREST;
	return good;
}

/* Encodes at a scale, with the codec, or in bits where that is smaller. False when the scale is 0,
 * or the job is to stop. */
static bool encode(struct search *search, const struct pclip_part *part,
	const struct pclip_track *first, enum rounding_way way, double scale, struct buffer *out,
	struct error *err) {
	struct layout *layout = search->layout;
	if (scale == 0 || !round_samples(search, way, scale)) {
		return false;
	}
	struct buffer bits = {0};
	const struct pclip_part in_bits = {.codec = &codec_bits,
		.segment_samples = codec_bits.segment_samples,
		.name = part->name};
	pclip_write_part(layout, &in_bits, first, search->values, &bits);
	pclip_write_part(layout, part, first, search->values, out);
	if (bits.size < out->size) {
		out->size = 0;
		pclip_write_part(layout, &in_bits, first, search->values, out);
	}
	buffer_finish(&bits);
	return stop_check(search->stop, err);
}

/* Rounds the morph weights of all samples, and returns the greatest error at the skin that they
 * leave by themselves. */
static double weights_error(struct search *search, double enough) {
	const struct layout *layout = search->layout;
	const struct source *source = layout->source;
	const size_t channels = (size_t)layout->channel_count,
		     weights = (size_t)source->weight_count;
	double greatest = 0;
	for (int s = 0; s < source->sample_count; s++) {
		for (size_t c = (size_t)layout->joint_channel_count; c < channels; c++) {
			const size_t at = (size_t)s * channels + c;
			search->values[at] =
				rounding_nearest(layout->exact[at], layout->channels[c].step);
		}
	}
	for (int i = 0; i < source->moment_count && greatest <= enough; i++) {
		const double(*world)[12] = source->world + (size_t)i * (size_t)source->joint_count;
		const struct skin_probe_pose should = {
			.world = world, .weights = source->moment_weights + (size_t)i * weights};
		const struct skin_probe_pose is = {
			.world = world, .weights = search->measure.weights};
		int vertex;
		trial_weights_at(&search->trial, i, search->measure.weights);
		greatest = fmax(greatest, skin_probe_sketch(layout->skin, &is, &should, &vertex));
	}
	return greatest;
}

static void add_to_weight_steps(struct layout *layout, int more) {
	for (int c = layout->joint_channel_count; c < layout->channel_count; c++) {
		uint8_t *step = &layout->tracks[layout->channels[c].track].step[0];
		*step = (uint8_t)fmax(0, fmin(255, *step + more));
	}
	pclip_list_channels(
		layout->tracks, layout->track_count, layout->source->joint_count, layout->channels);
}

/* The layout's steps of morph weights are for the worst that they could do together; at the
 * vertices they may do far less. */
static void coarsen_weights(struct search *search) {
	struct layout *layout = search->layout;
	const double share = layout->joint_channel_count > 0 ? SHARE_OF_WEIGHTS : 1;
	const double allowed = share * TOLERANCE * layout->tolerance_m;
	if (!layout->skin || layout->joint_channel_count == layout->channel_count) {
		return;
	}
	for (int more = WEIGHT_STEPS_MORE; more > 0; more /= 2) {
		add_to_weight_steps(layout, more);
		if (weights_error(search, allowed) > allowed) {
			add_to_weight_steps(layout, -more);
		}
	}
}

static bool make_search(struct layout *layout, const struct stop *stop, struct arena *arena,
	struct search *search, struct error *err) {
	const size_t count = (size_t)layout->channel_count + 1;
	const size_t samples = (size_t)layout->source->sample_count;
	*search = (struct search){.layout = layout, .stop = stop};
	search->values = try_calloc(samples * count, sizeof(int32_t), "the clip's numbers", err);
	arena_defer(arena, free, search->values);
	search->trial = trial_make(layout, arena);
	search->trial.values = search->values;
	search->measure = measure_make(layout->source, layout->shell, layout->reaches, arena);
	search->measure.skin = layout->skin;
	if (search->values) {
		coarsen_weights(search);
	}
	return search->values;
}

/* Encodes with either way to round, and keeps the smaller. */
static bool encode_smaller(struct search *search, const struct pclip_part *part,
	const struct pclip_track *first, struct arena *arena, struct buffer *out,
	struct error *err) {
	struct layout *layout = search->layout;
	struct buffer parts[2] = {{0}};
	const size_t track_bytes = (size_t)layout->track_count * sizeof *layout->tracks;
	struct pclip_track *tracks = arena_alloc(arena, 1, track_bytes + 1);
	const bool factored = sensitivity_make(layout, arena, &search->sensitivity);
	search->rounding = rounding_make(&search->sensitivity, arena);
	const bool lattice = factored &&
		encode(search, part, first, ROUNDING_LATTICE,
			search_scale(search, ROUNDING_LATTICE, err), &parts[0], err);
	memcpy(tracks, layout->tracks, track_bytes);
	const bool plain = encode(search, part, first, ROUNDING_REPAIRED,
		search_scale(search, ROUNDING_REPAIRED, err), &parts[1], err);
	const bool keep_lattice = lattice && (!plain || parts[0].size <= parts[1].size);
	if (keep_lattice) {
		memcpy(layout->tracks, tracks, track_bytes);
	}
	const struct buffer *smaller = &parts[!keep_lattice];
	buffer_append(out, smaller->data, smaller->size);
	buffer_finish(&parts[0]);
	buffer_finish(&parts[1]);
	return lattice || plain;
}

static bool encode_quickly(struct search *search, const struct pclip_part *part,
	const struct pclip_track *first, struct arena *arena, struct buffer *out,
	struct error *err) {
	enum rounding_way way;
	sensitivity_make_lengths(search->layout, arena, &search->sensitivity);
	search->rounding = rounding_make(&search->sensitivity, arena);
	const double scale = find_scale_quickly(search, &way, err);
	return encode(search, part, first, way, scale, out, err);
}

bool search_encode(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const struct stop *stop, struct buffer *out,
	struct error *err) {
	struct arena *arena = arena_create();
	struct search search;
	bool found = false;
	if (make_search(layout, stop, arena, &search, err)) {
		found = part->is_quick && encode_quickly(&search, part, first, arena, out, err);
		found = found ||
			(stop_check(stop, err) &&
				encode_smaller(&search, part, first, arena, out, err));
	}
	arena_destroy(arena);
	return found && (!err || err->code == ERROR_NONE);
}
