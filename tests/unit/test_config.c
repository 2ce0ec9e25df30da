// Arguments, and addresses to listen on.
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listen.h"

#include "check.h"

static enum config_result read_two(
	const char *first, const char *second, struct config *config, struct error *err) {
	char *arguments[] = {"posed", (char *)first, (char *)second, NULL};
	*err = (struct error){0};
	return config_read(second ? 3 : first ? 2 : 1, arguments, config, err);
}

static void refuses_wrong_arguments(void **state) {
	(void)state;
	static const char *const cases[][2] = {{"--nope", "1"}, {"--queue", NULL}, {"--queue", "0"},
		{"--queue", "many"}, {"--queue", "-1"}, {"--render-threads", "65"},
		{"--renderer", "vulkan"}, {"--sandbox", "on"}, {"--sandbox", NULL},
		{"--import-seconds", "0"}, {"--import-seconds", "-1"}, {"--import-seconds", "nan"},
		{"--import-seconds", "1s"}, {"--import-seconds", "3601"}, {"--cors-origin", ""},
		{"--cors-origin", "a b"}, {"fox.glb", NULL}, {"-h", NULL}, {"--list", "x"},
		{"--renderer=", NULL}, {"--rig-memory", "0"}, {"--rig-memory", "1048577"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct config config;
		struct error err;
		assert_int_equal(read_two(cases[i][0], cases[i][1], &config, &err), CONFIG_WRONG);
		assert_true(strlen(err.text) > 0);
		assert_null(strchr(err.text, '\n'));
	}
}

static void refuses_wrong_addresses(void **state) {
	(void)state;
	static const char *const cases[] = {"", ":", "8600", ":8600", "127.0.0.1",
		"127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:123456",
		"::1:8600", "[::1]", "[]:80", "300.1.1.1:80"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {0};
		if (listen_open(cases[i], &err) >= 0) {
			fail_msg("\"%s\" was taken", cases[i]);
		}
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
	}
}

static void defaults_are_the_documented_ones(void **state) {
	(void)state;
	struct config config;
	struct error err;
	setenv("XDG_DATA_HOME", "/xdg", 1);
	assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_RUN);
	assert_string_equal(config.listen, "127.0.0.1:8600");
	assert_string_equal(config.data, "/xdg/posed");
	assert_int_equal(config.renderer, RENDERER_AUTO);
	assert_int_equal(config.sandbox, SANDBOX_AUTO);
	assert_int_equal(config.rig_memory_mib, 1024);
	assert_true(config.import_seconds == 10);
	assert_in_range(config.render_threads, 1, 2);
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/home/fox", 1);
	assert_int_equal(read_two("--renderer=none", NULL, &config, &err), CONFIG_RUN);
	assert_string_equal(config.data, "/home/fox/.local/share/posed");
	assert_int_equal(config.renderer, RENDERER_NONE);
	unsetenv("HOME");
	assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_WRONG);
	assert_int_equal(read_two("--data", "here", &config, &err), CONFIG_RUN);
	assert_string_equal(config.data, "here");
	assert_int_equal(read_two("--data=x", "--sandbox=require", &config, &err), CONFIG_RUN);
	assert_int_equal(config.sandbox, SANDBOX_REQUIRE);
	assert_int_equal(read_two("--data=x", "--import-seconds=0.5", &config, &err), CONFIG_RUN);
	assert_true(config.import_seconds == 0.5);
}

static void a_free_port_is_found_and_named(void **state) {
	(void)state;
	struct error err = {0};
	const int file = listen_open("127.0.0.1:0", &err);
	assert_true(file >= 0);
	char address[64];
	assert_true(listen_address(file, address, sizeof address, &err));
	assert_memory_equal(address, "127.0.0.1:", 10);
	assert_true(atoi(address + 10) > 0);
	assert_int_equal(listen_open(address, &err), -1);
	assert_int_equal(err.code, ERROR_CONFLICT);
	close(file);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_wrong_arguments),
		cmocka_unit_test(refuses_wrong_addresses),
		cmocka_unit_test(defaults_are_the_documented_ones),
		cmocka_unit_test(a_free_port_is_found_and_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
