/* What the command line says. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "importer.h"
#include "renderer.h"

struct config {
	const char *listen;      // "ADDR:PORT"; borrowed from the arguments, like all texts here
	const char *data;        // the store's directory
	const char *load;        // a directory of assets to put at the start; NULL = none
	const char *cors_origin; // who may read answers from a page; "*" = everyone
	enum renderer_choice renderer;
	enum sandbox sandbox;    // for processes that read assets
	double import_seconds;   // that reading an asset may take; (0, 3600]
	int render_threads;      // [1, 64]
	int rig_memory_mib;      // of rigs kept in memory; [1, 1048576]
	int queue_length;        // requests that may wait for a render thread; [1, 100000]
	char default_data[4096]; // memory behind `data` when it was not given
};

enum config_result {
	CONFIG_RUN,  // go on
	CONFIG_DONE, // --help or --version was printed
	CONFIG_WRONG // *err says what is wrong with the arguments
};

/* Fills *config with the defaults and what the arguments say. */
enum config_result config_read(
	int argument_count, char **arguments, struct config *config, struct error *err);
