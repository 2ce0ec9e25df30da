/* Streams of bits and the Huffman codes of BasisLZ, which are Deflate's but for the lengths'
 * alphabet. Source: Khronos' KTX File Format Specification 2.0, Compressed Huffman Tables; RFC
 * 1951, 3.2.2. */
#pragma once

#include <stdint.h>

#include "import/basis.h"

/* Longest code, and symbols of a table, which states their number in 14 bits. */
#define HUFFMAN_LENGTH_MAX 16
#define HUFFMAN_SYMBOLS_MAX 16383

/* Codes of up to so many bits are looked up at once. */
#define HUFFMAN_FAST_BITS 10

/* A stream, from the least significant bit of each byte. */
struct bit_stream {
	const unsigned char *at, *end;
	uint64_t ahead;    // bits taken from the bytes, but not yet read
	int ahead_count;   // their number
	const char *fault; // what is wrong with the data; NULL = nothing so far
};

struct huffman {
	uint16_t fast[1 << HUFFMAN_FAST_BITS]; // place in sorted of the code; with fast_length
	unsigned char
		length[1 << HUFFMAN_FAST_BITS]; // of the code that begins so; 0 = a longer one
	uint16_t count[HUFFMAN_LENGTH_MAX + 1]; // codes of each length
	uint16_t sorted[HUFFMAN_SYMBOLS_MAX];   // symbols by length, then by value
};

struct bit_stream bit_stream_of(const struct basis_bytes *bytes);

/* The next count bits, at most 32. Past the end: 0, and the stream has a fault. */
unsigned bit_stream_read(struct bit_stream *bits, int count);

/* Reads a table that lies in the stream. A table without symbols is valid, unless it is used. */
void huffman_read_table(struct bit_stream *bits, struct huffman *table);

/* The next symbol; 0, and the stream has a fault, where none of the table's codes is. */
unsigned huffman_read(struct bit_stream *bits, const struct huffman *table);
