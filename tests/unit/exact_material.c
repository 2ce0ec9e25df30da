#include "exact_material.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double pi = 3.14159265358979323846;

static double mix(double a, double b, double share) {
	return a * (1 - share) + b * share;
}

static double clamp(double x, double low, double high) {
	return fmin(fmax(x, low), high);
}

static double greatest(const double *v) {
	return fmax(v[0], fmax(v[1], v[2]));
}

static double smallest(const double *v) {
	return fmin(v[0], fmin(v[1], v[2]));
}

/* Between the texels of a square; edges go on. */
static double bilinear(const float (*texels)[4], int size, double x, double y, int k) {
	const int column = (int)clamp(floor(x), 0, size - 2),
		  row = (int)clamp(floor(y), 0, size - 2);
	const double right = clamp(x - column, 0, 1), down = clamp(y - row, 0, 1);
	const float(*at)[4] = texels + row * size + column;
	return mix(mix((double)at[0][k], (double)at[1][k], right),
		mix((double)at[size][k], (double)at[size + 1][k], right), down);
}

static double table_at(const struct raster_scene *scene, double cosine, double roughness, int k) {
	const double last = TABLES_REFLECTION_SIZE - 1;
	return bilinear(scene->reflection[0], TABLES_REFLECTION_SIZE, sqrt(cosine) * last,
		roughness * last, k);
}

static void light_from(
	const struct raster_scene *scene, const double *d, double roughness, double out[static 3]) {
	const double sum = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
	double x = d[0] / sum, z = d[2] / sum;
	if (d[1] < 0) {
		const double turned = (1 - fabs(z)) * (x < 0 ? -1 : 1);
		z = (1 - fabs(x)) * (z < 0 ? -1 : 1);
		x = turned;
	}
	const double layer = roughness * (9 - 2 * roughness);
	const int first = (int)clamp(floor(layer), 0, TABLES_LIGHT_LAYERS - 2);
	for (int k = 0; k < 3; k++) {
		out[k] = mix(bilinear(scene->sky->light[first], TABLES_LIGHT_SIZE, x * 23 + 23.5,
				     z * 23 + 23.5, k),
			bilinear(scene->sky->light[first + 1], TABLES_LIGHT_SIZE, x * 23 + 23.5,
				z * 23 + 23.5, k),
			layer - first);
	}
}

static double irradiance_at(const struct raster_scene *scene, const double *n, int k) {
	const double x = n[0], y = n[1], z = n[2];
	const double terms[] = {1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y};
	double sum = 0;
	for (int i = 0; i < TABLES_HARMONICS; i++) {
		sum += (double)scene->sky->irradiance[i][k] * terms[i];
	}
	return sum;
}

static double grazing(double cosine) {
	return pow(clamp(1 - cosine, 0, 1), 5);
}

static double normal_eye(const struct exact_fragment *f) {
	return clamp(vec3_dot(f->normal, f->eye), 1e-3, 1);
}

static double coat_eye(const struct exact_fragment *f) {
	return clamp(vec3_dot(f->coat_normal, f->eye), 1e-3, 1);
}

/* The share of light from all around that comes back off facets of a Fresnel reflection, after one
 * bounce, and after several: Fdez-Aguera 2019, with glTF's factor for grazing angles where white
 * was. */
static double one_bounce(const double *table, double front, double edge) {
	return front * table[0] + edge * table[1];
}

static double more_bounces(const double *table, double front, double edge) {
	const double all = table[0] + table[1], mean = front + (edge - front) / 21;
	return one_bounce(table, front, edge) * mean / (1 - (1 - all) * mean) * (1 - all);
}

/* The share of a single light that goes into what is no metal. */
static double goes_in(const struct exact_fragment *f, double share) {
	double back[3];
	for (int k = 0; k < 3; k++) {
		back[k] = mix(f->reflection[k], f->reflection[3], share);
	}
	return 1 - greatest(back);
}

/* From where most light comes, by roughness. */
static void reflect(const double *eye, const double *n, double rough, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = mix(2 * vec3_dot(eye, n) * n[k] - eye[k], n[k], pow(rough, 4));
	}
}

/* --- Thin films: KHR_materials_iridescence, line by line --- */

static void film_sensitivity(double path_m, const double *shift_rad, double out[static 3]) {
	static const double value[] = {5.4856e-13, 4.4201e-13, 5.2481e-13};
	static const double place[] = {1.6810e+06, 1.7953e+06, 2.2084e+06};
	static const double variance[] = {4.3278e+09, 9.3046e+09, 6.6121e+09};
	const double phase = 2 * pi * path_m;
	double xyz[3];
	for (int k = 0; k < 3; k++) {
		xyz[k] = value[k] * sqrt(2 * pi * variance[k]) *
			cos(place[k] * phase + shift_rad[k]) * exp(-phase * phase * variance[k]);
	}
	xyz[0] += 9.7470e-14 * sqrt(2 * pi * 4.5282e+09) * cos(2.2399e+06 * phase + shift_rad[0]) *
		exp(-4.5282e+09 * phase * phase);
	static const double rows[3][3] = {{3.2404542, -1.5371385, -0.4985314},
		{-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}};
	for (int k = 0; k < 3; k++) {
		out[k] = vec3_dot(rows[k], xyz) / 1.0685e-7;
	}
}

/* front becomes that which Schlick's formula makes of the film's reflection at the cosine. */
static void film_front(double cosine, double index, double thickness_nm, double *front) {
	const double x = clamp(thickness_nm / 0.03, 0, 1);
	index = mix(1, index, x * x * (3 - 2 * x));
	const double below = sqrt(fmax(1 - (1 - cosine * cosine) / (index * index), 0));
	const double root = (index - 1) / (index + 1);
	const double outer = mix(root * root, 1, grazing(cosine));
	double inner[3], shift[3], sum[3], waves[3];
	for (int k = 0; k < 3; k++) {
		const double of_base = sqrt(clamp(front[k], 0, 0.9999));
		const double base = (1 + of_base) / (1 - of_base);
		const double ratio = (base - index) / (base + index);
		inner[k] = mix(ratio * ratio, 1, grazing(below));
		shift[k] = pi + (base < index ? pi : 0);
		sum[k] = 0;
	}
	for (int m = 0; m <= 2; m++) {
		const double phases[3] = {m * shift[0], m * shift[1], m * shift[2]};
		film_sensitivity(m * 2 * index * thickness_nm * below * 1e-9, phases, waves);
		for (int k = 0; k < 3; k++) {
			const double both = clamp(outer * inner[k], 1e-5, 0.9999);
			const double back = (1 - outer) * (1 - outer) * inner[k] / (1 - both);
			sum[k] += m == 0 ? outer + back
					 : (back - (1 - outer)) * pow(both, m / 2.0) * 2 * waves[k];
		}
	}
	const double more = fmin(grazing(cosine), 0.9999);
	for (int k = 0; k < 3; k++) {
		front[k] = clamp((fmax(sum[k], 0) - more) / (1 - more), 0, 1);
	}
}

/* Finds what is reflected from the front, with a film or without one. */
static void find_front(unsigned flags, struct exact_fragment *f) {
	double dielectric[3], metallic[3];
	for (int k = 0; k < 3; k++) {
		dielectric[k] = f->reflection[k];
		metallic[k] = f->base[k];
	}
	const bool film = flags & SHADED_IRIDESCENCE && f->film[1] > 0;
	const double share = film ? f->film[0] : 0;
	if (film) {
		film_front(normal_eye(f), f->film_index, f->film[1], dielectric);
		film_front(normal_eye(f), f->film_index, f->film[1], metallic);
	}
	for (int k = 0; k < 3; k++) {
		f->reflection[k] = mix(f->reflection[k], dielectric[k], share);
		f->front[k] = mix(f->reflection[k], mix(f->base[k], metallic[k], share), f->metal);
	}
}

static double edge(const struct exact_fragment *f) {
	return mix(f->reflection[3], 1, f->metal);
}

static double inside_color(const struct exact_fragment *f, int k) {
	return f->base[k] * (1 - f->metal);
}

struct sum {
	double base[3], coat[3];
};

/* The normal of light from all around: KHR_materials_anisotropy bends it. */
static void mirror_normal(unsigned flags, const struct exact_fragment *f, double n[static 3]) {
	memcpy(n, f->normal, sizeof f->normal);
	if (!(flags & SHADED_ANISOTROPY)) {
		return;
	}
	double tangent[3], bent[3];
	vec3_cross(f->across, f->eye, tangent);
	vec3_cross(tangent, f->across, bent);
	vec3_normalize(bent);
	const double share = pow(1 - f->anisotropy * (1 - f->roughness), 4);
	for (int k = 0; k < 3; k++) {
		n[k] = mix(bent[k], n[k], share);
	}
	vec3_normalize(n);
}

/* The share of light from all around that goes into what is no metal. */
static double goes_in_from_around(const struct exact_fragment *f, const double *table) {
	const double most = greatest(f->reflection);
	return 1 - one_bounce(table, most, f->reflection[3]) -
		more_bounces(table, most, f->reflection[3]);
}

static void add_environment(const struct raster_scene *scene, unsigned flags,
	const struct exact_fragment *f, struct sum *sum) {
	const double cosine = normal_eye(f), rough = f->roughness;
	double direction[3], mirrored[3], coat[3];
	double mirror[3];
	mirror_normal(flags, f, mirror);
	reflect(f->eye, mirror, rough, direction);
	light_from(scene, direction, rough, mirrored);
	reflect(f->eye, f->coat_normal, f->coat_roughness, direction);
	light_from(scene, direction, f->coat_roughness, coat);
	const double table[2] = {
		table_at(scene, cosine, rough, 0), table_at(scene, cosine, rough, 1)};
	const double in = goes_in_from_around(f, table);
	double share = 1;
	if (f->has_occlusion) {
		const double seen = pow(cosine + f->occlusion, exp2(-16 * rough - 1));
		share = clamp(seen - 1 + f->occlusion, 0, 1);
	}
	for (int k = 0; k < 3; k++) {
		const double around = irradiance_at(scene, f->normal, k);
		double base =
			inside_color(f, k) * in * (1 - f->transmission) * around * f->occlusion;
		base += share * mirrored[k] * one_bounce(table, f->front[k], edge(f));
		base += share * around * more_bounces(table, f->front[k], edge(f));
		if (flags & SHADED_SHEEN) {
			const double own = table_at(scene, cosine, f->sheen[3], 2);
			base = base * (1 - greatest(f->sheen) * own) +
				f->sheen[k] * own * f->occlusion * around;
		}
		sum->base[k] += base;
		if (flags & SHADED_CLEARCOAT) {
			const double cos_coat = coat_eye(f);
			sum->coat[k] += coat[k] *
				(0.04 * table_at(scene, cos_coat, f->coat_roughness, 0) +
					table_at(scene, cos_coat, f->coat_roughness, 1));
		}
	}
}

/* A lobe as the product of its distribution and its visibility. */
static double lobe(
	const double *n, double cos_eye, const double *l, const double *h, double rough) {
	const double alpha = pow(fmax(rough, 0.05), 2), square = alpha * alpha;
	const double cos_light = fmax(vec3_dot(n, l), 0), cos_half = fmax(vec3_dot(n, h), 0);
	const double facets = square / (pi * pow(cos_half * cos_half * (square - 1) + 1, 2));
	const double sum = cos_light * sqrt(cos_eye * cos_eye * (1 - square) + square) +
		cos_eye * sqrt(cos_light * cos_light * (1 - square) + square);
	return cos_light * facets * 0.5 / fmax(sum, 1e-7);
}

/* D, V and the cosine of KHR_materials_anisotropy. */
static double stretched_lobe(const struct exact_fragment *f, const double *l, const double *h) {
	const double ab = pow(fmax(f->roughness, 0.05), 2);
	const double at = mix(ab, 1, f->anisotropy * f->anisotropy);
	const double cos_light = fmax(vec3_dot(f->normal, l), 0), cos_eye = normal_eye(f);
	const double ht = vec3_dot(f->along, h), hb = vec3_dot(f->across, h);
	const double hn = fmax(vec3_dot(f->normal, h), 0);
	const double sum = pow(ht / at, 2) + pow(hb / ab, 2) + hn * hn;
	const double facets = 1 / (pi * at * ab * sum * sum);
	const double eye = sqrt(pow(at * vec3_dot(f->along, f->eye), 2) +
		pow(ab * vec3_dot(f->across, f->eye), 2) + cos_eye * cos_eye);
	const double light = sqrt(pow(at * vec3_dot(f->along, l), 2) +
		pow(ab * vec3_dot(f->across, l), 2) + cos_light * cos_light);
	return cos_light * facets * 0.5 / fmax(cos_light * eye + cos_eye * light, 1e-7);
}

static void add_light(const struct raster_scene *scene, unsigned flags,
	const struct exact_fragment *f, const struct shaded_light *light, struct sum *sum) {
	double l[3], h[3], length = 0;
	for (int k = 0; k < 3; k++) {
		l[k] = (double)light->place[k] + (double)light->place[3] * f->to_origin[k];
		length += l[k] * l[k];
	}
	const double distance = fmax(length, 1e-12);
	for (int k = 0; k < 3; k++) {
		l[k] /= sqrt(distance);
		h[k] = l[k] + f->eye[k];
	}
	vec3_normalize(h);
	double cone = 0;
	for (int k = 0; k < 3; k++) {
		cone -= (double)light->direction[k] * l[k];
	}
	cone = clamp(cone * (double)light->direction[3] + (double)light->color[3], 0, 1);
	const double window = clamp(1 - distance * distance * (double)light->range[0], 0, 1);
	const double strength = cone * cone * (light->place[3] > 0 ? window / distance : 1);
	const double more = grazing(vec3_dot(f->eye, h));
	const double cos_light = clamp(vec3_dot(f->normal, l), 0, 1), cos_eye = normal_eye(f);
	const double facets = flags & SHADED_ANISOTROPY
		? stretched_lobe(f, l, h)
		: lobe(f->normal, cos_eye, l, h, f->roughness);
	const double all = table_at(scene, cos_eye, f->roughness, 0) +
		table_at(scene, cos_eye, f->roughness, 1);
	for (int k = 0; k < 3; k++) {
		const double arrives = strength * (double)light->color[k];
		double base = arrives *
			(inside_color(f, k) * (1 - f->transmission) / pi * goes_in(f, more) *
					cos_light +
				mix(f->front[k], edge(f), more) * facets *
					(1 + f->front[k] * (1 - all) / all));
		if (flags & SHADED_SHEEN) {
			const double inverse = 1 / fmax(f->sheen[3] * f->sheen[3], 1e-3);
			const double cosine = vec3_dot(f->normal, h);
			const double fibres = (2 + inverse) *
				pow(fmax(1 - cosine * cosine, 1e-4), inverse / 2) / (2 * pi);
			const double taken = fmax(table_at(scene, cos_eye, f->sheen[3], 2),
				table_at(scene, fmax(cos_light, 1e-3), f->sheen[3], 2));
			base = base * (1 - greatest(f->sheen) * taken) +
				arrives * f->sheen[k] * fibres * cos_light /
					(4 * fmax(cos_light + cos_eye - cos_light * cos_eye, 1e-4));
		}
		sum->base[k] += base;
		if (flags & SHADED_CLEARCOAT) {
			sum->coat[k] += arrives * mix(0.04, 1, more) *
				lobe(f->coat_normal, coat_eye(f), l, h, f->coat_roughness);
		}
	}
}

/* --- What lies behind: KHR_materials_transmission, volume and dispersion --- */

/* A cubic B-spline by the recursion of its pieces: x texels from its middle. */
static double spline(double x) {
	const double far = fabs(x);
	return far < 1    ? 2 / 3.0 - far * far + far * far * far / 2
		: far < 2 ? pow(2 - far, 3) / 6
			  : 0;
}

static void level_at(
	const struct raster_behind *behind, const double *place, int level, double out[static 4]) {
	const int width = behind->width >> level > 0 ? behind->width >> level : 1;
	const int height = behind->height >> level > 0 ? behind->height >> level : 1;
	memset(out, 0, 4 * sizeof *out);
	for (int y = -3; y < height + 3; y++) {
		for (int x = -3; x < width + 3; x++) {
			const double share = spline(place[0] * width - 0.5 - x) *
				spline(place[1] * height - 0.5 - y);
			const int column = (int)clamp(x, 0, width - 1),
				  row = (int)clamp(y, 0, height - 1);
			for (int k = 0; k < 4; k++) {
				out[k] += share *
					(double)behind->texels[level][row * width + column][k];
			}
		}
	}
}

/* What the picture shows where the ray that an index bends leaves the volume; its length too. */
static void behind_at(const struct raster_scene *scene, const struct exact_fragment *f,
	double index, double out[static 4]) {
	// Snell's law: sines are as indices are.
	double along[3], ray[3], world[3], place[2], next[4], clip[4];
	const double cosine = vec3_dot(f->normal, f->eye);
	const double sine_below = sqrt(fmax(1 - cosine * cosine, 0)) / index;
	for (int k = 0; k < 3; k++) {
		along[k] = cosine * f->normal[k] - f->eye[k];
	}
	vec3_normalize(along);
	for (int k = 0; k < 3; k++) {
		ray[k] = f->thickness *
			(sine_below * along[k] - sqrt(1 - sine_below * sine_below) * f->normal[k]);
	}
	for (int k = 0; k < 3; k++) {
		world[k] = f->world[k];
		for (int i = 0; i < 3; i++) {
			world[k] += (double)scene->turn[k * 3 + i] * ray[i];
		}
	}
	for (int row = 0; row < 4; row++) {
		const float *m = scene->view_projection + row;
		clip[row] = (double)m[0] * world[0] + (double)m[4] * world[1] +
			(double)m[8] * world[2] + (double)m[12];
	}
	for (int k = 0; k < 2; k++) {
		place[k] = clamp(clip[k] / fmax(clip[3], 1e-6) / 2 + 0.5, 0, 1);
	}
	const double level =
		fmin(log2(scene->behind->width) * f->roughness * clamp(index * 2 - 2, 0, 1),
			scene->behind->levels - 1);
	level_at(scene->behind, place, (int)level, out);
	if (level > (int)level) {
		level_at(scene->behind, place, (int)level + 1, next);
		for (int k = 0; k < 4; k++) {
			out[k] = mix(out[k], next[k], level - (int)level);
		}
	}
}

static double add_transmission(const struct raster_scene *scene, unsigned flags,
	const struct exact_fragment *f, double base[static 3]) {
	const double table[2] = {table_at(scene, normal_eye(f), f->roughness, 0),
		table_at(scene, normal_eye(f), f->roughness, 1)};
	const double share = f->transmission * goes_in_from_around(f, table);
	double left[3], seen[4], red[4], blue[4], around[3];
	const double spread = (f->index - 1) * 0.025 * f->dispersion;
	behind_at(scene, f, f->index, seen);
	if (flags & SHADED_DISPERSION) {
		behind_at(scene, f, fmax(f->index - spread, 1), red);
		behind_at(scene, f, f->index + spread, blue);
		seen[0] = red[0];
		seen[2] = blue[2];
		seen[3] = (red[3] + seen[3] + blue[3]) / 3;
	}
	for (int k = 0; k < 3; k++) {
		left[k] = inside_color(f, k) *
			(flags & SHADED_VOLUME
					? pow(f->attenuation[k], f->thickness * f->attenuation[3])
					: 1);
	}
	const double least = smallest(left) * (1 - f->roughness);
	const double nothing = share * (1 - seen[3]);
	const double back[3] = {-f->eye[0], -f->eye[1], -f->eye[2]};
	memset(around, 0, sizeof around);
	if (flags & SHADED_ENVIRONMENT) {
		light_from(scene, back, f->roughness, around);
	}
	for (int k = 0; k < 3; k++) {
		base[k] += share * left[k] * seen[k] / (double)scene->exposure +
			nothing * (left[k] - least) * around[k];
	}
	return nothing * least;
}

static void tone_neutral(double *light) {
	const double least = smallest(light);
	const double taken = least < 0.08 ? least - 6.25 * least * least : 0.04;
	for (int k = 0; k < 3; k++) {
		light[k] -= taken;
	}
	const double peak = greatest(light), start = 0.76;
	if (peak < start) {
		return;
	}
	const double bent = 1 - 0.24 * 0.24 / (peak + 0.24 - start);
	const double faded = 1 - 1 / (0.15 * (peak - bent) + 1);
	for (int k = 0; k < 3; k++) {
		light[k] = mix(light[k] * bent / peak, bent, faded);
	}
}

static void tone_aces(double *light) {
	static const double in[3][3] = {{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566},
		{0.02840, 0.13383, 0.83777}};
	static const double out[3][3] = {{1.60475, -0.53108, -0.07367},
		{-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}};
	double v[3];
	for (int k = 0; k < 3; k++) {
		v[k] = vec3_dot(in[k], light) / 0.6;
		v[k] = (v[k] * (v[k] + 0.0245786) - 0.000090537) /
			(v[k] * (0.983729 * v[k] + 0.4329510) + 0.238081);
	}
	for (int k = 0; k < 3; k++) {
		light[k] = clamp(vec3_dot(out[k], v), 0, 1);
	}
}

void exact_shaded(const struct raster_scene *scene, unsigned flags,
	const struct exact_fragment *fragment, double out[static 3], double *through) {
	struct exact_fragment with_front = *fragment;
	const struct exact_fragment *f = &with_front;
	find_front(flags, &with_front);
	*through = 0;
	struct sum sum = {{0}, {0}};
	if (flags & SHADED_UNLIT) {
		for (int k = 0; k < 3; k++) {
			out[k] = f->base[k] + (flags & SHADED_EMISSIVE ? f->emission[k] : 0);
		}
		return;
	}
	if (flags & SHADED_ENVIRONMENT) {
		add_environment(scene, flags, f, &sum);
	}
	for (int i = 0; flags & SHADED_LIT && i < scene->light_count; i++) {
		add_light(scene, flags, f, &scene->lights[i], &sum);
	}
	double above = 0;
	if (flags & SHADED_TRANSMISSION) {
		*through = add_transmission(scene, flags, f, sum.base);
	}
	if (flags & SHADED_CLEARCOAT) {
		above = f->coat * mix(0.04, 1, grazing(coat_eye(f)));
		*through *= 1 - above;
	}
	for (int k = 0; k < 3; k++) {
		out[k] = (sum.base[k] + f->emission[k]) * (1 - above);
		out[k] += flags & SHADED_CLEARCOAT ? f->coat * sum.coat[k] : 0;
		out[k] *= (double)scene->exposure;
	}
	if (flags & SHADED_UNMAPPED) {
		return;
	}
	if (flags & SHADED_ACES) {
		tone_aces(out);
	} else if (flags & SHADED_LINEAR) {
		for (int k = 0; k < 3; k++) {
			out[k] = clamp(out[k], 0, 1);
		}
	} else {
		tone_neutral(out);
	}
}

double exact_sharpness(unsigned flags, const struct exact_fragment *f) {
	const double coat = flags & SHADED_CLEARCOAT ? fmax(f->coat_roughness, 0.05) : 1;
	return flags & SHADED_LIT ? pow(fmin(fmax(f->roughness, 0.05), coat), -4) : 0;
}
