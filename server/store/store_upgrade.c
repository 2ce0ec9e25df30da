// Gives the records of older stores their checksums.
#include "store/store_upgrade.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "store/store_files.h"
#include "store/store_index.h"

#define NAME_BYTES 32

static void temporary_name(size_t number, char name[static NAME_BYTES]) {
	snprintf(name, NAME_BYTES, "record-%zu", number);
}

static bool write_unsynced(const struct store *store, size_t number, const struct buffer *text) {
	char name[NAME_BYTES];
	temporary_name(number, name);
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	const int file = openat(store->temporary, name, flags, 0666);
	if (file < 0) {
		return false;
	}
	const bool written = files_append(file, text->data, text->size);
	const int reason = errno;
	const bool closed = close(file) == 0;
	errno = written ? errno : reason;
	return written && closed;
}

static bool write_all(const struct store *store) {
	bool written = true;
	for (size_t i = 0; written && i < store->count; i++) {
		const struct index_entry *entry = store->entries[i];
		if (entry->older) {
			const struct record_items items = index_items(entry);
			struct buffer text = {0};
			record_write(entry->name, &entry->record, &items, &text);
			written = write_unsynced(store, i, &text);
			buffer_finish(&text);
		}
	}
	return written;
}

/* Puts what was written in its places. */
static bool rename_all(struct store *store, size_t *count) {
	for (size_t i = 0; i < store->count; i++) {
		struct index_entry *entry = store->entries[i];
		char name[NAME_BYTES];
		temporary_name(i, name);
		if (!entry->older) {
			continue;
		}
		if (renameat(store->temporary, name, store->rigs, entry->name) != 0) {
			return false;
		}
		entry->older = false;
		++*count;
	}
	return true;
}

static void remove_rest(const struct store *store) {
	for (size_t i = 0; i < store->count; i++) {
		char name[NAME_BYTES];
		temporary_name(i, name);
		if (store->entries[i]->older) {
			unlinkat(store->temporary, name, 0);
		}
	}
}

static bool has_older(const struct store *store) {
	bool older = false;
	for (size_t i = 0; i < store->count; i++) {
		older = older || store->entries[i]->older;
	}
	return older;
}

void upgrade_records(struct store *store) {
	if (!has_older(store)) {
		return;
	}
	size_t count = 0;
	// One sync for all of them: a file by itself takes milliseconds.
	if (write_all(store) && syncfs(store->temporary) == 0 && rename_all(store, &count)) {
		log_line(LOG_INFO, "store: gave %zu records of an older version their checksums",
			count);
	} else {
		log_line(LOG_WARNING,
			"store: cannot give records of an older version their checksums: %s",
			strerror(errno));
		remove_rest(store);
	}
}
