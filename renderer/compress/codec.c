// The table of codecs.
#include "compress/codec.h"

#include <stddef.h>
#include <string.h>

#define CODEC(id, name) [CODEC_##id] = &codec_##name,
#define NAME(id, name) [CODEC_##id] = #name,

static const struct codec *const codecs[] = {PCLIP_CODECS(CODEC)};
static const char *const names[] = {PCLIP_CODECS(NAME)};

const struct codec *codec_at(int i) {
	return i >= 0 && i < (int)(sizeof codecs / sizeof *codecs) ? codecs[i] : NULL;
}

const struct codec *codec_find(const char *name) {
	for (int i = 0; codec_at(i); i++) {
		if (strcmp(names[i], name) == 0) {
			return codec_at(i);
		}
	}
	return NULL;
}
