// The rules for names.
#include "name.h"

#include <string.h>

#include "base/utf8.h"
#include "limits.h"
#include "url_text.h"

/* C0 controls and DEL, and the C1 controls U+0080 to U+009F as UTF-8 writes them. */
static bool has_control_character(const char *name) {
	for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
		if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)) {
			return true;
		}
	}
	return false;
}

bool name_check(const char *name, struct error *err) {
	const size_t length = strlen(name);
	if (length == 0 || length > LIMIT_NAME_BYTES) {
		return error_set(err, ERROR_INVALID_NAME,
			"the name has %zu bytes, must have 1 to %d bytes of UTF-8", length,
			LIMIT_NAME_BYTES);
	}
	if (!utf8_is_valid(name, length)) {
		return error_set(err, ERROR_INVALID_NAME, "the name is not UTF-8");
	}
	if (has_control_character(name)) {
		return error_set(err, ERROR_INVALID_NAME,
			"the name has a control character, which names may not have");
	}
	if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		return error_set(err, ERROR_INVALID_NAME,
			"\"%s\" is no name: it may not have a \"/\", nor be \".\" or \"..\"", name);
	}
	return true;
}

/* Characters that show nothing, or change the direction of those around them: nearly all of
 * Unicode's Default_Ignorable_Code_Point, without variation selectors, which emoji are written
 * with, and separators of lines. */
static const struct {
	unsigned first, last;
} unseen[] = {
	{0xad, 0xad},       // soft hyphen
	{0x34f, 0x34f},     // combining grapheme joiner
	{0x61c, 0x61c},     // Arabic letter mark
	{0x115f, 0x1160},   // Hangul fillers
	{0x17b4, 0x17b5},   // Khmer inherent vowels
	{0x180e, 0x180e},   // Mongolian vowel separator
	{0x200b, 0x200f},   // zero-width space, joiners, and marks of direction
	{0x2028, 0x202e},   // separators of lines, embeddings and overrides of direction
	{0x2060, 0x206f},   // word joiner, invisible operators, isolates of direction
	{0x3164, 0x3164},   // Hangul filler
	{0xfeff, 0xfeff},   // zero-width no-break space
	{0xffa0, 0xffa0},   // Hangul filler
	{0xfff9, 0xfffb},   // interlinear annotations
	{0x1d173, 0x1d17a}, // beams and slurs
	{0xe0000, 0xe007f}, // tags
};

static bool is_unseen(unsigned point) {
	size_t i = 0;
	while (i < sizeof unseen / sizeof *unseen && point > unseen[i].last) {
		i++;
	}
	return i < sizeof unseen / sizeof *unseen && point >= unseen[i].first;
}

bool name_check_new(const char *name, struct error *err) {
	if (!name_check(name, err)) {
		return false;
	}
	size_t step;
	for (const char *c = name; *c; c += step) {
		step = utf8_character_bytes(c, strlen(c));
		const unsigned point = utf8_code_point(c, step);
		if (is_unseen(point)) {
			return error_set(err, ERROR_INVALID_NAME,
				"the name has U+%04X, which cannot be seen or turns text around; "
				"names that are put may not have such characters",
				point);
		}
	}
	return true;
}

const char *name_decode(
	struct arena *arena, const char *segment, size_t length, struct error *err) {
	const char *name = url_decode(arena, segment, length);
	if (!name) {
		error_set(err, ERROR_INVALID_NAME,
			"the name in the path is not percent-encoded UTF-8");
		return NULL;
	}
	return name_check(name, err) ? name : NULL;
}
