/* Data of skinning methods as bytes, for the machine that made them. */
#pragma once

#include "base/buffer.h"
#include "model/skin_data.h"

/* Appends the data. It must not bring a rig of its own. */
void skin_data_pack(const struct skin_data *data, struct buffer *out);

/* What skin_data_pack wrote, with one reference; NULL where the bytes are anything else. */
struct skin_data *skin_data_unpack(const void *bytes, size_t size);
