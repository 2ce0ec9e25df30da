/* The parts of a GLB that animations are made of, as they stand in the file, and who else uses
 * them. The file has been imported before, so that its JSON is well-formed. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/json_span.h"

/* Stands in the list for a view that is gone, so that the others keep their positions. */
#define PLACEHOLDER_VIEW "{\"buffer\":0,\"byteLength\":1}"

/* An accessor or a buffer view. */
struct part {
	struct json_span text;
	int view;             // of an accessor: its buffer view; -1 = none
	uint64_t at, size;    // of a view: its bytes in the file's own buffer, size 0 = elsewhere
	uint64_t bytes;       // of an accessor: of its elements
	bool is_kept;         // what stays in the file uses it
	bool is_of_animation; // a replaced sampler uses it
	bool is_counted;      // among the bytes of a clip before
};

struct channel_part {
	struct json_span text, sampler, target;
	uint64_t sampler_index;
	int node, path; // path: 0 translation, 1 rotation, 2 scale, 3 weights
	bool is_replaced;
};

struct animation_part {
	struct json_span text, samplers;
	int channel_count, sampler_count;
	struct channel_part *channels;
	struct json_span *sampler_texts;
	bool is_left; // stays as it is: channels by pointers
};

struct parts {
	const unsigned char *bytes, *bin; // of the file and of its own buffer; bin NULL = none
	size_t bin_size;
	struct json_span json;
	const unsigned char *rest; // chunks behind these two
	size_t rest_size;
	int accessor_count, view_count, animation_count;
	struct part *accessors, *views;
	struct animation_part *animations;
};

/* Takes a file apart, in the arena. ERROR_UNSUPPORTED_ASSET for what is no GLB, and for names in
 * its JSON that are escaped. */
bool parts_read(
	const void *bytes, size_t size, struct arena *arena, struct parts *out, struct error *err);

/* Notes what is used by what, once all channels say whether they are replaced: accessors and views
 * that only replaced samplers use stay unkept. */
void parts_note_users(struct parts *parts);

/* The object that says where a view's bytes are: the view, or the extension that packs it. */
struct json_span parts_view_source(const struct part *view);

/* Marks the views, [view_count], that anything but accessors' own elements names. */
void parts_note_other_views(const struct parts *parts, bool *others);

/* True when both stay unkept, and animations used it. */
bool parts_is_free(const struct part *part);
