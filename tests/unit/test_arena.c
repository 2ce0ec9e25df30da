// Arenas: copies of text.
#include "base/arena.h"

#include <string.h>

#include "check.h"

static void a_copy_has_as_many_bytes_as_are_asked_for(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	assert_string_equal(arena_strndup(arena, "Walking", 4), "Walk");
	assert_string_equal(arena_strndup(arena, "Walking", 0), "");
	arena_destroy(arena);
}

/* Bytes of a buffer that nothing was written to are NULL, which memcpy() must not get. */
static void no_bytes_of_nothing_are_empty_text(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	assert_string_equal(arena_strndup(arena, NULL, 0), "");
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_as_many_bytes_as_are_asked_for),
		cmocka_unit_test(no_bytes_of_nothing_are_empty_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
