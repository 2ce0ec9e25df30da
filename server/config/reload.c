// Reading the configuration anew while the daemon runs.
#include "config/reload.h"

#include "base/log.h"
#include "config/notify.h"

static bool check(const struct reload *reload, const struct config *fresh, struct error *err) {
	for (size_t i = 0; i < reload->hook_count; i++) {
		const struct reload_hook *hook = &reload->hooks[i];
		if (hook->check && !hook->check(hook->context, fresh, err)) {
			return false;
		}
	}
	return true;
}

static void apply(const struct reload *reload) {
	for (size_t i = 0; i < reload->hook_count; i++) {
		reload->hooks[i].apply(reload->hooks[i].context, reload->config);
	}
}

static bool run(const struct reload *reload, struct error *err) {
	struct config fresh;
	if (config_read(reload->argument_count, reload->arguments, &fresh, err) != CONFIG_RUN) {
		return false;
	}
	const bool fine = check(reload, &fresh, err);
	if (fine) {
		config_adopt(reload->config, &fresh);
		apply(reload);
	}
	// Only now: what the hooks borrowed before may have been its texts.
	config_finish(&fresh);
	return fine;
}

void reload_run(const struct reload *reload) {
	struct error err = {0};
	notify_reloading();
	if (run(reload, &err)) {
		log_line(LOG_INFO, "reload: done");
	} else {
		log_line(LOG_ERROR, "reload: nothing is changed: %s", err.text);
	}
	notify("READY=1");
}
