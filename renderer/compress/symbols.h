/* Writes what pclip_model.h's coder records: symbols of the model's tables, and plain bits, as a
 * range-coded string of bytes. Source: Duda, Asymmetric numeral systems, 2009 (arXiv:0902.0271);
 * 32 bits of state, 16 bits at a time. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "pclip_model.h"

struct symbols;

/* Free with symbols_destroy(), which takes NULL. */
struct symbols *symbols_create(void);
void symbols_destroy(struct symbols *symbols);

/* A coder that records into it. */
struct pclip_coder symbols_coder(struct symbols *symbols);

/* Appends everything that was recorded as bytes, and forgets it. */
void symbols_write(struct symbols *symbols, struct buffer *out);

/* Counts of each symbol written so far, for those who measure the model's frequencies. */
const uint64_t (*symbols_counts(const struct symbols *symbols))[PCLIP_SYMBOLS];
