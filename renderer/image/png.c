// PNG files.
#include "base/json_write.h"
#include "image/encode.h"
#include "image/png_file.h"

/* The meaning of grey: {"depth": {"near", "far"}}. */
static void describe_grey(const struct picture *picture, struct buffer *text) {
	struct json_writer json = {.out = text};
	json_write_begin_object(&json);
	json_write_key(&json, "depth");
	json_write_begin_object(&json);
	json_write_member_double(&json, "near", picture->near);
	json_write_member_double(&json, "far", picture->far);
	json_write_end_object(&json);
	json_write_end_object(&json);
	buffer_append(text, "", 1);
}

static bool begin_file(struct png_file *file, const struct picture *picture, struct buffer *out,
	struct error *err) {
	if (!picture->grey16) {
		return png_file_begin(file, picture, NULL, out, err);
	}
	struct buffer json = {0};
	describe_grey(picture, &json);
	const struct png_text text = {"posed", (const char *)json.data};
	const bool ok = png_file_begin(file, picture, &text, out, err);
	buffer_finish(&json);
	return ok;
}

static bool write_file(struct png_file *file, const struct picture *picture,
	const struct buffer *packed, struct buffer *out, struct error *err) {
	const struct png_chunk pixels = {
		.type = "IDAT", .data = packed->data, .data_bytes = packed->size};
	return begin_file(file, picture, out, err) && png_file_chunk(file, &pixels, out, err) &&
		png_file_end(file, out, err);
}

bool encode_png(const struct picture *picture, struct buffer *out, struct error *err) {
	struct buffer packed = {0};
	struct png_file *file = png_file_create(err);
	const bool ok = file && png_pack_rows(picture, &packed, err) &&
		write_file(file, picture, &packed, out, err);
	png_file_destroy(file);
	buffer_finish(&packed);
	return ok;
}

static bool encode(const struct picture *picture, const struct picture_coding *coding,
	struct buffer *out, struct error *err) {
	(void)coding;
	return encode_png(picture, out, err);
}

const struct picture_format picture_png = {
	.name = "png",
	.media_type = "image/png",
	.supports_grey16 = true,
	.encode = encode,
};
