/* One log line for each request. */
#pragma once

#include <microhttpd.h>
#include <stdint.h>

/* Room for an id such as "9f3c01aa-1234". */
#define ACCESS_ID_BYTES 32

/* A request and its response, for the log. */
struct access {
	char id[ACCESS_ID_BYTES];  // Posed-Request-Id
	const char *method, *path; // borrowed from the library, which keeps them until the end
	double started_s;          // clock_now_s()
	int status;                // of the response; 0 = there was none
	uint64_t bytes;            // of the response's body, as far as it was handed over
};

/* Notes the request and makes its id, from a number of the daemon and one of the request. */
void access_begin(struct access *access, uint32_t instance, uint64_t number, const char *method,
	const char *path);

/* Writes the line, at the request's end: id, method, path as it was sent (200 bytes at most),
 * status (0 = the client left before there was a response), bytes of the body, milliseconds since
 * the first line was read, the client's address ("unix" for a Unix socket), the name of its token
 * (NULL = none), and, if the response did not reach its end, why. It waits for log_flush(). */
void access_log(const struct access *access, const char *token, const char *client,
	enum MHD_RequestTerminationCode code);
