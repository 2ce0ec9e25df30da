// The layout of pictures with text.
#include "image/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "image/canvas.h"
#include "image/glyphs.h"

/* Letters of a cell, at least, that its width has room for. */
#define WIDTH_EMS 30

/* Pixels a side that something can be seen in. */
#define MIN_DRAWN 16

#define LABEL_BYTES 256

/* Letters and strip for the cells' size. lines: of text; bars: of a line's letters' height. */
static void choose_letters(struct layout *layout, int lines, int bars) {
	layout->letters = text_letters(layout->width / WIDTH_EMS);
	layout->margin = layout->letters->em / 3;
	layout->strip = lines * text_height(layout->letters) + bars * layout->letters->em +
		2 * layout->margin;
}

static struct layout divide(const struct picture_settings *picture, int columns, int rows) {
	struct layout layout = {
		.columns = columns,
		.width = picture->width / columns,
		.height = picture->height / rows,
	};
	choose_letters(&layout, 1, 0);
	return layout;
}

static int drawn_height(const struct layout *layout) {
	return layout->height > layout->strip ? layout->height - layout->strip : 0;
}

/* The shorter side of what is drawn in a cell. */
static int shorter_side(const struct layout *layout) {
	const int height = drawn_height(layout);
	return layout->width < height ? layout->width : height;
}

/* True when more can be seen in its cells: what is drawn is as large as its shorter side, and of
 * equals the longer one tells. */
static bool is_larger(const struct layout *layout, const struct layout *other) {
	const int side = shorter_side(layout), other_side = shorter_side(other);
	return side > other_side ||
		(side == other_side &&
			layout->width + drawn_height(layout) > other->width + drawn_height(other));
}

static bool check_room(
	const struct layout *layout, const struct picture_settings *picture, struct error *err) {
	if (shorter_side(layout) >= MIN_DRAWN) {
		return true;
	}
	return error_at(err, ERROR_INVALID_VALUE, layout->width < MIN_DRAWN ? "/width" : "/height",
		"%d x %d pixels leave %d x %d to draw in beside the text, must be %d a side",
		picture->width, picture->height, layout->width, drawn_height(layout), MIN_DRAWN);
}

bool layout_cells(const struct picture_settings *picture, size_t count, struct layout *out,
	struct error *err) {
	const int cells = (int)count;
	*out = divide(picture, cells, 1);
	for (int columns = cells - 1; columns > 0; columns--) {
		const struct layout other =
			divide(picture, columns, (cells + columns - 1) / columns);
		if (is_larger(&other, out)) {
			*out = other;
		}
	}
	return check_room(out, picture, err);
}

bool layout_heat(const struct picture_settings *picture, struct layout *out, struct error *err) {
	*out = (struct layout){.columns = 1, .width = picture->width, .height = picture->height};
	choose_letters(out, 2, 1);
	return check_room(out, picture, err);
}

/* Pixels of the widest label, at most so many. */
static int widest_label(
	const struct glyph_set *letters, const struct list_entry *entries, size_t count, int most) {
	int widest = 0;
	for (size_t i = 0; i < count; i++) {
		const int width = text_width(letters, entries[i].label);
		widest = width > widest ? width : widest;
	}
	return widest < most ? widest : most;
}

/* Lines of a list that are written in letters as large as a single one's. */
#define LARGE_ROWS 3

/* A square of colour and a gap before a label, and a gap behind. */
static int beside_label(const struct glyph_set *letters) {
	return 5 * letters->em / 2;
}

/* Divides the list's room, for letters that are chosen. */
static void divide_list(struct list_layout *list, const struct picture_settings *picture,
	const struct list_entry *entries, size_t count) {
	struct layout *layout = &list->layout;
	layout->margin = layout->letters->em / 3;
	const int room = picture->width - 2 * layout->margin;
	const int gap = layout->letters->em, own = beside_label(layout->letters);
	const int line = text_height(layout->letters);
	list->column_width = own + widest_label(layout->letters, entries, count, room - own);
	list->columns = room > list->column_width ? (room + gap) / list->column_width : 1;
	const int wanted = ((int)count + list->columns - 1) / list->columns;
	const int most = (picture->height / 2 - 2 * layout->margin) / line;
	list->rows = wanted < most ? wanted : most > 1 ? most : 1;
	layout->strip = list->rows * line + 2 * layout->margin;
}

bool layout_list(const struct picture_settings *picture, const struct list_entry *entries,
	size_t count, struct list_layout *out, struct error *err) {
	*out = (struct list_layout){
		.layout = {.columns = 1, .width = picture->width, .height = picture->height}};
	out->layout.letters = text_letters(picture->width / WIDTH_EMS);
	divide_list(out, picture, entries, count);
	if (out->rows > LARGE_ROWS) {
		out->layout.letters = text_letters(0);
		divide_list(out, picture, entries, count);
	}
	return check_room(&out->layout, picture, err);
}

struct place layout_drawn(const struct layout *layout, size_t i) {
	return (struct place){
		.x = (int)i % layout->columns * layout->width,
		.y = (int)i / layout->columns * layout->height,
		.width = layout->width,
		.height = drawn_height(layout),
	};
}

static struct place strip_of(const struct layout *layout, size_t i) {
	const struct place drawn = layout_drawn(layout, i);
	return (struct place){drawn.x, drawn.y + drawn.height, drawn.width, layout->strip};
}

static unsigned char byte(double share) {
	return (unsigned char)lrint(255 * share);
}

void layout_background(const struct picture_settings *picture, unsigned char rgba[static 4]) {
	for (int i = 0; i < 4; i++) {
		rgba[i] = byte(picture->background[i]);
	}
}

/* The background of text, and the text colour that is legible on it. */
static void choose_colors(const struct picture_settings *picture, unsigned char ground[static 4],
	unsigned char ink[static 3]) {
	static const double weights[3] = {0.2126, 0.7152, 0.0722}; // of brightness
	const double alpha = picture->background[3];
	double brightness = 0;
	for (int i = 0; i < 3; i++) {
		const double over_white = picture->background[i] * alpha + 1 - alpha;
		ground[i] = byte(over_white);
		brightness += weights[i] * over_white;
	}
	ground[3] = 255;
	memset(ink, brightness > 0.5 ? 0x1c : 0xf0, 3);
}

/* Cuts a text until it fits, and shows that it was. */
static void cut_label(const struct glyph_set *letters, const char *text, int width,
	char label[static LABEL_BYTES]) {
	size_t length = strlen(text);
	length = length < LABEL_BYTES - 3 ? length : LABEL_BYTES - 3;
	snprintf(label, LABEL_BYTES, "%.*s", (int)length, text);
	while (length > 0 && (text[length] || text_width(letters, label) > width)) {
		length--;
		snprintf(label, LABEL_BYTES, "%.*s..", (int)length, text);
		if (text_width(letters, label) <= width) {
			return;
		}
	}
}

/* Writes a line in the middle of a width. */
static void write_line(const struct layout *layout, struct place line, const char *text,
	const unsigned char ink[static 3], struct canvas *canvas) {
	char label[LABEL_BYTES];
	cut_label(layout->letters, text, line.width, label);
	const int width = text_width(layout->letters, label);
	text_draw(canvas, layout->letters, line.x + (line.width - width) / 2, line.y, label, ink);
}

/* The place within a strip's margins. */
static struct place within(const struct layout *layout, struct place strip) {
	const int margin = layout->margin;
	return (struct place){strip.x + margin, strip.y + margin, strip.width - 2 * margin,
		strip.height - 2 * margin};
}

void layout_write_label(const struct layout *layout, const struct picture_settings *picture,
	size_t i, const char *text, struct canvas *canvas) {
	unsigned char ground[4], ink[3];
	choose_colors(picture, ground, ink);
	const struct place strip = strip_of(layout, i);
	canvas_fill(canvas, strip, ground);
	write_line(layout, within(layout, strip), text, ink, canvas);
}

static void fill_bar(struct canvas *canvas, struct place bar) {
	for (int x = 0; x < bar.width; x++) {
		unsigned char color[4] = {0, 0, 0, 255};
		heat_color(bar.width > 1 ? (double)x / (bar.width - 1) : 0, color);
		canvas_fill(canvas, (struct place){bar.x + x, bar.y, 1, bar.height}, color);
	}
}

/* 0 at the left end, the half in the middle, the end at the right. */
static void write_numbers(const struct layout *layout, struct place line,
	const struct heat_legend *legend, const unsigned char ink[static 3],
	struct canvas *canvas) {
	char half[32], end[40];
	snprintf(half, sizeof half, "%.3g", legend->end / 2);
	snprintf(end, sizeof end, "%.3g%s", legend->end, legend->goes_on ? " or more" : "");
	const int end_x = line.x + line.width - text_width(layout->letters, end);
	text_draw(canvas, layout->letters, line.x, line.y, "0", ink);
	write_line(layout, line, half, ink, canvas);
	text_draw(canvas, layout->letters, end_x, line.y, end, ink);
}

void layout_write_heat(const struct layout *layout, const struct picture_settings *picture,
	const struct heat_legend *legend, struct canvas *canvas) {
	unsigned char ground[4], ink[3];
	choose_colors(picture, ground, ink);
	const struct place strip = strip_of(layout, 0);
	canvas_fill(canvas, strip, ground);
	struct place line = within(layout, strip);
	line.height = layout->letters->em;
	fill_bar(canvas, line);
	line.y += line.height;
	line.height = text_height(layout->letters);
	write_numbers(layout, line, legend, ink, canvas);
	line.y += line.height;
	write_line(layout, line, legend->caption, ink, canvas);
}

static void write_entry(const struct list_layout *list, struct place place,
	const struct list_entry *entry, const unsigned char ink[static 3], struct canvas *canvas) {
	const struct layout *layout = &list->layout;
	const int em = layout->letters->em;
	const unsigned char color[4] = {entry->rgb[0], entry->rgb[1], entry->rgb[2], 255};
	canvas_fill(
		canvas, (struct place){place.x, place.y + (place.height - em) / 2, em, em}, color);
	char label[LABEL_BYTES];
	cut_label(
		layout->letters, entry->label, place.width - beside_label(layout->letters), label);
	text_draw(canvas, layout->letters, place.x + em + em / 2, place.y, label, ink);
}

/* Column by column. */
static struct place place_in_list(const struct list_layout *list, size_t i) {
	const struct place inner = within(&list->layout, strip_of(&list->layout, 0));
	const int line = text_height(list->layout.letters), at = (int)i;
	return (struct place){inner.x + at / list->rows * list->column_width,
		inner.y + at % list->rows * line, list->column_width, line};
}

void layout_write_list(const struct list_layout *list, const struct picture_settings *picture,
	const struct list_entry *entries, size_t count, struct canvas *canvas) {
	unsigned char ground[4], ink[3];
	choose_colors(picture, ground, ink);
	canvas_fill(canvas, strip_of(&list->layout, 0), ground);
	const size_t places = (size_t)list->columns * (size_t)list->rows;
	const size_t shown = count <= places ? count : places - 1;
	for (size_t i = 0; i < shown; i++) {
		write_entry(list, place_in_list(list, i), &entries[i], ink, canvas);
	}
	if (shown < count) {
		const struct place place = place_in_list(list, shown);
		char rest[32];
		snprintf(rest, sizeof rest, "+ %zu more", count - shown);
		text_draw(canvas, list->layout.letters, place.x, place.y, rest, ink);
	}
}
