// A client of posed, over libcurl.
#define _POSIX_C_SOURCE 200809L // nanosleep(), also with -std=c11

#include "posed.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define ADDRESS "http://127.0.0.1:8600"
#define UNIX_PREFIX "unix:"
#define CONNECT_TIMEOUT_S 5L
#define SILENCE_S 60

struct posed_client {
	CURL *curl;
	char *address; // without a slash at its end
	char *socket;  // path of a Unix socket; NULL = none
	char *token;   // NULL = none
	double silence_s, patience_s;
};

/* A response being received. */
struct incoming {
	CURL *curl;
	const struct posed_request *request;
	struct posed_answer *answer;
	size_t room;    // of the body
	bool no_memory; // the reason why it was broken off
	bool stopped;   // likewise: on_data wanted no more
};

static char *copy(const char *text, size_t length) {
	char *bytes = malloc(length + 1);
	if (bytes) {
		memcpy(bytes, text, length);
		bytes[length] = '\0';
	}
	return bytes;
}

static bool open_address(struct posed_client *client, const char *address) {
	const size_t prefix = strlen(UNIX_PREFIX);
	const bool is_path = strncmp(address, UNIX_PREFIX, prefix) == 0;
	if (is_path) {
		client->socket = copy(address + prefix, strlen(address + prefix));
		address = "http://localhost";
	}
	size_t length = strcspn(address, "?#");
	while (length > 0 && address[length - 1] == '/') {
		length--;
	}
	client->address = copy(address, length);
	return client->address && (client->socket || !is_path);
}

struct posed_client *posed_open(const struct posed_options *options) {
	static const struct posed_options defaults;
	const struct posed_options *with = options ? options : &defaults;
	struct posed_client *client = calloc(1, sizeof *client);
	if (!client) {
		return NULL;
	}
	client->curl = curl_easy_init();
	client->silence_s = with->silence_s > 0 ? with->silence_s : SILENCE_S;
	client->patience_s = with->patience_s;
	client->token = with->token ? copy(with->token, strlen(with->token)) : NULL;
	if (!open_address(client, with->address ? with->address : ADDRESS) || !client->curl ||
		(with->token && !client->token)) {
		posed_close(client);
		return NULL;
	}
	return client;
}

void posed_close(struct posed_client *client) {
	if (client) {
		curl_easy_cleanup(client->curl);
		free(client->address);
		free(client->socket);
		free(client->token);
		free(client);
	}
}

void posed_answer_free(struct posed_answer *answer) {
	for (size_t i = 0; i < answer->header_count; i++) {
		free(answer->headers[i].name);
		free(answer->headers[i].value);
	}
	free(answer->headers);
	free(answer->body);
	*answer = (struct posed_answer){0};
}

const char *posed_answer_header(const struct posed_answer *answer, const char *name) {
	for (size_t i = 0; i < answer->header_count; i++) {
		if (strcasecmp(answer->headers[i].name, name) == 0) {
			return answer->headers[i].value;
		}
	}
	return NULL;
}

static bool make_room(struct incoming *incoming, size_t more) {
	struct posed_answer *answer = incoming->answer;
	const size_t wanted = answer->size + more + 1;
	if (wanted <= incoming->room) {
		return true;
	}
	const size_t room = wanted > 2 * incoming->room ? wanted : 2 * incoming->room;
	unsigned char *body = realloc(answer->body, room);
	if (body) {
		answer->body = body;
		incoming->room = room;
		body[answer->size] = '\0';
	}
	return body;
}

static bool is_fine(long status) {
	return status >= 200 && status < 300;
}

/* The library's callback: a part of the body. Returning fewer bytes ends the transfer. */
static size_t on_body(char *bytes, size_t one, size_t size, void *context) {
	(void)one;
	struct incoming *incoming = context;
	const struct posed_request *request = incoming->request;
	long status = 0;
	curl_easy_getinfo(incoming->curl, CURLINFO_RESPONSE_CODE, &status);
	if (request->on_data && is_fine(status)) {
		incoming->stopped = !request->on_data(request->context, bytes, size);
		return incoming->stopped ? 0 : size;
	}
	incoming->no_memory = !make_room(incoming, size);
	if (incoming->no_memory) {
		return 0;
	}
	struct posed_answer *answer = incoming->answer;
	memcpy(answer->body + answer->size, bytes, size);
	answer->size += size;
	answer->body[answer->size] = '\0';
	return size;
}

/* Reserves room for the whole body if its length is known. */
static void expect_length(struct incoming *incoming, const char *value) {
	const unsigned long long length = strtoull(value, NULL, 10);
	if (!incoming->request->on_data && length < (unsigned long long)1 << 40) {
		make_room(incoming, (size_t)length); // else it grows as it comes
	}
}

/* The library's callback: a header line. */
static size_t on_header(char *line, size_t one, size_t size, void *context) {
	(void)one;
	struct incoming *incoming = context;
	struct posed_answer *answer = incoming->answer;
	const char *colon = memchr(line, ':', size);
	if (!colon) {
		return size; // the status, or the end
	}
	const char *value = colon + 1, *end = line + size;
	while (value < end && (*value == ' ' || *value == '\t')) {
		value++;
	}
	while (end > value && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) {
		end--;
	}
	struct posed_header *headers =
		realloc(answer->headers, (answer->header_count + 1) * sizeof *headers);
	if (!headers) {
		incoming->no_memory = true;
		return 0;
	}
	answer->headers = headers;
	struct posed_header *header = &headers[answer->header_count++];
	header->name = copy(line, (size_t)(colon - line));
	header->value = copy(value, (size_t)(end - value));
	incoming->no_memory = !header->name || !header->value;
	if (!incoming->no_memory && strcasecmp(header->name, "Content-Length") == 0) {
		expect_length(incoming, header->value);
	}
	return incoming->no_memory ? 0 : size;
}

/* Adds a header line; false when there is no memory. A value of NULL adds none. */
static bool add_header(struct curl_slist **list, const char *name, const char *value) {
	if (!value) {
		return true;
	}
	const size_t room = strlen(name) + strlen(value) + 3;
	char *line = malloc(room);
	struct curl_slist *longer = NULL;
	if (line) {
		snprintf(line, room, "%s: %s", name, value);
		longer = curl_slist_append(*list, line);
	}
	free(line);
	*list = longer ? longer : *list;
	return longer;
}

static bool add_token(struct curl_slist **list, const char *token) {
	if (!token) {
		return true;
	}
	const size_t room = strlen(token) + sizeof "Bearer ";
	char *bearer = malloc(room);
	if (!bearer) {
		return false;
	}
	snprintf(bearer, room, "Bearer %s", token);
	const bool added = add_header(list, "Authorization", bearer);
	free(bearer);
	return added;
}

static bool add_headers(struct curl_slist **list, const struct posed_client *client,
	const struct posed_request *request) {
	char deadline[16];
	snprintf(deadline, sizeof deadline, "%d", request->deadline_ms);
	// An empty Expect: no wait for "100 Continue", which the daemon does not need.
	struct curl_slist *start = curl_slist_append(NULL, "Expect:");
	*list = start;
	return start && add_token(list, client->token) &&
		add_header(list, "Content-Type", request->content_type) &&
		add_header(list, "Accept", request->accept) &&
		add_header(list, "If-None-Match", request->keep ? "*" : request->etag) &&
		add_header(list, "Posed-Deadline-Ms", request->deadline_ms > 0 ? deadline : NULL);
}

static void set_options(struct posed_client *client, const struct incoming *incoming,
	const char *url, const struct curl_slist *headers, char *words) {
	CURL *curl = client->curl;
	const struct posed_request *request = incoming->request;
	curl_easy_reset(curl);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
	curl_easy_setopt(curl, CURLOPT_NOBODY, strcmp(request->method, "HEAD") == 0 ? 1L : 0L);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, words);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)client->silence_s + 1);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, incoming);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, incoming);
	if (client->socket) {
		curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, client->socket);
	}
	if (request->body) {
		curl_easy_setopt(
			curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
	}
}

static bool fail(struct posed_error *error, int status, const char *words) {
	error->status = status;
	snprintf(error->text, sizeof error->text, "%s", words);
	return false;
}

/* True if a header can have the values: libcurl sends line breaks unchanged, and text
 * after one would be another header. */
static bool are_lines(const struct posed_client *client, const struct posed_request *request) {
	const char *const values[] = {
		client->token, request->content_type, request->accept, request->etag};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		if (values[i] && strpbrk(values[i], "\r\n")) {
			return false;
		}
	}
	return true;
}

/* Sends the request once. False without a complete response. */
static bool send_once(struct posed_client *client, const struct posed_request *request,
	const char *url, struct posed_answer *answer, struct posed_error *error) {
	char words[CURL_ERROR_SIZE] = "";
	struct curl_slist *headers = NULL;
	struct incoming incoming = {.curl = client->curl, .request = request, .answer = answer};
	if (!add_headers(&headers, client, request)) {
		curl_slist_free_all(headers);
		return fail(error, 0, "no memory for the request");
	}
	set_options(client, &incoming, url, headers, words);
	const CURLcode code = curl_easy_perform(client->curl);
	curl_slist_free_all(headers);
	long status = 0;
	curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &status);
	answer->status = (int)status;
	incoming.no_memory |= !make_room(&incoming, 0);
	return (code == CURLE_OK && !incoming.no_memory) ||
		fail(error, 0,
			incoming.no_memory         ? "no memory for the answer"
				: incoming.stopped ? "the caller wanted no more of the answer"
				: *words           ? words
						   : curl_easy_strerror(code));
}

static void wait_s(double seconds) {
	const struct timespec wait = {
		(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	nanosleep(&wait, NULL);
}

/* The seconds to wait before retrying a busy daemon; negative: it is not busy. */
static double retry_after_s(const struct posed_answer *answer) {
	const char *seconds = posed_answer_header(answer, "Retry-After");
	const bool busy = answer->status == 503 || answer->status == 429;
	return !busy ? -1 : seconds ? strtod(seconds, NULL) : 1;
}

/* The end of a JSON string whose opening quote is text; NULL = it does not end. */
static const char *skip_string(const char *text) {
	for (text++; *text && *text != '"'; text++) {
		text += *text == '\\' && text[1];
	}
	return *text ? text + 1 : NULL;
}

/* The opening quote of an object's own member "detail"; NULL = there is no such string. */
static const char *find_detail(const char *text) {
	static const char name[] = "\"detail\"";
	int depth = 0;
	while (text && *text) {
		if (*text != '"') {
			depth += *text == '{' || *text == '[';
			depth -= *text == '}' || *text == ']';
			text++;
			continue;
		}
		const char *string = text;
		text = skip_string(string);
		const char *next = text ? text + strspn(text, " \t\r\n") : "";
		if (depth == 1 && *next == ':' && strncmp(string, name, sizeof name - 1) == 0) {
			next += 1 + strspn(next + 1, " \t\r\n");
			return *next == '"' && skip_string(next) ? next : NULL;
		}
	}
	return NULL;
}

/* Extracts the sentence of a problem document, if it has one. Unescapes all but \uXXXX,
 * which the daemon writes only for control characters. */
static void take_detail(const struct posed_answer *answer, struct posed_error *error) {
	const char *text = find_detail((const char *)answer->body);
	size_t length = 0;
	if (!text) {
		return;
	}
	for (text++; *text != '"' && length + 1 < sizeof error->text; text++) {
		text += *text == '\\' && strchr("\"\\/", text[1]);
		error->text[length++] = *text;
	}
	error->text[length] = '\0';
}

/* The reason of a refusal: the daemon's own words, if it gives any. */
static bool refuse(const struct posed_answer *answer, struct posed_error *error) {
	char words[32];
	snprintf(words, sizeof words, "the daemon answered %d", answer->status);
	fail(error, answer->status, words);
	const char *type = posed_answer_header(answer, "Content-Type");
	if (type && strncmp(type, "application/problem+json", 24) == 0) {
		take_detail(answer, error);
	}
	return false;
}

bool posed_call(struct posed_client *client, const struct posed_request *request,
	struct posed_answer *answer, struct posed_error *error) {
	struct posed_error ignored;
	struct posed_error *why = error ? error : &ignored;
	*answer = (struct posed_answer){0};
	*why = (struct posed_error){0};
	if (!are_lines(client, request)) {
		return fail(why, 0, "a token, media type or etag with a line break");
	}
	const size_t room = strlen(client->address) + strlen(request->path) + 1;
	char *url = malloc(room);
	if (!url) {
		return fail(why, 0, "no memory for the address");
	}
	snprintf(url, room, "%s%s", client->address, request->path);
	bool answered = send_once(client, request, url, answer, why);
	double left_s = client->patience_s, pause_s;
	while (answered && (pause_s = retry_after_s(answer)) >= 0 && pause_s < left_s) {
		// At least a moment, so that the patience ends even if no wait is requested.
		pause_s = pause_s > 0.1 ? pause_s : 0.1;
		left_s -= pause_s;
		wait_s(pause_s);
		posed_answer_free(answer);
		answered = send_once(client, request, url, answer, why);
	}
	free(url);
	if (!answered || is_fine(answer->status) || answer->status == 304) {
		return answered;
	}
	return refuse(answer, why);
}

char *posed_encode(const char *text) {
	char *encoded = malloc(3 * strlen(text) + 1), *end = encoded;
	for (; encoded && *text; text++) {
		const bool plain = (*text >= '0' && *text <= '9') ||
			(*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z') ||
			strchr("-._~", *text);
		if (plain) {
			*end++ = *text;
		} else {
			end += sprintf(end, "%%%02X", (unsigned char)*text);
		}
	}
	if (encoded) {
		*end = '\0';
	}
	return encoded;
}

/* Makes a request about a rig by its name. */
static bool call_rig(struct posed_client *client, const char *rig, struct posed_request *request,
	struct posed_answer *answer, struct posed_error *error) {
	static const char prefix[] = "/v1/rigs/";
	char *name = posed_encode(rig);
	char *path = name ? malloc(sizeof prefix + strlen(name)) : NULL;
	bool ok = false;
	*answer = (struct posed_answer){0};
	if (path) {
		snprintf(path, sizeof prefix + strlen(name), "%s%s", prefix, name);
		request->path = path;
		ok = posed_call(client, request, answer, error);
	} else if (error) {
		fail(error, 0, "no memory for the request");
	}
	free(path);
	free(name);
	return ok;
}

bool posed_put_rig(struct posed_client *client, const char *rig, const void *bytes, size_t size,
	struct posed_answer *answer, struct posed_error *error) {
	struct posed_request request = {
		.method = "PUT",
		.body = bytes,
		.body_bytes = size,
		.content_type = "application/octet-stream",
	};
	return call_rig(client, rig, &request, answer, error);
}

bool posed_put_clip(struct posed_client *client, const char *rig, const char *clip,
	const void *bytes, size_t size, const char *query, struct posed_answer *answer,
	struct posed_error *error) {
	static const char format[] = "/v1/rigs/%s/clips/%s%s";
	char *names[2] = {posed_encode(rig), posed_encode(clip)};
	const bool encoded = names[0] && names[1];
	const size_t room =
		encoded ? sizeof format + strlen(names[0]) + strlen(names[1]) + strlen(query) : 0;
	char *path = encoded ? malloc(room) : NULL;
	bool ok = false;
	*answer = (struct posed_answer){0};
	if (path) {
		snprintf(path, room, format, names[0], names[1], query);
		const struct posed_request request = {
			.method = "PUT",
			.path = path,
			.body = bytes,
			.body_bytes = size,
			.content_type = "application/octet-stream",
		};
		ok = posed_call(client, &request, answer, error);
	} else if (error) {
		fail(error, 0, "no memory for the request");
	}
	free(path);
	free(names[0]);
	free(names[1]);
	return ok;
}

bool posed_describe(struct posed_client *client, const char *rig, struct posed_answer *answer,
	struct posed_error *error) {
	struct posed_request request = {.method = "GET"};
	return call_rig(client, rig, &request, answer, error);
}

bool posed_delete_rig(struct posed_client *client, const char *rig, struct posed_error *error) {
	struct posed_request request = {.method = "DELETE"};
	struct posed_answer answer;
	const bool ok = call_rig(client, rig, &request, &answer, error);
	posed_answer_free(&answer);
	return ok;
}

bool posed_post(struct posed_client *client, const char *name, const char *request,
	const char *accept, struct posed_answer *answer, struct posed_error *error) {
	char path[64];
	snprintf(path, sizeof path, "/v1/%s", name);
	const struct posed_request call = {
		.method = "POST",
		.path = path,
		.body = request,
		.body_bytes = strlen(request),
		.content_type = "application/json",
		.accept = accept,
	};
	return posed_call(client, &call, answer, error);
}

bool posed_check(struct posed_client *client, const char *request, const char *accept,
	struct posed_answer *answer, struct posed_error *error) {
	return posed_post(client, "checks", request, accept, answer, error);
}

bool posed_check_asset(struct posed_client *client, const void *bytes, size_t size,
	const char *query, const char *accept, struct posed_answer *answer,
	struct posed_error *error) {
	char path[2048];
	const int length = snprintf(path, sizeof path, "/v1/checks%s", query);
	const struct posed_request call = {
		.method = "POST",
		.path = path,
		.body = bytes,
		.body_bytes = size,
		.content_type = "application/octet-stream",
		.accept = accept,
	};
	if (length < 0 || (size_t)length >= sizeof path) {
		*answer = (struct posed_answer){0};
		struct posed_error ignored;
		return fail(error ? error : &ignored, 0, "the query is too long");
	}
	return posed_call(client, &call, answer, error);
}

static int number_of(const struct posed_answer *answer, const char *name) {
	const char *value = posed_answer_header(answer, name);
	return value ? atoi(value) : 0;
}

/* Removes "name:f32xWIDTH" from the front of a layout; *width is 0 for other numbers. */
static const char *take_part(const char *layout, size_t *name_length, int *width) {
	*name_length = strcspn(layout, ":,");
	const char *kind = layout + *name_length;
	*width = strncmp(kind, ":f32x", 5) == 0 ? atoi(kind + 5) : 0;
	kind += strcspn(kind, ",");
	return *kind ? kind + 1 : NULL;
}

/* Number of float32 per vertex; 0 if the layout has other numbers, too. */
static size_t floats_of(const char *layout) {
	size_t floats = 0, ignored;
	for (int width; layout; floats += (size_t)width) {
		layout = take_part(layout, &ignored, &width);
		if (width <= 0) {
			return 0;
		}
	}
	return floats;
}

bool posed_skin(struct posed_client *client, const char *request, struct posed_vertices *out,
	struct posed_error *error) {
	*out = (struct posed_vertices){0};
	if (!posed_post(
		    client, "vertices", request, "application/octet-stream", &out->answer, error)) {
		return false;
	}
	out->frames = number_of(&out->answer, "Posed-Frames");
	out->vertices = number_of(&out->answer, "Posed-Vertices");
	out->layout = posed_answer_header(&out->answer, "Posed-Layout");
	return true;
}

void posed_vertices_free(struct posed_vertices *vertices) {
	posed_answer_free(&vertices->answer);
	*vertices = (struct posed_vertices){0};
}

const float *posed_vertices_of(
	const struct posed_vertices *vertices, int frame, const char *attribute, int *width) {
	const size_t floats = vertices->layout ? floats_of(vertices->layout) : 0;
	const size_t count = (size_t)vertices->vertices, length = strlen(attribute);
	const bool there = floats > 0 && frame >= 0 && frame < vertices->frames &&
		vertices->answer.size == (size_t)vertices->frames * count * floats * 4;
	size_t offset = (size_t)frame * count * floats;
	for (const char *rest = there ? vertices->layout : NULL; rest;) {
		size_t name_length;
		int components;
		const char *name = rest;
		rest = take_part(rest, &name_length, &components);
		if (name_length == length && strncmp(name, attribute, length) == 0) {
			if (width) {
				*width = components;
			}
			return (const float *)vertices->answer.body + offset;
		}
		offset += count * (size_t)components;
	}
	return NULL;
}
