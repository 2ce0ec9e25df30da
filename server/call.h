/* One call of the API as its handler sees it: the request's parts in, the answer out. No HTTP
 * library in sight. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/value.h"
#include "query.h"
#include "service.h"

struct hash_part;
struct renderer;

enum call_method { CALL_GET, CALL_PUT, CALL_POST, CALL_DELETE, CALL_METHOD_COUNT };

struct header {
	const char *name, *value;
};

#define MOST_HEADERS 12

/* Zero is 200 with an empty body. */
struct answer {
	int status;               // 0 = 200
	const char *content_type; // NULL = no body
	struct buffer body;
	bool has_file; // the body is this file instead
	int file;      // descriptor; the answer's
	size_t file_bytes;
	struct header headers[MOST_HEADERS]; // strings constant or in the arena
	size_t header_count;
};

struct call {
	struct service *service;   // borrowed
	struct renderer *renderer; // the render thread's; NULL outside of one
	struct arena *arena;       // dies with the call
	const char *path;          // the route's pattern
	const char *rig;           // the path's {rig}, keeps name_check(); NULL = no such part
	const char *file;          // the path's {file}, keeps name_check(); NULL = no such part
	const struct query_parameter *parameters; // [parameter_count]
	size_t parameter_count;
	const char *accept, *content_type, *if_none_match; // headers; NULL = absent
	const char *allowed; // methods that the path has instead of the one asked for; NULL = fine
	const void *body;    // [body_bytes]
	size_t body_bytes;
	int body_file; // descriptor of a sealed file with the body; -1 = none
	struct answer answer;
};

/* Sets a header of the answer; the value is made in the arena. */
__attribute__((format(printf, 3, 4))) void call_header(
	struct call *call, const char *name, const char *format, ...);

/* Chooses the answer's content type among those offered (ended by NULL, preferred first), and says
 * that it depends on Accept. NULL with ERROR_NOT_ACCEPTABLE. */
const char *call_choose_type(struct call *call, const char *const *offered, struct error *err);

/* The body as JSON. NULL with ERROR_UNSUPPORTED_MEDIA_TYPE, ERROR_INVALID_JSON or
 * ERROR_TOO_LARGE. */
const struct value *call_json(struct call *call, struct error *err);

/* Sets the answer's ETag from everything it depends on: the content of the rig, the route, the
 * query and the body, the content type chosen, the build and what renders. Returns true when the
 * client has that answer already: the answer is then 304, and the handler is done. */
bool call_is_known(struct call *call, const char *content);

/* The same for an answer whose tag depends only on these parts. */
bool call_is_known_by(struct call *call, const struct hash_part *parts, size_t count);

/* Makes the answer the problem document of an error. */
void call_fail(struct call *call, const struct error *err);

/* Frees what the answer holds. */
void call_finish(struct call *call);
