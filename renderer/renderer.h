/* The renderer as the rest of posed sees it: assets in, poses, skinned vertices and pictures out.
 * The only renderer header outside of renderer/ (with those that it includes: the parts of the
 * interface, plain data, and the library of what skinning methods have made). */
#pragma once

#include "interface/asset_files.h"
#include "interface/assets.h"
#include "interface/clips.h"
#include "interface/comparisons.h"
#include "interface/compressed_clips.h"
#include "interface/context.h"
#include "interface/methods.h"
#include "interface/optimise.h"
#include "interface/optimise_files.h"
#include "interface/optimise_joints.h"
#include "interface/optimise_meshes.h"
#include "interface/optimise_quantise.h"
#include "interface/packed_clips.h"
#include "interface/pictures.h"
#include "interface/poses.h"
#include "interface/probe.h"
#include "interface/report.h"
#include "interface/sequences.h"
#include "interface/shader_texts.h"
#include "interface/vertices.h"
