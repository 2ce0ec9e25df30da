// The beginning of a file.
#include "import/file_start.h"

#include <stdio.h>
#include <string.h>

static void find_word(const char *text, char word[static 16]) {
	word[0] = '\0';
	while (*text) {
		text += strspn(text, " \t\r\n");
		if (*text != '#') {
			break;
		}
		text += strcspn(text, "\n");
	}
	sscanf(text, "%15s", word);
}

void file_start_look(struct file_start *out, const unsigned char *bytes, size_t size) {
	const size_t length = size < FILE_START_BYTES ? size : FILE_START_BYTES;
	memcpy(out->room, bytes, length);
	out->room[length] = '\0';
	out->bytes = bytes;
	out->size = size;
	out->is_text = strlen(out->room) == length;
	out->text = out->room + (strncmp(out->room, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
	find_word(out->text, out->word);
}

uint32_t file_start_u32(const unsigned char bytes[static 4]) {
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
}
