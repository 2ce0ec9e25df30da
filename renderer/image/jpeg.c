// JPEG files, by libjpeg-turbo.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

#include "base/delayed.h"
#include "image/encode.h"

/* From this quality on colours are as fine as brightness; below, a quarter as many of them are what
 * every other program writes. */
#define FULL_COLOR_QUALITY 90

#define QUALITY 90

/* libjpeg hands its callbacks the struct that it was given: what else they need lies around it. */
struct writer {
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	jmp_buf escape;
	struct error *err;
	struct buffer *out;
	struct jpeg_destination_mgr destination;
	unsigned char block[16384]; // on its way to out
};

static void on_error(j_common_ptr jpeg) {
	struct writer *writer = jpeg->client_data;
	const bool memory = jpeg->err->msg_code == JERR_OUT_OF_MEMORY;
	char message[JMSG_LENGTH_MAX];
	jpeg->err->format_message(jpeg, message);
	error_set(writer->err, memory ? ERROR_TOO_LARGE : ERROR_INTERNAL, "JPEG: %s", message);
	longjmp(writer->escape, 1);
}

static void on_message(j_common_ptr jpeg) {
	(void)jpeg; // libjpeg's warnings would go to standard error
}

static void on_begin(j_compress_ptr jpeg) {
	struct writer *writer = jpeg->client_data;
	writer->destination.next_output_byte = writer->block;
	writer->destination.free_in_buffer = sizeof writer->block;
}

static void append(struct writer *writer, size_t bytes) {
	if (!buffer_try_append(writer->out, writer->block, bytes, "JPEG", writer->err)) {
		longjmp(writer->escape, 1);
	}
}

/* The whole block, whatever free_in_buffer says: so libjpeg has it. */
static boolean on_full(j_compress_ptr jpeg) {
	struct writer *writer = jpeg->client_data;
	append(writer, sizeof writer->block);
	on_begin(jpeg);
	return TRUE;
}

static void on_end(j_compress_ptr jpeg) {
	struct writer *writer = jpeg->client_data;
	append(writer, sizeof writer->block - writer->destination.free_in_buffer);
}

static void set_up(struct jpeg_compress_struct *jpeg, const struct picture *picture, int quality) {
	jpeg->image_width = (JDIMENSION)picture->width;
	jpeg->image_height = (JDIMENSION)picture->height;
	jpeg->input_components = 4;
	jpeg->in_color_space = JCS_EXT_RGBX;
	jpeg_set_defaults(jpeg);
	jpeg_set_quality(jpeg, quality, TRUE);
	if (quality >= FULL_COLOR_QUALITY) {
		jpeg->comp_info[0].h_samp_factor = 1;
		jpeg->comp_info[0].v_samp_factor = 1;
	}
}

static bool compress(struct writer *writer, const struct picture *picture, int quality) {
	struct jpeg_compress_struct *jpeg = &writer->jpeg;
	if (setjmp(writer->escape)) {
		return false;
	}
	jpeg_create_compress(jpeg);
	jpeg->dest = &writer->destination;
	set_up(jpeg, picture, quality);
	jpeg_start_compress(jpeg, TRUE);
	while (jpeg->next_scanline < jpeg->image_height) {
		const size_t row = (size_t)jpeg->next_scanline * jpeg->image_width * 4;
		JSAMPROW rows[] = {(unsigned char *)picture->rgba + row};
		jpeg_write_scanlines(jpeg, rows, 1);
	}
	jpeg_finish_compress(jpeg);
	return true;
}

static bool encode(const struct picture *picture, const struct picture_coding *coding,
	struct buffer *out, struct error *err) {
	if (!delayed_load(&delayed_jpeg, err)) {
		return false;
	}
	struct writer writer = {
		.err = err,
		.out = out,
		.destination = {.init_destination = on_begin,
			.empty_output_buffer = on_full,
			.term_destination = on_end},
	};
	writer.jpeg.err = jpeg_std_error(&writer.errors);
	writer.jpeg.client_data = &writer;
	writer.errors.error_exit = on_error;
	writer.errors.output_message = on_message;
	const bool ok = compress(&writer, picture, coding->quality ? coding->quality : QUALITY);
	jpeg_destroy_compress(&writer.jpeg);
	return ok;
}

const struct picture_format picture_jpeg = {
	.name = "jpg",
	.media_type = "image/jpeg",
	.needs_background = true,
	.is_lossy = true,
	.encode = encode,
};
