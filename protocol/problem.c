// Errors as application/problem+json.
#include "problem.h"

#include <stdio.h>

#include "base/json_write.h"
#include "query.h"

int problem_status(enum error_code code) {
	switch (code) {
	case ERROR_INVALID_JSON:
	case ERROR_INVALID_VALUE:
	case ERROR_UNKNOWN_MEMBER:
	case ERROR_UNKNOWN_OPERATION:
	case ERROR_UNKNOWN_METHOD:
	case ERROR_INVALID_NAME:
		return 400;
	case ERROR_UNAUTHORIZED:
		return 401;
	case ERROR_FORBIDDEN:
	case ERROR_LICENCE:
	case ERROR_READ_ONLY:
		return 403;
	case ERROR_EXPIRED:
	case ERROR_UNKNOWN_RIG:
	case ERROR_UNKNOWN_EXAMPLE:
	case ERROR_UNKNOWN_FIT:
	case ERROR_UNKNOWN_CHECK:
	case ERROR_UNKNOWN_STREAM:
	case ERROR_UNKNOWN_CLIP:
	case ERROR_UNKNOWN_JOINT:
	case ERROR_UNKNOWN_ROUTE:
		return 404;
	case ERROR_METHOD_NOT_ALLOWED:
		return 405;
	case ERROR_NOT_ACCEPTABLE:
		return 406;
	case ERROR_CONFLICT:
		return 409;
	case ERROR_PRECONDITION_FAILED:
		return 412;
	case ERROR_TOO_LARGE:
		return 413;
	case ERROR_OUTSIDE_RANGE:
		return 416;
	case ERROR_UNSUPPORTED_MEDIA_TYPE:
		return 415;
	case ERROR_BROKEN_ASSET:
	case ERROR_UNSUPPORTED_ASSET:
	case ERROR_MISSING_DATA:
		return 422;
	case ERROR_MISDIRECTED:
		return 421;
	case ERROR_CLIENT_SHARE:
		return 429;
	case ERROR_HEADER_TOO_LARGE:
		return 431;
	case ERROR_NOT_IMPLEMENTED:
		return 501;
	case ERROR_UNSUPPORTED_VERSION:
		return 505;
	case ERROR_CLIENT_LEFT: // nobody reads it
	case ERROR_OVERLOADED:
	case ERROR_SHUTTING_DOWN:
	case ERROR_NO_RENDERER:
	case ERROR_CONTEXT_LOST:
		return 503;
	case ERROR_DEADLINE:
		return 504;
	// No bug, and nothing that goes away when the client tries again, as 503 would have it: an
	// operator has to do something about the place where rigs are kept.
	case ERROR_STORE_FULL:
	case ERROR_STORE_UNWRITABLE:
	case ERROR_STORE_DAMAGED:
		return 507;
	case ERROR_NONE:
	case ERROR_INTERNAL:
	case ERROR_CODE_COUNT:
		return 500;
	}
	return 500;
}

static void write_place(struct json_writer *json, const char *pointer, bool by_query) {
	if (!by_query) {
		json_write_member_string(json, "pointer", pointer);
		return;
	}
	char name[sizeof((struct error *)0)->pointer];
	if (query_parameter_name(pointer, name, sizeof name)) {
		json_write_member_string(json, "parameter", name);
	}
}

/* The faults of an asset, as the list that validators give. */
static void write_findings(struct json_writer *json, const char *detail) {
	json_write_key(json, "errors");
	json_write_begin_list(json);
	json_write_begin_object(json);
	json_write_member_string(json, "detail", detail);
	json_write_end_object(json);
	json_write_end_list(json);
}

void problem_write(const struct error *err, bool by_query, struct buffer *out) {
	struct json_writer json = {.out = out};
	char type[64];
	snprintf(type, sizeof type, "urn:posed:%s", error_name(err->code));
	json_write_begin_object(&json);
	json_write_member_string(&json, "type", type);
	json_write_member_string(&json, "title", error_title(err->code));
	json_write_member_integer(&json, "status", problem_status(err->code));
	json_write_member_string(&json, "detail", err->text);
	if (err->has_pointer) {
		write_place(&json, err->pointer, by_query);
	}
	if (err->code == ERROR_BROKEN_ASSET || err->code == ERROR_UNSUPPORTED_ASSET) {
		write_findings(&json, err->text);
	}
	json_write_end_object(&json);
}
