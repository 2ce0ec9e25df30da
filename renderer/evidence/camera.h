/* The place that a finding is seen best from. */
#pragma once

#include "evidence/scene.h"

/* The vertical field of view that distances are for, in degrees: the one of pictures that name
 * none. */
#define EVIDENCE_FOV_DEG 30

/* Aims at the middle of the finding's vertices, so far away that three times their box fills the
 * height, but never less than a quarter of the figure, and from that of eight sides which shows
 * most of them. The same bits on every machine. */
struct check_camera evidence_camera(const struct evidence_scene *scene);
