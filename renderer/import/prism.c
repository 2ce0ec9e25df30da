// Prism's files -> a rig: which of them there are, and the steps in their order.
#include "import/prism.h"

#include <string.h>
#include <strings.h>

#include "import/limits.h"
#include "import/prism_import.h"

/* Bytes at the front in which the header's first property is. */
#define LOOKED_AT 4096

static const struct {
	const char *type;   // in the header
	const char *ending; // what people call it
	double version;     // the one that is read
} kinds[] = {
	{"Model", "PIM", 5},
	{"Skeleton", "PIS", 1},
	{"Animation", "PIA", 3},
};

#define KIND_COUNT (sizeof kinds / sizeof *kinds)

bool prism_probe(const unsigned char *bytes, size_t size) {
	static const char *const words[] = {"Header", "{", "FormatVersion", ":"};
	const size_t looked_at = size < LOOKED_AT ? size : LOOKED_AT;
	const char *at = (const char *)bytes, *end = at + looked_at;
	at += size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		for (bool comment = false; at < end; at++) {
			comment = *at != '\n' && (comment || *at == '#');
			if (!comment && !memchr(" \t\r\n", *at, 4)) {
				break;
			}
		}
		const size_t length = strlen(words[i]);
		if ((size_t)(end - at) < length || memcmp(at, words[i], length) != 0) {
			return false;
		}
		at += length;
	}
	return true;
}

/* --- Headers --- */

/* Position of a file's kind; KIND_COUNT with *err where it is none, or of a version that nobody
 * reads. */
static size_t find_kind(const struct prism_file *file, struct error *err) {
	const struct prism_section *header = prism_need(file, &file->root, "Header", err);
	const char *type = header ? prism_string(file, header, "Type") : NULL;
	const double *version = header ? prism_number(file, header, "FormatVersion") : NULL;
	if (!header || !type || !version) {
		prism_refuse(file, header ? header->line : 1, err,
			"the header must have Type and FormatVersion");
		return KIND_COUNT;
	}
	char quoted[UTF8_QUOTED_BYTES];
	size_t i = 0;
	while (i < KIND_COUNT && strcmp(type, kinds[i].type) != 0) {
		i++;
	}
	if (i == KIND_COUNT) {
		utf8_quote(type, quoted, sizeof quoted);
		error_set(err, ERROR_UNSUPPORTED_ASSET,
			"%s is Prism's %s, which posed does not read; it reads Model (PIM), "
			"Skeleton (PIS) and Animation (PIA)",
			file->name, quoted);
	} else if (*version != kinds[i].version) {
		error_set(err, ERROR_UNSUPPORTED_ASSET, "%s is a %s of version %.9g, must be %g",
			file->name, kinds[i].ending, *version, kinds[i].version);
		i = KIND_COUNT;
	}
	return i;
}

/* The path of the skeleton that a file names; NULL = it names none. */
static const char *skeleton_of(const struct prism_file *file) {
	const struct prism_section *facts = prism_find(&file->root, "Global");
	const char *path = facts ? prism_string(file, facts, "Skeleton") : NULL;
	return path && *path ? path : NULL;
}

/* In the arena; NULL with *err. */
static struct prism_file *read_file(struct prism_import *import, const char *path,
	const unsigned char *bytes, size_t size, size_t *kind, struct error *err) {
	struct prism_file *file = arena_alloc(import->arena, 1, sizeof *file);
	char quoted[UTF8_QUOTED_BYTES] = "the file";
	if (path) {
		utf8_quote(path, quoted, sizeof quoted);
	}
	file->arena = import->arena;
	file->bytes_left = &import->bytes_left;
	file->name = arena_strndup(import->arena, quoted, strlen(quoted));
	if (!prism_text_read(file, bytes, size, err)) {
		return NULL;
	}
	*kind = find_kind(file, err);
	return *kind < KIND_COUNT ? file : NULL;
}

/* --- Steps --- */

enum kind { KIND_MODEL, KIND_SKELETON, KIND_ANIMATION };

static struct prism_file *read_other(struct prism_import *import, const struct import_files *files,
	size_t i, enum kind kind, struct error *err) {
	size_t size, found;
	const unsigned char *bytes = files->read(files->context, i, &size, err);
	struct prism_file *file =
		bytes ? read_file(import, files->paths[i], bytes, size, &found, err) : NULL;
	if (file && found != (size_t)kind) {
		prism_refuse(file, 1, err, "the file is a %s, must be a %s", kinds[found].ending,
			kinds[kind].ending);
		return NULL;
	}
	return file;
}

/* True for a model that a skeleton moves. */
static bool is_skinned(const struct prism_file *model) {
	const struct prism_section *facts = prism_find(&model->root, "Global");
	const double *bones = facts ? prism_number(model, facts, "BoneCount") : NULL;
	return (bones && *bones > 0) || prism_find(&model->root, "Skin") ||
		prism_find(&model->root, "PieceSkin");
}

/* Reads the skeleton that a model or an animation names. */
static bool read_skeleton(struct prism_import *import, const struct prism_file *file, size_t kind,
	const struct import_files *files, struct error *err) {
	const char *path = skeleton_of(file);
	char quoted[UTF8_QUOTED_BYTES];
	size_t found;
	if (path && files && import_files_find(files, path, &found)) {
		const struct prism_file *skeleton =
			read_other(import, files, found, KIND_SKELETON, err);
		return skeleton && prism_read_skeleton(import, skeleton, err);
	}
	if (kind == KIND_MODEL && !is_skinned(file)) {
		return true;
	}
	utf8_quote(path ? path : "", quoted, sizeof quoted);
	return error_set(err, ERROR_BROKEN_ASSET,
		"%s, a %s, needs its skeleton%s%s, which is not among the files that were sent; "
		"put them together, as a ZIP or by `pose put`",
		file->name, kinds[kind].ending, path ? " " : " (a PIS)", path ? quoted : "");
}

static bool is_animation(const char *path) {
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const size_t length = strlen(name);
	return length > 4 && strcasecmp(name + length - 4, ".pia") == 0 &&
		strncmp(name, "._", 2) != 0; // which macOS adds to archives
}

/* The animations among the files, and the document where it is one. */
static bool read_animations(struct prism_import *import, const struct prism_file *document,
	const struct import_files *files, struct error *err) {
	const size_t most = files ? files->count + 1 : 1;
	struct scene_clip *clips = arena_alloc(import->arena, most, sizeof *clips);
	int count = 0;
	if (document &&
		!prism_read_animation(import, document, "animation", &clips[count++], err)) {
		return false;
	}
	for (size_t i = 0; files && i < files->count; i++) {
		if (i == files->document || !is_animation(files->paths[i])) {
			continue;
		}
		const char *name = import_clip_name(
			files->paths[files->document], files->paths[i], import->arena);
		const struct prism_file *file = read_other(import, files, i, KIND_ANIMATION, err);
		if (!file || !prism_read_animation(import, file, name, &clips[count++], err)) {
			return false;
		}
	}
	import->scene.clips = clips;
	import->scene.clip_count = count;
	return true;
}

static void list_joints(struct prism_import *import, bool with_holder, const char *name) {
	const struct prism_skeleton *skeleton = &import->skeleton;
	struct scene_joint *joints =
		arena_alloc(import->arena, (size_t)skeleton->count + 1, sizeof *joints);
	for (int i = 0; i < skeleton->count; i++) {
		const struct prism_bone *bone = &skeleton->bones[i];
		joints[i] = (struct scene_joint){bone->name, bone->parent, bone->rest};
	}
	joints[skeleton->count] = (struct scene_joint){name, -1, TRANSFORM_IDENTITY};
	import->scene.joints = joints;
	import->scene.joint_count = skeleton->count + with_holder;
}

static bool read_all(struct prism_import *import, const unsigned char *bytes, size_t size,
	const struct import_files *files, struct error *err) {
	size_t kind;
	const char *path = files ? files->paths[files->document] : NULL;
	const struct prism_file *file = read_file(import, path, bytes, size, &kind, err);
	if (!file ||
		!(kind == KIND_SKELETON ? prism_read_skeleton(import, file, err)
					: read_skeleton(import, file, kind, files, err))) {
		return false;
	}
	import->holder = import->skeleton.count;
	if (kind == KIND_MODEL && !prism_read_model(import, file, err)) {
		return false;
	}
	const struct prism_section *header = prism_find(&file->root, "Header");
	list_joints(import, kind == KIND_MODEL, prism_string(file, header, "Name"));
	return read_animations(import, kind == KIND_ANIMATION ? file : NULL, files, err);
}

struct rig *prism_import_with(const unsigned char *bytes, size_t size,
	const struct import_files *files, struct asset_facts **facts, struct error *err) {
	struct arena *arena = arena_create();
	struct prism_import import = {
		.rig = rig_create(),
		.arena = arena,
		.bytes_left = claim_allowed(size),
		.scene = {.arena = arena},
	};
	bool made = read_all(&import, bytes, size, files, err);
	import.scene.bytes_left = import.bytes_left;
	made = made && scene_build(&import.scene, import.rig, err);
	if (made && facts) {
		*facts = scene_facts(&import.scene, import.rig, size, err);
		made = *facts;
	}
	arena_destroy(arena);
	if (!made) {
		rig_release(import.rig);
		return NULL;
	}
	return import.rig;
}

struct rig *prism_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	return prism_import_with(bytes, size, NULL, facts, err);
}

bool prism_is_animation(const unsigned char *bytes, size_t size) {
	struct arena *arena = arena_create();
	struct prism_import import = {.arena = arena, .bytes_left = claim_allowed(size)};
	size_t kind = KIND_COUNT;
	const bool read =
		prism_probe(bytes, size) && read_file(&import, NULL, bytes, size, &kind, NULL);
	arena_destroy(arena);
	return read && kind == KIND_ANIMATION;
}

const char *prism_skeleton_path(const unsigned char *bytes, size_t size, struct arena *arena) {
	struct prism_import import = {.arena = arena, .bytes_left = claim_allowed(size)};
	size_t kind;
	const struct prism_file *file = prism_probe(bytes, size)
		? read_file(&import, NULL, bytes, size, &kind, NULL)
		: NULL;
	return file && kind != KIND_SKELETON ? skeleton_of(file) : NULL;
}
