/* The bytes of an asset, with the files beside it. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "interface/asset_files.h"
#include "options.h"

/* An asset on its way in. */
struct asset {
	struct buffer bytes;  // the caller's to finish
	const char **missing; // [missing_count] sentences about pictures that are not there
	size_t missing_count;
	struct error err;     // why it cannot be read
	bool is_file_trouble; // err is of a file, not of what is in it
};

/* Reads an asset as the daemon and the importer take it: a file as it is (standard input for "-");
 * or, where it is a .gltf that names files beside it, a ZIP archive of all of them. Nothing outside
 * of its folder is read, also not by a symbolic link. A picture that is not there is left out.
 * False with out->err; sentences are in the arena. */
bool asset_load(const char *path, struct arena *arena, struct asset *out);

/* "walks/fox.glb" -> "fox", in the arena. */
const char *asset_name(struct arena *arena, const char *path);

/* "sha256:..." of an asset, as the daemon names its content; in the arena. */
const char *asset_content(struct arena *arena, const struct buffer *asset);

/* A function that makes one piece of a document, which comes first, and the files beside it, like
 * renderer_pack_asset(). */
typedef bool asset_packer(
	struct asset_file *files, size_t count, const struct asset_sink *sink, struct error *err);

/* The same as asset_read() below for glTF alone, by another packer, which documents without files
 * beside them pass through, too. */
int asset_read_packed(const struct arguments *arguments, const char *path, asset_packer *packer,
	struct buffer *out);

/* True when no option is given that is of a FILE alone; otherwise an error on standard error. */
bool asset_is_no_file(const struct arguments *arguments);

/* Reads --uses, which asset_read() has checked. */
unsigned asset_uses(const struct arguments *arguments);

/* The same into an empty buffer: the exit status, with what is wrong, and the pictures that are not
 * there, on standard error. */
int asset_read(const struct arguments *arguments, const char *path, struct buffer *out);
