/* The unit and the up axis of an asset as a request says them: in a line before the asset's bytes,
 * so that they go wherever it goes, and as a change of the rig that an importer has made. */
#pragma once

#include "base/asset_space.h"
#include "base/error.h"
#include "model/rig.h"

/* Reads the line before an asset. Returns its bytes with the line break; 0 where there is none.
 * SIZE_MAX with ERROR_BROKEN_ASSET for one that nobody has written with space_write(). */
size_t space_read(
	const unsigned char *bytes, size_t size, struct asset_space *out, struct error *err);

/* Writes the line. Returns its bytes; 0 for a space that says nothing. */
size_t space_write(const struct asset_space *space, char line[static ASSET_SPACE_BYTES]);

/* The turn that takes an axis ('x', 'y', 'z') to y: a unit quaternion. */
const double *space_turn(char up);

/* Turns and scales a rig, which nobody else has, as if its file had said what the space says.
 * Lengths, bind matrices and keys change, and the transforms of the joints without a parent. Fails
 * with ERROR_UNSUPPORTED_ASSET for formats whose own unit and axes are fixed: glTF. */
bool space_apply(const struct asset_space *space, struct rig *rig, struct error *err);
