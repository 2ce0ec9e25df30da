// ETC1S: codebooks of endpoints and selectors, and slices, which name one of each for a block.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/basis_huffman.h"

/* What the pixels of a block may be: a base colour, changed by one of four modifiers. */
struct endpoint {
	unsigned char color[3]; // 5 bits each
	unsigned char table;    // of modifiers, 3 bits
};

/* Two bits of each texel, first texel lowest, a byte for each row. */
struct selector {
	unsigned char rows[BASIS_SIDE];
};

/* Endpoints of four neighbouring blocks are predicted by one symbol; above them is that of a run.
 */
#define PREDICTIONS_REPEAT 256
#define PREDICTIONS_REPEAT_LEAST 3

/* The symbol for a run of the same selector whose length follows, and the least length. */
#define RUN_LONG 63
#define RUN_LEAST 3

/* Everything but the slices. */
struct codebooks {
	struct endpoint *endpoints; // [endpoint_count]
	struct selector *selectors; // [selector_count]
	unsigned endpoint_count, selector_count, history_size;
	struct huffman predictions, deltas, selections, runs;
};

/* A slice that is being read. */
struct slice {
	struct bit_stream bits;
	const struct codebooks *books;
	uint16_t *above; // [blocks_x] endpoints of the row above, from the present block on
	unsigned char *predictions;          // [blocks_x / 2 + 1] of the row below
	uint16_t *history;                   // [history_size] selectors, those in use first
	unsigned history_next;               // where the next one goes
	unsigned prediction, prediction_run; // the last symbol, and how often it comes again
	unsigned selection_run;              // blocks that still have the latest selector
	unsigned endpoint;                   // of the block before
};

static void fail(struct bit_stream *bits, const char *fault) {
	if (!bits->fault) {
		bits->fault = fault;
	}
}

static bool report(const struct bit_stream *bits, const char *part, struct error *err) {
	return !bits->fault ||
		error_set(err, ERROR_BROKEN_ASSET, "KTX 2: the BasisLZ data for %s %s", part,
			bits->fault);
}

/* --- Codebooks --- */

static unsigned read_color(
	struct bit_stream *bits, const struct huffman models[static 3], unsigned before) {
	const struct huffman *model = &models[before < 10 ? 0 : before < 22 ? 1 : 2];
	return (before + huffman_read(bits, model)) & 31;
}

static bool read_endpoints(
	struct codebooks *books, const struct basis_bytes *bytes, struct error *err) {
	struct huffman *models = try_alloc(4, sizeof *models, "Huffman tables", err);
	if (!models) {
		return false;
	}
	struct bit_stream bits = bit_stream_of(bytes);
	for (int i = 0; i < 4; i++) {
		huffman_read_table(&bits, &models[i]);
	}
	const int channels = bit_stream_read(&bits, 1) ? 1 : 3;
	struct endpoint last = {{16, 16, 16}, 0};
	for (unsigned i = 0; i < books->endpoint_count && !bits.fault; i++) {
		last.table = (last.table + huffman_read(&bits, &models[3])) & 7;
		for (int k = 0; k < channels; k++) {
			last.color[k] = (unsigned char)read_color(&bits, models, last.color[k]);
		}
		if (channels == 1) {
			last.color[1] = last.color[2] = last.color[0];
		}
		books->endpoints[i] = last;
	}
	free(models);
	return report(&bits, "endpoints", err);
}

static bool read_selectors(
	struct codebooks *books, const struct basis_bytes *bytes, struct error *err) {
	struct huffman *deltas = try_alloc(1, sizeof *deltas, "Huffman tables", err);
	if (!deltas) {
		return false;
	}
	struct bit_stream bits = bit_stream_of(bytes);
	if (bit_stream_read(&bits, 2) != 0) {
		fail(&bits, "has reserved bits");
	}
	const bool plain = bit_stream_read(&bits, 1);
	if (!plain) {
		huffman_read_table(&bits, deltas);
	}
	for (unsigned i = 0; i < books->selector_count && !bits.fault; i++) {
		for (int y = 0; y < BASIS_SIDE; y++) {
			const unsigned row = plain || i == 0
				? bit_stream_read(&bits, 8)
				: huffman_read(&bits, deltas) ^ books->selectors[i - 1].rows[y];
			books->selectors[i].rows[y] = (unsigned char)row;
		}
	}
	free(deltas);
	return report(&bits, "selectors", err);
}

static bool read_tables(
	struct codebooks *books, const struct basis_bytes *bytes, struct error *err) {
	struct bit_stream bits = bit_stream_of(bytes);
	huffman_read_table(&bits, &books->predictions);
	huffman_read_table(&bits, &books->deltas);
	huffman_read_table(&bits, &books->selections);
	huffman_read_table(&bits, &books->runs);
	books->history_size = bit_stream_read(&bits, 13);
	return report(&bits, "tables", err);
}

static void codebooks_destroy(struct codebooks *books) {
	if (books) {
		free(books->endpoints);
		free(books->selectors);
		free(books);
	}
}

static struct codebooks *codebooks_read(const struct basis_etc1s *etc1s, struct error *err) {
	if (etc1s->endpoint_count < 1 || etc1s->selector_count < 1) {
		error_set(err, ERROR_BROKEN_ASSET,
			"KTX 2: %u endpoints and %u selectors, must be more", etc1s->endpoint_count,
			etc1s->selector_count);
		return NULL;
	}
	struct codebooks *books = try_calloc(1, sizeof *books, "codebooks", err);
	if (!books) {
		return NULL;
	}
	books->endpoint_count = etc1s->endpoint_count;
	books->selector_count = etc1s->selector_count;
	books->endpoints =
		try_alloc(books->endpoint_count, sizeof *books->endpoints, "endpoints", err);
	books->selectors =
		try_alloc(books->selector_count, sizeof *books->selectors, "selectors", err);
	if (!books->endpoints || !books->selectors ||
		!read_endpoints(books, &etc1s->endpoints, err) ||
		!read_selectors(books, &etc1s->selectors, err) ||
		!read_tables(books, &etc1s->tables, err)) {
		codebooks_destroy(books);
		return NULL;
	}
	return books;
}

/* --- Slices --- */

/* A number in groups of so many bits, lowest first, with a bit above each that tells whether more
 * come. */
static unsigned read_number(struct bit_stream *bits, int group) {
	uint64_t value = 0;
	for (int shift = 0; shift < 32; shift += group) {
		const unsigned part = bit_stream_read(bits, group + 1);
		value |= (uint64_t)(part & ((1U << group) - 1)) << shift;
		if (!(part >> group)) {
			return (unsigned)value;
		}
	}
	fail(bits, "has a number that does not end");
	return 0;
}

/* The predictions of four blocks, two bits each: this one, its right neighbour, those below. */
static unsigned read_predictions(struct slice *slice) {
	if (slice->prediction_run > 0) {
		slice->prediction_run--;
		return slice->prediction;
	}
	const unsigned symbol = huffman_read(&slice->bits, &slice->books->predictions);
	if (symbol == PREDICTIONS_REPEAT) {
		slice->prediction_run = read_number(&slice->bits, 4) + PREDICTIONS_REPEAT_LEAST - 1;
	} else if (symbol > PREDICTIONS_REPEAT) {
		fail(&slice->bits, "has a prediction that cannot be");
	} else {
		slice->prediction = symbol;
	}
	return slice->prediction;
}

/* The block's endpoint, by its prediction. corner is the endpoint of the block above to the left.
 */
static unsigned read_endpoint(
	struct slice *slice, unsigned prediction, size_t x, size_t y, unsigned corner) {
	if ((x == 0 && prediction % 2 == 0) || (y == 0 && (prediction == 1 || prediction == 2))) {
		fail(&slice->bits, "predicts a block by one outside of the image");
		return 0;
	}
	switch (prediction) {
	case 0:
		return slice->endpoint;
	case 1:
		return slice->above[x];
	case 2:
		return corner;
	default:
		break;
	}
	const unsigned count = slice->books->endpoint_count;
	const unsigned sum = slice->endpoint + huffman_read(&slice->bits, &slice->books->deltas);
	if (sum >= 2 * count) {
		fail(&slice->bits, "has an endpoint that is not there");
		return 0;
	}
	return sum < count ? sum : sum - count;
}

/* Adds a selector to the later half of the history. */
static void remember(struct slice *slice, unsigned selector) {
	const unsigned size = slice->books->history_size;
	if (size > 0) {
		slice->history[slice->history_next++] = (uint16_t)selector;
		slice->history_next = slice->history_next < size ? slice->history_next : size / 2;
	}
}

/* The selector at a place of the history, and moves it half of the way to the front. */
static unsigned recall(struct slice *slice, unsigned place) {
	const uint16_t selector = slice->history[place];
	slice->history[place] = slice->history[place / 2];
	slice->history[place / 2] = selector;
	return selector;
}

static unsigned read_selector(struct slice *slice) {
	const struct codebooks *books = slice->books;
	unsigned place = 0;
	if (slice->selection_run > 0) {
		slice->selection_run--;
	} else {
		const unsigned symbol = huffman_read(&slice->bits, &books->selections);
		if (symbol < books->selector_count) {
			remember(slice, symbol);
			return symbol;
		}
		place = symbol - books->selector_count;
		if (place == books->history_size) {
			const unsigned run = huffman_read(&slice->bits, &books->runs);
			slice->selection_run = RUN_LEAST - 1 +
				(run == RUN_LONG ? read_number(&slice->bits, 7) : run);
			place = 0;
		}
	}
	if (place >= books->history_size) {
		fail(&slice->bits, "has a selector that is not there");
		return 0;
	}
	return recall(slice, place);
}

/* The four colours of a block, by selector. */
static void block_colors(const struct endpoint *endpoint, unsigned char colors[static 4][3]) {
	static const int modifiers[8][2] = {
		{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
	const int *by = modifiers[endpoint->table];
	const int added[4] = {-by[1], -by[0], by[0], by[1]};
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 3; k++) {
			const int base = endpoint->color[k] << 3 | endpoint->color[k] >> 2;
			const int value = base + added[i];
			colors[i][k] = (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
		}
	}
}

/* Fills the part of a block that lies in the image: RGB and an opaque alpha, or with channel not
 * negative only that one, from green. */
static void put_block(const struct image *image, size_t x, size_t y,
	const struct endpoint *endpoint, const struct selector *selector, int channel) {
	unsigned char colors[4][3];
	block_colors(endpoint, colors);
	const size_t width = (size_t)image->width, height = (size_t)image->height;
	for (size_t row = 0; row < BASIS_SIDE && BASIS_SIDE * y + row < height; row++) {
		unsigned char *out =
			image->rgba + ((BASIS_SIDE * y + row) * width + BASIS_SIDE * x) * 4;
		for (size_t i = 0; i < BASIS_SIDE && BASIS_SIDE * x + i < width; i++, out += 4) {
			const unsigned char *color = colors[selector->rows[row] >> 2 * i & 3];
			if (channel >= 0) {
				out[channel] = color[1];
			} else {
				memcpy(out, color, 3);
				out[3] = 255;
			}
		}
	}
}

static void read_row(struct slice *slice, const struct image *image, size_t y, int channel) {
	const size_t blocks_x = basis_block_count(image->width);
	unsigned corner = 0, predictions = 0;
	for (size_t x = 0; x < blocks_x && !slice->bits.fault; x++) {
		if (x % 2 == 0 && y % 2 == 0) {
			predictions = read_predictions(slice);
			slice->predictions[x / 2] = (unsigned char)(predictions >> 4);
		} else if (x % 2 == 0) {
			predictions = slice->predictions[x / 2];
		}
		const unsigned above = slice->above[x];
		slice->endpoint = read_endpoint(slice, predictions & 3, x, y, corner);
		slice->above[x] = (uint16_t)slice->endpoint;
		corner = above;
		predictions >>= 2;
		const unsigned selector = read_selector(slice);
		put_block(image, x, y, &slice->books->endpoints[slice->endpoint],
			&slice->books->selectors[selector], channel);
	}
}

static bool read_slice(const struct codebooks *books, const struct basis_bytes *bytes,
	const struct image *image, int channel, struct error *err) {
	const size_t blocks_x = basis_block_count(image->width);
	struct slice slice = {.bits = bit_stream_of(bytes),
		.books = books,
		.above = try_calloc(blocks_x, sizeof *slice.above, "blocks", err),
		.predictions = try_calloc(blocks_x / 2 + 1, 1, "blocks", err),
		.history =
			try_calloc(books->history_size + 1, sizeof *slice.history, "blocks", err),
		.history_next = books->history_size / 2};
	const bool room = slice.above && slice.predictions && slice.history;
	for (size_t y = 0; room && y < basis_block_count(image->height); y++) {
		read_row(&slice, image, y, channel);
	}
	free(slice.above);
	free(slice.predictions);
	free(slice.history);
	return room && report(&slice.bits, "an image", err);
}

bool basis_etc1s_decode(
	const struct basis_etc1s *etc1s, const struct image *image, struct error *err) {
	struct codebooks *books = codebooks_read(etc1s, err);
	const bool decoded = books && read_slice(books, &etc1s->slice, image, -1, err) &&
		(etc1s->second_slice.size == 0 ||
			read_slice(books, &etc1s->second_slice, image, etc1s->second_channel, err));
	codebooks_destroy(books);
	return decoded;
}
