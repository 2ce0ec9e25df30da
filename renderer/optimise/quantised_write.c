// A GLB around vertices that have become integers.
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quat.h"
#include "optimise/container.h"
#include "optimise/quantised.h"

#define ALIGNMENT 4u
#define EXTENSION "KHR_mesh_quantization"
#define ARRAY_BUFFER 34962
#define ELEMENT_ARRAY_BUFFER 34963
#define MATRIX_NUMBERS 16

/* A file on its way out. */
struct writing {
	struct quantising *quantising;
	size_t *gone; // [bin_size / ALIGNMENT + 1] bytes that went before
	struct buffer bin;
	int node_count, accessor_count, view_count; // with new ones
	struct buffer nodes, accessors, views;      // new ones, each with a comma before it
};

static void append_text(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

/* --- Bytes --- */

static void mark_view(const struct part *view, bool is_gone, bool *marks) {
	for (uint64_t at = view->at / ALIGNMENT; at * ALIGNMENT < view->at + view->size; at++) {
		marks[at] = is_gone;
	}
}

/* Units of the chunk that nothing has any more. A unit that a view has in part goes only with the
 * views that have the others. */
static void find_gone(struct writing *writing) {
	const struct quantising *quantising = writing->quantising;
	const struct parts *parts = &quantising->parts;
	const size_t units = (parts->bin_size + ALIGNMENT - 1) / ALIGNMENT;
	bool *marks = xcalloc(units + 1, sizeof *marks);
	writing->gone = xcalloc(units + 1, sizeof *writing->gone);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < parts->view_count; i++) {
			if (parts->views[i].size > 0 && quantising->gone[i] == (pass == 0)) {
				mark_view(&parts->views[i], pass == 0, marks);
			}
		}
	}
	size_t gone = 0;
	for (size_t i = 0; i < units; i++) {
		const size_t left = parts->bin_size - i * ALIGNMENT;
		writing->gone[i] = gone;
		if (marks[i]) {
			gone += ALIGNMENT;
		} else {
			buffer_append(&writing->bin, parts->bin + i * ALIGNMENT,
				left < ALIGNMENT ? left : ALIGNMENT);
		}
	}
	writing->gone[units] = gone;
	free(marks);
}

static void append_streams(struct writing *writing) {
	struct buffer *bin = &writing->bin;
	for (int i = 0; i < writing->quantising->stream_count; i++) {
		struct quantised_stream *stream = &writing->quantising->streams[i];
		buffer_append(bin, "\0\0\0", (ALIGNMENT - bin->size % ALIGNMENT) % ALIGNMENT);
		stream->at = bin->size;
		buffer_append(bin, stream->bytes.data, stream->bytes.size);
	}
	buffer_append(bin, "\0\0\0", (ALIGNMENT - bin->size % ALIGNMENT) % ALIGNMENT);
}

/* --- Views --- */

static void write_stream_view(const struct quantised_stream *stream, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_integer(&json, "buffer", 0);
	json_write_member_integer(&json, "byteLength", (int64_t)stream->bytes.size);
	json_write_member_integer(&json, "byteOffset", (int64_t)stream->at);
	if (stream->role == ROLE_ATTRIBUTE) {
		json_write_member_integer(&json, "byteStride", (int64_t)stream->stride);
		json_write_member_integer(&json, "target", ARRAY_BUFFER);
	} else if (stream->role == ROLE_INDICES) {
		json_write_member_integer(&json, "target", ELEMENT_ARRAY_BUFFER);
	}
	json_write_end_object(&json);
}

static void move_view(struct writing *writing, const struct part *view) {
	const size_t gone = view->size > 0 ? writing->gone[view->at / ALIGNMENT] : 0;
	if (gone > 0) {
		edits_set_whole(&writing->quantising->edits, parts_view_source(view), "byteOffset",
			view->at - gone);
	}
}

/* New views take the places of those that are gone, then those behind the last. */
static void write_views(struct writing *writing) {
	struct quantising *quantising = writing->quantising;
	int next = 0;
	for (int i = 0; i < quantising->parts.view_count; i++) {
		struct buffer text = {0};
		if (!quantising->gone[i]) {
			move_view(writing, &quantising->parts.views[i]);
			continue;
		}
		if (next < quantising->stream_count) {
			quantising->streams[next].view = i;
			write_stream_view(&quantising->streams[next++], &text);
		} else {
			append_text(&text, PLACEHOLDER_VIEW);
		}
		edits_replace(&quantising->edits, quantising->parts.views[i].text,
			(const char *)text.data, text.size);
		buffer_finish(&text);
	}
	for (; next < quantising->stream_count; next++) {
		append_text(&writing->views, ",");
		quantising->streams[next].view = writing->view_count++;
		write_stream_view(&quantising->streams[next], &writing->views);
	}
}

/* --- Accessors --- */

static bool is_replaced(enum form form, struct json_span name) {
	static const char *const members[] = {"bufferView", "byteOffset"};
	static const char *const of_numbers[] = {"componentType", "normalized", "min", "max"};
	bool found = false;
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		found |= json_span_is(name, members[i]);
	}
	for (size_t i = 0; i < sizeof of_numbers / sizeof *of_numbers; i++) {
		found |= form != FORM_MOVED && json_span_is(name, of_numbers[i]);
	}
	return found;
}

static void write_box(struct json_writer *json, const char *name, const int *numbers) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (int k = 0; k < 3; k++) {
		json_write_integer(json, numbers[k]);
	}
	json_write_end_list(json);
}

static void write_place(
	const struct quantising *quantising, int stream, size_t at, struct json_writer *json) {
	json_write_member_integer(json, "bufferView", quantising->streams[stream].view);
	if (at > 0) {
		json_write_member_integer(json, "byteOffset", (int64_t)at);
	}
}

static void write_accessor(struct writing *writing, int index) {
	struct quantising *quantising = writing->quantising;
	const struct quantised_accessor *accessor = &quantising->accessors[index];
	const struct json_span text = quantising->parts.accessors[index].text;
	struct json_items items = json_items_of(text);
	struct json_span name, value;
	struct buffer out = {0};
	struct json_writer json = {.out = &out};
	json_write_begin_object(&json);
	while (json_items_next(&items, &name, &value)) {
		if (!is_replaced(accessor->form, name)) {
			json_write_key(
				&json, arena_strndup(quantising->arena, name.text, name.size));
			buffer_append(&out, value.text, value.size);
			json.separate = true;
		}
	}
	write_place(quantising, accessor->stream, accessor->at, &json);
	if (accessor->form != FORM_MOVED) {
		json_write_member_integer(&json, "componentType", accessor->component);
	}
	if (accessor->form != FORM_MOVED && accessor->form != FORM_JOINTS &&
		accessor->form != FORM_MATRICES) {
		json_write_member_bool(&json, "normalized", true);
	}
	const bool has_box = accessor->form == FORM_CUBE || accessor->form == FORM_DELTA;
	if (has_box && accessor->from.count > 0) {
		write_box(&json, "min", accessor->min);
		write_box(&json, "max", accessor->max);
	}
	json_write_end_object(&json);
	edits_replace(&quantising->edits, text, (const char *)out.data, out.size);
	buffer_finish(&out);
}

/* The matrices of skins that had none. */
static void add_matrices(struct writing *writing) {
	struct quantising *quantising = writing->quantising;
	struct json_writer json = {.out = &writing->accessors};
	for (int i = 0; i < quantising->skin_count; i++) {
		const struct quantised_skin *skin = &quantising->skins[i];
		if (skin->matrices >= 0 || !skin->is_used || quantising->groups[skin->group].left) {
			continue;
		}
		edits_set_whole(&quantising->edits, skin->text, "inverseBindMatrices",
			(uint64_t)writing->accessor_count++);
		append_text(&writing->accessors, ",");
		json.separate = false;
		json_write_begin_object(&json);
		write_place(quantising, skin->stream, skin->at, &json);
		json_write_member_integer(&json, "componentType", COMPONENT_FLOAT);
		json_write_member_integer(&json, "count", skin->joint_count);
		json_write_member_string(&json, "type", "MAT4");
		json_write_end_object(&json);
	}
}

/* --- Nodes --- */

/* Numbers of a list; those that it lacks stay. */
static void read_numbers(struct json_span list, int count, double *out) {
	struct json_items items = json_items_of(list);
	struct json_span name, value;
	for (int i = 0; i < count && json_items_next(&items, &name, &value); i++) {
		number_read_decimal(value.text, value.text + value.size, &out[i]);
	}
}

/* A member of an object that has others gets numbers as float32. */
static void set_numbers(struct quantising *quantising, struct json_span object, const char *name,
	const double *numbers, int count) {
	const struct json_span member = json_span_member(object, name);
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	if (!member.text) {
		json_write_key(&json, name);
	}
	json_write_begin_list(&json);
	for (int i = 0; i < count; i++) {
		json_write_float(&json, (float)numbers[i]);
	}
	json_write_end_list(&json);
	if (member.text) {
		edits_replace(&quantising->edits, member, (const char *)text.data, text.size);
	} else {
		append_text(&text, ",");
		edits_insert(
			&quantising->edits, object.text + 1, (const char *)text.data, text.size);
	}
	buffer_finish(&text);
}

/* Changes a node's transform to what it is after the cube's. */
static void change_node(struct quantising *quantising, const struct quantised_node *node,
	const struct quantised_group *group) {
	const struct json_span matrix = json_span_member(node->text, "matrix");
	double m[MATRIX_NUMBERS] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
	double translation[3] = {0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
	if (matrix.text) {
		read_numbers(matrix, MATRIX_NUMBERS, m);
		quantised_apply_cube(group, m, m);
		set_numbers(quantising, node->text, "matrix", m, MATRIX_NUMBERS);
		return;
	}
	read_numbers(json_span_member(node->text, "translation"), 3, translation);
	read_numbers(json_span_member(node->text, "rotation"), 4, rotation);
	read_numbers(json_span_member(node->text, "scale"), 3, scale);
	for (int k = 0; k < 3; k++) {
		m[k] = scale[k] * (double)group->centre[k];
		scale[k] *= (double)group->scale;
	}
	quat_rotate(rotation, m, m);
	for (int k = 0; k < 3; k++) {
		translation[k] += m[k];
	}
	set_numbers(quantising, node->text, "scale", scale, 3);
	set_numbers(quantising, node->text, "translation", translation, 3);
}

/* The text of a member with its name. */
static struct json_span whole_member(struct json_span object, const char *wanted) {
	struct json_items items = json_items_of(object);
	struct json_span name, value, found = {0};
	while (json_items_next(&items, &name, &value)) {
		if (json_span_is(name, wanted)) {
			found = (struct json_span){
				name.text - 1, (size_t)(value.text + value.size - name.text + 1)};
		}
	}
	return found;
}

/* Moves a node's mesh to a new node below it. */
static void split_node(struct writing *writing, const struct quantised_node *node,
	const struct quantised_group *group) {
	struct quantising *quantising = writing->quantising;
	const int child = writing->node_count++;
	const struct json_span children = json_span_member(node->text, "children");
	const float scale[3] = {group->scale, group->scale, group->scale};
	const char *text = arena_printf(quantising->arena, "\"children\":[%d]", child);
	struct json_writer json = {.out = &writing->nodes};
	append_text(&writing->nodes, ",");
	json_write_begin_object(&json);
	json_write_member_integer(&json, "mesh", node->mesh);
	json_write_member_floats(&json, "scale", scale, 3);
	json_write_member_floats(&json, "translation", group->centre, 3);
	json_write_end_object(&json);
	if (children.text) {
		text = arena_printf(
			quantising->arena, json_span_count(children) > 0 ? ",%d" : "%d", child);
		edits_insert(
			&quantising->edits, children.text + children.size - 1, text, strlen(text));
		edits_remove_member(&quantising->edits, node->text, "mesh");
	} else {
		edits_replace(
			&quantising->edits, whole_member(node->text, "mesh"), text, strlen(text));
	}
}

static void write_nodes(struct writing *writing) {
	struct quantising *quantising = writing->quantising;
	for (int i = 0; i < quantising->node_count; i++) {
		const struct quantised_node *node = &quantising->nodes[i];
		if (node->mesh < 0 || node->skin >= 0) {
			continue;
		}
		const struct quantised_group *group =
			&quantising->groups[quantising->meshes[node->mesh].group];
		if (group->left) {
			continue;
		}
		if (quantised_node_splits(node)) {
			split_node(writing, node, group);
		} else {
			change_node(quantising, node, group);
		}
	}
}

/* --- The document --- */

static void extend_list(
	struct quantising *quantising, const char *name, const struct buffer *more) {
	const struct json_span list = json_span_member(quantising->parts.json, name);
	if (more->size > 0) {
		edits_insert(&quantising->edits, list.text + list.size - 1,
			(const char *)more->data, more->size);
	}
}

static void write_document(struct writing *writing, struct buffer *json) {
	struct quantising *quantising = writing->quantising;
	const struct json_span document = quantising->parts.json;
	struct json_items items = json_items_of(json_span_member(document, "buffers"));
	struct json_span name, first;
	write_views(writing);
	for (int i = 0; i < quantising->parts.accessor_count; i++) {
		if (quantising->accessors[i].form != FORM_STAYS) {
			write_accessor(writing, i);
		}
	}
	add_matrices(writing);
	write_nodes(writing);
	extend_list(quantising, "nodes", &writing->nodes);
	extend_list(quantising, "accessors", &writing->accessors);
	extend_list(quantising, "bufferViews", &writing->views);
	if (json_items_next(&items, &name, &first)) {
		edits_set_whole(&quantising->edits, first, "byteLength", writing->bin.size);
	}
	edits_name_extension(&quantising->edits, document, "extensionsUsed", EXTENSION);
	edits_name_extension(&quantising->edits, document, "extensionsRequired", EXTENSION);
	edits_apply(&quantising->edits, document, json);
}

bool quantised_write(struct quantising *quantising, struct buffer *out, struct error *err) {
	const struct parts *parts = &quantising->parts;
	struct writing writing = {.quantising = quantising,
		.node_count = quantising->node_count,
		.accessor_count = parts->accessor_count,
		.view_count = parts->view_count};
	struct buffer json = {0};
	find_gone(&writing);
	append_streams(&writing);
	write_document(&writing, &json);
	const struct container made = {{(const char *)json.data, json.size}, writing.bin.data,
		writing.bin.size, parts->rest, parts->rest_size};
	const bool done = container_write(&made, out, err);
	free(writing.gone);
	buffer_finish(&writing.bin);
	buffer_finish(&writing.nodes);
	buffer_finish(&writing.accessors);
	buffer_finish(&writing.views);
	buffer_finish(&json);
	return done;
}
