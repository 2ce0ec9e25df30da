// Bits and Huffman codes of BasisLZ.
#include "import/basis_huffman.h"

#include <string.h>

struct bit_stream bit_stream_of(const struct basis_bytes *bytes) {
	return (struct bit_stream){.at = bytes->data, .end = bytes->data + bytes->size};
}

static void fail(struct bit_stream *bits, const char *fault) {
	if (!bits->fault) {
		bits->fault = fault;
	}
}

static void look_ahead(struct bit_stream *bits) {
	while (bits->ahead_count <= 56 && bits->at < bits->end) {
		bits->ahead |= (uint64_t)*bits->at++ << bits->ahead_count;
		bits->ahead_count += 8;
	}
}

/* Leaves so many bits behind, which need not be there. */
static void skip(struct bit_stream *bits, int count) {
	if (count > bits->ahead_count) {
		fail(bits, "is cut off");
		count = bits->ahead_count;
	}
	bits->ahead >>= count;
	bits->ahead_count -= count;
}

unsigned bit_stream_read(struct bit_stream *bits, int count) {
	look_ahead(bits);
	const uint64_t value = bits->ahead & (((uint64_t)1 << count) - 1);
	skip(bits, count);
	return bits->fault ? 0 : (unsigned)value;
}

/* The place in sorted of the code that begins the bits ahead, first bit highest; *length is 0 if
 * there is none. */
static unsigned find_code(const struct huffman *table, uint64_t ahead, int *length) {
	unsigned code = 0, first = 0, place = 0;
	for (*length = 1; *length <= HUFFMAN_LENGTH_MAX; ++*length) {
		const unsigned count = table->count[*length];
		code = code << 1 | (ahead & 1);
		ahead >>= 1;
		if (code - first < count) {
			return place + code - first;
		}
		place += count;
		first = (first + count) << 1;
	}
	*length = 0;
	return 0;
}

unsigned huffman_read(struct bit_stream *bits, const struct huffman *table) {
	look_ahead(bits);
	const unsigned start = bits->ahead & ((1U << HUFFMAN_FAST_BITS) - 1);
	int length = table->length[start];
	unsigned place = table->fast[start];
	if (length == 0) {
		place = find_code(table, bits->ahead, &length);
	}
	if (length == 0) {
		fail(bits, "has a code that is not in its table");
	}
	skip(bits, length);
	return bits->fault ? 0 : table->sorted[place];
}

static void make_fast(struct huffman *table) {
	for (unsigned start = 0; start < 1U << HUFFMAN_FAST_BITS; start++) {
		int length;
		const unsigned place = find_code(table, start, &length);
		table->fast[start] = (uint16_t)place;
		table->length[start] = (unsigned char)(length <= HUFFMAN_FAST_BITS ? length : 0);
	}
}

/* False unless the codes fill the space of all bits; a single code may leave some of it. */
static bool is_complete(const struct huffman *table) {
	int left = 1, symbols = 0;
	for (int length = 1; length <= HUFFMAN_LENGTH_MAX; length++) {
		left = 2 * left - table->count[length];
		symbols += table->count[length];
		if (left < 0) {
			return false;
		}
	}
	return left == 0 || symbols <= 1;
}

/* Makes the table from the lengths of the symbols' codes; 0 = a symbol has none. */
static void make_table(struct bit_stream *bits, struct huffman *table, const unsigned char *lengths,
	unsigned symbols) {
	uint16_t next[HUFFMAN_LENGTH_MAX + 1] = {0};
	memset(table->count, 0, sizeof table->count);
	for (unsigned symbol = 0; symbol < symbols; symbol++) {
		table->count[lengths[symbol]]++;
	}
	table->count[0] = 0;
	for (int length = 1; length < HUFFMAN_LENGTH_MAX; length++) {
		next[length + 1] = (uint16_t)(next[length] + table->count[length]);
	}
	for (unsigned symbol = 0; symbol < symbols; symbol++) {
		if (lengths[symbol] > 0) {
			table->sorted[next[lengths[symbol]]++] = (uint16_t)symbol;
		}
	}
	if (!is_complete(table)) {
		fail(bits, "has a Huffman table whose codes do not fit together");
		return;
	}
	make_fast(table);
}

/* What a symbol of the lengths' alphabet above the lengths means: a run of so many at least, whose
 * further number is in so many bits, of zeros or of the length before. */
static const struct run {
	unsigned least;
	int bits;
	bool repeats;
} runs[] = {{3, 3, false}, {11, 7, false}, {3, 2, true}, {7, 7, true}};

#define FIRST_RUN (HUFFMAN_LENGTH_MAX + 1)
#define LENGTH_SYMBOLS 21

/* Reads the lengths of the codes, which are Huffman coded themselves. */
static void read_lengths(struct bit_stream *bits, const struct huffman *of_lengths,
	unsigned char *lengths, unsigned symbols) {
	for (unsigned at = 0; at < symbols && !bits->fault;) {
		const unsigned symbol = huffman_read(bits, of_lengths);
		if (symbol < FIRST_RUN) {
			lengths[at++] = (unsigned char)symbol;
			continue;
		}
		const struct run *run = &runs[symbol - FIRST_RUN];
		const unsigned count = run->least + bit_stream_read(bits, run->bits);
		const unsigned char length = run->repeats && at > 0 ? lengths[at - 1] : 0;
		if (count > symbols - at || (run->repeats && length == 0)) {
			fail(bits, "has a run of code lengths that cannot be");
			return;
		}
		memset(lengths + at, length, count);
		at += count;
	}
}

void huffman_read_table(struct bit_stream *bits, struct huffman *table) {
	static const unsigned char order[LENGTH_SYMBOLS] = {
		17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16};
	unsigned char lengths[HUFFMAN_SYMBOLS_MAX] = {0}, of_lengths[LENGTH_SYMBOLS] = {0};
	const unsigned symbols = bit_stream_read(bits, 14);
	if (symbols > 0) {
		const unsigned count = bit_stream_read(bits, 5);
		if (count < 1 || count > LENGTH_SYMBOLS) {
			fail(bits, "has a Huffman table without lengths of codes");
			return;
		}
		for (unsigned i = 0; i < count; i++) {
			of_lengths[order[i]] = (unsigned char)bit_stream_read(bits, 3);
		}
		make_table(bits, table, of_lengths, LENGTH_SYMBOLS);
		read_lengths(bits, table, lengths, symbols);
	}
	if (!bits->fault) {
		make_table(bits, table, lengths, symbols);
	}
}
