// data: URIs: the head up to the comma, then base64 or percent-encoded bytes.
#include "import/data_uri.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/utf8.h"

#define SCHEME "data:"
#define BASE64_MARK ";base64"

bool data_uri_is(const char *uri) {
	return strncasecmp(uri, SCHEME, strlen(SCHEME)) == 0;
}

/* The numbers that base64's digits stand for; -1 = no digit. */
static void fill_values(int8_t values[static 256]) {
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	memset(values, -1, 256);
	for (int i = 0; i < 64; i++) {
		values[(unsigned char)digits[i]] = (int8_t)i;
	}
}

static bool is_space(char c) {
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* As browsers do it (WHATWG, Infra, "forgiving-base64 decode"), who also take what RFC 4648 leaves
 * to them: no padding, or bits that no byte takes. */
static const unsigned char *decode_base64(
	const char *text, struct arena *arena, size_t *size, const char **flaw, struct error *err) {
	unsigned char *bytes = arena_alloc(arena, *size / 4 * 3 + 3, 1);
	size_t used = 0, digits = 0, padding = 0;
	uint32_t bits = 0;
	int8_t values[256];
	fill_values(values);
	for (size_t i = 0; i < *size; i++) {
		const int value = values[(unsigned char)text[i]];
		if (value >= 0 && padding == 0) {
			bits = bits << 6 | (uint32_t)value;
			if (++digits % 4 != 1) {
				bytes[used++] = (unsigned char)(bits >> (8 - digits % 4 * 2) % 8);
			}
		} else if (text[i] == '=' && padding < 2) {
			padding++;
		} else if (!is_space(text[i])) {
			padding = 3;
		}
	}
	const size_t over = digits % 4; // of the last group
	if (padding > 2 || over == 1) {
		error_set(err, ERROR_BROKEN_ASSET, "data URI: not valid base64");
		return NULL;
	}
	if (padding != (4 - over) % 4) {
		*flaw = "its base64 is not padded to groups of four; taken as if it were";
	} else if (over > 0 && bits % (over == 2 ? 16 : 4) != 0) {
		*flaw = "its base64 has bits over, behind the last byte; left out";
	}
	*size = used;
	return bytes;
}

const unsigned char *data_uri_decode(
	const char *uri, struct arena *arena, size_t *size, const char **flaw, struct error *err) {
	const char *comma = strchr(uri, ',');
	if (!comma) {
		error_set(err, ERROR_BROKEN_ASSET, "data URI: no comma before the data");
		return NULL;
	}
	const size_t mark = strlen(BASE64_MARK);
	const bool base64 = (size_t)(comma - uri) >= strlen(SCHEME) + mark &&
		strncasecmp(comma - mark, BASE64_MARK, mark) == 0;
	struct error why = {0};
	const char *text = percent_decode(comma + 1, arena, size, &why);
	if (!text) {
		error_set(err, why.code, "data URI: %s", why.text);
	}
	if (!text || !base64) {
		return (const unsigned char *)text;
	}
	return decode_base64(text, arena, size, flaw, err);
}

const char *percent_decode(const char *text, struct arena *arena, size_t *size, struct error *err) {
	*size = strlen(text);
	if (!memchr(text, '%', *size)) {
		return text;
	}
	char *bytes = arena_alloc(arena, *size, 1);
	size_t used = 0;
	for (const char *c = text; *c; c++) {
		bytes[used] = *c;
		if (*c == '%') {
			// The ending NUL is no digit, so that nothing behind it is read.
			const int high = hex_digit_value(c[1]),
				  low = high < 0 ? -1 : hex_digit_value(c[2]);
			if (low < 0) {
				error_set(err, ERROR_BROKEN_ASSET,
					"%% without two hexadecimal digits");
				return NULL;
			}
			bytes[used] = (char)(high * 16 + low);
			c += 2;
		}
		used++;
	}
	*size = used;
	return bytes;
}

static bool read_data(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err) {
	struct error why = {0};
	const char *flaw = NULL;
	bytes->data = data_uri_decode(uri, gltf->arena, &bytes->size, &flaw, &why);
	if (flaw) {
		gltf_breach(gltf, GLTF_INVALID_URI, item, "%s", flaw);
	}
	return bytes->data || gltf_broken(item, err, "%s", why.text);
}

bool gltf_uri_read(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err) {
	if (data_uri_is(uri)) {
		return read_data(gltf, item, uri, bytes, err);
	}
	const struct gltf_files *files = gltf->source->files;
	struct error why = {0};
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(uri, quoted, sizeof quoted);
	if (!files) {
		return gltf_broken(item, err,
			"external file %s cannot be had; send a GLB, data URIs, or all files in "
			"a ZIP or a form",
			quoted);
	}
	bytes->data = files->read(files->context, uri, &bytes->size, &why);
	char place[GLTF_PLACE_BYTES];
	gltf_place(item, place);
	return bytes->data ||
		error_set(err, why.code, "%s: external file %s: %s", place, quoted, why.text);
}
