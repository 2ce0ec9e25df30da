/* The beginning of a file, by which its format is told. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a text that are looked at. */
#define FILE_START_BYTES 4096

struct file_start {
	const unsigned char *bytes; // [size] the whole file, borrowed
	size_t size;
	const char *text; // the first bytes up to one that is zero, without a byte order mark
	bool is_text;     // none of these is zero
	char word[16]; // the first word that is no comment, as "# ..." is one; "" = there is none
	char room[FILE_START_BYTES + 1]; // of the text
};

/* Looks at a file. out must stay where it is. */
void file_start_look(struct file_start *out, const unsigned char *bytes, size_t size);

/* Four bytes, the lowest first. */
uint32_t file_start_u32(const unsigned char bytes[static 4]);
