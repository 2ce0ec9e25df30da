// What the store's index knows about a rig, as a small text file.
#include "store_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

size_t record_write(const struct store_record *record, char text[static RECORD_TEXT_BYTES]) {
	return (size_t)snprintf(text, RECORD_TEXT_BYTES,
		"posed rig 1\nsha256 %s\nbytes %zu\nvertices %d\njoints %d\nclips %d\n",
		record->hash, record->bytes, record->vertices, record->joints, record->clips);
}

bool record_read(const char *text, struct store_record *record) {
	int length = 0;
	const int fields = sscanf(text,
		"posed rig 1\nsha256 %64[0-9a-f]\nbytes %zu\nvertices %d\njoints %d\nclips %d%n",
		record->hash, &record->bytes, &record->vertices, &record->joints, &record->clips,
		&length);
	return fields == 5 && strlen(record->hash) == HASH_TEXT_BYTES - 1 &&
		strcmp(text + length, "\n") == 0;
}

bool record_load(int directory, const char *name, struct store_record *record) {
	const int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return false;
	}
	char text[RECORD_TEXT_BYTES] = "";
	const ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 && record_read(text, record);
}
