// Sixels where libsixel was not there.
#include <stdio.h>

#include "show_ways.h"

bool show_sixel(const struct buffer *picture, struct buffer *out) {
	(void)picture;
	(void)out;
	fprintf(stderr, "pose: this program was built without libsixel: it cannot make sixels\n");
	return false;
}
