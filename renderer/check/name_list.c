// Names for a message.
#include "check/name_list.h"

#include <string.h>

#define NAMES_MAX 6

void check_names_add(struct check_names *names, const char *name) {
	if (names->count < NAMES_MAX) {
		buffer_append(&names->text, ", ", names->count > 0 ? 2 : 0);
		buffer_append(&names->text, name, strlen(name));
	} else if (names->count == NAMES_MAX) {
		buffer_append(&names->text, " ...", 4);
	}
	names->count++;
}

const char *check_names_text(struct check_names *names) {
	buffer_append(&names->text, "", 1);
	return (const char *)names->text.data;
}

void check_names_finish(struct check_names *names) {
	buffer_finish(&names->text);
}
