#!/usr/bin/env bash
# The same builds where no library can be preloaded: the shims see them alone.
STANCH_PRELOAD='' exec bash "$(dirname "$0")/test_builds.sh"
