/* FFmpeg's libraries, loaded at run time: those of the versions that posed was built with. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

#include "base/error.h"

/* Library and name of each function that is used. */
#define FFMPEG_FUNCTIONS(X) \
	X(UTIL, av_dict_free) \
	X(UTIL, av_dict_parse_string) \
	X(UTIL, av_dict_set_int) \
	X(UTIL, av_frame_alloc) \
	X(UTIL, av_frame_free) \
	X(UTIL, av_frame_get_buffer) \
	X(UTIL, av_free) \
	X(UTIL, av_log_set_level) \
	X(UTIL, av_malloc) \
	X(UTIL, av_strerror) \
	X(CODEC, av_packet_alloc) \
	X(CODEC, av_packet_free) \
	X(CODEC, av_packet_rescale_ts) \
	X(CODEC, avcodec_alloc_context3) \
	X(CODEC, avcodec_find_encoder_by_name) \
	X(CODEC, avcodec_free_context) \
	X(CODEC, avcodec_open2) \
	X(CODEC, avcodec_parameters_from_context) \
	X(CODEC, avcodec_receive_packet) \
	X(CODEC, avcodec_send_frame) \
	X(FORMAT, av_interleaved_write_frame) \
	X(FORMAT, av_write_trailer) \
	X(FORMAT, avformat_alloc_output_context2) \
	X(FORMAT, avformat_free_context) \
	X(FORMAT, avformat_new_stream) \
	X(FORMAT, avformat_write_header) \
	X(FORMAT, avio_alloc_context) \
	X(FORMAT, avio_context_free) \
	X(FORMAT, avio_flush) \
	X(SCALE, sws_freeContext) \
	X(SCALE, sws_getCoefficients) \
	X(SCALE, sws_getContext) \
	X(SCALE, sws_scale) \
	X(SCALE, sws_setColorspaceDetails)

struct ffmpeg {
#define FFMPEG_FIELD(library, name) __typeof__(&name) name;
	FFMPEG_FUNCTIONS(FFMPEG_FIELD)
#undef FFMPEG_FIELD
};

/* Fills *out; the libraries stay in the process. False with ERROR_NOT_ACCEPTABLE and the loader's
 * words, behind the name of what wants them. Any thread. */
bool ffmpeg_load(const char *who, struct ffmpeg *out, struct error *err);
