// Examples in the store: what is refused, what outlives what, what a crash or a broken disk leaves.
#include "store/store_examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gltf_builder.h"
#include "limits.h"
#include "model/examples.h"
#include "store/store_record.h"
#include "store_fixture.h"

#include "check.h"

/* --- Rigs and examples to put --- */

/* The properties in which a quad may differ from another. */
struct quad_params {
	const char *node; // its name
	float far;        // where its last corner lies
	uint8_t indices[3];
	size_t vertices; // 3 or 4
};

static const struct quad_params plain = {"n", 1, {0, 1, 2}, 4};

static void put_quad(struct fixture *fixture, const char *name, struct quad_params params,
	struct rig_summary *out) {
	const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, params.far};
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, params.vertices, corners, params.vertices * 3 * sizeof *corners);
	add_data(&b, "SCALAR", U8, 3, params.indices, sizeof params.indices);
	char members[256];
	snprintf(members, sizeof members,
		"\"nodes\": [{\"name\": \"%s\", \"mesh\": 0}], \"meshes\": [{\"primitives\": "
		"[{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}]",
		params.node);
	size_t size;
	unsigned char *bytes = build_glb(&b, members, &size);
	const struct store_asset asset = {
		.name = name, .bytes = bytes, .size = size, .file = -1, .mode = PUT_REPLACE};
	bool created;
	struct error err = {0};
	if (!store_put(fixture->store, &asset, fixture->arena, out, &created, &err)) {
		fail_msg("%s", err.text);
	}
	free(bytes);
	gltf_builder_finish(&b);
}

static bool delete_example(
	struct fixture *fixture, const char *rig, const char *name, struct error *err) {
	const struct item_name item = {rig, ITEM_EXAMPLES, name, NULL};
	return items_delete(fixture->store, &item, err);
}

/* Puts an example whose first number is x; 1 = created, 0 = was there, -1 = refused with *err. */
static int put_as(struct fixture *fixture, const char *rig, const char *name, float x,
	enum put_mode mode, struct error *err) {
	struct store_hold hold;
	if (!store_hold(fixture->store, rig, HOLD_RIG, fixture->arena, &hold, err)) {
		return -1;
	}
	const float positions[12] = {x};
	const struct example_form form = {"\"rest\"", 6, 4, positions, NULL};
	const struct store_example example = {
		.hold = &hold, .name = name, .form = &form, .mode = mode};
	assert_non_null(store_load(fixture->store, &hold, NULL));
	const char *content;
	bool created;
	const bool stored = store_put_example(
		fixture->store, &example, fixture->arena, &content, &created, err);
	store_release(&hold);
	return stored ? created : -1;
}

static int put(struct fixture *fixture, const char *rig, const char *name, float x) {
	return put_as(fixture, rig, name, x, PUT_REPLACE, NULL);
}

static void hold(struct fixture *fixture, const char *rig, struct store_hold *out) {
	assert_true(store_hold(fixture->store, rig, HOLD_RIG, fixture->arena, out, NULL));
}

/* The first number of an example by its file; NAN = there is none, INFINITY = it is damaged. */
static float read_first(const struct store_hold *hold, const char *name) {
	const struct item_record *record = store_find_example(hold, name, NULL);
	struct example_form form;
	struct error err = {0};
	void *bytes = record ? store_read_example(hold, record, &form, &err) : NULL;
	if (record && !bytes) {
		assert_int_equal(err.code, ERROR_STORE_DAMAGED);
	}
	const float first = bytes ? form.positions[0] : record ? INFINITY : NAN;
	free(bytes);
	return first;
}

static float first_of(struct fixture *fixture, const char *rig, const char *name) {
	struct store_hold held;
	hold(fixture, rig, &held);
	const float first = read_first(&held, name);
	store_release(&held);
	return first;
}

static size_t count(struct fixture *fixture, const char *rig) {
	struct store_hold held;
	hold(fixture, rig, &held);
	const size_t examples = store_example_count(&held);
	store_release(&held);
	return examples;
}

static struct store_stats stats_of(struct fixture *fixture) {
	struct store_stats stats;
	store_read_stats(fixture->store, &stats);
	return stats;
}

/* --- Cases --- */

static void refuses_what_does_not_fit(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	struct error err = {0};
	assert_int_equal(put_as(fixture, "quad", "a", 1, PUT_REPLACE, &err), -1);
	assert_int_equal(err.code, ERROR_UNKNOWN_RIG);
	put_quad(fixture, "quad", plain, &rig);
	err = (struct error){0};
	assert_false(delete_example(fixture, "quad", "a", &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_EXAMPLE);
	assert_string_equal(err.text, "no example \"a\" of rig \"quad\"; it has none");
	assert_int_equal(put_as(fixture, "quad", "a", 1, PUT_ONLY_NEW, NULL), 1);
	err = (struct error){0};
	assert_int_equal(put_as(fixture, "quad", "a", 1, PUT_ONLY_NEW, &err), -1);
	assert_int_equal(err.code, ERROR_PRECONDITION_FAILED);
	err = (struct error){0};
	assert_false(delete_example(fixture, "quad", "b", &err));
	assert_string_equal(err.text, "no example \"b\" of rig \"quad\"; it has a");
	err = (struct error){0};
	assert_false(delete_example(fixture, "qaud", "a", &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_RIG);
}

/* Between the reading of a request and its end a rig may get another content. */
static void refuses_an_example_of_what_was_replaced(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	struct store_hold held;
	hold(fixture, "quad", &held);
	const float positions[12] = {0};
	const struct example_form form = {"\"rest\"", 6, 4, positions, NULL};
	const struct store_example example = {.hold = &held, .name = "a", .form = &form};
	assert_non_null(store_load(fixture->store, &held, NULL));
	struct quad_params moved = plain;
	moved.far = 2;
	put_quad(fixture, "quad", moved, &rig);
	const char *content;
	bool created;
	struct error err = {0};
	assert_false(store_put_example(
		fixture->store, &example, fixture->arena, &content, &created, &err));
	assert_int_equal(err.code, ERROR_CONFLICT);
	store_release(&held);
	assert_int_equal(count(fixture, "quad"), 0);
	assert_int_equal(count_files(fixture, "objects"), 1);
}

static void refuses_more_than_there_may_be(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	char name[16];
	for (int i = 0; i < LIMIT_EXAMPLES; i++) {
		snprintf(name, sizeof name, "e%d", i);
		assert_int_equal(put(fixture, "quad", name, (float)i), 1);
	}
	struct error err = {0};
	assert_int_equal(put_as(fixture, "quad", "more", 1, PUT_REPLACE, &err), -1);
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_int_equal(put(fixture, "quad", "e7", -1), 0);
	assert_int_equal(count_files(fixture, "objects"), 1 + LIMIT_EXAMPLES);
	reopen(fixture);
	assert_int_equal(count(fixture, "quad"), LIMIT_EXAMPLES);
	assert_true(first_of(fixture, "quad", "e7") == -1);
	assert_true(first_of(fixture, "quad", "e255") == 255);
}

static void examples_are_found_again_sorted(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	static const char *const names[] = {"b", " a ", "c%\xe2\x82\xac", "..."};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(put(fixture, "quad", names[i], (float)i), 1);
		assert_int_equal(put(fixture, "quad", names[i], (float)i), 0);
	}
	for (int again = 0; again < 2; again++) {
		struct store_hold held;
		hold(fixture, "quad", &held);
		static const int order[] = {1, 3, 0, 2};
		assert_int_equal(store_example_count(&held), 4);
		for (size_t i = 0; i < 4; i++) {
			const struct item_record *record = store_example_at(&held, i);
			assert_string_equal(record->name, names[order[i]]);
			assert_true(read_first(&held, record->name) == (float)order[i]);
			struct example_summary summary;
			assert_true(store_summarize_example(
				&held, record, fixture->arena, &summary, NULL));
			assert_int_equal(summary.vertices, 4);
			assert_false(summary.normals);
			assert_memory_equal(summary.pose, "\"rest\"", summary.pose_bytes);
		}
		assert_int_equal(stats_of(fixture).examples, 4);
		store_release(&held);
		reopen(fixture);
	}
}

/* The files in objects/ are counted once each, even if they are shared. */
static void the_size_of_the_store_counts_each_object_once(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	put_quad(fixture, "twin", plain, &rig);
	put(fixture, "quad", "a", 1);
	put(fixture, "quad", "b", 1);
	put(fixture, "twin", "c", 1);
	put(fixture, "twin", "d", 2);
	const size_t example = EXAMPLE_HEAD_BYTES + example_vertex_bytes(4, false) + 6;
	for (int again = 0; again < 2; again++) {
		assert_int_equal(stats_of(fixture).object_bytes, rig.bytes + 2 * example);
		assert_int_equal(stats_of(fixture).examples, 4);
		assert_int_equal(count_files(fixture, "objects"), 3);
		reopen(fixture);
	}
	assert_true(delete_example(fixture, "twin", "d", NULL));
	assert_int_equal(stats_of(fixture).object_bytes, rig.bytes + example);
	assert_int_equal(count_files(fixture, "objects"), 2);
}

static void examples_go_with_their_rig(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	put(fixture, "quad", "a", 1);
	put(fixture, "quad", "b", 2);
	assert_true(store_delete(fixture->store, "quad", NULL));
	assert_int_equal(count_files(fixture, "objects"), 0);
	assert_int_equal(stats_of(fixture).object_bytes, 0);
	put_quad(fixture, "quad", plain, &rig);
	assert_int_equal(count(fixture, "quad"), 0);
	assert_int_equal(stats_of(fixture).examples, 0);
}

static void another_content_keeps_examples_that_fit(void **state) {
	struct fixture *fixture = *state;
	const struct {
		struct quad_params params;
		size_t kept;
		const char *warning; // a piece of it; NULL = none
	} cases[] = {
		{{"n", 5, {0, 1, 2}, 4}, 2, NULL},
		{{"n", 5, {2, 1, 0}, 4}, 2, "triangles have changed"},
		{{"m", 5, {2, 1, 0}, 4}, 0, "removed"},
		{{"n", 1, {0, 1, 2}, 3}, 0, "removed"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rig_summary rig;
		put_quad(fixture, "quad", plain, &rig);
		put(fixture, "quad", "a", 1);
		put(fixture, "quad", "b", 2);
		put_quad(fixture, "quad", cases[i].params, &rig);
		assert_int_equal(!rig.warnings[ITEM_EXAMPLES], !cases[i].warning);
		if (cases[i].warning) {
			assert_non_null(strstr(rig.warnings[ITEM_EXAMPLES], cases[i].warning));
		}
		assert_int_equal(count(fixture, "quad"), cases[i].kept);
		reopen(fixture);
		assert_int_equal(count(fixture, "quad"), cases[i].kept);
		assert_int_equal(count_files(fixture, "objects"), 1 + cases[i].kept);
		// Said once, and not again of what is the same by now.
		put_quad(fixture, "quad", cases[i].params, &rig);
		assert_null(rig.warnings[ITEM_EXAMPLES]);
		assert_true(store_delete(fixture->store, "quad", NULL));
	}
}

/* A request sees the rig and the examples of one moment, however long it takes. */
static void what_is_held_survives_its_end(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	put(fixture, "quad", "a", 1);
	put(fixture, "quad", "b", 2);
	struct store_hold held;
	hold(fixture, "quad", &held);
	put(fixture, "quad", "a", 3);
	assert_true(delete_example(fixture, "quad", "b", NULL));
	assert_true(store_delete(fixture->store, "quad", NULL));
	const struct examples *examples = store_load_examples(fixture->store, &held, NULL);
	assert_non_null(examples);
	assert_int_equal(examples->count, 2);
	assert_int_equal(examples->vertex_count, 4);
	assert_string_equal(examples->items[1].name, "b");
	assert_string_equal(examples->items[1].pose->string, "rest");
	assert_true(examples->items[0].positions[0] == 1 && examples->items[1].positions[0] == 2);
	assert_null(examples->items[0].normals);
	store_release(&held);
	// The next write makes the room.
	put_quad(fixture, "other", plain, &rig);
	assert_int_equal(count_files(fixture, "objects"), 1);
}

static void each_set_is_another_state(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	char seen[4][160];
	put_quad(fixture, "quad", plain, &rig);
	for (int i = 0; i < 4; i++) {
		struct store_hold held;
		hold(fixture, "quad", &held);
		snprintf(seen[i], sizeof seen[i], "%s", held.state);
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(seen[i], seen[k]);
		}
		store_release(&held);
		assert_true(i == 3 || put(fixture, "quad", i == 1 ? "b" : "a", (float)i) >= 0);
	}
	assert_string_equal(seen[0], rig.content);
	put(fixture, "quad", "a", 0);
	reopen(fixture);
	struct store_hold held;
	hold(fixture, "quad", &held);
	assert_string_equal(held.state, seen[2]);
	struct examples *examples = store_load_examples(fixture->store, &held, NULL);
	char digits[3];
	snprintf(digits, sizeof digits, "%02x", examples->hash[31]);
	assert_string_equal(digits, seen[2] + strlen(seen[2]) - 2);
	store_release(&held);
}

static void examples_in_memory_are_shared_and_leave_for_the_budget(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	put(fixture, "quad", "a", 1);
	const size_t before = stats_of(fixture).loaded_bytes;
	struct store_hold first, second;
	hold(fixture, "quad", &first);
	hold(fixture, "quad", &second);
	struct examples *examples = store_load_examples(fixture->store, &first, NULL);
	assert_ptr_equal(store_load_examples(fixture->store, &second, NULL), examples);
	assert_int_equal(stats_of(fixture).loaded_bytes, before + example_vertex_bytes(4, false));
	assert_int_equal(stats_of(fixture).loaded_rigs, 1);
	store_release(&second);
	store_release(&first);
	store_close(fixture->store);
	fixture->store = open_with_memory(fixture->path, 1, NULL);
	hold(fixture, "quad", &first);
	store_load_examples(fixture->store, &first, NULL);
	assert_int_equal(stats_of(fixture).loaded_bytes, example_vertex_bytes(4, false));
	store_release(&first);
	assert_int_equal(stats_of(fixture).loaded_bytes, 0);
	assert_int_equal(stats_of(fixture).evictions, 1);
}

static void object_path(
	const struct fixture *fixture, const struct item_record *record, char path[static 160]) {
	snprintf(path, 160, "%s/objects/%s", fixture->path, record->hash);
}

static void damage_is_noticed_and_mended(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	for (int way = 0; way < 3; way++) {
		put_quad(fixture, "quad", plain, &rig);
		put(fixture, "quad", "a", 1);
		put(fixture, "quad", "b", 2);
		struct store_hold held;
		char path[160];
		hold(fixture, "quad", &held);
		object_path(fixture, store_example_at(&held, 0), path);
		store_release(&held);
		if (way == 0) {
			assert_int_equal(unlink(path), 0);
		} else if (way == 1) {
			assert_int_equal(truncate(path, 40), 0);
		} else { // the same size: only the hash can tell
			FILE *file = fopen(path, "r+");
			assert_int_equal(fseek(file, EXAMPLE_HEAD_BYTES, SEEK_SET), 0);
			fputc(7, file);
			fclose(file);
		}
		reopen(fixture);
		assert_int_equal(count(fixture, "quad"), 2);
		assert_true(isinf(first_of(fixture, "quad", "a")));
		assert_true(first_of(fixture, "quad", "b") == 2);
		struct error err = {0};
		hold(fixture, "quad", &held);
		assert_null(store_load_examples(fixture->store, &held, &err));
		assert_int_equal(err.code, ERROR_STORE_DAMAGED);
		store_release(&held);
		if (way == 1) {
			assert_true(delete_example(fixture, "quad", "a", NULL));
		} else {
			assert_int_equal(put(fixture, "quad", "a", 1), 0);
			assert_true(first_of(fixture, "quad", "a") == 1);
		}
		assert_true(store_delete(fixture->store, "quad", NULL));
		assert_int_equal(count_files(fixture, "objects"), 0);
	}
}

/* A change that fails may have happened on the disk or not. What is answered after it must hold all
 * the same. The syncs are those of the object, its directory, the record and its directory. */
static void promises_after_a_failed_put_are_kept(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	for (int sync = 1; sync <= 4; sync++) {
		for (int again = 0; again < 2; again++) {
			struct error err = {0};
			assert_true(put(fixture, "quad", "a", 1) >= 0);
			syncs_until_failure = sync;
			const int put_status = put_as(fixture, "quad", "a", 2, PUT_REPLACE, &err);
			assert_int_equal(put_status, -1);
			assert_int_equal(syncs_until_failure, 0);
			assert_int_equal(err.code, ERROR_STORE_UNWRITABLE);
			assert_true(first_of(fixture, "quad", "a") == 1);
			assert_int_equal(put(fixture, "quad", "a", again ? 2 : 1), 0);
			reopen(fixture);
			assert_true(first_of(fixture, "quad", "a") == (again ? 2 : 1));
			assert_int_equal(count_files(fixture, "objects"), 2);
		}
	}
}

static void promises_after_a_failed_delete_are_kept(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	for (int sync = 1; sync <= 2; sync++) {
		put(fixture, "quad", "a", 1);
		syncs_until_failure = sync;
		assert_false(delete_example(fixture, "quad", "a", NULL));
		assert_int_equal(syncs_until_failure, 0);
		assert_int_equal(put(fixture, "quad", "a", 1), 0);
		reopen(fixture);
		assert_true(first_of(fixture, "quad", "a") == 1);
		assert_true(delete_example(fixture, "quad", "a", NULL));
		reopen(fixture);
		assert_int_equal(count(fixture, "quad"), 0);
		assert_int_equal(count_files(fixture, "objects"), 1);
	}
}

/* A daemon killed behind the object and before the record. */
static void leftovers_of_a_crash_are_cleared(void **state) {
	struct fixture *fixture = *state;
	struct rig_summary rig;
	put_quad(fixture, "quad", plain, &rig);
	put(fixture, "quad", "a", 1);
	write_file(fixture, "objects/0123", "an example that no record names");
	reopen(fixture);
	assert_int_equal(count_files(fixture, "objects"), 2);
	assert_true(first_of(fixture, "quad", "a") == 1);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, store_set_up, store_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(refuses_what_does_not_fit),
		CASE(refuses_an_example_of_what_was_replaced),
		CASE(refuses_more_than_there_may_be),
		CASE(examples_are_found_again_sorted),
		CASE(the_size_of_the_store_counts_each_object_once),
		CASE(examples_go_with_their_rig),
		CASE(another_content_keeps_examples_that_fit),
		CASE(what_is_held_survives_its_end),
		CASE(each_set_is_another_state),
		CASE(examples_in_memory_are_shared_and_leave_for_the_budget),
		CASE(damage_is_noticed_and_mended),
		CASE(promises_after_a_failed_put_are_kept),
		CASE(promises_after_a_failed_delete_are_kept),
		CASE(leftovers_of_a_crash_are_cleared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
