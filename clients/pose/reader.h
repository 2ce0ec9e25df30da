/* Assets to rigs, for commands that do without a daemon. The readers of glTF run in this process;
 * those of all other formats in sandboxed ones, as in the daemon, so that a file that crashes a
 * reader, or claims all memory, ends neither the command nor the reading of other files. */
#pragma once

#include <pthread.h>

#include "base/buffer.h"
#include "base/error.h"

struct asset_facts;
struct importer;
struct rig;

/* Assets read by several threads. */
struct reader {
	size_t jobs; // threads that read at a time
	pthread_mutex_t mutex;
	struct importer *importer; // NULL = no asset has needed it yet
};

void reader_init(struct reader *reader, size_t jobs);
void reader_finish(struct reader *reader); // no thread may be reading

/* Reads an asset as renderer_import_lenient() does, with the errors of importer_read(). The caller
 * owns the rig and *facts. Any thread. */
struct rig *reader_import_lenient(struct reader *reader, const struct buffer *asset,
	struct asset_facts **facts, struct error *err);

/* Reads the only asset of a command as renderer_import() does, likewise. */
struct rig *reader_import_one(const struct buffer *asset, struct error *err);
