// Requests to the daemon through libcurl.
#include "http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "json_read.h"
#include "token.h"

#define CONNECT_TIMEOUT_S 5L

/* What a server's address starts with that is a Unix socket's path. */
#define UNIX_PREFIX "unix:"

static size_t on_data(char *data, size_t size, size_t count, void *out) {
	buffer_append(out, data, size * count);
	return size * count;
}

static const char *text_member(const struct value *object, const char *name) {
	const struct value *member = object ? value_member(object, name) : NULL;
	return member && member->kind == VALUE_STRING ? member->string : NULL;
}

/* Says what a problem document says, or else the status. */
static void print_problem(
	const struct http_request *request, long status, const struct buffer *answer) {
	struct arena *arena = arena_create();
	const struct value *problem = json_read(arena, answer->data, answer->size, NULL);
	const char *detail = text_member(problem, "detail");
	const char *pointer = text_member(problem, "pointer");
	if (detail && pointer && *pointer) {
		fprintf(stderr, "pose: %s (at %s)\n", detail, pointer);
	} else if (detail) {
		fprintf(stderr, "pose: %s\n", detail);
	} else {
		fprintf(stderr, "pose: %s %s: status %ld\n", request->method, request->path,
			status);
	}
	arena_destroy(arena);
}

static struct curl_slist *add_header(
	struct curl_slist *headers, const char *name, const char *value) {
	char line[TOKEN_BYTES + 64];
	snprintf(line, sizeof line, "%s: %s", name, value);
	return value ? curl_slist_append(headers, line) : headers;
}

static bool perform(CURL *curl, const struct http_request *request, struct buffer *out) {
	char words[CURL_ERROR_SIZE] = "";
	struct buffer answer = {0};
	curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, words);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_data);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
	if (request->body) {
		curl_easy_setopt(
			curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
	}
	const CURLcode code = curl_easy_perform(curl);
	long status = 0;
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	const bool fine = code == CURLE_OK && status >= 200 && status < 300;
	if (code != CURLE_OK) {
		fprintf(stderr, "pose: %s: %s\n", request->server,
			*words ? words : curl_easy_strerror(code));
	} else if (!fine) {
		print_problem(request, status, &answer);
	} else {
		buffer_append(out, answer.data, answer.size);
	}
	buffer_finish(&answer);
	return fine;
}

bool http_send(const struct http_request *request, struct buffer *out) {
	CURL *curl = curl_easy_init();
	if (!curl) {
		fprintf(stderr, "pose: libcurl cannot start\n");
		return false;
	}
	struct arena *arena = arena_create(); // a pose in the query has no length to rely on
	const bool is_path = strncmp(request->server, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0;
	const char *server = is_path ? "http://localhost" : request->server;
	const size_t server_length = strcspn(server, "?#");
	const bool slash = server_length > 0 && server[server_length - 1] == '/';
	const char *url =
		arena_printf(arena, "%.*s%s", (int)server_length - slash, server, request->path);
	if (is_path) {
		curl_easy_setopt(
			curl, CURLOPT_UNIX_SOCKET_PATH, request->server + strlen(UNIX_PREFIX));
	}
	struct curl_slist *headers = NULL;
	headers = add_header(headers, "Content-Type", request->content_type);
	headers = add_header(headers, "Accept", request->accept);
	if (request->token) {
		char bearer[TOKEN_BYTES + sizeof "Bearer "];
		snprintf(bearer, sizeof bearer, "Bearer %s", request->token);
		headers = add_header(headers, "Authorization", bearer);
	}
	// Without a wait for "100 Continue", which the daemon does not need.
	headers = curl_slist_append(headers, "Expect:");
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	const bool fine = perform(curl, request, out);
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
	arena_destroy(arena);
	return fine;
}
