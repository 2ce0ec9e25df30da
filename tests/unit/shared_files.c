// Real files beside the repository.
#include "shared_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "import/import.h"

const char *shared_files(void) {
	const char *folder = getenv("POSED_SHARED_FILES");
	return folder ? folder : "../shared/files";
}

struct buffer own_file(const char *path) {
	struct buffer bytes = {0};
	FILE *stream = fopen(path, "rb");
	if (!stream) {
		fail_msg("%s is not there", path);
	}
	size_t count;
	do {
		count = fread(buffer_reserve(&bytes, 1 << 16), 1, 1 << 16, stream);
		bytes.size += count;
	} while (count > 0);
	fclose(stream);
	return bytes;
}

struct rig *own_rig(const char *path) {
	struct buffer bytes = own_file(path);
	struct error err = {0};
	struct rig *rig = import_rig(bytes.data, bytes.size, &err);
	buffer_finish(&bytes);
	if (!rig) {
		fail_msg("%s: %s", path, err.text);
	}
	return rig;
}

struct rig *shared_rig(const char *path) {
	char full[4096];
	snprintf(full, sizeof full, "%s/%s", shared_files(), path);
	FILE *stream = fopen(full, "rb");
	if (!stream) {
		print_message(
			"SKIPPED: no %s (POSED_SHARED_FILES says where such files are)\n", full);
		skip();
	}
	fclose(stream);
	return own_rig(full);
}
