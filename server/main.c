// posed, the pose daemon: reads its arguments, starts its parts in order, serves, stops them.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/log.h"
#include "commands.h"
#include "config.h"
#include "http.h"
#include "import_helper.h"
#include "importer.h"
#include "jobs.h"
#include "listen.h"
#include "load.h"
#include "notify.h"
#include "reload.h"
#include "store.h"
#include "version.h"

enum { EXIT_NOT_STARTED = 1, EXIT_WRONG_ARGUMENTS = 2 };

/* The parts, in the order in which they start. */
struct parts {
	int signals; // signalfd of SIGTERM, SIGINT and SIGHUP; -1 = none
	struct listener listener;
	struct service service;
	struct http *http;
	struct reload reload;
};

/* Before any thread is made, so that all of them leave the signals to the descriptor. */
static bool block_signals(struct parts *parts, struct error *err) {
	// Clients that left and full disks are errors of a call, not of the process.
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigset_t ours;
	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ours, NULL);
	parts->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	return parts->signals >= 0 ||
		error_set(err, ERROR_INTERNAL, "signalfd: %s", strerror(errno));
}

static bool start_importer(
	struct service *service, const struct config *config, struct error *err) {
	if (config->sandbox == SANDBOX_OFF) {
		log_line(LOG_WARNING,
			"--sandbox off: assets are read in this process, and a fault "
			"in a decoder ends it");
		return true;
	}
	const struct importer_options options = {config->sandbox, config->import_seconds};
	service->importer = importer_create(&options, err);
	return service->importer;
}

static bool start_service(struct service *service, const struct config *config, struct error *err) {
	const struct jobs_options options = {
		.threads = config->render_threads,
		.queue_length = (size_t)config->queue_length,
		.renderer = config->renderer,
	};
	return hash_file("/proc/self/exe", service->build, err) &&
		start_importer(service, config, err) &&
		(service->store = store_open(config->data, service->importer, err)) &&
		(!config->load || load_directory(service->store, config->load, err)) &&
		(service->jobs = jobs_create(&options, err));
}

static void on_signal(void *context, int signal) {
	const struct parts *parts = context;
	if (signal == SIGHUP) {
		reload_run(&parts->reload);
	} else {
		notify("STOPPING=1");
	}
}

static bool start_http(struct parts *parts, const struct config *config, struct error *err) {
	const struct http_options options = {
		.service = &parts->service,
		.cors_origin = config->cors_origin,
		.listening = parts->listener.file,
		.access_log = config->access_log,
		.signals = parts->signals,
		.on_signal = on_signal,
		.context = parts,
	};
	char address[LISTEN_ADDRESS_BYTES];
	if (!listen_address(parts->listener.file, address, err)) {
		return false;
	}
	parts->listener.file = -1;
	parts->http = http_create(&options, err);
	if (parts->http) {
		printf("posed: listening on %s\n", address);
		fflush(stdout);
		notify("READY=1");
	}
	return parts->http != NULL;
}

static bool start(struct parts *parts, const struct config *config, struct error *err) {
	// Two llvmpipe contexts on threads of ours draw twice as fast as one with its own threads,
	// and each with its own threads would be slower still. Mesa reads this when it loads.
	setenv("LP_NUM_THREADS", "0", 0);
	return block_signals(parts, err) &&
		listener_open(&parts->listener, config->listen, config->socket_mode, err) &&
		start_service(&parts->service, config, err) && start_http(parts, config, err);
}

static void stop(struct parts *parts) {
	http_destroy(parts->http);
	jobs_destroy(parts->service.jobs);
	store_close(parts->service.store);
	importer_destroy(parts->service.importer);
	listener_finish(&parts->listener);
	if (parts->signals >= 0) {
		close(parts->signals);
	}
}

static void reload_log(void *context, const struct config *config) {
	(void)context;
	log_configure(config->log_level, config->log_format);
}

static void reload_http(void *context, const struct config *config) {
	const struct parts *parts = context;
	http_configure(parts->http, config->cors_origin, config->access_log);
}

/* Runs the daemon from its start to its end. */
static int run(int argument_count, char **arguments, struct config *config) {
	struct parts parts = {.signals = -1, .listener = LISTENER_NONE};
	const struct reload_hook hooks[] = {
		{.apply = reload_log},
		{.apply = reload_http, .context = &parts},
	};
	parts.reload = (struct reload){
		config, argument_count, arguments, hooks, sizeof hooks / sizeof *hooks};
	struct error err = {0};
	log_configure(config->log_level, config->log_format);
	const bool started = start(&parts, config, &err);
	if (started) {
		log_line(LOG_INFO, "posed %s, data in %s", POSED_VERSION, config->data);
		http_serve(parts.http);
	} else {
		fprintf(stderr, "posed: %s\n", err.text);
	}
	stop(&parts);
	log_flush();
	// A wrong address is a wrong argument, though it shows only when it is used.
	const int failure =
		err.code == ERROR_INVALID_VALUE ? EXIT_WRONG_ARGUMENTS : EXIT_NOT_STARTED;
	return started ? EXIT_SUCCESS : failure;
}

int main(int argument_count, char **arguments) {
	if (import_helper_is_wanted(argument_count, arguments)) {
		return import_helper_main();
	}
	const struct command *command = argument_count > 1 ? command_find(arguments[1]) : NULL;
	if (command) {
		return command->run(argument_count - 1, arguments + 1);
	}
	struct config config;
	struct error err = {0};
	const enum config_result result = config_read(argument_count, arguments, &config, &err);
	if (result != CONFIG_RUN) {
		if (result == CONFIG_WRONG) {
			fprintf(stderr, "posed: %s\n", err.text);
		}
		return result == CONFIG_DONE ? EXIT_SUCCESS : EXIT_WRONG_ARGUMENTS;
	}
	const int status = run(argument_count, arguments, &config);
	config_finish(&config);
	return status;
}
