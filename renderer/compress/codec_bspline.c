// The codec "bspline": each moving track as a B-spline over the samples, of which any is evaluated
// from a few control points. Source: Šebor's thesis on skeletal animation, chapter 6.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/pclip_write.h"
#include "compress/spline_find.h"
#include "compress/spline_search.h"
#include "pclip_bspline.h"

/* Codes an axis' control points by a predictor: the bits that they take, about, and the mean size
 * of what is left. */
static double predictor_bits(const struct spline *spline, int axis, int predictor, double *mean) {
	struct pclip_state state = {0};
	double bits = 0, sum = 0;
	for (int i = 0; i < spline->point_count; i++) {
		const int32_t value = spline->points[i * spline->width + axis];
		if (i > 0) {
			const double left = fabs((double)value - pclip_predict(&state, predictor));
			bits += log2(1 + left);
			sum += left;
		}
		pclip_remember(&state, value, i);
	}
	*mean = spline->point_count > 1 ? sum / (spline->point_count - 1) : 0;
	return bits;
}

static void choose_predictors(struct layout *layout, const int32_t *values, int segment_samples) {
	(void)values;
	(void)segment_samples;
	const struct spline *spline = layout->splines;
	for (int i = 0, axis = 0; i < layout->channel_count; i++) {
		const struct pclip_channel *channel = &layout->channels[i];
		struct pclip_track *track = &layout->tracks[channel->track];
		double least = INFINITY, mean;
		for (int k = 0; k < PCLIP_PREDICTORS; k++) {
			const double bits = predictor_bits(spline, axis, k, &mean);
			if (bits < least) {
				const double size = round(log2(mean + 0.1) + 2);
				least = bits;
				track->predictor[channel->axis] = (uint8_t)k;
				track->magnitude[channel->axis] = (uint8_t)fmax(0, fmin(15, size));
			}
		}
		axis = axis + 1 < spline->width ? axis + 1 : 0;
		spline += axis == 0;
	}
	pclip_list_channels(
		layout->tracks, layout->track_count, layout->source->joint_count, layout->channels);
}

/* The number of knots and control points in a file, and then the splines. */
static int write_splines(const struct layout *layout, const int32_t *values, int segment_samples,
	struct symbols *symbols, struct buffer *out) {
	(void)values;
	(void)segment_samples;
	struct pclip_coder coder = symbols_coder(symbols);
	struct pclip_state states[BSPLINE_WIDTH_MAX];
	const struct spline *spline = layout->splines;
	size_t numbers = 0;
	int before = 0;
	for (int i = 0; i < layout->channel_count; i += spline++->width) {
		struct pclip_spline coded = {.degree = (uint8_t)spline->degree,
			.periodic = spline->periodic,
			.uniform = spline->uniform,
			.width = (uint8_t)spline->width,
			.knot_count = spline->knot_count,
			.point_count = spline->point_count,
			.knots = spline->knots,
			.points = spline->points};
		pclip_code_spline(&coder, &coded, layout->source->sample_count,
			&layout->channels[i], states, &before, NULL, 0);
		numbers += (size_t)(spline->point_count * spline->width) +
			(spline->uniform ? 0 : (size_t)spline->knot_count);
	}
	pclip_put_varint(out, numbers);
	symbols_write(symbols, out);
	return 0;
}

const struct codec codec_bspline = {.number = PCLIP_BSPLINE,
	.segment_samples = 0,
	.encode = spline_search_encode,
	.prepare = choose_predictors,
	.write = write_splines};
