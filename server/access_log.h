/* One log line for each request. */
#pragma once

#include <microhttpd.h>
#include <stdint.h>

/* Room for an id such as "9f3c01aa-1234". */
#define ACCESS_ID_BYTES 32

struct exchange;

/* What the log says of a request, from its first line on. */
struct access {
	char id[ACCESS_ID_BYTES];  // Posed-Request-Id
	const char *method, *path; // borrowed from the library, which keeps them until the end
};

/* Notes the request and makes its id, from a number of the daemon and one of the request. */
void access_begin(struct access *access, uint32_t instance, uint64_t number, const char *method,
	const char *path);

/* Writes the line, at the request's end and before its connection is given back: id, method, path
 * as it was sent (200 bytes at most), status (0 = the client left before there was an answer),
 * bytes of the body, milliseconds since the head was there, the client's address ("unix" for a Unix
 * socket), and, if the answer did not reach its end, why. It waits for log_flush(). */
void access_log(const struct exchange *exchange, enum MHD_RequestTerminationCode code);
