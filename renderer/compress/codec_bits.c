// The codec "bits": every number of a segment in as many bits as their range there takes. Any
// sample is decoded as fast as any other. Source: METHODS D.6, with integers of the search in the
// place of range-reduced floats.
#include <string.h>

#include "compress/codec.h"
#include "compress/pclip_write.h"

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

static struct range range_of(
	const struct layout *layout, const int32_t *values, int channel, int from, int to) {
	const size_t stride = (size_t)layout->channel_count;
	struct range range = {INT32_MAX, INT32_MIN};
	for (int s = from; s < to; s++) {
		const int32_t value = values[(size_t)s * stride + (size_t)channel];
		range.least = value < range.least ? value : range.least;
		range.greatest = value > range.greatest ? value : range.greatest;
	}
	return range;
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

static void write_segment(
	const struct layout *layout, const int32_t *values, int from, int to, struct buffer *out) {
	const size_t stride = (size_t)layout->channel_count;
	const int samples = layout->source->sample_count;
	struct bits bits = {.out = out};
	for (int i = 0; i < layout->channel_count; i++) {
		const struct range all = range_of(layout, values, i, 0, samples);
		const struct range here = range_of(layout, values, i, from, to);
		put_bits(&bits, (uint32_t)width_of(&here), LENGTH_BITS);
		if (width_of(&here) < width_of(&all)) {
			put_bits(&bits, (uint32_t)(here.least - all.least), width_of(&all));
		}
	}
	for (int s = from; s < to; s++) {
		for (int i = 0; i < layout->channel_count; i++) {
			const struct range all = range_of(layout, values, i, 0, samples);
			const struct range here = range_of(layout, values, i, from, to);
			const int32_t least =
				width_of(&here) < width_of(&all) ? here.least : all.least;
			put_bits(&bits, (uint32_t)(values[(size_t)s * stride + (size_t)i] - least),
				width_of(&here));
		}
	}
	flush_bits(&bits);
}

static int write_packed(const struct layout *layout, const int32_t *values, int segment_samples,
	struct symbols *symbols, struct buffer *out) {
	(void)symbols;
	const int samples = layout->source->sample_count;
	const int length = segment_samples ? segment_samples : samples;
	struct buffer segments = {0};
	for (int i = 0; i < layout->channel_count; i++) {
		const struct range all = range_of(layout, values, i, 0, samples);
		const uint32_t sign = all.least < 0 ? UINT32_MAX : 0;
		pclip_put_varint(out, ((uint32_t)all.least << 1) ^ sign);
		pclip_put(out, (uint64_t)width_of(&all), 1);
	}
	for (int from = 0; from < samples; from += length) {
		pclip_put(out, segments.size, 4);
		write_segment(layout, values, from,
			from + length < samples ? from + length : samples, &segments);
	}
	buffer_append(out, segments.data, segments.size);
	buffer_finish(&segments);
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

const struct codec codec_bits = {.name = "bits",
	.number = PCLIP_BITS,
	.segment_samples = 16,
	.prepare = predict_nothing,
	.write = write_packed};
