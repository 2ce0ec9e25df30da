/* The one error idiom: a function that can fail for reasons of the world returns false or NULL and
 * fills a caller's struct error. Our own mistakes are asserted instead. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Every kind of failure: identifier, name (the last part of `urn:posed:NAME`), title for people. */
#define ERROR_CODES(X) \
	X(ERROR_NONE, "none", "No error") \
	X(ERROR_INVALID_JSON, "invalid-json", "The request is not valid JSON") \
	X(ERROR_INVALID_VALUE, "invalid-value", "A value in the request is not acceptable") \
	X(ERROR_UNKNOWN_MEMBER, "unknown-member", "The request has a member nobody knows") \
	X(ERROR_UNKNOWN_OPERATION, "unknown-operation", "No such pose operation") \
	X(ERROR_UNKNOWN_METHOD, "unknown-method", "No such skinning method") \
	X(ERROR_UNAUTHORIZED, "unauthorized", "This needs a token") \
	X(ERROR_FORBIDDEN, "forbidden", "This is not allowed to whoever asks") \
	X(ERROR_LICENCE, "licence", "The avatar's licence does not allow this") \
	X(ERROR_MISDIRECTED, "misdirected", "This is not the host that the request is for") \
	X(ERROR_EXPIRED, "expired", "The link is no longer valid") \
	X(ERROR_UNKNOWN_RIG, "unknown-rig", "No such rig") \
	X(ERROR_UNKNOWN_EXAMPLE, "unknown-example", "No such example of this rig") \
	X(ERROR_UNKNOWN_FIT, "unknown-fit", "No such fit of this rig") \
	X(ERROR_UNKNOWN_CHECK, "unknown-check", "No such check in the background") \
	X(ERROR_UNKNOWN_STREAM, "unknown-stream", "No such stream is under way") \
	X(ERROR_UNKNOWN_CLIP, "unknown-clip", "No such clip in this rig") \
	X(ERROR_UNKNOWN_JOINT, "unknown-joint", "No such joint in this rig") \
	X(ERROR_UNKNOWN_ROUTE, "unknown-route", "No such resource") \
	X(ERROR_INVALID_NAME, "invalid-name", "Not an acceptable name") \
	X(ERROR_METHOD_NOT_ALLOWED, "method-not-allowed", \
		"The resource does not allow this method") \
	X(ERROR_NOT_ACCEPTABLE, "not-acceptable", "None of the accepted media types can be made") \
	X(ERROR_CONFLICT, "conflict", "The request conflicts with the present state") \
	X(ERROR_PRECONDITION_FAILED, "precondition-failed", \
		"A precondition of the request failed") \
	X(ERROR_OUTSIDE_RANGE, "outside-range", "The answer has no such bytes") \
	X(ERROR_TOO_LARGE, "too-large", "The request asks for or carries too much") \
	X(ERROR_HEADER_TOO_LARGE, "header-too-large", \
		"The request's line and header are too long") \
	X(ERROR_UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", \
		"Not a media type that is taken here") \
	X(ERROR_BROKEN_ASSET, "broken-asset", "The asset is understood but broken") \
	X(ERROR_UNSUPPORTED_ASSET, "unsupported-asset", "The asset needs something not supported") \
	X(ERROR_MISSING_DATA, "missing-data", "The rig lacks data that the request needs") \
	X(ERROR_CLIENT_SHARE, "client-share", \
		"This client has as many requests here as its share") \
	X(ERROR_DEADLINE, "deadline", "The request took longer than it may") \
	X(ERROR_CLIENT_LEFT, "client-left", "The client went away before the answer") \
	X(ERROR_OVERLOADED, "overloaded", "The daemon has no room for this request now") \
	X(ERROR_SHUTTING_DOWN, "shutting-down", "The daemon is shutting down") \
	X(ERROR_NO_RENDERER, "no-renderer", "No graphics driver can be used") \
	X(ERROR_CONTEXT_LOST, "context-lost", "The graphics context was lost") \
	X(ERROR_STORE_FULL, "store-full", "The store has no room left") \
	X(ERROR_READ_ONLY, "read-only", "The daemon serves its store read-only") \
	X(ERROR_STORE_UNWRITABLE, "store-unwritable", "The store cannot be written to") \
	X(ERROR_STORE_DAMAGED, "store-damaged", "The store has lost what was put") \
	X(ERROR_NOT_IMPLEMENTED, "not-implemented", "The request wants what is not done here") \
	X(ERROR_UNSUPPORTED_VERSION, "unsupported-version", "A version of HTTP not spoken here") \
	X(ERROR_INTERNAL, "internal", "A fault in the daemon")

#define ERROR_ENUM(identifier, name, title) identifier,
enum error_code { ERROR_CODES(ERROR_ENUM) ERROR_CODE_COUNT };
#undef ERROR_ENUM

/* Zero it before use (`struct error err = {0}`); the first error set wins. */
struct error {
	enum error_code code;
	char text[768];    // one sentence with the value and what would be accepted; UTF-8
	char pointer[256]; // JSON pointer into the request ("" = the whole of it), if has_pointer
	bool has_pointer;
	size_t plain_bytes; // of text before its suggestion; 0 = it has none
};

/* Fills *err (which may be NULL) unless it holds an error already. Always returns false. */
__attribute__((format(printf, 3, 4))) bool error_set(
	struct error *err, enum error_code code, const char *format, ...);

/* The same with the place in the request that is wrong. pointer is copied. */
__attribute__((format(printf, 4, 5))) bool error_at(
	struct error *err, enum error_code code, const char *pointer, const char *format, ...);

/* Adds a suggestion to an error that is set: what there is, in place of what was asked for. It is
 * for those only who may list that. Returns false. */
__attribute__((format(printf, 2, 3))) bool error_suggest(
	struct error *err, const char *format, ...);

/* Takes the suggestion off. */
void error_drop_suggestion(struct error *err);

/* Puts words before the text of an error that is set. */
__attribute__((format(printf, 2, 3))) void error_prefix(struct error *err, const char *format, ...);

/* Fills *err as `why` is; the first error wins here, too. error_pass_at() gives it another place.
 * Both return false. */
bool error_pass(struct error *err, const struct error *why);
bool error_pass_at(struct error *err, const char *pointer, const struct error *why);

/* Stable name ("unknown-clip") and title of a code. */
const char *error_name(enum error_code code);
const char *error_title(enum error_code code);
