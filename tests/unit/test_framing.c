// Framing of requests on a connection: what comes out does not depend on how the bytes come in.
#include "http/framing.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

/* The bytes that the library received. */
struct got {
	char bytes[4096];
	size_t size;
};

/* Sends a stream in pieces of one size and reads it with room for another. */
static void carry(struct framing *framing, const char *stream, size_t size, size_t piece,
	size_t room, struct got *got) {
	int ends[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
	got->size = 0;
	for (size_t sent = 0; sent < size; sent += piece) {
		const size_t count = size - sent < piece ? size - sent : piece;
		assert_int_equal(write(ends[0], stream + sent, count), (ssize_t)count);
		// As the library does: a full buffer means that there may be more.
		ssize_t part;
		do {
			part = framing_receive(framing, ends[1], got->bytes + got->size, room);
			got->size += part > 0 ? (size_t)part : 0;
			assert_true(part > 0 || errno == EAGAIN);
			assert_true(got->size + room <= sizeof got->bytes);
		} while (part == (ssize_t)room);
	}
	close(ends[0]);
	char rest[16];
	assert_true(framing_receive(framing, ends[1], rest, sizeof rest) <= 0);
	close(ends[1]);
}

static void hold(const char *stream, const char *expected, unsigned requests) {
	static const size_t rooms[] = {1, 5, 64, 1000};
	const size_t size = strlen(stream);
	for (size_t piece = 1; piece <= size; piece++) {
		for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
			struct framing *framing = framing_create();
			struct got got;
			struct error err = {0};
			carry(framing, stream, size, piece, rooms[i], &got);
			assert_int_equal(got.size, strlen(expected));
			assert_memory_equal(got.bytes, expected, got.size);
			assert_true(framing_check(framing, requests, &err));
			assert_false(framing_check(framing, requests + 1, &err));
			assert_int_equal(err.code, ERROR_INTERNAL);
			framing_destroy(framing);
		}
	}
}

static void requests_come_out_as_they_came_in(void **state) {
	(void)state;
	static const char stream[] =
		"GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n"
		"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nGET /c HTTP"
		"\r\n"
		"POST /d HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
		"a;x=y\r\n0123456789\r\n1\r\nz\r\n0\r\nX: y\r\n\r\n"
		"HEAD /e HTTP/1.0\r\n\r\n"
		"POST /f HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n\r\n";
	hold(stream, stream, 5);
}

static void heads_are_rewritten_for_the_library(void **state) {
	(void)state;
	hold("POST http://there:1/a?b HTTP/1.1\r\nhost: x\r\nContent-Length:3 \r\nCookie: "
	     "c=d\r\n\r\n"
	     "xyz"
	     "OPTIONS http://there HTTP/1.1\r\nHost: x\r\nX:\r\n\r\n"
	     "GET http://there?b HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /a?b HTTP/1.1\r\nHost: there:1\r\nContent-Length: 3\r\n\r\nxyz"
		"OPTIONS * HTTP/1.1\r\nHost: there\r\nX: \r\n\r\n"
		"GET /?b HTTP/1.1\r\nHost: there\r\n\r\n",
		3);
}

#define FINE "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
#define CHUNKS "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
#define EMPTY "GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n"

static void nothing_comes_out_behind_what_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *stream, *expected;
	} rows[] = {
		{FINE "GET /b c HTTP/1.1\r\nHost: x\r\n\r\n" FINE, FINE EMPTY},
		{FINE "GET /b HTTP/1.1\nHost: x\r\n\r\n" FINE, FINE EMPTY},
		{FINE "GET /b HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n" FINE, FINE EMPTY},
		{FINE CHUNKS "2\r\nab\r\nx\r\n" FINE, FINE CHUNKS "2\r\nab\r\n0\r\n\r\n"},
		{FINE CHUNKS "2\r\nabc\r\n" FINE, FINE CHUNKS "2\r\nab\r\n0\r\n\r\n"},
		{FINE CHUNKS "2\r\nab\rc" FINE, FINE CHUNKS "2\r\nab\r\n0\r\n\r\n"},
		{FINE CHUNKS "0\r\nx\r\n\r\n" FINE, FINE CHUNKS "0\r\n\r\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t size = strlen(rows[i].stream);
		for (size_t piece = 1; piece <= size; piece++) {
			struct framing *framing = framing_create();
			struct got got;
			struct error err = {0};
			carry(framing, rows[i].stream, size, piece, 32, &got);
			assert_int_equal(got.size, strlen(rows[i].expected));
			assert_memory_equal(got.bytes, rows[i].expected, got.size);
			assert_true(framing_check(framing, 1, &err));
			assert_false(framing_check(framing, 2, &err));
			assert_int_equal(err.code, ERROR_INVALID_VALUE);
			framing_destroy(framing);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_come_out_as_they_came_in),
		cmocka_unit_test(heads_are_rewritten_for_the_library),
		cmocka_unit_test(nothing_comes_out_behind_what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
