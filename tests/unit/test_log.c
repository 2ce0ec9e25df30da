// Log lines: which are written, and that programs can read them back.
#include "base/log.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "check.h"

/* Standard error while it is a file. */
struct capture {
	FILE *file;
	int before;
};

static struct capture begin(enum log_level least, enum log_format format) {
	log_configure(least, format);
	const struct capture capture = {tmpfile(), dup(STDERR_FILENO)};
	assert_non_null(capture.file);
	dup2(fileno(capture.file), STDERR_FILENO);
	return capture;
}

/* The captured output, NUL-terminated malloc memory; restores standard error. */
static char *end(struct capture *capture) {
	dup2(capture->before, STDERR_FILENO);
	close(capture->before);
	const long size = ftell(capture->file) >= 0 && fseek(capture->file, 0, SEEK_END) == 0
		? ftell(capture->file)
		: 0;
	char *text = calloc((size_t)size + 1, 1);
	rewind(capture->file);
	assert_int_equal(fread(text, 1, (size_t)size, capture->file), size);
	fclose(capture->file);
	log_configure(LOG_INFO, LOG_TEXT);
	return text;
}

static size_t count_lines(const char *text) {
	size_t count = 0;
	for (const char *c = text; *c; c++) {
		count += *c == '\n';
	}
	return count;
}

static void levels_below_the_least_are_not_written(void **state) {
	(void)state;
	for (int least = LOG_DEBUG; least <= LOG_ERROR; least++) {
		struct capture capture = begin((enum log_level)least, LOG_TEXT);
		for (int level = LOG_DEBUG; level <= LOG_ERROR; level++) {
			log_line((enum log_level)level, "line");
			log_event((enum log_level)level, "event", NULL, 0);
			log_event_later((enum log_level)level, "later", NULL, 0);
		}
		log_flush();
		char *text = end(&capture);
		assert_int_equal(count_lines(text), 3 * (LOG_ERROR - least + 1));
		assert_int_equal(strstr(text, " debug ") != NULL, least == LOG_DEBUG);
		assert_non_null(strstr(text, " error line\n"));
		free(text);
	}
}

/* Behind "2026-01-31T12:00:00.000Z". */
static void assert_text(const char *line, const char *expected) {
	unsigned parts[7];
	int length = 0;
	assert_int_equal(sscanf(line, "%4u-%2u-%2uT%2u:%2u:%2u.%3uZ%n", &parts[0], &parts[1],
				 &parts[2], &parts[3], &parts[4], &parts[5], &parts[6], &length),
		7);
	assert_int_equal(length, 24);
	assert_string_equal(line + length, expected);
}

static void text_is_quoted_only_where_needed(void **state) {
	(void)state;
	static const struct {
		const char *value, *written;
	} cases[] = {{"plain", "plain"}, {"/v1/rigs/a%20b?x", "/v1/rigs/a%20b?x"}, {"", "\"\""},
		{"two words", "\"two words\""}, {"a=b", "\"a=b\""},
		{"say \"no\"", "\"say \\\"no\\\"\""}, {"C:\\", "\"C:\\\\\""},
		{"new\nline", "\"new\\nline\""}, {"\x1b[31m", "\"\\u001b[31m\""},
		{"f\xc3\xbcr", "\"f\xc3\xbcr\""}, {"\xff", "\"\xef\xbf\xbd\""}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char expected[80];
		const struct log_field field = log_string("name", cases[i].value);
		struct capture capture = begin(LOG_INFO, LOG_TEXT);
		log_event(LOG_INFO, "words", &field, 1);
		char *text = end(&capture);
		snprintf(expected, sizeof expected, " info words name=%s\n", cases[i].written);
		assert_text(text, expected);
		free(text);
	}
}

static void numbers_are_written_as_such(void **state) {
	(void)state;
	const struct log_field fields[] = {log_integer("least", INT64_MIN),
		log_integer("most", INT64_MAX), log_number("half", 0.5), log_number("ms", 12.345),
		log_number("nothing", NAN)};
	struct capture capture = begin(LOG_INFO, LOG_TEXT);
	log_event(LOG_WARNING, "n", fields, 5);
	char *text = end(&capture);
	assert_text(text,
		" warning n least=-9223372036854775808 most=9223372036854775807 half=0.5 "
		"ms=12.345 nothing=nan\n");
	free(text);
}

static void a_message_stays_one_line(void **state) {
	(void)state;
	struct capture capture = begin(LOG_INFO, LOG_TEXT);
	log_line(LOG_ERROR, "a %s", "b\nc\td\x7f\x1b");
	char *text = end(&capture);
	assert_text(text, " error a b\\nc\\x09d\\x7f\\x1b\n");
	free(text);
}

static void a_long_message_is_cut_at_a_character(void **state) {
	(void)state;
	char message[4096] = "x";
	for (size_t i = 1; i + 3 < sizeof message; i += 2) {
		memcpy(message + i, "\xc3\xbc", 3);
	}
	struct capture capture = begin(LOG_INFO, LOG_JSON);
	log_line(LOG_INFO, "%s", message);
	char *text = end(&capture);
	json_t *line = json_loads(text, 0, NULL);
	const char *written = json_string_value(json_object_get(line, "message"));
	assert_int_equal(strlen(written), 2047);
	assert_memory_equal(written, message, 2047);
	json_decref(line);
	free(text);
}

/* Every byte but NUL, and what is not UTF-8, checked against another reader of JSON. */
static void json_reads_back(void **state) {
	(void)state;
	char all[0x80] = "";
	for (int c = 1; c < 0x80; c++) {
		all[c - 1] = (char)c;
	}
	const struct log_field fields[] = {log_string("all", all), log_string("bad", "a\xc3"),
		log_integer("integer", -7), log_number("number", 0.125),
		log_number("nothing", INFINITY)};
	struct capture capture = begin(LOG_DEBUG, LOG_JSON);
	log_set_request("9f-1");
	log_event(LOG_DEBUG, "the \"message\"\n", fields, 5);
	log_set_request(NULL);
	log_line(LOG_INFO, "%s", all);
	char *text = end(&capture);
	assert_int_equal(count_lines(text), 2);
	char *second = strchr(text, '\n') + 1;
	second[-1] = '\0';
	json_error_t error;
	json_t *first = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(first);
	assert_string_equal(json_string_value(json_object_get(first, "level")), "debug");
	assert_string_equal(
		json_string_value(json_object_get(first, "message")), "the \"message\"\n");
	assert_string_equal(json_string_value(json_object_get(first, "request")), "9f-1");
	assert_string_equal(json_string_value(json_object_get(first, "all")), all);
	assert_string_equal(json_string_value(json_object_get(first, "bad")), "a\xef\xbf\xbd");
	assert_int_equal(json_integer_value(json_object_get(first, "integer")), -7);
	assert_true(json_real_value(json_object_get(first, "number")) == 0.125);
	assert_true(json_is_null(json_object_get(first, "nothing")));
	assert_int_equal(strlen(json_string_value(json_object_get(first, "time"))), 24);
	json_decref(first);
	json_t *other = json_loads(second, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(other);
	assert_string_equal(json_string_value(json_object_get(other, "message")), all);
	assert_null(json_object_get(other, "request"));
	json_decref(other);
	free(text);
}

static void waiting_lines_keep_their_order(void **state) {
	(void)state;
	struct capture capture = begin(LOG_INFO, LOG_TEXT);
	log_event_later(LOG_INFO, "first", NULL, 0);
	assert_int_equal(lseek(STDERR_FILENO, 0, SEEK_END), 0);
	log_line(LOG_INFO, "second");
	log_event_later(LOG_INFO, "third", NULL, 0);
	log_flush();
	char *text = end(&capture);
	const char *first = strstr(text, "first"), *second = strstr(text, "second"),
		   *third = strstr(text, "third");
	assert_true(first && second && third && first < second && second < third);
	free(text);
}

static void waiting_lines_are_bounded(void **state) {
	(void)state;
	struct capture capture = begin(LOG_INFO, LOG_TEXT);
	for (int i = 0; i < 4000; i++) {
		log_event_later(LOG_INFO, "waiting", NULL, 0);
	}
	assert_in_range(lseek(STDERR_FILENO, 0, SEEK_END), 65536, 4000 * 40);
	log_flush();
	char *text = end(&capture);
	assert_int_equal(count_lines(text), 4000);
	free(text);
}

/* Reads what is in a pipe, without waiting for more. */
static void read_pipe(int from, struct buffer *out) {
	ssize_t count;
	do {
		count = read(from, buffer_reserve(out, 4096), 4096);
		out->size += count > 0 ? (size_t)count : 0;
	} while (count > 0);
}

/* Each logged line is read in its order, but for one gap, whose size a line says. The last test:
 * from then on this process never waits. */
static void nobody_waits_for_a_reader(void **state) {
	(void)state;
	enum { LINES = 20000 };
	int ends[2], number = 0, lost = 0, notes = 0;
	const int before = dup(STDERR_FILENO);
	struct buffer text = {0};
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	dup2(ends[1], STDERR_FILENO);
	log_never_wait();
	for (int i = 0; i < LINES; i++) {
		log_line(LOG_INFO, "number %d", i);
	}
	assert_true(log_is_behind());
	while (log_is_behind()) {
		read_pipe(ends[0], &text);
		log_flush();
	}
	log_line(LOG_INFO, "number %d", LINES);
	assert_false(log_is_behind());
	read_pipe(ends[0], &text);
	dup2(before, STDERR_FILENO);
	buffer_append(&text, "", 1);
	for (char *line = strtok((char *)text.data, "\n"); line; line = strtok(NULL, "\n")) {
		int found;
		if (sscanf(line, "%*s info number %d", &found) == 1) {
			assert_int_equal(found, number++);
		} else {
			assert_int_equal(sscanf(line,
						 "%*s warning lines of the log are lost: nobody "
						 "read them lines=%d",
						 &lost),
				1);
			number += lost;
			notes++;
		}
	}
	assert_int_equal(number, LINES + 1);
	assert_int_equal(notes, 1);
	// A pipe and what waits hold so many lines at least.
	assert_in_range(LINES - lost, 256 * 1024 / 48, LINES / 2);
	buffer_finish(&text);
	close(ends[0]);
	close(ends[1]);
	close(before);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_below_the_least_are_not_written),
		cmocka_unit_test(text_is_quoted_only_where_needed),
		cmocka_unit_test(numbers_are_written_as_such),
		cmocka_unit_test(a_message_stays_one_line),
		cmocka_unit_test(a_long_message_is_cut_at_a_character),
		cmocka_unit_test(json_reads_back),
		cmocka_unit_test(waiting_lines_keep_their_order),
		cmocka_unit_test(waiting_lines_are_bounded),
		cmocka_unit_test(nobody_waits_for_a_reader),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
