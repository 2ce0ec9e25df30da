// Records: they come back as they were written, and nothing else passes for one.
#include "store/store_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Two items; the lists of examples also say what they were put for. */
static struct item_list *two_items(bool examples) {
	struct item_list *list = item_list_create(2);
	if (examples) {
		hash_bytes("s", 1, list->topology.joints);
		hash_bytes("t", 1, list->topology.triangles);
	}
	list->count = 2;
	for (int i = 0; i < 2; i++) {
		struct item_record *item = &list->items[i];
		strcpy(item->name, i ? "b 1" : " a");
		hash_bytes(item->name, 2, item->hash);
		item->bytes = 1000 + (size_t)i;
		item->normals = i;
	}
	return list;
}

static struct store_record some_record(void) {
	struct store_record record = {
		.bytes = 123456789012, .vertices = 1, .joints = 2, .clips = 3};
	hash_bytes("", 0, record.hash);
	return record;
}

static bool same_list(const struct item_list *a, const struct item_list *b) {
	return !a || !b ? a == b
			: a->count == b->count &&
			memcmp(a, b, sizeof *a + a->count * sizeof *a->items) == 0;
}

/* Reads a copy, whose end a sanitizer holds. */
static enum record_state read_copy(const char *name, const void *text, size_t size,
	struct store_record *record, struct record_items *items) {
	char *copy = calloc(size + 1, 1);
	memcpy(copy, text, size);
	const enum record_state state = record_read(name, copy, size, record, items);
	free(copy);
	return state;
}

static void expect_damaged(const char *name, const void *text, size_t size) {
	struct store_record back;
	struct record_items read;
	assert_int_equal(read_copy(name, text, size, &back, &read), RECORD_DAMAGED);
	assert_null(read.lists[ITEM_EXAMPLES]);
	assert_null(read.lists[ITEM_CLIPS]);
}

/* Every value of every byte, every cut, and what stands behind it. */
static void expect_every_change_noticed(struct buffer *text) {
	for (size_t i = 0; i < text->size; i++) {
		expect_damaged("fox", text->data, i);
		const unsigned char was = text->data[i];
		for (int change = 1; change < 256; change++) {
			text->data[i] = (unsigned char)(was ^ change);
			expect_damaged("fox", text->data, text->size);
		}
		text->data[i] = was;
	}
	static const char more[] = {'\n', ' ', 'a', '\0'};
	for (size_t i = 0; i < sizeof more; i++) {
		buffer_append(text, &more[i], 1);
		expect_damaged("fox", text->data, text->size);
		text->size--;
	}
	expect_damaged("cat", text->data, text->size);
	expect_damaged("", text->data, text->size);
}

/* As bits: the kinds of things beside the rig. */
static void records_read_back_and_every_change_is_noticed(void **state) {
	(void)state;
	for (int kinds = 0; kinds < 4; kinds++) {
		struct record_items items = {0}, read;
		items.lists[ITEM_EXAMPLES] = kinds & 1 ? two_items(true) : NULL;
		items.lists[ITEM_CLIPS] = kinds & 2 ? two_items(false) : NULL;
		const struct store_record record = some_record();
		struct store_record back = {0};
		struct buffer text = {0};
		record_write("fox", &record, &items, &text);
		assert_int_equal(
			read_copy("fox", text.data, text.size, &back, &read), RECORD_SOUND);
		assert_memory_equal(&back, &record, sizeof back);
		for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
			assert_true(same_list(read.lists[kind], items.lists[kind]));
		}
		record_items_finish(&read);
		expect_every_change_noticed(&text);
		buffer_finish(&text);
		record_items_finish(&items);
	}
}

static void refuses_names_that_are_out_of_order(void **state) {
	(void)state;
	static const char *const second[] = {" a", " ", "a/b", "..", ""};
	for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
		const struct store_record record = some_record();
		struct record_items items = {.lists = {two_items(true)}};
		strcpy(items.lists[ITEM_EXAMPLES]->items[1].name, second[i]);
		struct buffer text = {0};
		record_write("fox", &record, &items, &text);
		expect_damaged("fox", text.data, text.size);
		buffer_finish(&text);
		record_items_finish(&items);
	}
}

#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define LINES "sha256 " HASH "\nbytes 5\nvertices 1\njoints 2\nclips 3\n"
#define EXAMPLES "shape " HASH "\ntriangles " HASH "\nexamples 1\n" HASH " 7 1 an example\n"
#define CLIPS "stored clips 1\n" HASH " 8 0 a clip\n"

/* As daemons wrote them before there were checksums. */
static void older_records_are_read(void **state) {
	(void)state;
	static const struct {
		const char *text;
		bool examples, clips, ok;
	} cases[] = {
		{"posed rig 1\n" LINES, false, false, true},
		{"posed rig 2\n" LINES EXAMPLES, true, false, true},
		{"posed rig 3\n" LINES CLIPS, false, true, true},
		{"posed rig 3\n" LINES EXAMPLES CLIPS, true, true, true},
		{"posed rig 0\n" LINES, false, false, false},
		{"posed rig 1\n" LINES EXAMPLES, false, false, false},
		{"posed rig 1\n" LINES CLIPS, false, false, false},
		{"posed rig 2\n" LINES, false, false, false},
		{"posed rig 2\n" LINES EXAMPLES CLIPS, false, false, false},
		{"posed rig 3\n" LINES, false, false, false},
		{"posed rig 3\n" LINES EXAMPLES, false, false, false},
		{"posed rig 4\n" LINES, false, false, false},
		{"posed rig 5\n" LINES, false, false, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store_record back;
		struct record_items read;
		const size_t size = strlen(cases[i].text);
		assert_int_equal(read_copy("fox", cases[i].text, size, &back, &read),
			cases[i].ok ? RECORD_OLDER : RECORD_DAMAGED);
		assert_int_equal(read.lists[ITEM_EXAMPLES] != NULL, cases[i].examples);
		assert_int_equal(read.lists[ITEM_CLIPS] != NULL, cases[i].clips);
		record_items_finish(&read);
		for (size_t length = 0; length < size; length++) {
			// A cut at the end of a section leaves an older record of less.
			if (read_copy("fox", cases[i].text, length, &back, &read) !=
				RECORD_DAMAGED) {
				record_items_finish(&read);
				assert_int_equal(cases[i].text[length - 1], '\n');
			}
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_read_back_and_every_change_is_noticed),
		cmocka_unit_test(refuses_names_that_are_out_of_order),
		cmocka_unit_test(older_records_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
