// A picture of the demo humanoid in the middle of a step, and how high its highest vertex is then.
//
//   cc walk.c ../posed.c -iquote .. -lcurl -o walk && ./walk [ADDRESS]
#include "posed.h"
#include <stdio.h>

#define STEP "\"rig\": \"humanoid\", \"pose\": {\"clip\": \"Walk\", \"phase\": 0.25}"

static bool draw(struct posed_client *client, struct posed_error *error) {
	struct posed_answer picture;
	bool ok = posed_post(client, "frame", "{" STEP ", \"width\": 256, \"height\": 256}",
		"image/png", &picture, error);
	FILE *file = ok ? fopen("walk.png", "wb") : NULL;
	if (ok && !file) {
		perror("walk.png");
	}
	if (file) {
		ok = fwrite(picture.body, 1, picture.size, file) == picture.size;
		fclose(file);
		printf("wrote walk.png, %zu bytes\n", picture.size);
	}
	posed_answer_free(&picture);
	return ok;
}

static bool measure(struct posed_client *client, struct posed_error *error) {
	struct posed_vertices walker;
	const bool ok = posed_skin(
		client, "{" STEP ", \"attributes\": [\"position\", \"normal\"]}", &walker, error);
	const float *positions = posed_vertices_of(&walker, 0, "position", NULL);
	double highest = 0;
	for (int i = 0; positions && i < walker.vertices; i++) {
		const double y = positions[i * 3 + 1];
		highest = y > highest ? y : highest;
	}
	printf("the highest of %d vertices is at %.3f\n", walker.vertices, highest);
	posed_vertices_free(&walker);
	return ok;
}

int main(int argc, char **argv) {
	const struct posed_options options = {
		.address = argc > 1 ? argv[1] : NULL, .patience_s = 10};
	struct posed_client *client = posed_open(&options);
	struct posed_error error = {0};
	const bool ok = client && draw(client, &error) && measure(client, &error);
	if (!ok) {
		fprintf(stderr, "walk: %s\n", error.text);
	}
	posed_close(client);
	return ok ? 0 : 1;
}
