/* Images for exporters. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "model/material.h"

/* Appends an image of only pixels as PNG, for exporters. */
bool mesh_encode_image(const struct image *image, struct buffer *png, struct error *err);
