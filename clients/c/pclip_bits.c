// Numbers packed in bits.
#include "pclip_bits.h"

#include "pclip_wide.h"

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

/* Eight bytes, in one load, as compilers see it. */
static inline uint64_t load_bytes(const unsigned char *from) {
	return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
		(uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
		(uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

/* At least 32 bits from a place on, the lowest first; zeros past the end. Places up to 2^60.
 * inside: eight bytes are there. */
PCLIP_INLINE uint64_t bits_from(const struct pclip_reader *reader, uint64_t at, bool inside) {
	const uint64_t byte = at / 8, size = (uint64_t)(reader->end - reader->at);
	uint64_t found = 0;
	if (inside || byte + 8 <= size) {
		found = load_bytes(reader->at + byte);
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

/* Reads ranges of a segment, and where its samples begin. False for damage. */
PCLIP_INLINE bool take_ranges(
	const struct pclip_reader *reader, struct pclip_bits *bits, int count, bool inside) {
	uint64_t at = 0, stride = 0;
	bool sound = true;
	for (int i = 0; i < count; i++) {
		struct pclip_range *range = &bits->ranges[i];
		const uint64_t found = bits_from(reader, at, inside);
		const unsigned length = found & ((1u << PCLIP_BITS_LENGTH) - 1);
		range->length = (uint8_t)length;
		range->mask = (1u << length) - 1;
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
	bits->at = at;
	bits->stride = stride;
	return sound && has_bits(reader, at);
}

/* Reads what a segment begins with: how many bits each number takes, and what they are added to. */
static bool read_ranges(
	const struct pclip_reader *reader, struct pclip_bits *bits, int segment, int count) {
	const uint64_t most = PCLIP_BITS_LENGTH + PCLIP_BITS_MAX;
	bits->segment = -1;
	if (!(has_bits(reader, most * (uint64_t)count + 64)
			    ? take_ranges(reader, bits, count, true)
			    : take_ranges(reader, bits, count, false))) {
		return false;
	}
	bits->segment = segment;
	return true;
}

PCLIP_INLINE void take_numbers(const struct pclip_reader *reader, const struct pclip_range *ranges,
	uint64_t at, double *numbers, int count, bool inside) {
	for (int i = 0; i < count; i++) {
		const uint32_t more = (uint32_t)bits_from(reader, at, inside) & ranges[i].mask;
		numbers[i] = ranges[i].segment_least + (int32_t)more;
		at += ranges[i].length;
	}
}

bool pclip_read_bits(const struct pclip_parts *parts, struct pclip_bits *bits, double *numbers,
	int count, int sample) {
	const int length = parts->info.segment_samples;
	const int segment = length ? sample / length : 0;
	const struct pclip_reader reader = find_segment(parts, segment);
	if (reader.failed ||
		(segment != bits->segment && !read_ranges(&reader, bits, segment, count))) {
		return false;
	}
	const uint64_t place = (uint64_t)(length ? sample & (length - 1) : sample);
	const uint64_t at = bits->at + bits->stride * place, end = at + bits->stride;
	if (!has_bits(&reader, end)) {
		return false;
	}
	if (has_bits(&reader, end + 64)) {
		take_numbers(&reader, bits->ranges, at, numbers, count, true);
	} else {
		take_numbers(&reader, bits->ranges, at, numbers, count, false);
	}
	return true;
}
