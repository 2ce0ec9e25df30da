// COLLADA without its morph targets, which Assimp 5.2.5 cannot read: of the two inputs of <targets>
// its parser (ColladaParser::ReadController) finds at most one, and then refuses the file, or loses
// the mesh.
#include <stdlib.h>
#include <string.h>

#include "import/assimp_import.h"

/* A text within the document. */
struct span {
	const char *text;
	size_t size;
};

/* A morph controller and the geometry that it changes. */
struct morph {
	struct span id, source;
	const char *begin, *end; // the whole element
};

struct document {
	const char *text, *end;
	struct morph *morphs; // [count]
	size_t count;
};

static const char *find(const char *from, const char *end, const char *word) {
	return from < end ? memmem(from, (size_t)(end - from), word, strlen(word)) : NULL;
}

/* The value of an attribute of the tag that begins here; size 0 = it has none. */
static struct span attribute(const char *tag, const char *end, const char *name) {
	const char *close = memchr(tag, '>', (size_t)(end - tag));
	const char *at = close ? find(tag, close, name) : NULL;
	const char *from = at ? at + strlen(name) : NULL;
	const char *to = from ? memchr(from, '"', (size_t)(close - from)) : NULL;
	return to ? (struct span){from, (size_t)(to - from)} : (struct span){0};
}

static size_t count_of(const char *from, const char *end, const char *word) {
	size_t count = 0;
	while ((from = find(from, end, word))) {
		from += strlen(word);
		count++;
	}
	return count;
}

/* Controllers are no part of one another, so that each ends at the next closing tag. */
static void find_morphs(struct document *document) {
	static const char closing[] = "</controller>";
	const char *at = document->text;
	while ((at = find(at, document->end, "<controller "))) {
		const char *end = find(at, document->end, closing);
		const char *morph = end ? find(at, end, "<morph ") : NULL;
		if (!end) {
			return;
		}
		const struct span id = attribute(at, end, " id=\"");
		const struct span source =
			morph ? attribute(morph, end, " source=\"#") : (struct span){0};
		if (id.size > 0 && source.size > 0) {
			document->morphs[document->count++] =
				(struct morph){id, source, at, end + sizeof closing - 1};
		}
		at = end;
	}
}

static int compare_spans(const struct span *a, const struct span *b) {
	const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);
	return order ? order : (a->size > b->size) - (a->size < b->size);
}

static int compare_ids(const void *a, const void *b) {
	return compare_spans(&((const struct morph *)a)->id, &((const struct morph *)b)->id);
}

/* A copy with spaces over the controllers. */
static char *without_morphs(const struct document *document, struct arena *arena) {
	const size_t size = (size_t)(document->end - document->text);
	char *copy = arena_alloc(arena, size + 1, 1);
	memcpy(copy, document->text, size);
	for (size_t i = 0; i < document->count; i++) {
		const struct morph *morph = &document->morphs[i];
		memset(copy + (morph->begin - document->text), ' ',
			(size_t)(morph->end - morph->begin));
	}
	return copy;
}

/* The morph controller that a reference names, which begins here; NULL = none. */
static const struct morph *find_referred(
	const struct document *document, const char *name, const char *end) {
	const char *close = memchr(name, '"', (size_t)(end - name));
	const struct morph wanted = {.id = {name, close ? (size_t)(close - name) : 0}};
	return bsearch(
		&wanted, document->morphs, document->count, sizeof *document->morphs, compare_ids);
}

/* Writes a text with references to geometries in place of their morph controllers, and returns its
 * size; out NULL = it is only measured. */
static size_t refer(const struct document *document, const char *text, size_t size, char *out) {
	static const char start[] = "=\"#";
	const char *at = text, *end = text + size, *name;
	size_t used = 0;
	while ((name = find(at, end, start))) {
		name += sizeof start - 1;
		const struct morph *morph = find_referred(document, name, end);
		const struct span parts[] = {
			{at, (size_t)(name - at)}, morph ? morph->source : (struct span){name, 0}};
		for (int i = 0; i < 2; i++) {
			if (out) {
				memcpy(out + used, parts[i].text, parts[i].size);
			}
			used += parts[i].size;
		}
		at = morph ? name + morph->id.size : name;
	}
	if (out) {
		memcpy(out + used, at, (size_t)(end - at));
	}
	return used + (size_t)(end - at);
}

/* Times the file's size that it may have with other names. */
#define GROWTH_MAX 4

const unsigned char *assimp_without_morphs(
	const unsigned char *bytes, size_t *size, struct arena *arena) {
	struct document document = {(const char *)bytes, (const char *)bytes + *size, NULL, 0};
	const size_t most = count_of(document.text, document.end, "<morph ");
	if (most == 0) {
		return bytes;
	}
	document.morphs = arena_alloc(arena, most, sizeof *document.morphs);
	find_morphs(&document);
	if (document.count == 0) {
		return bytes;
	}
	qsort(document.morphs, document.count, sizeof *document.morphs, compare_ids);
	const char *copy = without_morphs(&document, arena);
	const size_t grown = refer(&document, copy, *size, NULL);
	if (grown / GROWTH_MAX > *size) {
		return bytes;
	}
	char *out = arena_alloc(arena, grown + 1, 1);
	refer(&document, copy, *size, out);
	*size = grown;
	return (unsigned char *)out;
}
