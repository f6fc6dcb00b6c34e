# SPDX-License-Identifier: MIT
#
# vivgpu: each target calls one script. 'make help' lists them.

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
STAGES := vm/stages
ENTER := vm/enter

# What 'make run' hands to vm/run.
export APP PERSONALITY TIME DRIVER KERNEL CPUS STRETCH VIEW TIMEOUT WHOLE
# What 'make qemu' hands to vm/qemu besides.
export ARCH MESA FACE ACCEL
# What 'make install' hands to vm/install.
export PREFIX DESTDIR

# The kernel for tests: the debug kernel, or with KERNEL=newest that one.
DEBUG := $(if $(filter newest,$(KERNEL)),kernel-newest,kernel-debug)

# Guests of QEMU, and our Mesa for them
CROSS_MESA := mesa-arm64 mesa-armhf libraries-arm64 libraries-armhf
QEMU_IMAGES := $(foreach arch,arm64 armhf x86_64,qemu-$(arch) $(patsubst %,qemu-$(arch)-%,desktop rt newest sid))

##@ Use

help: ## this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo '  make run takes APP="command"|desktop|cockpit, PERSONALITY=gc3000|gc2000, TIME=real|virtual, DRIVER=etnaviv,'
	@echo '  VIEW=window|vnc[:PORT]|png:DIR|on (the card'"'"'s own display)'
	@echo '  tests of the kernel driver take KERNEL=newest CPUS=N: the newest kernel with N processors,'
	@echo '  and STRETCH=SEED: delays at places where races are possible (Documentation/gpu/races.rst)'
	@echo '  builds take JOBS=N (default: one per CPU); logs are in build/log/'

run: ## boot the machine and run APP in it (default: glmark2)
	@$(STAGES) kernel mesa $(if $(filter newest,$(MESA)),mesa-newest) card tools
	@vm/run

qemu: ## Debian with its own kernel in QEMU, with the card; ARCH=arm64|armhf|x86_64, DRIVER, APP
	@stages=$$(vm/qemu --stages) && $(STAGES) $$stages
	@vm/qemu

desktop: ## Weston and Xwayland on the card's display; VIEW=window or vnc to see it
	@$(STAGES) kernel mesa card tools
	@APP=desktop vm/run

shell: ## a shell in the guest
	@$(STAGES) kernel mesa card tools
	@vm/run --shell

install: ## tools, man pages, Mesa and the module's source for DKMS; PREFIX=/usr/local DESTDIR=
	@$(STAGES) mesa tools
	@vm/install

deb: ## Debian packages of the card, the driver and our Mesa in build/deb (Documentation/vm/try.rst)
	@$(STAGES) mesa tools
	@vm/deb

bench: ## compare with the peers; build/bench/results.csv and the tables of Documentation/bench; KERNEL=newest: the kernel drivers on both kernels
	@$(STAGES) kernel $(if $(filter newest,$(KERNEL)),kernel-newest-release) mesa card tools
	@tests/bench/$(if $(filter newest,$(KERNEL)),newest,run)

##@ Test

SUITES := test-kernel test-kms test-igt test-gl
# Time does not matter to these: computing only, virtual time, or whole pictures.
SUITES_BESIDE := test-vm test-arm32 test-run test-card test-mesa test-tools test-groups test-virtual test-predict test-calibration test-deadline test-cockpit test-peer test-draws test-desktop test-piglit-core test-gallium test-qemu-core test-strict test-lab

test: ## all suites that fit in CI; ends with one line of counts
	@$(STAGES) kernel kernel-debug mesa card tools qemu-arm64 qemu-armhf
	@vm/test-all $(SUITES) -- $(SUITES_BESIDE)

test-vm: ## the build scripts' own tests
	@$(STAGES) sysroot
	@vm/tests/run

test-run: ## 'make run' as the README offers it
	@$(STAGES) kernel mesa card tools
	@tests/run/run

test-card: ## the card's unit tests, with sanitizers
	@$(STAGES) mesa-source
	@$(ENTER) make -s -j$$(nproc) -C card check

test-card-arm64: ## a tenth of them cross-compiled for 64-bit ARM, and draws with the same digests
	@$(STAGES) mesa-source qemuroot
	@tests/card-arm64/run

fuzz-card: ## feed the card noise for SECONDS of processor time, with sanitizers (1200)
	@$(STAGES) mesa-source
	@$(ENTER) make -s -j$$(nproc) -C card tests
	@$(ENTER) card/tests/fuzz $(or $(SECONDS),1200) $(SEED)

coverage-card: ## lines of the card that its unit tests run, by file
	@$(STAGES) mesa-source
	@$(ENTER) make -s -j$$(nproc) -C card coverage

test-planted: ## whether tests find the faults in tests/planted (of card and drivers) and tests/draws/planted
	@$(STAGES) mesa-source
	@$(ENTER) tests/planted/run
	@$(STAGES) kernel kernel-debug mesa card tools
	@tests/draws/run-planted
	@tests/planted/run-driver
	@$(ENTER) tests/planted/run-mesa
	@$(STAGES) kernel-source qemu-armhf qemu-arm64-rt
	@tests/qemu/run-planted

test-peer: ## unmodified etnaviv, kernel and Mesa, on the card
	@$(STAGES) kernel kernel-debug mesa card tools
	@tests/peer/run

test-draws: ## scenes of random state, beside a reference and llvmpipe; SEED=N (1), COUNT=N (1000)
	@$(STAGES) kernel mesa card
	@SEED=$(SEED) COUNT=$(COUNT) tests/draws/run

test-plain: ## the card without any faster versions (Documentation/card/speed.rst) draws the scenes of test-draws as the card does; SEED=N (1), COUNT=N (1000)
	@$(STAGES) kernel mesa card
	@SEED=$(SEED) COUNT=$(COUNT) tests/draws/run-plain

test-strict: ## both drivers on a card that forgives less (Documentation/card/strict.rst), and planted faults; WHOLE=1: more of them, and other suites on that card
	@$(STAGES) kernel kernel-debug mesa card $(if $(WHOLE),tools igtroot)
	@tests/strict/run
	@$(if $(WHOLE),tests/strict/whole,:)

test-savers: ## Debian's 130 OpenGL screensavers beside llvmpipe's frames; resumed after an interruption
	@$(STAGES) kernel mesa card tools
	@tests/savers/run

test-piglit: ## all of piglit that the driver offers; DRIVER=etnaviv|vivgpu, KERNEL, PERSONALITY
	@$(STAGES) kernel mesa card
	@tests/piglit/run
	@$(if $(filter vivgpu,$(DRIVER)),tests/piglit/windows)

test-piglit-windows: ## its EGL, GLX and Wayland windows on a desktop, beside etnaviv's; a part of test-piglit
	@$(STAGES) kernel mesa card
	@tests/piglit/windows

test-piglit-core: ## a part of it that takes a few minutes
	@$(STAGES) kernel mesa card
	@tests/piglit/run --core

compare-piglit: ## what passes with DRIVER=etnaviv and not with DRIVER=vivgpu, by the last whole runs
	@$(STAGES) sysroot
	@tests/piglit/compare

test-kernel: ## our kernel driver: builds without a warning, KUnit, its calls, pictures
	@$(STAGES) $(DEBUG) mesa card tools
	@tests/kernel/run

test-kms: ## the card's display: pictures, time, applications, stock IGT; WHOLE=1: all of IGT's, beside vkms
	@$(STAGES) kernel $(DEBUG) mesa card tools igtroot
	@tests/kms/run

test-igt: ## our kernel driver by IGT's stock tests and by our own
	@$(STAGES) $(DEBUG) card tools igtroot
	@tests/igt/run

test-deadline: ## the deadline scheduler in simulations; SETS=N sets of clients (200); WHOLE=1: on the driver, too
	@$(STAGES) sysroot $(if $(WHOLE),kernel-debug mesa card tools igtroot)
	@tests/deadline/run $(SETS)

test-adversary: ## a search for clients that make reserved frames late, in simulations; SECONDS=N of it (1,000,000 evaluations)
	@$(STAGES) sysroot
	@ADVERSARY=1 SECONDS_OF_SEARCH=$(SECONDS) tests/deadline/run

check-model: ## all states of a model of the deadline rules with three reservations, more sets and walks; ten minutes, 8 GB or more
	@$(STAGES) sysroot
	@MODEL=1 tests/deadline/run

test-cockpit: ## cluster, map and game on the card in virtual time; FRAMES=N (240); LONG=1: 10000, smaller; VARIANTS="jitter early attack"
	@$(STAGES) kernel mesa card tools
	@FRAMES=$(FRAMES) LONG=$(LONG) VARIANTS="$(VARIANTS)" tests/cockpit/run

test-desktop: ## Weston, Xwayland and programs in their windows; WHOLE=1: hangs, monitors, sessions
	@$(STAGES) kernel $(if $(WHOLE),kernel-debug kernel-vt) mesa card tools
	@tests/desktop/run

test-gallium: ## our Gallium driver on both kernel drivers: pictures, displays
	@$(STAGES) kernel kernel-debug mesa card tools
	@tests/gallium/run

test-gl: ## queries, performance monitors, the event monitor, sentence by sentence
	@$(STAGES) kernel kernel-debug mesa card tools
	@tests/gl/run

test-groups: ## command groups of programs beside their calls and the card's totals
	@$(STAGES) kernel mesa card tools
	@tests/groups/run

test-tools: ## options and manual pages of the tools, what make install copies, the module by DKMS
	@$(STAGES) kernel-debug mesa card tools
	@tests/tools/run

test-mesa: ## our Gallium driver's unit tests, its shader code on the card's shader core
	@$(STAGES) mesa card
	@tests/mesa/run

test-predict: ## the predictor: models, calibration, history, bounds, with sanitizers
	@$(STAGES) mesa-source
	@tests/predict/run

.PHONY: test-lab
test-lab: ## four figures of the thesis on one machine, beside its numbers (3 min)
	@$(STAGES) kernel mesa card tools
	@tests/lab/run short

lab: ## predictions of real groups beside the thesis and other methods: build/lab/index.html (30 min, resumed); SET=validation, BLIND=SECRET
	@$(STAGES) kernel mesa card tools
	@SET=$(SET) BLIND="$(BLIND)" BLIND_MACHINES=$(BLIND_MACHINES) tests/lab/run

test-storm: ## 1,000 faults while others work; FAULTS=N, SEED=N
	@$(STAGES) $(DEBUG) mesa card tools
	@FAULTS=$(FAULTS) SEED=$(SEED) tests/storm/run

test-endurance: ## programs of many kinds at once on our drivers; SECONDS=N (600)
	@$(STAGES) $(DEBUG) mesa card tools
	@SECONDS_TO_RUN=$(SECONDS) tests/endurance/run

fuzz-ioctl: ## calls and streams of chance; SECONDS=N, SEED=N, ROUNDS=N
	@$(STAGES) $(DEBUG) card tools
	@SECONDS_TO_RUN=$(SECONDS) SEED=$(SEED) ROUNDS=$(ROUNDS) tests/fuzz-ioctl/run

test-newest: ## the newest kernel on 1, 2 and 4 processors; PROCESSORS="N...", FAULTS=N, SECONDS=N (1800)
	@$(STAGES) kernel-newest kernel-source mesa card tools igtroot
	@PROCESSORS="$(PROCESSORS)" FAULTS=$(FAULTS) SECONDS_TO_RUN=$(SECONDS) tests/newest/run

test-races: ## races of the kernel driver on 2 and 4 processors; RACES="WINDOW... N..." of tests/races/planted, SECONDS=N (60)
	@$(STAGES) kernel-newest card
	@SECONDS_TO_RUN=$(SECONDS) tests/races/run $(RACES)

shader-stats: ## instructions of piglit's shaders, ours beside etnaviv's
	@$(STAGES) mesa
	@tests/mesa/shaders

test-arm32: ## our kernel driver cross-compiled for 32-bit ARM: warnings, sparse, 64-bit division, sizes
	@$(STAGES) kernel-source
	@tests/arm32/run

test-arm64: ## our kernel driver cross-compiled, in the kernel's tree and outside
	@$(STAGES) kernel-source
	@tests/arm64/run

test-virtual: ## virtual time is the same to the byte
	@$(STAGES) kernel mesa card tools
	@tests/virtual/run

test-calibration: ## the clock model beside the published measurements
	@$(STAGES) kernel mesa card
	@tests/calibration/run

clock-report: ## curves of modelled time, PERSONALITY=gc3000
	@$(STAGES) kernel mesa card
	@tests/clock/report

clock-linear: ## how far linear models of all counters miss frame time; MACHINES="imx6q seed:1 ..."
	@$(STAGES) kernel mesa card
	@tests/linear/run

test-deb: ## the packages of 'make deb', installed by apt into a Debian of its own
	@$(STAGES) mesa tools
	@tests/deb/run

test-qemu: ## Debian's kernels with the card in QEMU: stock etnaviv, our driver; WHOLE=1: more, without a limit of time
	@$(STAGES) card tools mesa kernel qemu-arm64 qemu-armhf qemu-x86_64 qemu-arm64-desktop qemu-arm64-rt qemu-arm64-newest qemu-arm64-sid $(if $(WHOLE),qemu-armhf-sid mesa-arm64 mesa-armhf sidroot)
	@tests/qemu/run

test-qemu-desktop: ## a part of it: Debian on arm64 with systemd, our driver, and Weston on the card's display
	@$(STAGES) card tools qemu-arm64-desktop
	@tests/qemu/run arm64-desktop

test-qemu-core: ## a part of it that takes one minute, for make test: arm64 with etnaviv, armhf with our driver
	@$(STAGES) card tools kernel-source qemu-arm64 qemu-armhf
	@tests/qemu/run arm64-etnaviv-platform armhf-vivgpu-platform

check: ## style, static analysis, licences
	@$(STAGES) kernel-source mesa-source
	@vm/check

##@ Build

doctor: ## has this machine what is needed?
	@vm/doctor

all: ## build everything
	@$(STAGES) kernel kernel-debug mesa card tools

sysroot kernel kernel-debug kernel-vt kernel-newest kernel-newest-release mesa mesa-newest $(CROSS_MESA) card tools kernel-source mesa-source igtroot qemuroot sidroot $(QEMU_IMAGES):
	@$(STAGES) $@

series: ## patches for upstream in build/series/, each applied and built
	@$(STAGES) kernel-newest mesa
	@vm/series

format: ## bring our C code into shape
	@vm/check --format

clean: ## remove what was built, keep the sysroot and the caches
	@vm/clean

distclean: ## remove build/; the cache folder stays
	@vm/clean --all

.PHONY: help run qemu deb test-deb test-qemu test-qemu-core test-qemu-desktop desktop shell install test-tools test-groups bench shader-stats test test-gallium test-gl test-mesa test-predict lab test-vm test-run test-card test-card-arm64 test-peer test-draws test-plain test-strict test-savers test-desktop fuzz-card coverage-card test-planted test-piglit test-piglit-windows test-piglit-core test-kernel test-arm32 test-arm64 test-kms test-igt test-deadline test-adversary check-model test-cockpit test-storm test-endurance test-newest test-races compare-piglit fuzz-ioctl test-virtual test-calibration clock-report clock-linear check doctor all series format clean distclean \
	sysroot kernel kernel-debug kernel-vt kernel-newest kernel-newest-release mesa mesa-newest $(CROSS_MESA) card tools kernel-source mesa-source igtroot \
	qemuroot sidroot $(QEMU_IMAGES)
