/* FBX 7, binary and ASCII -> a rig, in metres with y up. */
#pragma once

#include "model/rig.h"

struct asset_facts;

/* True for a file of such a version. */
bool fbx_probe(const unsigned char *bytes, size_t size);

/* As import_rig() does, in a format's row: *facts where it is not NULL. */
struct rig *fbx_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);
