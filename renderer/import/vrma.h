/* VRM animations (VRMA): motion for any VRM avatar. Source: VRMC_vrm_animation 1.0,
 * github.com/vrm-c/vrm-specification. */
#pragma once

#include "import/gltf_document.h"

/* If the document is a VRM animation, fills rig->avatar with the bones, expressions and gaze
 * that its nodes stand for, and takes what VRM forbids out of the clips, with a warning:
 * translations of bones other than the hips, and scales of bones. A step of gltf_import_source(),
 * behind the animations. Members that make no sense cost themselves, with a warning; hips that rest
 * on the ground or below cost their translations, for no height tells then how far to move an
 * avatar's. False with ERROR_TOO_LARGE. */
bool gltf_read_vrma(struct gltf *gltf, struct error *err);
