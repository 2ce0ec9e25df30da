// Files that are not read here, by their content.
#include "import/foreign.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "import/file_start.h"

/* Formats that begin with bytes of their own. */
static const struct {
	size_t at, size;
	const char *bytes; // [size]
	const char *name;
} magics[] = {
	{0, 8, "PXR-USDC", "a USD file (binary)"},
	{0, 5, "#usda", "a USD file (text)"},
	{8, 4, "Maya", "a Maya file (binary)"},
	{0, 12, "//Maya ASCII", "a Maya file (text)"},
	{0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a compound file, such as 3ds Max writes"},
	{0, 8, "QC4DC4D6", "a Cinema 4D file"},
	{0, 6, "C4DC4D", "a Cinema 4D file"},
	{0, 4, "IDP2", "a Quake II model (MD2)"},
	{0, 4, "IDP3", "a Quake III model (MD3)"},
	{0, 10, "MD5Version", "a Doom 3 file (MD5) of another kind"},
	{0, 15, "INTERQUAKEMODEL", "an Inter-Quake model (IQM)"},
	{8, 3, "LWO", "a LightWave file"},
	{0, 4, "HMP7", "a 3D GameStudio terrain (HMP)"},
	{0, 19, "*3DSMAX_ASCIIEXPORT", "a 3ds Max ASCII export (ASE)"},
	{0, 4, "AC3D", "an AC3D file"},
	{0, 10, "MS3D000000", "a MilkShape 3D file"},
	{0, 5, "Ogawa", "an Alembic file"},
	{2, 12, "[Serializer_", "an OGRE skeleton"},
	{0, 4, "OFF\n", "an OFF file"},
	{0, 4, "OFF\r", "an OFF file"},
	{0, 4, "Rar!", "a RAR archive"},
	{0, 6, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{0, 2, "\x1f\x8b", "data compressed by gzip"},
	{0, 4, "\x28\xb5\x2f\xfd", "data compressed by Zstandard, as Blender saves its files"},
	{0, 6,
		"\xfd"
		"7zXZ",
		"data compressed by xz"},
	{0, 3, "BZh", "data compressed by bzip2"},
	{257, 5, "ustar", "a tar archive"},
	{0, 8, "\x89PNG\r\n\x1a\n", "a PNG picture"},
	{0, 3, "\xff\xd8\xff", "a JPEG picture"},
	{0, 4, "GIF8", "a GIF picture"},
	{8, 4, "WEBP", "a WebP picture"},
	{0, 4, "\xabKTX", "a KTX texture"},
	{0, 4, "DDS ", "a DDS texture"},
	{0, 10, "#?RADIANCE", "a Radiance HDR picture"},
	{0, 4, "\x76\x2f\x31\x01", "an OpenEXR picture"},
	{0, 4, "%PDF", "a PDF document"},
	{0, 42, "version https://git-lfs.github.com/spec/v1",
		"a Git LFS pointer; fetch the file itself"},
};

/* Formats of text that have words near their beginning. */
static const struct {
	const char *word, *name;
} words[] = {
	{"<X3D", "an X3D file"},
	{"<!doctype html", "an HTML page, such as a site answers in place of a file"},
	{"<html", "an HTML page, such as a site answers in place of a file"},
	{"<skeleton", "an OGRE skeleton (XML)"},
	{"<?xml", "an XML document"},
};

static bool take(char name[static FOREIGN_NAME_BYTES], const char *text) {
	snprintf(name, FOREIGN_NAME_BYTES, "%s", text);
	return true;
}

static bool begins(const unsigned char *bytes, size_t size, const char *text) {
	const size_t length = strlen(text);
	return size >= length && memcmp(bytes, text, length) == 0;
}

static bool name_by_magic(
	const unsigned char *bytes, size_t size, char name[static FOREIGN_NAME_BYTES]) {
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		const size_t at = magics[i].at, length = magics[i].size;
		if (size >= at + length && memcmp(bytes + at, magics[i].bytes, length) == 0) {
			return take(name, magics[i].name);
		}
	}
	return false;
}

/* The number behind a word of a text, up to a few digits; 0 = there is none. */
static unsigned number_behind(const char *text, const char *word) {
	const char *found = strstr(text, word);
	unsigned number = 0;
	return found && sscanf(found + strlen(word), "%*[: ]%6u", &number) == 1 ? number : 0;
}

static bool name_fbx(const unsigned char *bytes, size_t size, const char *text,
	char name[static FOREIGN_NAME_BYTES]) {
	if (begins(bytes, size, "Kaydara FBX Binary  ") && size >= 27) {
		snprintf(name, FOREIGN_NAME_BYTES, "an FBX file (binary, version %u)",
			(unsigned)file_start_u32(bytes + 23));
		return true;
	}
	if (!begins(bytes, size, "; FBX") && !strstr(text, "FBXHeaderExtension")) {
		return false;
	}
	const unsigned version = number_behind(text, "FBXVersion");
	snprintf(name, FOREIGN_NAME_BYTES,
		version ? "an FBX file (text, version %u)" : "an FBX file (text)", version);
	return true;
}

static bool name_blend(
	const unsigned char *bytes, size_t size, char name[static FOREIGN_NAME_BYTES]) {
	if (!begins(bytes, size, "BLENDER") || size < 12) {
		return false;
	}
	// "BLENDER-v405" before Blender 5, "BLENDER17-01v0500" since.
	const bool is_new = size >= 17 && isdigit(bytes[7]);
	const char *digits = (const char *)bytes + (is_new ? 13 : 9);
	unsigned version = 0;
	if (sscanf(digits, is_new ? "%4u" : "%3u", &version) == 1) {
		snprintf(name, FOREIGN_NAME_BYTES, "a Blender file (version %u.%u)", version / 100,
			version % 100);
		return true;
	}
	return take(name, "a Blender file");
}

static bool is_any(const char *word, const char *const *list) {
	while (*list && strcmp(word, *list) != 0) {
		list++;
	}
	return *list;
}

static bool name_text(const struct file_start *start, char name[static FOREIGN_NAME_BYTES]) {
	static const char *const of_smd[] = {"nodes", "skeleton", "version", NULL};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcasestr(start->text, words[i].word)) {
			return take(name, words[i].name);
		}
	}
	return is_any(start->word, of_smd) && strstr(start->text, "nodes") &&
		strstr(start->text, "skeleton") && take(name, "a Valve model (SMD)");
}

bool foreign_name(const unsigned char *bytes, size_t size, char name[static FOREIGN_NAME_BYTES]) {
	struct file_start start;
	file_start_look(&start, bytes, size);
	return name_fbx(bytes, size, start.text, name) || name_blend(bytes, size, name) ||
		name_by_magic(bytes, size, name) || (start.is_text && name_text(&start, name));
}

const char *foreign_ending(const char *path) {
	static const struct {
		const char *ending, *name;
	} endings[] = {
		{"blend", "Blender"},
		{"usd", "USD, as in USDZ"},
		{"usda", "USD, as in USDZ"},
		{"usdc", "USD, as in USDZ"},
		{"max", "3ds Max"},
		{"ma", "Maya"},
		{"mb", "Maya"},
		{"c4d", "Cinema 4D"},
	};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
		if (strcasecmp(dot + 1, endings[i].ending) == 0) {
			return endings[i].name;
		}
	}
	return NULL;
}
