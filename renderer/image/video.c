// Videos: MP4 and WebM.
#include "image/video.h"

/* Fragments begin with whole pictures, once a second, so that the file can be sent while it is
 * made. Pictures that are told from later ones would hold it up. x264's sums over blocks of later
 * pictures (mbtree) are not the same bytes from call to call. */
static const struct video_kind mp4 = {
	.name = "mp4",
	.muxer = "mp4",
	.encoder = "libx264",
	.muxer_options = "movflags=frag_keyframe+empty_moov+default_base_moof",
	.encoder_options = "preset=veryfast:bf=0:mbtree=0",
	.worst_crf = 51,
	.best_crf = 14,
};

/* libvpx takes alpha only where no picture is told from later ones. The haste costs a tenth more
 * bytes at the same quality, and saves four fifths of the time: 1.6 ms are left for 256 x 256
 * pixels. */
static const struct video_kind webm = {
	.name = "webm",
	.muxer = "webm",
	.encoder = "libvpx-vp9",
	.has_alpha = true,
	.encoder_options = "deadline=realtime:cpu-used=8:auto-alt-ref=0:lag-in-frames=0:b=0",
	.worst_crf = 63,
	.best_crf = 10,
};

/* H.264 with a quarter of the colours has two by two pixels for each. */
static bool check_even(int side, const char *pointer, struct error *err) {
	return side % 2 == 0 ||
		error_at(err, ERROR_INVALID_VALUE, pointer,
			"mp4 has even sides only; this one is %d", side);
}

static bool mp4_check(const struct sequence_settings *settings, struct error *err) {
	return video_check(&mp4, err) && check_even(settings->width, "/width", err) &&
		check_even(settings->height, "/height", err);
}

static bool mp4_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	return video_pack(&mp4, settings, rgba, packed, err);
}

static void *mp4_open(
	const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	return video_open(&mp4, settings, out, err);
}

static bool webm_check(const struct sequence_settings *settings, struct error *err) {
	(void)settings;
	return video_check(&webm, err);
}

static bool webm_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	return video_pack(&webm, settings, rgba, packed, err);
}

static void *webm_open(
	const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	return video_open(&webm, settings, out, err);
}

const struct sequence_format sequence_mp4 = {
	.name = "mp4",
	.title = "MP4 of H.264, in fragments; no transparency, even sides",
	.media_type = "video/mp4",
	.ending = "mp4",
	.is_lossy = true,
	.needs_background = true,
	.check = mp4_check,
	.pack = mp4_pack,
	.open = mp4_open,
	.add = video_add,
	.end = video_end,
	.close = video_close,
};

const struct sequence_format sequence_webm = {
	.name = "webm",
	.title = "WebM of VP9, with transparency",
	.media_type = "video/webm",
	.ending = "webm",
	.is_lossy = true,
	.check = webm_check,
	.pack = webm_pack,
	.open = webm_open,
	.add = video_add,
	.end = video_end,
	.close = video_close,
};
