/* Files in and out, with what went wrong on standard error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "options.h"

/* True for the name of standard input: "-". */
bool file_is_input(const char *path);

/* True for a folder, and for the name of one that is to be made: with / at its end. Not for NULL.
 */
bool file_is_folder(const char *path);

/* Appends a whole file to out, or standard input. False with errno. */
bool file_load(const char *path, struct buffer *out);

/* file_load(), with what went wrong on standard error. */
bool file_take(const struct arguments *arguments, const char *path, struct buffer *out);

/* Writes a whole file, as output_open() says. */
bool file_write(const struct arguments *arguments, const char *path, const struct buffer *content,
	bool is_text);

struct output;

/* Nothing is opened before the first bytes. A path of NULL or "-" is standard output, which must
 * not be a terminal unless the bytes are text. A file is there when it is whole: until then what
 * was there before stays, and nothing is left where the program is ended by a signal. What is no
 * plain file, or is in a folder that takes no new ones, is written as the bytes come. To be called
 * before there are other threads. Both pointers are the caller's until output_close(). NULL with
 * the sentence, or the problem document, on standard error. */
struct output *output_open(const struct arguments *arguments, const char *path, bool is_text);

/* False with the sentence on standard error, and always from then on. */
bool output_add(struct output *output, const void *bytes, size_t size);

/* Bytes so far; whether output_add() said false. */
size_t output_size(const struct output *output);
bool output_has_failed(const struct output *output);

/* Gives the file its name, if this is the whole, or takes it away. False with the sentence on
 * standard error if it is the whole and could not be written. Frees output; takes NULL. */
bool output_close(struct output *output, bool is_whole);
