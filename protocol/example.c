// Requests that put examples.
#include "example.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "json_text.h"

#define AXES ((size_t)3)

/* The square of a normal's length may differ so much from 1 for it to be stored to the bit: as much
 * as rounding to float32 does to one of length 1, so that what /v1/vertices answers comes back as
 * it was. */
#define UNIT_TOLERANCE 5e-7

static bool refuse_vertex(const struct value *vertex, const char *what, struct error *err) {
	return value_error(vertex, err, ERROR_INVALID_VALUE,
		"a %s is %s, must be three numbers within float32", what,
		vertex->kind == VALUE_LIST ? "a list of something else"
					   : value_kind_name(vertex->kind));
}

/* A list of so many vectors -> floats. */
static bool read_vectors(
	const struct value *list, const char *what, size_t count, float *out, struct error *err) {
	if (list->kind != VALUE_LIST || list->count != count) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"%s\" is %s of %zu, must be a list of %zu vectors [x, y, z]", list->key,
			value_kind_name(list->kind), list->count, count);
	}
	for (size_t i = 0; i < count; i++) {
		const struct value *vector = &list->items[i];
		if (vector->kind != VALUE_LIST || vector->count != AXES) {
			return refuse_vertex(vector, what, err);
		}
		for (size_t k = 0; k < AXES; k++) {
			const struct value *number = &vector->items[k];
			out[i * AXES + k] = (float)number->number;
			if (number->kind != VALUE_NUMBER || !isfinite(out[i * AXES + k])) {
				return refuse_vertex(vector, what, err);
			}
		}
	}
	return true;
}

static bool check_form(const struct value *body, const struct value *positions,
	const struct value *normals, const struct value *targets, const struct value *offsets,
	struct error *err) {
	const int given = (positions != NULL) + (targets != NULL) + (offsets != NULL);
	if (given != 1) {
		const struct value *last = offsets ? offsets : targets;
		return value_error(last ? last : body, err, ERROR_INVALID_VALUE,
			"%s of \"positions\", \"targets\" and \"offsets\" are given, "
			"must be one of them",
			given == 0 ? "none" : "several");
	}
	if (!positions && normals) {
		return value_error(normals, err, ERROR_INVALID_VALUE,
			"\"normals\" are given with \"%s\", which bring their own",
			targets ? "targets" : "offsets");
	}
	return !targets || targets->kind == VALUE_OBJECT ||
		value_error(targets, err, ERROR_INVALID_VALUE,
			"\"targets\" is %s, must be an object of nodes with their morph weights",
			value_kind_name(targets->kind));
}

/* [vertex, x, y, z] */
static bool read_offset(
	const struct value *item, size_t least, struct example_offset *out, struct error *err) {
	double numbers[4] = {0};
	const bool four = item->kind == VALUE_LIST && item->count == 4;
	for (size_t k = 0; four && k < 4; k++) {
		numbers[k] = item->items[k].kind == VALUE_NUMBER ? item->items[k].number : INFINITY;
	}
	out->source = item;
	for (size_t k = 0; k < AXES; k++) {
		out->by[k] = (float)numbers[1 + k];
		if (!four || !isfinite(out->by[k])) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"an offset is %s, must be [vertex, x, y, z] within float32",
				four ? "out of range" : "something else");
		}
	}
	if (!(numbers[0] >= (double)least && numbers[0] <= INT32_MAX &&
		    numbers[0] == floor(numbers[0]))) {
		return value_error(item, err, ERROR_INVALID_VALUE,
			"an offset is of vertex %g, must be of a whole number from %zu on: they "
			"ascend",
			numbers[0], least);
	}
	out->vertex = (size_t)numbers[0];
	return true;
}

static bool read_offsets(struct arena *arena, const struct value *list, struct example_request *out,
	struct error *err) {
	if (list->kind != VALUE_LIST) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"offsets\" is %s, must be a list of [vertex, x, y, z]",
			value_kind_name(list->kind));
	}
	struct example_offset *offsets = arena_alloc(arena, list->count + 1, sizeof *offsets);
	for (size_t i = 0; i < list->count; i++) {
		const size_t least = i > 0 ? offsets[i - 1].vertex + 1 : 0;
		if (!read_offset(&list->items[i], least, &offsets[i], err)) {
			return false;
		}
	}
	out->offsets = offsets;
	out->offset_count = list->count;
	return true;
}

bool example_read(struct arena *arena, const struct value *body, struct example_request *out,
	struct error *err) {
	*out = (struct example_request){0};
	const struct value *normals = NULL, *offsets = NULL;
	const struct member members[] = {
		{"pose", MEMBER_ANY, &out->pose, .required = true},
		{"positions", MEMBER_ANY, &out->positions, .required = false},
		{"normals", MEMBER_ANY, &normals, .required = false},
		{"targets", MEMBER_ANY, &out->targets, .required = false},
		{"offsets", MEMBER_ANY, &offsets, .required = false},
	};
	if (!value_read_members(body, members, sizeof members / sizeof *members, err) ||
		!check_form(body, out->positions, normals, out->targets, offsets, err)) {
		return false;
	}
	if (!out->positions) {
		return out->targets || read_offsets(arena, offsets, out, err);
	}
	out->vertices = out->positions->count;
	out->normals = normals;
	out->numbers = arena_alloc(
		arena, out->vertices * AXES * (out->normals ? 2 : 1), sizeof *out->numbers);
	return read_vectors(out->positions, "position", out->vertices, out->numbers, err) &&
		(!normals ||
			read_vectors(normals, "normal", out->vertices,
				out->numbers + out->vertices * AXES, err));
}

/* The JSON text of a parameter, as a member of the request. */
static const struct value *read_json(struct arena *arena, const struct query_parameter *parameter,
	const struct value *request, struct error *err) {
	struct error why = {0};
	// Nobody else has the tree so far.
	struct value *root =
		(struct value *)json_read(arena, parameter->value, strlen(parameter->value), &why);
	if (!root) {
		error_at(err, why.code, "/pose", "parameter \"pose\" is no JSON: %s", why.text);
		return NULL;
	}
	root->parent = request;
	root->key = parameter->name;
	return root;
}

static bool read_attributes(const char *text, bool *normals, struct error *err) {
	*normals = strcmp(text, "position,normal") == 0;
	return *normals || strcmp(text, "position") == 0 ||
		error_at(err, ERROR_INVALID_VALUE, "/attributes",
			"\"attributes\" is \"%.80s\", must be position or position,normal", text);
}

static bool refuse_parameter(const char *name, bool octets, bool twice, struct error *err) {
	const struct value request = {.kind = VALUE_OBJECT};
	const struct value parameter = {.parent = &request, .key = name};
	return twice ? value_error(&parameter, err, ERROR_INVALID_VALUE,
			       "parameter \"%s\" is given twice", name)
		     : value_error(&parameter, err, ERROR_UNKNOWN_MEMBER,
			       "no parameter \"%s\" here; known are: pose%s", name,
			       octets ? ", attributes" : "");
}

bool example_read_query(struct arena *arena, const struct query_parameter *parameters, size_t count,
	bool octets, struct example_query *out, struct error *err) {
	struct value *request = arena_alloc(arena, 1, sizeof *request);
	request->kind = VALUE_OBJECT;
	*out = (struct example_query){0};
	bool attributes = false;
	for (size_t i = 0; i < count; i++) {
		const struct query_parameter *parameter = &parameters[i];
		const bool is_pose = strcmp(parameter->name, "pose") == 0;
		const bool is_attributes = octets && strcmp(parameter->name, "attributes") == 0;
		if ((is_pose && out->pose) || (is_attributes && attributes) ||
			(!is_pose && !is_attributes)) {
			return refuse_parameter(
				parameter->name, octets, is_pose || is_attributes, err);
		}
		attributes = attributes || is_attributes;
		if (is_pose ? !(out->pose = read_json(arena, parameter, request, err))
			    : !read_attributes(parameter->value, &out->normals, err)) {
			return false;
		}
	}
	return out->pose ||
		error_at(err, ERROR_INVALID_VALUE, "/pose",
			"parameter \"pose\" is missing: the pose that the vertices are for, as "
			"JSON, percent-encoded");
}

bool example_blame_parameter(struct error *err) {
	static const char place[] = "/pose";
	const size_t length = sizeof place - 1;
	if (err->has_pointer && strncmp(err->pointer, place, length) == 0 && err->pointer[length]) {
		const struct error inner = *err;
		*err = (struct error){0};
		error_at(err, inner.code, place, "at %s: %s", inner.pointer + length, inner.text);
	}
	return false;
}

static bool refuse_number(const char *what, size_t vertex, const char *is, struct error *err) {
	return error_set(err, ERROR_INVALID_VALUE, "the %s of vertex %zu %s", what, vertex, is);
}

static bool check_normal(float n[static AXES], size_t vertex, struct error *err) {
	const double square = (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2];
	if (!(square > 0) || isinf(square)) {
		return refuse_number("normal", vertex, "has no length", err);
	}
	if (fabs(square - 1) > UNIT_TOLERANCE) {
		const double length = sqrt(square);
		for (size_t k = 0; k < AXES; k++) {
			n[k] = (float)(n[k] / length);
		}
	}
	return true;
}

bool example_check(float *positions, float *normals, size_t vertices, struct error *err) {
	for (size_t i = 0; i < vertices * AXES; i++) {
		if (!isfinite(positions[i])) {
			return refuse_number("position", i / AXES, "is not finite", err);
		}
	}
	for (size_t i = 0; normals && i < vertices; i++) {
		if (!check_normal(normals + i * AXES, i, err)) {
			return false;
		}
	}
	return true;
}
