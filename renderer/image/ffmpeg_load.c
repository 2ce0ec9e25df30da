// FFmpeg's libraries, loaded at run time.
#include "image/ffmpeg_load.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum library { UTIL, CODEC, FORMAT, SCALE, LIBRARY_COUNT };

static const char *const files[LIBRARY_COUNT] = {
	[UTIL] = "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR),
	[CODEC] = "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR),
	[FORMAT] = "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR),
	[SCALE] = "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR),
};

static const struct {
	enum library library;
	const char *name;
	size_t offset; // of its place in struct ffmpeg
} functions[] = {
#define ROW(library, name) {library, #name, offsetof(struct ffmpeg, name)},
	FFMPEG_FUNCTIONS(ROW)
#undef ROW
};

static bool refuse(const char *who, struct error *err) {
	const char *words = dlerror();
	return error_set(err, ERROR_NOT_ACCEPTABLE, "%s needs FFmpeg's libraries: %s", who,
		words ? words : "they cannot be loaded");
}

bool ffmpeg_load(const char *who, struct ffmpeg *out, struct error *err) {
	void *libraries[LIBRARY_COUNT];
	for (int i = 0; i < LIBRARY_COUNT; i++) {
		libraries[i] = dlopen(files[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
		if (!libraries[i]) {
			return refuse(who, err);
		}
	}
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *function = dlsym(libraries[functions[i].library], functions[i].name);
		if (!function) {
			return refuse(who, err);
		}
		memcpy((char *)out + functions[i].offset, &function, sizeof function);
	}
	for (int i = 0; i < LIBRARY_COUNT; i++) {
		dlclose(libraries[i]);
	}
	out->av_log_set_level(AV_LOG_QUIET);
	return true;
}
