// SHA-256 in hexadecimal.
#include "store/hash.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Results of a callback of dl_iterate_phdr(), which any but 0 ends. */
enum { HASHED = 1, NOT_HASHED = 2 };

static void finish(struct sha256_ctx *context, char text[static HASH_TEXT_BYTES]) {
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_digest(context, sizeof digest, digest);
	base16_encode_update(text, sizeof digest, digest);
	text[HASH_TEXT_BYTES - 1] = '\0';
}

void hash_bytes(const void *bytes, size_t size, char text[static HASH_TEXT_BYTES]) {
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, size, bytes);
	finish(&context, text);
}

void hash_binary(const char *text, uint8_t out[static HASH_BYTES]) {
	for (size_t i = 0; i < HASH_BYTES; i++) {
		const char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
}

void hash_parts(const struct hash_part *parts, size_t count, char text[static HASH_TEXT_BYTES]) {
	struct sha256_ctx context;
	sha256_init(&context);
	for (size_t i = 0; i < count; i++) {
		const uint64_t size = parts[i].size;
		sha256_update(&context, sizeof size, (const uint8_t *)&size);
		sha256_update(&context, parts[i].size, parts[i].bytes);
	}
	finish(&context, text);
}

bool hash_descriptor(int file, char text[static HASH_TEXT_BYTES], struct error *err) {
	struct sha256_ctx context;
	sha256_init(&context);
	uint8_t block[65536];
	off_t at = 0;
	ssize_t count;
	while ((count = pread(file, block, sizeof block, at)) != 0) {
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return error_set(
				err, ERROR_INTERNAL, "cannot be read: %s", strerror(errno));
		}
		sha256_update(&context, (size_t)count, block);
		at += count;
	}
	finish(&context, text);
	return true;
}

bool hash_file(const char *path, char text[static HASH_TEXT_BYTES], struct error *err) {
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	struct error why = {0};
	if (file < 0) {
		return error_set(err, ERROR_INTERNAL, "%s: %s", path, strerror(errno));
	}
	const bool hashed = hash_descriptor(file, text, &why);
	close(file);
	return hashed || error_set(err, why.code, "%s %s", path, why.text);
}

/* Hashes the build ID among a segment's notes; false if it is not there. */
static bool hash_build_id(const unsigned char *notes, size_t size, size_t alignment,
	char text[static HASH_TEXT_BYTES]) {
	size_t at = 0;
	while (size - at >= sizeof(ElfW(Nhdr))) {
		ElfW(Nhdr) note;
		memcpy(&note, notes + at, sizeof note);
		const size_t name = at + sizeof note;
		const size_t content =
			name + (note.n_namesz + alignment - 1) / alignment * alignment;
		const size_t next =
			content + (note.n_descsz + alignment - 1) / alignment * alignment;
		if (next > size) {
			return false;
		}
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
			memcmp(notes + name, "GNU", sizeof "GNU") == 0) {
			hash_bytes(notes + content, note.n_descsz, text);
			return true;
		}
		at = next;
	}
	return false;
}

/* Looks at the first object alone, which is the program. */
static int hash_first_object(struct dl_phdr_info *info, size_t size, void *text) {
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const unsigned char *notes =
			(const unsigned char *)(info->dlpi_addr + segment->p_vaddr);
		if (segment->p_type == PT_NOTE &&
			hash_build_id(
				notes, segment->p_memsz, segment->p_align == 8 ? 8 : 4, text)) {
			return HASHED;
		}
	}
	return NOT_HASHED;
}

bool hash_program(char text[static HASH_TEXT_BYTES], struct error *err) {
	return dl_iterate_phdr(hash_first_object, text) == HASHED ||
		hash_file("/proc/self/exe", text, err);
}
