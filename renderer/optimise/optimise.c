// GLBs whose clips have few keys: the file around the animations.
#include "interface/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/layout.h"
#include "compress/measure.h"
#include "export/packer.h"
#include "optimise/animation.h"
#include "optimise/container.h"
#include "optimise/fresh.h"
#include "pose/sample/sampler.h"

#define TOLERANCE_SHARE (1.0 / 300) // of the shell's radius: 0.1 mm of 3 cm
#define ALIGNMENT 4u
#define GLB_ALIGNED(size) (((size) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)
#define MESHOPT "EXT_meshopt_compression"
#define PLACEHOLDER_ACCESSOR "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}"

double renderer_optimise_tolerance(const struct rig *rig) {
	return TOLERANCE_SHARE * error_shell_default_radius(rig);
}

double renderer_optimise_diagonal(const struct rig *rig) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		const double size = (double)rig->bounds.max[k] - (double)rig->bounds.min[k];
		sum += size > 0 ? size * size : 0;
	}
	return sqrt(sum);
}

/* Bytes of the buffer that go. */
struct gap {
	uint64_t from, to;
};

/* A file on its way out. */
struct rewrite {
	const struct optimise_job *job;
	struct parts parts;
	struct fresh fresh;
	struct gap *gaps; // [gap_count] ascending, multiples of ALIGNMENT
	int gap_count;
	struct buffer animations, bin;
	uint64_t unpacked; // bytes of what the codec has packed
	struct {
		uint64_t at, size, unpacked_at;
	} views[FRESH_STREAMS];
};

static int by_start(const void *a, const void *b) {
	const struct gap *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static struct gap *list_views(
	const struct parts *parts, bool free_ones, struct arena *arena, int *count) {
	struct gap *out = arena_alloc(arena, (size_t)parts->view_count + 1, sizeof *out);
	*count = 0;
	for (int i = 0; i < parts->view_count; i++) {
		const struct part *view = &parts->views[i];
		if (view->size > 0 && parts_is_free(view) == free_ones) {
			out[(*count)++] = (struct gap){view->at, view->at + view->size};
		}
	}
	qsort(out, (size_t)*count, sizeof *out, by_start);
	return out;
}

static void add_gap(struct rewrite *rewrite, uint64_t from, uint64_t to) {
	from = GLB_ALIGNED(from);
	to -= to % ALIGNMENT;
	if (to > from) {
		rewrite->gaps[rewrite->gap_count++] = (struct gap){from, to};
	}
}

/* Bytes of views that go, but for those that others have, too. */
static void find_gaps(struct rewrite *rewrite, struct arena *arena) {
	int free_count, used_count, next = 0;
	const struct gap *gone = list_views(&rewrite->parts, true, arena, &free_count);
	const struct gap *used = list_views(&rewrite->parts, false, arena, &used_count);
	uint64_t done = 0;
	rewrite->gaps = arena_alloc(
		arena, (size_t)free_count + (size_t)used_count + 1, sizeof *rewrite->gaps);
	for (int i = 0; i < free_count; i++) {
		uint64_t from = gone[i].from > done ? gone[i].from : done;
		while (from < gone[i].to && next < used_count && used[next].from < gone[i].to) {
			if (used[next].to > from) {
				add_gap(rewrite, from,
					used[next].from > from ? used[next].from : from);
				from = used[next].to;
			}
			if (used[next].to > gone[i].to) {
				break;
			}
			next++;
		}
		if (from < gone[i].to) {
			add_gap(rewrite, from, gone[i].to);
			from = gone[i].to;
		}
		done = from > done ? from : done;
	}
}

/* The place of a byte of the old buffer in the new one. */
static uint64_t moved(const struct rewrite *rewrite, uint64_t at) {
	uint64_t less = 0;
	for (int i = 0; i < rewrite->gap_count && rewrite->gaps[i].from < at; i++) {
		const struct gap *gap = &rewrite->gaps[i];
		less += (gap->to < at ? gap->to : at) - gap->from;
	}
	return at - less;
}

static void align(struct buffer *out, char with) {
	while (out->size % ALIGNMENT) {
		buffer_append(out, &with, 1);
	}
}

static void pack_stream(struct rewrite *rewrite, int i) {
	const struct buffer *stream = &rewrite->fresh.streams[i];
	const size_t stride = fresh_stride((enum fresh_stream)i), before = rewrite->bin.size;
	packer_encode(stream->data, stream->size / stride, stride, &rewrite->bin);
	rewrite->views[i].size = rewrite->bin.size - before;
	rewrite->views[i].unpacked_at = rewrite->unpacked;
	rewrite->unpacked += stream->size;
}

/* The bytes of the buffer that stay, and those that are new behind them. */
static void make_bin(struct rewrite *rewrite) {
	uint64_t at = 0;
	for (int i = 0; i <= rewrite->gap_count; i++) {
		const bool is_last = i == rewrite->gap_count;
		const uint64_t to = is_last ? rewrite->parts.bin_size : rewrite->gaps[i].from;
		buffer_append(&rewrite->bin, rewrite->parts.bin + at, to - at);
		at = is_last ? to : rewrite->gaps[i].to;
	}
	for (int i = 0; i < FRESH_STREAMS; i++) {
		const struct buffer *stream = &rewrite->fresh.streams[i];
		if (stream->size == 0) {
			continue;
		}
		align(&rewrite->bin, 0);
		rewrite->views[i].at = rewrite->bin.size;
		if (rewrite->job->meshopt) {
			pack_stream(rewrite, i);
		} else {
			rewrite->views[i].size = stream->size;
			buffer_append(&rewrite->bin, stream->data, stream->size);
		}
	}
	align(&rewrite->bin, 0);
}

static void append_text(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

static void append_span(struct buffer *out, struct json_span span) {
	buffer_append(out, span.text, span.size);
}

/* A text with one part of it replaced by a number. */
static void append_with(
	struct buffer *out, struct json_span text, struct json_span part, uint64_t number) {
	char digits[32];
	snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
	buffer_append(out, text.text, (size_t)(part.text - text.text));
	append_text(out, digits);
	buffer_append(out, part.text + part.size,
		(size_t)(text.text + text.size - part.text - part.size));
}

/* A view that stays, at its new place. */
static void append_view(
	const struct rewrite *rewrite, const struct part *view, struct buffer *out) {
	const struct json_span offset = json_span_member(parts_view_source(view), "byteOffset");
	if (view->size > 0 && offset.text && moved(rewrite, view->at) != view->at) {
		append_with(out, view->text, offset, moved(rewrite, view->at));
	} else {
		append_span(out, view->text);
	}
}

/* Position of the buffer that stands for what is packed. */
static int fallback_buffer(const struct rewrite *rewrite) {
	return (int)json_span_count(json_span_member(rewrite->parts.json, "buffers"));
}

static void write_fresh_view(const struct rewrite *rewrite, int i, struct json_writer *json) {
	const struct buffer *stream = &rewrite->fresh.streams[i];
	const int64_t stride = (int64_t)fresh_stride((enum fresh_stream)i);
	const char *filter = fresh_filter((enum fresh_stream)i);
	const uint64_t at =
		rewrite->job->meshopt ? rewrite->views[i].unpacked_at : rewrite->views[i].at;
	json_write_begin_object(json);
	json_write_member_integer(
		json, "buffer", rewrite->job->meshopt ? fallback_buffer(rewrite) : 0);
	json_write_member_integer(json, "byteLength", (int64_t)stream->size);
	if (at > 0) {
		json_write_member_integer(json, "byteOffset", (int64_t)at);
	}
	if (rewrite->job->meshopt) {
		json_write_key(json, "extensions");
		json_write_begin_object(json);
		json_write_key(json, MESHOPT);
		json_write_begin_object(json);
		json_write_member_integer(json, "buffer", 0);
		json_write_member_integer(json, "byteLength", (int64_t)rewrite->views[i].size);
		if (rewrite->views[i].at > 0) {
			json_write_member_integer(
				json, "byteOffset", (int64_t)rewrite->views[i].at);
		}
		json_write_member_integer(json, "byteStride", stride);
		json_write_member_integer(json, "count", (int64_t)stream->size / stride);
		if (filter) {
			json_write_member_string(json, "filter", filter);
		}
		json_write_member_string(json, "mode", "ATTRIBUTES");
		json_write_end_object(json);
		json_write_end_object(json);
	}
	json_write_end_object(json);
}

static void write_views(const struct rewrite *rewrite, struct buffer *out) {
	const struct parts *parts = &rewrite->parts;
	struct json_writer json = {.out = out};
	append_text(out, "[");
	for (int i = 0; i < rewrite->fresh.view_count; i++) {
		int stream = 0;
		append_text(out, i > 0 ? "," : "");
		while (stream < FRESH_STREAMS && rewrite->fresh.views[stream] != i) {
			stream++;
		}
		json.separate = false;
		if (stream < FRESH_STREAMS) {
			write_fresh_view(rewrite, stream, &json);
		} else if (parts_is_free(&parts->views[i])) {
			append_text(out, PLACEHOLDER_VIEW);
		} else {
			append_view(rewrite, &parts->views[i], out);
		}
	}
	append_text(out, "]");
}

static void write_accessors(
	const struct rewrite *rewrite, struct optimise_clip *clips, struct buffer *out) {
	const struct parts *parts = &rewrite->parts;
	const int end = fresh_accessor_end(&rewrite->fresh);
	struct json_writer json = {.out = out};
	append_text(out, "[");
	for (int i = 0; i < end; i++) {
		const size_t before = out->size;
		const int fresh = fresh_at(&rewrite->fresh, i);
		append_text(out, i > 0 ? "," : "");
		json.separate = false;
		if (fresh >= 0) {
			fresh_write(&rewrite->fresh, fresh, &json);
			clips[rewrite->fresh.accessors[fresh].clip].json_after +=
				out->size - before;
		} else if (i < parts->accessor_count && !parts_is_free(&parts->accessors[i])) {
			append_span(out, parts->accessors[i].text);
		} else {
			append_text(out, PLACEHOLDER_ACCESSOR);
		}
	}
	append_text(out, "]");
}

/* The buffers, of which the first has another length, and perhaps one more. */
static void write_buffers(
	const struct rewrite *rewrite, struct json_span text, struct buffer *out) {
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	append_text(out, "[");
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		const struct json_span length = json_span_member(value, "byteLength");
		append_text(out, i > 0 ? "," : "");
		if (i == 0 && length.text) {
			append_with(out, value, length, rewrite->bin.size);
		} else {
			append_span(out, value);
		}
	}
	if (rewrite->job->meshopt) {
		char more[128];
		snprintf(more, sizeof more,
			",{\"byteLength\":%llu,\"extensions\":{\"" MESHOPT
			"\":{\"fallback\":true}}}",
			(unsigned long long)rewrite->unpacked);
		append_text(out, more);
	}
	append_text(out, "]");
}

/* A list of extensions with the codec's among them. text.text NULL = there was no list. */
static void write_extensions(struct json_span text, struct buffer *out) {
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	bool is_there = false;
	append_text(out, "[");
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		append_text(out, i > 0 ? "," : "");
		append_span(out, value);
		is_there |= json_span_is(value, "\"" MESHOPT "\"");
	}
	if (!is_there) {
		append_text(out, json_span_count(text) > 0 ? "," : "");
		append_text(out, "\"" MESHOPT "\"");
	}
	append_text(out, "]");
}

/* The document with its replaced members. */
static void write_json(struct rewrite *rewrite, struct optimise_clip *clips, struct buffer *out) {
	const struct json_span text = rewrite->parts.json;
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	const char *at = text.text;
	const bool meshopt = rewrite->job->meshopt;
	while (json_items_next(&items, &name, &value)) {
		buffer_append(out, at, (size_t)(value.text - at));
		if (json_span_is(name, "animations")) {
			buffer_append(out, rewrite->animations.data, rewrite->animations.size);
		} else if (json_span_is(name, "accessors")) {
			write_accessors(rewrite, clips, out);
		} else if (json_span_is(name, "bufferViews")) {
			write_views(rewrite, out);
		} else if (json_span_is(name, "buffers")) {
			write_buffers(rewrite, value, out);
		} else if (meshopt &&
			(json_span_is(name, "extensionsUsed") ||
				json_span_is(name, "extensionsRequired"))) {
			write_extensions(value, out);
		} else {
			append_span(out, value);
		}
		at = value.text + value.size;
	}
	static const char *const lists[] = {"extensionsUsed", "extensionsRequired"};
	for (int i = 0; meshopt && i < 2; i++) {
		if (!json_span_member(text, lists[i]).text) {
			append_text(out, ",\"");
			append_text(out, lists[i]);
			append_text(out, "\":");
			write_extensions((struct json_span){0}, out);
		}
	}
	buffer_append(out, at, (size_t)(text.text + text.size - at));
}

/* Bytes of a clip in the file: of what clips share, with the first. */
static void count_before(struct parts *parts, int clip, struct optimise_clip *out) {
	const struct animation_part *animation = &parts->animations[clip];
	out->json_before = animation->text.size;
	for (int i = 0; i < animation->sampler_count; i++) {
		static const char *const ends[] = {"input", "output"};
		for (int k = 0; k < 2; k++) {
			uint64_t at;
			if (!json_span_whole(
				    json_span_member(animation->sampler_texts[i], ends[k]), &at) ||
				at >= (uint64_t)parts->accessor_count ||
				parts->accessors[at].is_counted) {
				continue;
			}
			struct part *accessor = &parts->accessors[at];
			accessor->is_counted = true;
			out->json_before += accessor->text.size + 1;
			out->data_before += accessor->bytes;
			struct part *view =
				accessor->view < 0 ? NULL : &parts->views[accessor->view];
			if (view && !view->is_counted) {
				view->is_counted = true;
				out->json_before += view->text.size + 1;
			}
		}
	}
}

static bool write_animations(
	struct rewrite *rewrite, struct optimise_clip *clips, bool *again, struct error *err) {
	const struct rig *rig = rewrite->job->rig;
	append_text(&rewrite->animations, "[");
	for (int i = 0; i < rig->clip_count; i++) {
		clip_progress_tell(rewrite->job->progress, i, rig->clip_count);
		clips[i] = (struct optimise_clip){0};
		count_before(&rewrite->parts, i, &clips[i]);
		append_text(&rewrite->animations, i > 0 ? "," : "");
		struct error why = {0};
		if (!animation_write(rewrite->job, &rewrite->parts, i, &rewrite->fresh, &clips[i],
			    &rewrite->animations, &why)) {
			if (why.code != ERROR_INVALID_VALUE) {
				return error_pass(err, &why);
			}
			rewrite->job->left[i] = *again = true;
		}
	}
	append_text(&rewrite->animations, "]");
	return true;
}

/* Data of each clip: of streams that are packed in proportion. */
static void count_after(const struct rewrite *rewrite, struct optimise_clip *clips) {
	for (int i = 0; i < rewrite->fresh.count; i++) {
		const struct fresh_accessor *accessor = &rewrite->fresh.accessors[i];
		const struct buffer *stream = &rewrite->fresh.streams[accessor->stream];
		clips[accessor->clip].data_after += (uint64_t)((double)accessor->size *
			(double)rewrite->views[accessor->stream].size / (double)stream->size);
	}
}

/* *again: clips are to be left that were not. */
static bool run(struct rewrite *rewrite, struct arena *arena, struct optimise_clip *clips,
	bool *again, struct buffer *out, struct error *err) {
	const struct optimise_job *job = rewrite->job;
	struct parts *parts = &rewrite->parts;
	if (!parts_read(job->bytes, job->size, arena, parts, err)) {
		return false;
	}
	if (parts->animation_count != job->rig->clip_count ||
		(parts->animation_count && !parts->bin)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"only a GLB with its keys in its own buffer can be optimised");
	}
	if (parts->animation_count == 0) {
		buffer_append(out, job->bytes, job->size);
		return true;
	}
	animation_choose(parts, job, arena);
	parts_note_users(parts);
	fresh_init(&rewrite->fresh, parts, job->meshopt, arena);
	if (!write_animations(rewrite, clips, again, err) || *again) {
		return *again;
	}
	struct buffer json = {0};
	fresh_place_views(&rewrite->fresh);
	find_gaps(rewrite, arena);
	make_bin(rewrite);
	write_json(rewrite, clips, &json);
	count_after(rewrite, clips);
	const struct container made = {{(const char *)json.data, json.size}, rewrite->bin.data,
		rewrite->bin.size, parts->rest, parts->rest_size};
	const bool done = container_write(&made, out, err);
	buffer_finish(&json);
	return done;
}

static bool run_once(const struct optimise_job *job, struct optimise_clip *clips, bool *again,
	struct buffer *out, struct error *err) {
	struct arena *arena = arena_create();
	struct rewrite rewrite = {.job = job};
	*again = false;
	const bool done = run(&rewrite, arena, clips, again, out, err);
	buffer_finish(&rewrite.animations);
	buffer_finish(&rewrite.bin);
	fresh_finish(&rewrite.fresh);
	arena_destroy(arena);
	return done;
}

/* Leaves clips that would have more bytes than before. */
static bool leave_greater(const struct optimise_job *job, const struct optimise_clip *clips) {
	bool found = false;
	for (int i = 0; i < job->rig->clip_count; i++) {
		const struct optimise_clip *clip = &clips[i];
		if (!clip->is_left &&
			clip->json_after + clip->data_after >
				clip->json_before + clip->data_before) {
			job->left[i] = found = true;
		}
	}
	return found;
}

bool renderer_optimise(const struct optimise_job *job, struct optimise_clip *clips,
	struct buffer *out, struct error *err) {
	const size_t before = out->size;
	bool again;
	// Once more where clips are left, and once where others turned out to be no smaller.
	bool done = run_once(job, clips, &again, out, err) &&
		(!again || run_once(job, clips, &again, out, err));
	if (done && leave_greater(job, clips)) {
		out->size = before;
		done = run_once(job, clips, &again, out, err);
	}
	for (int i = 0; done && i < job->rig->clip_count; i++) {
		clips[i].json_after = clips[i].is_left ? clips[i].json_before : clips[i].json_after;
		clips[i].data_after = clips[i].is_left ? clips[i].data_before : clips[i].data_after;
	}
	return done;
}
