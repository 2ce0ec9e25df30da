// posed, the pose daemon: reads its arguments, starts its parts in order, serves, stops them.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "access/auth.h"
#include "api/api.h"
#include "api/check_tasks.h"
#include "api/streams.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "commands.h"
#include "config/address.h"
#include "config/config.h"
#include "config/notify.h"
#include "config/reload.h"
#include "http/http.h"
#include "http/listen.h"
#include "http/request_metrics.h"
#include "metrics/metrics.h"
#include "sandbox/importer.h"
#include "store/store.h"
#include "store/store_derived.h"
#include "version.h"
#include "work/fits.h"
#include "work/thread_pool.h"

enum { EXIT_NOT_STARTED = 1 };

/* The parts in the order of their start. */
struct parts {
	int signals; // signalfd of SIGTERM, SIGINT and SIGHUP; -1 = none
	struct listener listener;
	struct arena *arena; // lives as long as the parts
	struct service service;
	char address[LISTEN_ADDRESS_BYTES]; // of the listening socket
	struct http *http;
	struct reload reload;
};

/* Before any thread starts, so that all of them leave the signals to the descriptor. */
static bool block_signals(struct parts *parts, struct error *err) {
	// Disconnected clients and full disks are errors of a request, not of the process.
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
	const struct importer_options options = {
		.sandbox = config->sandbox,
		.seconds = config->import_seconds,
		.memory_bytes = (uint64_t)config->import_memory_mib << 20,
	};
	service->importer = importer_create(&options, err);
	return service->importer;
}

static bool open_store(struct service *service, const struct config *config, struct error *err) {
	const struct store_options options = {
		.importer = service->importer,
		.memory_bytes = (size_t)config->rig_memory_mib << 20,
		.read_only = config->read_only,
	};
	service->store = store_open(config->data, &options, err);
	if (service->store) {
		const struct skin_shelf shelf = store_shelf(service->store);
		service->library = skin_library_create(&shelf, 0);
	}
	return service->store;
}

/* Reserve for running requests when memory runs out: a separate mapping, freed then. */
#define RESERVE_BYTES (8 << 20)

/* Threads that wait for the disk: one for syncing, and one for reading meanwhile. */
#define DISK_THREADS 2

/* Threads for jobs of seconds and minutes: half as many as for quick ones, but more than one, so
 * that short jobs need not wait for long ones. Their priority is lower. */
#define MIN_FIT_THREADS 2
#define FIT_NICENESS 10

/* Niceness of the threads relative to the loop. */
#define NICENESS 5

static int fit_threads(const struct config *config) {
	const int half = config->cpu_threads / 2;
	return half > MIN_FIT_THREADS ? half : MIN_FIT_THREADS;
}

/* Maximum number of concurrent imports of one client. */
static int import_share(const struct config *config) {
	return config->import_threads > 4 ? config->import_threads * 3 / 4
					  : config->import_threads - 1;
}

static bool start_pools(struct service *service, const struct config *config, struct error *err) {
	const struct {
		enum executor executor;
		struct thread_pool_options options;
	} pools[] = {
		{EXECUTOR_RENDER,
			{.name = "render",
				.threads = config->render_threads,
				.draws = true,
				.renderer = config->renderer}},
		{EXECUTOR_CPU, {.name = "cpu", .threads = config->cpu_threads}},
		{EXECUTOR_DISK, {.name = "disk", .threads = DISK_THREADS}},
		{EXECUTOR_IMPORT,
			{.name = "import",
				.threads = config->import_threads,
				.share = import_share(config)}},
		{EXECUTOR_FIT,
			{.name = "fit", .threads = fit_threads(config), .niceness = FIT_NICENESS}},
	};
	for (size_t i = 0; i < sizeof pools / sizeof *pools; i++) {
		struct thread_pool_options options = pools[i].options;
		options.niceness += NICENESS;
		// Fits may take long, and imports have limits of their own.
		const bool is_long =
			pools[i].executor == EXECUTOR_FIT || pools[i].executor == EXECUTOR_IMPORT;
		options.hang_s = is_long ? 0 : config->hang_s;
		options.release_s = config->release_s;
		options.library = service->library;
		if (!(service->pools[pools[i].executor] = thread_pool_create(&options, err))) {
			return false;
		}
	}
	const struct fits_options fits = {
		.pool = service->pools[EXECUTOR_FIT], .library = service->library};
	service->fits = fits_create(&fits);
	service->checks = check_tasks_create(service->pools, service->cache);
	return true;
}

static bool open_cache_disk(
	struct service *service, const struct config *config, struct error *err) {
	const struct cache_disk_options options = {
		.path = config->cache, .budget_bytes = (uint64_t)config->cache_disk_mib << 20};
	service->cache_disk = cache_disk_open(&options, err);
	return service->cache_disk;
}

static bool start_service(struct parts *parts, const struct config *config, struct error *err) {
	struct service *service = &parts->service;
	const struct cache_options cache = {(size_t)config->cache_memory_mib << 20};
	service->cache = cache_create(&cache);
	if (!hash_program(service->build, err)) {
		return false;
	}
	if (config->cache && !open_cache_disk(service, config, err)) {
		return false;
	}
	service->metrics = request_metrics_create(&api_routes, parts->arena, service->build);
	service->uses = config->uses;
	service->clip_tolerance_m = config->clip_tolerance_m;
	service->streams = streams_create();
	return start_importer(service, config, err) && open_store(service, config, err) &&
		(!config->load || store_preload(service->store, config->load, err)) &&
		start_pools(service, config, err);
}

/* Sets up access control before anything else starts. */
static bool start_auth(struct parts *parts, const struct config *config, struct error *err) {
	const bool local = listen_is_local(parts->listener.file);
	struct auth *auth = parts->service.auth = auth_create(local || config->public);
	if (!config_check_exposure(config, local, err) || !auth_check(auth, &config->access, err)) {
		return false;
	}
	auth_apply(auth, &config->access);
	return true;
}

static void on_signal(void *context, int signal) {
	const struct parts *parts = context;
	if (signal == SIGHUP) {
		reload_run(&parts->reload);
	} else {
		notify("STOPPING=1");
		fits_stop(parts->service.fits);
		check_tasks_stop(parts->service.checks);
	}
}

static struct origin_rules origin_rules(const struct parts *parts, const struct config *config) {
	return (struct origin_rules){
		.hosts = config->hosts,
		.trusted = config->trusted_origins,
		.cors_origin = config->cors_origin,
		.listen = config->listen,
		.any_host = address_is_path(parts->address),
	};
}

static bool start_http(struct parts *parts, const struct config *config, struct error *err) {
	if (!listen_address(parts->listener.file, parts->address, err)) {
		return false;
	}
	const struct http_options options = {
		.service = &parts->service,
		.routes = &api_routes,
		.origins = origin_rules(parts, config),
		.deadline_s = config->deadline_s,
		.idle_s = config->idle_s,
		.queue_length = (size_t)config->queue_length,
		.queue_wait_s = config->queue_wait_ms / 1000.0,
		.threads = {[EXECUTOR_RENDER] = config->render_threads,
			[EXECUTOR_CPU] = config->cpu_threads,
			[EXECUTOR_DISK] = DISK_THREADS,
			[EXECUTOR_IMPORT] = config->import_threads,
			[EXECUTOR_FIT] = fit_threads(config)},
		.listening = parts->listener.file,
		.access_log = config->access_log,
		.signals = parts->signals,
		.on_signal = on_signal,
		.context = parts,
	};
	parts->listener.file = -1;
	parts->http = http_create(&options, err);
	if (parts->http) {
		printf("posed: listening on %s\n", parts->address);
		fflush(stdout);
		notify("READY=1");
	}
	return parts->http != NULL;
}

static bool start(struct parts *parts, const struct config *config, struct error *err) {
	// Two llvmpipe contexts on our threads render twice as fast as one with its own threads,
	// and two with their own threads are slower still. Mesa reads this when it loads.
	setenv("LP_NUM_THREADS", "0", 0);
	memory_keep_freed();
	memory_keep_reserve(RESERVE_BYTES);
	return block_signals(parts, err) &&
		listener_open(&parts->listener, config->listen, config->socket_mode, err) &&
		start_auth(parts, config, err) && start_service(parts, config, err) &&
		start_http(parts, config, err);
}

/* Exits while a thread hangs, whose resources cannot be freed. */
static _Noreturn void leave_at_once(int status) {
	log_line(LOG_ERROR, "exiting although a thread hangs");
	log_end();
	_exit(status);
}

/* Exits with the status if a thread hangs. */
static void stop(struct parts *parts, int status) {
	http_destroy(parts->http);
	for (int i = 0; i < EXECUTOR_COUNT; i++) {
		if (!thread_pool_destroy(parts->service.pools[i])) {
			leave_at_once(status);
		}
	}
	fits_destroy(parts->service.fits);
	check_tasks_destroy(parts->service.checks);
	streams_destroy(parts->service.streams);
	skin_library_destroy(parts->service.library);
	cache_disk_close(parts->service.cache_disk);
	auth_destroy(parts->service.auth);
	cache_destroy(parts->service.cache);
	metrics_destroy(parts->service.metrics);
	arena_destroy(parts->arena);
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
	const struct origin_rules origins = origin_rules(parts, config);
	http_configure(parts->http, &origins, config->access_log);
}

static bool check_auth(void *context, const struct config *fresh, struct error *err) {
	const struct parts *parts = context;
	return auth_check(parts->service.auth, &fresh->access, err);
}

static void reload_auth(void *context, const struct config *config) {
	const struct parts *parts = context;
	auth_apply(parts->service.auth, &config->access);
}

static int run(int argument_count, char **arguments, struct config *config) {
	struct parts parts = {.signals = -1, .listener = LISTENER_NONE, .arena = arena_create()};
	const struct reload_hook hooks[] = {
		{.apply = reload_log},
		{.apply = reload_http, .context = &parts},
		{.check = check_auth, .apply = reload_auth, .context = &parts},
	};
	parts.reload = (struct reload){
		config, argument_count, arguments, hooks, sizeof hooks / sizeof *hooks};
	struct error err = {0};
	log_configure(config->log_level, config->log_format);
	log_never_wait();
	const bool started = start(&parts, config, &err);
	if (started) {
		const struct renderer_info *info =
			thread_pool_renderer(parts.service.pools[EXECUTOR_RENDER]);
		log_line(LOG_INFO, "posed %s, data in %s%s, device %s: %s, %s", POSED_VERSION,
			config->data, config->read_only ? " (read-only)" : "", info->device,
			*info->renderer ? info->renderer : "no driver",
			*info->version ? info->version : "CPU only");
		if (!http_serve(parts.http)) {
			leave_at_once(EXIT_SUCCESS);
		}
	} else {
		fprintf(stderr, "posed: %s\n", err.text);
	}
	// A wrong address is a wrong argument, even if it is found only on use.
	const int failure =
		err.code == ERROR_INVALID_VALUE ? EXIT_WRONG_ARGUMENTS : EXIT_NOT_STARTED;
	const int status = started ? EXIT_SUCCESS : failure;
	stop(&parts, status);
	log_end();
	return status;
}

static void print_help(void) {
	printf("posed holds glTF rigs and clips and answers HTTP with poses, skinned vertices and "
	       "pictures.\n\nusage: posed [COMMAND] [OPTION VALUE]...\n");
	commands_print();
	printf("\n");
	config_print_options();
	printf("\ncalls:\n");
	for (size_t i = 0; i < api_routes.count; i++) {
		const struct route *route = &api_routes.rows[i];
		printf("  %-6s %-28s %s\n", http_method_name(route->method), route->path,
			route->purpose);
	}
}

int main(int argument_count, char **arguments) {
	// OpenBLAS, as a provider of LAPACK, would start a thread per core when it is loaded; our
	// pools use the cores already.
	setenv("OPENBLAS_NUM_THREADS", "1", 0);
	if (import_helper_is_wanted(argument_count, arguments)) {
		return import_helper_main();
	}
	const command_main command = argument_count > 1 ? command_find(arguments[1]) : NULL;
	if (command) {
		return command(argument_count - 1, arguments + 1);
	}
	if (config_take_flag(&argument_count, arguments, "--help")) {
		print_help();
		return EXIT_SUCCESS;
	}
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed", &config, &status)) {
		return status;
	}
	status = run(argument_count, arguments, &config);
	config_finish(&config);
	return status;
}
