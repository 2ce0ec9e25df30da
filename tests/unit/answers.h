/* Answers as the tests of the caches make them: all of them follow from a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cached;

#define TAG_BYTES 35 // two quotes, 32 digits, NUL

/* The tag of a number; tags of different numbers differ in all their digits. */
void answer_tag(unsigned number, char tag[static TAG_BYTES]);

/* A new answer with a body of so many bytes and two headers. */
struct cached *answer_make(unsigned number, size_t body_bytes);

/* True if a response equals byte for byte the one that answer_make() made of the number. */
bool answer_is(const struct cached *answer, unsigned number, size_t body_bytes);
