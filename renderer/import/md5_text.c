// The words and numbers of Doom 3's text files.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "import/md5.h"

bool md5_refuse(struct md5_reader *reader, const char *why) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(reader->token, quoted, sizeof quoted);
	return error_set(reader->err, ERROR_BROKEN_ASSET, "MD5: at %s: %s", quoted, why);
}

static bool is_space(char c) {
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static void skip_space(struct md5_reader *reader) {
	while (reader->at < reader->end) {
		const bool comment =
			reader->end - reader->at > 1 && memcmp(reader->at, "//", 2) == 0;
		if (comment) {
			while (reader->at < reader->end && *reader->at != '\n') {
				reader->at++;
			}
		} else if (is_space(*reader->at)) {
			reader->at++;
		} else {
			return;
		}
	}
}

bool md5_next(struct md5_reader *reader) {
	skip_space(reader);
	size_t used = 0;
	reader->token[0] = '\0';
	if (reader->at == reader->end) {
		return false;
	}
	const bool quoted = *reader->at == '"', bracket = strchr("(){}", *reader->at);
	reader->at += quoted;
	while (reader->at < reader->end) {
		const char c = *reader->at;
		if (quoted ? c == '"' || c == '\n'
			   : is_space(c) || (used > 0 && strchr("(){}", c))) {
			break;
		}
		reader->at++;
		reader->token[used] = c;
		used += used < MD5_TOKEN_BYTES - 1;
		if (bracket) {
			break;
		}
	}
	reader->token[used] = '\0';
	if (quoted && (reader->at == reader->end || *reader->at != '"')) {
		reader->at = reader->end; // nobody can say what is text behind it
		return false;
	}
	reader->at += quoted;
	return true;
}

bool md5_expect(struct md5_reader *reader, const char *word) {
	return (md5_next(reader) && strcmp(reader->token, word) == 0) ||
		error_set(reader->err, ERROR_BROKEN_ASSET, "MD5: \"%s\" expected", word);
}

bool md5_read_number(struct md5_reader *reader, double *out) {
	char *end;
	md5_next(reader);
	*out = strtod(reader->token, &end);
	return (end != reader->token && *end == '\0' && isfinite(*out) && fabs(*out) < 1e30) ||
		md5_refuse(reader, "a number expected");
}

bool md5_read_count(struct md5_reader *reader, double least, double most, double *out) {
	return md5_read_number(reader, out) &&
		((*out >= least && *out <= most && *out == floor(*out)) ||
			md5_refuse(
				reader, "is no such number, or more than the file has room for"));
}

bool md5_read_vector(struct md5_reader *reader, double out[static 3]) {
	return md5_expect(reader, "(") && md5_read_number(reader, &out[0]) &&
		md5_read_number(reader, &out[1]) && md5_read_number(reader, &out[2]) &&
		md5_expect(reader, ")");
}

void md5_complete_rotation(double q[static 4]) {
	const double rest = 1 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
	q[3] = rest > 0 ? -sqrt(rest) : 0;
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++) {
		q[i] /= length;
	}
}

bool md5_read_head(struct md5_reader *reader) {
	double version;
	if (!md5_expect(reader, "MD5Version") || !md5_read_number(reader, &version)) {
		return false;
	}
	if (version != 10) {
		return md5_refuse(reader, "only version 10 is read");
	}
	// The command line is whatever made the file.
	return md5_expect(reader, "commandline") &&
		(md5_next(reader) || md5_refuse(reader, "the file ends"));
}
