# posed, the pose daemon. `make run` and `make test` install what they need; see README.md.
# V=1 shows the commands themselves.
MAKEFLAGS += --no-print-directory

config ?= release
ifeq ($(SANITIZE),1)
override config := sanitize
endif

PREFIX ?= /usr/local
DESTDIR ?=
FONT ?= /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
CC ?= cc
CXX ?= c++
B := build/$(config)
# The programs lie where the documents say; other configurations keep theirs apart.
BIN := $(if $(filter release,$(config)),build,$(B))

LIBRARIES := draco epoxy jansson libisal libpng nettle simdjson
# Loaded on demand (renderer/base/delayed.h), with the files that call them.
DELAYED_LIBRARIES := assimp libarchive libcurl libjpeg libmicrohttpd libseccomp libwebp libwebpmux libzip \
	libzstd ode
DELAYED := archive assimp gif jpeg ode webp webpmux zip zstd
CALLERS_archive := renderer/image/tar_file.c
CALLERS_assimp := renderer/import/assimp.c renderer/import/assimp_files.c \
	renderer/import/assimp_materials.c
CALLERS_curl := clients/c/posed.c
CALLERS_gif := renderer/image/gif_dither.c
CALLERS_jpeg := renderer/image/jpeg.c renderer/import/image_jpeg.c
CALLERS_microhttpd := $(wildcard server/http/*.c)
CALLERS_ode := renderer/physics/physics.c renderer/physics/serial.c
CALLERS_seccomp := sandbox/sandbox.c
CALLERS_sixel := clients/pose/show_sixel.c
CALLERS_webp := renderer/image/webp.c renderer/image/webp_anim.c renderer/import/image_webp.c
CALLERS_webpmux := renderer/image/webp_anim.c
CALLERS_zip := renderer/import/zip.c
CALLERS_zstd := renderer/import/image_ktx2.c

# psabi: vectors are passed to what is inlined only, so that no interface hangs on their registers.
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla \
	-Wswitch-enum -Wformat=2 -Wno-psabi
OPTIMISE_release := -O3 -g
# The release as Debian hardens its packages.
OPTIMISE_deb := $(OPTIMISE_release)
OPTIMISE_debug := -O0 -g
OPTIMISE_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
OPTIMISE_thread := -O2 -g -fsanitize=thread
# clang's; without a main of libFuzzer's, which only the harnesses want.
OPTIMISE_fuzz := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined
# -iquote and not -I: protocol/limits.h is not <limits.h>.
# Without contraction of a*b+c the CPU path gives the same bytes on every x86-64 machine.
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -pthread -fno-math-errno -ffp-contract=off $(WARNINGS) \
	$(OPTIMISE_$(config)) -iquote renderer -iquote protocol \
	-iquote shaders/include -iquote clients/c -iquote . $(CFLAGS)
# What is not of the server but knows its headers.
OF_SERVER := -iquote server
# Only for what has no other interface than C++, behind one of C. UBSan's vptr check probes memory
# through a pipe, which the sandbox does not give.
ALL_CXXFLAGS := -std=c++17 -D_GNU_SOURCE -pthread -Wall -Wextra -Wshadow -Wundef -Wformat=2 \
	$(OPTIMISE_$(config)) -fno-sanitize=vptr -iquote renderer -iquote protocol $(CXXFLAGS)
ALL_LDFLAGS := -pthread $(filter -fsanitize%,$(OPTIMISE_$(config))) $(LDFLAGS)
# A dozen programs, each with the whole library: without lines for a debugger; config=debug has them.
ifeq ($(config),release)
TEST_LDFLAGS := -Wl,--strip-debug
endif
# Asked when needed, not when read: on a fresh machine `make run` installs pkg-config first.
# Libraries that Debian packs without a description for pkg-config.
PLAIN_LIBRARIES := -lmeshoptimizer -lstdc++
LIBS = $(shell pkg-config --libs $(LIBRARIES)) $(PLAIN_LIBRARIES) -ldl -lm
# Before all else: the loader looks for each of their thousands of symbols in one library after the
# other, and finds them there.
FIRST_LIBS := -lstdc++ -lm -lgcc_s -lc -ldraco

-include Makefile.config

GLYPHS := renderer/image/generate/glyphs
LIGHT := renderer/raster/generate/light
# Videos, where FFmpeg's headers are there; its libraries are loaded at run time.
HAVE_FFMPEG ?= $(shell pkg-config --exists libavformat libavcodec libswscale 2>/dev/null && echo yes)
NO_VIDEO := $(if $(HAVE_FFMPEG),%/ffmpeg_none.c,%/ffmpeg.c %/ffmpeg_load.c)
# The decoder of compressed clips, which clients have as it is.
PCLIP := $(wildcard clients/c/pclip*.c)
RENDERER := $(filter-out $(NO_VIDEO) $(GLYPHS).c $(LIGHT).c,$(wildcard \
	renderer/*.c renderer/*/*.c renderer/*/*/*.c)) $(PCLIP)
# Kernels are compiled once more for eight lanes: see renderer/base/lanes.h.
LANES := $(shell grep -l LANES_NAME $(RENDERER))
# And for sixteen: what the rasteriser does with samples and with queues of fragments.
BY_AVX512 := -DLANES_AVX2 -DLANES_AVX512
LANES_AVX512 := $(wildcard renderer/raster/*_shade.c) $(addprefix renderer/raster/,attributes.c cover.c cover_small.c put.c resolve.c texture_sample.c)
RENDERER_CXX := $(wildcard renderer/*/*.cpp)
PROTOCOL := $(wildcard protocol/*.c protocol/checks/*.c)
PROTOCOL_CXX := $(wildcard protocol/*.cpp)
# What the renderer finds in plain structs of protocol/: for the daemon, and for what is drawn without.
DESCRIBE := $(wildcard protocol/describe/*.c)
# Reads untrusted files in processes of their own: for the daemon, and for pose.
SANDBOX := $(wildcard sandbox/*.c)
SERVER := $(filter-out server/main.c,$(wildcard server/*.c server/*/*.c))
# Sixels for terminals, where libsixel is there.
HAVE_SIXEL ?= $(shell pkg-config --exists libsixel 2>/dev/null && echo yes)
SERVER_DELAYED := microhttpd seccomp
CLIENT_DELAYED := curl seccomp $(if $(HAVE_SIXEL),sixel)
NO_SIXEL := clients/pose/$(if $(HAVE_SIXEL),show_sixel_none,show_sixel).c
CLIENT := $(filter-out $(NO_SIXEL),$(wildcard clients/pose/*.c)) clients/c/posed.c
SHADERS := $(sort $(wildcard shaders/*.comp shaders/*.vert shaders/*.frag shaders/include/*.glsl))
# What browsers get: the viewer, with all modules that it imports in one file; and the element and the
# client, which import one another.
PAGES := $(sort $(wildcard $(addprefix clients/js/viewer/*.,css html svg) \
	clients/js/element/*.js clients/js/client/*.js clients/js/three/*.js)) clients/js/viewer/first_picture.js
VIEWER_MODULES := $(wildcard $(addsuffix /*.js,$(addprefix clients/js/,client element viewer)))
TESTS := $(wildcard tests/unit/test_*.c tests/gpu/test_*.c)
TEST_HELPERS := $(filter-out $(TESTS),$(wildcard tests/unit/*.c tests/unit/*.cpp tests/gpu/*.c))
HARNESSES := $(wildcard tests/fuzz/fuzz_*.c)
MUTATORS := $(wildcard tests/fuzz/mutate_*.c)
BENCHES := $(wildcard tests/bench/bench_*.c)
BENCH_HELPERS := tests/bench/plain_loop.c $(wildcard tests/bench/methods_*.c)
HEADERS := $(wildcard renderer/*.h renderer/*/*.h renderer/*/*/*.h protocol/*.h protocol/checks/*.h protocol/describe/*.h \
	sandbox/*.h server/*.h server/*/*.h clients/pose/*.h clients/c/*.h tests/unit/*.h tests/gpu/*.h tests/bench/*.h tests/fuzz/*.h)
# What stands for a missing library is checked beside what uses it.
STAND_INS := renderer/image/ffmpeg_none.c clients/pose/show_sixel_none.c
C_FILES := $(sort $(RENDERER) $(CLIENT) $(STAND_INS)) $(GLYPHS).c $(LIGHT).c $(PROTOCOL) $(DESCRIBE) $(SANDBOX) $(SERVER) \
	server/main.c $(TESTS) $(TEST_HELPERS) $(wildcard tests/bench/*.c tests/fuzz/*.c \
	tests/faults/*.c clients/c/examples/*.c)
CXX_FILES := $(RENDERER_CXX) $(PROTOCOL_CXX) $(wildcard tests/unit/*.cpp)

objects = $(addsuffix .o,$(addprefix $(B)/,$(basename $(1))))
RENDERER_LIB := $(B)/librenderer.a
PROTOCOL_LIB := $(B)/libprotocol.a
SERVER_LIB := $(B)/libserver.a
# All tests of a folder in one program, and one test alone.
TEST_PROGRAMS := $(B)/tests/unit_tests $(B)/tests/gpu_tests
TEST_BINS := $(TESTS:%.c=$(B)/%)
BENCH_BINS := $(BENCHES:%.c=$(B)/%)
LOAD_BINS := $(B)/tests/bench/bare_mhd $(B)/tests/bench/open_loop
FUZZ_BINS := $(HARNESSES:%.c=$(B)/%)
FAULTY := $(B)/tests/faults/posed
WITHOUT_VIDEO := $(B)/tests/faults/posed_without_video
INJECT := $(B)/tests/faults/inject.so
FUZZ_SECONDS ?= 60

EMBEDDED := $(B)/shaders.o $(B)/page_files.o $(B)/api_description.o $(B)/glyphs.o $(B)/light.o
$(B)/server/%.o $(B)/tests/%.o $(EMBEDDED): ALL_CFLAGS += $(OF_SERVER)

all: $(BIN)/posed $(BIN)/pose $(BIN)/pclip.c $(BIN)/pclip.h

# $(call step,WORDS) before a command shows "[12/430] WORDS" in its place. The first step has a dry run
# count them all.
ifneq ($(V),1)
ifdef COUNTING_STEPS
step = @: step;
else
STEPS = $(eval STEPS := $(shell $(MAKE) -n COUNTING_STEPS=1 $(MAKEOVERRIDES) $(MAKECMDGOALS) 2>/dev/null | \
	grep -c '^: step'))$(STEPS)
step = @$(eval STEPS_DONE += 1)$(info [$(words $(STEPS_DONE))/$(STEPS)] $(1))
endif
endif

# Made anew when the text that they hold changes, for what is made of files in a list: some are only
# there when an optional library is.
define remember
ifneq ($$(strip $$(file <$(B)/$(1))),$(strip $(2)))
$$(shell mkdir -p $(B))
$$(file >$(B)/$(1),$(strip $(2)))
endif
endef

# Says what is missing on this machine before a compiler does.
READY := $(B)/ready
$(READY):
	@CC="$(CC)" CXX="$(CXX)" FONT="$(FONT)" .ci/can_build.sh $(LIBRARIES) \
		$(DELAYED_LIBRARIES) freetype2
	@mkdir -p $(@D) && touch $@

$(B)/%.o: %.c | $(READY)
	@mkdir -p $(@D)
	$(call step,compile $<)$(CC) $(ALL_CFLAGS) $(RENAME_MAIN) -MMD -MP -c $< -o $@

$(B)/%.o: %.cpp | $(READY)
	@mkdir -p $(@D)
	$(call step,compile $<)$(CXX) $(ALL_CXXFLAGS) -MMD -MP -c $< -o $@

$(B)/%_avx2.o: %.c | $(READY)
	@mkdir -p $(@D)
	$(call step,compile $< for AVX2)$(CC) $(ALL_CFLAGS) -DLANES_AVX2 -MMD -MP -c $< -o $@

$(B)/%_avx512.o: %.c | $(READY)
	@mkdir -p $(@D)
	$(call step,compile $< for AVX-512)$(CC) $(ALL_CFLAGS) $(BY_AVX512) -MMD -MP -c $< -o $@

EMBED := renderer/base/embed.sh
$(B)/shaders.c: $(EMBED) $(SHADERS)
	@mkdir -p $(@D)
	$(call step,embed shaders)$(EMBED) draw/shader_source.h shader_texts "" $(SHADERS) > $@

$(B)/pages/viewer/main.js: $(VIEWER_MODULES)
	@mkdir -p $(@D)
	$(call step,bundle the viewer)esbuild clients/js/viewer/main.js --bundle --minify --format=esm \
		--log-level=warning --outfile=$@

EMBED_PAGES := server/api/embed_pages.sh
$(B)/page_files.c: $(EMBED_PAGES) $(PAGES) $(B)/pages/viewer/main.js
	@mkdir -p $(@D)
	$(call step,embed the viewer)$(EMBED_PAGES) clients/js $(PAGES) -- $(B)/pages $(B)/pages/viewer/main.js > $@

$(B)/api_description.c: $(EMBED) protocol/openapi.yaml protocol/checks/rules.schema.json
	@mkdir -p $(@D)
	$(call step,embed the description of the API)$(EMBED) api/page_files.h api_description "" \
		protocol/openapi.yaml protocol/checks/rules.schema.json > $@

# Letters for pictures. The program that makes them is the only one to need FreeType and a font.
FREETYPE_CFLAGS = $(shell pkg-config --cflags freetype2)
$(B)/$(GLYPHS): $(GLYPHS).c renderer/image/glyphs.h | $(READY)
	@mkdir -p $(@D)
	$(call step,compile $<)$(CC) $(ALL_CFLAGS) $(FREETYPE_CFLAGS) $(ALL_LDFLAGS) $< -o $@ \
		$(shell pkg-config --libs freetype2)

$(B)/glyphs.c: $(B)/$(GLYPHS) $(wildcard $(FONT))
	$(call step,draw glyphs)$(B)/$(GLYPHS) $(FONT) > $@

# Tables of light for the rasteriser; the program that makes them takes a second.
$(B)/$(LIGHT): $(call objects,$(LIGHT).c renderer/draw/sky.c renderer/base/elementary.c)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $^ -o $@ -lm

$(B)/light.c: $(B)/$(LIGHT)
	$(call step,compute tables of light)$< > $@

$(EMBEDDED): %.o: %.c | $(READY)
	$(call step,compile $<)$(CC) $(ALL_CFLAGS) -c $< -o $@

define delayed
$$(B)/delayed/$(1).c: renderer/base/delayed.sh $$(call objects,$$(CALLERS_$(1)))
	@mkdir -p $$(@D)
	$$(call step,make trampolines for $(1))renderer/base/delayed.sh $(1) \
		$$$$($$(CC) -print-file-name=lib$(1).so) $$(filter %.o,$$^) > $$@.new && mv $$@.new $$@
endef
$(foreach library,$(sort $(DELAYED) $(SERVER_DELAYED) $(CLIENT_DELAYED)),$(eval $(call delayed,$(library))))
DELAYED_OBJECTS := $(DELAYED:%=$(B)/delayed/%.o)
SERVER_DELAYED_OBJECTS := $(SERVER_DELAYED:%=$(B)/delayed/%.o)
CLIENT_DELAYED_OBJECTS := $(CLIENT_DELAYED:%=$(B)/delayed/%.o)
$(sort $(DELAYED_OBJECTS) $(SERVER_DELAYED_OBJECTS) $(CLIENT_DELAYED_OBJECTS)): %.o: %.c | $(READY)
	$(call step,compile $<)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

RENDERER_OBJECTS := $(call objects,$(RENDERER) $(RENDERER_CXX)) $(LANES:%.c=$(B)/%_avx2.o) $(LANES_AVX512:%.c=$(B)/%_avx512.o) \
	$(B)/shaders.o $(B)/glyphs.o $(B)/light.o $(DELAYED_OBJECTS)
PROTOCOL_OBJECTS := $(call objects,$(PROTOCOL) $(PROTOCOL_CXX))
SERVER_OBJECTS := $(call objects,$(SERVER) $(SANDBOX) $(DESCRIBE)) $(B)/page_files.o $(B)/api_description.o \
	$(SERVER_DELAYED_OBJECTS)
CLIENT_OBJECTS := $(call objects,$(CLIENT) $(SANDBOX) $(DESCRIBE)) $(CLIENT_DELAYED_OBJECTS)
$(eval $(call remember,renderer.objects,$(RENDERER_OBJECTS)))
$(eval $(call remember,protocol.objects,$(PROTOCOL_OBJECTS)))
$(eval $(call remember,server.objects,$(SERVER_OBJECTS)))
$(eval $(call remember,client.objects,$(CLIENT_OBJECTS)))
$(RENDERER_LIB): $(RENDERER_OBJECTS) $(B)/renderer.objects
$(PROTOCOL_LIB): $(PROTOCOL_OBJECTS) $(B)/protocol.objects
$(SERVER_LIB): $(SERVER_OBJECTS) $(B)/server.objects
%.a:
	@rm -f $@
	@$(AR) rcs $@ $(filter %.o,$^)

$(BIN)/posed: $(B)/server/main.o $(SERVER_LIB) $(PROTOCOL_LIB) $(RENDERER_LIB)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $(FIRST_LIBS) $^ -o $@ $(LIBS)

# The decoder of compressed clips in one file.
$(BIN)/pclip.c: clients/c/one_file.sh $(wildcard clients/c/pclip*) LICENSE
	@mkdir -p $(@D)
	$(call step,join $@)clients/c/one_file.sh > $@

$(BIN)/pclip.h: clients/c/pclip.h
	@mkdir -p $(@D)
	$(call step,copy $@)cp $< $@

$(BIN)/pose: $(CLIENT_OBJECTS) $(PROTOCOL_LIB) $(RENDERER_LIB) $(B)/client.objects
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $(FIRST_LIBS) $(filter %.o %.a,$^) -o $@ $(LIBS)

$(TESTS:%.c=$(B)/%.o): RENAME_MAIN = -Dmain=$(*F)_main
TEST_NAMES = $(basename $(notdir $(filter $(TESTS:%.c=$(B)/%.o),$^)))
$(TEST_BINS): $(B)/%: $(B)/%.o
$(TEST_PROGRAMS): $(B)/tests/%_tests: $(B)/%.tests
$(foreach folder,unit gpu,\
	$(eval FOLDER_OBJECTS := $(call objects,$(filter tests/$(folder)/%,$(TESTS)))) \
	$(eval $(call remember,$(folder).tests,$(FOLDER_OBJECTS))) \
	$(eval $(B)/tests/$(folder)_tests: $(FOLDER_OBJECTS)))
$(TEST_BINS) $(TEST_PROGRAMS): $(call objects,$(TEST_HELPERS)) $(SERVER_LIB) $(PROTOCOL_LIB) \
		$(RENDERER_LIB) tests/unit/table.sh
	$(call step,link $@)tests/unit/table.sh $(TEST_NAMES) > $@.c && \
		$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(if $(filter test_context,$(TEST_NAMES)),$(WRAP)) \
		-iquote . $@.c $(filter %.o,$^) $(filter %.a,$^) -o $@ -lcmocka -ljpeg -lwebp -lwebpmux -lzip $(LIBS)

# What drivers do not do on demand: functions of test_context stand before ours.
WRAP := -Wl,--wrap=egl_is_lost,--wrap=gpu_rig_create

# The daemon with faults to order; see tests/faults/faulty.c.
$(FAULTY): $(B)/server/main.o $(B)/tests/faults/faulty.o $(SERVER_LIB) $(PROTOCOL_LIB) \
		$(RENDERER_LIB)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS) -Wl,--wrap=egl_is_lost $^ -o $@ $(LIBS)

# A library to preload, whose allocations and system calls fail on demand.
$(INJECT): tests/faults/inject.c | $(READY)
	@mkdir -p $(@D)
	$(call step,link $@)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -O1 -g -shared -fPIC $< -o $@

# The daemon as it is built where FFmpeg's headers are not there.
$(WITHOUT_VIDEO): $(B)/server/main.o $(B)/renderer/image/ffmpeg_none.o $(SERVER_LIB) \
		$(PROTOCOL_LIB) $(RENDERER_LIB)
	@mkdir -p $(@D)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $^ -o $@ $(LIBS)

$(BENCH_BINS): $(B)/%: $(B)/%.o $(call objects,$(BENCH_HELPERS)) $(B)/tests/unit/rigs.o \
		$(B)/tests/unit/answers.o $(SERVER_LIB) $(PROTOCOL_LIB) $(RENDERER_LIB)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $^ -o $@ $(LIBS)

# pose with files by clang in place of the other compiler's; tests/golden holds the pictures of all against
# each other, byte for byte. Once the rasteriser with little optimisation, and once everything that has kernels
# with much of it, and with four lanes on any processor, as on one that has no AVX2. By the same compiler, but with
# eight lanes on any processor that has more, as on one without AVX-512.
BY_CLANG := $(B)/tests/golden/pose_by_clang
SSE2_BY_CLANG := $(B)/tests/golden/pose_by_clang_sse2
AVX2_MOST := $(B)/tests/golden/pose_avx2
RASTER := $(filter renderer/raster/%,$(RENDERER))
CLANG_OBJECTS := $(RASTER:%.c=$(B)/clang/%.o) $(patsubst %.c,$(B)/clang/%_avx2.o,$(filter $(RASTER),$(LANES))) \
	$(LANES_AVX512:%.c=$(B)/clang/%_avx512.o)
SSE2_OBJECTS := $(patsubst %.c,$(B)/clang_sse2/%.o,$(sort $(RASTER) $(shell grep -lE 'LANES_(NAME|CPU)' $(filter renderer/pose/% renderer/skin/%,$(RENDERER)))))
CLANG_FLAGS = $(filter-out -O% -g,$(ALL_CFLAGS))
$(B)/clang/%_avx2.o: %.c
	@mkdir -p $(@D)
	$(call step,compile $< by clang for AVX2)clang $(CLANG_FLAGS) -O1 -DLANES_AVX2 -MMD -MP -c $< -o $@
$(B)/clang/%_avx512.o: %.c
	@mkdir -p $(@D)
	$(call step,compile $< by clang for AVX-512)clang $(CLANG_FLAGS) -O1 $(BY_AVX512) -MMD -MP -c $< -o $@
$(B)/clang/%.o: %.c
	@mkdir -p $(@D)
	$(call step,compile $< by clang)clang $(CLANG_FLAGS) -O1 -MMD -MP -c $< -o $@
$(B)/clang_sse2/%.o: %.c
	@mkdir -p $(@D)
	$(call step,compile $< by clang for SSE2)clang $(CLANG_FLAGS) -O3 -DLANES_SSE2 -MMD -MP -c $< -o $@
$(B)/avx2_most/%.o: %.c
	@mkdir -p $(@D)
	$(call step,compile $< without AVX-512)$(CC) $(ALL_CFLAGS) -DLANES_AVX2_MOST -MMD -MP -c $< -o $@
$(BY_CLANG): $(CLANG_OBJECTS)
$(SSE2_BY_CLANG): $(SSE2_OBJECTS)
$(AVX2_MOST): $(patsubst %.c,$(B)/avx2_most/%.o,$(shell grep -l LANES_CPU_HAS_AVX512 $(RENDERER)))
$(BY_CLANG) $(SSE2_BY_CLANG) $(AVX2_MOST): $(CLIENT_OBJECTS) $(PROTOCOL_LIB) $(RENDERER_LIB)
	@mkdir -p $(@D)
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -o $@ $(LIBS)

# What the daemon is measured with and against: nothing of it is in these.
$(LOAD_BINS): $(B)/%: $(B)/%.o
	$(call step,link $@)$(CC) $(ALL_LDFLAGS) $^ -o $@ -lmicrohttpd -lm

# With libFuzzer's main and, where there is one, the harness' own mutator; elsewhere with a main that
# replays files.
ifeq ($(config),fuzz)
$(FUZZ_BINS): FUZZ_FLAGS := -fsanitize=fuzzer
MUTATES_LIKE_asset_check := glb
MUTATES_LIKE_optimise := glb
FUZZ_MAIN = $(patsubst %.c,$(B)/%.o,$(filter \
	tests/fuzz/mutate_$(or $(MUTATES_LIKE_$*),$*).c,$(MUTATORS)))
else
FUZZ_MAIN = $(B)/tests/fuzz/replay.o
endif
.SECONDEXPANSION:
$(FUZZ_BINS): $(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/unit/rigs.o \
		$(B)/tests/unit/made_avatars.o $(B)/tests/unit/expressions.o $(B)/tests/unit/draw_lists.o \
		$$(FUZZ_MAIN) $(PROTOCOL_LIB) $(RENDERER_LIB)
	$(call step,link $@)$(CXX) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(FUZZ_FLAGS) $^ -o $@ $(LIBS)

# A make of its own behind the installation: what pkg-config says is only true then.
run:
	@.ci/packages.sh build
	@$(MAKE) -j$$(nproc) all
	@tests/run_demo.sh $(BIN)

test:
	@.ci/packages.sh test
	@$(MAKE) -j$$(nproc) run-tests

# The two commands of the README on a bare Debian 12, which is made in a folder.
test-fresh:
	@tests/fresh/run.sh build/fresh

run-tests: all $(TEST_PROGRAMS) $(FUZZ_BINS) $(FAULTY) $(WITHOUT_VIDEO) $(INJECT) node-packages
	@tests/run.py $(B) $(BIN)

# three.js and others, which several suites want.
node-packages:
	@tests/conformance/run.py install

# Each harness for FUZZ_SECONDS, built with clang and its sanitizers.
fuzz:
	.ci/packages.sh test
	$(MAKE) -j$$(nproc) config=fuzz CC=clang CXX=clang++ run-fuzz

run-fuzz: $(FUZZ_BINS)
	tests/fuzz/run.py fuzz $(B) $(FUZZ_SECONDS)

bench:
	.ci/packages.sh bench
	$(MAKE) run-bench

run-bench: all $(BENCH_BINS) $(LOAD_BINS)
	tests/bench/run.py $(B) $(BIN)

# Every skinning method on crowds; takes long. METHODS_OPTIONS="--seconds 1 --warm-up 0" for a look.
bench-methods:
	.ci/packages.sh bench
	$(MAKE) $(B)/tests/bench/bench_methods
	$(B)/tests/bench/bench_methods $(METHODS_OPTIONS)

# Clips, blends, joints and palettes, then over HTTP. POSE_OPTIONS="FILE CLIP CLIP" for another rig.
bench-pose:
	.ci/packages.sh bench
	$(MAKE) all $(B)/tests/bench/bench_pose $(LOAD_BINS)
	$(B)/tests/bench/bench_pose $(POSE_OPTIONS)
	POSED_BINARY=$(BIN)/posed tests/bench/against_mhd.py $(B) 67

# Full shading, sequences, packed vertices, <posed-viewer>. Takes minutes; wants a quiet machine.
bench-pictures:
	.ci/packages.sh bench
	$(MAKE) all $(B)/tests/bench/bench_shading $(B)/tests/bench/bench_packed
	tests/bench/pictures.py $(B) $(BIN)

# Requests a second by connections; BENCH_ROUNDS, BENCH_SECONDS and others change how.
bench-connections: all $(LOAD_BINS)
	tests/bench/connections.py $(B) $(BIN)/posed

# 2 and 10 times as many requests as can be answered, with a polite client beside them.
bench-overload: all $(LOAD_BINS)
	tests/bench/overload.py $(B) $(BIN)/posed

# Bytes, errors and times of compressed clips. CLIPS_OPTIONS="--against TABLE" beside another library.
bench-clips: $(B)/tests/bench/bench_clips
	$(B)/tests/bench/bench_clips $(or $(CLIPS_OPTIONS),assets/demo/humanoid.glb assets/demo/head.glb)

# Sampling stored clips, compressed and raw. STORED_OPTIONS="--seconds S --rigs NUMBER FILE" for others.
bench-stored: $(B)/tests/bench/bench_stored
	$(B)/tests/bench/bench_stored $(STORED_OPTIONS)

# Turntables in one call, against single pictures and three.js in Chromium.
bench-frames: all
	POSED_BINARY=$(BIN)/posed tests/bench/frames.py

# The HTTP tests for half an hour and more, for what ThreadSanitizer says of the daemon.
test-thread:
	.ci/packages.sh test
	$(MAKE) -j$$(nproc) config=thread all
	tests/thread.py build/thread

# Everything at once for MINUTES: nothing may grow, get lost or go wrong.
MINUTES ?= 30
soak:
	.ci/packages.sh test
	$(MAKE) -j$$(nproc) all
	POSED_BINARY=$(BIN)/posed tests/soak/soak.py $(MINUTES)

# All that is compiled. With CFLAGS and CXXFLAGS of -Werror, from nothing, it is what the check wants
# of gcc: GCC=no leaves that out there.
objects: $(call objects,$(filter-out $(GLYPHS).c,$(C_FILES)) $(CXX_FILES)) \
	$(LANES:%.c=$(B)/%_avx2.o) $(LANES_AVX512:%.c=$(B)/%_avx512.o) $(EMBEDDED)

GCC ?= yes
check: $(B)/shaders.c
	@GCC=$(GCC) CXXFLAGS="$(ALL_CXXFLAGS)" tests/check.sh "$(ALL_CFLAGS) $(OF_SERVER) $(FREETYPE_CFLAGS)" \
		$(C_FILES) $(CXX_FILES) -- $(HEADERS)

format:
	@clang-format -i $(C_FILES) $(CXX_FILES) $(HEADERS)

install: all
	PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) server/deploy/install.sh $(BIN)

# Debian's flags, but for -O2 behind our -O3. Asked for by the shell, when they are installed.
DEB_FLAGS := DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-O2 \
	DEB_CXXFLAGS_MAINT_STRIP=-O2 dpkg-buildflags --get
deb:
	.ci/packages.sh deb
	$(MAKE) config=deb CFLAGS="$$($(DEB_FLAGS) CFLAGS) $$($(DEB_FLAGS) CPPFLAGS)" \
		CXXFLAGS="$$($(DEB_FLAGS) CXXFLAGS) $$($(DEB_FLAGS) CPPFLAGS)" \
		LDFLAGS="$$($(DEB_FLAGS) LDFLAGS)" run-deb

run-deb: all
	server/deploy/deb.sh $(BIN) build/package

clean:
	rm -rf build

.PHONY: all run test test-fresh run-tests node-packages test-thread soak fuzz run-fuzz bench run-bench bench-methods \
	bench-pose bench-pictures bench-frames bench-connections bench-overload bench-clips bench-stored \
	objects check format install deb run-deb clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
