// Recorded symbols to bytes, the last one first, since a decoder takes them off like a stack.
#include "compress/symbols.h"

#include <stdlib.h>

#include "base/memory.h"

#define STATE_MIN (1u << 16)

struct symbol {
	int16_t table; // -1 = plain bits
	uint16_t symbol, bits;
};

struct symbols {
	struct symbol *list;
	size_t count, capacity;
	struct pclip_tables tables;
	uint64_t counts[PCLIP_TABLES][PCLIP_SYMBOLS];
};

struct symbols *symbols_create(void) {
	struct symbols *symbols = xcalloc(1, sizeof *symbols);
	pclip_fill_tables(&symbols->tables);
	return symbols;
}

void symbols_destroy(struct symbols *symbols) {
	if (symbols) {
		free(symbols->list);
		free(symbols);
	}
}

static void record(void *recorder, int table, int symbol, int bits) {
	struct symbols *symbols = recorder;
	if (symbols->count == symbols->capacity) {
		symbols->capacity = symbols->capacity ? 2 * symbols->capacity : 4096;
		symbols->list = xrealloc(symbols->list, symbols->capacity, sizeof *symbols->list);
	}
	symbols->list[symbols->count++] =
		(struct symbol){(int16_t)table, (uint16_t)symbol, (uint16_t)bits};
	if (table >= 0) {
		symbols->counts[table][symbol]++;
	}
}

struct pclip_coder symbols_coder(struct symbols *symbols) {
	return (struct pclip_coder){.record = record, .recorder = symbols};
}

static uint32_t frequency_of(const struct symbols *symbols, const struct symbol *symbol) {
	const uint16_t *first = symbols->tables.first[symbol->table];
	return (uint32_t)(first[symbol->symbol + 1] - first[symbol->symbol]);
}

void symbols_write(struct symbols *symbols, struct buffer *out) {
	uint16_t *words = xcalloc(symbols->count + 1, sizeof *words);
	size_t word_count = 0;
	uint32_t state = STATE_MIN;
	for (size_t i = symbols->count; i-- > 0;) {
		const struct symbol *symbol = &symbols->list[i];
		const bool plain = symbol->table < 0;
		const uint32_t frequency = plain ? 0 : frequency_of(symbols, symbol);
		const uint64_t limit =
			plain ? (uint64_t)1 << (32 - symbol->bits) : (uint64_t)frequency << 20;
		if (state >= limit) {
			words[word_count++] = (uint16_t)state;
			state >>= 16;
		}
		state = plain ? state << symbol->bits | symbol->symbol
			      : (state / frequency << PCLIP_PROBABILITY_BITS) + state % frequency +
				symbols->tables.first[symbol->table][symbol->symbol];
	}
	unsigned char *bytes = buffer_reserve(out, 4 + 2 * word_count);
	for (int i = 0; i < 4; i++) {
		*bytes++ = (unsigned char)(state >> (8 * i));
	}
	while (word_count-- > 0) {
		*bytes++ = (unsigned char)words[word_count];
		*bytes++ = (unsigned char)(words[word_count] >> 8);
	}
	out->size = (size_t)(bytes - out->data);
	symbols->count = 0;
	free(words);
}

const uint64_t (*symbols_counts(const struct symbols *symbols))[PCLIP_SYMBOLS] {
	return (const uint64_t(*)[PCLIP_SYMBOLS])symbols->counts;
}
