// One response as a file that tells whether it is whole.
#include "cache/cache_file.h"

#include <errno.h>
#include <isa-l/crc64.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cache/cached.h"

static const char magic[8] = {'p', 'o', 's', 'e', 'd', 'a', 0, 1}; // the last is the version

struct head {
	char magic[8];
	uint64_t checksum; // of the rest of the head, the text and the body
	struct cache_key key;
	uint64_t body_bytes;
	uint32_t text_bytes, header_count;
};

_Static_assert(sizeof(struct head) == 48, "no padding, which would be written unset");

#define CHECKED_FROM offsetof(struct head, key)

static uint64_t checksum(const struct head *head, const void *text, const void *body) {
	const unsigned char *checked = (const unsigned char *)head + CHECKED_FROM;
	uint64_t sum = crc64_ecma_refl(0, checked, sizeof *head - CHECKED_FROM);
	sum = crc64_ecma_refl(sum, text, head->text_bytes);
	return head->body_bytes ? crc64_ecma_refl(sum, body, head->body_bytes) : sum;
}

static void put_text(struct buffer *text, const char *string) {
	buffer_append(text, string, strlen(string) + 1);
}

static struct buffer text_of(const struct cached *response) {
	struct buffer text = {0};
	put_text(&text, response->content_type);
	for (size_t i = 0; i < response->header_count; i++) {
		put_text(&text, response->headers[i].name);
		put_text(&text, response->headers[i].value);
	}
	return text;
}

uint64_t cache_file_bytes(const struct cached *response) {
	uint64_t bytes = sizeof(struct head) + strlen(response->content_type) + 1;
	for (size_t i = 0; i < response->header_count; i++) {
		bytes += strlen(response->headers[i].name) + strlen(response->headers[i].value) + 2;
	}
	return bytes + response->body_bytes;
}

static bool write_all(FILE *file, const void *bytes, size_t size) {
	return size == 0 || fwrite(bytes, 1, size, file) == size;
}

bool cache_file_write(int take_file, const struct cache_key *key, const struct cached *response) {
	FILE *file = fdopen(take_file, "wb");
	if (!file) {
		close(take_file);
		return false;
	}
	struct buffer text = text_of(response);
	struct head head = {
		.key = *key,
		.body_bytes = response->body_bytes,
		.text_bytes = (uint32_t)text.size,
		.header_count = (uint32_t)response->header_count,
	};
	memcpy(head.magic, magic, sizeof magic);
	head.checksum = checksum(&head, text.data, response->body);
	const bool written = write_all(file, &head, sizeof head) &&
		write_all(file, text.data, text.size) &&
		write_all(file, response->body, response->body_bytes);
	buffer_finish(&text);
	const int number = errno;
	const bool closed = fclose(file) == 0;
	errno = written ? errno : number;
	return written && closed;
}

/* True for a head of ours, and of a file of so many bytes. The lengths are checked against the
 * size before they are added, so that nothing overflows. */
static bool head_fits(const struct head *head, const struct cache_key *key, uint64_t file_bytes) {
	const uint64_t rest = file_bytes - sizeof *head;
	return memcmp(head->magic, magic, sizeof magic) == 0 && cache_key_equal(&head->key, key) &&
		head->text_bytes > 0 && head->text_bytes <= rest &&
		head->body_bytes == rest - head->text_bytes && head->header_count <= MAX_HEADERS;
}

/* The next string of the text; NULL at its end. */
static const char *next_string(const char **text, const char *end) {
	const char *string = *text;
	const char *nul = memchr(string, '\0', (size_t)(end - string));
	*text = nul ? nul + 1 : end;
	return nul ? string : NULL;
}

/* The response, whose body is taken; NULL when the text is not made of the strings it should be. */
static struct cached *make_answer(
	const struct head *head, const char *text, struct buffer *take_body) {
	struct header headers[MAX_HEADERS];
	const char *const end = text + head->text_bytes;
	const char *type = next_string(&text, end), *last = type;
	for (size_t i = 0; i < head->header_count; i++) {
		headers[i].name = next_string(&text, end);
		headers[i].value = last = next_string(&text, end);
	}
	if (!last || text != end) {
		return NULL;
	}
	const struct cached_parts parts = {type, headers, head->header_count, take_body};
	return cached_create(&parts);
}

static bool read_all(FILE *file, void *bytes, size_t size) {
	return fread(bytes, 1, size, file) == size;
}

/* Behind a head that fits. */
static struct cached *read_rest(FILE *file, const struct head *head) {
	struct cached *response = NULL;
	char *text = malloc(head->text_bytes);
	struct buffer body = {malloc(head->body_bytes + 1), head->body_bytes, head->body_bytes};
	if (text && body.data && read_all(file, text, head->text_bytes) &&
		read_all(file, body.data, body.size) &&
		checksum(head, text, body.data) == head->checksum) {
		response = make_answer(head, text, &body);
	}
	buffer_finish(&body);
	free(text);
	return response;
}

struct cached *cache_file_read(int take_file, const struct cache_key *key, bool *damaged) {
	struct cached *response = NULL;
	struct head head;
	struct stat status;
	FILE *file = fdopen(take_file, "rb");
	*damaged = false;
	if (!file) {
		close(take_file);
		return NULL;
	}
	errno = 0;
	if (fstat(take_file, &status) == 0) {
		const uint64_t bytes = (uint64_t)status.st_size;
		const bool sound = S_ISREG(status.st_mode) && bytes >= sizeof head &&
			bytes <= CACHE_FILE_MAX_BYTES && read_all(file, &head, sizeof head) &&
			head_fits(&head, key, bytes);
		response = sound ? read_rest(file, &head) : NULL;
		// Without an error of the system it is the file that is wrong.
		*damaged = !response && errno == 0;
	}
	const int number = errno;
	fclose(file);
	errno = number;
	return response;
}
