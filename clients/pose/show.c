// Pictures in terminals that can show them.
#include "show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/value.h"
#include "files.h"
#include "show_ways.h"

#define PNGS "image/png image/apng"

/* The first chooses among the others. */
enum { AUTO, KITTY, ITERM2, SIXEL, WAY_COUNT };

const char *const show_ways[] = {
	[AUTO] = "auto", [KITTY] = "kitty", [ITERM2] = "iterm2", [SIXEL] = "sixel", NULL};

static const struct {
	const char *takes; // media types
	bool (*write)(const struct buffer *picture, struct buffer *out);
} ways[WAY_COUNT] = {
	[KITTY] = {PNGS, show_kitty},
	[ITERM2] = {PNGS " image/jpeg image/gif image/webp", show_iterm2},
	[SIXEL] = {PNGS " image/jpeg image/gif", show_sixel},
};

static size_t find(const char *name) {
	size_t i = 0;
	while (i < WAY_COUNT && strcmp(show_ways[i], name) != 0) {
		i++;
	}
	return i;
}

bool show_check(const char *way, const char *media_type) {
	const size_t requested = find(way);
	if (requested == WAY_COUNT) {
		char names[64];
		value_list_names(show_ways, names, sizeof names);
		fprintf(stderr, "pose: --show is %s, not \"%s\"\n", names, way);
		return false;
	}
	for (size_t i = AUTO + 1; i < WAY_COUNT; i++) {
		// No media type is a part of another.
		if ((requested == AUTO || i == requested) && strstr(ways[i].takes, media_type)) {
			return true;
		}
	}
	fprintf(stderr, "pose: --show %s takes no %s\n", way, media_type);
	return false;
}

/* NULL where there is none, which is said. */
static const char *choose(const char *way) {
	if (find(way) != AUTO) {
		return way;
	}
	const char *detected = show_detect();
	if (!detected) {
		fprintf(stderr,
			"pose: this terminal does not say that it shows pictures; name the way: "
			"--show kitty, iterm2 or sixel\n");
	}
	return detected;
}

bool show_picture(const char *way, const struct buffer *picture) {
	struct buffer text = {0};
	const char *chosen = choose(way);
	bool ok = chosen && ways[find(chosen)].write(picture, &text);
	if (ok) {
		buffer_append(&text, "\n", 1);
		ok = fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0;
	}
	buffer_finish(&text);
	return ok;
}
