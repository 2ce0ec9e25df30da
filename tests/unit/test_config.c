// The sources of the configuration, and addresses to listen on.
#include "config/config_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/address.h"
#include "http/listen.h"

#include "check.h"

static enum config_result read_two(
	const char *first, const char *second, struct config *config, struct error *err) {
	char *arguments[] = {"posed", (char *)first, (char *)second, NULL};
	*err = (struct error){0};
	return config_read(second ? 3 : first ? 2 : 1, arguments, config, err);
}

/* Reads a file of this text, named by --config, with another argument. */
static enum config_result read_file(
	const char *text, size_t size, char *argument, struct config *config, struct error *err) {
	char path[] = "/tmp/posed-config-XXXXXX";
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, size), (ssize_t)size);
	close(file);
	char *arguments[] = {"posed", "--config", path, argument, NULL};
	*err = (struct error){0};
	const enum config_result result = config_read(argument ? 4 : 3, arguments, config, err);
	// The message is compared without the file's name.
	if (strncmp(err->text, path, strlen(path)) == 0) {
		memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
	}
	unlink(path);
	return result;
}

static void a_switch_by_itself_is_on(void **state) {
	(void)state;
	static const struct {
		const char *first, *second;
		bool on;
	} cases[] = {{"--read-only", NULL, true}, {"--read-only", "on", true},
		{"--read-only=on", NULL, true}, {"--read-only", "--queue=3", true},
		{"--read-only", "off", false}, {"--queue=3", "--read-only", true},
		{"--queue=3", NULL, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct config config;
		struct error err;
		assert_int_equal(
			read_two(cases[i].first, cases[i].second, &config, &err), CONFIG_RUN);
		assert_int_equal(config.read_only, cases[i].on);
		config_finish(&config);
	}
	struct config config;
	struct error err;
	assert_int_equal(read_two("--read-only", "yes", &config, &err), CONFIG_WRONG);
	assert_int_equal(read_two("--read-only", "--load=/tmp", &config, &err), CONFIG_WRONG);
}

static void refuses_wrong_arguments(void **state) {
	(void)state;
	static const char *const cases[][2] = {{"--nope", "1"}, {"--queue", NULL}, {"--queue", "0"},
		{"--queue", "many"}, {"--queue", "-1"}, {"--render-threads", "65"},
		{"--renderer", "vulkan"}, {"--sandbox", "on"}, {"--sandbox", NULL},
		{"--import-seconds", "0"}, {"--import-seconds", "-1"}, {"--import-seconds", "nan"},
		{"--import-seconds", "1s"}, {"--import-seconds", "3601"}, {"--cors-origin", ""},
		{"--cors-origin", "a b"}, {"--hosts", ""}, {"--hosts", "a,"}, {"--hosts", "a b"},
		{"--hosts", "http://a"}, {"--hosts", "a:"}, {"--trusted-origins", ""},
		{"--trusted-origins", "a.example"}, {"--trusted-origins", "*"},
		{"--trusted-origins", "https://a/"}, {"--trusted-origins", "https://a,b"},
		{"fox.glb", NULL}, {"-h", NULL}, {"--list", "x"}, {"--renderer=", NULL},
		{"--listen", ""}, {"--data", ""}, {"--load", ""}, {"--config", ""},
		{"--config", "/nowhere/posed.conf"}, {"--config", "/tmp"},
		{"--config", "/dev/zero"}, {"--socket-mode", "660"}, {"--log-format", "xml"},
		{"--log-level", "loud"}, {"--access-log", "yes"}, {"listen", "x"}, {"--", NULL},
		{"-queue", "1"}, {"--tokens", ""}, {"--public", "yes"}, {"--anonymous", "all"},
		{"--anonymous", ""}, {"--anonymous", "read"}, {"--anonymous", "read,"},
		{"--sign-keys", ""}, {"--sign-bytes", "7"}, {"--sign-bytes", "33"},
		{"--presets", ""}, {"--presets-only", "on"}, {"--public=on", "--tokens=/a"},
		{"--rig-memory", "0"}, {"--rig-memory", "1048577"}, {"--uses", ""},
		{"--uses", "trade"}, {"--uses", "sexual,"}, {"--uses", "sexual,sexual"},
		{"--uses", "none,sexual"}};
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
	static const char too_long[] =
		"unix:/a/path/of/more/than/107/bytes/which/the/address/of/a/unix/socket/has/no/"
		"room/for/on/any/linux/that/there/is";
	static const char *const cases[] = {"", ":", "8600", ":8600", "127.0.0.1",
		"127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:123456",
		"::1:8600", "[::1]", "[]:80", "300.1.1.1:80", "unix:", "unix:posed.sock", too_long};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {0};
		struct listener listener = LISTENER_NONE;
		if (listener_open(&listener, cases[i], 0660, &err)) {
			fail_msg("\"%s\" was taken", cases[i]);
		}
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		err = (struct error){0};
		assert_false(address_check(cases[i], &err));
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
	assert_int_equal(config.socket_mode, 0660);
	assert_null(config.load);
	assert_string_equal(config.cors_origin, "*");
	assert_int_equal(config.queue_length, 4096);
	assert_int_equal(config.rig_memory_mib, 1024);
	assert_int_equal(config.renderer, RENDERER_AUTO);
	assert_int_equal(config.sandbox, SANDBOX_AUTO);
	assert_true(config.import_seconds == 10);
	assert_in_range(config.render_threads, 1, 2);
	assert_int_equal(config.log_format, LOG_TEXT);
	assert_int_equal(config.log_level, LOG_INFO);
	assert_true(config.access_log);
	config_finish(&config);
}

static void strangers_need_a_word_about_who_may(void **state) {
	(void)state;
	static const struct {
		const char *address;
		bool local;
	} cases[] = {{"127.0.0.1:0", true}, {"127.9.9.9:80", true}, {"[::1]:80", true},
		{"[::ffff:127.0.0.1]:80", true}, {"unix:/a", true}, {"0.0.0.0:0", false},
		{"[::]:80", false}, {"10.0.0.1:80", false}, {"128.0.0.1:80", false},
		{"[::ffff:10.0.0.1]:80", false}, {"[fe80::1]:80", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(address_is_local(cases[i].address), cases[i].local);
	}
	const struct config plain = {.listen = "0.0.0.0:80"};
	const struct config with_tokens = {.listen = "0.0.0.0:80", .access = {.tokens = "/a"}};
	const struct config open = {.listen = "0.0.0.0:80", .public = true};
	struct error err = {0};
	assert_false(config_check_exposure(&plain, false, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_non_null(strstr(err.text, "--tokens FILE"));
	assert_non_null(strstr(err.text, "--public on"));
	assert_true(config_check_exposure(&plain, true, NULL));
	assert_true(config_check_exposure(&with_tokens, false, NULL));
	assert_true(config_check_exposure(&open, false, NULL));
}

static void data_lies_where_the_user_s_does(void **state) {
	(void)state;
	struct config config;
	struct error err;
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/home/fox", 1);
	assert_int_equal(read_two("--renderer=none", NULL, &config, &err), CONFIG_RUN);
	assert_string_equal(config.data, "/home/fox/.local/share/posed");
	assert_int_equal(config.renderer, RENDERER_NONE);
	config_finish(&config);
	unsetenv("HOME");
	assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_WRONG);
	assert_int_equal(read_two("--data", "here", &config, &err), CONFIG_RUN);
	assert_string_equal(config.data, "here");
	config_finish(&config);
	setenv("HOME", "/home/fox", 1);
}

static void later_sources_come_first(void **state) {
	(void)state;
	static const char file[] = "queue = 2\n";
	struct config config;
	struct error err;
	assert_int_equal(read_file(file, strlen(file), NULL, &config, &err), CONFIG_RUN);
	assert_int_equal(config.queue_length, 2);
	config_finish(&config);
	setenv("POSED_QUEUE", "3", 1);
	assert_int_equal(read_file(file, strlen(file), NULL, &config, &err), CONFIG_RUN);
	assert_int_equal(config.queue_length, 3);
	config_finish(&config);
	assert_int_equal(read_file(file, strlen(file), "--queue=4", &config, &err), CONFIG_RUN);
	assert_int_equal(config.queue_length, 4);
	config_finish(&config);
	// A mistake is one wherever it stands.
	setenv("POSED_QUEUE", "none", 1);
	assert_int_equal(read_file(file, strlen(file), "--queue=4", &config, &err), CONFIG_WRONG);
	assert_memory_equal(err.text, "POSED_QUEUE: --queue is \"none\"", 29);
	unsetenv("POSED_QUEUE");
}

static void a_file_may_have_comments_and_space(void **state) {
	(void)state;
	static const char file[] = "# posed\n\n  queue=7 \r\n\tlisten =\t[::1]:0\n   # more\n"
				   "data = /a b # c";
	struct config config;
	struct error err;
	assert_int_equal(read_file(file, strlen(file), NULL, &config, &err), CONFIG_RUN);
	assert_int_equal(config.queue_length, 7);
	assert_string_equal(config.listen, "[::1]:0");
	assert_string_equal(config.data, "/a b # c");
	config_finish(&config);
}

static void refuses_a_wrong_file_by_its_line(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t size; // 0 = the text's
		const char *message;
	} cases[] = {
		{"queue 2\n", 0, ":1: \"queue 2\" is not of the form key = value"},
		{"\n\nqueu = 2\n", 0, ":3: no key \"queu\"; nearest: queue, "},
		{"= 2\n", 0, ":1: no key \"\"; nearest: "},
		{"--queue = 2\n", 0, ":1: no key \"--queue\"; nearest: queue, "},
		{"config = x\n", 0, ":1: no key \"config\"; nearest: "},
		{"Queue = 2\n", 0, ":1: no key \"Queue\"; nearest: queue, "},
		{"queue = 2\nload = x\nqueue = 2\n", 0,
			":3: queue is there twice, first in line 1"},
		{"queue = 0\n", 0, ":1: --queue is \"0\", must be a whole number from 1 to 100000"},
		{"# x\nload =\n", 0, ":2: --load is empty"},
		{"queue = 2\nload = a\0b\n", 21, ":2: a byte is zero"},
		{"[server]\n", 0, ":1: \"[server]\" is not of the form key = value"},
		{"\xff\xfe = 1", 0, ":1: no key \""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct config config;
		struct error err;
		const size_t size = cases[i].size ? cases[i].size : strlen(cases[i].text);
		assert_int_equal(read_file(cases[i].text, size, NULL, &config, &err), CONFIG_WRONG);
		if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0) {
			fail_msg("\"%s\", expected \"%s\"", err.text, cases[i].message);
		}
		assert_null(strchr(err.text, '\n'));
	}
}

static void a_file_has_a_mebibyte_at_most(void **state) {
	(void)state;
	const size_t most = 1 << 20;
	char *text = malloc(most + 1);
	memset(text, '\n', most + 1);
	struct config config;
	struct error err;
	assert_int_equal(read_file(text, most + 1, NULL, &config, &err), CONFIG_WRONG);
	assert_non_null(strstr(err.text, "larger than 1048576 bytes"));
	assert_int_equal(read_file(text, most, NULL, &config, &err), CONFIG_RUN);
	config_finish(&config);
	free(text);
}

static void the_environment_is_held_to_what_is_known(void **state) {
	(void)state;
	struct config config;
	struct error err;
	setenv("POSED_QUEU", "2", 1);
	assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_WRONG);
	assert_non_null(strstr(err.text, "\"POSED_QUEU\"; nearest: POSED_QUEUE, "));
	unsetenv("POSED_QUEU");
	setenv("POSED_LOAD", "", 1);
	assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_WRONG);
	assert_string_equal(err.text, "POSED_LOAD: --load is empty");
	unsetenv("POSED_LOAD");
	// For others: the client, the tests, and Kubernetes beside a service of that name.
	static const char *const foreign[] = {"POSED_SERVER", "POSED_TOKEN", "POSED_BINARY",
		"POSED_SHARED_FILES", "POSED_PORT", "POSED_PORT_8600_TCP_ADDR",
		"POSED_SERVICE_HOST", "POSED_SERVICE_PORT_HTTP"};
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
		setenv(foreign[i], "x", 1);
		assert_int_equal(read_two(NULL, NULL, &config, &err), CONFIG_RUN);
		config_finish(&config);
		unsetenv(foreign[i]);
	}
}

/* Values that are not the defaults, for options whose default has no other. */
static const char *other_value(const struct option *option) {
	static const char *const values[] = {"127.0.0.1:1", "3", "1", "off", "0.5", "debug", "json",
		"none", "600", "/somewhere", "https://example.org", "on", "16", "read",
		"commercial"};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct config scratch = {0};
		if (option_set(option, &scratch, values[i], NULL) &&
			(!option->default_value || strcmp(option->default_value, values[i]) != 0)) {
			return values[i];
		}
	}
	fail_msg("no other value known for %s", option->name);
	return NULL;
}

/* Another argument that an option does not go without; any where it does. */
static char *companion(const struct option *option) {
	static const char *const rows[][2] = {{"--socket-mode", "--listen=unix:/a"},
		{"--anonymous", "--tokens=/a"}, {"--presets-only", "--presets=/a"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i][0], option->name) == 0) {
			return (char *)rows[i][1];
		}
	}
	return "--data=/x";
}

/* The value of an option in a configuration, and its source. Its other line is a comment. */
static void assert_said(
	const struct config *config, size_t option, enum source source, const char *value) {
	assert_int_equal(settings_source(config->settings, option), source);
	assert_string_equal(settings_value(config->settings, option), value);
}

static void every_option_has_its_three_forms(void **state) {
	(void)state;
	for (size_t o = 0; o < option_count(); o++) {
		const struct option *option = option_at(o);
		if (option->traits & OPTION_NO_FILE) {
			continue;
		}
		char *beside = companion(option);
		char text[256], variable[OPTION_VARIABLE_BYTES];
		const char *value = other_value(option);
		struct config config;
		struct error err = {0};

		char *arguments[] = {"posed", beside, (char *)option->name, (char *)value, NULL};
		assert_int_equal(config_read(4, arguments, &config, &err), CONFIG_RUN);
		assert_said(&config, o, SOURCE_ARGUMENTS, value);
		config_finish(&config);

		option_variable(option, variable);
		setenv(variable, value, 1);
		char *other = strcmp(option->name, "--data") == 0 ? NULL : beside;
		assert_int_equal(read_two(other, NULL, &config, &err), CONFIG_RUN);
		assert_said(&config, o, SOURCE_ENVIRONMENT, value);
		config_finish(&config);
		unsetenv(variable);

		snprintf(text, sizeof text, "%s = %s\n", option_key(option), value);
		assert_int_equal(read_file(text, strlen(text), other, &config, &err), CONFIG_RUN);
		assert_said(&config, o, SOURCE_FILE, value);
		config_finish(&config);
	}
}

static void the_printed_configuration_reads_back(void **state) {
	(void)state;
	struct config config, again;
	struct error err;
	char *printed;
	size_t size;
	assert_int_equal(read_two("--queue=5", "--data=/some where", &config, &err), CONFIG_RUN);
	FILE *out = open_memstream(&printed, &size);
	config_print(&config, out);
	fclose(out);
	assert_non_null(strstr(printed, "# command line\nqueue = 5\n"));
	assert_non_null(strstr(printed, "# default\n# renderer = auto\n"));
	assert_non_null(strstr(printed, "# not set\n# load = \n"));
	assert_int_equal(read_file(printed, size, NULL, &again, &err), CONFIG_RUN);
	for (size_t o = 0; o < option_count(); o++) {
		const char *value = settings_value(config.settings, o);
		if (value) {
			assert_string_equal(settings_value(again.settings, o), value);
		}
	}
	config_finish(&config);
	config_finish(&again);
	free(printed);
}

static void secrets_are_not_shown(void **state) {
	(void)state;
	const struct option secret = {.name = "--key", .traits = OPTION_SECRET};
	const struct option plain = {.name = "--lock"};
	assert_null(strstr(option_shown(&secret, "abc"), "abc"));
	assert_string_equal(option_shown(&plain, "abc"), "abc");
}

static void a_reload_takes_what_may_change(void **state) {
	(void)state;
	struct config config, fresh;
	struct error err;
	log_configure(LOG_ERROR, LOG_TEXT);
	assert_int_equal(read_two("--queue=5", "--log-level=error", &config, &err), CONFIG_RUN);
	char *arguments[] = {"posed", "--queue=6", "--cors-origin=https://a", "--log-level=debug"};
	assert_int_equal(config_read(4, arguments, &fresh, &err), CONFIG_RUN);
	config_adopt(&config, &fresh);
	config_finish(&fresh);
	assert_int_equal(config.queue_length, 5);
	assert_int_equal(config.log_level, LOG_DEBUG);
	assert_string_equal(config.cors_origin, "https://a");
	config_finish(&config);
	log_configure(LOG_INFO, LOG_TEXT);
}

static void checks_the_places(void **state) {
	(void)state;
	char folder[] = "/tmp/posed-places-XXXXXX";
	assert_non_null(mkdtemp(folder));
	char data[64], file[64], below[64], address[64];
	snprintf(data, sizeof data, "--data=%s/a/b/c", folder);
	snprintf(file, sizeof file, "%s/file", folder);
	snprintf(below, sizeof below, "--data=%s/file/b", folder);
	snprintf(address, sizeof address, "--listen=unix:%s/file", folder);
	fclose(fopen(file, "w"));
	struct {
		const char *first, *second;
		bool ok;
	} cases[] = {
		{data, NULL, true},
		{"--data=here/there", NULL, true},
		{below, NULL, false},
		{data, "--load=/nowhere", false},
		{data, "--load=/tmp", true},
		{data, address, false},
		{data, "--listen=unix:/nowhere/socket", false},
		{data, "--listen=127.0.0.1:8600x", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct config config;
		struct error err;
		assert_int_equal(
			read_two(cases[i].first, cases[i].second, &config, &err), CONFIG_RUN);
		if (config_check_places(&config, &err) != cases[i].ok) {
			fail_msg("%s: %s", cases[i].first, err.text);
		}
		assert_int_equal(strlen(err.text) == 0, cases[i].ok);
		config_finish(&config);
	}
	unlink(file);
	assert_int_equal(rmdir(folder), 0); // nothing was made
}

static void a_free_port_is_found_and_named(void **state) {
	(void)state;
	struct error err = {0};
	struct listener listener = LISTENER_NONE, other = LISTENER_NONE;
	assert_true(listener_open(&listener, "127.0.0.1:0", 0, &err));
	char address[LISTEN_ADDRESS_BYTES];
	assert_true(listen_address(listener.file, address, &err));
	assert_memory_equal(address, "http://127.0.0.1:", 17);
	assert_true(atoi(address + 17) > 0);
	assert_false(listener_open(&other, address + 7, 0, &err));
	assert_int_equal(err.code, ERROR_CONFLICT);
	listener_finish(&listener);
}

static void a_path_is_made_and_removed(void **state) {
	(void)state;
	char folder[] = "/tmp/posed-listen-XXXXXX", path[64], where[LISTEN_ADDRESS_BYTES];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "unix:%s/socket", folder);
	struct listener first = LISTENER_NONE, second = LISTENER_NONE;
	struct error err = {0};
	struct stat status;
	assert_true(listener_open(&first, path, 0640, &err));
	assert_true(listen_address(first.file, where, &err));
	assert_string_equal(where, path);
	assert_int_equal(stat(path + 5, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	// One that lives is left alone; one that is dead is replaced.
	assert_false(listener_open(&second, path, 0640, &err));
	assert_int_equal(err.code, ERROR_CONFLICT);
	close(first.file);
	first.file = -1;
	err = (struct error){0};
	assert_true(listener_open(&second, path, 0600, &err));
	// The first one's path is not its own any more.
	listener_finish(&first);
	assert_int_equal(stat(path + 5, &status), 0);
	listener_finish(&second);
	assert_int_equal(stat(path + 5, &status), -1);
	assert_int_equal(rmdir(folder), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_by_itself_is_on),
		cmocka_unit_test(refuses_wrong_arguments),
		cmocka_unit_test(refuses_wrong_addresses),
		cmocka_unit_test(refuses_a_wrong_file_by_its_line),
		cmocka_unit_test(the_environment_is_held_to_what_is_known),
		cmocka_unit_test(a_file_has_a_mebibyte_at_most),
		cmocka_unit_test(defaults_are_the_documented_ones),
		cmocka_unit_test(strangers_need_a_word_about_who_may),
		cmocka_unit_test(data_lies_where_the_user_s_does),
		cmocka_unit_test(later_sources_come_first),
		cmocka_unit_test(a_file_may_have_comments_and_space),
		cmocka_unit_test(every_option_has_its_three_forms),
		cmocka_unit_test(the_printed_configuration_reads_back),
		cmocka_unit_test(secrets_are_not_shown),
		cmocka_unit_test(a_reload_takes_what_may_change),
		cmocka_unit_test(checks_the_places),
		cmocka_unit_test(a_free_port_is_found_and_named),
		cmocka_unit_test(a_path_is_made_and_removed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
