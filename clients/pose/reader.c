// Assets to rigs: glTF in this process, other formats in sandboxed ones.
#include "reader.h"

#include "limits.h"
#include "renderer.h"
#include "sandbox/importer.h"

void reader_init(struct reader *reader, size_t jobs) {
	*reader = (struct reader){.jobs = jobs};
	pthread_mutex_init(&reader->mutex, NULL);
}

void reader_finish(struct reader *reader) {
	importer_destroy(reader->importer);
	pthread_mutex_destroy(&reader->mutex);
}

/* Starts the process that reads when the first asset needs it. Each thread may use as much memory
 * as the daemon gives to one asset at most: whether a file is read must not depend on its
 * neighbours. */
static struct importer *find_importer(struct reader *reader, struct error *err) {
	const struct importer_options options = {
		.sandbox = SANDBOX_AUTO,
		.seconds = LIMIT_IMPORT_SECONDS,
		.memory_bytes = LIMIT_IMPORT_BYTES_MAX * (uint64_t)reader->jobs,
	};
	pthread_mutex_lock(&reader->mutex);
	if (!reader->importer) {
		reader->importer = importer_create(&options, err);
	}
	struct importer *importer = reader->importer;
	pthread_mutex_unlock(&reader->mutex);
	return importer;
}

struct rig *reader_import_lenient(struct reader *reader, const struct buffer *asset,
	struct asset_facts **facts, struct error *err) {
	const struct import_asset source = {.bytes = asset->data, .size = asset->size, .file = -1};
	*facts = NULL;
	if (!renderer_is_foreign(asset->data, asset->size)) {
		return renderer_import_lenient(asset->data, asset->size, facts, err);
	}
	struct importer *importer = find_importer(reader, err);
	return importer ? importer_read_lenient(importer, &source, facts, err) : NULL;
}

struct rig *reader_import_one(const struct buffer *asset, struct error *err) {
	const struct import_asset source = {.bytes = asset->data, .size = asset->size, .file = -1};
	if (!renderer_is_foreign(asset->data, asset->size)) {
		return renderer_import(asset->data, asset->size, err);
	}
	struct reader reader;
	reader_init(&reader, 1);
	struct importer *importer = find_importer(&reader, err);
	struct rig *rig = importer ? importer_read(importer, &source, err) : NULL;
	reader_finish(&reader);
	return rig;
}
