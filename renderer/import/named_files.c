// The files that documents name, by the words before them.
#include "import/named_files.h"

#include <string.h>

#include "base/utf8.h"
#include "import/assimp.h"
#include "import/zip.h"

/* Letters of a name; longer ones are nobody's. */
#define NAME_BYTES 512

struct finder {
	struct arena *arena;
	struct named_file *files; // [most]
	size_t count, most;
};

static const char *file_name(const char *path) {
	for (const char *c = path; *c; c++) {
		path = *c == '/' || *c == '\\' ? c + 1 : path;
	}
	return path;
}

/* Adds a name of some bytes, which white space may surround. */
static void add(struct finder *finder, const char *word, const char *name, size_t length) {
	while (length > 0 && strchr(" \t\r\n", name[0])) {
		name++;
		length--;
	}
	while (length > 0 && strchr(" \t\r\n", name[length - 1])) {
		length--;
	}
	if (length == 0 || length > NAME_BYTES || finder->count == finder->most ||
		!utf8_is_valid(name, length) || memchr(name, '\0', length)) {
		return;
	}
	const char *own = arena_strndup(finder->arena, name, length);
	const char *path = strchr(own, '\\') ? NULL : zip_path_clean(own, finder->arena);
	path = path && *path ? path : file_name(own);
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(own, quoted, sizeof quoted);
	if (*path && strcmp(path, "..") != 0 && strcmp(path, ".") != 0 && !strchr(path, ':')) {
		finder->files[finder->count++] = (struct named_file){
			path, arena_printf(finder->arena, "%s %s", word, quoted)};
	}
}

/* Names between two texts: `<init_from>` and `<`. Those without a dot are names within the
 * document.
 */
static void find_between(struct finder *finder, const unsigned char *bytes, size_t size,
	const char *word, const char *before, char behind) {
	const char *at = (const char *)bytes, *end = at + size;
	const size_t length = strlen(before);
	while ((at = memmem(at, (size_t)(end - at), before, length))) {
		at += length;
		const char *stop = memchr(at, behind, (size_t)(end - at));
		if (!stop) {
			return;
		}
		if (memchr(at, '.', (size_t)(stop - at))) {
			add(finder, word, at, (size_t)(stop - at));
		}
		at = stop;
	}
}

/* Names in the next quotation marks behind a word. */
static void find_quoted(
	struct finder *finder, const unsigned char *bytes, size_t size, const char *word) {
	const char *at = (const char *)bytes, *end = at + size;
	while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
		const char *from = memchr(at, '"', (size_t)(end - at));
		const char *stop = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
		if (!stop) {
			return;
		}
		if (memchr(from, '.', (size_t)(stop - from))) {
			add(finder, word, from + 1, (size_t)(stop - from - 1));
		}
		at = stop;
	}
}

static bool begins(const char *line, size_t length, const char *word) {
	const size_t size = strlen(word);
	return length > size && memcmp(line, word, size) == 0 && strchr(" \t", line[size]);
}

/* `mtllib a.mtl`; of `map_Kd -s 1 1 1 a.png` the last word, unless the line has no options. */
static void find_in_line(struct finder *finder, const char *line, size_t length) {
	static const char *const words[] = {"mtllib", "map_Kd", "map_Ke", "map_Bump", "map_bump",
		"bump", "norm", "map_Kn", "map_d"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!begins(line, length, words[i])) {
			continue;
		}
		size_t from = strlen(words[i]);
		const bool options = memmem(line + from, length - from, " -", 2);
		while (length > from && strchr(" \t\r", line[length - 1])) {
			length--;
		}
		for (size_t k = from; options && k < length; k++) {
			from = strchr(" \t", line[k]) ? k + 1 : from;
		}
		add(finder, words[i], line + from, length - from);
		return;
	}
}

static void find_in_lines(struct finder *finder, const unsigned char *bytes, size_t size) {
	const char *at = (const char *)bytes, *end = at + size;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		find_in_line(finder, at, (size_t)(stop - at));
		at = stop + (stop < end);
	}
}

/* In a text `skeletonlink name="a.skeleton"`; else the name that ends with its ending. A skeleton
 * of a text is one, too. */
static void find_skeleton(struct finder *finder, const unsigned char *bytes, size_t size) {
	static const char ending[] = ".skeleton";
	const char *text = (const char *)bytes;
	const bool is_text = memmem(bytes, size, "<mesh", 5);
	const char *found = memmem(bytes, size, ending, sizeof ending - 1);
	if (!found) {
		return;
	}
	const char *from = found, *end = found + sizeof ending - 1;
	while (from > text && from[-1] != '"' && (unsigned char)from[-1] >= ' ') {
		from--;
	}
	char name[NAME_BYTES + 8];
	const size_t length = (size_t)(end - from);
	if (length < NAME_BYTES) {
		memcpy(name, from, length);
		memcpy(name + length, is_text ? ".xml" : "", is_text ? 5 : 1);
		add(finder, "skeleton", name, strlen(name));
	}
}

size_t named_files_list(const unsigned char *bytes, size_t size, size_t most, struct arena *arena,
	const struct named_file **files) {
	struct finder finder = {.arena = arena, .most = most};
	finder.files = arena_alloc(arena, most, sizeof *finder.files);
	if (obj_probe(bytes, size) || memmem(bytes, size, "newmtl ", 7)) {
		find_in_lines(&finder, bytes, size);
	} else if (collada_probe(bytes, size)) {
		find_between(&finder, bytes, size, "init_from", "<init_from>", '<');
	} else if (x_probe(bytes, size)) {
		find_quoted(&finder, bytes, size, "TextureFilename");
	} else if (ogre_probe(bytes, size)) {
		find_skeleton(&finder, bytes, size);
	}
	*files = finder.files;
	return finder.count;
}
