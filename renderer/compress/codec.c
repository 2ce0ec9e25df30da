// The table of codecs.
#include "compress/codec.h"

#include <stddef.h>
#include <string.h>

static const struct codec *const codecs[] = {&codec_best, &codec_bits};

const struct codec *codec_at(int i) {
	return i >= 0 && i < (int)(sizeof codecs / sizeof *codecs) ? codecs[i] : NULL;
}

const struct codec *codec_find(const char *name) {
	for (int i = 0; codec_at(i); i++) {
		if (strcmp(codec_at(i)->name, name) == 0) {
			return codec_at(i);
		}
	}
	return NULL;
}
