/* Real files beside the repository, for tests that skip where they are not. */
#pragma once

#include "base/buffer.h"
#include "model/rig.h"

/* The folder: POSED_SHARED_FILES, or ../shared/files. */
const char *shared_files(void);

/* Imports one of them. Skips the test, loudly, where the folder is not there; fails it where the
 * file is not sound. */
struct rig *shared_rig(const char *path);

/* The bytes of a file of the repository; fails the test where it is not there. */
struct buffer own_file(const char *path);

/* Imports a file of the repository; fails the test where that cannot be. */
struct rig *own_rig(const char *path);
