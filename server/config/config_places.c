// Whether what a configuration names is there, or can be made.
#include "config/config_internal.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/auth.h"
#include "base/memory.h"
#include "config/address.h"

static bool check_directory(const char *name, const char *path, int rights, struct error *err) {
	struct stat status;
	if (stat(path, &status) != 0 || (S_ISDIR(status.st_mode) && access(path, rights) != 0)) {
		return error_set(
			err, ERROR_INVALID_VALUE, "%s: %s: %s", name, path, strerror(errno));
	}
	return S_ISDIR(status.st_mode) ||
		error_set(err, ERROR_INVALID_VALUE, "%s: %s is no directory", name, path);
}

/* A directory that is there, or whose nearest parent that is there lets it be made. */
static bool check_data(const char *path, struct error *err) {
	char *nearest = xstrndup(path, strlen(path));
	struct stat status;
	while (stat(nearest, &status) != 0 && errno == ENOENT && strchr(nearest, '/')) {
		// dirname() works in its argument, and ends with "/" or ".".
		const char *parent = dirname(nearest);
		memmove(nearest, parent, strlen(parent) + 1);
	}
	const bool relative = stat(nearest, &status) != 0 && errno == ENOENT;
	const bool fine =
		check_directory("--data", relative ? "." : nearest, R_OK | W_OK | X_OK, err);
	free(nearest);
	return fine;
}

/* Reads them as a start would. */
static bool check_access_files(const struct config *config, struct error *err) {
	struct auth *auth = auth_create(false);
	const bool fine = auth_check(auth, &config->access, err);
	auth_destroy(auth);
	return fine;
}

bool config_check_places(const struct config *config, struct error *err) {
	return address_check(config->listen, err) &&
		config_check_exposure(config, address_is_local(config->listen), err) &&
		check_access_files(config, err) &&
		(config->read_only ? check_directory("--data", config->data, R_OK | X_OK, err)
				   : check_data(config->data, err)) &&
		(!config->load || check_directory("--load", config->load, R_OK | X_OK, err));
}
