// Videos through FFmpeg's libraries: frames are turned into YUV when they are packed, and coded in
// order. One thread and no dates, so that the same frames are the same bytes.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/ffmpeg_load.h"
#include "image/video.h"

/* Bytes that FFmpeg hands over at a time. */
#define BLOCK_BYTES 65536

#define QUALITY 90

/* Ticks a second where frames are not shown for equally long: those of MPEG's clock. */
#define TICKS_PER_SECOND 90000

struct video {
	struct ffmpeg ffmpeg;
	const struct sequence_settings *settings;
	AVFormatContext *format;
	AVIOContext *io;
	AVCodecContext *coder;
	AVStream *stream; // the format's
	AVFrame *frame;
	AVPacket *packet;
	struct buffer *out; // of the call under way
	size_t frames;      // added so far
	size_t written;     // of them
	bool full;          // no memory for what was written
};

static bool settle(const struct ffmpeg *ffmpeg, int result, const char *doing, struct error *err) {
	if (result >= 0) {
		return true;
	}
	char words[128] = "";
	ffmpeg->av_strerror(result, words, sizeof words);
	return error_set(err, result == AVERROR(ENOMEM) ? ERROR_TOO_LARGE : ERROR_INTERNAL,
		"FFmpeg cannot %s: %s", doing, words);
}

bool video_check(const struct video_kind *kind, struct error *err) {
	struct ffmpeg ffmpeg;
	return ffmpeg_load(kind->name, &ffmpeg, err) &&
		(ffmpeg.avcodec_find_encoder_by_name(kind->encoder) ||
			error_set(err, ERROR_NOT_ACCEPTABLE,
				"%s needs the encoder %s, which FFmpeg's libraries here do not "
				"have",
				kind->name, kind->encoder));
}

/* --- Packing --- */

static enum AVPixelFormat pixels_of(
	const struct video_kind *kind, const struct sequence_settings *settings) {
	return kind->has_alpha && !settings->has_background ? AV_PIX_FMT_YUVA420P
							    : AV_PIX_FMT_YUV420P;
}

static AVFrame *make_frame(const struct ffmpeg *ffmpeg, enum AVPixelFormat pixels,
	const struct sequence_settings *settings, struct error *err) {
	AVFrame *frame = ffmpeg->av_frame_alloc();
	if (frame) {
		frame->format = pixels;
		frame->width = settings->width;
		frame->height = settings->height;
	}
	if (!frame || ffmpeg->av_frame_get_buffer(frame, 0) < 0) {
		error_set(err, ERROR_TOO_LARGE, "FFmpeg: no memory for a frame");
		ffmpeg->av_frame_free(&frame);
	}
	return frame;
}

/* A row of one of a frame's planes: brightness, two of colour with half as many rows and columns,
 * alpha. */
struct plane {
	size_t width, height;
};

static struct plane plane_of(const AVFrame *frame, int i) {
	const bool half = i == 1 || i == 2;
	const size_t width = (size_t)frame->width, height = (size_t)frame->height;
	return half ? (struct plane){(width + 1) / 2, (height + 1) / 2}
		    : (struct plane){width, height};
}

static int plane_count(const AVFrame *frame) {
	return frame->format == AV_PIX_FMT_YUVA420P ? 4 : 3;
}

/* Appends the planes without gaps between their rows. */
static bool put_planes(const AVFrame *frame, struct buffer *packed, struct error *err) {
	for (int i = 0; i < plane_count(frame); i++) {
		const struct plane plane = plane_of(frame, i);
		if (!buffer_try_reserve(packed, plane.width * plane.height, "frame", err)) {
			return false;
		}
		for (size_t y = 0; y < plane.height; y++) {
			buffer_append(packed, frame->data[i] + y * (size_t)frame->linesize[i],
				plane.width);
		}
	}
	return true;
}

static void take_planes(const struct buffer *packed, AVFrame *frame) {
	const unsigned char *next = packed->data;
	for (int i = 0; i < plane_count(frame); i++) {
		const struct plane plane = plane_of(frame, i);
		for (size_t y = 0; y < plane.height; y++, next += plane.width) {
			memcpy(frame->data[i] + y * (size_t)frame->linesize[i], next, plane.width);
		}
	}
}

/* sRGB into the YUV of BT.709, in the narrow range that players expect; bit for bit the same on
 * every machine. */
static bool convert(
	const struct ffmpeg *ffmpeg, const unsigned char *rgba, AVFrame *frame, struct error *err) {
	const int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP;
	const int *matrix = ffmpeg->sws_getCoefficients(SWS_CS_ITU709);
	struct SwsContext *scaler =
		ffmpeg->sws_getContext(frame->width, frame->height, AV_PIX_FMT_RGBA, frame->width,
			frame->height, frame->format, flags, NULL, NULL, NULL);
	if (!scaler) {
		return error_set(err, ERROR_INTERNAL, "FFmpeg cannot convert %d x %d pixels",
			frame->width, frame->height);
	}
	const uint8_t *const source[] = {rgba};
	const int source_stride[] = {frame->width * 4};
	ffmpeg->sws_setColorspaceDetails(scaler, matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16);
	ffmpeg->sws_scale(
		scaler, source, source_stride, 0, frame->height, frame->data, frame->linesize);
	ffmpeg->sws_freeContext(scaler);
	return true;
}

bool video_pack(const struct video_kind *kind, const struct sequence_settings *settings,
	const unsigned char *rgba, struct buffer *packed, struct error *err) {
	struct ffmpeg ffmpeg;
	if (!ffmpeg_load(kind->name, &ffmpeg, err)) {
		return false;
	}
	AVFrame *frame = make_frame(&ffmpeg, pixels_of(kind, settings), settings, err);
	const bool ok =
		frame && convert(&ffmpeg, rgba, frame, err) && put_planes(frame, packed, err);
	ffmpeg.av_frame_free(&frame);
	return ok;
}

/* --- The file --- */

static int on_write(void *context, uint8_t *bytes, int count) {
	struct video *video = context;
	video->full |= !buffer_try_append(video->out, bytes, (size_t)count, "video", NULL);
	return video->full ? AVERROR(ENOMEM) : count;
}

void video_close(void *sequence) {
	struct video *video = sequence;
	if (!video) {
		return;
	}
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	struct buffer rest = {0}; // what the muxer might still write is nobody's
	video->out = &rest;
	ffmpeg->av_packet_free(&video->packet);
	ffmpeg->av_frame_free(&video->frame);
	ffmpeg->avcodec_free_context(&video->coder);
	ffmpeg->avformat_free_context(video->format);
	if (video->io) {
		ffmpeg->av_free(video->io->buffer);
	}
	ffmpeg->avio_context_free(&video->io);
	buffer_finish(&rest);
	free(video);
}

static AVDictionary *options_of(const struct ffmpeg *ffmpeg, const char *text) {
	AVDictionary *options = NULL;
	if (text) {
		ffmpeg->av_dict_parse_string(&options, text, "=", ":", 0);
	}
	return options;
}

/* Steps of the encoder between its worst and its best. */
static int crf_of(const struct video_kind *kind, int quality) {
	const double share = (quality ? quality : QUALITY) / 100.0;
	return (int)lround(kind->worst_crf + share * (kind->best_crf - kind->worst_crf));
}

/* When a frame begins, in steps of the coder's clock. */
static int64_t begin_of(const struct video *video, size_t frame) {
	return video->settings->begins_s
		? llround(sequence_begin_s(video->settings, frame) * TICKS_PER_SECOND)
		: (int64_t)frame;
}

static void set_up_coder(struct video *video, enum AVPixelFormat pixels) {
	const struct sequence_settings *settings = video->settings;
	const struct sequence_delay delay = sequence_delay(settings->fps);
	AVCodecContext *coder = video->coder;
	coder->width = settings->width;
	coder->height = settings->height;
	coder->pix_fmt = pixels;
	coder->time_base = settings->begins_s
		? (AVRational){1, TICKS_PER_SECOND}
		: (AVRational){(int)delay.numerator, (int)delay.denominator};
	coder->framerate = (AVRational){(int)delay.denominator, (int)delay.numerator};
	coder->gop_size = settings->fps < 1 ? 1 : (int)lround(settings->fps);
	coder->thread_count = 1;
	coder->flags |= AV_CODEC_FLAG_BITEXACT;
	coder->color_range = AVCOL_RANGE_MPEG;
	coder->colorspace = AVCOL_SPC_BT709;
	coder->color_primaries = AVCOL_PRI_BT709;
	coder->color_trc = AVCOL_TRC_IEC61966_2_1;
	if (video->format->oformat->flags & AVFMT_GLOBALHEADER) {
		coder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
	}
}

static bool open_coder(struct video *video, const struct video_kind *kind, struct error *err) {
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	const AVCodec *codec = ffmpeg->avcodec_find_encoder_by_name(kind->encoder);
	video->coder = codec ? ffmpeg->avcodec_alloc_context3(codec) : NULL;
	if (!video->coder) {
		return error_set(err, ERROR_INTERNAL, "FFmpeg has no %s", kind->encoder);
	}
	set_up_coder(video, pixels_of(kind, video->settings));
	AVDictionary *options = options_of(ffmpeg, kind->encoder_options);
	ffmpeg->av_dict_set_int(&options, "crf", crf_of(kind, video->settings->quality), 0);
	const int result = ffmpeg->avcodec_open2(video->coder, codec, &options);
	ffmpeg->av_dict_free(&options);
	return settle(ffmpeg, result, "begin to encode", err);
}

static bool open_output(struct video *video, const struct video_kind *kind, struct error *err) {
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	const int result =
		ffmpeg->avformat_alloc_output_context2(&video->format, NULL, kind->muxer, NULL);
	if (!settle(ffmpeg, result, "begin a file", err)) {
		return false;
	}
	unsigned char *block = ffmpeg->av_malloc(BLOCK_BYTES);
	video->io = block
		? ffmpeg->avio_alloc_context(block, BLOCK_BYTES, 1, video, NULL, on_write, NULL)
		: NULL;
	video->stream = ffmpeg->avformat_new_stream(video->format, NULL);
	if (!video->io || !video->stream) {
		ffmpeg->av_free(video->io ? NULL : block);
		return error_set(err, ERROR_TOO_LARGE, "FFmpeg: no memory for a file");
	}
	video->format->pb = video->io;
	video->format->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
	return true;
}

static bool write_head(struct video *video, const struct video_kind *kind, struct error *err) {
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	const struct sequence_settings *settings = video->settings;
	video->stream->time_base = video->coder->time_base;
	if (!settings->begins_s) {
		video->stream->avg_frame_rate = video->coder->framerate;
	}
	// Values that cannot be filled in later are set now.
	video->format->duration =
		llround(sequence_begin_s(settings, settings->count) * AV_TIME_BASE);
	AVDictionary *options = options_of(ffmpeg, kind->muxer_options);
	int result = ffmpeg->avcodec_parameters_from_context(video->stream->codecpar, video->coder);
	result = result < 0 ? result : ffmpeg->avformat_write_header(video->format, &options);
	ffmpeg->av_dict_free(&options);
	ffmpeg->avio_flush(video->io);
	return settle(ffmpeg, result, "write the head of a file", err);
}

void *video_open(const struct video_kind *kind, const struct sequence_settings *settings,
	struct buffer *out, struct error *err) {
	struct video *video = xcalloc(1, sizeof *video);
	if (!ffmpeg_load(kind->name, &video->ffmpeg, err)) {
		free(video);
		return NULL;
	}
	video->settings = settings;
	video->out = out;
	video->packet = video->ffmpeg.av_packet_alloc();
	video->frame = make_frame(&video->ffmpeg, pixels_of(kind, settings), settings, err);
	if (!video->packet || !video->frame || !open_output(video, kind, err) ||
		!open_coder(video, kind, err) || !write_head(video, kind, err)) {
		error_set(err, ERROR_TOO_LARGE, "FFmpeg: no memory");
		video_close(video);
		return NULL;
	}
	return video;
}

/* Writes the packets that the coder has ready, which are in the frames' order. */
static int write_packets(struct video *video) {
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	int result;
	while ((result = ffmpeg->avcodec_receive_packet(video->coder, video->packet)) >= 0) {
		video->packet->duration =
			begin_of(video, video->written + 1) - begin_of(video, video->written);
		video->written++;
		ffmpeg->av_packet_rescale_ts(
			video->packet, video->coder->time_base, video->stream->time_base);
		result = ffmpeg->av_interleaved_write_frame(video->format, video->packet);
		if (result < 0) {
			return result;
		}
	}
	return result == AVERROR(EAGAIN) || result == AVERROR_EOF ? 0 : result;
}

/* frame NULL = there are no more. */
static bool encode(struct video *video, AVFrame *frame, struct buffer *out, struct error *err) {
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	video->out = out;
	int result = ffmpeg->avcodec_send_frame(video->coder, frame);
	result = result < 0 ? result : write_packets(video);
	ffmpeg->avio_flush(video->io);
	return settle(ffmpeg, video->full ? AVERROR(ENOMEM) : result, "encode", err);
}

bool video_add(void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct video *video = sequence;
	// The coder may still hold the frame before: this one is another.
	video->ffmpeg.av_frame_free(&video->frame);
	video->frame = make_frame(&video->ffmpeg, video->coder->pix_fmt, video->settings, err);
	if (!video->frame) {
		return false;
	}
	take_planes(packed, video->frame);
	video->frame->pts = begin_of(video, video->frames++);
	return encode(video, video->frame, out, err);
}

bool video_end(void *sequence, struct buffer *out, struct error *err) {
	struct video *video = sequence;
	const struct ffmpeg *ffmpeg = &video->ffmpeg;
	if (!encode(video, NULL, out, err)) {
		return false;
	}
	const int result = ffmpeg->av_write_trailer(video->format);
	ffmpeg->avio_flush(video->io);
	return settle(ffmpeg, video->full ? AVERROR(ENOMEM) : result, "end a file", err);
}
