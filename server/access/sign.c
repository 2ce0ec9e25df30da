// posed sign: links for scripts and for whoever tries them.
#include "access/sign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/signature.h"
#include "config/config.h"

enum { EXIT_SIGNED = 0 };

/* What may stand in a URL's path (RFC 3986): all else would be sent otherwise than it was signed.
 */
static bool check_path(const char *path, struct error *err) {
	static const char marks[] = "-._~!$&'()*+,;=:@%/";
	for (const char *c = path; *c; c++) {
		const bool plain =
			(*c >= '0' && *c <= '9') || ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z');
		if (!plain && !strchr(marks, *c)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"the byte 0x%02x cannot stand in a path: percent-encode it",
				(unsigned char)*c);
		}
	}
	return (path[0] == '/' && path[1]) ||
		error_set(err, ERROR_INVALID_VALUE,
			"the path must begin with \"/\", as in /w:256/fox.png");
}

static bool print_signed(const char *path, const struct config *config, struct error *err) {
	if (!config->sign_keys) {
		return error_set(err, ERROR_INVALID_VALUE, "there are no keys: --sign-keys FILE");
	}
	struct sign_keys *keys = sign_keys_read(config->sign_keys, err);
	if (keys) {
		char signature[SIGNATURE_TEXT_BYTES];
		signature_write(&keys->list[0], path, (size_t)config->sign_bytes, signature);
		printf("/i/%s%s\n", signature, path);
	}
	sign_keys_destroy(keys);
	return keys;
}

int sign_main(int argument_count, char **arguments) {
	const char *path = argument_count > 1 ? arguments[1] : "";
	struct error err = {0};
	struct config config;
	// For the rest, the path's place is that of the program's name.
	const enum config_result result = check_path(path, &err)
		? config_read(argument_count - 1, arguments + 1, &config, &err)
		: CONFIG_WRONG;
	bool fine = result != CONFIG_WRONG;
	if (result == CONFIG_RUN) {
		fine = print_signed(path, &config, &err);
		config_finish(&config);
	}
	if (!fine) {
		fprintf(stderr, "posed sign: %s\n", err.text);
	}
	return fine ? EXIT_SIGNED : EXIT_WRONG_ARGUMENTS;
}
