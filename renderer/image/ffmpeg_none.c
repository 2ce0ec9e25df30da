// Videos where posed is built without FFmpeg's headers: there are none.
#include "image/video.h"

bool video_check(const struct video_kind *kind, struct error *err) {
	return error_set(err, ERROR_NOT_ACCEPTABLE,
		"%s needs FFmpeg's libraries, which this posed was built without", kind->name);
}

bool video_pack(const struct video_kind *kind, const struct sequence_settings *settings,
	const unsigned char *rgba, struct buffer *packed, struct error *err) {
	(void)settings;
	(void)rgba;
	(void)packed;
	return video_check(kind, err);
}

void *video_open(const struct video_kind *kind, const struct sequence_settings *settings,
	struct buffer *out, struct error *err) {
	(void)settings;
	(void)out;
	video_check(kind, err);
	return NULL;
}

bool video_add(void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	(void)sequence;
	(void)packed;
	(void)out;
	return error_set(err, ERROR_INTERNAL, "a video that nobody opened");
}

bool video_end(void *sequence, struct buffer *out, struct error *err) {
	return video_add(sequence, NULL, out, err);
}

void video_close(void *sequence) {
	(void)sequence;
}
