/* A renderer with a context for the tests of this folder. */
#pragma once

#include "renderer.h"

/* Exit status of a test that finds no EGL. */
#define EXIT_NO_DEVICE 77

/* The renderer of this test, made when first asked for: posed's own rasteriser where
 * POSED_TEST_RENDERER is "cpu", else with a driver; ends the process with EXIT_NO_DEVICE where
 * there is no driver at all. */
struct renderer *gpu_test_renderer(void);

/* Frees it. */
void gpu_test_finish(void);
