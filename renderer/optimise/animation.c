// Animations with few keys.
#include "optimise/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/keys_value.h"
#include "compress/layout.h"
#include "optimise/fresh.h"

#define PATHS 4
#define RATE_DOUBLINGS 3
#define TIME_ACCESSOR_BYTES 105 // of JSON, about

static const int kinds[PATHS] = {SOURCE_TRANSLATION, SOURCE_ROTATION, SOURCE_SCALE, KEYS_WEIGHTS};
static const enum channel_path paths[PATHS] = {
	CHANNEL_TRANSLATION, CHANNEL_ROTATION, CHANNEL_SCALE, CHANNEL_WEIGHTS};

/* Joints by node. */
struct nodes {
	int count;
	int *joints; // [count] -1 = the rig does not have it
};

static struct nodes list_nodes(const struct rig *rig, struct arena *arena) {
	struct nodes nodes = {0};
	for (int i = 0; i < rig->joint_count; i++) {
		nodes.count = rig->joints[i].index >= nodes.count ? rig->joints[i].index + 1
								  : nodes.count;
	}
	nodes.joints = arena_alloc(arena, (size_t)nodes.count + 1, sizeof(int));
	for (int i = 0; i < nodes.count; i++) {
		nodes.joints[i] = -1;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		nodes.joints[rig->joints[i].index] = i;
	}
	return nodes;
}

static int joint_of(const struct nodes *nodes, const struct channel_part *channel) {
	return channel->node >= 0 && channel->node < nodes->count ? nodes->joints[channel->node]
								  : -1;
}

void animation_choose(struct parts *parts, const struct optimise_job *job, struct arena *arena) {
	const struct rig *rig = job->rig;
	const struct nodes nodes = list_nodes(rig, arena);
	int *driven = arena_alloc(arena, (size_t)rig->joint_count * PATHS + 1, sizeof *driven);
	for (int i = 0; i < parts->animation_count; i++) {
		const struct clip *clip = &rig->clips[i];
		struct animation_part *animation = &parts->animations[i];
		animation->is_left |= job->left[i];
		for (int k = 0; k < clip->channel_count; k++) {
			driven[clip->channels[k].joint * PATHS + (int)clip->channels[k].path] =
				i + 1;
		}
		for (int k = 0; k < animation->channel_count; k++) {
			struct channel_part *channel = &animation->channels[k];
			const int joint = joint_of(&nodes, channel);
			channel->is_replaced = channel->is_replaced && !animation->is_left &&
				joint >= 0 &&
				driven[joint * PATHS + (int)paths[channel->path]] == i + 1;
		}
	}
}

/* Reduces a clip: at its own keys, unless a rate is given, or where what is between them needs
 * more. */
static bool reduce(const struct optimise_job *job, const struct clip *clip, struct arena *arena,
	struct keys *keys, struct error *err) {
	const struct rig *rig = job->rig;
	struct source *source = arena_alloc(arena, 1, sizeof *source);
	struct error_shell *shell = arena_alloc(arena, 1, sizeof *shell);
	double *reaches = arena_alloc(arena, (size_t)rig->weight_count + 1, sizeof *reaches);
	const double tolerance = job->tolerance_m * (job->share > 0 ? job->share : 1);
	double rate = job->rate > 0 ? job->rate : source_rate(clip);
	struct error why = {0};
	*shell = error_shell_make(
		rig, job->shell_m > 0 ? job->shell_m : error_shell_default_radius(rig), arena);
	layout_find_reaches(rig, reaches);
	for (int i = job->rate > 0; i <= RATE_DOUBLINGS; i++, rate *= i > 1 ? 2 : 1) {
		why = (struct error){0};
		const struct source_job sampled = {rig, clip, job->stop};
		if (!(i == 0 ? source_make_at_keys(&sampled, arena, source, err)
			     : source_make(&sampled, rate, arena, source, err))) {
			return false;
		}
		if ((job->meshopt ? keys_make_filtered : keys_make)(
			    source, shell, reaches, tolerance, arena, keys, &why)) {
			keys_share_times(keys, TIME_ACCESSOR_BYTES);
			keys_settle(keys);
			return keys_repair(keys) ||
				(stop_check(job->stop, err) &&
					error_set(err, ERROR_INVALID_VALUE,
						"the clip '%s' cannot be kept within %g m",
						clip->name, tolerance));
		}
	}
	return error_pass(err, &why);
}

/* One animation on its way out. */
struct job {
	const struct animation_part *animation;
	struct fresh *fresh;
	struct keys *keys;
	int clip, channel_count, sampler_count;
	struct sampler_out {
		int input, output;
		bool hold;
	} * samplers; // [sampler_count] new ones
	int *kept;    // [animation->sampler_count] positions of those that stay; -1 = goes
	int kept_count;
	struct json_writer channels;
};

/* Writes the value of a track at a sample as its stream has it. */
static void put_value(
	const struct job *job, const struct key_track *track, int sample, unsigned char *out) {
	double value[KEYS_WIDTH_MAX];
	if (job->fresh->meshopt) {
		keys_filtered_value(job->keys, track, sample, out);
		return;
	}
	keys_value(job->keys, track, sample, value);
	for (int i = 0; i < track->width; i++) {
		const int16_t whole = (int16_t)(keys_is_short(track) ? value[i] : 0);
		const float number = (float)value[i];
		if (keys_is_short(track)) {
			memcpy(out + (size_t)i * sizeof whole, &whole, sizeof whole);
		} else {
			memcpy(out + (size_t)i * sizeof number, &number, sizeof number);
		}
	}
}

/* The accessors of keys at these samples. */
static struct sampler_out add_sampler(
	struct job *job, const struct key_track *track, const int *samples, int count) {
	const struct source *source = job->keys->source;
	const size_t size =
		(size_t)track->width * (keys_is_short(track) ? sizeof(int16_t) : sizeof(float));
	float *times = xcalloc((size_t)count, sizeof *times);
	unsigned char *values = xcalloc((size_t)count, size);
	for (int i = 0; i < count; i++) {
		const int sample = samples[i];
		times[i] = (float)(sample + 1 == source->sample_count
				? source->duration_s
				: source_sample_s(source, sample));
		put_value(job, track, track->class == KEYS_CONSTANT ? track->constant : sample,
			values + (size_t)i * size);
	}
	const bool is_list = track->kind == KEYS_WEIGHTS;
	const struct fresh_accessor input = {
		.is_time = true, .width = 1, .count = count, .clip = job->clip};
	const struct fresh_accessor output = {.is_short = keys_is_short(track),
		.width = is_list ? 1 : track->width,
		.count = is_list ? count * track->width : count,
		.clip = job->clip};
	const struct sampler_out out = {.input = fresh_add(job->fresh, input, times),
		.output = fresh_add(job->fresh, output, values),
		.hold = track->hold && count > 1};
	free(times);
	free(values);
	return out;
}

static int find_sampler(struct job *job, struct sampler_out sampler) {
	for (int i = 0; i < job->sampler_count; i++) {
		const struct sampler_out *other = &job->samplers[i];
		if (other->input == sampler.input && other->output == sampler.output &&
			other->hold == sampler.hold) {
			return i;
		}
	}
	job->samplers[job->sampler_count] = sampler;
	return job->sampler_count++;
}

static void write_channel(struct job *job, const struct channel_part *channel, int sampler) {
	static const char *const names[PATHS] = {"translation", "rotation", "scale", "weights"};
	struct json_writer *json = &job->channels;
	json_write_begin_object(json);
	json_write_member_integer(json, "sampler", sampler);
	json_write_key(json, "target");
	json_write_begin_object(json);
	json_write_member_integer(json, "node", channel->node);
	json_write_member_string(json, "path", names[channel->path]);
	json_write_end_object(json);
	json_write_end_object(json);
	job->channel_count++;
}

/* A channel that stays, with its sampler's new position. */
static void copy_channel(struct job *job, const struct channel_part *channel) {
	char number[32];
	struct buffer *out = job->channels.out;
	const struct json_span text = channel->text, old = channel->sampler;
	const int length = snprintf(number, sizeof number, "%d", job->kept[channel->sampler_index]);
	buffer_append(out, ",", job->channels.separate);
	buffer_append(out, text.text, (size_t)(old.text - text.text));
	buffer_append(out, number, (size_t)length);
	const char *behind = old.text + old.size;
	buffer_append(out, behind, (size_t)(text.text + text.size - behind));
	job->channels.separate = true;
	job->channel_count++;
}

static void keep_samplers(struct job *job, struct arena *arena) {
	const struct animation_part *animation = job->animation;
	job->kept = arena_alloc(arena, (size_t)animation->sampler_count + 1, sizeof(int));
	for (int i = 0; i < animation->sampler_count; i++) {
		job->kept[i] = -1;
	}
	for (int i = 0; i < animation->channel_count; i++) {
		const struct channel_part *channel = &animation->channels[i];
		if (!channel->is_replaced && channel->sampler.text && animation->sampler_count &&
			job->kept[channel->sampler_index] < 0) {
			job->kept[channel->sampler_index] = job->kept_count++;
		}
	}
}

static const struct key_track *track_of(
	const struct job *job, const struct nodes *nodes, const struct channel_part *channel) {
	const int joint = joint_of(nodes, channel), kind = kinds[channel->path];
	return kind == KEYS_WEIGHTS ? &job->keys->tracks[job->keys->first_of_joint[joint]]
				    : &job->keys->tracks[SOURCE_KINDS * joint + kind];
}

/* Writes a track at rest or constant with a key at both ends: a clip is as long as its last key
 * says. */
static void write_still(
	struct job *job, const struct channel_part *channel, const struct key_track *track) {
	const int count = job->keys->source->sample_count;
	const int samples[2] = {0, count - 1};
	struct key_track still = *track;
	still.constant = track->class == KEYS_CONSTANT ? track->constant : 0;
	still.class = KEYS_CONSTANT;
	const struct sampler_out sampler = add_sampler(job, &still, samples, count > 1 ? 2 : 1);
	write_channel(job, channel, job->kept_count + find_sampler(job, sampler));
}

static void write_track(struct job *job, const struct channel_part *channel,
	const struct key_track *track, int *samples) {
	const int count = keys_list(job->keys, track, samples);
	if (count > 0) {
		samples[0] = track->class == KEYS_CONSTANT ? 0 : samples[0];
		const struct sampler_out sampler = add_sampler(job, track, samples, count);
		write_channel(job, channel, job->kept_count + find_sampler(job, sampler));
	}
}

static bool has_moving(const struct keys *keys) {
	for (int i = 0; i < keys->track_count; i++) {
		if (keys->tracks[i].class == KEYS_MOVING) {
			return true;
		}
	}
	return false;
}

/* From the last to the first, for of several channels that drive the same the last one counts.
 * What rests goes. */
static void write_channels(struct job *job, const struct nodes *nodes, struct arena *arena) {
	const struct animation_part *animation = job->animation;
	int *samples =
		arena_alloc(arena, (size_t)job->keys->source->sample_count + 1, sizeof *samples);
	bool *done = arena_alloc(arena, (size_t)job->keys->track_count + 1, sizeof *done);
	bool has_end = has_moving(job->keys);
	for (int i = animation->channel_count - 1; i >= 0; i--) {
		const struct channel_part *channel = &animation->channels[i];
		if (!channel->is_replaced) {
			copy_channel(job, channel);
			continue;
		}
		const struct key_track *track = track_of(job, nodes, channel);
		bool *was = &done[track - job->keys->tracks];
		if (!*was && has_end) {
			write_track(job, channel, track, samples);
		} else if (!*was) {
			write_still(job, channel, track);
			has_end = true;
		}
		*was = true;
	}
}

static void write_samplers(const struct job *job, struct json_writer *json) {
	const struct animation_part *animation = job->animation;
	for (int position = 0; position < job->kept_count; position++) {
		for (int i = 0; i < animation->sampler_count; i++) {
			if (job->kept[i] == position) {
				const struct json_span text = animation->sampler_texts[i];
				buffer_append(json->out, ",", json->separate);
				buffer_append(json->out, text.text, text.size);
				json->separate = true;
			}
		}
	}
	for (int i = 0; i < job->sampler_count; i++) {
		json_write_begin_object(json);
		json_write_member_integer(json, "input", job->samplers[i].input);
		if (job->samplers[i].hold) {
			json_write_member_string(json, "interpolation", "STEP");
		}
		json_write_member_integer(json, "output", job->samplers[i].output);
		json_write_end_object(json);
	}
}

/* The animation's own members, with other channels and samplers. */
static void write_members(const struct job *job, struct buffer *out) {
	struct json_items items = json_items_of(job->animation->text);
	struct json_span name, value;
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "channels");
	buffer_append(out, job->channels.out->data, job->channels.out->size);
	json.separate = true;
	json_write_key(&json, "samplers");
	json_write_begin_list(&json);
	write_samplers(job, &json);
	json_write_end_list(&json);
	while (json_items_next(&items, &name, &value)) {
		if (!json_span_is(name, "channels") && !json_span_is(name, "samplers")) {
			buffer_append(out, ",\"", 2);
			buffer_append(out, name.text, name.size);
			buffer_append(out, "\":", 2);
			buffer_append(out, value.text, value.size);
		}
	}
	buffer_append(out, "}", 1);
}

static bool is_untouched(const struct animation_part *animation) {
	for (int i = 0; i < animation->channel_count && !animation->is_left; i++) {
		if (animation->channels[i].is_replaced) {
			return false;
		}
	}
	return true;
}

static bool write_reduced(const struct optimise_job *optimise, struct job *job, struct arena *arena,
	struct optimise_clip *report, struct buffer *out, struct error *err) {
	struct buffer channels = {0};
	struct keys keys;
	const struct nodes nodes = list_nodes(optimise->rig, arena);
	if (!reduce(optimise, &optimise->rig->clips[job->clip], arena, &keys, err)) {
		return false;
	}
	job->keys = &keys;
	job->channels = (struct json_writer){.out = &channels};
	job->samplers = arena_alloc(
		arena, (size_t)job->animation->channel_count + 2, sizeof *job->samplers);
	keep_samplers(job, arena);
	json_write_begin_list(&job->channels);
	write_channels(job, &nodes, arena);
	json_write_end_list(&job->channels);
	write_members(job, out);
	buffer_finish(&channels);
	report->channels_after = job->channel_count;
	return true;
}

bool animation_write(const struct optimise_job *job, const struct parts *parts, int clip,
	struct fresh *fresh, struct optimise_clip *report, struct buffer *out, struct error *err) {
	const struct animation_part *animation = &parts->animations[clip];
	const size_t before = out->size;
	struct job work = {.animation = animation, .fresh = fresh, .clip = clip};
	bool done = true;
	report->channels_before = report->channels_after = animation->channel_count;
	report->is_left = is_untouched(animation);
	if (report->is_left) {
		buffer_append(out, animation->text.text, animation->text.size);
	} else {
		struct arena *arena = arena_create();
		done = write_reduced(job, &work, arena, report, out, err);
		arena_destroy(arena);
	}
	report->json_after = out->size - before;
	return done;
}
