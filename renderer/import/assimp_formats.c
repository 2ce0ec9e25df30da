// The formats that Assimp reads here, told apart by their content.
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "import/assimp_import.h"
#include "import/file_start.h"

/* The shortest OBJ with a triangle: three of "v 0 0 0", one of "f 1 2 3". */
#define OBJ_BYTES_MIN 31

static bool has(const struct file_start *start, size_t at, const char *text) {
	const size_t length = strlen(text);
	return start->size >= at + length && memcmp(start->bytes + at, text, length) == 0;
}

static bool is_collada(const struct file_start *start) {
	return strstr(start->text, "<COLLADA");
}

static bool is_bvh(const struct file_start *start) {
	return strcmp(start->word, "HIERARCHY") == 0;
}

static bool is_x(const struct file_start *start) {
	return has(start, 0, "xof ");
}

static bool is_ogre(const struct file_start *start) {
	return has(start, 2, "[MeshSerializer_");
}

static bool is_ogre_xml(const struct file_start *start) {
	const char *mesh = strstr(start->text, "<mesh");
	return mesh && strspn(mesh + 5, " \t\r\n>") > 0 && !is_collada(start) &&
		!strstr(start->text, "irrlicht");
}

static bool is_ply(const struct file_start *start) {
	return has(start, 0, "ply\n") || has(start, 0, "ply\r");
}

static bool is_binary_stl(const struct file_start *start) {
	const uint64_t triangles = start->size >= 84 ? file_start_u32(start->bytes + 80) : 0;
	return triangles > 0 && start->size == 84 + 50 * triangles;
}

static bool is_text_stl(const struct file_start *start) {
	return strcmp(start->word, "solid") == 0 && strstr(start->text, "facet");
}

static bool is_3ds(const struct file_start *start) {
	return start->size >= 16 && has(start, 0, "MM") &&
		file_start_u32(start->bytes + 2) == start->size;
}

/* Last of all: most of its words are short. */
static bool is_obj(const struct file_start *start) {
	static const char *const words[] = {"v", "vn", "vt", "o", "g", "mtllib", "usemtl", NULL};
	const char *const *word = words;
	while (*word && strcmp(start->word, *word) != 0) {
		word++;
	}
	return *word && start->size >= OBJ_BYTES_MIN;
}

static const struct row {
	bool (*probe)(const struct file_start *start);
	struct assimp_format format;
} rows[] = {
	{is_collada,
		{.name = "COLLADA",
			.file = "document.dae",
			.has_unit = true,
			.correct_bytes = assimp_without_morphs,
			.lost = "morph targets of COLLADA are not read; meshes have their base "
				"shape"}},
	{is_bvh, {.name = "BVH", .file = "document.bvh", .has_rate = true}},
	{is_x, {.name = "DirectX", .file = "document.x", .correct_bytes = assimp_part_numbers}},
	{is_ogre,
		{.name = "OGRE", .file = "document.mesh", .correct_key = assimp_ogre_translation}},
	{is_ogre_xml,
		{.name = "OGRE",
			.file = "document.mesh.xml",
			.correct_key = assimp_ogre_translation}},
	{is_ply, {.name = "PLY", .file = "document.ply"}},
	{is_binary_stl, {.name = "STL", .file = "document.stl"}},
	{is_text_stl, {.name = "STL", .file = "document.stl"}},
	{is_3ds, {.name = "3DS", .file = "document.3ds"}},
	{is_obj, {.name = "OBJ", .file = "document.obj", .correct_bytes = assimp_complete_numbers}},
};

const struct assimp_format *assimp_format_of(const unsigned char *bytes, size_t size) {
	struct file_start start;
	file_start_look(&start, bytes, size);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].probe(&start)) {
			return &rows[i].format;
		}
	}
	return NULL;
}

static bool is_format(const unsigned char *bytes, size_t size, const char *name) {
	const struct assimp_format *format = assimp_format_of(bytes, size);
	return format && strcmp(format->name, name) == 0;
}

bool collada_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "COLLADA");
}

bool bvh_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "BVH");
}

bool x_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "DirectX");
}

bool ogre_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "OGRE");
}

bool ply_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "PLY");
}

bool stl_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "STL");
}

bool three_ds_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "3DS");
}

bool obj_probe(const unsigned char *bytes, size_t size) {
	return is_format(bytes, size, "OBJ");
}

bool assimp_is_named(const char *name, size_t length) {
	static const char *const endings[] = {
		".dae", ".bvh", ".x", ".mesh", ".mesh.xml", ".obj", ".ply", ".stl", ".3ds"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const size_t end = strlen(endings[i]);
		if (length > end && strncasecmp(name + length - end, endings[i], end) == 0) {
			return true;
		}
	}
	return false;
}
