// The daemon's JSON as tables for people.
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "json_text.h"

struct column {
	const char *member;
	const char *title;
	int width; // characters; less than 0 = flush left
};

static void print_head(const char *title, const struct column *columns, size_t count) {
	printf("%s", title);
	for (size_t i = 0; i < count; i++) {
		printf("%*s%s", columns[i].width, columns[i].title, i + 1 < count ? "  " : "\n");
	}
}

static void print_cell(const struct value *value, int width) {
	if (value && value->kind == VALUE_STRING) {
		printf("%*s", width, value->string);
	} else if (value && value->kind == VALUE_NUMBER) {
		printf("%*.6g", width, value->number);
	} else {
		printf("%*s", width, "");
	}
}

/* Prints the objects of a list as rows; nothing where there are none. */
static void print_list(
	const struct value *list, const char *title, const struct column *columns, size_t count) {
	if (!list || list->kind != VALUE_LIST || list->count == 0) {
		return;
	}
	print_head(title, columns, count);
	for (size_t i = 0; i < list->count; i++) {
		for (size_t c = 0; c < count; c++) {
			const bool last = c + 1 == count;
			print_cell(
				value_member(&list->items[i], columns[c].member), columns[c].width);
			printf("%s", last ? "\n" : "  ");
		}
	}
}

void table_of_rigs(const struct value *document) {
	static const struct column columns[] = {
		{"name", "rig", -24},
		{"vertices", "vertices", 9},
		{"joints", "joints", 7},
		{"clips", "clips", 6},
	};
	const struct value *rigs = value_member(document, "rigs");
	if (rigs && rigs->kind == VALUE_LIST && rigs->count == 0) {
		printf("no rigs\n");
	}
	print_list(rigs, "", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; rigs && rigs->kind == VALUE_LIST && i < rigs->count; i++) {
		const struct value *name = value_member(&rigs->items[i], "name");
		if (name && name->kind == VALUE_STRING &&
			value_member(&rigs->items[i], "damaged")) {
			printf("%s is damaged on the daemon's disk: put it again, or delete it\n",
				name->string);
		}
	}
}

/* Joints as the tree that they are: each below its parent, one step to the right. */
static void print_joints(const struct value *joints, double parent, int depth) {
	for (size_t i = 0; i < joints->count; i++) {
		const struct value *above = value_member(&joints->items[i], "parent");
		const struct value *index = value_member(&joints->items[i], "index");
		const struct value *name = value_member(&joints->items[i], "name");
		if (above && index && name && above->number == parent) {
			printf("%*s%s\n", 2 + 2 * depth, "",
				name->kind == VALUE_STRING ? name->string : "");
			print_joints(joints, index->number, depth + 1);
		}
	}
}

static void print_numbers(const struct value *document) {
	static const char *const members[] = {"bytes", "vertices", "triangles"};
	print_cell(value_member(document, "name"), 0);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const struct value *number = value_member(document, members[i]);
		printf("%s%.0f %s", i == 0 ? ": " : ", ", number ? number->number : 0, members[i]);
	}
	printf("\n");
}

void table_of_rig(const struct value *document) {
	static const struct column clips[] = {
		{"name", "clip", -32},
		{"duration", "seconds", 9},
		{"channels", "channels", 9},
	};
	static const struct column materials[] = {
		{"name", "material", -32},
		{"alpha_mode", "alpha", -9},
	};
	const struct value *joints = value_member(document, "joints");
	const struct value *warnings = value_member(document, "warnings");
	print_numbers(document);
	print_list(value_member(document, "clips"), "\n", clips, sizeof clips / sizeof *clips);
	print_list(value_member(document, "materials"), "\n", materials,
		sizeof materials / sizeof *materials);
	if (joints && joints->kind == VALUE_LIST && joints->count > 0) {
		printf("\njoints\n");
		print_joints(joints, -1, 0);
	}
	for (size_t i = 0; warnings && i < warnings->count; i++) {
		printf("%swarning: ", i == 0 ? "\n" : "");
		print_cell(&warnings->items[i], 0);
		printf("\n");
	}
}

bool table_print(const struct buffer *document, void (*print)(const struct value *document)) {
	struct arena *arena = arena_create();
	const struct value *read = json_read(arena, document->data, document->size, NULL);
	if (read && read->kind == VALUE_OBJECT) {
		print(read);
	}
	const bool printed = read && read->kind == VALUE_OBJECT;
	arena_destroy(arena);
	return printed;
}
