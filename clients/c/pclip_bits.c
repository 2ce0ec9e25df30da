// Numbers packed in bits.
#include "pclip_bits.h"

static int segment_count(const struct pclip_parts *parts) {
	const int length = parts->info.segment_samples;
	return length ? (parts->info.sample_count + length - 1) / length : 1;
}

bool pclip_open_bits(struct pclip_parts *parts, struct pclip_bits *bits, int count) {
	struct pclip_reader *reader = &parts->segments;
	bits->segment = -1;
	for (int i = 0; i < count; i++) {
		const uint32_t least = pclip_take_varint(reader);
		const int width = (int)pclip_take_number(reader, 1);
		bits->ranges[i].least = (int32_t)(least >> 1) ^ -(int32_t)(least & 1);
		bits->ranges[i].width = (uint8_t)width;
		if (reader->failed || width > PCLIP_BITS_MAX || least >> 1 > PCLIP_VALUE_MAX) {
			return false;
		}
	}
	struct pclip_reader offsets = *reader;
	return count == 0 || pclip_take(&offsets, 4 * (size_t)segment_count(parts));
}

/* At least 32 bits from a place on, the lowest first; zeros past the end. Places up to 2^60. */
static inline uint64_t bits_from(const struct pclip_reader *reader, uint64_t at) {
	const uint64_t byte = at / 8, size = (uint64_t)(reader->end - reader->at);
	uint64_t found = 0;
	if (byte + 8 <= size) {
		/* One load, as compilers see it. */
		const unsigned char *from = reader->at + byte;
		found = (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
			(uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 |
			(uint64_t)from[5] << 40 | (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
	} else {
		for (uint64_t i = byte; i < size; i++) {
			found |= (uint64_t)reader->at[i] << (8 * (i - byte));
		}
	}
	return found >> at % 8;
}

static inline bool has_bits(const struct pclip_reader *reader, uint64_t at) {
	return at <= 8 * (uint64_t)(reader->end - reader->at);
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

/* Reads what a segment begins with: how many bits each number takes, and what they are added to. */
static bool read_ranges(
	const struct pclip_reader *reader, struct pclip_bits *bits, int segment, int count) {
	uint64_t at = 0, stride = 0;
	bool sound = true;
	bits->segment = -1;
	for (int i = 0; i < count; i++) {
		struct pclip_range *range = &bits->ranges[i];
		const uint64_t found = bits_from(reader, at);
		const unsigned length = found & ((1u << PCLIP_BITS_LENGTH) - 1);
		range->length = (uint8_t)length;
		range->segment_least = range->least;
		at += PCLIP_BITS_LENGTH;
		if (length < range->width) {
			range->segment_least +=
				(int32_t)(found >> PCLIP_BITS_LENGTH) & ((1 << range->width) - 1);
			at += range->width;
		}
		sound &= length <= PCLIP_BITS_MAX;
		stride += length;
	}
	if (!sound || !has_bits(reader, at)) {
		return false;
	}
	bits->segment = segment;
	bits->at = at;
	bits->stride = stride;
	return true;
}

bool pclip_read_bits(const struct pclip_parts *parts, struct pclip_bits *bits,
	struct pclip_state *states, int count, int sample) {
	const int length = parts->info.segment_samples;
	const int segment = length ? sample / length : 0;
	const struct pclip_reader reader = find_segment(parts, segment);
	if (reader.failed ||
		(segment != bits->segment && !read_ranges(&reader, bits, segment, count))) {
		return false;
	}
	uint64_t at = bits->at + bits->stride * (uint64_t)(length ? sample & (length - 1) : sample);
	if (!has_bits(&reader, at + bits->stride)) {
		return false;
	}
	for (int i = 0; i < count; i++) {
		const struct pclip_range *range = &bits->ranges[i];
		const uint32_t more =
			(uint32_t)bits_from(&reader, at) & ((1u << range->length) - 1);
		states[i].value = range->segment_least + (int32_t)more;
		at += range->length;
	}
	return true;
}
