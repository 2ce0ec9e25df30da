// ZIP archives of files as they are.
#include "export/stored_zip.h"

#include <string.h>

#include <isa-l/crc.h>

#define LOCAL_SIGNATURE 0x04034b50u
#define ENTRY_SIGNATURE 0x02014b50u
#define END_SIGNATURE 0x06054b50u

#define VERSION 20            // 2.0: the least that has folders
#define MADE_ON_UNIX 3        // which the mode of the file is for
#define UTF8_NAME (1 << 11)   // flag: without it names are in IBM's code page 437
#define FIRST_OF_1980 33      // the first date that there is
#define MODE (0100644u << 16) // a plain file that everybody may read
#define ENTRY_BYTES 46        // of the directory, without its path
#define END_BYTES 22

static void put16(struct buffer *out, unsigned value) {
	const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8)};
	buffer_append(out, bytes, sizeof bytes);
}

static void put32(struct buffer *out, uint32_t value) {
	put16(out, value & 0xffff);
	put16(out, value >> 16);
}

static unsigned flags_of(const char *path) {
	for (; *path; path++) {
		if ((unsigned char)*path >= 0x80) {
			return UTF8_NAME;
		}
	}
	return 0;
}

/* The fields that a file's header and its directory entry share. */
static void put_facts(struct buffer *out, const char *path, uint32_t checksum, size_t size) {
	put16(out, VERSION);
	put16(out, flags_of(path));
	put16(out, 0); // stored
	put16(out, 0); // midnight
	put16(out, FIRST_OF_1980);
	put32(out, checksum);
	put32(out, (uint32_t)size); // as it lies here
	put32(out, (uint32_t)size); // and unpacked
	put16(out, (unsigned)strlen(path));
	put16(out, 0); // nothing extra
}

static void put_entry(struct stored_zip *zip, const char *path, uint32_t checksum, size_t size) {
	struct buffer *out = &zip->directory;
	put32(out, ENTRY_SIGNATURE);
	put16(out, MADE_ON_UNIX << 8 | VERSION);
	put_facts(out, path, checksum, size);
	put16(out, 0); // no comment
	put16(out, 0); // on the first disk
	put16(out, 0); // anything, not only text
	put32(out, MODE);
	put32(out, (uint32_t)zip->bytes);
	buffer_append(out, path, strlen(path));
}

bool stored_zip_add(struct stored_zip *zip, const char *path, const void *bytes, size_t size,
	struct buffer *head) {
	const size_t length = strlen(path), before = head->size;
	const uint64_t rest =
		2 * ENTRY_BYTES + 2 * (uint64_t)length + zip->directory.size + END_BYTES;
	if (length > UINT16_MAX || zip->count == UINT16_MAX - 1 ||
		(uint64_t)size + zip->bytes + rest > UINT32_MAX - 1) {
		return false;
	}
	const uint32_t checksum = crc32_gzip_refl(0, bytes, size);
	put32(head, LOCAL_SIGNATURE);
	put_facts(head, path, checksum, size);
	buffer_append(head, path, length);
	put_entry(zip, path, checksum, size);
	zip->bytes += head->size - before + size;
	zip->count++;
	return true;
}

void stored_zip_end(struct stored_zip *zip, struct buffer *tail) {
	buffer_append(tail, zip->directory.data, zip->directory.size);
	put32(tail, END_SIGNATURE);
	put16(tail, 0); // this disk
	put16(tail, 0); // that the directory is on
	put16(tail, zip->count);
	put16(tail, zip->count);
	put32(tail, (uint32_t)zip->directory.size);
	put32(tail, (uint32_t)zip->bytes);
	put16(tail, 0); // no comment
}

void stored_zip_finish(struct stored_zip *zip) {
	buffer_finish(&zip->directory);
}
