// Numbers packed in bits.
#include "pclip_bits.h"

/* While a clip is open, its states hold ranges. */
enum { LEAST, WIDTH, LENGTH }; // of pclip_state.change

static int segment_count(const struct pclip_parts *parts) {
	const int length = parts->info.segment_samples;
	return length ? (parts->info.sample_count + length - 1) / length : 1;
}

bool pclip_open_bits(struct pclip_parts *parts, struct pclip_state *states, int count) {
	struct pclip_reader *reader = &parts->segments;
	for (int i = 0; i < count; i++) {
		const uint32_t least = pclip_take_varint(reader);
		const int width = (int)pclip_take_number(reader, 1);
		states[i].change[LEAST] = (int32_t)(least >> 1) ^ -(int32_t)(least & 1);
		states[i].change[WIDTH] = width;
		if (reader->failed || width > PCLIP_BITS_MAX || least >> 1 > PCLIP_VALUE_MAX) {
			return false;
		}
	}
	struct pclip_reader offsets = *reader;
	return count == 0 || pclip_take(&offsets, 4 * (size_t)segment_count(parts));
}

/* So many bits from a place on, the lowest first. */
static uint32_t take_bits(struct pclip_reader *reader, uint64_t *at, int bits) {
	const uint64_t size = (uint64_t)(reader->end - reader->at);
	if (*at + (uint64_t)bits > 8 * size) {
		reader->failed = true;
		return 0;
	}
	uint64_t found = 0;
	for (uint64_t byte = *at / 8; byte < size && byte < *at / 8 + 5; byte++) {
		found |= (uint64_t)reader->at[byte] << (8 * (byte - *at / 8));
	}
	found >>= *at % 8;
	*at += (uint64_t)bits;
	return (uint32_t)(found & ((1u << bits) - 1));
}

/* The bytes from a segment on. */
static struct pclip_reader find_segment(const struct pclip_parts *parts, int segment) {
	struct pclip_reader offsets = parts->segments, reader = parts->segments;
	pclip_take(&offsets, 4 * (size_t)segment);
	const size_t offset = (size_t)pclip_take_number(&offsets, 4);
	pclip_take(&reader, 4 * (size_t)segment_count(parts));
	pclip_take(&reader, offset);
	reader.failed |= offsets.failed;
	return reader;
}

bool pclip_read_bits(
	const struct pclip_parts *parts, struct pclip_state *states, int count, int sample) {
	const int length = parts->info.segment_samples;
	struct pclip_reader reader = find_segment(parts, length ? sample / length : 0);
	uint64_t at = 0, stride = 0;
	for (int i = 0; i < count && !reader.failed; i++) {
		const int width = states[i].change[WIDTH];
		const int bits = (int)take_bits(&reader, &at, PCLIP_BITS_LENGTH);
		reader.failed |= bits > PCLIP_BITS_MAX;
		states[i].change[LENGTH] = bits;
		states[i].value = states[i].change[LEAST] +
			(bits < width ? (int32_t)take_bits(&reader, &at, width) : 0);
		stride += (uint64_t)bits;
	}
	at += stride * (uint64_t)(length ? sample % length : sample);
	for (int i = 0; i < count && !reader.failed; i++) {
		states[i].value += (int32_t)take_bits(&reader, &at, states[i].change[LENGTH]);
	}
	return !reader.failed;
}
