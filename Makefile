# stanch: finds memory leaks in C and C++ programs.
#
#   make run      install what is missing, build, analyse the example program
#   make check    install what is missing, build, run all tests
#   make          build only          make install PREFIX=/usr/local DESTDIR=, make uninstall
#   make deb      the Debian package
#   SAN=1         AddressSanitizer and UBSan       HARD=1  hostile containers
#   SAN=thread    ThreadSanitizer, for check -j
#   CC=clang-19   the other compiler

CC      := gcc
LLVM    := llvm-config-19
B       := build$(if $(filter thread,$(SAN)),-tsan,$(if $(SAN),-san))$(if $(HARD),-hard)$(if $(filter clang%,$(CC)),-clang)
PREFIX  := /usr/local
DESTDIR :=
VERSION := 0.1.0

comma   := ,
WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS  := $(if $(SAN),-O1,-O2) -g
LDFLAGS :=
# Nearly all of a run is spent in these modules; a CFLAGS of one's own is taken as it is.
HOT     := $(if $(SAN),,$(if $(filter file,$(origin CFLAGS)),-O3))
ALL_CFLAGS = -std=gnu17 -D_GNU_SOURCE -Isrc $(WARN) $(CFLAGS) $(SAN_FLAGS) $(HARD_FLAGS) \
    -DSTANCH_VERSION='"$(VERSION)"'
SAN_KINDS  := $(if $(filter thread,$(SAN)),thread,address$(comma)undefined -fno-sanitize-recover=undefined)
SAN_FLAGS  := $(if $(SAN),-fsanitize=$(SAN_KINDS) -fno-omit-frame-pointer)
HARD_FLAGS := $(if $(HARD),-DSTANCH_HARD)
LLVM_CFLAGS = $(shell $(LLVM) --cflags 2>/dev/null | tr ' ' '\n' | grep -E '^-[ID]')
LLVM_LIBS   = $(shell $(LLVM) --ldflags) -lLLVM-19 -lstdc++
LIBS        = -lz3 -lstdc++ -lsqlite3 -ljansson -lhiredis -lm -lpthread -ldl

SRC   := $(sort $(filter-out src/main.c src/shim.c src/preload.c src/cc.c,$(wildcard src/*.c src/*/*.c)))
LIB_O := $(SRC:src/%.c=$B/%.o)
TESTS := $(patsubst tests/%.c,$B/tests/%,$(sort $(wildcard tests/*/test_*.c)))

.PHONY: uninstall deb fuzz all check check-quick check-long check-hard run install clean deps modules wc self tests
all: $B/stanch $B/stanch-lower.so $B/stanch-shim $B/stanch-preload.so $B/stanch-cc

# Lowering is a module of its own, loaded when it is needed: LLVM costs 25 ms at every start.
LOWER_O := $(filter $B/lower/%,$(LIB_O))
$B/stanch: $B/main.o $(filter-out $(LOWER_O),$(LIB_O))
	$(CC) $(SAN_FLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(LIBS)

$B/stanch-lower.so: $(LOWER_O)
	$(CC) $(SAN_FLAGS) $(LDFLAGS) -shared -o $@ $^ $(LLVM_LIBS)

# Small and without libraries: it starts once for each compiler call of an observed build.
SHIM_O := $B/shim.o $(addprefix $B/capture/,wrap.o record.o words.o flags.o) \
    $(addprefix $B/base/,mem.o file.o)
$B/stanch-shim: $(SHIM_O)
	$(CC) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^

# Before a compiler in any build system; starts stanch only where an object comes of it.
$B/stanch-cc: $B/cc.o $(addprefix $B/capture/,words.o flags.o) $(addprefix $B/base/,mem.o file.o)
	$(CC) $(SAN_FLAGS) $(LDFLAGS) -o $@ $^

# Loaded into every process of an observed build: nothing but the C library, nothing visible but the
# exec functions, never with a sanitizer.
PRELOAD_O := $(patsubst %,$B/preload/%.o,preload capture/record capture/words capture/flags \
    capture/elf base/mem base/file)
$B/stanch-preload.so: $(PRELOAD_O)
	$(CC) $(LDFLAGS) -shared -Wl,-z,now -Wl,--as-needed -o $@ $^

$B/preload/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(filter-out -fsanitize% -fno-sanitize%,$(ALL_CFLAGS)) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$B/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

HOT_MODULES := base logic facts impact summary recall heap explain lost call walk eval
$(HOT_MODULES:%=$B/%/%.o): ALL_CFLAGS += $(HOT)
$B/lower/%.o: ALL_CFLAGS += $(LLVM_CFLAGS) -fPIC

# The page of the HTML report: text files as C strings.
PAGE    := $(addprefix $B/report/page.,html.inc css.inc js.inc)
PAGE_JS := $(patsubst %,src/report/page_%.js,base code list source heap main)
C_STRING = sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/'

$B/report/page.js.inc: $(PAGE_JS) Makefile
	@mkdir -p $(@D)
	@cat $(PAGE_JS) | $(C_STRING) >$@

$B/report/%.inc: src/report/% Makefile
	@mkdir -p $(@D)
	@$(C_STRING) $< >$@

$B/report/html_page.o: $(PAGE)
$B/report/html_page.o: ALL_CFLAGS += -I$B/report

# The rules' own pages go into SARIF. HOME_URI is where whoever publishes a build keeps README.md and doc/;
# without it the reports link to the CWE instead.
HOME_URI ?=
$B/report/rules.md.inc: doc/rules.md Makefile
	@mkdir -p $(@D)
	@$(C_STRING) $< >$@

$B/report/sarif.o: $B/report/rules.md.inc
$B/report/sarif.o: ALL_CFLAGS += -I$B/report -DSTANCH_HOME='"$(HOME_URI)"'

# What every program of `stanch confirm` is made with.
$B/confirm/%.inc: src/confirm/% Makefile
	@mkdir -p $(@D)
	@$(C_STRING) $< >$@

$B/confirm/confirm.o: $B/confirm/repro.h.inc
$B/confirm/confirm.o: ALL_CFLAGS += -I$B/confirm

# A test takes from the archive only the modules that it uses.
$B/libstanch.a: $(LIB_O)
	@rm -f $@
	$(AR) rcs $@ $^

$B/tests/%: tests/%.c $B/libstanch.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $< $B/libstanch.a -Wl,--as-needed $(LLVM_LIBS) $(LIBS) -lcmocka

# The fuzz harness runs main of stanch in its own process, with the lowering module beside it.
FUZZ_O := $B/tests/fuzz/fuzz.o $B/tests/fuzz/mutate.o $B/tests/fuzz/outside.o $B/tests/fuzz/stanch_main.o
$B/tests/fuzz/stanch_main.o: src/main.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Dmain=stanch_main -Wno-missing-prototypes -MMD -MP -c -o $@ $<
$B/tests/fuzz/%.o: tests/fuzz/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$B/stanch-fuzz: $(FUZZ_O) $B/libstanch.a
	$(CC) $(SAN_FLAGS) -rdynamic -o $@ $(FUZZ_O) $B/libstanch.a -Wl,--as-needed $(LLVM_LIBS) $(LIBS)

# An entry point for libFuzzer: make fuzz KIND=spec (needs libclang-rt-19-dev), then run
# build-fuzz/fuzz-spec in a scratch directory with a corpus.
KIND := spec
fuzz: $(SRC)
	@$(MAKE) --no-print-directory $J CC=clang-19 B=build-fuzz build-fuzz/fuzz-$(KIND) \
	    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address' FUZZ_LINK=-fsanitize=fuzzer,address
build-fuzz/fuzz-%: tests/fuzz/fuzz.c tests/fuzz/mutate.c $B/tests/fuzz/stanch_main.o $B/libstanch.a
	$(CC) $(ALL_CFLAGS) -DFUZZ_LIBFUZZER='"$*"' $(FUZZ_LINK) -o $@ $^ -Wl,--as-needed $(LLVM_LIBS) $(LIBS)

tests: $(TESTS) $B/stanch-fuzz

deps:
	@tools/deps

# Both cores, also where nobody asked with -j.
J := $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
check: deps
	@$(MAKE) --no-print-directory $J check-quick

# The tests without the look at packages.
check-quick: all tests
	@B=$B SAN=$(SAN) tests/run

check-long: deps
	@$(MAKE) --no-print-directory $J all tests
	@B=$B LONG=1 tests/run

check-hard:
	@$(MAKE) --no-print-directory $J check-quick HARD=1

run: deps
	@$(MAKE) --no-print-directory $J all
	@tools/run-example $B/stanch

install: all
	install -Dm755 $B/stanch $(DESTDIR)$(PREFIX)/bin/stanch
	install -Dm755 $B/stanch-cc $(DESTDIR)$(PREFIX)/bin/stanch-cc
	install -Dm644 $B/stanch-lower.so $(DESTDIR)$(PREFIX)/lib/stanch/stanch-lower.so
	install -Dm755 $B/stanch-shim $(DESTDIR)$(PREFIX)/libexec/stanch/stanch-shim
	install -Dm644 $B/stanch-preload.so $(DESTDIR)$(PREFIX)/libexec/stanch/stanch-preload.so
	install -d $(DESTDIR)$(PREFIX)/share/stanch/models
	install -m644 models/*.own $(DESTDIR)$(PREFIX)/share/stanch/models/
	@for page in doc/man/*.[15]; do d=$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}; mkdir -p $$d && \
	    sed 's/@VERSION@/$(VERSION)/' $$page >$$d/$${page##*/} && chmod 644 $$d/$${page##*/} || exit 1; done
	@for shell in bash zsh fish; do $B/stanch help completion $$shell >$B/completion.$$shell || exit 1; done
	install -Dm644 $B/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/stanch
	install -Dm644 $B/completion.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_stanch
	install -Dm644 $B/completion.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/stanch.fish

# What install put there, and nothing else.
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/stanch bin/stanch-cc \
	    share/bash-completion/completions/stanch share/zsh/site-functions/_stanch \
	    share/fish/vendor_completions.d/stanch.fish) \
	    $(foreach page,$(notdir $(wildcard doc/man/*)),$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(page))
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,lib/stanch libexec/stanch share/stanch)

# The Debian package, in $B/deb; needs debhelper.
deb:
	@tools/deb $(VERSION) $B/deb

# Which module includes which, and how long they are: both fail where it is not as agreed.
modules:
	@tools/modules

wc:
	@tools/sizes

# stanch on stanch.
self: all
	$B/stanch check src/*.c src/*/*.c -- -Isrc -I$B/report -D_GNU_SOURCE -std=gnu17 -DSTANCH_VERSION='""' -DSTANCH_HOME='""' $(LLVM_CFLAGS)

clean:
	rm -rf build build-*

-include $(wildcard $B/*.d $B/*/*.d $B/preload/*/*.d $B/tests/*/*.d)
