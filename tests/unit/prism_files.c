// Prism's files in memory.
#include "prism_files.h"

#include "base/memory.h"
#include "import/prism.h"

#include <stdlib.h>

static const unsigned char *read_part(void *context, size_t file, size_t *size, struct error *err) {
	const struct prism_part *parts = context;
	(void)err;
	*size = parts[file].size;
	return parts[file].bytes;
}

struct rig *prism_import_parts(const struct prism_part *parts, size_t count, struct error *err) {
	const char **paths = xcalloc(count, sizeof *paths);
	for (size_t i = 0; i < count; i++) {
		paths[i] = parts[i].path;
	}
	const struct import_files files = {
		.count = count, .paths = paths, .read = read_part, .context = (void *)parts};
	struct rig *rig = prism_import_with(parts[0].bytes, parts[0].size, &files, NULL, err);
	free(paths);
	if (rig && !rig_check(rig, err)) {
		rig_release(rig);
		return NULL;
	}
	return rig;
}
