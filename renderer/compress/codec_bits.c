// The codec "bits": every number of a segment in as many bits as their range there takes. Any
// sample is decoded as fast as any other. Source: METHODS D.6, with integers of the search in the
// place of range-reduced floats.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "compress/search.h"

#define LENGTH_BITS 5

struct range {
	int32_t least, greatest;
};

static int bit_length(uint32_t number) {
	int length = 0;
	for (; number > 0; number >>= 1) {
		length++;
	}
	return length;
}

static int width_of(const struct range *range) {
	return bit_length((uint32_t)(range->greatest - range->least));
}

/* The range of each channel over some samples: out is [layout->channel_count]. */
static void find_ranges(
	const struct layout *layout, const int32_t *values, int from, int to, struct range *out) {
	const size_t stride = (size_t)layout->channel_count;
	for (size_t i = 0; i < stride; i++) {
		out[i] = (struct range){INT32_MAX, INT32_MIN};
	}
	for (int s = from; s < to; s++) {
		for (size_t i = 0; i < stride; i++) {
			const int32_t value = values[(size_t)s * stride + i];
			out[i].least = value < out[i].least ? value : out[i].least;
			out[i].greatest = value > out[i].greatest ? value : out[i].greatest;
		}
	}
}

/* Bits being written, the lowest of each byte first. */
struct bits {
	struct buffer *out;
	uint64_t held;
	int count;
};

static void put_bits(struct bits *bits, uint32_t number, int count) {
	bits->held |= (uint64_t)number << bits->count;
	for (bits->count += count; bits->count >= 8; bits->count -= 8) {
		pclip_put(bits->out, bits->held & 255, 1);
		bits->held >>= 8;
	}
}

static void flush_bits(struct bits *bits) {
	if (bits->count > 0) {
		put_bits(bits, 0, 8 - bits->count);
	}
}

/* all: ranges over all samples; here is room for those of the segment. */
static void write_segment(const struct layout *layout, const int32_t *values, int from, int to,
	const struct range *all, struct range *here, struct buffer *out) {
	const size_t stride = (size_t)layout->channel_count;
	struct bits bits = {.out = out};
	find_ranges(layout, values, from, to, here);
	for (size_t i = 0; i < stride; i++) {
		const int width = width_of(&all[i]);
		put_bits(&bits, (uint32_t)width_of(&here[i]), LENGTH_BITS);
		if (width_of(&here[i]) < width) {
			put_bits(&bits, (uint32_t)(here[i].least - all[i].least), width);
		} else {
			here[i] = all[i];
		}
	}
	for (int s = from; s < to; s++) {
		for (size_t i = 0; i < stride; i++) {
			const int32_t value = values[(size_t)s * stride + i];
			put_bits(&bits, (uint32_t)(value - here[i].least), width_of(&here[i]));
		}
	}
	flush_bits(&bits);
}

static int write_packed(const struct layout *layout, const int32_t *values, int segment_samples,
	struct symbols *symbols, struct buffer *out) {
	(void)symbols;
	const int samples = layout->source->sample_count;
	const int length = segment_samples ? segment_samples : samples;
	const size_t count = (size_t)layout->channel_count;
	struct range *all = xcalloc(count, sizeof *all), *here = xcalloc(count, sizeof *here);
	struct buffer segments = {0};
	find_ranges(layout, values, 0, samples, all);
	for (size_t i = 0; i < count; i++) {
		const uint32_t sign = all[i].least < 0 ? UINT32_MAX : 0;
		pclip_put_varint(out, ((uint32_t)all[i].least << 1) ^ sign);
		pclip_put(out, (uint64_t)width_of(&all[i]), 1);
	}
	for (int from = 0; from < samples; from += length) {
		const int to = from + length < samples ? from + length : samples;
		pclip_put(out, segments.size, 4);
		write_segment(layout, values, from, to, all, here, &segments);
	}
	buffer_append(out, segments.data, segments.size);
	buffer_finish(&segments);
	free(all);
	free(here);
	return 0;
}

/* Nothing is predicted. */
static void predict_nothing(struct layout *layout, const int32_t *values, int segment_samples) {
	(void)values;
	(void)segment_samples;
	for (int i = 0; i < layout->track_count; i++) {
		memset(layout->tracks[i].predictor, 0, sizeof layout->tracks[i].predictor);
		memset(layout->tracks[i].magnitude, 0, sizeof layout->tracks[i].magnitude);
	}
}

const struct codec codec_bits = {.number = PCLIP_BITS,
	.segment_samples = 16,
	.is_quick = true,
	.encode = search_encode,
	.prepare = predict_nothing,
	.write = write_packed};
