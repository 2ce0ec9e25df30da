/* What the store's index knows about a rig, as a small text file: enough for the list of rigs
 * without reading an asset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "hash.h"

struct store_record {
	char hash[HASH_TEXT_BYTES]; // of the asset, which is also its object's file name
	size_t bytes;               // of the asset
	int vertices, joints, clips;
};

/* Longest text of a record, with its NUL. */
#define RECORD_TEXT_BYTES 256

/* Writes the text and returns its length. */
size_t record_write(const struct store_record *record, char text[static RECORD_TEXT_BYTES]);

/* False when the text is not a record. */
bool record_read(const char *text, struct store_record *record);

/* Reads the record in a file. False when it is none, or there is no such file. */
bool record_load(int directory, const char *name, struct store_record *record);
