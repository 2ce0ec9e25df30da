// Libraries on demand: their trampolines, and what is said of those that cannot be loaded.
#include "base/delayed.h"

#include <dlfcn.h>
#include <string.h>
#include <zip.h>

#include "check.h"

static void a_library_that_is_not_there_is_named_with_its_package_each_time(void **state) {
	(void)state;
	struct delayed_library library = {.file = "libnowhere.so.7", .package = "libnowhere7"};
	for (int i = 0; i < 2; i++) {
		struct error err = {0};
		assert_false(delayed_load(&library, &err));
		assert_int_equal(err.code, ERROR_INTERNAL);
		assert_non_null(
			strstr(err.text, "libnowhere.so.7 of the package libnowhere7 cannot"));
		assert_non_null(strstr(err.text, "cannot open shared object file"));
	}
}

static void a_function_that_is_not_there_is_named(void **state) {
	(void)state;
	const char *const names[] = {"zip_strerror", "zip_no_such_function"};
	delayed_function *places[2] = {delayed_not_loaded, delayed_not_loaded};
	struct delayed_library library = {.file = delayed_zip.file,
		.package = "",
		.names = names,
		.places = places,
		.count = 2};
	struct error err = {0};
	assert_false(delayed_load(&library, &err));
	assert_non_null(strstr(err.text, "zip_no_such_function"));
}

static void a_trampoline_leads_to_the_library(void **state) {
	(void)state;
	assert_true(delayed_load(&delayed_zip, NULL));
	void *library = dlopen(delayed_zip.file, RTLD_NOW | RTLD_NOLOAD);
	assert_non_null(library);
	for (size_t i = 0; i < delayed_zip.count; i++) {
		void *function;
		memcpy(&function, (void *)&delayed_zip.places[i], sizeof function);
		assert_ptr_equal(function, dlsym(library, delayed_zip.names[i]));
	}
	zip_error_t error;
	zip_error_init(&error);
	zip_error_set(&error, ZIP_ER_NOENT, 0);
	assert_string_equal(zip_error_strerror(&error), "No such file");
	zip_error_fini(&error);
	dlclose(library);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_library_that_is_not_there_is_named_with_its_package_each_time),
		cmocka_unit_test(a_function_that_is_not_there_is_named),
		cmocka_unit_test(a_trampoline_leads_to_the_library),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
