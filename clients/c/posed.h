/* A client of posed, the pose daemon: this header and posed.c, over libcurl.
 *
 *     cc -c posed.c && cc program.c posed.o -lcurl
 *
 * Requests and descriptions are JSON text, documented in the API's description
 * (protocol/openapi.yaml of posed); pictures, files and vertices are raw bytes. A client is for one
 * thread at a time; several threads need one each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct posed_client;

struct posed_options {
	const char *address; // "http://HOST:PORT", "https://…", also with a path, or "unix:/PATH";
			     // NULL = http://127.0.0.1:8600; nothing else is called
	const char *token; // for daemons that want one; NULL = none
	double silence_s;  // how long a daemon may say nothing; 0 = 60
	double patience_s; // for how long a busy one (503, 429) is asked again; 0 = not at all
};

/* A client, which reuses its connection; options may be NULL, and are copied. NULL
 * when there is no memory. */
struct posed_client *posed_open(const struct posed_options *options);
void posed_close(struct posed_client *client); // takes NULL

/* The reason that a call failed. */
struct posed_error {
	int status;      // of HTTP; 0 = there was no answer, or none that ended
	char text[1024]; // a sentence: the "detail" of the problem document, libcurl's words, or
			 // the status
};

struct posed_header {
	char *name, *value;
};

/* A response; posed_answer_free() it whatever the call returned. If the daemon refused, the body
 * is its problem document (RFC 9457), whose "detail" is a sentence for people. */
struct posed_answer {
	int status;          // 200, …; 304 where an etag still holds
	unsigned char *body; // [size], with a NUL behind, also where nothing came; aligned as
			     // malloc() does; NULL = no request was sent, or there is no memory
	size_t size;
	struct posed_header *headers; // [header_count]
	size_t header_count;
};

/* Frees the memory of a response and zeroes it; a zeroed one may be freed again. */
void posed_answer_free(struct posed_answer *answer);

/* A header's value; NULL if the response lacks it. Names are case-insensitive. */
const char *posed_answer_header(const struct posed_answer *answer, const char *name);

struct posed_request {
	const char *method; // "GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"
	const char *path;   // "/v1/rigs", percent-encoded, with the query
	const void *body;   // [body_bytes]; NULL = none
	size_t body_bytes;
	/* Strings that become headers must not contain line breaks. */
	const char *content_type; // of the body; NULL = none
	const char *accept;       // media type; NULL = the call's own
	const char *etag;         // of an answer that the caller has; NULL = none
	bool keep;                // PUT: nothing that is there is replaced (412)
	int deadline_ms;          // that the daemon has for the answer; 0 = its own
	/* Receives the body of a response with status 2xx as it arrives, instead of answer->body;
	 * false ends the call, and with it the daemon's work. NULL = unused. The response's headers
	 * are complete by then. */
	bool (*on_data)(void *context, const void *bytes, size_t size);
	void *context;
};

/* Makes any request of the API. True for 2xx and 304. *answer and *error are filled in either case;
 * error may be NULL. */
bool posed_call(struct posed_client *client, const struct posed_request *request,
	struct posed_answer *answer, struct posed_error *error);

/* A percent-encoded string for a path or a query; free() it. NULL when there is no
 * memory. */
char *posed_encode(const char *text);

/* Stores an asset under a name, replacing an existing rig. *answer is the rig's summary, in JSON;
 * posed_answer_free() it, as in all calls that fill one, whatever they return. */
bool posed_put_rig(struct posed_client *client, const char *rig, const void *bytes, size_t size,
	struct posed_answer *answer, struct posed_error *error);

/* Stores a clip of a rig: a file of motion, in any format and skeleton. query is "", or such as
 * "?clip=Walk&units=cm". *answer is the clip's summary, which says what of the file it has. */
bool posed_put_clip(struct posed_client *client, const char *rig, const char *clip,
	const void *bytes, size_t size, const char *query, struct posed_answer *answer,
	struct posed_error *error);

/* The rig's description as JSON. */
bool posed_describe(struct posed_client *client, const char *rig, struct posed_answer *answer,
	struct posed_error *error);

/* Removes a rig and everything stored beside it. False with status 404 if there is none. */
bool posed_delete_rig(struct posed_client *client, const char *rig, struct posed_error *error);

/* POST of a request in JSON to /v1/NAME: "pose", "vertices", "frame", "frames", "compare", ….
 * accept is the desired media type; NULL = the default. */
bool posed_post(struct posed_client *client, const char *name, const char *request,
	const char *accept, struct posed_answer *answer, struct posed_error *error);

/* Checks rigs: POST of a request in JSON to /v1/checks, such as {"rig": "fox", "profile": "game"}.
 * accept is the format of the report, such as "application/sarif+json"; NULL = JSON. */
bool posed_check(struct posed_client *client, const char *request, const char *accept,
	struct posed_answer *answer, struct posed_error *error);

/* Checks an asset without storing it. query is "", or such as "?profile=game&path=fox.glb". */
bool posed_check_asset(struct posed_client *client, const void *bytes, size_t size,
	const char *query, const char *accept, struct posed_answer *answer,
	struct posed_error *error);

/* Skinned vertices as float32. posed_vertices_free() them whatever the call returned. */
struct posed_vertices {
	int frames, vertices; // vertices: of each frame
	const char *layout;   // such as "position:f32x3,normal:f32x3"
	struct posed_answer answer;
};

/* Skins like /v1/vertices. request is JSON. */
bool posed_skin(struct posed_client *client, const char *request, struct posed_vertices *out,
	struct posed_error *error);
void posed_vertices_free(struct posed_vertices *vertices);

/* One attribute of one frame, [vertices][*width] numbers within the response; NULL if there is no
 * such frame or attribute, or it is not of float32. width may be NULL. */
const float *posed_vertices_of(
	const struct posed_vertices *vertices, int frame, const char *attribute, int *width);

#ifdef __cplusplus
}
#endif
