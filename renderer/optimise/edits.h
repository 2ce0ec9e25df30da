/* Changes to parts of a JSON text, all else of which stays byte for byte. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/json_span.h"

struct edit {
	const char *at; // in the text
	size_t size;    // bytes that go
	const char *text;
	size_t length; // of what takes their place
};

/* {.arena = arena} begins. An edit within a part that goes is void. */
struct edits {
	struct arena *arena;
	struct edit *list; // [count] in the arena
	int count, room;
};

/* A part is replaced by a text, which is copied. */
void edits_replace(struct edits *edits, struct json_span part, const char *text, size_t length);
void edits_replace_whole(struct edits *edits, struct json_span part, uint64_t number);

/* A member of an object that has others gets a number, whether or not it is there. */
void edits_set_whole(
	struct edits *edits, struct json_span object, const char *name, uint64_t number);

/* Has a document's list of extensions name one. */
void edits_name_extension(
	struct edits *edits, struct json_span document, const char *list, const char *extension);

/* The text is put in front of a place. */
void edits_insert(struct edits *edits, const char *at, const char *text, size_t length);

/* Takes items out of a list or members out of an object, those whose place goes[] says so. */
void edits_remove(struct edits *edits, struct json_span container, const bool *goes);

/* Takes one member out of an object; nothing where it has none of that name. Not for two members of
 * one object. */
void edits_remove_member(struct edits *edits, struct json_span object, const char *name);

/* Appends the text as it is changed. */
void edits_apply(struct edits *edits, struct json_span text, struct buffer *out);
