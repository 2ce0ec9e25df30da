/* Value trees for tests, written as JSON with ' for ". */
#pragma once

#include "base/arena.h"
#include "base/value.h"

/* Fails the test when the text is no JSON. The tree lives in the arena. */
const struct value *json_value(struct arena *arena, const char *text);

/* Fails the test unless *err has this code, this place (NULL = none) and a text with this piece. */
void expect_error(
	const struct error *err, enum error_code code, const char *pointer, const char *piece);

/* A body that is refused: with which words, and at which place. */
struct refusal {
	const char *body; // ' for "
	enum error_code code;
	const char *pointer, *piece;
};

/* Fails the test unless a reader refuses each of the rows, [count], as it says. The arena dies with
 * the row. */
void expect_refusals(bool (*read)(const struct value *body, struct arena *arena, struct error *err),
	const struct refusal *rows, size_t count);
