// The codec "best": numbers predicted from those before, and range-coded. The smallest; a segment
// is decoded in order.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/search.h"

#define LONG_INDEX 1

/* Runs the predictor over a number's samples; the sum of the residuals' sizes, and of their bits.
 */
static double predictor_bits(const struct layout *layout, const int32_t *values, int number,
	int predictor, int segment_samples, double *mean) {
	const size_t stride = (size_t)layout->channel_count;
	double bits = 0, sum = 0;
	int counted = 0;
	struct pclip_state state = {0};
	for (int s = 0; s < layout->source->sample_count; s++) {
		const int position = segment_samples ? s % segment_samples : s;
		const int32_t value = values[(size_t)s * stride + (size_t)number];
		if (position > 0) {
			const int32_t residual = value - pclip_predict(&state, predictor);
			bits += log2(1 + fabs((double)residual));
			sum += fabs((double)residual);
			counted++;
		}
		pclip_remember(&state, value, position);
	}
	*mean = counted ? sum / counted : 0;
	return bits;
}

static void choose_predictors(struct layout *layout, const int32_t *values, int segment_samples) {
	for (int i = 0; i < layout->channel_count && !source_is_stopped(layout->source); i++) {
		const struct pclip_channel *channel = &layout->channels[i];
		struct pclip_track *track = &layout->tracks[channel->track];
		double least = INFINITY;
		for (int k = 0; k < PCLIP_PREDICTORS; k++) {
			double mean;
			const double bits =
				predictor_bits(layout, values, i, k, segment_samples, &mean);
			if (bits < least) {
				const double size = fmax(0, fmin(15, round(log2(mean + 0.1) + 2)));
				least = bits;
				track->predictor[channel->axis] = (uint8_t)k;
				track->magnitude[channel->axis] = (uint8_t)size;
			}
		}
	}
	pclip_list_channels(
		layout->tracks, layout->track_count, layout->source->joint_count, layout->channels);
}

/* Appends the segments; sizes receives their lengths in bytes. */
static void write_segments(const struct layout *layout, int segment_samples, const int32_t *values,
	struct symbols *symbols, size_t *sizes, struct buffer *out) {
	const size_t count = (size_t)layout->channel_count;
	struct pclip_state *states = xcalloc(count + 1, sizeof *states);
	struct pclip_coder coder = symbols_coder(symbols);
	const int samples = layout->source->sample_count;
	const int length = segment_samples ? segment_samples : samples;
	for (int s = 0; s < samples && !source_is_stopped(layout->source); s++) {
		pclip_code_sample(&coder, layout->channels, (int)count, states,
			values + (size_t)s * count, s % length);
		if (s % length == length - 1 || s == samples - 1) {
			const size_t before = out->size;
			symbols_write(symbols, out);
			sizes[s / length] = out->size - before;
		}
	}
	free(states);
}

static int write_best(const struct layout *layout, const int32_t *values, int segment_samples,
	struct symbols *symbols, struct buffer *out) {
	const int samples = layout->source->sample_count;
	const size_t count =
		segment_samples ? (size_t)((samples + segment_samples - 1) / segment_samples) : 1;
	size_t *sizes = xcalloc(count, sizeof *sizes), greatest = 0;
	struct buffer segments = {0};
	write_segments(layout, segment_samples, values, symbols, sizes, &segments);
	for (size_t i = 0; i < count; i++) {
		greatest = sizes[i] > greatest ? sizes[i] : greatest;
	}
	const bool is_long = greatest > UINT16_MAX;
	for (size_t i = 0; i < count && count > 1; i++) {
		pclip_put(out, sizes[i], is_long ? 4 : 2);
	}
	buffer_append(out, segments.data, segments.size);
	buffer_finish(&segments);
	free(sizes);
	return is_long ? LONG_INDEX : 0;
}

const struct codec codec_best = {.number = PCLIP_BEST,
	.segment_samples = 64,
	.encode = search_encode,
	.prepare = choose_predictors,
	.write = write_best};
