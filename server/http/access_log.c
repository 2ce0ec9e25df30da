// One log line for each request.
#include "http/access_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/link.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"

/* Bytes of a path that are logged: a rig's longest name, escaped, and what is around it. */
#define PATH_BYTES_MAX 200

/* Fields that every line has, and with those that some have. */
#define ACCESS_FIELDS_ALWAYS 7
#define ACCESS_FIELDS_MAX 9

void access_begin(struct access *access, uint32_t instance, uint64_t number, const char *method,
	const char *path) {
	snprintf(access->id, sizeof access->id, "%08" PRIx32 "-%" PRIu64, instance, number);
	access->method = method;
	access->path = path;
	access->started_s = clock_now_s();
}

/* The reason for which a response did not reach its end; NULL = it did. */
static const char *end_name(enum MHD_RequestTerminationCode code) {
	switch (code) {
	case MHD_REQUEST_TERMINATED_COMPLETED_OK:
		return NULL;
	case MHD_REQUEST_TERMINATED_TIMEOUT_REACHED:
		return "timeout";
	case MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN:
		return "shutdown";
	case MHD_REQUEST_TERMINATED_WITH_ERROR:
	case MHD_REQUEST_TERMINATED_READ_ERROR:
	case MHD_REQUEST_TERMINATED_CLIENT_ABORT:
		return "client left";
	}
	return "unknown";
}

/* Writes a path as it is logged: cut, and of a link without the signature, which would let everyone
 * who reads the log have the picture. */
static void write_path(const char *path, char out[static PATH_BYTES_MAX + 1]) {
	const size_t before = strlen(LINK_PREFIX);
	const bool is_link = strncmp(path, LINK_PREFIX, before) == 0;
	const size_t signature = is_link ? strcspn(path + before, "/") : 0;
	if (is_link && signature > 0 && !link_is_unsigned(path + before, signature)) {
		snprintf(out, PATH_BYTES_MAX + 1, LINK_PREFIX "***%s", path + before + signature);
	} else {
		snprintf(out, PATH_BYTES_MAX + 1, "%s", path);
	}
	utf8_trim(out);
}

void access_log(const struct access *access, const char *token, const char *client,
	enum MHD_RequestTerminationCode code) {
	char path[PATH_BYTES_MAX + 1];
	write_path(access->path, path);
	const char *end = end_name(code);
	const double ms = (clock_now_s() - access->started_s) * 1000;
	struct log_field fields[ACCESS_FIELDS_MAX] = {
		log_string("request", access->id),
		log_string("method", access->method),
		log_string("path", path),
		log_integer("status", access->status),
		log_integer("bytes", (int64_t)access->bytes),
		log_number("duration_ms", (int64_t)(ms * 1000 + 0.5) / 1000.0),
		log_string("client", client),
	};
	size_t count = ACCESS_FIELDS_ALWAYS;
	if (token) {
		fields[count++] = log_string("token", token);
	}
	if (end) {
		fields[count++] = log_string("end", end);
	}
	log_event_later(LOG_INFO, "request", fields, count);
}
