// The formats that posed reads, told apart by their content.
#include "import/import.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "import/assimp.h"
#include "import/fbx.h"
#include "import/foreign.h"
#include "import/gltf.h"
#include "import/md5.h"
#include "import/prism.h"
#include "import/space.h"
#include "import/zip.h"
#include "model/asset_facts.h"
#include "model/prune.h"
#include "model/tracks.h"

struct importer {
	struct asset_format format;
	bool (*probe)(const unsigned char *bytes, size_t size);
	struct rig *(*import)(const unsigned char *bytes, size_t size, struct asset_facts **facts,
		struct error *err);
	/* In place of it, for documents that name others: with the files that came with it, NULL =
	 * none did. */
	struct rig *(*import_with)(const unsigned char *bytes, size_t size,
		const struct import_files *files, struct asset_facts **facts, struct error *err);
	/* Loads what an import needs besides; NULL = nothing. */
	void (*prepare)(const unsigned char *bytes, size_t size);
};

/* For formats without a registered media type. */
#define OCTETS "application/octet-stream"

/* What is drawn and does not move. */
#define STILL (ASSET_MESHES | ASSET_MATERIALS)

/* Asked in this order. */
static const struct importer importers[] = {
	{{"glb", "GLB (glTF 2.0, binary)", {".glb", ".vrm", ".vrma"}, "model/gltf-binary",
		 ASSET_ALL},
		glb_probe, .import = glb_import},
	{{"gltf", "glTF 2.0 JSON with data URIs", {".gltf"}, "model/gltf+json", ASSET_ALL},
		gltf_probe, .import = gltf_import},
	{{"zip", "ZIP of one document with its files", {".zip"}, "application/zip", ASSET_ALL},
		zip_probe, .import = zip_import, .prepare = zip_prepare},
	{{"fbx", "FBX from version 7", {".fbx"}, OCTETS, ASSET_ALL}, fbx_probe,
		.import_with = fbx_import},
	{{"prism", "Prism (PIM, PIS, PIA)", {".pim"}, OCTETS,
		 ASSET_MESHES | ASSET_SKINS | ASSET_CLIPS},
		prism_probe, .import_with = prism_import_with},
	{{"collada", "COLLADA", {".dae"}, "model/vnd.collada+xml", ASSET_ALL & ~ASSET_MORPHS},
		collada_probe, .import_with = assimp_import, .prepare = assimp_prepare},
	{{"bvh", "BVH", {".bvh"}, OCTETS, ASSET_CLIPS}, bvh_probe, .import_with = assimp_import,
		.prepare = assimp_prepare},
	{{"md5mesh", "MD5", {".md5mesh"}, OCTETS, ASSET_ALL & ~ASSET_MORPHS}, md5_mesh_probe,
		.import_with = md5_mesh_import},
	{{"md5anim", "MD5 motion", {".md5anim"}, OCTETS, ASSET_CLIPS}, md5_anim_probe,
		.import = md5_anim_import},
	{{"x", "DirectX .x", {".x"}, OCTETS, ASSET_ALL & ~ASSET_MORPHS}, x_probe,
		.import_with = assimp_import, .prepare = assimp_prepare},
	{{"ogre", "OGRE mesh", {".mesh"}, OCTETS, ASSET_ALL & ~ASSET_MORPHS}, ogre_probe,
		.import_with = assimp_import, .prepare = assimp_prepare},
	{{"ply", "PLY", {".ply"}, OCTETS, STILL}, ply_probe, .import_with = assimp_import,
		.prepare = assimp_prepare},
	{{"stl", "STL", {".stl"}, "model/stl", STILL}, stl_probe, .import_with = assimp_import,
		.prepare = assimp_prepare},
	{{"3ds", "3DS", {".3ds"}, OCTETS, STILL | ASSET_CLIPS}, three_ds_probe,
		.import_with = assimp_import, .prepare = assimp_prepare},
	{{"obj", "OBJ", {".obj"}, "model/obj", STILL}, obj_probe, .import_with = assimp_import,
		.prepare = assimp_prepare},
};

#define IMPORTER_COUNT (sizeof importers / sizeof importers[0])

const struct asset_format *import_format(size_t i) {
	return i < IMPORTER_COUNT ? &importers[i].format : NULL;
}

static bool has_ending(const struct asset_format *format, const char *ending) {
	for (size_t i = 0; format->endings[i]; i++) {
		if (strcasecmp(format->endings[i], ending) == 0) {
			return true;
		}
	}
	return false;
}

bool import_is_named(const char *name) {
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && dot > name && i < IMPORTER_COUNT; i++) {
		if (has_ending(&importers[i].format, dot)) {
			return true;
		}
	}
	return false;
}

/* Says what the asset is, or "starts with 50 4b 03 04", and what would be accepted. */
static void refuse(const unsigned char *bytes, size_t size, struct error *err) {
	char start[64] = "is empty", accepted[1024] = "", name[FOREIGN_NAME_BYTES];
	for (size_t i = 0; i < size && i < 8; i++) {
		snprintf(i ? start + strlen(start) : start, 24, i ? " %02x" : "starts with %02x",
			bytes[i]);
	}
	for (size_t i = 0; i < IMPORTER_COUNT; i++) {
		const size_t used = strlen(accepted);
		snprintf(accepted + used, sizeof accepted - used, "%s%s", i ? ", " : "",
			importers[i].format.title);
	}
	if (size > 0 && foreign_name(bytes, size, name)) {
		error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"the asset is %s, which posed does not read; accepted: %s", name, accepted);
		return;
	}
	error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
		"the asset %s, which is no known format; accepted: %s", start, accepted);
}

/* Checks what an importer has filled, and adds what follows from it. */
static bool complete(struct rig *rig, bool all_slots, struct error *err) {
	if (!rig_check(rig, err)) {
		return false;
	}
	if (!all_slots) {
		rig_drop_unused_slots(rig);
	}
	const char *empty = rig_empty_warning(rig);
	if (empty) {
		rig_warn_besides(rig, "%s", empty);
	}
	return rig_make_tracks(rig, err) && rig_find_moving(rig, err);
}

void import_prepare(const void *whole, size_t whole_size) {
	struct asset_space space;
	const size_t line = space_read(whole, whole_size, &space, NULL);
	const unsigned char *bytes = whole;
	if (line == SIZE_MAX) {
		return;
	}
	const size_t size = whole_size - line;
	bytes += line;
	for (size_t i = 0; i < IMPORTER_COUNT; i++) {
		if (importers[i].probe(bytes, size)) {
			if (importers[i].prepare) {
				importers[i].prepare(bytes, size);
			}
			return;
		}
	}
}

bool import_is_foreign(const void *whole, size_t whole_size) {
	struct asset_space space;
	const size_t line = space_read(whole, whole_size, &space, NULL);
	if (line == SIZE_MAX) {
		return false;
	}
	const unsigned char *bytes = (const unsigned char *)whole + line;
	const size_t size = whole_size - line;
	if (zip_probe(bytes, size)) {
		return !zip_is_gltf(bytes, size);
	}
	for (size_t i = 0; i < IMPORTER_COUNT; i++) {
		if (importers[i].probe(bytes, size)) {
			return importers[i].import != glb_import &&
				importers[i].import != gltf_import;
		}
	}
	return false;
}

struct rig *import_document(const void *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err) {
	for (size_t i = 0; i < IMPORTER_COUNT; i++) {
		const struct importer *importer = &importers[i];
		if ((files && importer->import == zip_import) || !importer->probe(bytes, size)) {
			continue;
		}
		return importer->import_with ? importer->import_with(bytes, size, files, facts, err)
					     : importer->import(bytes, size, facts, err);
	}
	refuse(bytes, size, err);
	return NULL;
}

/* A strict import where facts is NULL. */
static struct rig *import_any(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	struct asset_space space;
	const size_t line = space_read(bytes, size, &space, err);
	struct rig *rig = line == SIZE_MAX ? NULL
					   : import_document((const unsigned char *)bytes + line,
						     size - line, NULL, facts, err);
	if (rig && ((line > 0 && !space_apply(&space, rig, err)) || !complete(rig, facts, err))) {
		rig_release(rig);
		return NULL;
	}
	return rig;
}

struct rig *import_rig(const void *bytes, size_t size, struct error *err) {
	return import_any(bytes, size, NULL, err);
}

struct rig *import_rig_lenient(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	*facts = NULL;
	struct rig *rig = import_any(bytes, size, facts, err);
	if (!rig) {
		asset_facts_destroy(*facts);
		*facts = NULL;
	}
	return rig;
}
